import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The code of Docs/Guides/Authentication.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct AuthenticationGuideTests {
    private struct Vault {
        func token() async throws -> String { "hunter2" }
    }

    private let secret = "hunter2"
    private let vault = Vault()
    private let api: HTTPOrigin

    init() throws { api = try HTTPOrigin("https://api.example.com") }

    /// Refuses what is not signed, and gives out tokens.
    private let transport = MockSession { request in
        if request.url.host() == "login.example.com" {
            return HTTPResponse(
                .badRequest, body: HTTPBody(#"{"error":"invalid_scope"}"#), to: request)
        }
        if request.url.path() == "/token" {
            let body = try await request.body.collect()
            let form = "grant_type=refresh_token&refresh_token=r0"
            #expect(body == Data(form.utf8))
            return HTTPResponse(
                .ok,
                body: HTTPBody(#"{"access_token":"a1","refresh_token":"r1","expires_in":3600}"#),
                to: request)
        }
        let authorization = request.headers[.authorization] ?? ""
        guard authorization.isEmpty || authorization == "Bearer a0" else {
            return HTTPResponse(.ok, to: request)
        }
        return HTTPResponse(
            .unauthorized, headers: [.wwwAuthenticate: "Basic realm=r"], to: request)
    }

    private func prompt(_ question: String) async -> String? {
        #expect(question == "Password for r at https://api.example.com")
        return secret
    }

    private func status(_ session: any HTTPSession) async throws -> HTTPStatus {
        try await session.response(for: "https://api.example.com/").status
    }

    @Test func `a token`() async throws {
        let api = try HTTPOrigin("https://api.example.com")
        let session = transport.with(
            BearerAuthentication(for: api) { try await vault.token() },
            OriginGuard())
        #expect(try await status(session) == .ok)
    }

    @Test func `a token that ends`() async throws {
        let saved = try HTTPCredential.bearer("a0", refreshToken: "r0")
        struct Tokens: Decodable {
            var access_token: String
            var refresh_token: String
            var expires_in: Double
        }

        let authentication = RefreshingAuthentication(for: api, credential: saved) { old, session in
            let form = try HTTPRequest(.post, "https://api.example.com/token").formURLEncoded([
                "grant_type": "refresh_token", "refresh_token": old?.refreshToken ?? "",
            ])
            let tokens = try await session.response(Tokens.self, for: form)
            return try .bearer(
                tokens.access_token, expiry: Date() + tokens.expires_in,
                refreshToken: tokens.refresh_token)
        }
        let session = transport.with(authentication, OriginGuard())
        #expect(try await status(session) == .ok)
        #expect(authentication.credential?.refreshToken == "r1")
    }

    @Test func `a token of a program`() async throws {
        let id = "me"
        let request = try HTTPRequest("https://api.example.com/")
        let tokens = try OAuthClientCredentials(
            tokenEndpoint: "https://login.example.com/token", clientID: id, clientSecret: secret,
            scopes: ["orders.read"], parameters: ["audience": "https://api.example.com"])
        let authentication = try RefreshingAuthentication(for: api, clientCredentials: tokens)
        let session = transport.with(authentication, OriginGuard())
        do {
            _ = try await session.response(for: request)
        } catch let error as HTTPError where error.code == .refreshFailed {
            let refusal = error.underlyingError as? OAuthError
            print(refusal?.code ?? "no answer", error.isRetryable)
        }
        #expect(transport.requests.map { $0.url.host() } == ["login.example.com"])
    }

    @Test func `a signature`() async throws {
        let key = try HMACSHA256(key: secret)
        let signing = RequestSigning(for: api) { request, date in
            let digest = try await HTTPDigest.computed(.sha256, of: request.body).hexadecimal
            let time = "\(Int(date.timeIntervalSince1970))"
            let lines = [request.method.rawValue, request.url.path(), time, digest]
            let code = key.hexadecimalCode(for: Data(lines.joined(separator: "\n").utf8))
            return ["X-Time": time, .authorization: "Example \(code)"]
        }
        let session = transport.with(signing, OriginGuard())
        #expect(try await status(session) == .ok)
        #expect(transport.requests[0].headers[.authorization]?.hasPrefix("Example ") == true)
    }

    @Test func `a password`() async throws {
        let credentials = PasswordCredentials(user: "me", password: secret, for: api)
        let session = transport.with(ChallengeAuthentication(credentials), OriginGuard())
        #expect(try await status(session) == .ok)
    }

    @Test func `a password that is asked for`() async throws {
        let asking = ChallengeAuthentication { space in
            guard let answer = await prompt("Password for \(space.realm ?? "") at \(space.origin)")
            else { return nil }  // the 401 is handed back
            return PasswordCredentials(user: "me", password: answer, for: space.origin)
        }
        #expect(try await status(transport.with(asking)) == .ok)
    }

    @Test func `a password from a file, or for a proxy`() throws {
        let netrc = ChallengeAuthentication(NetrcFile())
        _ = netrc
        let proxy = PasswordCredentials(
            user: "me", password: secret, for: try HTTPOrigin("http://proxy.example.com:3128"))
        let session = transport.with(ProxyAuthentication(proxy), OriginGuard())
        _ = session
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Authentication")
        #expect(page.blocks.count == 9)
        #expect(page.untested == [])
    }
}
