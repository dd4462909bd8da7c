import CHTTPTransportCurl
import HTTPCore

/// The libcurl that this process has loaded; asked once, at the first use of a transport.
struct CurlLibrary: Sendable {
    /// As in `curl --version`: `"libcurl/7.88.1 OpenSSL/3.0.19 …"` without the first part's name.
    let version: String
    let number: UInt32
    let hasTLS: Bool
    let hasHTTP2: Bool
    let hasUnixSockets: Bool
    /// The trust store to use where the caller names none; `nil` leaves it to the library.
    let certificateAuthorityFile: String?

    static let loaded = Result<CurlLibrary, HTTPError> { () throws(HTTPError) in try CurlLibrary() }

    private init() throws(HTTPError) {
        let code = chttp_global_init()
        guard code == 0 else {
            throw HTTPError(.internalFailure, "libcurl does not start: error \(code)")
        }
        let info = unsafe chttp_library_info()
        number = unsafe info.version
        version = unsafe String(cString: info.version_text)
        hasTLS = unsafe info.has_tls != 0
        hasHTTP2 = unsafe info.has_http2 != 0
        hasUnixSockets = unsafe info.has_unix_sockets != 0
        certificateAuthorityFile = try CurlEasyHandle().defaultCertificateAuthorityFile
    }

    /// Uploads over HTTP/2 stall or spin before this version (curl #11426).
    var uploadsOverHTTP2: Bool { number >= 0x08_02_01 }
    /// `curl_easy_reset` forgets pause bits and rewind flags only from here on.
    var resetsCompletely: Bool { number >= 0x08_13_00 }
}
