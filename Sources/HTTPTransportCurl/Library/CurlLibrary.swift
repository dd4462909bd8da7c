import CHTTPTransportCurl
import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The libcurl that this process has loaded; asked once, at the first use of a transport.
struct CurlLibrary: Sendable {
    /// As in `curl --version`: `"libcurl/7.88.1 OpenSSL/3.0.19 …"` without the first part's name.
    let version: String
    let number: UInt32
    let hasTLS: Bool
    let hasHTTP2: Bool
    let hasHTTP3: Bool
    let hasUnixSockets: Bool
    let hasHTTPSProxies: Bool
    /// The field line that names what this library decodes, in its own order.
    let acceptEncoding: String
    let tls: TLSBackend
    /// It was told to write the secrets of connections to a file.
    let logsKeysByEnvironment: Bool
    /// The trust store to use where the caller names none; `nil` leaves it to the library.
    let certificateAuthorityFile: String?
    /// Where single certificates of authorities may lie under hashed names; see ``SystemAuthorities``.
    let certificateAuthorityDirectory: String?

    static let loaded = Result<CurlLibrary, HTTPError> { () throws(HTTPError) in try CurlLibrary() }

    private init() throws(HTTPError) {
        // Before the library reads it.
        logsKeysByEnvironment = unsafe getenv("SSLKEYLOGFILE") != nil
        let code = chttp_global_init()
        guard code == 0 else {
            throw HTTPError(.internalFailure, "libcurl does not start: error \(code)")
        }
        let info = unsafe chttp_library_info()
        number = unsafe info.version
        version = unsafe String(cString: info.version_text)
        hasTLS = unsafe info.has_tls != 0
        hasHTTP2 = unsafe info.has_http2 != 0
        hasHTTP3 = unsafe info.has_http3 != 0
        hasUnixSockets = unsafe info.has_unix_sockets != 0
        hasHTTPSProxies = unsafe info.has_https_proxy != 0
        let codings = [
            (unsafe info.has_zlib, "deflate, gzip"), (unsafe info.has_brotli, "br"),
            (unsafe info.has_zstd, "zstd"),
        ].filter { $0.0 != 0 }.map(\.1)
        acceptEncoding =
            "Accept-Encoding: " + (codings.isEmpty ? "identity" : codings.joined(separator: ", "))
        tls = TLSBackend(
            unsafe info.tls_text.map { unsafe String(cString: $0) } ?? "",
            canLogKeys: chttp_tls_can_log_keys() != 0)
        let handle = try CurlEasyHandle()
        certificateAuthorityFile = handle.defaultCertificateAuthorityFile
        certificateAuthorityDirectory = handle.defaultCertificateAuthorityDirectory
    }

    /// Uploads over HTTP/2 stall or spin before this version (curl #11426).
    var uploadsOverHTTP2: Bool { number >= 0x08_02_01 }
    /// Before this version a GOAWAY that leaves a request unprocessed ends it with the code of other
    /// failures, or with none. 7.88 to 8.0 tell in their messages, and those before nowhere.
    var tellsRefusals: Bool { number >= 0x08_01_00 }
    /// 7.88 reads on within one call for as long as frames come that carry nothing; versions up to
    /// this one were not tried.
    var limitsReading: Bool { number >= 0x08_0E_01 }
    /// Before this version a handle that is used again keeps a pointer to a field of its last response,
    /// which is freed; a response that begins with a folded line makes it look there (curl #11103).
    var forgetsLastResponse: Bool { number >= 0x08_01_00 }
    /// Before this version a paused transfer is read once more, unless sending is paused as well, and
    /// what is decoded while it is paused goes into a buffer of the library.
    var readsWhilePaused: Bool { number < 0x08_07_00 }
    /// Before this version what is read with a head without content is dropped, and the connection kept.
    var hidesSurplusOfHeads: Bool { number < 0x08_07_00 }
    /// `curl_easy_reset` forgets pause bits and rewind flags only from here on.
    var resetsCompletely: Bool { number >= 0x08_13_00 }
}
