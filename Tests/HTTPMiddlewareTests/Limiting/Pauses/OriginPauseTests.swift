import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct OriginPauseTests {
    private let clock = HTTPTestClock()

    /// Refuses `/refused` and accepts everything else.
    private func server(_ status: HTTPStatus = .tooManyRequests, after: String = "10")
        -> MockSession
    {
        MockSession { request in
            guard request.url.path == "/refused" else { return HTTPResponse(.ok, to: request) }
            return HTTPResponse(status, headers: ["Retry-After": after], to: request)
        }
    }

    private func request(
        _ url: String = "http://h/", deadline: Duration? = nil, observer: (any HTTPObserver)? = nil
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(.get, url)
        if let deadline { request.deadline = clock.now + deadline }
        return try request.beginningCall(observer: observer, clock: clock)
    }

    @Test(arguments: [HTTPStatus.tooManyRequests, .serviceUnavailable])
    func `a refusal pauses every request to the origin, and no other origin`(
        status: HTTPStatus
    ) async throws {
        let server = server(status)
        let pause = OriginPause(spread: 0)
        let session = server.with(pause)
        let refused = try await session.response(for: request("http://h/refused"))
        #expect(refused.status == status)
        let second = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        _ = try await session.response(for: request("http://other/"))
        #expect(pause.underWay(on: clock) == ["http://h": .seconds(10)])
        clock.advance(by: .seconds(10))
        _ = try await second.value
        #expect(server.requests.map(\.url.absoluteString).last == "http://h/")
        #expect(pause.statistics.pauses == 1 && pause.statistics.waited == 1)
        #expect(pause.underWay(on: clock).isEmpty)
    }

    @Test(arguments: ["", "soon", "0", "-1"])
    func `without a time to wait for there is no pause`(after: String) async throws {
        let session = server(after: after).with(OriginPause())
        _ = try await session.response(for: request("http://h/refused"))
        _ = try await session.response(for: request())
    }

    @Test func `a date pauses until that date`() async throws {
        let session = server(after: "Sun, 06 Nov 1994 08:50:37 GMT").with(OriginPause(spread: 0))
        _ = try await session.response(for: request("http://h/refused"))
        let second = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        #expect(clock.sleeps == [.seconds(60)])
        clock.advance(by: .seconds(60))
        _ = try await second.value
    }

    @Test func `a pause has a limit`() async throws {
        let pause = OriginPause(limit: .seconds(30), spread: 0)
        let session = server(after: "2000000000").with(pause)
        _ = try await session.response(for: request("http://h/refused"))
        #expect(pause.underWay(on: clock).values.first == .seconds(30))
    }

    @Test func `a request that cannot wait so long is told when to come again`() async throws {
        let server = server()
        let pause = OriginPause(timeout: .seconds(5), spread: 0)
        let session = server.with(pause)
        _ = try await session.response(for: request("http://h/refused"))
        for request in [try request(), try request(deadline: .seconds(3))] {
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: request)
            }
            #expect(error?.code == .originPaused)
            #expect(error?.retryAfter == .seconds(10))
            #expect(error?.mayHaveReachedServer == false)
        }
        #expect(server.requests.count == 1)
        #expect(pause.statistics.refused == 2)
    }

    @Test func `requests go on one by one after the pause`() async throws {
        let server = server()
        let session = server.with(OriginPause(spread: 0.5))
        _ = try await session.response(for: request("http://h/refused"))
        let tasks = (0..<50).map { _ in Task { try await session.response(for: request()) } }
        try await clock.waitForSleepers(50)
        let waits = clock.sleeps
        #expect(waits.allSatisfy { $0 >= .seconds(10) && $0 <= .seconds(15) })
        #expect(Set(waits).count > 40)
        clock.advance(by: .seconds(15))
        for task in tasks { _ = try await task.value }
    }

    @Test func `a pause that is extended while requests wait holds them longer`() async throws {
        let pause = OriginPause(spread: 0)
        let session = server().with(pause)
        let late = HeldSession()
        let sentBefore = Task {
            try await MockSession { request in
                _ = try await late.response(for: request)
                return HTTPResponse(
                    .serviceUnavailable, headers: ["Retry-After": "30"], to: request)
            }.with(pause).response(for: request("http://h/late"))
        }
        try await late.asked.wait()
        _ = try await session.response(for: request("http://h/refused"))
        let waiting = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        late.answer.open()
        _ = try await sentBefore.value
        clock.advance(by: .seconds(5))
        while clock.sleeps.count < 2 { await Task.yield() }
        #expect(clock.sleeps == [.seconds(10), .seconds(25)])
        clock.advance(by: .seconds(25))
        _ = try await waiting.value
    }

    @Test func `a cancelled wait ends at once`() async throws {
        let session = server().with(OriginPause())
        _ = try await session.response(for: request("http://h/refused"))
        let second = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    // MARK: With other limits

    @Test func `requests that wait for a permit when the pause begins are held as well`()
        async throws
    {
        let first = HeldSession()
        let server = MockSession { request in
            if request.url.path == "/refused" {
                _ = try await first.response(for: request)
                return HTTPResponse(
                    .tooManyRequests, headers: ["Retry-After": "10"], to: request)
            }
            return HTTPResponse(.ok, to: request)
        }
        let pause = OriginPause(spread: 0)
        let limit = ConcurrencyLimit(perOrigin: 1)
        let session = server.with(pause.gate, limit, pause)
        let refused = Task { try await session.response(for: request("http://h/refused")) }
        try await first.asked.wait()
        let queued = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)  // for its permit
        first.answer.open()
        _ = try await refused.value
        while !clock.sleeps.contains(.seconds(10)) { await Task.yield() }  // at the gate again
        #expect(server.requests.count == 1)
        #expect(limit.running == 0)
        clock.advance(by: .seconds(10))
        _ = try await queued.value
    }

    @Test func `a request that goes back to the gate gives back its unit`() async throws {
        let rate = RateLimit(.tokenBucket(1, per: .seconds(1), burst: 1))
        let pause = OriginPause(spread: 0)
        let session = server().with(pause.gate, rate, pause)
        _ = try await session.response(for: request())
        let queued = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(2)  // for a unit
        _ = try await server(after: "5").with(pause).response(for: request("http://h/refused"))
        clock.advance(by: .seconds(1))
        while !clock.sleeps.contains(.seconds(4)) { await Task.yield() }  // at the gate again
        #expect(rate.statistics.refunded == 1)
        clock.advance(by: .seconds(4))
        _ = try await queued.value
        #expect(rate.statistics.admitted - rate.statistics.refunded == 2)
    }

    @Test func `a pause within another client's gate holds the request itself`() async throws {
        let (inner, outer) = (OriginPause(spread: 0), OriginPause(spread: 0))
        let server = server()
        _ = try await server.with(inner).response(for: request("http://h/refused"))
        let session = server.with(outer.gate, inner, outer)
        let held = Task { try await session.response(for: request()) }
        while !clock.sleeps.contains(.seconds(10)) { await Task.yield() }
        clock.advance(by: .seconds(10))
        _ = try await held.value
        #expect(clock.sleeps.count == 1)
    }

    @Test func `a wait for one client's pause does not shorten that for another one's`()
        async throws
    {
        let (first, second) = (OriginPause(spread: 0), OriginPause(spread: 0))
        _ = try await server(after: "30").with(first).response(for: request("http://h/refused"))
        let session = server().with(first, second)
        let held = Task { try await session.response(for: request()) }
        while !clock.sleeps.contains(.seconds(30)) { await Task.yield() }
        clock.advance(by: .seconds(25))
        _ = try await server(after: "6").with(second).response(for: request("http://h/refused"))
        clock.advance(by: .seconds(5))
        while !clock.sleeps.contains(.seconds(1)) { await Task.yield() }
        clock.advance(by: .seconds(1))
        _ = try await held.value
    }

    @Test func `a request waits once, though it passes both places`() async throws {
        let pause = OriginPause(spread: 0.5)
        let session = server().with(pause.gate, pause)
        _ = try await session.response(for: request("http://h/refused"))
        let second = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        clock.advance(to: try #require(clock.nextDeadline))
        _ = try await second.value
        #expect(clock.sleeps.count == 1)
        #expect(pause.statistics.waited == 1)
    }

    // MARK: Events

    @Test func `the pause and the wait are events`() async throws {
        let events = Record<HTTPEvent>()
        let session = server().with(OriginPause(spread: 0))
        _ = try await session.response(
            for: request("http://h/refused", observer: EventRecorder(events)))
        let second = Task {
            try await session.response(for: request(observer: EventRecorder(events)))
        }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        _ = try await second.value
        let shown = events.entries.compactMap { event -> String? in
            switch event.kind {
            case .layer(HTTPLimitEvent.paused(let key, let time)): "\(key) \(time)"
            case .layer(HTTPLimitEvent.held(.pause, let time)): "held \(time)"
            default: nil
            }
        }
        #expect(shown == ["http://h 10.0 seconds", "held 10.0 seconds"])
    }

    // MARK: A fleet

    @Test func `a pause of one client holds the requests of another one`() async throws {
        let store = HTTPMemoryPauseStore()
        let here = OriginPause(spread: 0, store: store, clock: clock)
        let there = OriginPause(spread: 0, store: store, clock: clock)
        let elsewhere = OriginPause(spread: 0, name: "other", store: store, clock: clock)
        let server = server()
        _ = try await server.with(here).response(for: request("http://h/refused"))
        while there.statistics.announced == 0 { await Task.yield() }
        let second = Task { try await server.with(there).response(for: request()) }
        try await clock.waitForSleepers(1)
        _ = try await server.with(elsewhere).response(for: request())
        clock.advance(by: .seconds(10))
        _ = try await second.value
    }

    @Test func `a store that fails changes nothing for the process itself`() async throws {
        struct Failing: HTTPPauseStore {
            func announce(_ pause: HTTPPause) async throws { throw CancellationError() }
            func announcements() -> AsyncStream<HTTPPause> { AsyncStream { $0.finish() } }
        }
        let pause = OriginPause(spread: 0, store: Failing(), clock: clock)
        let session = server().with(pause)
        _ = try await session.response(for: request("http://h/refused"))
        let second = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        while pause.statistics.storeFailures == 0 { await Task.yield() }
        clock.advance(by: .seconds(10))
        _ = try await second.value
    }

    @Test func `pauses that no client has any more are not read`() async throws {
        let store = HTTPMemoryPauseStore()
        do {
            let pause = OriginPause(store: store, clock: clock)
            _ = try await server().with(pause).response(for: request())
            #expect(store.readerCount == 1)
        }
        while store.readerCount > 0 { await Task.yield() }
    }
}
