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
    /// This session inside the given middleware: the first is outermost, it sees a request first and
    /// its response last.
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
