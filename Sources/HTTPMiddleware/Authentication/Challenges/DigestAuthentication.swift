public import HTTPCore

/// A middleware that proves a password to its origin by Digest alone (RFC 7616) and never sends it.
///
/// The same as ``ChallengeAuthentication`` with one user and without Basic. Runs per attempt (row
/// 9). Copies share their nonces.
public struct DigestAuthentication: HTTPClientMiddleware {
    private let responder: ChallengeResponder

    /// Creates a layer that proves a user's password to the origin that the credentials are for.
    public init(_ credentials: PasswordCredentials) {
        responder = ChallengeResponder(
            .server, [credentials], schemes: Self.schemes, sendsPasswordUnencrypted: false)
    }

    /// Creates the middleware with client nonces that a test can predict.
    init(_ credentials: PasswordCredentials, makeClientNonce: @escaping @Sendable () -> String) {
        responder = ChallengeResponder(
            .server, [credentials], schemes: Self.schemes, sendsPasswordUnencrypted: false,
            makeClientNonce: makeClientNonce)
    }

    private static let schemes = Set(AuthenticationScheme.allCases).subtracting([.basic])

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await responder.respond(to: request, next: next)
    }
}
