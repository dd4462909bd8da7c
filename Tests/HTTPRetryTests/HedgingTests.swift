import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPRetry
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HedgingTests {
    private func steady(_ maxRetries: Int = 2) -> RetryPolicy {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        policy.maxRetries = maxRetries
        return policy
    }

    private func slow(_ clock: HTTPTestClock, _ seconds: [Double]) -> MockSession {
        let count = Locked(0)
        return MockSession { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            try await clock.sleep(for: .seconds(seconds[min(index, seconds.count - 1)]))
            return HTTPResponse(
                .ok, headers: ["Index": "\(index)"], body: HTTPBody(source: OnePiece()), to: request
            )
        }
    }

    @Test func `what is answered within the delay is sent once`() async throws {
        let clock = HTTPTestClock()
        let mock = slow(clock, [1])
        let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        #expect(try await task.value.status == .ok)
        #expect(mock.hits == 1 && clock.sleeperCount == 0)
    }

    @Test func `a slow answer is overtaken by the second, and the first attempt cancelled`()
        async throws
    {
        let clock = HTTPTestClock()
        let retryDecisions = DecisionLog()
        let mock = slow(clock, [60, 1])
        let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock, observer: retryDecisions)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        let response = try await task.value
        #expect(response.headers["Index"] == "1" && mock.hits == 2)
        #expect(clock.now.sinceStart == .seconds(3) && clock.sleeperCount == 0)
        #expect(retryDecisions.all.map(\.source) == [.hedge])
        #expect(retryDecisions.answers == [.granted(delay: .seconds(2))])
        #expect(try await response.text() == "piece")
    }

    @Test(arguments: [true, false])
    func `if both fail, the error speaks for both`(isFirstLost: Bool) async throws {
        let clock = HTTPTestClock()
        let count = Locked(0)
        let mock = MockSession { request in
            let index = count.withLock { count in
                count += 1
                return count
            }
            try await clock.sleep(for: .seconds(3))
            throw index == 1 && isFirstLost ? HTTPError.lost : HTTPError.refused
        }
        let session = mock.with(Retry(steady(1), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock)
        let task = Task { try await session.response(for: request) }
        // The first attempt is under way before the second one is due.
        try await clock.waitForSleepers(2)
        let error = await #expect(throws: HTTPError.self) {
            try await onVirtualTime(clock) { try await task.value }
        }
        #expect(error?.code == .cannotConnect && mock.hits == 2)
        #expect(error?.mayHaveReachedServer == isFirstLost)
    }

    @Test func `the first attempt may still win, and the loser's response is discarded`()
        async throws
    {
        let clock = HTTPTestClock()
        let ends = Journal<String>()
        let mock = MockSession { request in
            // Ignores cancellation, like a response that has just arrived.
            try await Task { try await clock.sleep(for: .seconds(3)) }.value
            return HTTPResponse(.ok, body: HTTPBody(source: OnePiece(noting: ends)), to: request)
        }
        let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(9))
        let response = try await task.value
        #expect(ends.entries == ["discarded"])
        #expect(try await response.text() == "piece" && mock.hits == 2)
    }

    @Test(arguments: [([3.0, 60], 0), ([60, 1], 1)])
    func `the end of the response comes with its own exchange, whichever attempt wins`(
        seconds: [Double], winner: Int
    ) async throws {
        let clock = HTTPTestClock()
        let count = Locked(0)
        let mock = MockSession { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            try await clock.sleep(for: .seconds(seconds[index]))
            let record = ExchangeRecord()
            record.update { $0.responseBodyBytes = Int64(index) }
            return HTTPResponse(
                HTTPResponse.Head(status: .ok, url: request.url),
                body: HTTPBody(source: OnePiece()), to: request, timeline: record)
        }
        let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        let response = try await task.value
        let ended = Journal<Int64?>()
        response.whenEnded { ended.add($1?.responseBodyBytes) }
        #expect(ended.entries.isEmpty)
        #expect(try await response.text() == "piece")
        #expect(ended.entries == [Int64(winner)] && request.call?.sends == 2)
    }

    @Test func `only safe methods with a body that can be sent twice are hedged`() async throws {
        for method in [HTTPMethod.put, .post, .delete] {
            let clock = HTTPTestClock()
            let mock = slow(clock, [60])
            let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
            let request = try HTTPRequest.test(method, clock: clock)
            let task = Task { try await session.response(for: request) }
            try await clock.waitForSleepers(1)
            #expect(clock.sleeperCount == 1)  // no timer for a second attempt
            clock.advance(by: .seconds(60))
            _ = try await task.value
            #expect(mock.hits == 1)
        }
        let clock = HTTPTestClock()
        let mock = slow(clock, [60])
        let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(.query, clock: clock) {
            $0.body = HTTPBody(source: OnePiece())
        }
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(1)
        #expect(clock.sleeps == [.seconds(60)])
        clock.advance(by: .seconds(60))
        _ = try await task.value
    }

    @Test(arguments: [0, 1])
    func `the second attempt counts against the call's retries`(limit: Int) async throws {
        let clock = HTTPTestClock()
        let retryDecisions = DecisionLog()
        let mock = slow(clock, [60, 60])
        let session = mock.with(Retry(steady(limit), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock, observer: retryDecisions)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await retryDecisions.hasDecided.wait()
        try await clock.waitForSleepers(1 + limit)
        clock.advance(by: .seconds(100))
        _ = try await task.value
        #expect(mock.hits == limit + 1)
        #expect(retryDecisions.refusals == (limit == 0 ? [.retriesUsedUp] : []))
    }

    @Test func `and against the budget`() async throws {
        let clock = HTTPTestClock()
        let retryDecisions = DecisionLog()
        let mock = slow(clock, [60])
        let budget = RetryBudget(ratio: 0, minimum: 0)
        let session = mock.with(Retry(steady(), budget: budget, hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock, observer: retryDecisions)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await retryDecisions.hasDecided.wait()
        clock.advance(by: .seconds(60))
        _ = try await task.value
        #expect(mock.hits == 1 && retryDecisions.refusals == [.budgetSpent])
    }

    @Test func `what is sent a second time is booked, and leaves that much less to others`()
        async throws
    {
        let clock = HTTPTestClock()
        let retryDecisions = DecisionLog()
        let budget = RetryBudget(ratio: 0, minimum: 3)
        let mock = slow(clock, [60])
        let session = mock.with(Retry(steady(), budget: budget, hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock, observer: retryDecisions)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await retryDecisions.hasDecided.wait()
        let numbers = budget.numbers(for: try request.origin(), at: clock.now)
        #expect(numbers == .init(calls: 1, retries: 1, left: 2))
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(60))
        _ = try await task.value
    }

    @Test func `a failure is no answer while the other attempt is under way`() async throws {
        let clock = HTTPTestClock()
        let count = Locked(0)
        let mock = MockSession { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            try await clock.sleep(for: .seconds(index == 0 ? 3 : 5))
            if index == 0 { throw HTTPError.lost }
            return HTTPResponse(.ok, to: request)
        }
        let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        clock.advance(by: .seconds(4))
        #expect(try await task.value.status == .ok)
        #expect(mock.hits == 2)
    }

    @Test func `what fails before the delay is retried as ever`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession.answering(
            { _ in throw HTTPError.refused }, { HTTPResponse(.ok, to: $0) })
        let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
        let response = try await session.response(for: HTTPRequest.test(clock: clock))
        #expect(response.status == .ok && mock.hits == 2 && clock.sleeperCount == 0)
    }

    @Test func `cancelling cancels both`() async throws {
        let clock = HTTPTestClock()
        let mock = slow(clock, [60, 60])
        let session = mock.with(Retry(steady(), hedging: .after(.seconds(2))))
        let request = try HTTPRequest.test(clock: clock)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        try await clock.waitForSleepers(2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0 && mock.hits == 2)
    }

    @Test func `the observed delay is the 95th percentile of an origin's last answers`() throws {
        var sample = LatencyRegistry.Sample()
        for _ in 0..<19 { sample.add(.seconds(1)) }
        #expect(sample.p95 == nil)
        sample.add(.seconds(9))
        #expect(sample.p95 == .seconds(1))  // 19 of 20
        sample.add(.seconds(9))
        #expect(sample.p95 == .seconds(9))
        for _ in 0..<64 { sample.add(.seconds(2)) }
        #expect(sample.p95 == .seconds(2))
        let hedging = Hedging.afterObservedP95(initial: .seconds(5))
        let a = try HTTPOrigin(URL(strictly: "https://a.test/"))
        let b = try HTTPOrigin(URL(strictly: "https://b.test/"))
        for _ in 0..<20 { hedging.observe(.seconds(1), of: a) }
        #expect(hedging.delay(for: a) == .seconds(1) && hedging.delay(for: b) == .seconds(5))
    }
}
