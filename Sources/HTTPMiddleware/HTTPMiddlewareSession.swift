public import HTTPCore

/// A session made of another one and a list: what a client of one's own needs to say is these two.
///
/// ```swift
/// struct MyClient: HTTPMiddlewareSession {
///     var base: any HTTPSession = CurlTransport()
///     var middleware: [any HTTPClientMiddleware] = [UserAgent("mine/1.0")]
/// }
/// ```
///
/// Hooks run in the order of the list both ways: those of ``HTTPCore/HTTPRequestInterceptor`` on
/// the request, then, once there is a response, those of ``HTTPCore/HTTPResponseInterceptor`` on
/// it. A hook that throws ends the call, and so does a cancellation, also one that a hook swallows:
/// the hooks after it do not run, and nothing is sent if nothing was. What is neither surrounds the
/// base, the first outermost. The list is read once per call.
public protocol HTTPMiddlewareSession: HTTPSession {
    var base: any HTTPSession { get }
    var middleware: [any HTTPClientMiddleware] { get }
}

extension HTTPMiddlewareSession {
    public func response(for request: HTTPRequest) async throws -> HTTPResponse {
        var request = try request.beginningCall()
        let middleware = middleware
        for case let hook as any HTTPRequestInterceptor in middleware {
            try await hook.process(request: &request)
            try Task.checkCancellation()
        }
        let around = middleware.filter {
            !($0 is any HTTPRequestInterceptor) && !($0 is any HTTPResponseInterceptor)
        }
        var response = try await base.with(around).response(for: request)
        do {
            try Task.checkCancellation()
            for case let hook as any HTTPResponseInterceptor in middleware {
                try await hook.process(response: &response)
                try Task.checkCancellation()
            }
        } catch {
            response.body.abandon()
            throw error
        }
        return response
    }
}

/// A base session and a list of middleware, see ``HTTPMiddlewareSession``.
public struct MiddlewareSession: HTTPMiddlewareSession {
    public var base: any HTTPSession
    public var middleware: [any HTTPClientMiddleware]

    public init(_ base: any HTTPSession, middleware: [any HTTPClientMiddleware] = []) {
        self.base = base
        self.middleware = middleware
    }
}
