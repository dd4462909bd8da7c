import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5))) struct SleepersTests {
    private let sleepers = Sleepers()
    private let clock = HTTPSystemClock()

    private func sleep(_ duration: Duration) async throws {
        try await sleepers.sleep(until: clock.now + duration, on: clock)
    }

    @Test func `a cancelled sleep leaves nothing behind, however many there were`() async {
        for _ in 0..<20 {
            let tasks = (0..<50).map { index in
                Task { try await sleep(.seconds(3600 + index)) }
            }
            for task in tasks { task.cancel() }
            for task in tasks {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
        #expect(sleepers.count.sleepers == 0)
        // The first of them set one; a later one only where it was to come before all others.
        #expect(sleepers.count.alarms <= 50)
    }

    @Test func `every sleeper sleeps for its duration, and the alarms are gone with the last`()
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for milliseconds in [30, 10, 20, 1, 25, 10, 0, -5] {
                group.addTask {
                    let start = clock.now
                    try await sleep(.milliseconds(milliseconds))
                    #expect(clock.now - start >= .milliseconds(milliseconds))
                }
            }
            try await group.waitForAll()
        }
        #expect(sleepers.count.sleepers == 0)
    }

    @Test func `short sleeps beside a long one set no more than one alarm each`() async throws {
        let long = Task { try await sleep(.seconds(3600)) }
        for _ in 0..<20 { try await sleep(.milliseconds(1)) }
        #expect(sleepers.count.alarms <= 2)
        long.cancel()
        _ = await long.result
        #expect(sleepers.count.sleepers == 0)
    }

    @Test func `sleeps that end as they are cancelled end once, one way or the other`() async {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task { try await sleep(.microseconds(index * 20)) }
                    try? await sleep(.microseconds(2000 + index))
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        #expect(sleepers.count.sleepers == 0)
    }

    @Test func `a task that is cancelled before it sleeps does not sleep`() async {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await sleep(.seconds(3600))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sleepers.count.sleepers == 0 && sleepers.count.alarms == 0)
    }
}
