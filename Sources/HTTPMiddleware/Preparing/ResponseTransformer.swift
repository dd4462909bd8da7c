public import HTTPCore

/// A middleware that replaces each response before it is validated, for example to unwrap, decrypt
/// or repair it.
///
/// Runs per call, directly inside validation (row 2). The innermost transformer runs first: in
/// `session.with(second, first)`, `first` runs before `second`.
public struct ResponseTransformer: HTTPClientMiddleware {
    private let transform: @Sendable (HTTPResponse, HTTPRequest) async throws -> HTTPResponse

    /// - Parameter transform: receives the response, and the request as this layer received it. If
    ///   it reads the body, it must put a body back. If it throws, the response is abandoned and
    ///   the call fails.
    public init(
        _ transform:
            @escaping @Sendable (_ response: HTTPResponse, _ request: HTTPRequest)
            async throws -> HTTPResponse
    ) {
        self.transform = transform
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let response = try await next.response(for: request)
        do {
            return try await transform(response, request)
        } catch {
            response.body.abandon()
            throw error.afterResponse
        }
    }
}
