public import HTTPCore
import PortableFoundation

extension HTTPRequest {
    /// Returns this request for another URL, absolute or relative to a client's base URL; an empty
    /// one stands for the base. The parameters that the query methods wrote are written into the
    /// new URL.
    ///
    /// - Throws: `invalidRequest` if `route` is not a URL (RFC 3986), or a value in it cannot stay
    ///   in its place.
    public func route(_ route: HTTPRoute) throws(HTTPError) -> HTTPRequest {
        replacingURL(try URL(strictly: try route.textOrBase))
    }

    /// Returns this request for another URL, which is a string.
    ///
    /// - Throws: `invalidRequest` if `url` is not a URL (RFC 3986).
    @_disfavoredOverload
    public func route(_ url: some StringProtocol) throws(HTTPError) -> HTTPRequest {
        try route(HTTPRoute(verbatim: String(url)))
    }

    /// Returns this request with another scheme; the URL must have a host.
    public func with(scheme: String) throws(HTTPError) -> HTTPRequest {
        try changingURL { uri throws(HTTPError) in
            guard HTTPOrigin.Scheme(rawValue: scheme.lowercased()) != nil else {
                throw HTTPError(
                    .invalidRequest, "the scheme \(scheme.logSafe) is neither http nor https")
            }
            guard uri.authority != nil else {
                throw HTTPError(.invalidRequest, "the URL has no host yet: set that first")
            }
            uri.scheme = scheme[...]
        }
    }

    /// Returns this request for another host: a name, an IPv4 address, or an IPv6 address with or
    /// without brackets. A name outside ASCII is mapped as in
    /// ``HTTPOrigin/init(scheme:host:port:)``. A relative URL becomes an absolute `https` URL. User
    /// information is removed.
    ///
    /// - Throws: `invalidRequest` if `host` is not a host, or holds a port or user information.
    public func with(host: String) throws(HTTPError) -> HTTPRequest {
        try changingURL { uri throws(HTTPError) in
            let written = try HTTPOrigin.hostInURL(host)
            if uri.authority == nil {
                uri.scheme = uri.scheme ?? "https"
                if !uri.path.isEmpty, uri.path.utf8.first != UInt8(ascii: "/") {
                    uri.path = "/" + uri.path
                }
            }
            uri.authority = URIReference.Authority(
                userInfo: nil, host: written[...], port: uri.authority?.port)
        }
    }

    /// Returns this request with another port, or for `nil` the scheme's own; the URL must have a
    /// host.
    public func with(port: Int?) throws(HTTPError) -> HTTPRequest {
        try changingURL { uri throws(HTTPError) in
            if let port, !(1...65535).contains(port) {
                throw HTTPError(.invalidRequest, "the URL's port is not in 1...65535")
            }
            guard uri.authority != nil else {
                throw HTTPError(.invalidRequest, "the URL has no host yet: set that first")
            }
            uri.authority?.port = port.map { "\($0)" }
        }
    }

    /// Returns this request for another path, percent-encoded as in a URL; query and fragment are
    /// kept. An absolute URL replaces everything, as `route(_:)` does.
    ///
    /// - Throws: `invalidRequest` if `path` is not a path, holds a query or fragment, or begins
    ///   with `//`, or if a value in it cannot stay in its place.
    public func with(path: HTTPRoute) throws(HTTPError) -> HTTPRequest {
        let route = path
        let path = try route.text
        switch Route(path).kind {
        case .absolute: return try self.route(route)
        case .authority: throw .namesHost
        case .relative: break
        }
        return try changingURL { uri throws(HTTPError) in
            guard !path.utf8.contains(where: "?#".utf8.contains) else {
                throw HTTPError(
                    .invalidRequest, "a path must not hold ? or #: encode them, or use route(_:)")
            }
            let isRooted = path.isEmpty || path.utf8.first == UInt8(ascii: "/")
            uri.path = uri.authority == nil || isRooted ? path[...] : "/" + path
        }
    }

    /// Returns this request for another path, which is a string.
    ///
    /// - Throws: `invalidRequest` if `path` is not a path, holds a query or fragment, or begins
    ///   with `//`.
    @_disfavoredOverload
    public func with(path: some StringProtocol) throws(HTTPError) -> HTTPRequest {
        try with(path: HTTPRoute(verbatim: String(path)))
    }

    /// Returns this request with another query, percent-encoded as in a URL and without its `?`, or
    /// with none. The parameters that the query methods wrote are forgotten.
    ///
    /// - Throws: `invalidRequest` if `query` is not a query (RFC 3986).
    public func with(query: String?) throws(HTTPError) -> HTTPRequest {
        var request = try changingURL { uri throws(HTTPError) in
            guard query?.utf8.contains(UInt8(ascii: "#")) != true else {
                throw HTTPError(.invalidRequest, "a query must not hold #: encode it")
            }
            uri.query = query?[...]
        }
        request.forgetQuery()
        return request
    }

    /// Returns this request with another fragment, percent-encoded as in a URL and without its `#`,
    /// or with none. A fragment is never sent.
    ///
    /// - Throws: `invalidRequest` if `fragment` is not a fragment (RFC 3986).
    public func with(fragment: String?) throws(HTTPError) -> HTTPRequest {
        try changingURL { uri in uri.fragment = fragment?[...] }
    }

    private func changingURL(
        _ change: (inout URIReference) throws(HTTPError) -> Void
    ) throws(HTTPError) -> HTTPRequest {
        var uri = try HTTPTarget.reference(url.absoluteString)
        try change(&uri)
        var request = self
        request.url = try URL(strictly: uri.recomposed)
        return request
    }
}
