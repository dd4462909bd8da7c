import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPRetry
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RetryTests {
    /// The standard policy without jitter, so that the waits are exact.
    private var steady: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.backoff.jitter = .none
        return policy
    }

    @discardableResult
    private func run(
        _ mock: MockSession, _ middleware: any HTTPClientMiddleware...,
        clock: HTTPTestClock = HTTPTestClock(), observer: (any HTTPObserver)? = nil,
        _ change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let session = mock.with(middleware)
        let request = try HTTPRequest.test(clock: clock, observer: observer, change)
        return try await onVirtualTime(clock) { try await session.response(for: request) }
    }

    // MARK: Counting

    @Test func `a 503 is sent again, and the 200 handed back with the 503 in its history`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = MockSession.statuses(.serviceUnavailable, .ok)
        let response = try await run(mock, Retry(steady), clock: clock)
        #expect(response.status == .ok && mock.hits == 2)
        #expect(response.history.map(\.status) == [.serviceUnavailable])
        #expect(clock.sleeps == [.seconds(0.5)])
    }

    @Test(.rows("S0-13", "S1-11"), arguments: [0, 1, 2, 5])
    func `N retries are N + 1 attempts`(count: Int) async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        let response = try await run(mock, Retry(steady)) { $0.maxRetries = count }
        #expect(response.status == .serviceUnavailable && mock.hits == count + 1)
        #expect(response.history.count == count)
    }

    @Test(.rows("S0-13"), arguments: [-1, Int.min])
    func `a negative number of retries is none`(count: Int) async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        try await run(mock, Retry(steady)) { $0.maxRetries = count }
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-13"))
    func `where the request says nothing the policy's number holds`() async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        try await run(mock, Retry(steady))
        #expect(mock.hits == 3)
    }

    @Test(.rows("S0-13", "S0-14"))
    func `a request sent twice is two calls, each with all its retries`() async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        var policy = steady
        policy.backoff = .constant(.zero)
        let session = mock.with(Retry(policy))
        let request = try HTTPRequest(.get, "https://h/").maxRetries(1)
        for _ in 0..<3 { _ = try await session.response(for: request) }
        #expect(mock.hits == 6)
    }

    @Test(.rows("S1-11"))
    func `maxRetries is chainable and leaves the original alone`() throws {
        let request = try HTTPRequest(.get, "https://h/")
        let copy = request.maxRetries(3)
        #expect(copy.maxRetries == 3 && request.maxRetries == nil)
    }

    @Test(.rows("S0-14"))
    func `a silent re-send of the library below is part of the count`() async throws {
        final class Resent: HTTPTimelineRecord {
            var exchange: HTTPTimeline.Exchange {
                var exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .zero))
                exchange.silentResends = 1
                return exchange
            }
        }
        let mock = MockSession { request in
            _ = request.call?.beginSend(Resent())
            return HTTPResponse(.serviceUnavailable, to: request)
        }
        let retryDecisions = DecisionLog()
        try await run(mock, Retry(steady), observer: retryDecisions) { $0.maxRetries = 3 }
        #expect(mock.hits == 2)  // each of them went out twice
        #expect(retryDecisions.refusals == [.retriesUsedUp])
    }

    @Test(.rows("S0-14"))
    func `two layers of retries share one count`() async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        try await run(mock, Retry(steady), Retry(steady)) { $0.maxRetries = 2 }
        #expect(mock.hits == 3)
    }

    @Test(.rows("S0-13", "S1-11"), arguments: [29, 30, 45, 1000])
    func `a number of retries is honoured, however large`(count: Int) async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        for isPolicy in [false, true] {
            let retryDecisions = DecisionLog()
            var policy = steady
            policy.backoff = .constant(.zero)
            policy.maxRetries = isPolicy ? count : 0
            let before = mock.hits
            try await run(mock, Retry(policy, budget: nil), observer: retryDecisions) {
                $0.maxRetries = isPolicy ? nil : count
            }
            #expect(mock.hits - before == count + 1)
            #expect(retryDecisions.refusals == [.retriesUsedUp])
        }
    }

    @Test(.rows("S0-14"))
    func `sends that are no retries are thirty for one call`() async throws {
        /// A middleware that sends every request twice.
        struct Twice: HTTPClientMiddleware {
            func intercept(
                _ request: HTTPRequest, next: any HTTPSession
            ) async throws -> HTTPResponse {
                await (try next.response(for: request)).discard()
                return try await next.response(for: request)
            }
        }
        let retryDecisions = DecisionLog()
        let mock = MockSession.statuses(.serviceUnavailable)
        var policy = steady
        policy.backoff = .constant(.zero)
        try await run(mock, Retry(policy, budget: nil), Twice(), observer: retryDecisions) {
            $0.maxRetries = 1000
        }
        // One of each two is the retry that was granted, after the first.
        #expect(mock.hits == 58 && retryDecisions.refusals == [.sendsUsedUp])
    }

    // MARK: What is handed back

    @Test func `an error keeps its code and says how many attempts there were`() async throws {
        let mock = MockSession.answering({ _ in throw HTTPError.refused })
        let error = await #expect(throws: HTTPError.self) { try await run(mock, Retry(steady)) }
        #expect(error?.code == .cannotConnect && error?.phase == .connecting)
        #expect(error?.message == "after 3 attempts: refused")
        #expect(error?.timeline?.retryDecisions.count == 3)
    }

    @Test func `an error of another type is handed back as it is`() async throws {
        struct Foreign: Error {}
        let mock = MockSession.answering({ _ in throw Foreign() })
        await #expect(throws: Foreign.self) { try await run(mock, Retry(steady)) }
        #expect(mock.hits == 1)
    }

    @Test func `every decision is an event and in the timeline`() async throws {
        let retryDecisions = DecisionLog()
        let mock = MockSession.answering(
            { HTTPResponse(.serviceUnavailable, to: $0) }, { _ in throw HTTPError.lost },
            { HTTPResponse(.badGateway, to: $0) })
        let response = try await run(
            mock, Retry(steady, budget: RetryBudget(ratio: 0, minimum: 5)), observer: retryDecisions
        )
        #expect(
            retryDecisions.all == [
                HTTPRetryEvent(
                    .policy, .granted(delay: .seconds(0.5)), attempt: 1, cause: "503",
                    budgetLeft: 4),
                HTTPRetryEvent(
                    .policy, .granted(delay: .seconds(1)), attempt: 2, cause: "connectionLost",
                    budgetLeft: 3),
                HTTPRetryEvent(
                    .policy, .refused(.retriesUsedUp), attempt: 3, cause: "502", budgetLeft: 3),
            ])
        #expect(response.timeline.retryDecisions == retryDecisions.all)
    }

    @Test
    func `the connection of the response that is not handed back is free before the next send`()
        async throws
    {
        let journal = Journal<String>()
        let mock = MockSession { request in
            journal.add("sent")
            let isFirst = request.call?.sends == 1
            return HTTPResponse(
                isFirst ? .serviceUnavailable : .ok,
                body: HTTPBody(source: OnePiece(noting: isFirst ? journal : nil)), to: request)
        }
        let response = try await run(mock, Retry(steady))
        #expect(try await response.text() == "piece")
        #expect(journal.entries == ["sent", "discarded", "sent"])
    }

    // MARK: Retry-After

    @Test(
        arguments: [
            ("3", 3), ("0", 0.5), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0.5), ("nonsense", 0.5), ("60", 60),
        ] as [(String, Double)])
    func `Retry-After is waited for in both forms, and the policy's wait if that is longer`(
        value: String, wait: Double
    ) async throws {
        let clock = HTTPTestClock()  // at Sun, 06 Nov 1994 08:49:37 GMT
        let mock = MockSession.answering(
            { HTTPResponse(.serviceUnavailable, headers: [.retryAfter: "\(value)"], to: $0) },
            { HTTPResponse(.ok, to: $0) })
        try await run(mock, Retry(steady), clock: clock)
        #expect(clock.sleeps == [.seconds(wait)] && mock.hits == 2)
    }

    @Test(arguments: ["61", "Sun, 06 Nov 1994 09:49:37 GMT", "2147483648"])
    func `beyond its limit the response is handed back instead`(value: String) async throws {
        let clock = HTTPTestClock()
        let retryDecisions = DecisionLog()
        let mock = MockSession { request in
            HTTPResponse(
                .tooManyRequests, headers: [.retryAfter: "\(value)"],
                body: HTTPBody(source: OnePiece()), to: request)
        }
        let response = try await run(mock, Retry(steady), clock: clock, observer: retryDecisions)
        #expect(response.status == .tooManyRequests && mock.hits == 1 && clock.sleeps == [])
        #expect(try await response.text() == "piece")
        #expect(retryDecisions.refusals == [.retryAfterTooLong])
    }

    // MARK: Bodies

    @Test func `a body cut short is a failed attempt under buffered delivery`() async throws {
        let mock = MockSession { request in
            let isFirst = request.call?.sends == 1
            let source = OnePiece(
                breakingWith: isFirst
                    ? HTTPError(.bodyIncomplete, "cut", mayHaveReachedServer: true) : nil)
            return HTTPResponse(.ok, body: HTTPBody(source: source), to: request)
        }
        let response = try await run(mock, Retry(steady)) { $0.delivery = .buffered(upTo: 100) }
        #expect(mock.hits == 2)
        #expect(try await response.text() == "piece")
        #expect(try await response.text() == "piece")
    }

    @Test func `under streamed delivery it is the reader's, and the error says why`() async throws {
        let retryDecisions = DecisionLog()
        let mock = MockSession { request in
            let source = OnePiece(breakingWith: HTTPError(.bodyIncomplete, "cut"))
            return HTTPResponse(.ok, body: HTTPBody(source: source, length: 9), to: request)
        }
        let response = try await run(mock, Retry(steady), observer: retryDecisions)
        #expect(response.body.length == 9)
        let error = await #expect(throws: HTTPError.self) { try await response.text() }
        #expect(error?.code == .bodyIncomplete && mock.hits == 1)
        #expect(
            error?.message
                == "cut; not sent again: \(HTTPRetryEvent.Refusal.bodyIsStreamed)")
        #expect(retryDecisions.refusals == [.bodyIsStreamed])
    }

    @Test func `a streamed body goes through as it is, to its trailers and its end`() async throws {
        final class Source: HTTPBodySource {
            let inner = OnePiece()
            func next() async throws -> Data? { try await inner.next() }
            func abandon() {}
            var trailers: HTTPHeaders? { ["Digest": "7"] }
        }
        let ends = Journal<String>()
        let mock = MockSession { request in
            let body = HTTPBody(source: Source())
            body.whenEnded { ends.add("\($0)") }
            return HTTPResponse(.ok, body: body, to: request)
        }
        let response = try await run(mock, Retry(steady))
        var pieces: [Data] = []
        for try await piece in response.body { pieces.append(piece) }
        #expect(pieces == [Data("piece".utf8)] && response.trailers?["Digest"] == "7")
        #expect(ends.entries.count == 1 && ends.entries[0].hasPrefix("complete"))
    }

    @Test func `a streamed body that is dropped unread is abandoned`() async throws {
        let ends = Journal<String>()
        let mock = MockSession { request in
            let body = HTTPBody(source: OnePiece())
            body.whenEnded { ends.add("\($0)") }
            return HTTPResponse(.ok, body: body, to: request)
        }
        // Only the middleware holds the body: MockSession keeps requests, not responses.
        do { _ = try await run(mock, Retry(steady)) }
        #expect(ends.entries == ["abandoned"])
    }

    @Test(.rows("S0-23"))
    func `a one-shot body that was read is not sent again: the response is handed back`()
        async throws
    {
        let retryDecisions = DecisionLog()
        let mock = MockSession { request in
            _ = try await request.body.collect()
            return HTTPResponse(.serviceUnavailable, to: request)
        }
        let response = try await run(mock, Retry(steady), observer: retryDecisions) {
            $0.method = .put
            $0.body = HTTPBody(source: OnePiece())
        }
        #expect(response.status == .serviceUnavailable && mock.hits == 1)
        #expect(retryDecisions.refusals == [.bodyNotReplayable])
    }

    @Test(.rows("S0-23"))
    func `or the error says so`() async throws {
        let mock = MockSession { request in
            _ = try await request.body.collect()
            throw HTTPError.lost
        }
        let error = await #expect(throws: HTTPError.self) {
            try await run(mock, Retry(steady)) {
                $0.method = .put
                $0.body = HTTPBody(source: OnePiece())
            }
        }
        #expect(error?.code == .connectionLost && mock.hits == 1)
        #expect(error?.message.hasSuffix("\(HTTPRetryEvent.Refusal.bodyNotReplayable)") == true)
    }

    @Test(.rows("S0-23"))
    func `an unread one-shot body is sent again`() async throws {
        let mock = MockSession.answering(
            { _ in throw HTTPError.refused }, { HTTPResponse(.ok, to: $0) })
        let response = try await run(mock, Retry(steady)) {
            $0.method = .put
            $0.body = HTTPBody(source: OnePiece())
        }
        #expect(response.status == .ok && mock.hits == 2)
    }

    // MARK: Anew each time

    @Test(.rows("S0-23"))
    func `a restartable body starts at its first byte each time`() async throws {
        let bodies = Journal<String>()
        let mock = MockSession { request in
            bodies.add(String(decoding: try await request.body.collect(), as: UTF8.self))
            return HTTPResponse(.serviceUnavailable, to: request)
        }
        try await run(mock, Retry(steady)) {
            $0.method = .put
            $0.body = HTTPBody(length: 5) { OnePiece() }
        }
        #expect(bodies.entries == ["piece", "piece", "piece"])
    }

    @Test(.rows("S0-23"))
    func `what modify asked for is done anew for every attempt, before the layers below`()
        async throws
    {
        struct Seeing: HTTPRequestInterceptor {
            let seen: Journal<String?>
            func process(request: inout HTTPRequest) async throws {
                seen.add(request.headers["Nonce"])
            }
        }
        let seen = Journal<String?>()
        let nonce = Locked(0)
        let mock = MockSession.statuses(.serviceUnavailable)
        let next: @Sendable () -> Int = {
            nonce.withLock { nonce in
                nonce += 1
                return nonce
            }
        }
        try await run(mock, Asking { _, _ in nil }, Retry(steady), Seeing(seen: seen)) {
            $0 = $0.modify { $0.headers["Nonce"] = "\(next())" }
        }
        #expect(seen.entries == ["1", "2", "3"])
        #expect(mock.requests.map { $0.headers["Nonce"] } == ["1", "2", "3"])
    }

    @Test func `a change that fails is a failure like any other`() async throws {
        struct Broken: Error {}
        let asked = Journal<HTTPError.Code?>()
        let mock = MockSession.statuses(.ok)
        let policy = RetryPolicy.deciding(delay: .zero) { attempt in
            asked.add((attempt.error as? HTTPError)?.code)
            return attempt.index == 0 ? .retry : .drop
        }
        let error = await #expect(throws: HTTPError.self) {
            try await run(mock, Retry(policy)) { $0 = $0.modify { _ in throw Broken() } }
        }
        #expect(error?.code == .preparationFailed && mock.hits == 0)
        #expect(asked.entries == [.preparationFailed, .preparationFailed])
    }

    // MARK: Cancelling

    @Test(.rows("S0-24"))
    func `cancelling ends a wait at once, and nothing is sent or counted any more`()
        async throws
    {
        let clock = HTTPTestClock()
        let budget = RetryBudget()
        let mock = MockSession.statuses(.serviceUnavailable)
        let session = mock.with(Retry(steady, budget: budget))
        let request = try HTTPRequest.test(clock: clock)
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(mock.hits == 1 && clock.sleeperCount == 0 && clock.now.sinceStart == .zero)
        let call = try #require(request.call)
        #expect(call.withRetryLedger { $0.retries } == 0)
        #expect(budget.numbers(for: call.origin, at: clock.now).retries == 0)
    }

    @Test(.rows("S0-24"))
    func `a cancelled attempt is never retried`() async throws {
        let mock = MockSession.answering({ _ in throw CancellationError() })
        await #expect(throws: CancellationError.self) {
            try await run(mock, Retry(.standard.also { _ in true }))
        }
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-24"))
    func `a call that is cancelled before it begins sends nothing`() async throws {
        let mock = MockSession.statuses(.ok)
        let session = mock.with(Retry(steady))
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await session.response(for: "https://h/")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(mock.hits == 0)
    }

    @Test(.rows("S0-24"))
    func `a response that came while the task was cancelled is given up, not sent again`()
        async throws
    {
        let ends = Journal<String>()
        let mock = MockSession { request in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            let body = HTTPBody(source: OnePiece())
            body.whenEnded { ends.add("\($0)") }
            return HTTPResponse(.serviceUnavailable, body: body, to: request)
        }
        let session = mock.with(Retry(steady))
        let task = Task { try await session.response(for: "https://h/") }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(mock.hits == 1 && ends.entries == ["abandoned"])
    }

    // MARK: Deadlines

    @Test func `a wait that would outlive the deadline is not begun`() async throws {
        let clock = HTTPTestClock()
        let retryDecisions = DecisionLog()
        let mock = MockSession.statuses(.serviceUnavailable)
        let session = mock.with(Retry(steady))
        let request = try HTTPRequest.test(clock: clock, observer: retryDecisions) {
            $0.deadline = HTTPInstant(sinceStart: .seconds(0.5))
        }
        let response = try await session.response(for: request)
        #expect(response.status == .serviceUnavailable && mock.hits == 1)
        #expect(retryDecisions.refusals == [.deadline])
    }

    @Test func `an attempt that outlives the deadline ends with it`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { request in
            try await clock.sleep(for: .seconds(60))
            return HTTPResponse(.ok, to: request)
        }
        let session = mock.with(Retry(steady))
        let request = try HTTPRequest.test(clock: clock) {
            $0.deadline = HTTPInstant(sinceStart: .seconds(2))
        }
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.code == .timedOut && error?.phase == .waiting)
        #expect(error?.timer == HTTPError.Timer(.deadline, .seconds(2)) && mock.hits == 1)
    }

    // MARK: Other people's requests

    @Test func `an alternative request passes untouched`() async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        try await run(mock, Retry(steady)) { $0[AlternativeMark.self] = true }
        #expect(mock.hits == 1)
    }

    // MARK: Nested limits

    @Test(arguments: [(0, 3), (1, 3), (3, 1), (2, 0)])
    func `of nested limits the outer one counts, for both`(outer: Int, inner: Int) async throws {
        let clock = HTTPTestClock()
        func policy(_ limit: Int) -> RetryPolicy {
            var policy = RetryPolicy.standard
            policy.backoff = .constant(.zero)
            policy.maxRetries = limit
            return policy
        }
        let mock = MockSession.statuses(.serviceUnavailable)
        // The outer one may be active without retries of its own, as it is where it only hedges.
        let session = mock.with(
            Retry(policy(outer), hedging: outer == 0 ? .after(.seconds(60)) : nil),
            Retry(policy(inner)))
        let response = try await session.response(for: HTTPRequest.test(clock: clock))
        #expect(response.status == .serviceUnavailable)
        #expect(mock.hits == outer + 1)
    }
}
