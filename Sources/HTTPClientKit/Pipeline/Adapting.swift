package import HTTPCore

/// Adapts requests, and throws `adaptingFailed` if that fails.
struct Adapting: HTTPClientMiddleware {
    let adapt: @Sendable (HTTPRequest) async throws -> HTTPRequest

    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let adapted = try await adapted(request)
        try Task.checkCancellation()
        return try await next.response(for: adapted.replacing(request))
    }

    private func adapted(_ request: HTTPRequest) async throws -> HTTPRequest {
        do {
            return try await adapt(request)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw HTTPError(
                .adaptingFailed, "the request could not be adapted: \(type(of: error))",
                phase: .preparing,
                underlyingError: AdaptingFailure(request: request.endingCall(), thrown: error)
            ).ending(request)
        }
    }
}

/// The cause inside an `adaptingFailed` error.
package struct AdaptingFailure: Error {
    /// The request that was to be adapted.
    package var request: HTTPRequest
    package var thrown: any Error
}
