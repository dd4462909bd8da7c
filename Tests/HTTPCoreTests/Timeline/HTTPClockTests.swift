import HTTPCore
import Testing
import PortableFoundation

@Suite struct HTTPClockTests {
    @Test func `instants are counted, compared and told apart`() {
        let a = HTTPInstant(sinceStart: .seconds(1))
        let b = a + .seconds(2)
        #expect(b.sinceStart == .seconds(3) && a < b && a != b)
        #expect(b - a == .seconds(2) && a - b == .seconds(-2))
        #expect(a.duration(to: b) == .seconds(2))
        #expect(a.advanced(by: .seconds(-5)).sinceStart == .seconds(-4))
        #expect(Set([a, b, a.advanced(by: .zero)]).count == 2)
    }

    @Test func `the system clock runs forward from zero, and shows the date`() {
        let clock = HTTPSystemClock()
        let first = clock.now
        #expect(first.sinceStart >= .zero && clock.now >= first)
        #expect(HTTPSystemClock().now >= first)  // all of them are one clock
        #expect(abs(clock.date.timeIntervalSinceNow) < 60)
    }

    @Test func `a sleep until a moment that has passed returns at once`() async throws {
        let clock: any HTTPClock = .system
        let before = clock.now
        try await clock.sleep(until: before)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.now - before < .seconds(60))
    }

    @Test(arguments: [Duration.seconds(3600), .seconds(1 << 40), .seconds(Int64.max / 2)])
    func `a sleeper on the system clock that is cancelled throws, however long it meant to sleep`(
        duration: Duration
    ) async {
        let sleeper = Task { try await HTTPSystemClock().sleep(for: duration) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
