import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// A limit whose units a store counts, as that store works, fails, hangs, or forgets.
@Suite(.timeLimit(.minutes(5))) struct RateLimitSharingTests {
    private let clock = HTTPTestClock()
    private let mock = MockSession { HTTPResponse(.ok, to: $0) }
    private let rate = HTTPRate.tokenBucket(1, per: .seconds(1), burst: 1)

    private func request() throws -> HTTPRequest {
        try HTTPRequest(.get, "http://h/").beginningCall(clock: clock)
    }

    private func send(over session: any HTTPSession) -> Task<HTTPResponse, any Error> {
        Task { try await session.response(for: request()) }
    }

    /// Waits until a unit is waited for that the store has promised in a second.
    private func waitForPromise() async {
        while !clock.sleeps.contains(where: { $0 > .seconds(0.9) && $0 <= .seconds(1) }) {
            await Task.yield()
        }
    }

    /// Lets the time of a lease pass, so that nothing waits for its end any more.
    private func endLease() async {
        while clock.sleeperCount > 0 {
            if let next = clock.nextDeadline { clock.advance(to: next) }
            await Task.yield()
        }
    }

    // MARK: A store that works

    @Test func `two limits with one store count together`() async throws {
        let store = HTTPMemoryRateStore()
        let limits = (0..<2).map { _ in RateLimit(rate, sharing: RateLimit.Sharing(store)) }
        _ = try await mock.with(limits[0]).response(for: request())
        let second = send(over: mock.with(limits[1]))
        await waitForPromise()
        clock.advance(by: .seconds(1))
        _ = try await second.value
    }

    @Test func `requests that come during a question share the next one`() async throws {
        let store = ScriptedRateStore()
        let limit = RateLimit(.tokenBucket(100), sharing: RateLimit.Sharing(store))
        let session = mock.with(limit)
        let first = send(over: session)
        try await store.questions.wait(for: 1)
        let others = (0..<9).map { _ in send(over: session) }
        while limit.statistics.waiting < 10 { await Task.yield() }
        store.answer.open()
        for task in [first] + others { _ = try await task.value }
        #expect(store.questions.entries.map(\.units) == [1...1, 1...9])
        #expect(store.refunds.entries.isEmpty)
    }

    @Test func `a lease makes most requests free of questions, and its rest goes back`()
        async throws
    {
        let store = ScriptedRateStore(isOpen: true)
        let limit = RateLimit(
            .tokenBucket(1000), sharing: RateLimit.Sharing(store, lease: 20))
        let session = mock.with(limit)
        for _ in 0..<11 { _ = try await session.response(for: request()) }
        #expect(store.questions.entries.map(\.units) == [1...21])
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        try await store.refunds.wait(for: 1)
        #expect(store.refunds.entries == [10])
        // And again after the lease.
        _ = try await session.response(for: request())
        #expect(store.questions.entries.count == 2)
        await endLease()
    }

    @Test func `requests that need more than is left of a lease ask at once`() async throws {
        let store = ScriptedRateStore(isOpen: true)
        let limit = RateLimit(.tokenBucket(1000), sharing: RateLimit.Sharing(store, lease: 1))
        let session = mock.with(limit)
        for _ in 0..<6 { _ = try await session.response(for: request()) }
        #expect(clock.now.sinceStart == .zero)
        #expect(store.questions.entries.count == 3)
        await endLease()
    }

    @Test func `a request that may not wait for units waits for the answer of the store`()
        async throws
    {
        let store = ScriptedRateStore(inner: HTTPMemoryRateStore())
        let limit = RateLimit(rate, timeout: .zero, sharing: RateLimit.Sharing(store))
        let first = send(over: mock.with(limit))
        try await store.questions.wait(for: 1)
        store.answer.open()
        _ = try await first.value
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(limit).response(for: request())
        }
        #expect(error?.code == .rateLimited)
        #expect(error?.retryAfter == .seconds(1))
    }

    @Test func `units that nothing waits for any more go back`() async throws {
        let store = ScriptedRateStore()
        let limit = RateLimit(.tokenBucket(100), sharing: RateLimit.Sharing(store))
        let task = send(over: mock.with(limit))
        try await store.questions.wait(for: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        store.answer.open()
        try await store.refunds.wait(for: 1)
        #expect(store.refunds.entries == [1])
    }

    // MARK: A store that does not

    @Test func `a store that hangs is waited for no longer than its limit`() async throws {
        let store = ScriptedRateStore(heedsCancellation: false)
        let limit = RateLimit(
            rate, sharing: RateLimit.Sharing(store, timeout: .seconds(1), whenStoreFails: .admit))
        let task = send(over: mock.with(limit))
        try await store.questions.wait(for: 1)
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        _ = try await task.value
        #expect(limit.statistics.storeFailures == 1)
        // What comes too late goes back.
        store.answer.open()
        try await store.refunds.wait(for: 1)
    }

    @Test func `after a failure the store is left alone, and then asked again`() async throws {
        let store = ScriptedRateStore(isOpen: true)
        store.fails(true)
        let limit = RateLimit(
            rate, sharing: RateLimit.Sharing(store, whenStoreFails: .admit))
        let session = mock.with(limit)
        for _ in 0..<50 { _ = try await session.response(for: request()) }
        #expect(store.questions.entries.count == 1)
        clock.advance(by: .milliseconds(100))
        for _ in 0..<50 { _ = try await session.response(for: request()) }
        #expect(store.questions.entries.count == 2)
        store.fails(false)
        clock.advance(by: .seconds(5))
        for _ in 0..<3 { _ = try await session.response(for: request()) }
        #expect(store.questions.entries.count == 5)
    }

    @Test func `a limit that fails closed sends nothing`() async throws {
        let store = ScriptedRateStore(isOpen: true)
        store.fails(true)
        let limit = RateLimit(rate, sharing: RateLimit.Sharing(store, whenStoreFails: .refuse))
        for _ in 0..<3 {
            let error = await #expect(throws: HTTPError.self) {
                try await mock.with(limit).response(for: request())
            }
            #expect(error?.code == .sharedStoreFailed)
        }
        #expect(mock.requests.isEmpty)
    }

    @Test func `a limit that fails to a local one keeps to it`() async throws {
        let store = ScriptedRateStore(isOpen: true)
        store.fails(true)
        let limit = RateLimit(
            .tokenBucket(1000), timeout: .seconds(5),
            sharing: RateLimit.Sharing(
                store,
                whenStoreFails: .limitLocally(to: .tokenBucket(1, per: .seconds(10), burst: 2))
            ))
        let session = mock.with(limit)
        for _ in 0..<2 { _ = try await session.response(for: request()) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        #expect(error?.code == .rateLimited)
        #expect(store.refunds.entries.isEmpty)
    }

    @Test func `a store that forgets admits one burst more, and no request is lost`() async throws {
        let store = HTTPMemoryRateStore()
        let forgetful = ScriptedRateStore(isOpen: true, inner: store)
        let limit = RateLimit(rate, sharing: RateLimit.Sharing(forgetful))
        let session = mock.with(limit)
        _ = try await session.response(for: request())
        forgetful.forget()
        _ = try await session.response(for: request())
        let third = send(over: session)
        await waitForPromise()
        clock.advance(by: .seconds(1))
        _ = try await third.value
    }

    @Test(
        arguments: [
            (.admitted(units: 0, after: .zero), .sharedStoreFailed),
            (.admitted(units: -1, after: .zero), .sharedStoreFailed),
            (.admitted(units: .min, after: .zero), .sharedStoreFailed),
            (.admitted(units: .max, after: .zero), nil), (.admitted(units: 2, after: .zero), nil),
            (.admitted(units: 1, after: .seconds(-1)), nil),
            // Longer than the request waits, so a refusal.
            (.admitted(units: 1, after: .seconds(1e12)), .rateLimited),
            (.refused(retryAfter: .seconds(-1)), .rateLimited),
        ] as [(HTTPRateAdmission, HTTPError.Code?)])
    func `a decision that does not fit the question is none`(
        decision: HTTPRateAdmission, code: HTTPError.Code?
    ) async throws {
        struct Store: HTTPRateStore {
            let decision: HTTPRateAdmission
            let refunds = Record<Int>()
            func admit(_ request: HTTPRateRequest) async throws -> HTTPRateAdmission { decision }
            func refund(_ units: Int, of request: HTTPRateRequest) async throws {
                refunds.add(units)
            }
        }
        let store = Store(decision: decision)
        let limit = RateLimit(
            .tokenBucket(1000), timeout: .seconds(9),
            sharing: RateLimit.Sharing(store, whenStoreFails: .refuse))
        guard let code else {
            _ = try await mock.with(limit).response(for: request())
            return
        }
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(limit).response(for: request())
        }
        #expect(error?.code == code)
        #expect(mock.requests.isEmpty)
        if case .admitted(1, _) = decision { try await store.refunds.wait(for: 1) }
        if code == .rateLimited { #expect(error?.retryAfter.map { $0 >= .zero } == true) }
    }

    // MARK: Bodies

    @Test func `bytes that the store did not count are counted here`() async throws {
        let store = ScriptedRateStore(isOpen: true)
        store.fails(true)
        let limit = RateLimit(
            nil, bytes: .tokenBucket(10, per: .seconds(1), burst: 10), timeout: .zero,
            sharing: RateLimit.Sharing(store))
        let server = MockSession { request in
            _ = try await request.body.collect()
            return HTTPResponse(.noContent, to: request)
        }.with(limit)
        func upload(_ body: HTTPBody) throws -> HTTPRequest {
            try HTTPRequest(.put, "http://h/", body: body).beginningCall(clock: clock)
        }
        let unknown = HTTPBody(source: HeldBody([(nil, Data(count: 30))]))
        _ = try await server.response(for: upload(unknown))
        while limit.byteStatistics.storeFailures == 0 { await Task.yield() }
        // Two seconds of bytes too many: the next upload cannot begin.
        let error = await #expect(throws: HTTPError.self) {
            while true { _ = try await server.response(for: upload(HTTPBody(Data(count: 1)))) }
        }
        #expect(error?.code == .rateLimited)
    }

    @Test func `a body is read to its end without a store, unless the limit fails closed`()
        async throws
    {
        let store = ScriptedRateStore(isOpen: true)
        store.fails(true)
        for (policy, isRead) in [
            (RateLimit.Sharing.FailurePolicy.admit, true), (.limitLocally, true), (.refuse, false),
        ] {
            let limit = RateLimit(
                nil, bytes: .tokenBucket(1000),
                sharing: RateLimit.Sharing(store, whenStoreFails: policy))
            let response = try await MockSession {
                HTTPResponse(.ok, body: HTTPBody("done"), to: $0)
            }
            .with(limit).response(for: request())
            let text = try? await response.body.collect()
            #expect((text?.count == 4) == isRead)
        }
    }
}

/// A store that answers when the test opens a gate, and records what it is asked.
final class ScriptedRateStore: HTTPRateStore {
    private struct Failure: Error {}

    private struct State {
        var fails = false
        var inner: HTTPMemoryRateStore?
    }

    let questions = Record<HTTPRateRequest>()
    let refunds = Record<Int>()
    let answer = Gate()
    private let heedsCancellation: Bool
    private let state: Locked<State>

    /// - Parameter inner: The store that decides; without one, the most units are admitted.
    init(
        isOpen: Bool = false, heedsCancellation: Bool = true, inner: HTTPMemoryRateStore? = nil
    ) {
        self.heedsCancellation = heedsCancellation
        state = Locked(State(inner: inner))
        if isOpen { answer.open() }
    }

    func fails(_ fails: Bool) { state.withLock { $0.fails = fails } }

    /// Loses all counts.
    func forget() { state.withLock { $0.inner = HTTPMemoryRateStore() } }

    func admit(_ request: HTTPRateRequest) async throws -> HTTPRateAdmission {
        questions.add(request)
        if heedsCancellation {
            try await answer.wait()
        } else {
            await answer.waitIgnoringCancellation()
        }
        let (fails, inner) = state.withLock { ($0.fails, $0.inner) }
        if fails { throw Failure() }
        guard let inner else { return .admitted(units: request.units.upperBound, after: .zero) }
        return await inner.admit(request)
    }

    func refund(_ units: Int, of request: HTTPRateRequest) async throws { refunds.add(units) }
}
