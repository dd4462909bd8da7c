import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite(.timeLimit(.minutes(5))) struct AdaptiveLimitTests {
    private func at(_ seconds: Double) -> HTTPInstant { HTTPInstant(sinceStart: .seconds(seconds)) }

    /// Adds a round of exchanges with one latency, one after the other.
    private func round(
        _ machine: inout AdaptiveMachine, _ latency: Double, _ now: inout Double,
        isUsed: Bool = true
    ) {
        let running = isUsed ? machine.limit : 1
        for _ in 0..<max(8, machine.limit) {
            machine.add(.latency(latency), from: at(now), running: running, at: at(now + latency))
            now += latency
        }
        now += 0.001
    }

    @Test func `the limit grows by one each round that is fast and uses it`() {
        var machine = AdaptiveMachine(AdaptiveLimit(initial: 4))
        var now = 0.0
        for expected in 5...8 {
            round(&machine, 0.01, &now)
            #expect(machine.limit == expected)
        }
        round(&machine, 0.01, &now, isUsed: false)
        #expect(machine.limit == 8)
    }

    @Test func `the limit shrinks with each round that is slow, and keeps to its bounds`() {
        var machine = AdaptiveMachine(AdaptiveLimit(initial: 10, bounds: 5...12))
        var now = 0.0
        round(&machine, 0.01, &now)
        #expect(machine.limit == 11)
        round(&machine, 0.03, &now)
        #expect(machine.limit == 9)
        for _ in 0..<20 { round(&machine, 0.03, &now) }
        #expect(machine.limit == 5)
        for _ in 0..<30 { round(&machine, 0.01, &now) }
        #expect(machine.limit == 12)
    }

    @Test func `a refusal shrinks the limit once for all exchanges under way`() {
        var machine = AdaptiveMachine(AdaptiveLimit(initial: 100, backoff: 0.5))
        for _ in 0..<10 { machine.add(.overload, from: at(0), running: 100, at: at(1)) }
        #expect(machine.limit == 50)
        machine.add(.overload, from: at(1), running: 50, at: at(2))
        #expect(machine.limit == 25)
    }

    @Test func `the lowest latency is that of the last minutes`() {
        var machine = AdaptiveMachine(AdaptiveLimit(initial: 1, bounds: 1...1))
        var now = 0.0
        round(&machine, 0.01, &now)
        #expect(machine.baseline.map { abs($0 - 0.01) < 1e-9 } == true)
        while now < 200 { round(&machine, 1, &now) }
        #expect(machine.baseline.map { abs($0 - 1) < 1e-9 } == true)
    }

    @Test func `settings are kept within reason`() {
        let limit = AdaptiveLimit(initial: 0, bounds: -5...(-1), tolerance: 0, backoff: 3)
        #expect(limit.bounds == 1...1 && limit.initial == 1)
        #expect(limit.tolerance == 1.1 && limit.backoff == 0.7)
    }

    // MARK: As a middleware

    @Test func `permits follow the limit, and waiting requests start when it grows`() async throws {
        let clock = HTTPTestClock()
        let origin = try HTTPOrigin("http://h/")
        let limit = ConcurrencyLimit(adaptive: AdaptiveLimit(initial: 8))
        let session = MockSession { HTTPResponse(.ok, to: $0) }.with(limit)
        let refusing = MockSession { HTTPResponse(.tooManyRequests, to: $0) }.with(limit)
        func request() throws -> HTTPRequest {
            try HTTPRequest(.get, "http://h/").beginningCall(clock: clock)
        }
        #expect(limit.limit(for: origin) == 8)
        _ = try await refusing.response(for: request())
        #expect(limit.limit(for: origin) == 5)
        for _ in 0..<100 {
            clock.advance(by: .milliseconds(10))
            await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<limit.limit(for: origin) {
                    group.addTask { _ = try await session.response(for: request()) }
                }
            }
        }
        #expect(limit.running == 0 && limit.waiting == 0)
    }

    @Test func `the time in which a request waits within the limit is no latency`() async throws {
        let clock = HTTPTestClock()
        let origin = try HTTPOrigin("http://h/")
        let limit = ConcurrencyLimit(adaptive: AdaptiveLimit(initial: 8))
        let pause = OriginPause(spread: 0)
        func send(_ session: any HTTPSession) async throws {
            _ = try await session.response(
                for: HTTPRequest(.get, "http://h/").beginningCall(clock: clock))
        }
        let good = MockSession { request in
            clock.advance(by: .milliseconds(10))
            return HTTPResponse(.ok, to: request)
        }.with(limit, pause)
        for _ in 0..<8 { try await send(good) }
        try await send(
            MockSession {
                HTTPResponse(.tooManyRequests, headers: ["Retry-After": "30"], to: $0)
            }.with(pause))
        let before = limit.limit(for: origin)
        let held = Task { try await send(good) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(30))
        try await held.value
        for _ in 0..<7 { try await send(good) }
        #expect(limit.limit(for: origin) >= before)
    }
}
