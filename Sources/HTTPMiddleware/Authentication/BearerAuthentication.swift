public import HTTPCore
import HTTPFormats

/// Sends a token with every request to the origin that issued it (RFC 6750 §2.1).
///
/// The token is asked for before each send, so that it may change between two attempts. A refusal is
/// handed back: for tokens that are to be renewed then, see ``RefreshingAuthentication``. A request
/// that has credentials of its own keeps them. Runs per attempt (row 9).
public struct BearerAuthentication: HTTPRequestInterceptor {
    private let origin: HTTPOrigin
    private let token: @Sendable () async throws -> String?

    /// - Parameter token: asked for requests to `origin` only; without one, requests go unsigned. What
    ///   it throws ends the call before anything is sent.
    public init(for origin: HTTPOrigin, token: @escaping @Sendable () async throws -> String?) {
        self.origin = origin
        self.token = token
    }

    public func process(request: inout HTTPRequest) async throws {
        guard !request.headers.contains(.authorization), try request.origin() == origin,
            let token = try await token()
        else { return }
        try request.authorize(.bearer(token), issuedBy: origin)
    }
}
