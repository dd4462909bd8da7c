import HTTPCore
import HTTPMiddleware
import HTTPValidation

extension HTTPEndpointConfiguration {
    /// The endpoint's validators and interceptors, the first outermost. Its other settings become
    /// those of the request (`makeRequest`), and the client adds what the request leaves open
    /// (`ClientAssembly`).
    var layers: [any HTTPClientMiddleware] {
        var layers: [any HTTPClientMiddleware] = []
        if !validators.isEmpty { layers.append(Validation(validators)) }
        if !interceptors.isEmpty { layers.append(ListedInterceptors(list: interceptors)) }
        // Without either of them, no layer needs to see the response of an error.
        return layers.isEmpty ? [] : [ThrowingRefusals()] + layers + [CatchingRefusals()]
    }
}

/// Runs hooks in the order of the list in both directions, as
/// ``/HTTPMiddleware/HTTPMiddlewareSession`` does.
private struct ListedInterceptors: HTTPClientMiddleware {
    let list: [any HTTPClientMiddleware]

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        try await MiddlewareSession(next, middleware: list).response(for: request)
    }
}

// MARK: - Errors with a status

/// The error that a session threw because of a status, kept on the response made from it.
private enum Refusal: HTTPRequestOption {
    static var defaultValue: HTTPError? { nil }
}

/// Converts an error that a session threw because of a status back into a response. Interceptors
/// and validators then see the same as over a session that does not validate.
private struct CatchingRefusals: HTTPClientMiddleware {
    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        do {
            return try await next.response(for: request)
        } catch let error as HTTPError {
            guard error.code == .unexpectedStatus, let head = error.response,
                !head.status.isSuccessful, let body = error.bodyPrefix
            else { throw error }
            var response = HTTPResponse(head, body: HTTPBody(body), to: request)
            response.options = error.options
            response[Refusal.self] = error
            return response
        }
    }
}

/// Throws the error in the end, with the interceptors' changes to the response.
private struct ThrowingRefusals: HTTPClientMiddleware {
    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let response = try await next.response(for: request)
        guard let error = response[Refusal.self], !response.status.isSuccessful else {
            return response
        }
        var options = response.options
        options.remove(Refusal.self)
        throw error.ending(response, head: response.head)
            .keeping(bodyPrefix: try await response.data()).keeping(options: options)
    }
}
