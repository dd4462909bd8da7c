/// The prefixes with which the name of a cookie promises its attributes (RFC 6265bis §5.4, and
/// draft-ietf-httpbis-layered-cookies for the two with `Http`). Case does not matter.
enum CookiePrefix: String, CaseIterable {
    // The longer one first: the name must keep its promise, too.
    case hostHTTP = "__Host-Http-"
    case host = "__Host-"
    case http = "__Http-"
    case secure = "__Secure-"

    /// Returns the prefix that the bytes begin with.
    init?(of bytes: [UInt8]) {
        let found = Self.allCases.first { bytes.startsIgnoringCase(with: $0.rawValue) }
        guard let found else { return nil }
        self = found
    }

    /// Returns `true` if the cookie has the attributes.
    ///
    /// - Parameter hasPath: `true` if the path was set, and is no default.
    func isKept(by cookie: HTTPCookieJar.Cookie, hasPath: Bool) -> Bool {
        let isOfHost = cookie.isHostOnly && hasPath && cookie.pathBytes == Array("/".utf8)
        guard cookie.isSecure else { return false }
        switch self {
        case .secure: return true
        case .host: return isOfHost
        case .http: return cookie.isHTTPOnly
        case .hostHTTP: return isOfHost && cookie.isHTTPOnly
        }
    }
}
