import CHTTPTransportCurl
import HTTPCore
import Synchronization

/// The only owner of one libcurl easy handle. Made, used and freed on the loop's thread.
@safe final class CurlEasyHandle {
    let raw: OpaquePointer
    private var headers: OpaquePointer?
    /// The first option that was refused since the last reset.
    private var refusal: Int32 = 0

    /// How many handles the process has, for tests that count them back to where they were.
    static let liveCount = Atomic<Int>(0)

    init() throws(HTTPError) {
        guard let raw = unsafe chttp_easy_make() else {
            throw HTTPError(.internalFailure, "libcurl has no memory for a handle")
        }
        unsafe self.raw = raw
        Self.liveCount.add(1, ordering: .relaxed)
    }

    deinit {
        unsafe chttp_easy_free(raw)
        unsafe chttp_list_free(headers)
        Self.liveCount.subtract(1, ordering: .relaxed)
    }

    /// Back to a new handle's options; connections and caches live in the multi handle.
    func reset() {
        unsafe chttp_easy_reset(raw)
        unsafe chttp_list_free(headers.take())
        refusal = 0
    }

    /// - Throws: `internalFailure` when an option was refused, which no input of a caller may cause.
    func checkOptions() throws(HTTPError) {
        guard refusal != 0 else { return }
        throw HTTPError(.internalFailure, "libcurl refused an option: \(Self.errorText(refusal))")
    }

    func set(_ option: chttp_string_option, _ value: String?) {
        if let value {
            note(unsafe value.withCString { unsafe chttp_easy_set_string(raw, option, $0) })
        } else {
            note(unsafe chttp_easy_set_string(raw, option, nil))
        }
    }

    func set(_ option: chttp_long_option, _ value: Int) {
        note(unsafe chttp_easy_set_long(raw, option, value))
    }

    func set(_ option: chttp_long_option, _ isOn: Bool) { set(option, isOn ? 1 : 0) }

    /// For an option that older libraries do not know and can do without.
    func setIfKnown(_ option: chttp_long_option, _ value: Int) {
        _ = unsafe chttp_easy_set_long(raw, option, value)
    }

    func setHTTPVersion(_ version: chttp_http_version) {
        note(unsafe chttp_easy_set_http_version(raw, version))
    }

    func setMinimumTLSVersion() { note(unsafe chttp_easy_set_minimum_tls_1_2(raw)) }

    func setUploadLength(_ length: Int64) { note(unsafe chttp_easy_set_upload_length(raw, length)) }

    func setPostFields(_ octets: UnsafeRawBufferPointer) {
        note(unsafe chttp_easy_set_post_fields(raw, octets.baseAddress, Int64(octets.count)))
    }

    func appendHeader(_ line: String) { appendHeader(Array(line.utf8) + [0]) }

    /// - Parameter line: ends with NUL.
    func appendHeader(_ line: [UInt8]) {
        let longer = unsafe line.withUnsafeBufferPointer { octets in
            unsafe octets.withMemoryRebound(to: CChar.self) { text in
                unsafe text.baseAddress.flatMap { unsafe chttp_list_append(headers, $0) }
            }
        }
        if let longer = unsafe longer { unsafe headers = longer } else { note(27) }
    }

    func applyHeaders() { note(unsafe chttp_easy_set_headers(raw, headers)) }

    func setShare(_ share: borrowing CurlShare) {
        note(unsafe chttp_easy_set_share(raw, share.raw))
    }

    func setSocketObserver(_ observer: UnsafePointer<chttp_socket_observer>) {
        note(unsafe chttp_easy_set_socket_observer(raw, observer))
    }

    /// Sends everything libcurl reports about this handle to `transfer`, which must stay alive until
    /// the handle has left its multi handle.
    func setCallbacks(_ transfer: Transfer, isUpload: Bool) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        note(unsafe chttp_easy_set_private(raw, context))
        note(unsafe chttp_easy_set_write(raw, Transfer.writeCallback, context))
        note(unsafe chttp_easy_set_header(raw, Transfer.headerCallback, context))
        note(unsafe chttp_easy_set_prereq(raw, Transfer.prereqCallback, context))
        if isUpload {
            note(unsafe chttp_easy_set_read(raw, Transfer.readCallback, context))
            note(unsafe chttp_easy_set_seek(raw, Transfer.seekCallback, context))
        }
    }

    func pause(receiving: Bool, sending: Bool) -> Int32 {
        unsafe chttp_easy_pause(raw, receiving ? 1 : 0, sending ? 1 : 0)
    }

    func long(_ info: chttp_long_info) -> Int { unsafe chttp_easy_long(raw, info) }
    func offset(_ info: chttp_offset_info) -> Int64 { unsafe chttp_easy_offset(raw, info) }

    /// The bundle this library was built to trust, or one at a place where distributions keep it.
    var defaultCertificateAuthorityFile: String? {
        let own = unsafe chttp_easy_default_ca_file(raw).map { unsafe String(cString: $0) }
        let usual = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
        ]
        return ([own].compactMap(\.self) + usual).first { ReadableFile.check($0) == nil }
    }

    /// The transfer that a finished handle was set up for.
    static func transfer(of raw: OpaquePointer) -> Transfer? {
        unsafe chttp_easy_private(raw).map {
            unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue()
        }
    }

    static func errorText(_ code: Int32) -> String {
        unsafe String(cString: chttp_easy_error_text(code))
    }

    private func note(_ code: Int32) {
        if code != 0, refusal == 0 { refusal = code }
    }
}
