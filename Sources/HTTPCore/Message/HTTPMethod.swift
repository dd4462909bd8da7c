/// The method of a request (RFC 9110 §9).
///
/// The set is open: any token is a method, and case matters (`get` is not `GET`). Sending a request
/// whose method is not a token throws.
public struct HTTPMethod: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it is sent. Methods are compared with case.
    public let rawValue: String

    /// Creates a method of any name. A name that is not a token (RFC 9110 §9.1) makes sending
    /// throw.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The method, escaped as by `escapingControls()`.
    public var description: String { rawValue.escapingControls() }

    /// GET: returns a representation; safe (RFC 9110 §9.3.1).
    public static var get: Self { Self("GET") }
    /// HEAD: GET without the content; safe (RFC 9110 §9.3.2).
    public static var head: Self { Self("HEAD") }
    /// POST: processes the content (RFC 9110 §9.3.3).
    public static var post: Self { Self("POST") }
    /// PUT: replaces the resource; idempotent (RFC 9110 §9.3.4).
    public static var put: Self { Self("PUT") }
    /// DELETE: removes the resource; idempotent (RFC 9110 §9.3.5).
    public static var delete: Self { Self("DELETE") }
    /// PATCH: changes a part of the resource (RFC 5789).
    public static var patch: Self { Self("PATCH") }
    /// OPTIONS: asks what is supported; safe (RFC 9110 §9.3.7).
    public static var options: Self { Self("OPTIONS") }
    /// TRACE: returns the request as it was received; safe (RFC 9110 §9.3.8).
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
