import HTTPCore

// `RetryRequest.wait` chooses between this wait and `Retry-After`; `RetryMachine` refuses a wait.

/// An exponential back-off: `base` before the first retry, doubled for each further one, at most
/// `cap`. With full jitter, the wait is a random time up to that.
///
/// The wait before the next attempt is the longer one of this and the response's `Retry-After`. A
/// wait that would outlive the deadline is refused.
public struct Backoff: Sendable {
    /// The part of the wait that is random, so that clients do not retry in step.
    public enum Jitter: Sendable {
        /// The whole wait.
        case none
        /// A random wait from zero to the whole wait.
        case full
    }

    package var base: Duration
    package var cap: Duration
    package var jitter: Jitter
    private let random: JitterSource

    /// - Parameters:
    ///   - base: The first wait, which the later ones grow from.
    ///   - cap: The longest wait.
    ///   - jitter: The randomness of the waits.
    ///   - seed: A seed for tests: the same seed leads to the same waits. Copies draw from one
    ///     sequence.
    public init(
        base: Duration = .seconds(0.5), cap: Duration = .seconds(20), jitter: Jitter = .full,
        seed: UInt64? = nil
    ) {
        self.base = base
        self.cap = cap
        self.jitter = jitter
        self.random = JitterSource(seed: seed)
    }

    /// Returns a backoff with the same wait before every retry.
    public static func constant(_ delay: Duration) -> Self {
        Self(base: delay, cap: delay, jitter: .none)
    }

    /// Returns the longest wait that ``delay(beforeRetry:)`` may return.
    package func longestDelay(beforeRetry index: Int) -> Duration {
        guard base > .zero, cap > base else { return max(.zero, min(base, cap)) }
        // The quotient is doubled, since it cannot overflow.
        let factor = 2.0.raised(to: max(0, index))
        return factor >= cap / base ? cap : min(cap, base.scaled(by: factor))
    }

    /// Returns the wait before a retry.
    ///
    /// - Parameter index: 0 for the first retry.
    public func delay(beforeRetry index: Int) -> Duration {
        let longest = longestDelay(beforeRetry: index)
        switch jitter {
        case .none: return longest
        case .full: return longest.scaled(by: random.fraction())
        }
    }
}

/// A source of numbers in 0…1: the system's, or a sequence that a seed determines.
private final class JitterSource: Sendable {
    private let seeded: Locked<SeededRandom>?

    init(seed: UInt64?) { seeded = seed.map { Locked(SeededRandom($0)) } }

    func fraction() -> Double {
        seeded?.withLock { Double.random(in: 0...1, using: &$0) } ?? Double.random(in: 0...1)
    }
}

extension Double {
    /// Returns a power in at most 64 steps. It overflows to infinity and underflows to zero.
    func raised(to exponent: Int) -> Double {
        var (result, factor, bits) = (1.0, self, exponent.magnitude)
        while bits > 0 {
            if bits & 1 == 1 { result *= factor }
            factor *= factor
            bits >>= 1
        }
        return exponent < 0 ? 1 / result : result
    }
}

extension Duration {
    /// Creates a duration of at most `limit`; zero if `seconds` is negative or not a number.
    init(clampingSeconds seconds: Double, to limit: Duration) {
        guard seconds > 0 else {
            self = .zero
            return
        }
        self = seconds >= limit / .seconds(1) ? limit : .seconds(seconds)
    }
}
