public import HTTPCore

/// A session that consists of another session and a list of middleware. A client of your own needs
/// only these two properties.
///
/// ```swift
/// struct MyClient: HTTPMiddlewareSession {
///     var base: any HTTPSession = CurlTransport()
///     var middleware: [any HTTPClientMiddleware] = [UserAgent("mine/1.0")]
/// }
/// ```
///
/// The request hooks (``/HTTPCore/HTTPRequestInterceptor``) run in the order of the list. Then the
/// base session sends the request. Once there is a response, the response hooks
/// (``/HTTPCore/HTTPResponseInterceptor``) run on it, also in the order of the list. Middleware
/// that is neither surrounds the base, the first outermost. The list is read once per call.
///
/// - Important: Response hooks run in the order of the list, so with the list `[a, b]` the response
///   hook of `a` runs before that of `b`. `session.with(a, b)` does the opposite: it is an onion,
///   so the response hook of `b` runs before that of `a`.
///
/// A hook that throws ends the call: the hooks after it do not run, and a request that has not been
/// sent yet is not sent. A cancellation does the same, even if a hook swallows it.
public protocol HTTPMiddlewareSession: HTTPCallBeginning {
    /// The session below the list.
    var base: any HTTPSession { get }
    /// The list, read once per call.
    var middleware: [any HTTPClientMiddleware] { get }
}

extension HTTPMiddlewareSession {
    /// Begins a call in the way of ``base``, if that has one.
    public func beginningCall(for request: HTTPRequest) throws -> HTTPRequest {
        try base.begun(request)
    }

    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await beginningCall(for: request) { try await intercepted($0) }
    }

    private func intercepted(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        let middleware = middleware
        for case let hook as any HTTPRequestInterceptor in middleware {
            try await hook.process(request: &request)
            try Task.checkCancellation()
        }
        let around = middleware.filter {
            !($0 is any HTTPRequestInterceptor) && !($0 is any HTTPResponseInterceptor)
        }
        var response = try await base.with(around).attempt(request).get()
        do {
            try Task.checkCancellation()
            for case let hook as any HTTPResponseInterceptor in middleware {
                try await hook.process(response: &response)
                try Task.checkCancellation()
            }
        } catch {
            response.body.abandon()
            throw error.afterResponse
        }
        return response
    }
}

/// A base session and a list of middleware. See ``HTTPMiddlewareSession``.
public struct MiddlewareSession: HTTPMiddlewareSession {
    public var base: any HTTPSession
    public var middleware: [any HTTPClientMiddleware]

    /// Creates a session of a base and a list of middleware.
    public init(_ base: any HTTPSession, middleware: [any HTTPClientMiddleware] = []) {
        self.base = base
        self.middleware = middleware
    }
}
