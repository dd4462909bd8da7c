public import HTTPCore

/// Requests with their session in one line: `try await client.get("users/\(id)").json(User.self)`.
///
/// Every session has these methods, also a mock or a bare transport. Routes may be relative if the
/// session has a base URL. Nothing is sent before a response is requested.
///
/// A literal is an `HTTPRoute`: the value of a variable in it stays in its place. A `String` is
/// taken as it is, as for a URL that the program was given.
extension HTTPSession {
    /// - Parameters:
    ///   - method: The method.
    ///   - route: A URL according to RFC 3986, absolute or relative to a client's base.
    ///   - content: The content; `.empty` for none.
    public func request(
        _ method: HTTPMethod, _ route: HTTPRoute, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        HTTPBoundRequest(self) {
            PendingRequest(request: try content.put(try HTTPRequest(method, route), formats))
        }
    }

    /// Returns a request bound to this session, which is sent when it is read.
    public func request(_ request: any HTTPRequestConvertible) -> HTTPBoundRequest {
        HTTPBoundRequest(self) { try PendingRequest(request) }
    }

    /// - Parameters:
    ///   - route: The route, relative to the client's base URL, or a URL.
    ///   - parameters: Query parameters, added after those of `route`.
    public func get(
        _ route: HTTPRoute, query parameters: [String: Any?] = [:]
    ) -> HTTPBoundRequest {
        let get = bound(.get, route)
        return parameters.isEmpty ? get : get.query(parameters)
    }

    /// Returns a HEAD request for a route, which is relative to the client's base URL, or a URL.
    public func head(_ route: HTTPRoute) -> HTTPBoundRequest { bound(.head, route) }

    /// Returns an OPTIONS request for a route.
    public func options(_ route: HTTPRoute) -> HTTPBoundRequest { bound(.options, route) }

    private func bound(_ method: HTTPMethod, _ route: HTTPRoute) -> HTTPBoundRequest {
        HTTPBoundRequest(self) { PendingRequest(request: try HTTPRequest(method, route)) }
    }

    /// Returns a DELETE request for a route, usually without content.
    public func delete(
        _ route: HTTPRoute, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(.delete, route, content)
    }

    /// Returns a POST request for a route with content, such as `.form(["a": 1])`.
    public func post(
        _ route: HTTPRoute, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(.post, route, content)
    }

    /// Returns a PUT request for a route with content.
    public func put(
        _ route: HTTPRoute, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(.put, route, content)
    }

    /// Returns a PATCH request for a route with content.
    public func patch(
        _ route: HTTPRoute, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(.patch, route, content)
    }

    /// Returns a POST request whose content is a value as JSON, encoded by the client's encoder.
    public func post(_ route: HTTPRoute, json value: some Encodable) -> HTTPBoundRequest {
        request(.post, route, .json(value))
    }

    /// Returns a PUT request whose content is a value as JSON, encoded by the client's encoder.
    public func put(_ route: HTTPRoute, json value: some Encodable) -> HTTPBoundRequest {
        request(.put, route, .json(value))
    }

    /// Returns a PATCH request whose content is a value as JSON, encoded by the client's encoder.
    public func patch(_ route: HTTPRoute, json value: some Encodable) -> HTTPBoundRequest {
        request(.patch, route, .json(value))
    }
}

// MARK: - Text

// Generic, so that the compiler never prefers them for a literal: see `HTTPRoute`.
extension HTTPSession {
    /// Returns a request for a URL that is a string.
    @_disfavoredOverload
    public func request(
        _ method: HTTPMethod, _ url: some StringProtocol, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(method, HTTPRoute(verbatim: String(url)), content)
    }

    /// Returns a GET request for a URL that is a string.
    @_disfavoredOverload
    public func get(_ url: some StringProtocol, query parameters: [String: Any?] = [:])
        -> HTTPBoundRequest
    {
        get(HTTPRoute(verbatim: String(url)), query: parameters)
    }

    /// Returns a HEAD request for a URL that is a string.
    @_disfavoredOverload
    public func head(_ url: some StringProtocol) -> HTTPBoundRequest {
        head(HTTPRoute(verbatim: String(url)))
    }

    /// Returns an OPTIONS request for a URL that is a string.
    @_disfavoredOverload
    public func options(_ url: some StringProtocol) -> HTTPBoundRequest {
        options(HTTPRoute(verbatim: String(url)))
    }

    /// Returns a DELETE request for a URL that is a string.
    @_disfavoredOverload
    public func delete(
        _ url: some StringProtocol, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        delete(HTTPRoute(verbatim: String(url)), content)
    }

    /// Returns a POST request for a URL that is a string.
    @_disfavoredOverload
    public func post(
        _ url: some StringProtocol, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        post(HTTPRoute(verbatim: String(url)), content)
    }

    /// Returns a PUT request for a URL that is a string.
    @_disfavoredOverload
    public func put(
        _ url: some StringProtocol, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        put(HTTPRoute(verbatim: String(url)), content)
    }

    /// Returns a PATCH request for a URL that is a string.
    @_disfavoredOverload
    public func patch(
        _ url: some StringProtocol, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        patch(HTTPRoute(verbatim: String(url)), content)
    }

    /// Returns a POST request with a value as JSON for a URL that is a string.
    @_disfavoredOverload
    public func post(_ url: some StringProtocol, json value: some Encodable) -> HTTPBoundRequest {
        post(HTTPRoute(verbatim: String(url)), json: value)
    }

    /// Returns a PUT request with a value as JSON for a URL that is a string.
    @_disfavoredOverload
    public func put(_ url: some StringProtocol, json value: some Encodable) -> HTTPBoundRequest {
        put(HTTPRoute(verbatim: String(url)), json: value)
    }

    /// Returns a PATCH request with a value as JSON for a URL that is a string.
    @_disfavoredOverload
    public func patch(_ url: some StringProtocol, json value: some Encodable) -> HTTPBoundRequest {
        patch(HTTPRoute(verbatim: String(url)), json: value)
    }
}
