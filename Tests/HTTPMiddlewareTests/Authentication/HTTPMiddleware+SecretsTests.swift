import HTTPCore
import HTTPFormats
import HTTPHashing
import HTTPTesting
import Testing
@testable import HTTPMiddleware
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPMiddlewareSecretsTests {
    /// The secret in all of its encodings.
    private static let secrets = [
        "hunter2", "bXI6aHVudGVyMg", "hunter=2", "hunter%3D2", MD5.hash("mr:r:hunter2").hexadecimal,
    ]

    private func expectSilence(
        _ values: [Any], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            for secret in Self.secrets {
                #expect(
                    !text.contains(secret), "\(type(of: value)) tells",
                    sourceLocation: sourceLocation)
            }
        }
    }

    @Test func `no description, reflection or dump of any value tells a secret`() async throws {
        let origin = try HTTPOrigin("https://h")
        let credentials = PasswordCredentials(user: "mr", password: "hunter2", for: origin)
        let credential = try HTTPCredential.bearer(
            "hunter2", expiry: HTTPTestClock.standardDate, refreshToken: "hunter2")
        let challenge = try #require(
            DigestChallenge(.only(in: "Digest realm=r, nonce=n, qop=auth")))
        let answer = DigestAnswer(
            challenge: challenge, credentials: credentials, clientNonce: "c", count: 1)
        var spaces = ProtectionSpaceRegistry()
        for (realm, answer) in [
            ("r", ProtectionSpaceRegistry.Answer.digest(answer)), ("b", .basic(credentials)),
        ] {
            let space = ProtectionSpaceRegistry.Space(
                key: .init(origin: origin, realm: realm), scopes: [.all], answer: answer)
            _ = spaces.answer(toRefusal: space)
            if realm == "b" { spaces.enter(space) }
        }
        let book = CredentialRegistry(credential, leeway: .zero, window: RefreshWindow())
        func identity(
            _ authentication: OAuthClientCredentials.ClientAuthentication
        ) throws -> OAuthClientCredentials {
            try OAuthClientCredentials(
                tokenEndpoint: "https://h/t?key=hunter2", clientID: "mr", clientSecret: "hunter2",
                authentication: authentication)
        }
        let token = try OAuthTokenResponse(
            Data(#"{"access_token":"hunter2","token_type":"bearer","expires_in":1}"#.utf8),
            at: HTTPTestClock.standardDate)
        let netrc = try Netrc("machine h login mr password hunter2 default password hunter2")
        expectSilence([
            credentials, [credentials], credential, answer, spaces, book,
            book.beforeSending(at: .distantPast), netrc, netrc.entries, netrc["h"] as Any,
            try BasicAuthentication(credentials),
            BearerAuthentication(for: origin) { "hunter2" },
            RefreshingAuthentication(for: origin, credential: credential) { _, _ in credential },
            DigestAuthentication(credentials), ChallengeAuthentication(credentials),
            ProxyAuthentication(credentials), try answer.authorization(method: .get, uri: "/"),
            try Authorization.basic(user: "mr", password: "hunter2").forProxy,
            try identity(.basic), try identity(.body), [try identity(.body)], token,
            try RefreshingAuthentication(for: origin, clientCredentials: identity(.body)),
            RequestSigning { _, _ in ["X-Proof": "hunter2"] }, try HMACSHA256(key: "hunter2"),
        ])
        #expect(
            "\(credential)"
                == "Authorization: Bearer <redacted>, until Sun, 06 Nov 1994 08:49:37 GMT")
        #expect("\(credentials)" == "<redacted> for https://h")
    }

    private final class Log: HTTPObserver {
        let events = Locked([HTTPEvent]())
        func observe(_ event: HTTPEvent) { events.withLock { $0.append(event) } }
    }

    @Test func `no request, response, event or error of a call tells a secret`() async throws {
        struct Told: Error, CustomStringConvertible {
            var description: String { "hunter2" }
        }
        let origin = try HTTPOrigin("https://h")
        let credentials = PasswordCredentials(user: "mr", password: "hunter2", for: origin)
        let log = Log()
        let mock = MockSession {
            HTTPResponse(
                .unauthorized, headers: [.wwwAuthenticate: "Basic realm=r"], to: $0)
        }
        var seen: [Any] = []
        var layers: [any HTTPClientMiddleware] = [
            ChallengeAuthentication(credentials), try BasicAuthentication(credentials),
            RefreshingAuthentication(for: origin, credential: try .bearer("hunter2")) { _, _ in
                throw Told()
            },
            ChallengeAuthentication(sendsPasswordUnencrypted: false) { _ in
                PasswordCredentials(user: "mr:", password: "hunter2", for: origin)
            },
            RequestSigning { _, _ in ["X-Proof": "hunter2"] },
        ]
        // The endpoint repeats what it was sent.
        for authentication in [OAuthClientCredentials.ClientAuthentication.basic, .body] {
            let echo = MockSession { request in
                let form = String(decoding: try await request.body.collect(), as: UTF8.self)
                let text = "\(form) \(request.headers[.authorization] ?? "")"
                return HTTPResponse(
                    .badRequest,
                    body: HTTPBody("{\"error\":\"e\",\"error_description\":\"\(text)\"}"),
                    to: request)
            }
            let secret = authentication == .body ? "hunter=2" : "hunter2"
            let credentials = try OAuthClientCredentials(
                tokenEndpoint: "https://h/t", clientID: "mr", clientSecret: secret,
                authentication: authentication, over: echo)
            layers.append(
                try RefreshingAuthentication(for: origin, clientCredentials: credentials))
        }
        for layer in layers {
            do {
                let request = try HTTPRequest(.get, "https://h/").beginningCall(observer: log)
                let response = try await mock.with(layer, OriginGuard()).response(for: request)
                seen += [response, response.originalRequest, response.history]
            } catch {
                seen.append(error)
            }
        }
        #expect(seen.contains { $0 is HTTPError })
        #expect(mock.requests.contains { $0.headers[.authorization]?.contains("hunter2") == true })
        expectSilence(seen + mock.requests + log.events.withLock { $0 })
    }
}
