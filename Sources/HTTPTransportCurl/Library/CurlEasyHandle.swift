import CHTTPTransportCurl
import HTTPCore
import Synchronization

/// The only owner of one libcurl easy handle. It is made, used and freed on the loop's thread.
@safe final class CurlEasyHandle {
    let raw: OpaquePointer
    private var headers: OpaquePointer?
    private var target: OpaquePointer?
    private var addresses: OpaquePointer?
    /// The socket opener, at a fixed address for as long as the handle lives.
    private let opener: UnsafeMutablePointer<chttp_socket_opener>
    /// The first option that was refused since the last reset.
    private var refusal: (code: Int32, setter: StaticString, option: UInt32)?

    /// The number of handles in the process, for tests that check that it returns to its former
    /// value.
    static let liveCount = Atomic<Int>(0)

    init() throws(HTTPError) {
        guard let raw = unsafe chttp_easy_make() else {
            throw HTTPError(.internalFailure, "libcurl has no memory for a handle")
        }
        unsafe self.raw = raw
        unsafe opener = .allocate(capacity: 1)
        unsafe opener.initialize(to: chttp_socket_opener())
        Self.liveCount.add(1, ordering: .relaxed)
    }

    deinit {
        unsafe chttp_easy_free(raw)
        unsafe chttp_list_free(headers)
        unsafe chttp_list_free(target)
        unsafe chttp_list_free(addresses)
        unsafe opener.deallocate()
        Self.liveCount.subtract(1, ordering: .relaxed)
    }

    /// Resets the options to those of a new handle. Connections and caches live in the multi
    /// handle.
    func reset() {
        unsafe chttp_easy_reset(raw)
        freeLists()
        refusal = nil
    }

    private func freeLists() {
        // A transfer that ended before it had connected has left the list for the next one.
        if unsafe addresses != nil { _ = unsafe chttp_easy_set_resolve(raw, nil) }
        unsafe chttp_list_free(headers.take())
        unsafe chttp_list_free(target.take())
        unsafe chttp_list_free(addresses.take())
    }

    /// - Parameter text: `host:port:other-host:other-port`.
    func setConnectTo(_ text: String) {
        unsafe target = unsafe text.withCString { unsafe chttp_list_append(nil, $0) }
        note(unsafe chttp_easy_set_connect_to(raw, target))
    }

    /// - Parameter text: `host:port:address,address`.
    func setResolved(_ text: String) {
        unsafe addresses = unsafe text.withCString { unsafe chttp_list_append(nil, $0) }
        note(unsafe chttp_easy_set_resolve(raw, addresses))
    }

    /// - Throws: `internalFailure` if an option was refused. No input of a caller may cause that.
    func checkOptions() throws(HTTPError) {
        guard let refusal else { return }
        throw HTTPError(
            .internalFailure,
            "libcurl refused \(refusal.setter) \(refusal.option): \(Self.errorText(refusal.code))")
    }

    func set(_ option: chttp_string_option, _ value: String?) {
        if let value {
            note(
                unsafe value.withCString { unsafe chttp_easy_set_string(raw, option, $0) },
                setter: "set(string)", option: option.rawValue)
        } else {
            note(unsafe chttp_easy_set_string(raw, option, nil))
        }
    }

    /// - Parameter url: A URL that must outlive the transfer.
    func set(_ url: CurlURL) {
        note(unsafe url.text.withCString { unsafe chttp_easy_set_url(raw, $0, url.parts) })
    }

    func set(_ option: chttp_long_option, _ value: Int) {
        note(
            unsafe chttp_easy_set_long(raw, option, value), setter: "set(long)",
            option: option.rawValue)
    }

    func set(_ option: chttp_long_option, _ isOn: Bool) { set(option, isOn ? 1 : 0) }

    /// Sets an option that older libraries do not know and that is not essential.
    func setIfKnown(_ option: chttp_long_option, _ value: Int) {
        _ = unsafe chttp_easy_set_long(raw, option, value)
    }

    func setHTTPVersion(_ version: chttp_http_version) {
        note(unsafe chttp_easy_set_http_version(raw, version))
    }

    func setTLSVersions(_ minimum: TLSSettings.Version, _ maximum: TLSSettings.Version?) {
        note(
            unsafe chttp_easy_set_tls_versions(
                raw, Int32(minimum.rawValue), Int32(maximum?.rawValue ?? 0)))
    }

    func set(_ option: chttp_blob_option, _ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return note(CHTTP_E_BAD_FUNCTION_ARGUMENT) }
            note(unsafe chttp_easy_set_blob(raw, option, base, bytes.count))
        }
    }

    /// - Parameter setup: A setup that must outlive the transfer.
    func prepareTLS(_ setup: UnsafePointer<chttp_tls_setup>) {
        note(unsafe chttp_easy_prepare_tls(raw, setup))
    }

    /// The certificates that the server sent, its own first, if they were requested.
    var certificateChain: [[UInt8]] {
        var chain: [[UInt8]] = []
        // A longer chain does not fit in a message.
        while chain.count < 10,
            let text = unsafe chttp_easy_certificate(raw, Int32(chain.count)),
            let certificate = PEM.certificate(in: unsafe String(cString: text))
        {
            chain.append(certificate)
        }
        return chain
    }

    /// The protocol that TLS selected for the connection in use, such as `"h2"`; `nil` if unknown.
    var applicationProtocol: String? {
        unsafe chttp_easy_application_protocol(raw).map { unsafe String(cString: $0) }
    }

    /// `true` if TLS holds bytes of the connection in use that belong to no response.
    var hasUnreadRecords: Bool { unsafe chttp_easy_has_unread_records(raw) != 0 }

    /// The TLS version of the connection in use, such as `"TLSv1.3"`; `nil` if unknown.
    var tlsVersion: String? {
        unsafe chttp_easy_tls_version(raw).map { unsafe String(cString: $0) }
    }

    func setUploadLength(_ length: Int64) { note(unsafe chttp_easy_set_upload_length(raw, length)) }

    func setPostFields(_ bytes: UnsafeRawBufferPointer) {
        note(unsafe chttp_easy_set_post_fields(raw, bytes.baseAddress, Int64(bytes.count)))
    }

    func appendHeader(_ line: String) {
        unsafe line.withCString { unsafe appendHeader($0) }
    }

    /// - Parameter line: A line that ends with NUL.
    func appendHeader(_ line: [UInt8]) {
        unsafe line.withUnsafeBytes { bytes in
            guard let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            else { return }
            unsafe appendHeader(text)
        }
    }

    private func appendHeader(_ text: UnsafePointer<CChar>) {
        if let longer = unsafe chttp_list_append(headers, text) {
            unsafe headers = longer
        } else {
            note(CHTTP_E_OUT_OF_MEMORY)
        }
    }

    func removeHeaders() {
        note(unsafe chttp_easy_set_headers(raw, nil))
        unsafe chttp_list_free(headers.take())
    }

    func applyHeaders() { note(unsafe chttp_easy_set_headers(raw, headers)) }

    /// Sets up the handle for a transfer that looks through the kept connections and then fails,
    /// because it may not open a socket.
    func becomeProbe(lifetime: Duration?) {
        set(CHTTP_OPT_NO_SIGNAL, true)
        set(CHTTP_OPT_PROXY, "")
        set(CHTTP_OPT_MAX_AGE_CONNECTION, Int(Int32.max))
        set(CHTTP_OPT_MAX_LIFETIME_CONNECTION, lifetime?.curlSeconds ?? 0)
        unsafe opener.pointee = chttp_socket_opener()
        unsafe opener.pointee.permits = { _, _ in 0 }
        note(unsafe chttp_easy_set_socket_opener(raw, opener))
        note(unsafe chttp_easy_set_url(raw, "http://127.0.0.1:1/", nil))
    }

    func setShare(_ share: borrowing CurlShare) {
        note(unsafe chttp_easy_set_share(raw, share.raw))
    }

    func setSocketCloser(_ closer: UnsafePointer<chttp_socket_closer>) {
        note(unsafe chttp_easy_set_socket_closer(raw, closer))
    }

    /// Reports new sockets to `transfer`, and asks it for permission if its addresses are
    /// restricted. As with `setCallbacks`, it must stay alive until the handle has left its multi
    /// handle.
    func setSocketOpener(
        _ transfer: Transfer, isRestricted: Bool, userTimeoutMilliseconds: UInt32
    ) {
        unsafe opener.pointee = chttp_socket_opener(
            context: Unmanaged.passUnretained(transfer).toOpaque(),
            permits: isRestricted ? Transfer.permitsCallback : nil,
            opened: Transfer.openedCallback,
            failed: Transfer.notOpenedCallback,
            user_timeout_ms: userTimeoutMilliseconds, keepalive_probes: 3)
        note(unsafe chttp_easy_set_socket_opener(raw, opener))
    }

    /// Sends everything that libcurl reports about this handle to `transfer`, which must stay alive
    /// until the handle has left its multi handle.
    func setCallbacks(_ transfer: Transfer, isUpload: Bool, hasTrailers: Bool) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        note(unsafe chttp_easy_set_private(raw, context))
        note(unsafe chttp_easy_set_write(raw, Transfer.writeCallback, context))
        note(unsafe chttp_easy_set_header(raw, Transfer.headerCallback, context))
        note(unsafe chttp_easy_set_prereq(raw, Transfer.prereqCallback, context))
        if isUpload {
            note(unsafe chttp_easy_set_read(raw, Transfer.readCallback, context))
            note(unsafe chttp_easy_set_seek(raw, Transfer.seekCallback, context))
        }
        if hasTrailers {
            note(unsafe chttp_easy_set_trailers(raw, Transfer.trailerCallback, context))
        }
    }

    /// Reports to `Transfer.remarkCallback` the facts that the library states only in its messages.
    func observeRemarks() {
        note(unsafe chttp_easy_set_remark_observer(raw, Transfer.remarkCallback))
    }

    /// Keeps the bytes that arrive over the connection in use from holding up the loop.
    func limitReading() { unsafe chttp_easy_limit_reading(raw) }

    func pause(receiving: Bool, sending: Bool) -> Int32 {
        unsafe chttp_easy_pause(raw, receiving ? 1 : 0, sending ? 1 : 0)
    }

    func long(_ info: chttp_long_info) -> Int { unsafe chttp_easy_long(raw, info) }
    func offset(_ info: chttp_offset_info) -> Int64 { unsafe chttp_easy_offset(raw, info) }

    /// The bundle that this library was built to trust, or one in a usual place of distributions.
    var defaultCertificateAuthorityFile: String? {
        let own = unsafe chttp_easy_default_ca_file(raw).map { unsafe String(cString: $0) }
        let usual = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
        ]
        return ([own].compactMap(\.self) + usual).first { ReadableFile.check($0) == nil }
    }

    /// Returns the transfer that a finished handle was set up for.
    static func transfer(of raw: OpaquePointer) -> Transfer? {
        unsafe chttp_easy_private(raw).map {
            unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue()
        }
    }

    static func errorText(_ code: Int32) -> String {
        unsafe String(cString: chttp_easy_error_text(code))
    }

    private func note(
        _ code: Int32, setter: StaticString = #function, option: UInt32 = 0
    ) {
        if code != CHTTP_E_OK, refusal == nil { refusal = (code, setter, option) }
    }
}
