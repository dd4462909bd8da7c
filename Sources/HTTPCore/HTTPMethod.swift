/// What a request asks of its target (RFC 9110 §9).
///
/// An open set: any token is a method, and case matters (`get` is not `GET`). What is no token is
/// refused when the request is sent.
public struct HTTPMethod: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: StaticString) { self.rawValue = "\(value)" }

    public var description: String { rawValue }

    public static var get: Self { Self("GET") }
    public static var head: Self { Self("HEAD") }
    public static var post: Self { Self("POST") }
    public static var put: Self { Self("PUT") }
    public static var delete: Self { Self("DELETE") }
    public static var patch: Self { Self("PATCH") }
    public static var options: Self { Self("OPTIONS") }
    public static var trace: Self { Self("TRACE") }
    /// Names a tunnel, not a resource: sessions refuse it, proxies are configured on the transport.
    public static var connect: Self { Self("CONNECT") }
    /// A safe request with content (draft-ietf-httpbis-safe-method-w-body).
    public static var query: Self { Self("QUERY") }
}

extension HTTPMethod {
    /// Whether the request asks for nothing but information (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "REPORT", "SEARCH": true
        default: false
        }
    }

    /// Whether sending the request twice means the same as sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        isSafe || rawValue == "PUT" || rawValue == "DELETE"
    }
}
