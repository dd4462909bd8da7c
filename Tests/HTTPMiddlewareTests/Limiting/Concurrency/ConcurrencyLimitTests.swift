import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ConcurrencyLimitTests {
    private let clock = HTTPTestClock()

    /// Responds with bodies that end when they are discarded.
    private let open = MockSession { request in
        HTTPResponse(.ok, body: HTTPBody(AsyncStream<Data> { _ in }), to: request)
    }

    private func request(_ url: String = "http://h/") throws -> HTTPRequest {
        try HTTPRequest(.get, url).beginningCall(clock: clock)
    }

    // MARK: A real limit

    @Test(.rows("B-9"))
    func `a permit is free when the body has ended, not before`() async throws {
        let limit = ConcurrencyLimit(perOrigin: 1)
        let session = open.with(limit)
        let first = try await session.response(for: request())
        let second = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        #expect(limit.running == 1 && limit.waiting == 1)
        #expect(open.requests.count == 1)
        await first.discard()
        let response = try await second.value
        #expect(limit.running == 1 && limit.waiting == 0)
        await response.discard()
        #expect(limit.running == 0)
    }

    @Test(.rows("B-9"))
    func `a body dropped unread gives its permit back`() async throws {
        let limit = ConcurrencyLimit(perOrigin: 1)
        _ = try await open.with(limit).response(for: request())
        #expect(limit.running == 0)
    }

    @Test(.rows("B-9"))
    func `a failed exchange gives its permit back`() async throws {
        struct Failure: Error {}
        let limit = ConcurrencyLimit(perOrigin: 1)
        let session = MockSession { _ in throw Failure() }.with(limit)
        await #expect(throws: Failure.self) { try await session.response(for: request()) }
        #expect(limit.running == 0)
    }

    @Test(.rows("B-9"))
    func `a request that waits too long is told the length of the queue`() async throws {
        let limit = ConcurrencyLimit(perOrigin: 1, total: 7, timeout: .seconds(5))
        let session = open.with(limit)
        let first = try await session.response(for: request())
        let second = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: HTTPError.self) { try await second.value }
        #expect(error?.code == .queueTimedOut)
        #expect(error?.phase == .queued)
        #expect(error?.message.contains("at most 1 to one origin and 7 in total") == true)
        #expect(limit.waiting == 0)
        await first.discard()
    }

    @Test(.rows("B-9"))
    func `the deadline ends a wait, too, and is named`() async throws {
        let limit = ConcurrencyLimit(perOrigin: 1, timeout: .seconds(50))
        let session = open.with(limit)
        let first = try await session.response(for: request())
        var late = try HTTPRequest(.get, "http://h/")
        late.deadline = clock.now + .seconds(3)
        late = try late.beginningCall(clock: clock)
        let second = Task { [late] in try await session.response(for: late) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: HTTPError.self) { try await second.value }
        #expect(error?.code == .timedOut)
        #expect(error?.timer?.name == .deadline)
        await first.discard()
    }

    @Test(.rows("B-9"))
    func `a full queue refuses at once`() async throws {
        let session = open.with(ConcurrencyLimit(perOrigin: 1, queue: 0))
        let first = try await session.response(for: request())
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        #expect(error?.code == .queueFull)
        _ = try await session.response(for: request("http://other/"))
        await first.discard()
    }

    @Test(.rows("B-9"))
    func `a cancelled wait ends at once and takes no permit`() async throws {
        let limit = ConcurrencyLimit(perOrigin: 1)
        let session = open.with(limit)
        let first = try await session.response(for: request())
        let second = Task { try await session.response(for: request()) }
        try await clock.waitForSleepers(1)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(limit.waiting == 0)
        await first.discard()
        #expect(limit.running == 0)
    }

    @Test(.rows("B-9"))
    func `cancelling at any moment loses no permit`() async throws {
        let limit = ConcurrencyLimit(perOrigin: 2, total: 3)
        let session = open.with(limit)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task {
                        let url = index.isMultiple(of: 2) ? "http://a/" : "http://b/"
                        let response = try await session.response(for: HTTPRequest(.get, url))
                        await Task.yield()
                        await response.discard()
                    }
                    for _ in 0..<index % 7 { await Task.yield() }
                    if !index.isMultiple(of: 3) { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(limit.running == 0 && limit.waiting == 0)
    }
}
