import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RateLimitTests {
    private let clock = HTTPTestClock()
    private let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("done"), to: $0) }

    private func request(
        _ url: String = "http://h/", deadline: Duration? = nil, observer: (any HTTPObserver)? = nil,
        _ change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(.get, url)
        if let deadline { request.deadline = clock.now + deadline }
        change(&request)
        return try request.beginningCall(observer: observer, clock: clock)
    }

    private func send(
        _ request: HTTPRequest, over session: any HTTPSession
    ) -> Task<HTTPResponse, any Error> {
        Task { try await session.response(for: request) }
    }

    /// Advances the clock to the next sleeper, and from there to the next, until `isDone`. Between
    /// two, it waits until the tasks have gone on.
    private func advance(until isDone: () -> Bool) async throws {
        while !isDone() {
            // Later sleepers are requests that give up.
            while let next = clock.nextDeadline, next - clock.now < .seconds(50), !isDone() {
                clock.advance(to: next)
                for _ in 0..<100 where !isDone() { await Task.yield() }
            }
            await Task.yield()
        }
    }

    // MARK: Requests

    @Test func `requests within the rate do not wait, and others wait for their turn`() async throws
    {
        let limit = RateLimit(.tokenBucket(1, per: .seconds(1), burst: 2))
        let session = mock.with(limit)
        for _ in 0..<2 { _ = try await session.response(for: request()) }
        let third = send(try request(), over: session)
        try await clock.waitForSleepers(2)  // the request and the driver
        #expect(limit.statistics.waiting == 1)
        #expect(mock.requests.count == 2)
        clock.advance(by: .seconds(1))
        _ = try await third.value
        #expect(clock.now.sinceStart == .seconds(1))
        let statistics = limit.statistics
        #expect(statistics.admitted == 3 && statistics.waited == 1 && statistics.waiting == 0)
    }

    @Test func `each origin has its own rate, unless the key says otherwise`() async throws {
        let rate = HTTPRate.tokenBucket(1, per: .seconds(60), burst: 1)
        let byOrigin = mock.with(RateLimit(rate, timeout: .zero))
        _ = try await byOrigin.response(for: request("http://a/"))
        _ = try await byOrigin.response(for: request("http://b/"))
        let byKey = mock.with(
            RateLimit(rate, timeout: .zero, key: .custom { $0.url.path == "/free" ? nil : "all" }))
        _ = try await byKey.response(for: request("http://a/x"))
        _ = try await byKey.response(for: request("http://a/free"))
        await #expect(throws: HTTPError.self) {
            try await byKey.response(for: request("http://b/x"))
        }
    }

    @Test func `a refusal says when to come again, and nothing is sent`() async throws {
        let limit = RateLimit(
            .tokenBucket(1, per: .seconds(10), burst: 1), timeout: .seconds(5))
        let session = mock.with(limit)
        _ = try await session.response(for: request())
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        #expect(error?.code == .rateLimited)
        #expect(error?.phase == .queued)
        #expect(error?.isRetryable == true && error?.mayHaveReachedServer == false)
        let wait = try #require(error?.retryAfter)
        #expect(wait > .seconds(9.9) && wait <= .seconds(10))
        #expect(mock.requests.count == 1)
        #expect(limit.statistics.refused == 1)
        clock.advance(by: wait)
        _ = try await session.response(for: request())
    }

    @Test func `a request that cannot go on before its deadline fails at once`() async throws {
        let session = mock.with(RateLimit(.tokenBucket(1, per: .seconds(10), burst: 1)))
        _ = try await session.response(for: request())
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request(deadline: .seconds(9)))
        }
        #expect(error?.code == .rateLimited)
        #expect(clock.now.sinceStart == .zero)
    }

    @Test func `a request behind others fails at once, if its turn would come too late`()
        async throws
    {
        let session = mock.with(RateLimit(.tokenBucket(1, per: .seconds(1), burst: 1)))
        _ = try await session.response(for: request())
        let waiting = try (0..<3).map { _ in send(try request(), over: session) }
        try await clock.waitForSleepers(4)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request(deadline: .seconds(3.5)))
        }
        #expect(error?.code == .rateLimited)
        try await advance { mock.requests.count == 4 }
        for task in waiting { _ = try await task.value }
    }

    @Test func `a full queue refuses at once`() async throws {
        let session = mock.with(
            RateLimit(.tokenBucket(1, per: .seconds(1), burst: 1), queue: 1))
        _ = try await session.response(for: request())
        let second = send(try request(), over: session)
        try await clock.waitForSleepers(2)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        #expect(error?.code == .queueFull)
        clock.advance(by: .seconds(1))
        _ = try await second.value
    }

    // MARK: Fairness

    @Test func `tenants take turns`() async throws {
        let session = mock.with(RateLimit(.tokenBucket(1, per: .seconds(1), burst: 1)))
        _ = try await session.response(for: request())
        var tasks: [Task<HTTPResponse, any Error>] = []
        for (index, tenant) in ["a", "a", "a", "b"].enumerated() {
            tasks.append(
                send(
                    try request("http://h/\(tenant)\(index)") { $0.tenant = tenant }, over: session)
            )
            try await clock.waitForSleepers(index + 2)
        }
        for count in 2...5 { try await advance { mock.requests.count == count } }
        for task in tasks { _ = try await task.value }
        #expect(mock.requests.map(\.url.path) == ["/", "/a0", "/b3", "/a1", "/a2"])
    }

    // MARK: Giving back

    @Test func `a request that leaves the queue takes nothing`() async throws {
        let limit = RateLimit(.tokenBucket(1, per: .seconds(1), burst: 1))
        let session = mock.with(limit)
        _ = try await session.response(for: request())
        let second = send(try request(), over: session)
        try await clock.waitForSleepers(2)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(limit.statistics.waiting == 0)
        // The driver gives back what was promised.
        while clock.sleeperCount > 0 { await Task.yield() }
        clock.advance(by: .seconds(1))
        while true {
            let next = send(try request(), over: session)
            if (try? await next.value) != nil { break }
        }
        #expect(clock.now.sinceStart == .seconds(1))
    }

    @Test func `a request that fails before it is sent gives its unit back`() async throws {
        let failing = MockSession { _ in throw HTTPError(.queueFull, "full", phase: .queued) }
        let limit = RateLimit(.tokenBucket(1, per: .seconds(1), burst: 1))
        for _ in 0..<3 {
            await #expect(throws: HTTPError.self) {
                try await failing.with(limit).response(for: request())
            }
        }
        #expect(limit.statistics.refunded == 3)
        _ = try await mock.with(limit).response(for: request())
    }

    @Test func `a request that may have reached the server counts`() async throws {
        let failing = MockSession { _ in
            throw HTTPError(.connectionLost, "lost", mayHaveReachedServer: true)
        }
        let limit = RateLimit(.tokenBucket(1, per: .seconds(1), burst: 1), timeout: .zero)
        await #expect(throws: HTTPError.self) {
            try await failing.with(limit).response(for: request())
        }
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(limit).response(for: request())
        }
        #expect(error?.code == .rateLimited)
    }

    @Test func `cancelling at any moment loses no unit and no request`() async throws {
        let limit = RateLimit(.tokenBucket(1000, per: .seconds(1), burst: 1))
        let session = mock.with(limit)
        let sent = Record<Int>()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task {
                        _ = try await session.response(for: HTTPRequest(.get, "http://a/"))
                        sent.add(index)
                    }
                    for _ in 0..<index % 7 { await Task.yield() }
                    if !index.isMultiple(of: 3) { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(limit.statistics.waiting == 0)
        #expect(sent.entries.count >= 67)
        _ = try await session.response(for: HTTPRequest(.get, "http://a/"))
    }

    // MARK: The server's limits

    private func reporting(_ headers: HTTPHeaders) -> MockSession {
        MockSession { HTTPResponse(.ok, headers: headers, to: $0) }
    }

    @Test func `nothing is sent while the server has nothing left`() async throws {
        let server = reporting(["RateLimit": #""a";r=0;t=30"#])
        let session = server.with(RateLimit(nil))
        _ = try await session.response(for: request())
        let second = send(try request(), over: session)
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(29))
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(1))
        _ = try await second.value
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request(deadline: .seconds(20)))
        }
        #expect(error?.code == .rateLimited)
        #expect(error?.retryAfter == .seconds(30))
    }

    @Test func `what was sent since the server's report counts`() async throws {
        let remaining = Locked([2])
        let server = MockSession { request in
            let left = remaining.withLock { $0.popLast() }
            let headers: HTTPHeaders =
                left.map { ["X-RateLimit-Remaining": "\($0)", "X-RateLimit-Reset": "9"] } ?? [:]
            return HTTPResponse(.ok, headers: headers, to: request)
        }
        let session = server.with(RateLimit(.tokenBucket(100), timeout: .zero))
        for _ in 0..<3 { _ = try await session.response(for: request()) }
        await #expect(throws: HTTPError.self) { try await session.response(for: request()) }
        clock.advance(by: .seconds(9))
        _ = try await session.response(for: request())
    }

    /// The server may not have counted it yet.
    @Test func `a request under way counts against what another response reports`() async throws {
        let (asked, open) = (Gate(), Gate())
        let server = MockSession { request in
            if request.url.path == "/held" {
                asked.open()
                try await open.wait()
                return HTTPResponse(.ok, to: request)
            }
            return HTTPResponse(
                .ok, headers: ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "9"], to: request)
        }
        let session = server.with(RateLimit(.tokenBucket(100), timeout: .zero))
        let held = send(try request("http://h/held"), over: session)
        try await asked.wait()
        _ = try await session.response(for: request())
        await #expect(throws: HTTPError.self) { try await session.response(for: request()) }
        open.open()
        _ = try await held.value
        clock.advance(by: .seconds(9))
        for _ in 0..<2 { _ = try await session.response(for: request()) }
        #expect(server.requests.count == 4)
    }

    @Test func `after five minutes one request asks anew, and the others wait for its response`()
        async throws
    {
        let gate = Gate()
        let count = Locked(0)
        let server = MockSession { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 { try await gate.wait() }
            return HTTPResponse(
                .ok,
                headers: number == 1
                    ? ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "999999999"] : [:],
                to: request)
        }
        let limit = RateLimit(.tokenBucket(1000), timeout: .seconds(1000))
        let session = server.with(limit)
        _ = try await session.response(for: request())
        let others = try (0..<5).map { _ in send(try request(), over: session) }
        while limit.statistics.waiting < 5 { await Task.yield() }
        clock.advance(by: .seconds(299))
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(1))
        while server.requests.count < 2 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        // A request that comes now waits, too, and is not refused.
        let late = send(try request(), over: session)
        while limit.statistics.waiting < 5 { await Task.yield() }
        #expect(server.requests.count == 2)
        gate.open()
        for task in others + [late] { _ = try await task.value }
        #expect(server.requests.count == 7)
        #expect(clock.now.sinceStart == .seconds(300))
    }

    @Test(arguments: [true, false])
    func `a probe that fails or is cancelled is followed by another one`(isCancelled: Bool)
        async throws
    {
        let count = Locked(0)
        let server = MockSession { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 {
                if isCancelled { throw CancellationError() }
                throw HTTPError(.connectionLost, "lost", mayHaveReachedServer: true)
            }
            return HTTPResponse(
                .ok,
                headers: number == 1
                    ? ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "999999999"] : [:],
                to: request)
        }
        let limit = RateLimit(.tokenBucket(1000), timeout: .seconds(1000))
        let session = server.with(limit)
        _ = try await session.response(for: request())
        let others = try (0..<3).map { _ in send(try request(), over: session) }
        while limit.statistics.waiting < 3 { await Task.yield() }
        clock.advance(by: .seconds(300))
        var failed = 0
        for task in others {
            do { _ = try await task.value } catch { failed += 1 }
        }
        #expect(failed == 1)
        #expect(server.requests.count == 4)
    }

    @Test func `the server's limits can be left out`() async throws {
        let server = reporting(["RateLimit-Remaining": "0", "RateLimit-Reset": "30"])
        let session = server.with(
            RateLimit(.tokenBucket(100), timeout: .zero, heedsServer: false))
        for _ in 0..<3 { _ = try await session.response(for: request()) }
    }

    // MARK: Bytes

    @Test func `the bytes of a request are counted before it is sent`() async throws {
        let limit = RateLimit(nil, bytes: .tokenBucket(100, per: .seconds(1), burst: 100))
        let session = MockSession { HTTPResponse(.noContent, to: $0) }.with(limit)
        let upload = { try request { $0.body = HTTPBody(Data(count: 100)) } }
        _ = try await session.response(for: upload())
        let second = send(try upload(), over: session)
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        _ = try await second.value
        #expect(limit.byteStatistics.admitted == 200)
    }

    @Test func `the reader of a response waits for its bytes`() async throws {
        let limit = RateLimit(nil, bytes: .tokenBucket(10, per: .seconds(1), burst: 10))
        let session = MockSession { request in
            HTTPResponse(
                .ok,
                body: HTTPBody(source: HeldBody((0..<3).map { _ in (nil, Data(count: 10)) })),
                to: request)
        }.with(limit)
        let response = try await session.response(for: request())
        let reading = Task { try await response.body.collect() }
        try await advance { clock.now.sinceStart >= .seconds(2) }
        #expect(try await reading.value.count == 30)
        #expect(limit.byteStatistics.waited == 2)
    }

    @Test func `a buffered response may be read again`() async throws {
        let limit = RateLimit(nil, bytes: .tokenBucket(1000))
        let response = try await mock.with(limit).response(
            for: request { $0.delivery = .buffered(upTo: 100) })
        for _ in 0..<2 { #expect(try await response.body.collect().count == 4) }
        #expect(limit.byteStatistics.admitted == 4)
    }

    @Test func `the deadline ends the wait of a reader`() async throws {
        let limit = RateLimit(nil, bytes: .tokenBucket(1, per: .seconds(10), burst: 1))
        let session = mock.with(limit)
        let response = try await session.response(for: request(deadline: .seconds(5)))
        _ = try await mock.with(limit).response(for: request()).body.collect()
        let error = await #expect(throws: HTTPError.self) {
            try await response.body.collect()
        }
        #expect(error?.timer?.name == .deadline)
        #expect(error?.phase == .receiving)
    }

    @Test func `a body of unknown length is counted as it is sent`() async throws {
        let limit = RateLimit(nil, bytes: .tokenBucket(10, per: .seconds(1), burst: 10))
        let server = MockSession { request in
            _ = try await request.body.collect()
            return HTTPResponse(.noContent, to: request)
        }
        _ = try await server.with(limit).response(
            for: request { $0.body = HTTPBody(source: HeldBody([(nil, Data(count: 30))])) })
        let error = await #expect(throws: HTTPError.self) {
            try await server.with(limit).response(
                for: request(deadline: .seconds(1)) { $0.body = HTTPBody(Data(count: 10)) })
        }
        #expect(error?.code == .rateLimited)
    }

    // MARK: Events

    @Test func `a wait is an event with its length`() async throws {
        let events = Record<HTTPEvent>()
        let session = mock.with(RateLimit(.tokenBucket(1, per: .seconds(1), burst: 1)))
        _ = try await session.response(for: request(observer: EventRecorder(events)))
        let second = send(try request(observer: EventRecorder(events)), over: session)
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        _ = try await second.value
        let holds = events.entries.compactMap { event -> Duration? in
            if case .layer(HTTPLimitEvent.held(.rate, let time)) = event.kind { time } else { nil }
        }
        #expect(holds == [.seconds(1)])
    }
}
