import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CircuitBreakerTests {
    private let clock = HTTPTestClock()
    private let breaker = CircuitBreaker(
        slowAfter: .seconds(1), minimum: 2, openTime: .seconds(5), probes: 1, jitter: 0)

    private func request(
        _ url: String = "http://h/", observer: (any HTTPObserver)? = nil
    ) throws -> HTTPRequest {
        try HTTPRequest(.get, url).beginningCall(observer: observer, clock: clock)
    }

    private func server(_ status: HTTPStatus) -> MockSession {
        MockSession { HTTPResponse(status, to: $0) }
    }

    @Test func `failures open the circuit, and a probe that succeeds closes it`() async throws {
        let failing = server(.internalServerError)
        for _ in 0..<2 { _ = try await failing.with(breaker).response(for: request()) }
        let error = await #expect(throws: HTTPError.self) {
            try await failing.with(breaker).response(for: request())
        }
        #expect(error?.code == .circuitOpen)
        #expect(error?.retryAfter == .seconds(5))
        #expect(error?.mayHaveReachedServer == false)
        #expect(failing.requests.count == 2)
        #expect(breaker.refused == 1)
        #expect(breaker.states["http://h"] == .open)
        _ = try await server(.ok).with(breaker).response(for: request("http://other/"))
        clock.advance(by: .seconds(5))
        _ = try await server(.ok).with(breaker).response(for: request())
        #expect(breaker.states["http://h"] == .closed)
    }

    @Test func `slow calls open the circuit`() async throws {
        let slow = MockSession { [clock] request in
            clock.advance(by: .seconds(2))
            return HTTPResponse(.ok, to: request)
        }
        for _ in 0..<2 { _ = try await slow.with(breaker).response(for: request()) }
        #expect(breaker.states["http://h"] == .open)
    }

    @Test func `a body that fails is a failure`() async throws {
        let broken = MockSession { request in
            HTTPResponse(
                .ok,
                body: HTTPBody(
                    source: FailingBody(
                        HTTPError(.bodyIncomplete, "cut", mayHaveReachedServer: true))),
                to: request)
        }
        for _ in 0..<2 {
            let response = try await broken.with(breaker).response(for: request())
            await #expect(throws: HTTPError.self) { try await response.body.collect() }
        }
        #expect(breaker.states["http://h"] == .open)
    }

    @Test func `refusals of this client and cancellation are no failures`() async throws {
        let errors: [any Error] = [
            HTTPError(.queueFull, "full", phase: .queued), CancellationError(),
            HTTPError(.invalidRequest, "bad"),
        ]
        for error in errors {
            for _ in 0..<5 {
                await #expect(throws: (any Error).self) {
                    try await MockSession { _ in throw error }.with(breaker)
                        .response(for: request())
                }
            }
        }
        #expect(breaker.states["http://h"] == .closed)
    }

    @Test func `the closure says what a failure is`() async throws {
        let breaker = CircuitBreaker(minimum: 2) { end in
            (try? end.get().status) == .notFound ? .failure : .success
        }
        let missing = server(.notFound)
        for _ in 0..<2 { _ = try await missing.with(breaker).response(for: request()) }
        #expect(breaker.states["http://h"] == .open)
    }

    @Test(arguments: [
        (HTTPStatus.ok, HTTPCircuitOutcome.success), (.notFound, .success),
        (.tooManyRequests, .success), (.internalServerError, .failure), (.notImplemented, .success),
        (.badGateway, .failure), (.serviceUnavailable, .failure),
    ])
    func `the usual outcome of a status`(status: HTTPStatus, outcome: HTTPCircuitOutcome) throws {
        let response = try HTTPResponse(status, to: request())
        #expect(HTTPCircuitOutcome.standard(.success(response.head)) == outcome)
    }

    @Test func `the usual outcome of 503 with Retry-After says nothing`() throws {
        let response = try HTTPResponse(
            .serviceUnavailable, headers: ["Retry-After": "5"], to: request())
        #expect(HTTPCircuitOutcome.standard(.success(response.head)) == .ignored)
    }

    private static let errors: [(HTTPError, HTTPCircuitOutcome)] = [
        (HTTPError(.nameNotResolved, "", phase: .resolving), .failure),
        (HTTPError(.cannotConnect, "", phase: .connecting), .failure),
        (HTTPError(.proxyFailed, "", phase: .connecting), .failure),
        (HTTPError(.tlsFailed, "", phase: .securing), .failure),
        (HTTPError(.serverNotTrusted, "", phase: .securing), .failure),
        // A server that accepts connections and then says nothing, with and without its limit.
        (late(.connect, .connecting), .failure), (late(.connect, .securing), .failure),
        (late(.tls, .securing), .failure), (late(.tls, nil), .failure),
        (late(.total, .securing), .failure), (late(.deadline, .connecting), .failure),
        (late(.responseHead, .waiting), .failure), (late(.idle, .receiving), .failure),
        (HTTPError(.connectionLost, "", phase: .waiting), .failure),
        (HTTPError(.protocolViolation, "", phase: .waiting), .failure),
        (HTTPError(.bodyIncomplete, "", phase: .receiving), .failure),
        // What this client does, or what ends before the request's turn.
        (late(.deadline, .queued), .ignored), (late(.deadline, .preparing), .ignored),
        (HTTPError(.queueTimedOut, "", phase: .queued), .ignored),
        (HTTPError(.queueFull, "", phase: .queued), .ignored),
        (HTTPError(.invalidRequest, ""), .ignored),
        (HTTPError(.unsupportedOption, ""), .ignored),
        (HTTPError(HTTPError.Code(rawValue: "addressBlocked"), "", phase: .connecting), .ignored),
        (HTTPError(.requestBodyFailed, "", phase: .sending), .ignored),
        (HTTPError(.requestBodyEnded, "", phase: .sending), .ignored),
        (HTTPError(.bodyTooLarge, "", phase: .receiving), .ignored),
        (HTTPError(.sessionClosed, "", phase: .waiting), .ignored),
    ]

    private static func late(
        _ name: HTTPError.Timer.Name, _ phase: HTTPError.Phase?
    ) -> HTTPError {
        HTTPError(.timedOut, "", phase: phase, timer: HTTPError.Timer(name, .seconds(1)))
    }

    @Test(arguments: errors)
    func `the usual outcome of an error`(error: HTTPError, outcome: HTTPCircuitOutcome) {
        #expect(HTTPCircuitOutcome.standard(.failure(error)) == outcome)
    }

    @Test func `the usual outcome of other errors is a failure, and of cancellation nothing`() {
        struct Foreign: Error {}
        #expect(HTTPCircuitOutcome.standard(.failure(Foreign())) == .failure)
        #expect(HTTPCircuitOutcome.standard(.failure(CancellationError())) == .ignored)
    }

    @Test func `a session that throws errors of its own opens the circuit`() async throws {
        struct Foreign: Error {}
        let broken = MockSession { _ in throw Foreign() }.with(breaker)
        for _ in 0..<2 {
            await #expect(throws: Foreign.self) { try await broken.response(for: request()) }
        }
        #expect(breaker.states["http://h"] == .open)
    }

    // MARK: With other layers

    @Test func `the gate refuses before other limits, and takes no probe`() async throws {
        let failing = server(.internalServerError)
        let limit = RateLimit(.tokenBucket(1, per: .seconds(1), burst: 2))
        let session = failing.with(breaker.gate, limit, breaker)
        for _ in 0..<2 { _ = try await session.response(for: request()) }
        for _ in 0..<5 {
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: request())
            }
            #expect(error?.code == .circuitOpen)
        }
        #expect(limit.statistics.admitted == 2)
        clock.advance(by: .seconds(5))
        _ = try await server(.ok).with(breaker.gate, limit, breaker).response(for: request())
        #expect(breaker.states["http://h"] == .closed)
    }

    @Test func `a request that is refused within other limits gives its unit back`() async throws {
        let failing = server(.internalServerError)
        let limit = RateLimit(.tokenBucket(1, per: .seconds(1), burst: 2))
        let session = failing.with(limit, breaker)
        for _ in 0..<2 { _ = try await session.response(for: request()) }
        clock.advance(by: .seconds(1))
        for _ in 0..<3 {
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: request())
            }
            #expect(error?.code == .circuitOpen)
        }
        #expect(limit.statistics.refunded == 3)
    }

    @Test func `changes are events`() async throws {
        let events = Record<HTTPEvent>()
        let recorder = EventRecorder(events)
        for _ in 0..<2 {
            _ = try await server(.badGateway).with(breaker)
                .response(for: request(observer: recorder))
        }
        clock.advance(by: .seconds(5))
        _ = try await server(.ok).with(breaker).response(for: request(observer: recorder))
        let shown = events.entries.compactMap { event -> String? in
            if case .layer(HTTPLimitEvent.circuitChanged(let key, let state)) = event.kind {
                "\(key) \(state)"
            } else {
                nil
            }
        }
        #expect(shown == ["http://h open", "http://h halfOpen", "http://h closed"])
    }

    @Test func `a circuit that opens and closes under load neither traps nor stays open`()
        async throws
    {
        let breaker = CircuitBreaker(
            minimum: 5, openTime: .milliseconds(1), longestOpenTime: .milliseconds(2), probes: 2)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let status: HTTPStatus = index.isMultiple(of: 2) ? .ok : .badGateway
                    let session = MockSession { HTTPResponse(status, to: $0) }.with(breaker)
                    for _ in 0..<20 {
                        _ = try? await session.response(for: HTTPRequest(.get, "http://h/"))
                        await Task.yield()
                    }
                }
            }
        }
        let good = server(.ok).with(breaker)
        while (try? await good.response(for: HTTPRequest(.get, "http://h/"))) == nil {
            await Task.yield()
        }
    }
}

/// A body that fails at once.
private final class FailingBody: HTTPBodySource {
    private let error: HTTPError

    init(_ error: HTTPError) { self.error = error }

    func next() async throws -> Data? { throw error }
    func abandon() {}
}
