public import HTTPCore

/// Proves a password to a proxy that forwards requests and asks for it (407), as
/// ``ChallengeAuthentication`` does to servers.
///
/// For requests of http, which a proxy forwards: those of https go through a tunnel, whose credentials
/// are the transport's. `Proxy-Authorization` is sent only where the proxy that the credentials were
/// issued for has asked for it, in `HTTPResponse.forwardingProxy`'s word, and then with what goes to
/// the same origin. A 407 without a proxy is a fault of the server, or an attempt to get at
/// credentials.
///
/// `CurlTransport` names its proxy. `URLSessionTransport` names none: with it nothing is answered, and
/// every 407 is `protocolViolation`.
///
/// Runs per attempt (row 9), inside the one for servers, around one transport whose proxies stay the
/// same.
public struct ProxyAuthentication: HTTPClientMiddleware {
    private let responder: ChallengeResponder

    /// - Parameters:
    ///   - providers: as of ``ChallengeAuthentication``; the origin that they are asked about is the
    ///     proxy's.
    ///   - sendsPasswordUnencrypted: whether Basic is answered to a proxy that is spoken to without
    ///     TLS, too.
    public init(
        _ providers: any PasswordProvider...,
        schemes: Set<AuthenticationScheme> = Set(AuthenticationScheme.allCases),
        sendsPasswordUnencrypted: Bool = false
    ) {
        responder = ChallengeResponder(
            .proxy, providers, schemes: schemes, sendsPasswordUnencrypted: sendsPasswordUnencrypted)
    }

    /// - Throws: `protocolViolation` for a 407 that no proxy has sent.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await responder.respond(to: request, next: next)
    }
}
