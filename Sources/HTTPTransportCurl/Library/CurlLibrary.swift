import CHTTPTransportCurl
import HTTPCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The libcurl that this process has loaded. It is queried once, at the first use of a transport.
final class CurlLibrary: Sendable {
    /// The version of the library, such as `"7.88.1"`.
    let version: String
    let number: UInt32
    let hasTLS: Bool
    let hasHTTP2: Bool
    let hasHTTP3: Bool
    let hasUnixSockets: Bool
    let hasHTTPSProxies: Bool
    /// The field line that names the codings that this library decodes, in its own order.
    let acceptEncoding: String
    let tls: TLSBackend
    /// `true` if connections can be told what to trust without the library's own options.
    let ownsTrust: Bool
    /// `true` if the environment tells the library to write the secrets of connections to a file.
    let logsKeysByEnvironment: Bool
    /// The trust store to use if the caller names none; `nil` leaves it to the library.
    let certificateAuthorityFile: String?
    /// `true` if the library takes these places of authorities if none is named.
    private let hasDefaultFile: Bool
    private let hasDefaultDirectory: Bool

    static let loaded = Result<CurlLibrary, HTTPError> { () throws(HTTPError) in try CurlLibrary() }

    private init() throws(HTTPError) {
        // This comes before the library reads the variable.
        logsKeysByEnvironment = unsafe getenv("SSLKEYLOGFILE") != nil
        let code = chttp_global_init()
        guard code == CHTTP_E_OK else {
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
        ownsTrust = tls.family == .openSSL && chttp_tls_can_own_trust() != 0
        let handle = try CurlEasyHandle()
        certificateAuthorityFile = handle.defaultCertificateAuthorityFile
        hasDefaultFile = unsafe chttp_easy_default_ca_file(handle.raw) != nil
        hasDefaultDirectory = unsafe chttp_easy_default_ca_directory(handle.raw) != nil
    }

    /// `true` from 8.2.1. Before that version, uploads over HTTP/2 stall or spin (curl #11426).
    var uploadsOverHTTP2: Bool { number >= 0x08_02_01 }
    /// `true` from 8.1. Before that version, a GOAWAY that leaves a request unprocessed ends it
    /// with the code of other failures, or with none. 7.88 to 8.0 report it in their messages, and
    /// earlier versions nowhere.
    var tellsRefusals: Bool { number >= 0x08_01_00 }
    /// `true` from 8.14.1. 7.88 reads on within one call for as long as frames without content
    /// arrive. The versions between the two were not tested.
    var limitsReading: Bool { number >= 0x08_0E_01 }
    /// `true` from 8.1. Before that version, a handle that is used again keeps a pointer to a field
    /// of its last response, which is freed. A response that begins with a folded line makes it
    /// read there (curl #11103).
    var forgetsLastResponse: Bool { number >= 0x08_01_00 }
    /// `true` from 8.14.1, where a handle that is used again starts without the system's error of
    /// its last transfer. The versions between it and 8.7 were not examined.
    var forgetsSystemError: Bool { number >= 0x08_0E_01 }
    /// `true` from 8.2. Before that version, a socket that has not connected is closed without a
    /// call of the close callback.
    var reportsEveryClose: Bool { number >= 0x08_02_00 }
    /// `true` before 8.7. These versions read once more for a paused transfer, unless sending is
    /// paused as well. What they decode meanwhile goes into a buffer of the library.
    var readsWhilePaused: Bool { number < 0x08_07_00 }
    /// `true` before 8.7. These versions drop what they read together with a head without content,
    /// and keep the connection.
    var hidesSurplusOfHeads: Bool { number < 0x08_07_00 }
    /// `true` if the library trusts a file of its own where none is set, even if it was told that
    /// there is none; `true` from 8.17.
    var restoresFile: Bool { number >= 0x08_11_00 && hasDefaultFile }
    /// The same for a directory.
    var restoresDirectory: Bool { number >= 0x08_11_00 && hasDefaultDirectory }
    /// `true` from 8.19. Before that version, `curl_easy_reset` keeps pause bits and rewind flags.
    var resetsCompletely: Bool { number >= 0x08_13_00 }
}
