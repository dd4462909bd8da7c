/// A middleware that changes requests and nothing else.
public protocol HTTPRequestInterceptor: HTTPClientMiddleware {
    /// Changes the request on its way down. A throw stops the call; nothing is sent.
    func process(request: inout HTTPRequest) async throws
}

/// A middleware that changes responses and nothing else. One that reads the body puts a body back.
public protocol HTTPResponseInterceptor: HTTPClientMiddleware {
    /// Changes the response on its way up. A throw gives the response up and fails the call.
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
        var response = try await next.response(for: request)
        do {
            try await process(response: &response)
            try Task.checkCancellation()
        } catch {
            response.body.abandon()
            throw error
        }
        return response
    }
}

/// Without a third default, a type that is both would have two and so none.
extension HTTPRequestInterceptor where Self: HTTPResponseInterceptor {
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        try await process(request: &request)
        try Task.checkCancellation()
        var response = try await next.response(for: request)
        do {
            try await process(response: &response)
            try Task.checkCancellation()
        } catch {
            response.body.abandon()
            throw error
        }
        return response
    }
}
