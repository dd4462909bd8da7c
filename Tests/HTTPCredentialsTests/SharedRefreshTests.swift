import HTTPCore
import HTTPCredentials
import HTTPTesting
import Testing

/// Tests of shared refreshes on virtual time.
@Suite(.timeLimit(.minutes(5))) struct SharedRefreshTests {
    private struct Broken: Error {}
    private struct Failed: Error {
        var cause: any Error
    }

    private final class Counter: Sendable {
        let count = Locked(0)
    }

    private let clock = HTTPTestClock()
    private let runs = Counter()

    private func refresh(limit: Duration? = nil) -> SharedRefresh<Int> {
        SharedRefresh(limit: limit) { Failed(cause: $0) }
    }

    private func call(_ deadline: Duration? = nil) throws -> HTTPCall {
        var request = try HTTPRequest(.get, "https://h/")
        request.deadline = deadline.map { clock.now + $0 }
        return try #require(try request.beginningCall(clock: clock).call)
    }

    /// Returns the number of the refresh, 1 for the first.
    private func run() -> Int {
        runs.count.withLock {
            $0 += 1
            return $0
        }
    }

    @Test func `calls that are refused at once share one refresh`() async throws {
        let (refresh, gate, hasStarted) = (refresh(), Gate(), Gate())
        let call = try call()
        let tasks = (0..<20).map { _ in
            Task {
                try await refresh.value(sentIn: 0, for: call) {
                    hasStarted.open()
                    try await gate.wait()
                    return run()
                }
            }
        }
        try await hasStarted.wait()
        #expect(refresh.result(forSentIn: 0) == nil && refresh.epoch == 0)
        gate.open()
        for task in tasks { #expect(try await task.value == 1) }
        #expect(refresh.epoch == 1)
    }

    @Test func `an attempt of an epoch that is over gets the value, one of this epoch a new one`()
        async throws
    {
        let (refresh, call) = (refresh(), try call())
        #expect(try await refresh.value(sentIn: 0, for: call) { run() } == 1)
        #expect(try await refresh.value(sentIn: 0, for: call) { run() } == 1)
        #expect(try await refresh.value(sentIn: 1, for: call) { run() } == 2)
        #expect(try await refresh.value(sentIn: nil, for: call) { run() } == 3)
        #expect(try refresh.result(forSentIn: 2)?.get() == 3)
    }

    @Test func `a failure is that of all attempts that were sent before it`() async throws {
        let (refresh, call) = (refresh(), try call())
        for _ in 0..<2 {
            let error = await #expect(throws: Failed.self) {
                try await refresh.value(sentIn: 0, for: call) {
                    _ = run()
                    throw Broken()
                }
            }
            #expect(error?.cause is Broken)
        }
        #expect(runs.count.withLock { $0 } == 1)
        #expect(try await refresh.value(sentIn: refresh.epoch, for: call) { run() } == 2)
    }

    @Test func `a refresh that its last caller has left counts as none`() async throws {
        let (refresh, call) = (refresh(), try call())
        let task = Task {
            try await refresh.value(sentIn: 0, for: call) {
                try await clock.sleep(for: .seconds(9))
                return run()
            }
        }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await refresh.value(sentIn: 0, for: call) { run() } == 1)
        #expect(refresh.epoch == 1)
    }

    @Test func `a caller waits with its own deadline, and the refresh goes on for the others`()
        async throws
    {
        let (refresh, gate, hasStarted) = (refresh(), Gate(), Gate())
        let (patient, hasty) = (try call(), try call(.seconds(5)))
        let first = Task {
            try await refresh.value(sentIn: 0, for: patient) {
                hasStarted.open()
                try await gate.wait()
                return run()
            }
        }
        try await hasStarted.wait()
        let second = Task { try await refresh.value(sentIn: 0, for: hasty) { run() } }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: HTTPError.self) { try await second.value }
        #expect(error?.code == .timedOut && error?.timer?.name == .deadline)
        gate.open()
        #expect(try await first.value == 1)
    }

    @Test func `work that reaches its limit has failed`() async throws {
        let (refresh, call) = (refresh(limit: .seconds(60)), try call())
        let task = Task {
            try await refresh.value(sentIn: 0, for: call) {
                try await clock.sleep(for: .seconds(99))
                return run()
            }
        }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: Failed.self) { try await task.value }
        #expect((error?.cause as? HTTPError)?.code == .timedOut && refresh.epoch == 1)
    }

    @Test func `what a refresh does is marked as part of it`() async throws {
        let refresh = SharedRefresh<ObjectIdentifier?> { $0 }
        let owner = try await refresh.value(sentIn: nil, for: try call()) { RefreshScope.owner }
        #expect(owner == ObjectIdentifier(refresh))
    }

    @Test func `an invalidated refresh is not joined, and its end begins no epoch`() async throws {
        let (refresh, gate, hasStarted) = (refresh(), Gate(), Gate())
        let call = try call()
        let first = Task {
            try await refresh.value(sentIn: 0, for: call) {
                hasStarted.open()
                try await gate.wait()
                return run()
            }
        }
        try await hasStarted.wait()
        refresh.invalidate()
        #expect(try await refresh.value(sentIn: 0, for: call) { run() } == 1)
        gate.open()
        #expect(try await first.value == 2)
        #expect(try refresh.epoch == 2 && refresh.result(forSentIn: 0)?.get() == 1)
    }
}
