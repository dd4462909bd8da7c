import HTTPCore

/// A call that has not been made: what is sent, and through which session and layers.
///
/// A bound request, an endpoint, a task and a pipeline are each such a description and a way to
/// read the response. Each call makes the request anew.
struct CallDescription: Sendable {
    let session: any HTTPSession
    /// The layers around the session, the first outermost.
    private let layers: [any HTTPClientMiddleware]
    /// Creates the request, once for each call.
    let request: @Sendable () throws -> HTTPRequest

    init(
        _ session: any HTTPSession, layers: [any HTTPClientMiddleware] = [],
        request: @escaping @Sendable () throws -> HTTPRequest
    ) {
        self.session = session
        self.layers = layers
        self.request = request
    }

    /// The session inside the layers, which all see a request as part of one call.
    var entry: any HTTPSession { session.with(layers) }

    /// Returns this description with another layer around all others.
    func surrounded(by layer: any HTTPClientMiddleware) -> Self {
        Self(session, layers: [layer] + layers, request: request)
    }
}

extension CallDescription: HTTPRequestConvertible {
    var httpRequest: HTTPRequest { get throws { try request() } }
}
