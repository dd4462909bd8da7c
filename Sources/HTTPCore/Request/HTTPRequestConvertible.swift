public import PortableFoundation

/// A value that can be converted to a request: a request, a `URL`, a `String`, or a custom type.
public protocol HTTPRequestConvertible {
    /// The request. Reading it throws what makes the value no valid request.
    var httpRequest: HTTPRequest { get throws }
}

extension HTTPRequest: HTTPRequestConvertible {
    public var httpRequest: HTTPRequest { self }
}

extension URL: HTTPRequestConvertible {
    /// A GET request for this URL.
    public var httpRequest: HTTPRequest { HTTPRequest(.get, self) }
}

extension String: HTTPRequestConvertible {
    /// A GET request for this URL. Throws `invalidRequest` if the text is not a valid URL (RFC
    /// 3986).
    public var httpRequest: HTTPRequest { get throws { try HTTPRequest(.get, self) } }
}

extension HTTPRoute: HTTPRequestConvertible {
    /// A GET request for this URL.
    public var httpRequest: HTTPRequest { get throws { try HTTPRequest(.get, self) } }
}
