import HTTPTesting
import PortableFoundation
import TestSupport
import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5))) struct BoundedTests {
    private struct Failed: Error {}

    private let clock = HTTPTestClock()

    private var deadline: HTTPInstant { HTTPInstant(sinceStart: .seconds(5)) }

    /// Begins work that goes on until `waiter` has a result or the work is cancelled, and then
    /// returns what `late` returns.
    private func begin(
        _ waiter: Waiter<Int>,
        late: @escaping @Sendable () throws -> Int = { throw CancellationError() }
    ) async throws -> Task<(result: Result<Int, any Error>, isLate: Bool), Never> {
        let task = Task { [clock, deadline] in
            await limited(until: deadline, on: clock) {
                do {
                    return try await waiter.value()
                } catch is CancellationError {
                    return try late()
                }
            }
        }
        try await clock.waitForSleepers(1)
        return task
    }

    @Test func `work that ends before its deadline is not late, and leaves no sleeper`()
        async throws
    {
        for result: Result<Int, any Error> in [.success(7), .failure(Failed())] {
            let waiter = Waiter<Int>()
            let task = try await begin(waiter)
            waiter.resume(with: result)
            let end = await task.value
            #expect(!end.isLate && (try? end.result.get()) == (try? result.get()))
            #expect(clock.sleeperCount == 0)
        }
    }

    @Test func `an error of the clock is no deadline`() async throws {
        let end = await limited(until: deadline, on: BrokenClock()) {
            try await Waiter<Int>().value()
        }
        #expect(!end.isLate)
        #expect(throws: Failed.self) { try end.result.get() }
    }

    private struct BrokenClock: HTTPClock {
        let now = HTTPInstant(sinceStart: .zero)
        let date = Date(timeIntervalSince1970: 0)

        func sleep(until deadline: HTTPInstant) async throws { throw Failed() }
    }

    @Test func `the deadline cancels the work, and not a moment before`() async throws {
        let task = try await begin(Waiter())
        clock.advance(by: .milliseconds(4_999))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        let end = await task.value
        #expect(end.isLate)
        #expect(throws: CancellationError.self) { try end.result.get() }
    }

    @Test func `what cancelled work returns is handed on as late`() async throws {
        let good = try await begin(Waiter()) { 8 }
        clock.advance(by: .seconds(5))
        let end = await good.value
        #expect(try end.isLate && end.result.get() == 8)
    }

    @Test func `an error of cancelled work is handed on as late`() async throws {
        let bad = try await begin(Waiter()) { throw Failed() }
        clock.advance(by: .seconds(5))
        let end = await bad.value
        #expect(end.isLate)
        #expect(throws: Failed.self) { try end.result.get() }
    }

    @Test func `the deadline waits for work that heeds no cancellation`() async throws {
        let (waiter, isOver) = (Waiter<Int>(), Record<Bool>())
        let task = Task { [clock, deadline] in
            let end = await limited(until: deadline, on: clock) { try await waiter.outcome().get() }
            isOver.add(true)
            return end
        }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        while clock.sleeperCount > 0 { await Task.yield() }
        for _ in 0..<50 { await Task.yield() }
        #expect(isOver.entries.isEmpty)
        waiter.resume(with: .success(9))
        let end = await task.value
        #expect(try end.isLate && end.result.get() == 9)
    }

    @Test func `work that is cancelled with its task is not late`() async throws {
        let task = try await begin(Waiter())
        task.cancel()
        let end = await task.value
        #expect(!end.isLate && clock.sleeperCount == 0)
        #expect(throws: CancellationError.self) { try end.result.get() }
    }

    @Test func `work begins and is cancelled if its deadline has passed before`() async throws {
        clock.advance(by: .seconds(9))
        let end = await limited(until: deadline, on: clock) { try await Waiter<Int>().value() }
        #expect(end.isLate)
    }
}
