import CHTTPTransportCurl
import HTTPCore
import Synchronization

/// The only owner of one libcurl easy handle. It is made, used and freed on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
@safe final class CurlEasyHandle {
    @exclusivity(unchecked) private(set) var raw: OpaquePointer
    @safe @exclusivity(unchecked) private var headers: HeaderList?
    /// `true` if the options are those that ``warm(_:)`` declared. Any other option that is set
    /// ends that, and the handle is reset before its next transfer.
    @safe @exclusivity(unchecked) private(set) var isWarm = false
    @safe @exclusivity(unchecked) private var settings: Settings?
    @safe @exclusivity(unchecked) private var observesRemarks = false
    @exclusivity(unchecked) private var target: OpaquePointer?
    @exclusivity(unchecked) private var addresses: OpaquePointer?
    /// The receiver of what libcurl reports about this handle, while a transfer uses it.
    @safe @exclusivity(unchecked) var events: (any CurlEasyEvents)?
    /// The socket opener, at a fixed address for as long as the handle lives.
    let opener: UnsafeMutablePointer<chttp_socket_opener>
    /// The lines of the response's head, at a fixed address for as long as the handle lives.
    let head: UnsafeMutablePointer<chttp_head>
    /// The setups of the handle's TLS connections, at a fixed address for as long as the handle
    /// lives.
    private let setups: UnsafeMutablePointer<chttp_tls_setups>
    /// The text of libcurl's last failure, at a fixed address for as long as the handle lives.
    private let text: UnsafeMutablePointer<CChar>
    /// The number of the TLS connection that carries the request, or 0. See ``alert``.
    @safe @exclusivity(unchecked) private var tlsConnection: UInt64 = 0
    /// `true` if the request is carried by TLS.
    @safe @exclusivity(unchecked) private var usesTLS = false
    /// `true` if connections begin with a TLS handshake with a proxy.
    @safe @exclusivity(unchecked) private(set) var hasTLSProxy = false
    /// A proxy's response to CONNECT on the last connection that was made; `nil` if the handle
    /// needs no tunnel.
    @safe @exclusivity(unchecked) private var tunnel: Tunnel?
    /// The first option that was refused since the last reset.
    @safe @exclusivity(unchecked) private var refusal:
        (code: Int32, setter: StaticString, option: UInt32)?

    /// The number of handles in the process, for tests that check that it returns to its former
    /// value.
    static let liveCount = Atomic<Int>(0)

    init() throws(HTTPError) {
        guard let raw = unsafe chttp_easy_make() else {
            throw HTTPError(.internalFailure, "libcurl has no memory for a handle")
        }
        guard let head = unsafe chttp_head_make(Self.headCapacity) else {
            unsafe chttp_easy_free(raw)
            throw HTTPError(.internalFailure, "no memory for a response's head")
        }
        unsafe self.raw = raw
        unsafe self.head = head
        unsafe opener = .allocate(capacity: 1)
        unsafe opener.initialize(to: chttp_socket_opener())
        unsafe setups = .allocate(capacity: 1)
        unsafe text = .allocate(capacity: Int(CHTTP_ERROR_SIZE))
        unsafe text.initialize(repeating: 0, count: Int(CHTTP_ERROR_SIZE))
        unsafe setups.initialize(
            to: chttp_tls_setups(
                context: nil, handshake: Self.handshakeCallback, server: nil, proxy: nil))
        _ = unsafe chttp_easy_set_error_buffer(raw, text)
        Self.liveCount.add(1, ordering: .relaxed)
    }

    deinit {
        unsafe chttp_easy_free(raw)
        unsafe chttp_list_free(target)
        unsafe chttp_list_free(addresses)
        unsafe chttp_head_free(head)
        unsafe opener.deallocate()
        unsafe setups.deallocate()
        unsafe text.deallocate()
        Self.liveCount.subtract(1, ordering: .relaxed)
    }

    /// Resets the options to those of a new handle. Connections and caches live in the multi
    /// handle.
    func reset() {
        unsafe chttp_easy_reset(raw)
        _ = unsafe chttp_easy_set_error_buffer(raw, text)
        freeLists()
    }

    /// Replaces libcurl's handle by a new one. Returns `false` if there is no memory for it.
    func renew() -> Bool {
        guard let new = unsafe chttp_easy_make() else { return false }
        unsafe chttp_easy_free(raw)
        unsafe raw = new
        _ = unsafe chttp_easy_set_error_buffer(raw, text)
        freeLists()
        return true
    }

    private func freeLists() {
        // A transfer that ended before it had connected has left the list for the next one.
        if unsafe addresses != nil { _ = unsafe chttp_easy_set_resolve(raw, nil) }
        headers = nil
        unsafe chttp_list_free(target.take())
        unsafe chttp_list_free(addresses.take())
        refusal = nil
        isWarm = false
        settings = nil
        observesRemarks = false
        usesTLS = false
        hasTLSProxy = false
        tunnel = nil
        unsafe setups.pointee.server = nil
        unsafe setups.pointee.proxy = nil
    }

    /// - Parameter text: `host:port:other-host:other-port`.
    func setConnectTo(_ text: String) {
        unsafe target = unsafe text.withCString { unsafe chttp_list_append(nil, $0) }
        note(unsafe chttp_easy_set_connect_to(raw, target))
    }

    /// Has libcurl take addresses into the cache of the pool at its next start.
    ///
    /// - Parameter entries: Each is `host:port:address,address`.
    func setResolved(_ entries: [String]) {
        if unsafe addresses != nil {
            _ = unsafe chttp_easy_set_resolve(raw, nil)
            unsafe chttp_list_free(addresses.take())
        }
        for entry in entries {
            guard
                let longer = unsafe entry.withCString({ unsafe chttp_list_append(addresses, $0) })
            else { return note(CHTTP_E_OUT_OF_MEMORY) }
            unsafe addresses = longer
        }
        note(unsafe chttp_easy_set_resolve(raw, addresses))
    }

    /// Declares that the handle has these settings, so that it may be kept for another transfer.
    func warm(_ settings: Settings) {
        self.settings = settings
        isWarm = true
    }

    /// Returns `true` if the handle is set up for this purpose.
    func isWarm(for purpose: Settings.Purpose) -> Bool {
        isWarm && settings?.purpose == purpose
    }

    /// Sets what differs from the settings of a warm handle, which have the same purpose.
    func change(to new: Settings) {
        if settings?.target != new.target { set(CHTTP_OPT_REQUEST_TARGET, new.target) }
        if settings?.maximumAge != new.maximumAge {
            set(CHTTP_OPT_MAX_AGE_CONNECTION, new.maximumAge)
        }
        if settings?.connectLimit != new.connectLimit {
            set(CHTTP_OPT_CONNECT_TIMEOUT_MS, new.connectLimit)
        }
        if settings?.headers !== new.headers { set(new.headers) }
        warm(new)
    }

    /// Replaces the bytes that are sent with the head, which are not part of the settings.
    func changePostFields(_ bytes: UnsafeRawBufferPointer) {
        let isWarm = isWarm
        unsafe setPostFields(bytes)
        self.isWarm = isWarm
    }

    /// Prepares the handle to be kept as it is. Returns `false` if it must be reset instead.
    func cool(_ library: CurlLibrary) -> Bool {
        guard isWarm, refusal == nil else { return false }
        // Older libraries would report the error with the next failure.
        if library.has(.staleSystemError), long(CHTTP_INFO_OS_ERRNO) != 0 { return false }
        if observesRemarks {
            guard unsafe chttp_easy_set_remark_observer(raw, nil) == CHTTP_E_OK else {
                return false
            }
            observesRemarks = false
        }
        // The bytes may be secret, and are not needed any more.
        if settings?.purpose?.hasFields == true,
            unsafe chttp_easy_set_post_fields(raw, nil, 0) != CHTTP_E_OK
        {
            return false
        }
        return true
    }

    /// Checks the options before the handle is given to libcurl, and forgets its last failure,
    /// which libcurl would not replace by none.
    ///
    /// - Throws: `internalFailure` if an option was refused. No input of a caller may cause that.
    func checkOptions() throws(HTTPError) {
        unsafe text.pointee = 0
        tlsConnection = 0
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
        isWarm = false
        _ = unsafe chttp_easy_set_long(raw, option, value)
    }

    func setHTTPVersion(_ version: chttp_http_version) {
        note(unsafe chttp_easy_set_http_version(raw, version))
    }

    /// The time for which libcurl keeps addresses, in seconds. It asks the system when they are
    /// gone, so this is longer than any exchange waits for a connection that is being made.
    static let addressLifetime = 3600

    /// - Parameter maximum: 0 for none.
    func setTLSVersions(_ minimum: Int, _ maximum: Int, for peer: TLSPeer) {
        let (minimum, maximum) = (Int32(minimum), Int32(maximum))
        switch peer {
        case .server: note(unsafe chttp_easy_set_tls_versions(raw, minimum, maximum))
        case .proxy: note(unsafe chttp_easy_set_proxy_tls_versions(raw, minimum, maximum))
        }
    }

    func set(_ option: chttp_blob_option, _ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return note(CHTTP_E_BAD_FUNCTION_ARGUMENT) }
            note(unsafe chttp_easy_set_blob(raw, option, base, bytes.count))
        }
    }

    /// - Parameter setup: A setup that must outlive the transfer.
    func prepareTLS(_ setup: UnsafePointer<chttp_tls_setup>, for peer: TLSPeer) {
        unsafe setups.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        switch peer {
        case .server: unsafe setups.pointee.server = unsafe setup
        case .proxy: unsafe setups.pointee.proxy = unsafe setup
        }
        note(unsafe chttp_easy_prepare_tls(raw, setups))
    }

    /// Declares that the request, or the tunnel for it, is carried by TLS.
    func expectTLS(with peer: TLSPeer) {
        usesTLS = true
        if peer == .proxy { hasTLSProxy = true }
    }

    /// Declares that connections need a tunnel through a proxy.
    func expectTunnel() { tunnel = Tunnel() }

    /// The other side of the TLS handshake that comes next, or that has failed.
    var tlsPeer: TLSPeer {
        guard hasTLSProxy else { return .server }
        // The status may be that of an earlier connection, on which the tunnel was ready.
        let isThrough = tunnel?.hasBegun == true && long(CHTTP_INFO_CONNECT_CODE) / 100 == 2
        return isThrough ? .server : .proxy
    }

    /// A socket was made. The response of a proxy comes before the server's.
    func willConnect(_ descriptor: Int32) {
        guard tunnel != nil else { return }
        tunnel = Tunnel()
        unsafe head.pointee.tunnel = descriptor
        if !hasTLSProxy { chttp_expect_tunnel(descriptor) }
    }

    /// The request is about to be written. The next lines are the server's.
    func willWrite() {
        let descriptor = unsafe head.pointee.tunnel
        if descriptor >= 0 {
            chttp_forget_tunnel(descriptor)
            unsafe head.pointee.tunnel = -1
        }
        if usesTLS { tlsConnection = unsafe chttp_easy_observe_tls(raw) }
    }

    func received(tunnelLine line: Span<UInt8>) {
        guard tunnel?.receive(line) == true else { return }
        events?.noticed(CHTTP_REMARK_INTERIM)
    }

    /// The final head of a proxy that has refused a tunnel.
    var tunnelRefusal: Tunnel.Refusal? { tunnel?.refusal }

    /// The alert with which the other side has ended the TLS connection of the request.
    var alert: TLSAlert? {
        guard tlsConnection != 0, let number = UInt8(exactly: chttp_tls_alert(tlsConnection)) else {
            return nil
        }
        return TLSAlert(number)
    }

    /// The `X509_V_ERR_…` of a certificate that was refused in a handshake through another TLS
    /// connection; `nil` if libcurl has the reason. See ``chttp_tls_take_verification()``.
    var lostVerification: Int? {
        guard hasTLSProxy else { return nil }
        let result = Int(chttp_tls_take_verification())
        return result == 0 ? nil : result
    }

    /// The reason of the TLS library's last failure on this thread.
    static var lastTLSReason: String? {
        unsafe chttp_tls_last_reason().map { unsafe String(cString: $0) }
    }

    /// libcurl's text about its failure, which may hold anything; `""` for none.
    var failureText: String { unsafe String(cString: text) }

    func setUploadLength(_ length: Int64) { note(unsafe chttp_easy_set_upload_length(raw, length)) }

    func setPostFields(_ bytes: UnsafeRawBufferPointer) {
        note(unsafe chttp_easy_set_post_fields(raw, bytes.baseAddress, Int64(bytes.count)))
    }

    /// Sets the header lines. The handle keeps the list until others are set.
    func set(_ list: HeaderList) {
        note(unsafe chttp_easy_set_headers(raw, list.raw))
        headers = list
    }

    /// Sets up the handle for a transfer that looks through the kept connections and then fails,
    /// because it may not open a socket.
    ///
    /// - Parameter idle: The seconds after which an idle connection is closed.
    func becomeProbe(idle: Int, lifetime: Duration?) {
        set(CHTTP_OPT_NO_SIGNAL, true)
        set(CHTTP_OPT_PROXY, "")
        set(CHTTP_OPT_MAX_AGE_CONNECTION, idle)
        set(CHTTP_OPT_MAX_LIFETIME_CONNECTION, lifetime?.curlSeconds ?? 0)
        // Its end removes addresses from the cache of its pool that are older than this.
        set(CHTTP_OPT_DNS_CACHE_TIMEOUT, Self.addressLifetime)
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

    /// The number of unanswered probes after which a connection counts as lost.
    static let keepAliveProbes: Int32 = 3

    /// The size up to which a head is kept until it is complete, in bytes. Most are much smaller.
    private static let headCapacity = 8 << 10

    /// Keeps the lines of the next head until it is complete.
    func keepHead() {
        unsafe head.pointee.count = 0
        unsafe head.pointee.gathers = 1
        unsafe head.pointee.tunnel = -1
    }

    /// `true` if part of a head has come and is kept.
    var holdsHead: Bool { unsafe head.pointee.gathers != 0 && head.pointee.count > 0 }

    /// Reports the lines that were kept one by one, and keeps no more. Returns `false` if the
    /// transfer is to end.
    func releaseHead() -> Bool { unsafe chttp_head_release(head) != 0 }

    /// Reports to ``events`` when the library drops bytes that no request asked for.
    func observeRemarks() {
        let isWarm = isWarm
        observesRemarks = true
        note(unsafe chttp_easy_set_remark_observer(raw, Self.remarkCallback))
        // `cool` takes it back.
        self.isWarm = isWarm
    }

    func pause(receiving: Bool, sending: Bool) -> Int32 {
        unsafe chttp_easy_pause(raw, receiving ? 1 : 0, sending ? 1 : 0)
    }

    /// Records the result of setting an option. The handle is not warm any more.
    func note(_ code: Int32, setter: StaticString = #function, option: UInt32 = 0) {
        isWarm = false
        if code != CHTTP_E_OK, refusal == nil { refusal = (code, setter, option) }
    }
}

extension CurlEasyHandle {
    /// The settings of an easy handle that may differ between the transfers of one lane.
    ///
    /// A handle keeps them after a transfer, so that the next transfer of the lane sets only what
    /// differs. What a transfer sets beyond them makes the handle cold: it is reset before it is
    /// used again.
    struct Settings {
        /// The use for which a handle is kept. A handle is reset before another use: libcurl
        /// derives several settings from a method.
        struct Purpose: Equatable {
            var method: HTTPMethod
            /// `true` if bytes are sent with the head.
            var hasFields: Bool
            /// `true` if addresses are examined before a connection is made.
            var isRestricted: Bool
            /// `true` if the TLS library asks for the machine's authorities, and does not read all.
            var asksForAuthorities: Bool
            /// The series of connections. See ``Lane/series``.
            var series: Int
            /// `true` if look-ups and TLS handshakes are reported.
            var observesSteps = false
        }

        /// The maximum length of what is kept of a request, in bytes. A handle that has more is
        /// reset.
        static let lengthLimit = 8 << 10

        /// `nil` if more is set than these settings say.
        var purpose: Purpose?
        /// The request target that is sent.
        var target: String
        /// The idle time after which a connection is not used again, in seconds.
        var maximumAge: Int
        /// The time limit of a connection, in milliseconds.
        var connectLimit: Int
        var headers: HeaderList
    }
}
