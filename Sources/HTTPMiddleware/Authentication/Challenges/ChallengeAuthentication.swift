public import HTTPCore

/// Proves passwords to servers that ask for them, by the strongest scheme that both sides can:
/// Digest with SHA-512/256, SHA-256 or MD5 (RFC 7616), else Basic (RFC 7617), over https only.
///
/// A request that is refused (401) with a challenge is sent once more with the answer. Those that
/// follow into the same space carry one at once, so the first request to it costs two exchanges and the
/// others one, also when the server renews its nonce by `Authentication-Info`. A refusal is handed back
/// as it came where nobody has credentials for it, where they were refused, and where the body cannot
/// be sent again: its next request to the space is then signed at once.
///
/// Credentials go to the origin that they were issued for and nowhere else, whatever a provider says. A
/// request that has credentials of its own keeps them. Heads of refusals are in the response's
/// `history`.
///
/// `auth-int` is answered where the server wants nothing less, by reading the body once more.
/// Names and passwords are hashed as they are written, in UTF-8: normalise them first where they may be
/// composed otherwise (RFC 7616 §4).
///
/// Runs per attempt (row 9). Copies share what they have learnt.
public struct ChallengeAuthentication: HTTPClientMiddleware {
    private let responder: ChallengeResponder

    /// - Parameters:
    ///   - providers: asked in this order, until one has credentials for the space.
    ///   - schemes: what may be answered, such as all but ``AuthenticationScheme/digestMD5``.
    ///   - sendsPasswordUnencrypted: whether Basic is answered over http, too, where anybody on the way
    ///     can read the password. Without that such a challenge fails with `passwordWithheld`.
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

    /// With a closure for a provider, see ``PasswordProvider/credentials(for:)``.
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
