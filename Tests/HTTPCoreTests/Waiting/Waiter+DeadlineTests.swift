import HTTPTesting
import TestSupport
import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5))) struct WaiterDeadlineTests {
    private struct Passed: Error {}

    private let clock = HTTPTestClock()

    private var deadline: HTTPInstant { HTTPInstant(sinceStart: .seconds(5)) }

    /// Waits as most owners do, and records the reasons.
    private func wait(
        _ waiter: Waiter<Int>, until deadline: HTTPInstant?, _ ends: Record<WaitBreak>
    ) -> Task<Int, any Error> {
        Task { [clock] in
            try await waiter.value(until: deadline, on: clock) { waiter, end in
                ends.add(end)
                waiter.resume(
                    with: .failure(end == .passed ? Passed() : CancellationError()))
            }
        }
    }

    @Test func `a result before the deadline ends the wait, and leaves no sleeper`() async throws {
        let (waiter, ends) = (Waiter<Int>(), Record<WaitBreak>())
        let task = wait(waiter, until: deadline, ends)
        try await clock.waitForSleepers(1)
        waiter.resume(with: .success(7))
        #expect(try await task.value == 7)
        while clock.sleeperCount > 0 { await Task.yield() }
        clock.advance(by: .seconds(10))
        #expect(ends.entries.isEmpty)
    }

    @Test func `a result that is there before the wait needs no deadline`() async throws {
        let (waiter, ends) = (Waiter<Int>(), Record<WaitBreak>())
        waiter.resume(with: .success(7))
        #expect(try await wait(waiter, until: deadline, ends).value == 7)
    }

    @Test func `the deadline ends the wait, and not a moment before`() async throws {
        let (waiter, ends) = (Waiter<Int>(), Record<WaitBreak>())
        let task = wait(waiter, until: deadline, ends)
        try await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(4_999))
        #expect(ends.entries.isEmpty && clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        await #expect(throws: Passed.self) { try await task.value }
        #expect(ends.entries == [.passed])
        #expect(!waiter.resume(with: .success(7)), "a wait ends once")
    }

    @Test func `a deadline that has passed ends the wait, too`() async throws {
        clock.advance(by: .seconds(9))
        let (waiter, ends) = (Waiter<Int>(), Record<WaitBreak>())
        await #expect(throws: Passed.self) { try await wait(waiter, until: deadline, ends).value }
        #expect(ends.entries == [.passed])
    }

    @Test(arguments: [true, false])
    func `cancelling ends the wait, with a deadline or without`(isLimited: Bool) async throws {
        let (waiter, ends) = (Waiter<Int>(), Record<WaitBreak>())
        let task = wait(waiter, until: isLimited ? deadline : nil, ends)
        if isLimited { try await clock.waitForSleepers(1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        while clock.sleeperCount > 0 { await Task.yield() }
        #expect(ends.entries == [.cancelled])
    }

    @Test func `the owner may let a wait go on`() async throws {
        let waiter = Waiter<Int>()
        let ends = Record<WaitBreak>()
        let task = Task { [clock, deadline] in
            try await waiter.value(until: deadline, on: clock) { _, end in ends.add(end) }
        }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        try await ends.wait(for: 1)
        task.cancel()
        try await ends.wait(for: 2)
        #expect(ends.entries == [.passed, .cancelled])
        waiter.resume(with: .success(7))
        #expect(try await task.value == 7)
    }

    @Test func `a result, the deadline and cancelling at the same time end a wait once`()
        async throws
    {
        for _ in 0..<500 {
            let clock = HTTPTestClock()
            let waiter = Waiter<Int>()
            let task = Task {
                try await waiter.value(until: clock.now + .seconds(1), on: clock) { waiter, end in
                    waiter.resume(
                        with: .failure(end == .passed ? Passed() : CancellationError()))
                }
            }
            try await clock.waitForSleepers(1)
            await withTaskGroup { group in
                group.addTask { clock.advance(by: .seconds(1)) }
                group.addTask { task.cancel() }
                group.addTask { waiter.resume(with: .success(7)) }
            }
            switch await task.result {
            case .success(let value): #expect(value == 7)
            case .failure(let error): #expect(error is Passed || error is CancellationError)
            }
            #expect(!waiter.resume(with: .success(8)))
        }
    }
}
