public import HTTPCore

/// Keeps retries a small part of the traffic to each origin, so that a struggling server is not sent
/// a multiple of what it could not answer. One budget serves all calls of a client.
///
/// Time is the calls' own clock.
public final class RetryBudget: Sendable {
    /// What an origin's budget is made of.
    public struct Numbers: Hashable, Sendable {
        /// First attempts within the window.
        public var calls: Int
        /// Retries within the window.
        public var retries: Int
        /// How many more would be granted now; never negative.
        public var left: Int
    }

    /// The window of each origin; that of the last one apart, as most calls go where the last one went.
    private struct Books {
        private let limits: RetryBudgetWindow.Limits
        private var recent: HTTPOrigin?
        private var recentWindow: RetryBudgetWindow
        private var others: [HTTPOrigin: RetryBudgetWindow] = [:]
        /// How many origins there may be before the idle ones are dropped.
        private var limit = 64

        init(_ limits: RetryBudgetWindow.Limits) {
            self.limits = limits
            recentWindow = RetryBudgetWindow(limits)
        }

        var count: Int { others.count + (recent == nil ? 0 : 1) }

        /// A copy: asking makes no window.
        func window(of origin: HTTPOrigin) -> RetryBudgetWindow {
            recent == origin ? recentWindow : others[origin] ?? RetryBudgetWindow(limits)
        }

        /// The window in its place, to be changed there.
        mutating func withWindow<Result>(
            of origin: HTTPOrigin, at now: HTTPInstant,
            _ body: (inout RetryBudgetWindow) -> Result
        ) -> Result {
            if recent != origin {
                if let recent { others[recent] = recentWindow }
                recentWindow = others.removeValue(forKey: origin) ?? RetryBudgetWindow(limits)
                recent = origin
                prune(at: now)
            }
            return body(&recentWindow)
        }

        /// Keeps memory in proportion to the origins of the last window.
        private mutating func prune(at now: HTTPInstant) {
            guard others.count > limit else { return }
            others = others.filter { !$0.value.isIdle(at: now) }
            limit = max(64, others.count * 2)
        }
    }

    private let books: Locked<Books>

    /// - Parameters:
    ///   - ratio: retries per first attempt.
    ///   - window: over which both are counted.
    ///   - minimum: retries per window that are always granted.
    public init(ratio: Double = 0.2, window: Duration = .seconds(10), minimum: Int = 10) {
        let limits = RetryBudgetWindow.Limits(
            ratio: ratio > 0 ? min(ratio, 1e6) : 0, window: max(window, .milliseconds(1)),
            minimum: max(0, minimum))
        books = Locked(Books(limits))
    }

    /// - Parameter now: on the clock of the calls.
    public func numbers(for origin: HTTPOrigin, at now: HTTPInstant) -> Numbers {
        books.withLock { books in
            var window = books.window(of: origin)
            return window.numbers(at: now)
        }
    }

    func recordCall(to origin: HTTPOrigin, at now: HTTPInstant) {
        books.withLock { books in
            books.withWindow(of: origin, at: now) { $0.recordCall(at: now) }
        }
    }

    /// How many origins are kept in mind.
    var originCount: Int { books.withLock { $0.count } }

    func withWindow<Result: Sendable>(
        for origin: HTTPOrigin, at now: HTTPInstant,
        _ body: (inout RetryBudgetWindow?) -> Result
    ) -> Result {
        books.withLock { books in
            books.withWindow(of: origin, at: now) { window in
                var lent: RetryBudgetWindow? = window
                defer { if let lent { window = lent } }
                return body(&lent)
            }
        }
    }
}

/// One origin's calls and retries within a sliding window, in slots of a tenth of it.
struct RetryBudgetWindow: Sendable, Equatable {
    struct Limits: Sendable, Equatable {
        var ratio: Double
        var window: Duration
        var minimum: Int
    }

    /// Where a draw was booked, so that it can be taken back.
    typealias Slot = Int64

    private struct Count: Sendable, Equatable {
        var calls = 0
        var retries = 0
    }

    private static let slotCount: Int64 = 10
    private let limits: Limits
    private var counts = [Count](repeating: Count(), count: Int(slotCount))
    private var current: Slot = -1 << 60
    /// When ``current`` ends, or sooner: before, there is nothing to work out.
    private var end = HTTPInstant(sinceStart: .seconds(-(1 << 60)))

    /// Divided by with every call: by numbers, which is cheaper than by durations.
    private let secondsPerWindow: Double

    init(_ limits: Limits) {
        self.limits = limits
        self.secondsPerWindow = limits.window.inSeconds
    }

    mutating func recordCall(at now: HTTPInstant) {
        advance(to: now)
        counts[index(of: current)].calls += 1
    }

    /// Books a retry, or answers `nil` when the budget is spent.
    mutating func draw(at now: HTTPInstant) -> Slot? {
        guard numbers(at: now).left > 0 else { return nil }
        counts[index(of: current)].retries += 1
        return current
    }

    /// Takes a draw back whose retry was never sent.
    mutating func giveBack(_ slot: Slot) {
        guard (0..<Self.slotCount).contains(current - slot) else { return }
        let place = index(of: slot)
        counts[place].retries = max(0, counts[place].retries - 1)
    }

    mutating func numbers(at now: HTTPInstant) -> RetryBudget.Numbers {
        advance(to: now)
        let calls = counts.reduce(0) { $0 + $1.calls }
        let retries = counts.reduce(0) { $0 + $1.retries }
        let share = Int(min(limits.ratio * Double(calls), 1e9))
        return RetryBudget.Numbers(
            calls: calls, retries: retries, left: max(0, max(limits.minimum, share) - retries))
    }

    /// Whether all it has counted is out of the window.
    func isIdle(at now: HTTPInstant) -> Bool { slot(of: now) - current >= Self.slotCount }

    private func slot(of now: HTTPInstant) -> Slot {
        let windows = now.sinceStart.inSeconds / secondsPerWindow
        return Slot(min(max(windows, -1e15), 1e15) * Double(Self.slotCount))
    }

    /// Empties the slots that time has passed over. Time that goes backwards changes nothing.
    private mutating func advance(to now: HTTPInstant) {
        guard now >= end else { return }
        let slot = slot(of: now)
        guard slot > current else { return }
        for step in 0..<min(slot - current, Self.slotCount) {
            counts[index(of: slot - step)] = Count()
        }
        current = slot
        let seconds = Double(slot + 1) / Double(Self.slotCount) * secondsPerWindow
        end = HTTPInstant(sinceStart: .seconds(min(seconds, 1e15)))
    }

    private func index(of slot: Slot) -> Int {
        Int(((slot % Self.slotCount) + Self.slotCount) % Self.slotCount)
    }
}
