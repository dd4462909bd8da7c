/// A middleware that changes requests and nothing else.
public protocol HTTPRequestInterceptor: HTTPClientMiddleware {
    /// Changes the request before it is sent. If this method throws, the call stops and nothing is
    /// sent.
    func process(request: inout HTTPRequest) async throws
}

/// A middleware that changes responses and nothing else. If it reads the body, it must set a new
/// one.
public protocol HTTPResponseInterceptor: HTTPClientMiddleware {
    /// Changes the response before it is returned. If this method throws, the response's body is
    /// abandoned and the call fails.
    func process(response: inout HTTPResponse) async throws
}

extension HTTPRequestInterceptor {
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        try await process(request: &request)
        try Task.checkCancellation()
        return try await next.response(for: request)
    }
}

extension HTTPResponseInterceptor {
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await processed(try await next.response(for: request))
    }

    fileprivate func processed(_ original: HTTPResponse) async throws -> HTTPResponse {
        var response = original
        do {
            try await process(response: &response)
            try Task.checkCancellation()
        } catch {
            response.body.abandon()
            throw error.afterResponse
        }
        return response
    }
}

/// The default for a type that is both; without it, the two defaults above would be ambiguous.
extension HTTPRequestInterceptor where Self: HTTPResponseInterceptor {
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        try await process(request: &request)
        try Task.checkCancellation()
        return try await processed(try await next.response(for: request))
    }
}
