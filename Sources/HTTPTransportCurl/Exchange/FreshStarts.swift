/// The starts of an exchange after its first one.
struct FreshStarts {
    /// The most starts after early interim responses. On a busy machine, a proxy beside the client
    /// is often too early several times in a row.
    private static let earlyInterimLimit = 20

    /// The reasons so far, as bits.
    private var reasons: UInt16 = 0
    private var earlyInterims = 0
    /// The number of times that the server has refused the request unprocessed.
    private(set) var refusals = 0

    func contains(_ reason: FreshStart) -> Bool { reasons & 1 << reason.rawValue != 0 }

    /// Counts a start. Returns `false` if the exchange has started again for this reason before,
    /// or too often after early interim responses.
    mutating func begin(_ reason: FreshStart) -> Bool {
        if reason == .refused { refusals += 1 }
        if reason == .earlyInterim {
            earlyInterims += 1
            return earlyInterims <= Self.earlyInterimLimit
        }
        let isFirst = !contains(reason)
        reasons |= 1 << reason.rawValue
        return isFirst || reason.isRepeatable
    }

    /// The pause before a request goes out again that the server has refused several times, in
    /// nanoseconds, or `nil` if there is none.
    var rest: Int64? {
        let (free, shortest, longest): (Int, Int64, Int64) = (3, 10_000_000, 1_000_000_000)
        guard refusals > free else { return nil }
        return min(longest, shortest << Int64(min(refusals - free - 1, 10)))
    }
}
