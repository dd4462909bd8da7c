public import HTTPCore
import PortableFoundation

/// A server that requests go through, such as `http://proxy.example:3128`.
///
/// `https` origins are reached through a tunnel (CONNECT), so an HTTP proxy sees their host and
/// nothing else. Credentials go only to the proxy: HTTP proxies get them with
/// `Proxy-Authorization: Basic`, SOCKS5 proxies as user name and password (RFC 1929), and SOCKS4
/// proxies get only the user name.
public struct ProxyServer: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        case http
        /// HTTP over TLS. See ``ProxyServer/tls``.
        case https
        /// Accepts IPv4 addresses. Names are resolved on this machine.
        case socks4
        /// Resolves names itself.
        case socks4a
        /// Accepts addresses. Names are resolved on this machine.
        case socks5
        /// Resolves names itself.
        case socks5h

        var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            case .socks4, .socks4a, .socks5, .socks5h: 1080
            }
        }

        var isSOCKS: Bool { self != .http && self != .https }
    }

    /// The user and password for a proxy. No description shows the password.
    public struct Credentials: Hashable, Sendable {
        package let user: String
        package let password: String

        /// Creates credentials for a proxy.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// The origin of a proxy that speaks HTTP; `nil` for SOCKS.
    var origin: HTTPOrigin? {
        switch scheme {
        case .http: try? HTTPOrigin(scheme: .http, host: host, port: port)
        case .https: try? HTTPOrigin(scheme: .https, host: host, port: port)
        case .socks4, .socks4a, .socks5, .socks5h: nil
        }
    }

    package let scheme: Scheme
    /// The host in lower case. An IPv6 address is in brackets.
    package let host: String
    package let port: Int
    /// The credentials for the proxy. They are refused before anything is sent if they contain
    /// control characters, if the user name for an HTTP proxy contains a colon (RFC 7617 §2), or if
    /// either is longer than 255 bytes for a SOCKS proxy (RFC 1929 §2).
    public var credentials: Credentials?
    /// The TLS settings for a proxy that is itself reached over TLS (`https://`).
    ///
    /// `nil` means the trust, the versions and the key log of ``CurlConfiguration/tls``, with full
    /// verification. Settings for servers do not apply to a proxy: neither those of a request, nor
    /// ``TLSSettings/CertificateVerification/unsafeNone``, pins or an identity of the transport.
    public var tls: TLSSettings?

    /// - Parameter text: A URL without a path, with user name and password percent-encoded. Without
    ///   a scheme, it is an HTTP proxy. The default port is 80, 443, or 1080 for SOCKS.
    /// - Throws: `invalidRequest` with a reason that never contains the credentials.
    public init(_ text: String) throws(HTTPError) {
        var scheme = Scheme.http
        var rest = text[...]
        if let mark = text.range(ofFirst: "://") {
            guard let known = Scheme(rawValue: text[..<mark.lowerBound].lowercased()) else {
                throw Self.refusal(
                    "its scheme is not one of "
                        + Scheme.allCases.map(\.rawValue).joined(separator: ", "))
            }
            scheme = known
            rest = text[mark.upperBound...]
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        // Searches the bytes, because a delimiter with a combining mark behind it is another
        // `Character`.
        if let mark = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let parts = rest[..<mark].utf8.split(
                separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let user = Self.decoded(parts[0]),
                let password = Self.decoded(parts.count == 2 ? parts[1] : "".utf8[...])
            else { throw Self.refusal("its user name or password is not percent-encoded text") }
            credentials = Credentials(user: user, password: password)
            rest = rest[rest.utf8.index(after: mark)...]
        }
        // Host and port are parsed as those of an origin. The scheme only decides the default port.
        let hasPort = rest.last != "]" && rest.contains(":")
        guard let url = try? URL(strictly: "http://\(rest)"), url.path.isEmpty,
            url.query == nil, url.fragment == nil, rest.last != ":",
            let origin = try? HTTPOrigin(url)
        else { throw Self.refusal("it is not host:port, optionally after scheme://user:password@") }
        self.scheme = scheme
        host = origin.host
        port = hasPort ? origin.port : scheme.defaultPort
        try check()
    }

    /// - Throws: `invalidRequest` if the ``credentials`` cannot be sent.
    func check() throws(HTTPError) {
        guard let credentials else { return }
        let texts = [credentials.user, credentials.password]
        guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw Self.refusal("its user name or password holds a control character")
        }
        // RFC 1929 §2; Basic cannot carry a colon in the user name (RFC 7617 §2).
        if scheme.isSOCKS, texts.contains(where: { $0.utf8.count > 255 }) {
            throw Self.refusal("its user name or password is longer than 255 bytes")
        }
        if !scheme.isSOCKS, credentials.user.utf8.contains(UInt8(ascii: ":")) {
            throw Self.refusal("its user name holds a colon")
        }
    }

    private static func decoded(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigitValue,
                let low = rest.popFirst()?.hexDigitValue
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func refusal(_ reason: String) -> HTTPError {
        HTTPError(.invalidRequest, "the proxy cannot be used: \(reason)", phase: .preparing)
    }
}

extension ProxyServer: CustomStringConvertible, CustomReflectable {
    /// The scheme, host and port, without the credentials.
    public var description: String { "\(scheme.rawValue)://\(host.escapingControls()):\(port)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ProxyServer.Credentials: CustomStringConvertible, CustomReflectable {
    public var description: String { "<credentials>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension String {
    fileprivate func range(ofFirst text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
