public import HTTPCore

/// Makes another response of each, before anybody judges it: to unwrap, decrypt or repair.
///
/// Runs per call, directly inside validation. Several run in the order in which they are listed when the last
/// is outermost: `session.with(second, first)`.
public struct ResponseTransformer: HTTPClientMiddleware {
    private let transform: @Sendable (HTTPResponse, HTTPRequest) async throws -> HTTPResponse

    /// - Parameter transform: gets the response and the request as it came to this layer. Who reads the
    ///   body puts one back. A throw gives the response up and fails the call.
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
            throw error
        }
    }
}
