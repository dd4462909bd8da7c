#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a session takes for a request: a request, a `URL`, a `String`, or a type of yours.
public protocol HTTPRequestConvertible {
    var httpRequest: HTTPRequest { get throws }
}

extension HTTPRequest: HTTPRequestConvertible {
    public var httpRequest: HTTPRequest { self }
}

extension URL: HTTPRequestConvertible {
    /// A GET of this URL.
    public var httpRequest: HTTPRequest { HTTPRequest(.get, self) }
}

extension String: HTTPRequestConvertible {
    /// A GET of this URL; throws `invalidRequest` when it is none to the letter of RFC 3986.
    public var httpRequest: HTTPRequest { get throws { try HTTPRequest(.get, self) } }
}
