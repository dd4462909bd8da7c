/// The method of a request (RFC 9110 §9).
///
/// The set is open: any token is a method, and case matters (`get` is not `GET`). Sending a request
/// whose method is not a token throws.
public struct HTTPMethod: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }

    public var description: String { rawValue }

    public static var get: Self { Self("GET") }
    public static var head: Self { Self("HEAD") }
    public static var post: Self { Self("POST") }
    public static var put: Self { Self("PUT") }
    public static var delete: Self { Self("DELETE") }
    public static var patch: Self { Self("PATCH") }
    public static var options: Self { Self("OPTIONS") }
    public static var trace: Self { Self("TRACE") }
    /// Names a tunnel, not a resource. Sessions refuse this method; proxies are configured on the
    /// transport.
    public static var connect: Self { Self("CONNECT") }
    /// A safe request with content (draft-ietf-httpbis-safe-method-w-body).
    public static var query: Self { Self("QUERY") }
}

extension HTTPMethod {
    /// A Boolean value that indicates whether the method is registered as safe: it only asks for
    /// information (RFC 9110 §9.2.1). `false` for a method that is not registered.
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "PRI", "PROPFIND", "QUERY", "REPORT", "SEARCH", "TRACE": true
        default: false
        }
    }

    /// A Boolean value that indicates whether the method is registered as idempotent: sending the
    /// request twice has the same effect as sending it once (RFC 9110 §9.2.2). `false` for a method
    /// that is not registered.
    public var isIdempotent: Bool {
        if isSafe { return true }
        switch rawValue {
        case "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "DELETE", "LABEL",
            "LINK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE",
            "MOVE", "ORDERPATCH", "PROPPATCH", "PUT", "REBIND", "UNBIND", "UNCHECKOUT", "UNLINK",
            "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL":
            return true
        default: return false
        }
    }

    /// `true` if a request without content is sent with `Content-Length: 0` (RFC 9110 §8.6).
    package var expectsContent: Bool {
        self == .post || self == .put || self == .patch || self == .query
    }
}
