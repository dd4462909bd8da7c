import HTTPCore
import TestSupport
import Testing

@testable import HTTPTransportURLSession

/// Tests in real time, as the timers are. Each test waits only for what has to happen.
@Suite(.timeLimit(.minutes(5))) struct ExchangeTimerTests {
    private let timers = ExchangeTimers()

    private func fires(in duration: Duration) async {
        await withCheckedContinuation { continuation in
            let timer = ExchangeTimer(timers) { continuation.resume() }
            timer.schedule(in: duration)
        }
    }

    @Test func `a timer for sooner is not kept by one for later, before it nor behind it`()
        async
    {
        let later = ExchangeTimer(timers) { Issue.record("came an hour early") }
        later.schedule(in: .seconds(3600))
        await fires(in: .milliseconds(20))
        // The system's timer is now set for the later timer again.
        await fires(in: .milliseconds(20))
        later.cancel()
        await fires(in: .milliseconds(20))
    }

    @Test func `a timer that is cancelled does not fire`() async throws {
        try await patiently(from: .milliseconds(40)) { limit in
            let start = ContinuousClock.now
            let hasFired = Locked(false)
            let timer = ExchangeTimer(timers) { hasFired.withLock { $0 = true } }
            timer.schedule(in: limit)
            timer.cancel()
            guard ContinuousClock.now - start < limit else { throw TooSoon("cancelled too late") }
            await fires(in: limit * 2)
            #expect(!hasFired.withLock { $0 })
        }
    }

    @Test func `a timer that is set anew fires once`() async {
        let count = Locked(0)
        await withCheckedContinuation { continuation in
            let timer = ExchangeTimer(timers) {
                if count.withLock({
                    $0 += 1; return $0
                }) == 1 {
                    continuation.resume()
                }
            }
            timer.schedule(in: .seconds(3600))
            timer.schedule(in: .milliseconds(10))
        }
        await fires(in: .milliseconds(80))
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `many timers all fire`() async {
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask { await fires(in: .milliseconds(number % 10)) }
            }
        }
    }
}
