import CHTTPTransportCurl
import HTTPCodings
import HTTPCore
import PortableLibc

/// The libcurl that this process has loaded, and what it can do.
///
/// A program uses the libcurl of its machine: what a distribution has decides which versions of
/// HTTP it speaks. The library is asked once.
///
/// ```swift
/// print(try CurlTransport.library)
/// // libcurl 8.21.0, OpenSSL/3.5.9, HTTP/2 (nghttp2/1.64.0), HTTP/3 (ngtcp2/1.22.1
/// // nghttp3/1.15.0), deflate, gzip, br, zstd, Unix sockets, HTTPS proxies
/// ```
public final class CurlLibrary: Sendable {
    /// The version, such as `"7.88.1"`.
    public let version: String
    /// The TLS library, such as `"OpenSSL/3.0.19"`; `nil` if there is none, and thus no `https`.
    public let tlsLibrary: String?
    /// The library that speaks HTTP/2, such as `"nghttp2/1.52.0"`; `nil` if there is none.
    public let http2Library: String?
    /// The libraries that speak HTTP/3, such as `"ngtcp2/1.22.1 nghttp3/1.15.0"`; `nil` if there
    /// are none. ``speaksHTTP3`` is `true` only if the transport uses them.
    public let http3Library: String?
    /// `true` if requests may go over HTTP/3.
    ///
    /// The transport uses HTTP/3 only through ngtcp2. In libcurl before 8.19, OpenSSL may take its
    /// place; trailers then arrive as part of the body, and dead connections take a minute to fail.
    public let speaksHTTP3: Bool
    /// The content codings that are decoded (RFC 9110 §8.4.1), in the order of `Accept-Encoding`:
    /// those whose libraries libcurl has brought into the process, or that could be loaded. libcurl
    /// itself decodes nothing.
    public let contentCodings: [String]
    /// `true` if requests may go to a Unix socket.
    public let reachesUnixSockets: Bool
    /// `true` if requests may go through a proxy that is itself reached over TLS.
    public let reachesHTTPSProxies: Bool

    let number: UInt32
    let hasTLS: Bool
    let hasHTTP2: Bool
    /// The field line that names the codings.
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
    private let defects: UInt32

    static let loaded = Result<CurlLibrary, HTTPError> { () throws(HTTPError) in try CurlLibrary() }

    private init() throws(HTTPError) {
        // This comes before the library reads the variable.
        logsKeysByEnvironment = unsafe getenv("SSLKEYLOGFILE") != nil
        // Before the library makes its first connection.
        unsafe chttp_observe_streams(CurlEasyHandle.streamObserver)
        unsafe chttp_limit_streams(UInt32(StreamWindow.narrow), CurlEasyHandle.streamWindow)
        let code = chttp_global_init()
        guard code == CHTTP_E_OK else {
            throw HTTPError(.internalFailure, "libcurl does not start: error \(code)")
        }
        let info = unsafe chttp_library_info()
        number = unsafe info.version
        defects = LibraryDefect.bits(of: number)
        version = unsafe String(cString: info.version_text)
        hasTLS = unsafe info.has_tls != 0
        hasHTTP2 = unsafe info.has_http2 != 0
        http2Library =
            unsafe info.http2_text.map { unsafe "nghttp2/" + String(cString: $0) }
            ?? (hasHTTP2 ? "unknown" : nil)
        http3Library =
            unsafe info.has_http3 != 0
            ? unsafe info.http3_text.map { unsafe String(cString: $0) } ?? "unknown" : nil
        reachesUnixSockets = unsafe info.has_unix_sockets != 0
        reachesHTTPSProxies = unsafe info.has_https_proxy != 0
        contentCodings = HTTPContentCoding.decodable.map(\.rawValue)
        acceptEncoding =
            "Accept-Encoding: "
            + (contentCodings.isEmpty ? "identity" : contentCodings.joined(separator: ", "))
        let tlsText = unsafe info.tls_text.map { unsafe String(cString: $0) }
        tlsLibrary = hasTLS ? tlsText ?? "unknown" : nil
        tls = TLSBackend(tlsText ?? "", canLogKeys: chttp_tls_can_log_keys() != 0)
        ownsTrust = tls.family == .openSSL && chttp_tls_can_own_trust() != 0
        let handle = try CurlEasyHandle()
        speaksHTTP3 = http3Library?.hasPrefix("ngtcp2") == true && handle.takesHTTP3
        certificateAuthorityFile = handle.defaultCertificateAuthorityFile
        hasDefaultFile = unsafe chttp_easy_default_ca_file(handle.raw) != nil
        hasDefaultDirectory = unsafe chttp_easy_default_ca_directory(handle.raw) != nil
    }

    /// `true` if handles of the library serve one transfer after the other, which saves time. It is
    /// `false` before 8.1.
    public var reusesHandles: Bool { !has(.danglingHeader) }
    /// `true` if requests with a body go over HTTP/2. It is `false` before 8.3.0, where responses
    /// that come before the body was read are lost and long bodies may stall (curl #11426). Such
    /// requests then go over HTTP/1.1, unless they ask for HTTP/2.
    public var uploadsOverHTTP2: Bool {
        hasHTTP2 && !has(.stalledHTTP2Uploads) && !has(.lostEarlyResponses)
    }

    /// `true` once a connection over HTTP/2 was set up whose streams are seen. See ``StreamEnd``.
    static var seesStreams: Bool { chttp_sees_streams() != 0 }

    func has(_ defect: LibraryDefect) -> Bool { defects & 1 << defect.rawValue != 0 }

    /// `true` if the library trusts a file of its own where none is set.
    var restoresFile: Bool { has(.restoredAuthorities) && hasDefaultFile }
    /// The same for a directory.
    var restoresDirectory: Bool { has(.restoredAuthorities) && hasDefaultDirectory }
}

extension CurlLibrary: CustomStringConvertible {
    /// One line with the version and what the library can do.
    public var description: String {
        let parts: [String?] =
            [
                "libcurl \(version)", tlsLibrary ?? "no TLS",
                http2Library.map { "HTTP/2 (\($0))" },
                http3Library.map { "HTTP/3 (\($0)\(speaksHTTP3 ? "" : ", not used"))" },
            ] + contentCodings
            + [
                reachesUnixSockets ? "Unix sockets" : nil,
                reachesHTTPSProxies ? "HTTPS proxies" : nil,
            ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

// MARK: - Refusals

extension CurlLibrary {
    /// Returns the error of a request that the library cannot send. It names what is missing.
    func refusal(lacking feature: String) -> HTTPError {
        HTTPError(
            .unsupportedOption, "libcurl \(version) was built without \(feature)",
            phase: .preparing)
    }

    /// Returns the reason why no request can go over HTTP/3, or `nil` if requests can.
    var reasonAgainstHTTP3: String? {
        guard !speaksHTTP3 else { return nil }
        guard let http3Library else { return "libcurl \(version) was built without HTTP/3" }
        guard !http3Library.hasPrefix("ngtcp2") else {
            return "libcurl \(version) cannot be restricted to HTTP/3: use 7.88 or later"
        }
        return "HTTP/3 needs a libcurl that was built with ngtcp2, but libcurl \(version) was "
            + "built with \(http3Library.logSafe)"
    }
}
