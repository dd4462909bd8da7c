import HTTPCore
import Testing
@testable import HTTPTesting
import PortableFoundation

/// Tests of the queue's decisions, without a task.
@Suite struct SleepQueueTests {
    private func instant(_ seconds: Int) -> HTTPInstant {
        HTTPInstant(sinceStart: .seconds(seconds))
    }

    /// Returns a queue whose sleepers have the identifiers 1, 2, …
    private func queue(_ deadlines: Int...) -> SleepQueue {
        var queue = SleepQueue()
        for deadline in deadlines {
            let isAsleep = enters(&queue, until: deadline)
            #expect(isAsleep)
        }
        return queue
    }

    /// Adds a sleeper, and returns `true` if it has anything to wait for.
    private func enters(_ queue: inout SleepQueue, until seconds: Int) -> Bool {
        let id = queue.makeID()
        return queue.addSleeper(id, until: instant(seconds))
    }

    private func watches(_ queue: inout SleepQueue, for count: Int) -> Bool {
        let id = queue.makeID()
        return queue.addWatcher(id, of: count)
    }

    @Test(
        arguments: [
            ([5, 3, 4], 5, [2, 3, 1]), ([5, 3, 4], 4, [2, 3]), ([5, 3, 4], 2, []), ([], 9, []),
            ([1, 1, 1], 1, [1, 2, 3]), ([2, 1, 2, 1], 2, [2, 4, 1, 3]), ([1], 0, []), ([1], -5, []),
        ] as [([Int], Int, [Int])])
    func `sleepers are due in the order of their deadlines, then as they came`(
        deadlines: [Int], now: Int, due: [Int]
    ) {
        var queue = SleepQueue()
        for deadline in deadlines {
            let isAsleep = enters(&queue, until: deadline)
            #expect(isAsleep)
        }
        #expect(queue.advance(to: instant(now)) == due)
        #expect(queue.count == deadlines.count - due.count)
        #expect(queue.advance(to: instant(now)) == [])
    }

    @Test func `time never goes backwards`() {
        var queue = queue(10)
        #expect(queue.advance(to: instant(5)) == [])
        #expect(queue.advance(to: instant(3)) == [])
        #expect(queue.now == instant(5))
    }

    @Test func `no task sleeps until a moment that has come`() {
        var queue = SleepQueue()
        let atZero = enters(&queue, until: 0)
        #expect(queue.advance(to: instant(5)) == [])
        let atFive = enters(&queue, until: 5)
        let atSix = enters(&queue, until: 6)
        #expect(!atZero && !atFive && atSix)
        #expect(queue.count == 1 && queue.nextDeadline == instant(6))
    }

    @Test func `a removed sleeper is neither due nor counted`() {
        var queue = queue(1, 2, 3)
        queue.remove(2)
        queue.remove(2)
        #expect(queue.count == 2 && queue.nextDeadline == instant(1))
        #expect(queue.advance(to: instant(9)) == [1, 3])
        queue.remove(1)
        #expect(queue.nextDeadline == nil)
    }

    @Test func `a watcher is told once, when there are sleepers enough`() {
        var queue = queue(1)
        let atOnce = (watches(&queue, for: 1), watches(&queue, for: 0))
        #expect(atOnce == (false, false))
        let (three, two) = (queue.makeID(), queue.makeID())
        let later = (queue.addWatcher(three, of: 3), queue.addWatcher(two, of: 2))
        #expect(later == (true, true))
        #expect(queue.takeSatisfiedWatchers() == [])
        _ = enters(&queue, until: 1)
        #expect(queue.count == 2)
        #expect(queue.takeSatisfiedWatchers() == [two])
        #expect(queue.takeSatisfiedWatchers() == [])
        queue.remove(three)
        _ = enters(&queue, until: 1)
        #expect(queue.count == 3)
        #expect(queue.takeSatisfiedWatchers() == [])
    }
}

@Suite(.timeLimit(.minutes(5))) struct HTTPTestClockTests {
    @Test func `time stands still until it is advanced`() {
        let clock = HTTPTestClock()
        #expect(clock.now.sinceStart == .zero)
        #expect(clock.date == Date(timeIntervalSince1970: 784_111_777))
        clock.advance(by: .milliseconds(2500))
        clock.advance(by: .seconds(-1))
        clock.advance(to: HTTPInstant(sinceStart: .seconds(1)))
        #expect(clock.now.sinceStart == .milliseconds(2500))
        #expect(clock.date == HTTPTestClock.standardDate.addingTimeInterval(2.5))
        clock.advance(to: HTTPInstant(sinceStart: .seconds(60)))
        #expect(clock.now.sinceStart == .seconds(60))
        #expect(HTTPTestClock(date: Date(timeIntervalSince1970: 0)).date.timeIntervalSince1970 == 0)
    }

    @Test func `a sleeper wakes when its time has come, and not before`() async throws {
        let clock = HTTPTestClock()
        let wokenAt = Locked<HTTPInstant?>(nil)
        let sleeper = Task {
            try await clock.sleep(for: .seconds(3))
            wokenAt.withLock { $0 = clock.now }
        }
        try await clock.waitForSleepers(1)
        #expect(clock.sleeperCount == 1 && clock.nextDeadline?.sinceStart == .seconds(3))
        clock.advance(by: .milliseconds(2999))
        #expect(clock.sleeperCount == 1)
        #expect(wokenAt.withLock { $0 } == nil)
        clock.advance(by: .milliseconds(1))
        #expect(clock.sleeperCount == 0 && clock.nextDeadline == nil)
        try await sleeper.value
        #expect(wokenAt.withLock { $0?.sinceStart } == .seconds(3))
    }

    @Test func `the log of sleeps has every duration, woken, cancelled or asleep`()
        async throws
    {
        let clock = HTTPTestClock()
        #expect(clock.sleeps.isEmpty)
        let woken = Task { try await clock.sleep(for: .seconds(3)) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        try await woken.value
        let cancelled = Task { try await clock.sleep(for: .seconds(2)) }
        try await clock.waitForSleepers(1)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        let asleep = Task { try await clock.sleep(until: clock.now + .milliseconds(500)) }
        try await clock.waitForSleepers(1)
        // Counted from the start of the sleep, not from the start of the clock.
        #expect(clock.sleeps == [.seconds(3), .seconds(2), .milliseconds(500)])
        clock.advance(by: .seconds(1))
        try await asleep.value
        #expect(clock.sleeps.count == 3)
    }

    @Test func `a sleep until now or earlier returns at once`() async throws {
        let clock = HTTPTestClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.sleeperCount == 0)
    }

    @Test func `waiting for sleepers counts those that sleep at the same time`() async throws {
        let clock = HTTPTestClock()
        let sleepers = (1...5).map { second in Task { try await clock.sleep(for: .seconds(second)) }
        }
        try await clock.waitForSleepers(5)
        #expect(clock.sleeperCount == 5)
        clock.advance(by: .seconds(2))
        #expect(clock.sleeperCount == 3)
        try await clock.waitForSleepers(3)
        try await clock.waitForSleepers(0)
        clock.advance(by: .seconds(9))
        for sleeper in sleepers { try await sleeper.value }
    }

    @Test func `a policy that sleeps again and again is led step by step`() async throws {
        let clock = HTTPTestClock()
        let policy = Task {
            var instants: [Duration] = []
            for delay in [1, 2, 4] {
                try await clock.sleep(for: .seconds(delay))
                instants.append(clock.now.sinceStart)
            }
            return instants
        }
        for delay in [1, 2, 4] {
            try await clock.waitForSleepers(1)
            #expect(clock.nextDeadline == clock.now + .seconds(delay))
            clock.advance(by: .seconds(delay))
        }
        #expect(try await policy.value == [.seconds(1), .seconds(3), .seconds(7)])
    }

    @Test func `a cancelled sleeper throws at once and is counted no more`() async throws {
        let clock = HTTPTestClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(3)) }
        try await clock.waitForSleepers(1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0 && clock.now.sinceStart == .zero)
    }

    @Test func `a sleeper that was counted is gone when its task has been cancelled`()
        async throws
    {
        let clock = HTTPTestClock()
        for _ in 0..<500 {
            let sleeper = Task.detached { try await clock.sleep(for: .seconds(1)) }
            try await clock.waitForSleepers(1)
            sleeper.cancel()
            #expect(clock.sleeperCount == 0)
        }
    }

    @Test func `a task that is cancelled before it sleeps or waits throws`() async throws {
        let clock = HTTPTestClock()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            await #expect(throws: CancellationError.self) {
                try await clock.sleep(until: clock.now)
            }
            await #expect(throws: CancellationError.self) { try await clock.waitForSleepers(0) }
        }
        await task.value
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a watcher that is cancelled throws at once`() async throws {
        let clock = HTTPTestClock()
        let watcher = Task { try await clock.waitForSleepers(1) }
        watcher.cancel()
        await #expect(throws: CancellationError.self) { try await watcher.value }
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        try await sleeper.value
    }

    @Test func `cancelling and advancing at once resume every sleeper exactly once`() async throws {
        for _ in 0..<100 {
            let clock = HTTPTestClock()
            let sleepers = (0..<6).map { _ in Task { try await clock.sleep(for: .seconds(1)) } }
            // Half of the sleepers may not have begun to sleep: that race is intended, too.
            try await clock.waitForSleepers(3)
            await withTaskGroup { group in
                group.addTask { clock.advance(by: .seconds(1)) }
                for sleeper in sleepers.prefix(3) { group.addTask { sleeper.cancel() } }
            }
            clock.advance(by: .seconds(10))
            // A late sleeper sleeps until 2 s at most, unless it began after the second step.
            for sleeper in sleepers.prefix(3) {
                if case .failure(let error) = await sleeper.result {
                    #expect(error is CancellationError)
                }
            }
            for sleeper in sleepers.dropFirst(3) { sleeper.cancel() }
            for sleeper in sleepers { _ = await sleeper.result }
            #expect(clock.sleeperCount == 0)
        }
    }
}
