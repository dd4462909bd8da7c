public import HTTPCore

/// Requests with their session in one line: `try await client.get("users/1").json(User.self)`.
///
/// Every session has these methods, also a mock or a bare transport. Routes may be relative if the
/// session has a base URL. Nothing is sent before a response is requested.
extension HTTPSession {
    /// - Parameter route: A URL according to RFC 3986, absolute or relative to a client's base.
    public func request(
        _ method: HTTPMethod, _ route: String, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        HTTPBoundRequest(self) {
            PendingRequest(request: try content.put(try HTTPRequest(method, route), formats))
        }
    }

    public func request(_ request: any HTTPRequestConvertible) -> HTTPBoundRequest {
        HTTPBoundRequest(self) { try PendingRequest(request) }
    }

    /// - Parameter parameters: Query parameters, added after those of `route`.
    public func get(_ route: String, query parameters: [String: Any?] = [:]) -> HTTPBoundRequest {
        let get = request(.get, route)
        return parameters.isEmpty ? get : get.query(parameters)
    }

    public func head(_ route: String) -> HTTPBoundRequest { request(.head, route) }

    public func options(_ route: String) -> HTTPBoundRequest { request(.options, route) }

    public func delete(
        _ route: String, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(.delete, route, content)
    }

    public func post(
        _ route: String, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(.post, route, content)
    }

    public func put(
        _ route: String, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(.put, route, content)
    }

    public func patch(
        _ route: String, _ content: HTTPRequestContent = .empty
    ) -> HTTPBoundRequest {
        request(.patch, route, content)
    }

    public func post(_ route: String, json value: some Encodable) -> HTTPBoundRequest {
        request(.post, route, .json(value))
    }

    public func put(_ route: String, json value: some Encodable) -> HTTPBoundRequest {
        request(.put, route, .json(value))
    }

    public func patch(_ route: String, json value: some Encodable) -> HTTPBoundRequest {
        request(.patch, route, .json(value))
    }
}
