import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LimitsGuideTests {
    @Test func `all code of the page is compiled here`() throws {
        let page = try GuidePage("Limits")
        #expect(page.untested == [])
        #expect(page.blocks.count == 8)
    }

    @Test func `a client has all limits`() async throws {
        let client = HTTPClient {
            $0.retry = .standard
            $0.circuitBreaker = CircuitBreaker()
            $0.originPause = OriginPause()
            $0.rateLimits = [RateLimit(.tokenBucket(50, per: .seconds(1)))]
            $0.concurrencyLimit = ConcurrencyLimit(adaptive: AdaptiveLimit())
        }
        let configuration = client.configuration
        let session = HTTPClient(
            configuration, transport: MockSession { HTTPResponse(.ok, body: HTTPBody("x"), to: $0) }
        )
        try await read(session)
        #expect(configuration.rateLimits[0].statistics.admitted == 1)
        #expect(configuration.circuitBreaker?.states["https://api.example.com"] == .closed)
    }

    private func read(_ client: HTTPClient) async throws {
        do {
            print(try await client.get("https://api.example.com/feed").text())
        } catch let error as HTTPError {
            guard let wait = error.retryAfter else { throw error }
            print("come again in \(wait)")
        }
    }

    @Test func `a refusal of a limit has a time to come again`() async throws {
        let client = HTTPClient(
            transport: MockSession { HTTPResponse(.ok, body: HTTPBody("x"), to: $0) }
        ) {
            $0.rateLimits = [RateLimit(.tokenBucket(1, per: .seconds(60)), timeout: .zero)]
        }
        for _ in 0..<2 { try await read(client) }
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("https://api.example.com/feed").text()
        }
        #expect(error?.retryAfter != nil)
    }

    @Test func `a policy may retry what a limit refuses`() {
        var patient = RetryPolicy.standard
        patient.errorCodes.formUnion([.rateLimited, .originPaused])
        #expect(patient.errorCodes.isSuperset(of: [.rateLimited, .originPaused, .timedOut]))
    }

    @Test func `rates have their laws, keys and units`() async throws {
        let perSecond = HTTPRate.tokenBucket(50, per: .seconds(1), burst: 10)
        let perHour = HTTPRate.slidingWindow(5000, per: .seconds(3600))
        let limits = [
            RateLimit(perSecond, name: "second", timeout: .seconds(5)),
            RateLimit(perHour, name: "hour", key: .custom { $0.tenant }),
            RateLimit(nil, bytes: .tokenBucket(1 << 20, per: .seconds(1)), name: "bytes"),
        ]
        let client = HTTPClient(
            transport: MockSession { HTTPResponse(.ok, body: HTTPBody("done"), to: $0) }
        ) { $0.rateLimits = limits }
        let report = try HTTPRequest(.get, "https://api.example.com/report")
            .tenant("customer-7")
            .priority(.low)
        _ = try await client.response(for: report).text()
        #expect(limits.map(\.statistics.admitted) == [1, 1, 1])
        #expect(limits[2].byteStatistics.admitted == 4)
    }

    @Test func `a pause has its limits`() {
        let pause = OriginPause(limit: .seconds(120), timeout: .seconds(30))
        #expect(pause.underWay().isEmpty)
    }

    @Test func `a breaker counts what the program says`() async throws {
        let breaker = CircuitBreaker(
            failureRate: 0.5, slowRate: 0.8, slowAfter: .seconds(2), window: .seconds(10),
            minimum: 20,
            openTime: .seconds(5), probes: 3
        ) { end in
            // A server that is full answers 409; everything else as usual.
            if (try? end.get().status) == .conflict { return .failure }
            return .standard(end)
        }
        let session = MockSession { HTTPResponse(.conflict, to: $0) }.with(breaker)
        for _ in 0..<20 { _ = try await session.response(for: HTTPRequest(.get, "http://h/")) }
        #expect(breaker.states["http://h"] == .open)
    }

    @Test func `an adaptive limit begins where it is told to`() throws {
        let adaptive = ConcurrencyLimit(
            adaptive: AdaptiveLimit(initial: 16, bounds: 1...256), timeout: .seconds(2))
        #expect(try adaptive.limit(for: HTTPOrigin("http://h")) == 16)
    }
}
