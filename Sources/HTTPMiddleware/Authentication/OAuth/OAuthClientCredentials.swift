public import HTTPCore
import HTTPFormats
import PortableFoundation

/// The identity of a program that gets access tokens in its own name, without a user: the client
/// credentials grant of OAuth 2.0 (RFC 6749 §4.4).
///
/// ```swift
/// let tokens = try OAuthClientCredentials(
///     tokenEndpoint: "https://login.example.com/token", clientID: id, clientSecret: secret,
///     scopes: ["orders.read"])
/// let authentication = try RefreshingAuthentication(for: api, clientCredentials: tokens)
/// ```
///
/// A secret: no description shows more than the origin of the token endpoint.
public struct OAuthClientCredentials: Sendable {
    /// The way in which the client proves its identity (RFC 6749 §2.3.1).
    public enum ClientAuthentication: Hashable, Sendable {
        /// The scheme Basic, with the id and the secret form-encoded first. Every server supports
        /// it.
        case basic
        /// The parameters `client_id` and `client_secret` of the body, for servers that do not
        /// decode Basic as the standard says.
        case body
    }

    private let request: HTTPRequest
    private let origin: HTTPOrigin
    let sendsSecretsUnencrypted: Bool
    private let session: (any HTTPSession)?
    /// The secret in each form that a server could repeat.
    private let secrets: [String]

    /// - Parameters:
    ///   - tokenEndpoint: The URL of the token endpoint.
    ///   - clientID: The identifier of the client.
    ///   - clientSecret: The secret of the client. No description shows it.
    ///   - scopes: The scopes to ask for, each without blanks; none for the server's default.
    ///   - parameters: Further parameters of the request, such as `audience`, or `resource` (RFC
    ///     8707), which may be repeated.
    ///   - authentication: The way in which the secret is sent.
    ///   - sendsSecretsUnencrypted: Whether the token endpoint and the API may use http, where the
    ///     secret and the tokens can be read on the way.
    ///   - session: The session for the token request, or `nil` for the layers below the
    ///     authentication. The request has the fields that this session adds, and no others.
    ///     Redirects are not followed.
    /// - Throws: `invalidRequest` if the endpoint is not an absolute URL or has a fragment, if the
    ///   id or the secret is empty, if a scope is not one, or if a parameter is one that this type
    ///   sets; `passwordWithheld` for an http endpoint without `sendsSecretsUnencrypted`.
    public init(
        tokenEndpoint: String, clientID: String, clientSecret: String, scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        authentication: ClientAuthentication = .basic, sendsSecretsUnencrypted: Bool = false,
        over session: (any HTTPSession)? = nil
    ) throws(HTTPError) {
        guard !clientID.isEmpty, !clientSecret.isEmpty else {
            throw HTTPError(
                .invalidRequest,
                "the client's id or secret is empty: check the place that they are read from")
        }
        guard scopes.allSatisfy(Self.isScope) else {
            throw HTTPError(
                .invalidRequest,
                "a scope is empty, or has a character that none may have (RFC 6749 §3.3): pass "
                    + "each scope separately")
        }
        if let taken = parameters.map(\.key).first(where: Self.ownParameters.contains) {
            throw HTTPError(
                .invalidRequest, "the parameter \(taken) is set by the arguments of its name")
        }
        guard !tokenEndpoint.utf8.contains(UInt8(ascii: "#")) else {
            throw HTTPError(
                .invalidRequest, "a token endpoint has no fragment (RFC 6749 §3.2)")
        }

        var pairs = [FormURLEncoded.Pair("grant_type", "client_credentials")]
        if !scopes.isEmpty { pairs.append(.init("scope", scopes.joined(separator: " "))) }
        pairs += parameters.map { FormURLEncoded.Pair($0.key, $0.value) }
        if authentication == .body {
            pairs += [.init("client_id", clientID), .init("client_secret", clientSecret)]
        }
        var request = try HTTPRequest(.post, tokenEndpoint)
            .formURLEncoded(FormURLEncoded(pairs, style: .whatwg))
            .header(.accept, "application/json")
            .redirects(.manual)
            .delivery(.buffered(upTo: Self.longestResponse))
        origin = try request.checkedTarget().origin
        guard origin.scheme == .https || sendsSecretsUnencrypted else {
            throw .clientSecretWithheld(from: origin)
        }
        let (user, password) = (clientID.formEncoded, clientSecret.formEncoded)
        let basic = try Authorization.basic(user: user, password: password)
        if authentication == .basic { try request.authorize(basic, issuedBy: origin) }
        self.request = request
        self.sendsSecretsUnencrypted = sendsSecretsUnencrypted
        self.session = session
        secrets = [
            clientSecret, password, String(basic.fieldValue.dropFirst("Basic ".utf8.count)),
        ]
    }

    /// The size of the longest token response that is read, in bytes.
    private static var longestResponse: Int { 64 << 10 }

    private static let ownParameters: Set<String> = [
        "grant_type", "scope", "client_id", "client_secret",
    ]

    /// Returns whether `text` is one scope (RFC 6749 §3.3).
    private static func isScope(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }
}

// MARK: - Asking

extension OAuthClientCredentials: CredentialProvider {
    package func credential(
        replacing old: HTTPCredential?, over session: any HTTPSession, on clock: any HTTPClock
    ) async throws -> HTTPCredential {
        // The life counts from before the request, because the time on the way is not known.
        let date = clock.date
        let reply = try await reply(over: self.session ?? session, on: clock)
        let refused = OAuthError(reply.status, body: reply.body, hiding: secrets)
        guard reply.status.isSuccessful else { throw refusal(reply.status, refused) }
        do throws(HTTPError) {
            return try OAuthTokenResponse(reply.body, at: date).credential
        } catch {
            // Some servers refuse with a 200.
            throw refused.map { refusal(reply.status, $0) } ?? error
        }
    }

    private typealias Reply = (status: HTTPStatus, body: Data)

    /// Asks the token endpoint, in a call of its own.
    private func reply(
        over session: any HTTPSession, on clock: any HTTPClock
    ) async throws -> Reply {
        do {
            let call = try request.beginningCall(clock: clock)
            let response = try await session.attempt(call).get()
            return (response.status, try await response.data())
        } catch let error as HTTPError {
            // A session that validates throws an error response.
            if let status = error.response?.status, !status.isSuccessful {
                return (status, error.bodyPrefix ?? Data())
            }
            throw unanswered(error)
        }
    }

    /// Returns an error without what the original may have kept of the response: the token.
    private func unanswered(_ error: HTTPError) -> HTTPError {
        HTTPError(
            .refreshFailed, "the token endpoint of \(origin) gave no token: \(error.innermostCode)",
            isRetryable: error.isRetryable,
            underlyingError: HTTPError(
                error.code, error.message, phase: error.phase, timer: error.timer,
                isRetryable: error.isRetryable, mayHaveReachedServer: error.mayHaveReachedServer
            ).ending(request))
    }

    private func refusal(_ status: HTTPStatus, _ error: OAuthError?) -> HTTPError {
        let isPassing =
            status.isServerError || Self.passing.contains(status)
            || error.map { Self.passingCodes.contains($0.code) } ?? false
        return HTTPError(
            .refreshFailed,
            "the token endpoint of \(origin) refused with \(status.code)"
                + (error.map { ": \($0)" } ?? ""),
            isRetryable: isPassing, underlyingError: error)
    }

    private static let passing: Set<HTTPStatus> = [.requestTimeout, .tooManyRequests]
    private static let passingCodes: Set<String> = [
        "temporarily_unavailable", "server_error", "slow_down",
    ]
}

extension RefreshingAuthentication {
    /// Creates a middleware that signs with access tokens of the client credentials grant, and gets
    /// the first one with the first request.
    ///
    /// A token without `expires_in` is used until it is refused. A refusal of the token endpoint is
    /// `refreshFailed` with an ``OAuthError`` inside.
    ///
    /// - Parameters:
    ///   - origin: The origin that the credentials are for. No other one gets them.
    ///   - clientCredentials: The grant that obtains the tokens.
    ///   - leeway: The time before its expiry when a token is replaced, at most half of its life.
    ///   - window: The limit on refreshes in a time.
    ///   - timeout: The time that one token request may take.
    ///   - sharing: The store of a fleet's tokens; `nil` if this process has its own.
    /// - Throws: `passwordWithheld` for an http origin, unless the credentials allow it.
    public init(
        for origin: HTTPOrigin, clientCredentials: OAuthClientCredentials,
        leeway: Duration = .seconds(300), window: RefreshWindow = RefreshWindow(),
        timeout: Duration = .seconds(30), sharing: HTTPCredentialSharing? = nil
    ) throws(HTTPError) {
        guard origin.scheme == .https || clientCredentials.sendsSecretsUnencrypted else {
            throw .clientSecretWithheld(from: origin)
        }
        self.init(
            for: origin, leeway: leeway, window: window, timeout: timeout, sharing: sharing,
            provider: clientCredentials)
    }
}

extension OAuthClientCredentials: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public var description: String { "<redacted> for \(origin)" }
    public var debugDescription: String { description }
    /// A mirror for `dump` that does not contain the secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPError {
    fileprivate static func clientSecretWithheld(from origin: HTTPOrigin) -> HTTPError {
        HTTPError(
            .passwordWithheld,
            "\(origin) would get the client's secret or its tokens unencrypted, over http: use "
                + "https, or allow it with sendsSecretsUnencrypted",
            phase: .preparing)
    }
}

extension String {
    /// This text as the scheme Basic takes the id and the secret of a client (RFC 6749 Appendix B).
    fileprivate var formEncoded: String {
        var text = ""
        text.appendPercentEncoded(self, allowed: .whatwgForm, spaceAsPlus: true)
        return text
    }
}
