public import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPRequest {
    /// A request for what `template` gives; values may be anything, see
    /// ``URITemplate/Value/init(describing:)``.
    ///
    /// - Throws: `invalidRequest` when no URL to the letter of RFC 3986 comes out, as of a malformed
    ///   template.
    public init(
        _ method: HTTPMethod = .get, template: URITemplate, variables: [String: Any?]
    ) throws(HTTPError) {
        self.init(method, try URL(strictly: template.expand(describing: variables)))
    }

    /// This request for another URL, absolute or relative to a client's base, which an empty one names. What the query methods
    /// have put into the URL is put into the new one.
    ///
    /// - Throws: `invalidRequest` when `route` is no URL to the letter of RFC 3986.
    public func route(_ route: String) throws(HTTPError) -> HTTPRequest {
        replacingURL(try URL(strictly: route.isEmpty ? Route.base : route))
    }

    /// This request by another scheme; the URL must have a host.
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

    /// This request to another host: a name, an IPv4 address, or an IPv6 address, with or without
    /// brackets. A name beyond ASCII is mapped as by ``HTTPOrigin/init(scheme:host:port:)``. A
    /// relative URL becomes an absolute one of https; user information goes.
    ///
    /// - Throws: `invalidRequest` when `host` is none, or holds a port or user information.
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

    /// This request to another port, or to the scheme's own for `nil`; the URL must have a host.
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

    /// This request for another path, percent-encoded as in a URL; query and fragment stay. An
    /// absolute URL, or one that begins with `//`, replaces everything, as ``route(_:)`` does.
    ///
    /// - Throws: `invalidRequest` when `path` is none, or holds a query or fragment.
    public func with(path: String) throws(HTTPError) -> HTTPRequest {
        switch Route(path).kind {
        case .absolute: return try route(path)
        case .authority, .localhost: return replacingURL(try Route(path).joined(to: nil))
        case .relative: break
        }
        return try changingURL { uri throws(HTTPError) in
            guard !path.utf8.contains(where: "?#".utf8.contains) else {
                throw HTTPError(
                    .invalidRequest, "a path holds neither ? nor #: encode them, or use route(_:)")
            }
            let isRooted = path.isEmpty || path.utf8.first == UInt8(ascii: "/")
            uri.path = uri.authority == nil || isRooted ? path[...] : "/" + path
        }
    }

    /// This request with another query, percent-encoded as in a URL and without its `?`, or with
    /// none. What the query methods have put into the URL is forgotten.
    ///
    /// - Throws: `invalidRequest` when `query` is none to the letter of RFC 3986.
    public func with(query: String?) throws(HTTPError) -> HTTPRequest {
        var request = try changingURL { uri throws(HTTPError) in
            guard query?.utf8.contains(UInt8(ascii: "#")) != true else {
                throw HTTPError(.invalidRequest, "a query holds no #: encode it")
            }
            uri.query = query?[...]
        }
        request.forgetQuery()
        return request
    }

    /// This request with another fragment, percent-encoded as in a URL and without its `#`, or with
    /// none. A fragment is never sent.
    ///
    /// - Throws: `invalidRequest` when `fragment` is none to the letter of RFC 3986.
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
