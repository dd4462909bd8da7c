/// The method of a request (RFC 9110 §9).
///
/// The set is open: any token is a method, and case matters (`get` is not `GET`). Sending a request
/// whose method is not a token throws.
public struct HTTPMethod: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: StaticString) { self.rawValue = "\(value)" }

    public var description: String { rawValue }

    public static var get: Self { Self(rawValue: "GET") }
    public static var head: Self { Self(rawValue: "HEAD") }
    public static var post: Self { Self(rawValue: "POST") }
    public static var put: Self { Self(rawValue: "PUT") }
    public static var delete: Self { Self(rawValue: "DELETE") }
    public static var patch: Self { Self(rawValue: "PATCH") }
    public static var options: Self { Self(rawValue: "OPTIONS") }
    public static var trace: Self { Self(rawValue: "TRACE") }
    /// Names a tunnel, not a resource. Sessions refuse this method; proxies are configured on the
    /// transport.
    public static var connect: Self { Self(rawValue: "CONNECT") }
    /// A safe request with content (draft-ietf-httpbis-safe-method-w-body).
    public static var query: Self { Self(rawValue: "QUERY") }
}

// The other registered methods (IANA HTTP Method Registry), without `PRI`, which only opens an
// HTTP/2 connection, and `*`, which is reserved.
extension HTTPMethod {
    public static var acl: Self { Self(rawValue: "ACL") }
    public static var baselineControl: Self { Self(rawValue: "BASELINE-CONTROL") }
    public static var bind: Self { Self(rawValue: "BIND") }
    public static var checkIn: Self { Self(rawValue: "CHECKIN") }
    public static var checkOut: Self { Self(rawValue: "CHECKOUT") }
    public static var copy: Self { Self(rawValue: "COPY") }
    public static var label: Self { Self(rawValue: "LABEL") }
    public static var link: Self { Self(rawValue: "LINK") }
    public static var lock: Self { Self(rawValue: "LOCK") }
    public static var merge: Self { Self(rawValue: "MERGE") }
    public static var mkActivity: Self { Self(rawValue: "MKACTIVITY") }
    public static var mkCalendar: Self { Self(rawValue: "MKCALENDAR") }
    public static var mkCol: Self { Self(rawValue: "MKCOL") }
    public static var mkRedirectRef: Self { Self(rawValue: "MKREDIRECTREF") }
    public static var mkWorkspace: Self { Self(rawValue: "MKWORKSPACE") }
    public static var move: Self { Self(rawValue: "MOVE") }
    public static var orderPatch: Self { Self(rawValue: "ORDERPATCH") }
    public static var propFind: Self { Self(rawValue: "PROPFIND") }
    public static var propPatch: Self { Self(rawValue: "PROPPATCH") }
    public static var rebind: Self { Self(rawValue: "REBIND") }
    public static var report: Self { Self(rawValue: "REPORT") }
    public static var search: Self { Self(rawValue: "SEARCH") }
    public static var unbind: Self { Self(rawValue: "UNBIND") }
    public static var uncheckOut: Self { Self(rawValue: "UNCHECKOUT") }
    public static var unlink: Self { Self(rawValue: "UNLINK") }
    public static var unlock: Self { Self(rawValue: "UNLOCK") }
    public static var update: Self { Self(rawValue: "UPDATE") }
    public static var updateRedirectRef: Self { Self(rawValue: "UPDATEREDIRECTREF") }
    public static var versionControl: Self { Self(rawValue: "VERSION-CONTROL") }
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
        switch rawValue {
        case "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "DELETE", "LABEL",
            "LINK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE",
            "MOVE", "ORDERPATCH", "PROPPATCH", "PUT", "REBIND", "UNBIND", "UNCHECKOUT", "UNLINK",
            "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL":
            true
        default: isSafe
        }
    }

    /// `true` if a request without content is sent with `Content-Length: 0` (RFC 9110 §8.6).
    package var expectsContent: Bool {
        self == .post || self == .put || self == .patch || self == .query
    }
}
