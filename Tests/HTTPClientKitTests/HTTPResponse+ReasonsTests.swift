import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// A layer that hands a response back instead of acting on it says why, in the error that the
/// validators make of the response.
@Suite(.timeLimit(.minutes(5))) struct HTTPResponseReasonsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// A part of the error's message.
        let reason: String
        var method = HTTPMethod.get
        var status = HTTPStatus.unauthorized
        var challenges: [String] = []
        /// Refuses credentials, too.
        var refusesAll = true
        var body: @Sendable () -> HTTPBody = { .empty }
        var url = "http://h/"
        let layers: @Sendable () throws -> [any HTTPClientMiddleware]
        var change: @Sendable (inout HTTPRequest) throws -> Void = { _ in }

        var testDescription: String { name }
    }

    private static func oneShot() -> HTTPBody {
        HTTPBody(
            AsyncThrowingStream { pieces in
                pieces.yield(Data("once".utf8))
                pieces.finish()
            })
    }

    private static func password(
        _ origin: String = "http://h", realm: String? = nil,
        schemes: Set<AuthenticationScheme> = Set(AuthenticationScheme.allCases)
    ) throws -> [any HTTPClientMiddleware] {
        [
            ChallengeAuthentication(
                PasswordCredentials(
                    user: "u", password: "hunter2", for: try HTTPOrigin(origin), realm: realm),
                schemes: schemes, sendsPasswordUnencrypted: true)
        ]
    }

    private static func token(
        _ origin: String = "http://h"
    ) throws -> [any HTTPClientMiddleware] {
        [
            RefreshingAuthentication(
                for: try HTTPOrigin(origin), credential: try .bearer("hunter2"),
                obtaining: { _, _ in try .bearer("hunter2new") })
        ]
    }

    private static let cases: [Case] = [
        Case(
            name: "password, one-shot body", reason: "the body can be read only once", method: .put,
            challenges: ["Basic realm=r"], body: oneShot
        ) { try password() },
        Case(
            name: "digest, one-shot body", reason: "the body can be read only once", method: .put,
            challenges: ["Digest realm=r, nonce=n, qop=auth"], body: oneShot
        ) { try password() },
        Case(
            name: "digest, auth-int", reason: "can be read only once", method: .put,
            challenges: ["Digest realm=r, nonce=n, qop=auth-int"], body: oneShot
        ) { try password() },
        Case(
            name: "an algorithm", reason: "this layer does not use digest \"SHA3-512\"",
            challenges: ["Digest realm=r, nonce=n, algorithm=SHA3-512"]
        ) { try password() },
        Case(
            name: "a protection", reason: "this layer does not use digest qop \"auth-x\"",
            challenges: ["Digest realm=r, nonce=n, qop=auth-x"]
        ) { try password() },
        Case(
            name: "unknown schemes", reason: "this layer does not use negotiate, or ntlm",
            challenges: ["Negotiate, NTLM"]
        ) { try password() },
        Case(
            name: "a scheme that is switched off", reason: "this layer does not use basic",
            challenges: ["Basic realm=r"]
        ) { try password(schemes: [.digestSHA256]) },
        Case(name: "no challenge", reason: "the response has none that can be read") {
            try password()
        },
        Case(
            name: "another origin", reason: "no credentials for the realm \"r\" at http://h",
            challenges: ["Basic realm=r"]
        ) { try password("https://h") },
        Case(
            name: "another realm", reason: "no credentials for the realm \"other\" at http://h",
            challenges: ["Basic realm=other"]
        ) { try password(realm: "r") },
        Case(
            name: "Basic refused", reason: "the credentials for http://h were refused",
            challenges: ["Basic realm=r"]
        ) { try password() },
        Case(
            name: "Digest refused", reason: "the credentials for http://h were refused",
            challenges: ["Digest realm=r, nonce=n"]
        ) { try password() },
        Case(
            name: "a nonce that expires at once", reason: "its nonce had expired",
            challenges: ["Digest realm=r, nonce=n, stale=true"]
        ) { try password() },
        Case(
            name: "the request's own credentials", reason: "has its own Authorization",
            challenges: ["Basic realm=r"], layers: { try password() },
            change: { try $0.headers.set(.authorization, "Basic hunter2") }),
        Case(
            name: "token, one-shot body", reason: "the body can be read only once", method: .put,
            body: oneShot
        ) { try token() },
        Case(name: "two tokens refused", reason: "and so was the one that followed") {
            try token()
        },
        Case(
            name: "token, another origin", reason: "for https://h are not sent to http://h"
        ) { try token("https://h") },
        Case(
            name: "token, its own", reason: "has its own Authorization", layers: { try token() },
            change: { try $0.headers.set(.authorization, "Bearer hunter2") }),
        Case(
            name: "bearer, another origin", reason: "for https://h are not sent to http://h"
        ) { [BearerAuthentication(for: try HTTPOrigin("https://h")) { "hunter2" }] },
        Case(
            name: "basic, another origin", reason: "for https://h are not sent to http://h"
        ) {
            [
                try BasicAuthentication(
                    PasswordCredentials(
                        user: "u", password: "hunter2", for: try HTTPOrigin("https://h")))
            ]
        },
    ]

    @Test(arguments: cases)
    func `a refusal that no layer could act on says why`(_ example: Case) async throws {
        let mock = MockSession { request in
            _ = try await request.body.collect()
            var headers = HTTPHeaders()
            headers[values: .wwwAuthenticate] = example.challenges
            return HTTPResponse(example.status, headers: headers, to: request)
        }
        let client = HTTPClient(transport: mock, authentication: try example.layers())
        var request = try HTTPRequest(example.method, example.url, body: example.body())
        try example.change(&request)
        let error = await #expect(throws: HTTPError.self) {
            try await client.response(for: request)
        }
        #expect(error?.code == .unexpectedStatus && error?.status == .unauthorized)
        let message = error?.message ?? ""
        #expect(message.contains(example.reason), "\(message)")
        #expect(!message.contains("hunter2"))
        #expect(message.components(separatedBy: "; ").count == 2, "\(message)")
    }

    @Test func `secrets that a redirect leaves behind are the reason of a refusal there`()
        async throws
    {
        let mock = MockSession { request in
            request.url.host() == "h"
                ? HTTPResponse(.found, headers: [.location: "http://other/"], to: request)
                : HTTPResponse(.unauthorized, to: request)
        }
        var request = try HTTPRequest(.get, "http://h/")
        try request.headers.set(.authorization, "Bearer hunter2")
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPClient(transport: mock).response(for: request)
        }
        #expect(
            error?.message.contains("Authorization was removed by a redirect to another origin")
                == true)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func `a redirect that asks for too long a wait says so`() async throws {
        let mock = MockSession {
            HTTPResponse(.found, headers: [.location: "/b", .retryAfter: "3600"], to: $0)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPClient(transport: mock, validators: [.allowed(statusCode: 200)])
                .response(for: HTTPRequest(.get, "http://h/"))
        }
        #expect(error?.message.contains("asks for a wait of 60 min") == true)
    }

    @Test func `a response that only a cache may give says so`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPClient(transport: mock, cache: .inMemory)
                .response(for: HTTPRequest(.get, "http://h/").cachePolicy(.onlyStored))
        }
        #expect(error?.status == .gatewayTimeout)
        #expect(error?.message.contains("only-if-cached") == true)
    }

    @Test func `a response that is accepted has no reason`() async throws {
        let mock = MockSession { request in
            request.headers.contains(.authorization)
                ? HTTPResponse(.ok, to: request)
                : HTTPResponse(
                    .unauthorized, headers: [.wwwAuthenticate: "Basic realm=r"], to: request)
        }
        let client = HTTPClient(transport: mock, authentication: try Self.password())
        #expect(try await client.response(for: HTTPRequest(.get, "http://h/")).reasons.isEmpty)
    }

    // MARK: What came instead

    @Test(arguments: [true, false])
    func `an answer that is no event stream keeps its first bytes`(isInMemory: Bool) async throws {
        let text = "{\"error\":\"quota\"}"
        let mock = MockSession { request in
            let body =
                isInMemory
                ? HTTPBody(text)
                : HTTPBody(
                    AsyncThrowingStream { pieces in
                        pieces.yield(Data(text.utf8))
                        pieces.finish()
                    })
            return HTTPResponse(
                .ok, headers: [.contentType: "application/json"], body: body, to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in try HTTPClient(transport: mock).events(from: "http://h/") {}
        }
        #expect(error?.code == .decodingFailed && error?.status == .ok)
        #expect(error?.bodyPrefix == Data(text.utf8))
        #expect(error?.description.contains("; GET http://h/") == true)
        #expect(error?.description.contains("quota") == false)
    }

    @Test func `an endless answer that is no event stream is cut`() async throws {
        let mock = MockSession { request in
            HTTPResponse(
                .ok, headers: [.contentType: "application/json"],
                body: HTTPBody(AsyncThrowingStream { Data(repeating: 0x61, count: 1000) }),
                to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in try HTTPClient(transport: mock).events(from: "http://h/") {}
        }
        #expect(error?.bodyPrefix?.count == 64 << 10)
    }
}
