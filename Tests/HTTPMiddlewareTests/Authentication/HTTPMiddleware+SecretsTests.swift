import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing

@testable import HTTPMiddleware

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct HTTPMiddlewareSecretsTests {
    /// The secret in all of its encodings.
    private static let secrets = [
        "hunter2", "bXI6aHVudGVyMg", MD5.hash("mr:r:hunter2").hexadecimal,
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
        let layers: [any HTTPClientMiddleware] = [
            ChallengeAuthentication(credentials), try BasicAuthentication(credentials),
            RefreshingAuthentication(for: origin, credential: try .bearer("hunter2")) { _, _ in
                throw Told()
            },
            ChallengeAuthentication(sendsPasswordUnencrypted: false) { _ in
                PasswordCredentials(user: "mr:", password: "hunter2", for: origin)
            },
        ]
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
