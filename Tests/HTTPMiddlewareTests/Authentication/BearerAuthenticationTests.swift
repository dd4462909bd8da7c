import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing

@Suite struct BearerAuthenticationTests {
    private let mock = MockSession { HTTPResponse(.ok, to: $0) }

    // MARK: A token

    @Test(.rows("S0-4", "S4-15"))
    func `the token is asked for before each send, for its origin only`() async throws {
        let count = Locked(0)
        let session = mock.with(
            BearerAuthentication(for: try HTTPOrigin("https://h")) {
                count.withLock {
                    $0 += 1
                    return "t\($0)"
                }
            }, OriginGuard())
        for url in ["https://h/1", "https://other/2", "https://h/3"] {
            _ = try await session.response(for: url)
        }
        #expect(
            mock.requests.map { $0.headers[.authorization] } == ["Bearer t1", nil, "Bearer t2"])
    }

    @Test(.rows("S4-15"))
    func `without a token, and with credentials of its own, a request goes as it is`()
        async throws
    {
        let session = mock.with(BearerAuthentication(for: try HTTPOrigin("https://h")) { nil })
        _ = try await session.response(for: "https://h/")
        let request = try HTTPRequest(.get, "https://h/", headers: [.authorization: "Basic mine"])
        _ = try await session.response(for: request)
        #expect(mock.requests.map { $0.headers[.authorization] } == [nil, "Basic mine"])
    }

    @Test(.rows("S4-15"))
    func `what the provider throws, and a token that is none, end the call unsent`()
        async throws
    {
        struct Failure: Error {}
        let origin = try HTTPOrigin("https://h")
        await #expect(throws: Failure.self) {
            try await mock.with(BearerAuthentication(for: origin) { throw Failure() })
                .response(for: "https://h/")
        }
        await #expect(throws: HTTPError.self) {
            try await mock.with(BearerAuthentication(for: origin) { "a b" })
                .response(for: "https://h/")
        }
        #expect(mock.requests.isEmpty)
    }
}
