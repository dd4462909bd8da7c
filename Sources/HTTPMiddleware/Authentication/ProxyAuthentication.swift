public import HTTPCore

/// A middleware that proves a password to a proxy that forwards requests and asks for it (407), as
/// ``ChallengeAuthentication`` does for servers.
///
/// It applies to http requests, which a proxy forwards. An https request goes through a tunnel,
/// whose credentials belong to the transport. `Proxy-Authorization` is sent only after the proxy
/// that the credentials were issued for has asked for it, according to
/// `HTTPResponse.forwardingProxy`, and then with requests to the same origin. A 407 without a proxy
/// is a fault of the server, or an attempt to obtain credentials.
///
/// `CurlTransport` names its proxy. `URLSessionTransport` does not: with it, no challenge is
/// answered, and every 407 is `protocolViolation`.
///
/// Runs per attempt (row 9), inside the authentication for servers, around one transport whose
/// proxies stay the same.
public struct ProxyAuthentication: HTTPClientMiddleware {
    private let responder: ChallengeResponder

    /// - Parameters:
    ///   - providers: the same as for ``ChallengeAuthentication``, but asked about the origin of
    ///     the proxy.
    ///   - schemes: The schemes that may be used.
    ///   - sendsPasswordUnencrypted: whether Basic is used even if the connection to the proxy has
    ///     no TLS.
    public init(
        _ providers: any PasswordProvider...,
        schemes: Set<AuthenticationScheme> = Set(AuthenticationScheme.allCases),
        sendsPasswordUnencrypted: Bool = false
    ) {
        responder = ChallengeResponder(
            .proxy, providers, schemes: schemes, sendsPasswordUnencrypted: sendsPasswordUnencrypted)
    }

    /// - Throws: `protocolViolation` for a 407 that no proxy can have sent.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        try await responder.respond(to: request, next: next)
    }
}
