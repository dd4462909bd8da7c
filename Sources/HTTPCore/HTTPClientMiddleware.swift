/// A step around the rest of the chain, which is itself a session.
///
/// Because *next* is a session, a middleware may ask it never (a cache hit), once, or many times
/// (retry). Whoever asks it again first calls ``HTTPResponse/discard()`` on the response it will not
/// hand back, or the second request may wait for ever for the first one's connection.
///
/// A cancelled call ends with `CancellationError`, also where a middleware swallows that: the chain
/// looks after each.
public protocol HTTPClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse
}

extension HTTPSession {
    /// Returns this session wrapped in the given middleware. The first is outermost: it sees a
    /// request first and its response last.
    ///
    /// - Important: Response hooks run in reverse order. The result is an onion, so in
    ///   `session.with(a, b)` the response hook of `b` runs before that of `a`. An
    ///   `HTTPMiddlewareSession` does the opposite: its response hooks run in the order of its
    ///   list.
    public func with(_ middleware: any HTTPClientMiddleware...) -> any HTTPSession {
        with(middleware)
    }

    /// As ``with(_:)-(HTTPClientMiddleware...)``.
    public func with(_ middleware: [any HTTPClientMiddleware]) -> any HTTPSession {
        middleware.reversed().reduce(self as any HTTPSession) { next, middleware in
            InterceptedSession(middleware: middleware, next: next)
        }
    }
}

private struct InterceptedSession: HTTPSession {
    let middleware: any HTTPClientMiddleware
    let next: any HTTPSession

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await middleware.intercept(request, next: next).unlessCancelled()
    }
}

extension HTTPResponse {
    /// This response, given up where the task is cancelled: what a hook makes of a cancellation is
    /// no success.
    package func unlessCancelled() throws(CancellationError) -> HTTPResponse {
        guard Task.isCancelled else { return self }
        body.abandon()
        throw CancellationError()
    }
}
