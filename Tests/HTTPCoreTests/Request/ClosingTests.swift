import HTTPTesting
import TestSupport
import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5))) struct ClosingTests {
    private let clock = HTTPTestClock()
    private let calls = Record<String>()

    private func note(_ name: String) -> @Sendable () -> Void {
        { [calls] in calls.add(name) }
    }

    @Test func `an action is called once, at the close or at once after it`() {
        let closing = Closing()
        #expect(closing.whenClosed(note("before")) != nil)
        closing.forget(closing.whenClosed(note("forgotten")))
        #expect(!closing.isClosed && calls.entries == [])
        for _ in 0..<2 { closing.close() }
        #expect(closing.isClosed && calls.entries == ["before"])
        #expect(closing.whenClosed(note("after")) == nil)
        closing.forget(nil)
        #expect(calls.entries == ["before", "after"])
    }

    @Test func `a session is closed with the one below it, and not the other way`() {
        let lower = Closing()
        let upper = Closing(over: lower)
        _ = upper.whenClosed(note("upper"))
        let other = Closing(over: lower)
        other.close()
        #expect(!lower.isClosed && !upper.isClosed)
        lower.close()
        #expect(upper.isClosed && calls.entries == ["upper"])
        #expect(Closing(over: lower).isClosed)
    }

    @Test func `a session that is gone leaves nothing with the one below it`() {
        let lower = Closing()
        weak var gone: Closing?
        do {
            let upper = Closing(over: lower)
            _ = upper.whenClosed(note("gone"))
            gone = upper
        }
        #expect(gone == nil)
        lower.close()
        #expect(calls.entries == [])
    }

    @Test(arguments: [true, false])
    func `a sleep ends with the close, also with one before it`(isBefore: Bool) async throws {
        let closing = Closing()
        if isBefore { closing.close() }
        let sleep = Task { [clock] in
            try await clock.sleep(until: clock.now + .seconds(3_600), unless: closing)
        }
        if !isBefore {
            try await clock.waitForSleepers(1)
            closing.close()
        }
        let error = await #expect(throws: HTTPError.self) { try await sleep.value }
        #expect(error?.code == .sessionClosed)
        #expect(clock.nextDeadline == nil, "it leaves no sleeper")
    }

    @Test func `a sleep that is not closed ends at its time, and a cancelled one at once`()
        async throws
    {
        let closing = Closing()
        func sleep() -> Task<Void, any Error> {
            Task { [clock] in
                try await clock.sleep(until: clock.now + .seconds(3_600), unless: closing)
            }
        }
        let whole = sleep()
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3_600))
        try await whole.value
        let cancelled = sleep()
        try await clock.waitForSleepers(1)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
