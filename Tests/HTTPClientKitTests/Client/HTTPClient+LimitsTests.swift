import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientLimitsTests {
    private let clock = HTTPTestClock()

    private func client(
        _ transport: any HTTPSession, _ change: (inout HTTPClient.Configuration) -> Void
    ) -> HTTPClient {
        HTTPClient(transport: transport) {
            $0.clock = clock
            $0.validators = []
            change(&$0)
        }
    }

    @Test func `each attempt counts once in the breaker, and a refusal ends the call`() async throws
    {
        let server = MockSession { HTTPResponse(.badGateway, to: $0) }
        let client = client(server) {
            $0.retry = .standard
            $0.retry.backoff = .constant(.zero)
            $0.circuitBreaker = CircuitBreaker(minimum: 2, jitter: 0)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("http://h/").response()
        }
        #expect(error?.code == .circuitOpen)
        #expect(server.requests.count == 2)
    }

    @Test func `a policy that retries what a limit refuses waits until it may`() async throws {
        let server = MockSession { HTTPResponse(.ok, to: $0) }
        let client = client(server) {
            $0.retry = .standard
            $0.retry.errorCodes.insert(.rateLimited)
            $0.retry.backoff = .constant(.zero)
            $0.rateLimits = [
                RateLimit(.tokenBucket(1, per: .seconds(10), burst: 1), timeout: .zero)
            ]
        }
        _ = try await client.get("http://h/").response()
        let second = Task { try await client.get("http://h/").response() }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        _ = try await second.value
        #expect(clock.sleeps.count == 1)
    }

    @Test func `a pause holds all calls, and the retry of the refused one`() async throws {
        let statuses = Record<Int>()
        let server = MockSession { request in
            statuses.add(0)
            guard statuses.entries.count == 1 else { return HTTPResponse(.ok, to: request) }
            return HTTPResponse(.tooManyRequests, headers: ["Retry-After": "5"], to: request)
        }
        let client = client(server) {
            $0.retry = .standard
            $0.originPause = OriginPause(spread: 0)
            $0.concurrencyLimit = ConcurrencyLimit()
        }
        let first = Task { try await client.get("http://h/").response() }
        try await clock.waitForSleepers(1)
        let second = Task { try await client.get("http://h/").response() }
        try await clock.waitForSleepers(2)
        #expect(statuses.entries.count == 1)
        clock.advance(by: .seconds(5))
        #expect(try await first.value.status == .ok)
        #expect(try await second.value.status == .ok)
    }

    @Test func `clients with one limit count together`() async throws {
        let server = MockSession { HTTPResponse(.ok, to: $0) }
        let limit = RateLimit(.tokenBucket(1, per: .seconds(10), burst: 1), timeout: .zero)
        let first = client(server) { $0.rateLimits = [limit] }
        _ = try await first.get("http://h/").response()
        let other = client(server) { $0.rateLimits = [limit] }
        let error = await #expect(throws: HTTPError.self) {
            try await other.get("http://h/").response()
        }
        #expect(error?.code == .rateLimited)
    }
}
