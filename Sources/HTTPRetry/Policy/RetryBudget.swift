package import HTTPCore

/// A limit that keeps retries a small part of the traffic to each origin, so that an overloaded
/// server does not receive a multiple of its load. One budget serves all calls of a client.
///
/// It runs on the clock of the calls.
public final class RetryBudget: Sendable {
    /// The numbers of an origin's budget.
    package struct Numbers: Hashable, Sendable {
        /// The first attempts within the window.
        package var calls: Int
        /// The retries within the window.
        package var retries: Int
        /// The number of further retries that would be granted now; never negative.
        package var left: Int
    }

    /// The window of each origin. The most recent one is apart, since most calls have the same
    /// origin as the call before.
    private struct Windows {
        private let limits: RetryBudgetWindow.Limits
        private var recent: HTTPOrigin?
        private var recentWindow: RetryBudgetWindow
        private var others: [HTTPOrigin: RetryBudgetWindow] = [:]
        /// The number of origins above which the idle ones are dropped.
        private var limit = 64

        init(_ limits: RetryBudgetWindow.Limits) {
            self.limits = limits
            recentWindow = RetryBudgetWindow(limits)
        }

        var count: Int { others.count + (recent == nil ? 0 : 1) }

        /// Returns a copy of an origin's window, and keeps none that is new.
        func window(of origin: HTTPOrigin) -> RetryBudgetWindow {
            recent == origin ? recentWindow : others[origin] ?? RetryBudgetWindow(limits)
        }

        /// Changes an origin's window in place.
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

        /// Drops idle windows, so that memory is in proportion to the origins of the last window.
        private mutating func prune(at now: HTTPInstant) {
            guard others.count > limit else { return }
            others = others.filter { !$0.value.isIdle(at: now) }
            limit = max(64, others.count * 2)
        }
    }

    private let windows: Locked<Windows>

    /// - Parameters:
    ///   - ratio: The retries per first attempt.
    ///   - window: The time over which both are counted.
    ///   - minimum: The retries per window that are always granted.
    public init(ratio: Double = 0.2, window: Duration = .seconds(10), minimum: Int = 10) {
        let limits = RetryBudgetWindow.Limits(
            ratio: ratio > 0 ? min(ratio, 1e6) : 0, window: max(window, .milliseconds(1)),
            minimum: max(0, minimum))
        windows = Locked(Windows(limits))
    }

    /// Returns the numbers of an origin's budget.
    ///
    /// - Parameter now: The time on the clock of the calls.
    package func numbers(for origin: HTTPOrigin, at now: HTTPInstant) -> Numbers {
        windows.withLock { windows in
            var window = windows.window(of: origin)
            return window.numbers(at: now)
        }
    }

    func recordCall(to origin: HTTPOrigin, at now: HTTPInstant) {
        windows.withLock { windows in
            windows.withWindow(of: origin, at: now) { $0.recordCall(at: now) }
        }
    }

    /// The number of origins that have a window.
    var originCount: Int { windows.withLock { $0.count } }

    func withWindow<Result: Sendable>(
        for origin: HTTPOrigin, at now: HTTPInstant,
        _ body: (inout RetryBudgetWindow?) -> Result
    ) -> Result {
        windows.withLock { windows in
            windows.withWindow(of: origin, at: now) { window in
                var lent: RetryBudgetWindow? = window
                defer { if let lent { window = lent } }
                return body(&lent)
            }
        }
    }
}

/// The calls and retries of one origin within a sliding window, in slots of a tenth of the window.
struct RetryBudgetWindow: Sendable, Equatable {
    struct Limits: Sendable, Equatable {
        var ratio: Double
        var window: Duration
        var minimum: Int
    }

    /// The slot in which a draw was counted, so that it can be given back.
    typealias Slot = Int64

    private struct Count: Sendable, Equatable {
        var calls = 0
        var retries = 0
    }

    private static let slotCount: Int64 = 10
    private let limits: Limits
    private var counts = [Count](repeating: Count(), count: Int(slotCount))
    private var current: Slot = -1 << 60
    /// The end of ``current``, or sooner. Before it, there is nothing to compute.
    private var end = HTTPInstant(sinceStart: .seconds(-(1 << 60)))

    /// The window's length as a number: every call divides by it, which is cheaper than by a
    /// duration.
    private let secondsPerWindow: Double

    init(_ limits: Limits) {
        self.limits = limits
        self.secondsPerWindow = limits.window.inSeconds
    }

    mutating func recordCall(at now: HTTPInstant) {
        advance(to: now)
        counts[index(of: current)].calls += 1
    }

    /// Counts a retry, or returns `nil` if the budget is used up.
    mutating func draw(at now: HTTPInstant) -> Slot? {
        guard numbers(at: now).left > 0 else { return nil }
        counts[index(of: current)].retries += 1
        return current
    }

    /// Takes back the draw of a retry that was not sent.
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

    /// Returns whether everything that was counted is older than the window.
    func isIdle(at now: HTTPInstant) -> Bool { slot(of: now) - current >= Self.slotCount }

    private func slot(of now: HTTPInstant) -> Slot {
        let windows = now.sinceStart.inSeconds / secondsPerWindow
        return Slot(min(max(windows, -1e15), 1e15) * Double(Self.slotCount))
    }

    /// Empties the slots that have expired. Time that goes backwards changes nothing.
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
