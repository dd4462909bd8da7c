import HTTPCore
import Testing

@testable import HTTPRetry

@Suite struct BackoffTests {
    @Test func `waits double from the base up to the cap`() {
        let backoff = Backoff(base: .seconds(0.5), cap: .seconds(20), jitter: .none)
        let delays = (0...7).map { backoff.delay(beforeRetry: $0) / .seconds(1) }
        #expect(delays == [0.5, 1, 2, 4, 8, 16, 20, 20])
    }

    @Test(
        arguments: [
            (.zero, .seconds(1)), (.seconds(-1), .seconds(1)), (.seconds(1), .zero),
            (.seconds(1), .seconds(-1)), (.seconds(5), .seconds(1)),
            (.nanoseconds(1), .seconds(Int64.max)), (.seconds(Int64.max), .seconds(Int64.max)),
        ] as [(Duration, Duration)], [Int.min, -1, 0, 1, 63, 64, 1000, .max])
    func `no base, cap or index traps or leaves the limits`(
        limits: (base: Duration, cap: Duration), index: Int
    ) {
        let backoff = Backoff(base: limits.base, cap: limits.cap, seed: 1)
        let longest = backoff.longestDelay(beforeRetry: index)
        #expect(longest >= .zero && longest <= max(.zero, limits.cap))
        #expect((.zero...longest).contains(backoff.delay(beforeRetry: index)))
    }

    @Test func `full jitter fills the whole range, and a seed repeats it`() {
        let backoff = Backoff(base: .seconds(1), cap: .seconds(1), seed: 42)
        let same = Backoff(base: .seconds(1), cap: .seconds(1), seed: 42)
        let other = Backoff(base: .seconds(1), cap: .seconds(1), seed: 43)
        let delays = (0..<1000).map { _ in backoff.delay(beforeRetry: 0) / .seconds(1) }
        #expect(delays == (0..<1000).map { _ in same.delay(beforeRetry: 0) / .seconds(1) })
        #expect(delays != (0..<1000).map { _ in other.delay(beforeRetry: 0) / .seconds(1) })
        for tenth in 0..<10 {
            let share = delays.filter { Int($0 * 10) == tenth }.count
            #expect((60...140).contains(share), "tenth \(tenth) holds \(share) of 1000")
        }
    }

    @Test func `a constant back-off is the same before every retry`() {
        let backoff = Backoff.constant(.seconds(0.1))
        #expect((0..<5).allSatisfy { backoff.delay(beforeRetry: $0) == .seconds(0.1) })
        #expect(Backoff.constant(.zero).delay(beforeRetry: 3) == .zero)
    }
}
