public import HTTPCore
import HTTPFormats

/// A middleware that sends a token with every request to the origin that issued it (RFC 6750 §2.1).
///
/// The token is read before each send, so it may change between two attempts. A refusal is returned
/// to the caller. For tokens that are renewed after a refusal, see ``RefreshingAuthentication``. A
/// request that has credentials of its own keeps them. Runs per attempt (row 9).
public struct BearerAuthentication: HTTPRequestInterceptor {
    private let origin: HTTPOrigin
    private let token: @Sendable () async throws -> String?

    /// - Parameters:
    ///   - origin: The origin that the credentials are for. No other one gets them.
    ///   - token: called only for requests to `origin`. If it returns `nil`, the request is sent
    ///     unsigned. If it throws, the call ends before anything is sent.
    public init(for origin: HTTPOrigin, token: @escaping @Sendable () async throws -> String?) {
        self.origin = origin
        self.token = token
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var signed = request
        try await process(request: &signed)
        try Task.checkCancellation()
        var response = try await next.response(for: signed)
        if response.status == .unauthorized {
            response.noteUnsigned(signed, byCredentialsFor: origin)
        }
        return response
    }

    public func process(request: inout HTTPRequest) async throws {
        guard !request.headers.contains(.authorization), try request.origin() == origin,
            let token = try await token()
        else { return }
        try request.authorize(.bearer(token), issuedBy: origin)
    }
}
