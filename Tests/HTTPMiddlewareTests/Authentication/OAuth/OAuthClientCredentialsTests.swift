import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct OAuthClientCredentialsTests {
    private let clock = HTTPTestClock()
    private let api: HTTPOrigin

    init() throws { api = try HTTPOrigin("https://api") }

    /// A token endpoint and an API. The endpoint issues `t1`, `t2` …; the API accepts the newest.
    private final class Server: Sendable {
        let gate = Gate()
        let hasStarted = Gate()
        let wasCancelled = Gate()
        let forms = Locked([String]())
        /// The number of the token that the API accepts.
        let newest = Locked(0)
        let life: Int?
        let accepts = Locked(true)
        private let endpointFailure = Locked<(HTTPStatus, String)?>(nil)

        init(isOpen: Bool = true, life: Int? = 3600) {
            self.life = life
            if isOpen { gate.open() }
        }

        var tokens: Int { forms.withLock { $0.count } }

        func fail(_ status: HTTPStatus?, _ body: String = "") {
            endpointFailure.withLock { $0 = status.map { ($0, body) } }
        }

        func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
            guard request.url.host() == "login" else {
                let isGood = request.headers[.authorization] == "Bearer t\(newest.withLock { $0 })"
                return HTTPResponse(
                    isGood && accepts.withLock { $0 } ? .ok : .unauthorized, to: request)
            }
            let form = String(decoding: try await request.body.collect(), as: UTF8.self)
            let number = forms.withLock {
                $0.append(form)
                return $0.count
            }
            hasStarted.open()
            do {
                try await gate.wait()
            } catch {
                wasCancelled.open()
                throw error
            }
            if let (status, body) = endpointFailure.withLock({ $0 }) {
                return HTTPResponse(status, body: HTTPBody(body), to: request)
            }
            newest.withLock { $0 = number }
            let expiry = life.map { ",\"expires_in\":\($0)" } ?? ""
            return HTTPResponse(
                .ok,
                body: HTTPBody(
                    "{\"access_token\":\"t\(number)\",\"token_type\":\"bearer\"\(expiry)}"),
                to: request)
        }

        var session: MockSession { MockSession { try await self.answer($0) } }
    }

    private func credentials(
        id: String = "me", secret: String = "hunter2", scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        authentication: OAuthClientCredentials.ClientAuthentication = .basic,
        over session: (any HTTPSession)? = nil
    ) throws -> OAuthClientCredentials {
        try OAuthClientCredentials(
            tokenEndpoint: "https://login/token", clientID: id, clientSecret: secret,
            scopes: scopes, parameters: parameters, authentication: authentication, over: session)
    }

    private func layer(
        _ credentials: OAuthClientCredentials? = nil, timeout: Duration = .seconds(30)
    ) throws -> RefreshingAuthentication {
        try RefreshingAuthentication(
            for: api, clientCredentials: credentials ?? self.credentials(), timeout: timeout)
    }

    private func request() throws -> HTTPRequest {
        try HTTPRequest(.get, "https://api/").beginningCall(clock: clock)
    }

    private func failure(_ session: any HTTPSession) async throws -> HTTPError {
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        return try #require(error)
    }

    // MARK: The token request

    /// The example of RFC 6749 §4.4.2, with its scope.
    @Test func `the request is that of the standard`() async throws {
        let server = Server()
        let mock = server.session
        let credentials = try credentials(
            id: "s6BhdRkqt3", secret: "gX1fBat3bV", scopes: ["orders.read", "b:c/d"],
            parameters: ["audience": "https://api/?a b", "resource": "1", "resource": "2"])
        let response = try await mock.with(try layer(credentials), OriginGuard())
            .response(for: request())
        #expect(response.status == .ok)
        let sent = try #require(mock.requests.first)
        #expect(sent.method == .post && sent.url.absoluteString == "https://login/token")
        #expect(sent.headers[.authorization] == "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW")
        #expect(sent.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(sent.headers[.accept] == "application/json")
        #expect(
            server.forms.withLock { $0 } == [
                "grant_type=client_credentials&scope=orders.read+b%3Ac%2Fd"
                    + "&audience=https%3A%2F%2Fapi%2F%3Fa+b&resource=1&resource=2"
            ])
        #expect(mock.requests[1].headers[.authorization] == "Bearer t1")
    }

    /// The example of RFC 6749 Appendix B.
    @Test func `the id and the secret are form-encoded before they are Basic's`() async throws {
        let mock = Server().session
        let session = mock.with(try layer(credentials(id: " %&+£€", secret: "a:b c")))
        _ = try await session.response(for: request())
        let value = try #require(mock.requests[0].headers[.authorization]?.dropFirst(6))
        let decoded = try #require(Data(base64Encoded: String(value)))
        #expect(String(decoding: decoded, as: UTF8.self) == "+%25%26%2B%C2%A3%E2%82%AC:a%3Ab+c")
    }

    @Test func `the secret can be in the body instead`() async throws {
        let server = Server()
        let mock = server.session
        let session = mock.with(
            try layer(credentials(id: "a b", secret: "s&=", authentication: .body)))
        _ = try await session.response(for: request())
        #expect(mock.requests[0].headers[.authorization] == nil)
        #expect(
            server.forms.withLock { $0 } == [
                "grant_type=client_credentials&client_id=a+b&client_secret=s%26%3D"
            ])
    }

    @Test func `the request is sent over its own session, without what the caller has`()
        async throws
    {
        let (server, own) = (Server(), Server())
        let (mock, ownMock) = (server.session, own.session)
        server.newest.withLock { $0 = 1 }
        let headers: HTTPHeaders = ["X-Default": "1", "X-API-Key": "k"]
        let session = mock.with(
            DefaultHeaders(headers), try layer(credentials(over: ownMock)), OriginGuard())
        var request = try HTTPRequest(.get, "https://api/").header("X-Own", "1")
        request.deadline = clock.now + .seconds(3)
        _ = try await session.response(for: request.beginningCall(clock: clock))
        #expect(mock.requests.count == 1 && ownMock.requests.count == 1)
        let token = try #require(ownMock.requests.first)
        #expect(
            Set(token.headers.map(\.name)) == [.authorization, .contentType, .accept])
        #expect(token.call?.id != mock.requests[0].call?.id)
        // Its own limit, on the clock of the call.
        #expect(token.deadline == clock.now + .seconds(30))
        guard case .manual? = token.redirectMode else {
            Issue.record("a redirect would take the secret elsewhere")
            return
        }
    }

    /// The server made the token at a moment between its request and its response.
    @Test func `the life of a token counts from before its request`() async throws {
        let start = clock.date
        let mock = MockSession { [clock] request in
            clock.advance(by: .seconds(20))
            return HTTPResponse(
                .ok,
                body: HTTPBody(#"{"access_token":"t","token_type":"bearer","expires_in":60}"#),
                to: request)
        }
        let credential = try await credentials().credential(replacing: nil, over: mock, on: clock)
        #expect(credential.expiry == start.addingTimeInterval(60))
    }

    /// The secret as the caller has it, as the form sends it, and as Basic sends it with the id.
    @Test(
        arguments: [OAuthClientCredentials.ClientAuthentication.basic, .body],
        ["s3cr&t:/+", "s3cr%26t%3A%2F%2B", "bWU6czNjciUyNnQlM0ElMkYlMkI="])
    func `no form of the secret is in an error that repeats it`(
        authentication: OAuthClientCredentials.ClientAuthentication, form: String
    ) async throws {
        let credentials = try credentials(secret: "s3cr&t:/+", authentication: authentication)
        let server = Server()
        let session = server.session.with(try layer(credentials))
        for members in [
            #""error":"invalid_client","error_description":"got \#(form), sorry""#,
            #""error":"\#(form)""#, #""error":"no \#(form)","error_description":"sorry""#,
        ] {
            server.fail(.badRequest, "{\(members)}")
            let error = try await failure(session)
            #expect(error.code == .refreshFailed)
            var dumped = ""
            dump(error, to: &dumped)
            for text in ["\(error)", error.message, dumped] {
                #expect(!text.contains(form), "\(text)")
            }
            let explanation = (error.underlyingError as? OAuthError)?.explanation
            #expect(explanation?.contains(form) != true)
        }
        // What repeats nothing is told.
        server.fail(.badRequest, #"{"error":"invalid_client","error_description":"sorry"}"#)
        let error = try await failure(session)
        #expect((error.underlyingError as? OAuthError)?.explanation == "sorry")
    }

    @Test(arguments: [
        ("https://login/t", "", "s"), ("https://login/t", "i", ""), ("login/t", "i", "s"),
        ("/t", "i", "s"), ("", "i", "s"), ("https://login/t#x", "i", "s"), ("https://", "i", "s"),
        ("ftp://login/t", "i", "s"), ("https://u:p@login/t", "i", "s"),
    ])
    func `what cannot be an identity fails at once`(url: String, id: String, secret: String) {
        let error = #expect(throws: HTTPError.self) {
            try OAuthClientCredentials(tokenEndpoint: url, clientID: id, clientSecret: secret)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `scopes and parameters that would change the request are refused`() {
        for scope in ["", "a b", "a\"", "a\\", "é", "a\n"] {
            let error = #expect(throws: HTTPError.self) { try credentials(scopes: ["ok", scope]) }
            #expect(error?.code == .invalidRequest)
        }
        for parameters in [
            ["grant_type": "password"], ["client_id": "x"], ["client_secret": "x"], ["scope": "x"],
        ] as [KeyValuePairs<String, String>] {
            let error = #expect(throws: HTTPError.self) {
                try credentials(parameters: parameters)
            }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func `neither the secret nor a token goes over http unless that is allowed`() throws {
        func make(_ url: String, _ api: String, _ isAllowed: Bool) throws {
            let credentials = try OAuthClientCredentials(
                tokenEndpoint: url, clientID: "i", clientSecret: "hunter2",
                sendsSecretsUnencrypted: isAllowed)
            _ = try RefreshingAuthentication(
                for: try HTTPOrigin(api), clientCredentials: credentials)
        }
        for (url, api) in [("http://login/t", "https://api"), ("https://login/t", "http://api")] {
            let error = #expect(throws: HTTPError.self) { try make(url, api, false) }
            #expect(error?.code == .passwordWithheld)
            try make(url, api, true)
        }
        try make("https://login/t", "https://api", false)
    }

    // MARK: The life of a token

    @Test func `64 tasks share one token request`() async throws {
        let server = Server(isOpen: false)
        let mock = server.session
        let session = mock.with(try layer())
        let tasks = try (0..<64).map { _ in
            let request = try request()
            return Task { try await session.response(for: request).status }
        }
        try await server.hasStarted.wait()
        server.gate.open()
        for task in tasks { #expect(try await task.value == .ok) }
        #expect(server.tokens == 1 && mock.requests.count == 65)
    }

    @Test func `a token is replaced before it expires, and used until then`() async throws {
        let server = Server()
        let session = server.session.with(try layer())
        _ = try await session.response(for: request())
        clock.advance(by: .seconds(3299))
        _ = try await session.response(for: request())
        #expect(server.tokens == 1)
        // The endpoint is down: the old token is good until its end.
        clock.advance(by: .seconds(1))
        server.fail(.serviceUnavailable)
        #expect(try await session.response(for: request()).status == .ok)
        #expect(server.tokens == 2)
        clock.advance(by: .seconds(299))
        #expect(try await session.response(for: request()).status == .ok)
        clock.advance(by: .seconds(1))
        #expect(try await failure(session).code == .refreshFailed)
        server.fail(nil)
        #expect(try await session.response(for: request()).status == .ok)
        #expect(server.newest.withLock { $0 } == 5)
    }

    @Test func `a short life is halved, not ended, by the leeway`() async throws {
        let server = Server(life: 10)
        let session = server.session.with(try layer())
        _ = try await session.response(for: request())
        clock.advance(by: .milliseconds(4900))
        _ = try await session.response(for: request())
        #expect(server.tokens == 1)
        clock.advance(by: .milliseconds(100))
        _ = try await session.response(for: request())
        #expect(server.tokens == 2)
    }

    @Test func `a 401 gets one new token, and a second one is handed back`() async throws {
        let server = Server(life: nil)
        let mock = server.session
        let authentication = try layer()
        let session = mock.with(authentication)
        #expect(try await session.response(for: request()).status == .ok)
        clock.advance(by: .seconds(1_000_000))
        #expect(try await session.response(for: request()).status == .ok)
        #expect(server.tokens == 1, "without expires_in, a token is used until it is refused")
        server.accepts.withLock { $0 = false }
        #expect(try await session.response(for: request()).status == .unauthorized)
        #expect(server.tokens == 2 && mock.requests.count == 6)
        #expect(authentication.credential?.authorization.fieldValue == "Bearer t2")
    }

    @Test func `a clock that is set back or forward costs a token at most`() async throws {
        let server = Server()
        let session = server.session.with(try layer())
        _ = try await session.response(for: request())
        clock.advance(by: .seconds(1_000_000))
        #expect(try await session.response(for: request()).status == .ok)
        #expect(server.tokens == 2)
        // Set back, a token seems to live longer. The server refuses it, and it is replaced.
        let earlier = HTTPTestClock()
        server.accepts.withLock { $0 = false }
        let request = try HTTPRequest(.get, "https://api/").beginningCall(clock: earlier)
        _ = try await session.response(for: request)
        #expect(server.tokens == 3)
    }

    // MARK: Failures

    @Test func `a refusal has the server's code, and none of the secrets`() async throws {
        let server = Server()
        server.fail(
            .unauthorized, #"{"error":"invalid_client","error_description":"unknown\nclient"}"#)
        let error = try await failure(server.session.with(layer()))
        #expect(error.code == .refreshFailed && !error.isRetryable)
        #expect(
            error.message
                == #"the token endpoint of https://login refused with 401: invalid_client, "#
                + #""unknown\nclient""#)
        let cause = try #require(error.underlyingError as? OAuthError)
        #expect(cause.code == "invalid_client" && cause.status == .unauthorized)
    }

    @Test(arguments: [
        ("invalid_scope", false), ("temporarily_unavailable", true), ("server_error", true),
        ("slow_down", true),
    ])
    func `a refusal with the status 200 has the server's code, too`(
        code: String, isRetryable: Bool
    ) async throws {
        let server = Server()
        server.fail(.ok, "{\"error\":\"\(code)\",\"error_description\":\"hunter2\"}")
        let error = try await failure(server.session.with(layer()))
        #expect(error.code == .refreshFailed && error.isRetryable == isRetryable)
        #expect(error.message == "the token endpoint of https://login refused with 200: \(code)")
        let cause = try #require(error.underlyingError as? OAuthError)
        #expect(cause.code == code && cause.status == .ok && cause.explanation == nil)
    }

    @Test func `a token counts, whatever else the response says`() async throws {
        let server = Server()
        server.newest.withLock { $0 = 7 }
        server.fail(
            .ok, #"{"access_token":"t7","token_type":"bearer","error":"none"}"#)
        let response = try await server.session.with(layer()).response(for: request())
        #expect(response.status == .ok)
    }

    @Test(arguments: [
        (HTTPStatus.internalServerError, true), (.tooManyRequests, true), (.badRequest, false),
        (.found, false), (.notModified, false),
    ])
    func `any other refusal is one, too`(status: HTTPStatus, isRetryable: Bool) async throws {
        let server = Server()
        server.fail(status, "<html>hunter2</html>")
        let error = try await failure(server.session.with(layer()))
        #expect(error.code == .refreshFailed && error.isRetryable == isRetryable)
        #expect(error.message.hasSuffix("refused with \(status.code)"))
        #expect(error.underlyingError == nil && error.bodyPrefix == nil)
    }

    @Test func `the endpoint is asked again by the next request, within the window`() async throws {
        let server = Server()
        server.fail(.serviceUnavailable)
        let session = server.session.with(try layer())
        for _ in 0..<9 { #expect(try await failure(session).code == .refreshFailed) }
        #expect(server.tokens == 5)
        server.fail(nil)
        clock.advance(by: .seconds(30))
        #expect(try await session.response(for: request()).status == .ok)
    }

    @Test func `an endpoint that does not answer ends at the limit of the refresh`() async throws {
        let server = Server(isOpen: false)
        let session = server.session.with(try layer(timeout: .seconds(7)))
        let request = try request()
        let task = Task { try await session.response(for: request) }
        try await server.hasStarted.wait()
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(7))
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.code == .refreshFailed && error?.innermostCode == .timedOut)
        try await server.wasCancelled.wait()
    }

    @Test func `a long response is not read to its end`() async throws {
        let source = ScriptedBodySource(
            (0..<100).map { _ in .piece(Data(repeating: 0x20, count: 4096)) })
        let own = MockSession { HTTPResponse(.ok, body: HTTPBody(source: source), to: $0) }
        let error = try await failure(Server().session.with(layer(credentials(over: own))))
        #expect(error.code == .refreshFailed && error.innermostCode == .bodyTooLarge)
        #expect(source.reads < 20)
    }

    @Test func `a session that throws error responses gives the same refusal`() async throws {
        struct Throwing: HTTPClientMiddleware {
            func intercept(
                _ request: HTTPRequest, next: any HTTPSession
            ) async throws -> HTTPResponse {
                let response = try await next.response(for: request)
                throw HTTPError(
                    "unexpectedStatus", response.status, try await response.data(), response.head)
            }
        }
        let server = Server()
        server.fail(.badRequest, #"{"error":"invalid_scope"}"#)
        let own = server.session.with(Throwing())
        var error = try await failure(Server().session.with(layer(credentials(over: own))))
        #expect((error.underlyingError as? OAuthError)?.code == "invalid_scope")
        // An error about a good response may contain the token. It is not kept.
        server.fail(nil)
        error = try await failure(Server().session.with(layer(credentials(over: own))))
        #expect(error.code == .refreshFailed)
        let cause = try #require(error.underlyingError as? HTTPError)
        #expect(cause.bodyPrefix == nil && cause.response == nil && cause.underlyingError == nil)
    }

    @Test func `the first task may leave, and the others get the token`() async throws {
        let server = Server(isOpen: false)
        let session = server.session.with(try layer())
        let request = try request()
        let first = Task { try await session.response(for: request) }
        try await server.hasStarted.wait()
        let log = Refreshes()
        let second = try HTTPRequest(.get, "https://api/").beginningCall(
            observer: log, clock: clock)
        let other = Task { try await session.response(for: second).status }
        try await log.hasBegun.wait()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        server.gate.open()
        #expect(try await other.value == .ok)
        #expect(server.tokens == 1)
    }

    @Test func `if all tasks leave, the token request is cancelled`() async throws {
        let server = Server(isOpen: false)
        let session = server.session.with(try layer())
        let request = try request()
        let task = Task { try await session.response(for: request) }
        try await server.hasStarted.wait()
        task.cancel()
        try await server.wasCancelled.wait()
        server.gate.open()
        #expect(try await session.response(for: self.request()).status == .ok)
        #expect(server.tokens == 2)
    }

    /// Waits for a call to join a refresh.
    private final class Refreshes: HTTPObserver {
        let hasBegun = Gate()
        func observe(_ event: HTTPEvent) {
            if case .layer(HTTPCredentialEvent.refreshing) = event.kind { hasBegun.open() }
        }
    }
}

extension HTTPError {
    fileprivate init(
        _ code: String, _ status: HTTPStatus, _ body: Data, _ head: HTTPResponse.Head
    ) {
        self.init(
            Code(rawValue: code), "status \(status.code)", response: head, body: body,
            underlyingError: ScriptedBodySource.Failure())
    }
}
