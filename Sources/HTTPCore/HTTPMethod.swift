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

// The other registered methods (IANA HTTP Method Registry). Not `PRI`, which is for the start of an
// HTTP/2 connection alone, nor `*`, which is reserved.
extension HTTPMethod {
    public static var acl: Self { Self("ACL") }
    public static var baselineControl: Self { Self("BASELINE-CONTROL") }
    public static var bind: Self { Self("BIND") }
    public static var checkIn: Self { Self("CHECKIN") }
    public static var checkOut: Self { Self("CHECKOUT") }
    public static var copy: Self { Self("COPY") }
    public static var label: Self { Self("LABEL") }
    public static var link: Self { Self("LINK") }
    public static var lock: Self { Self("LOCK") }
    public static var merge: Self { Self("MERGE") }
    public static var mkActivity: Self { Self("MKACTIVITY") }
    public static var mkCalendar: Self { Self("MKCALENDAR") }
    public static var mkCol: Self { Self("MKCOL") }
    public static var mkRedirectRef: Self { Self("MKREDIRECTREF") }
    public static var mkWorkspace: Self { Self("MKWORKSPACE") }
    public static var move: Self { Self("MOVE") }
    public static var orderPatch: Self { Self("ORDERPATCH") }
    public static var propFind: Self { Self("PROPFIND") }
    public static var propPatch: Self { Self("PROPPATCH") }
    public static var rebind: Self { Self("REBIND") }
    public static var report: Self { Self("REPORT") }
    public static var search: Self { Self("SEARCH") }
    public static var unbind: Self { Self("UNBIND") }
    public static var uncheckOut: Self { Self("UNCHECKOUT") }
    public static var unlink: Self { Self("UNLINK") }
    public static var unlock: Self { Self("UNLOCK") }
    public static var update: Self { Self("UPDATE") }
    public static var updateRedirectRef: Self { Self("UPDATEREDIRECTREF") }
    public static var versionControl: Self { Self("VERSION-CONTROL") }
}

extension HTTPMethod {
    /// Whether the request asks for nothing but information (RFC 9110 §9.2.1), as registered; `false`
    /// for a method nobody registered.
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "PRI", "PROPFIND", "QUERY", "REPORT", "SEARCH", "TRACE": true
        default: false
        }
    }

    /// Whether sending the request twice means the same as sending it once (RFC 9110 §9.2.2), as
    /// registered; `false` for a method nobody registered.
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
}
