public import HTTPCore

/// A middleware that proves passwords to servers that ask for them. It uses the strongest scheme
/// that both sides support: Digest with SHA-512/256, SHA-256 or MD5 (RFC 7616), or else Basic (RFC
/// 7617), by default only over https.
///
/// A request that is refused (401) with a challenge is sent once more with the answer, and up to
/// three times more while the server says that the nonce was too old (`stale`). Later requests to
/// the same space carry an answer at once. So the first request to a space costs two
/// exchanges and the others cost one, even if the server renews its nonce with
/// `Authentication-Info`.
///
/// A refusal is returned as it came if no provider has credentials for the space, if the
/// credentials were refused, or if the body cannot be sent again. In the last case, the next
/// request to the space is signed at once. A validator's error for the refusal says which it was.
///
/// Credentials go only to the origin that they were issued for, whatever a provider returns. A
/// request that has credentials of its own keeps them. The heads of refusals are in the response's
/// `history`.
///
/// `auth-int` is used only if the server accepts nothing less, because the body must then be read
/// once more. Names and passwords are hashed as they are written, in UTF-8. Normalise them first if
/// they may be composed in another way (RFC 7616 §4).
///
/// Runs per attempt (row 9). Copies share what they have learnt.
public struct ChallengeAuthentication: HTTPClientMiddleware {
    private let responder: ChallengeResponder

    /// - Parameters:
    ///   - providers: asked in this order, until one has credentials for the space.
    ///   - schemes: the schemes to use, for example all but ``AuthenticationScheme/digestMD5``.
    ///   - sendsPasswordUnencrypted: whether Basic is used over http too, where the password can be
    ///     read on the way. If `false`, such a challenge fails with `passwordWithheld`.
    public init(
        _ providers: any PasswordProvider...,
        schemes: Set<AuthenticationScheme> = Set(AuthenticationScheme.allCases),
        sendsPasswordUnencrypted: Bool = false
    ) {
        responder = ChallengeResponder(
            .server, providers, schemes: schemes,
            sendsPasswordUnencrypted: sendsPasswordUnencrypted)
    }

    private struct Closure: PasswordProvider {
        let find: @Sendable (ProtectionSpace) async throws -> PasswordCredentials?

        func credentials(for space: ProtectionSpace) async throws -> PasswordCredentials? {
            try await find(space)
        }
    }

    /// Creates the middleware with a closure as its provider. See
    /// ``PasswordProvider/credentials(for:)``.
    public init(
        schemes: Set<AuthenticationScheme> = Set(AuthenticationScheme.allCases),
        sendsPasswordUnencrypted: Bool = false,
        asking find: @escaping @Sendable (ProtectionSpace) async throws -> PasswordCredentials?
    ) {
        self.init(
            Closure(find: find), schemes: schemes,
            sendsPasswordUnencrypted: sendsPasswordUnencrypted)
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await responder.respond(to: request, next: next)
    }
}
