import HTTPCore

/// A rate of requests, or of bytes: so many units in so much time.
public struct HTTPRate: Hashable, Sendable {
    /// The way in which units are counted.
    public enum Law: Hashable, Sendable {
        /// A bucket that holds so many units at most and is filled at the rate. A bucket that was
        /// full lets its units pass at once, and further ones at the rate.
        case tokenBucket(burst: Int)
        /// A window that moves with time: no span of ``HTTPRate/period`` has more than
        /// ``HTTPRate/limit`` units, wherever it begins.
        ///
        /// Time is counted in steps of a 64th of the period, so a unit counts for up to one step
        /// longer than the period.
        case slidingWindow
    }

    /// The number of units in each ``period``, at least 1.
    public let limit: Int
    /// The time that ``limit`` is for: from a millisecond to a year.
    public let period: Duration
    /// The way in which units are counted.
    public let law: Law

    private init(_ limit: Int, _ period: Duration, _ law: Law) {
        self.limit = min(max(1, limit), 1 << 50)
        self.period = min(max(period, .milliseconds(1)), .seconds(366 * 86_400))
        self.law = law
    }

    /// A rate whose unused units are saved up to a limit.
    ///
    /// - Parameters:
    ///   - limit: The number of units in each period; less than 1 counts as 1.
    ///   - period: The time that the limit is for.
    ///   - burst: The units that a full bucket holds, and so the most that pass at once; those of
    ///     a second by default, and at least 1.
    public static func tokenBucket(
        _ limit: Int, per period: Duration = .seconds(1), burst: Int? = nil
    ) -> Self {
        let rate = Self(limit, period, .slidingWindow)
        let perSecond = min(Int(min(1 / rate.secondsPerUnit, 1e15)), rate.limit)
        return Self(limit, period, .tokenBucket(burst: min(max(1, burst ?? perSecond), 1 << 50)))
    }

    /// A rate that holds in every span of a length, wherever it begins.
    ///
    /// - Parameters:
    ///   - limit: The number of units in each period; less than 1 counts as 1.
    ///   - period: The time that the limit is for.
    public static func slidingWindow(_ limit: Int, per period: Duration) -> Self {
        Self(limit, period, .slidingWindow)
    }

    /// The time between two units at this rate, in seconds.
    package var secondsPerUnit: Double { period.inSeconds / Double(limit) }
}
