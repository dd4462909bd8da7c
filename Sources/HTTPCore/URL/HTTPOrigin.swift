/// The scheme, host and port of a URL (RFC 9110 §4.3.1). Redirects, cookies, credentials, pins and
/// connections compare origins, never strings.
///
/// Only this type reads these parts. Two URLs that mean the same server have equal origins. A host
/// that cannot be compared safely is refused: one that is percent-encoded, that contains characters
/// not allowed in a URL, or that is an IP address in a spelling that some parsers read differently
/// (`0x7f.1`, `127.1`).
public struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The schemes of HTTP.
    public enum Scheme: String, Hashable, Sendable {
        /// HTTP over TCP without protection.
        case http
        /// HTTP over TLS or QUIC.
        case https
        package var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host in lower case. An IPv6 address is in brackets and in the form of RFC 5952.
    public let host: String
    /// The port, 1…65535: the scheme's default if the URL does not name one.
    public let port: Int

    /// An origin that no URL has.
    static let opaque = HTTPOrigin()

    private init() { (scheme, host, port) = (.https, "", 0) }

    /// The origin as in an `Origin` field (RFC 6454 §6.2): `https://example.com`, with the port
    /// only if it is not the default.
    public var description: String { text(before: "") }

    /// Returns ``description`` followed by `rest`, with a single allocation.
    func text(before rest: String) -> String {
        let prefix = scheme == .https ? "https://" : "http://"
        var text = ""
        text.reserveCapacity(prefix.utf8.count + host.utf8.count + 6 + rest.utf8.count)
        text += prefix
        text += host
        if port != scheme.defaultPort {
            text += ":"
            text += String(port)
        }
        text += rest
        return text
    }
}
