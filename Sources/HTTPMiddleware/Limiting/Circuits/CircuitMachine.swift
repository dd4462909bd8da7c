import HTTPCore

/// The state of one circuit, and the results of the last requests. It decides which requests are
/// sent. It takes no lock and reads no clock.
///
/// A result counts only in the state in which its request was admitted: a request that was sent
/// before the circuit opened does not close it, or open it again.
struct CircuitMachine: Sendable {
    struct Limits: Sendable, Equatable {
        var failureRate: Double
        var slowRate: Double
        var window: Duration
        var minimum: Int
        var openTime: Duration
        var longestOpenTime: Duration
        var probes: Int
        /// The time after which a probe that has no result counts as a failure.
        var probeTime: Duration
    }

    /// A request that was admitted, to be handed back with its result.
    struct Ticket: Sendable, Equatable {
        fileprivate var generation: Int
        fileprivate var isProbe: Bool
        fileprivate var slot: Int64
    }

    enum Admission: Equatable {
        case passed(Ticket)
        case refused(retryAfter: Duration)
    }

    private enum State: Sendable, Equatable {
        case closed
        case open(until: HTTPInstant)
        case halfOpen(since: HTTPInstant, underWay: Int, successes: Int)
    }

    private struct Count: Sendable, Equatable {
        var calls = 0
        var failures = 0
        var slow = 0
    }

    private static let slotCount: Int64 = 10

    private let limits: Limits
    private var state = State.closed
    private var generation = 0
    /// The openings since the circuit was last closed.
    private var openings = 0
    private var counts: [Int64: Count] = [:]

    init(_ limits: Limits) { self.limits = limits }

    /// The state that observers see.
    var shown: HTTPCircuitState {
        switch state {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// Returns whether there is nothing to remember.
    func isIdle(at now: HTTPInstant) -> Bool { state == .closed && total(at: now).calls == 0 }

    /// Returns whether a request would be admitted, without admitting it.
    func mayPass(at now: HTTPInstant) -> Bool {
        var copy = self
        if case .passed = copy.admit(at: now, jitter: 1) { return true }
        return false
    }

    /// Decides about a request.
    ///
    /// - Parameter jitter: The factor of the time for which a circuit opens.
    mutating func admit(at now: HTTPInstant, jitter: Double) -> Admission {
        switch state {
        case .closed: return .passed(ticket(at: now))
        case .open(let end) where now < end: return .refused(retryAfter: end - now)
        case .open:
            begin(.halfOpen(since: now, underWay: 1, successes: 0))
            return .passed(ticket(at: now, isProbe: true))
        case .halfOpen(let since, let underWay, let successes):
            if underWay + successes < limits.probes {
                state = .halfOpen(since: now, underWay: underWay + 1, successes: successes)
                return .passed(ticket(at: now, isProbe: true))
            }
            let end = since + limits.probeTime
            guard now >= end else { return .refused(retryAfter: end - now) }
            open(at: now, jitter)
            return admit(at: now, jitter: jitter)
        }
    }

    /// Counts a result.
    ///
    /// - Parameters:
    ///   - isFailure: `nil` if the result says nothing about the server.
    ///   - isSlow: `true` if it took longer than the limit.
    mutating func record(
        _ ticket: Ticket, isFailure: Bool?, isSlow: Bool, at now: HTTPInstant, jitter: Double
    ) {
        guard ticket.generation == generation else { return }
        if case .halfOpen(let since, let underWay, let successes) = state, ticket.isProbe {
            switch isFailure {
            case nil:
                state = .halfOpen(
                    since: since, underWay: max(0, underWay - 1), successes: successes)
            case false? where !isSlow:
                if successes + 1 >= limits.probes {
                    close()
                } else {
                    state = .halfOpen(
                        since: now, underWay: max(0, underWay - 1), successes: successes + 1)
                }
            default: open(at: now, jitter)
            }
            return
        }
        guard state == .closed, let isFailure else { return }
        forget(at: now)
        counts[ticket.slot, default: Count()].calls += 1
        if isFailure { counts[ticket.slot]?.failures += 1 }
        if isSlow { counts[ticket.slot]?.slow += 1 }
        judge(at: now, jitter)
    }

    /// Turns a success that was counted into a failure, because the body that followed has failed.
    mutating func correct(_ ticket: Ticket, at now: HTTPInstant, jitter: Double) {
        guard ticket.generation == generation else { return }
        if case .halfOpen = state, ticket.isProbe { return open(at: now, jitter) }
        guard state == .closed, counts[ticket.slot] != nil else { return }
        counts[ticket.slot]?.failures += 1
        judge(at: now, jitter)
    }

    // MARK: Changes

    private mutating func judge(at now: HTTPInstant, _ jitter: Double) {
        let total = total(at: now)
        guard total.calls >= limits.minimum else { return }
        let calls = Double(total.calls)
        if Double(total.failures) >= limits.failureRate * calls
            || Double(total.slow) >= limits.slowRate * calls
        {
            open(at: now, jitter)
        }
    }

    private mutating func open(at now: HTTPInstant, _ jitter: Double) {
        let factor = Double(1 << min(openings, 20)) * jitter
        let time = min(limits.openTime.scaled(by: factor), limits.longestOpenTime)
        openings += 1
        begin(.open(until: now + time))
    }

    private mutating func close() {
        openings = 0
        begin(.closed)
    }

    private mutating func begin(_ new: State) {
        state = new
        generation += 1
        counts = [:]
    }

    private func ticket(at now: HTTPInstant, isProbe: Bool = false) -> Ticket {
        Ticket(generation: generation, isProbe: isProbe, slot: slot(at: now))
    }

    // MARK: The window

    private func slot(at now: HTTPInstant) -> Int64 {
        let slots = now.sinceStart.inSeconds / limits.window.inSeconds * Double(Self.slotCount)
        return Int64(min(max(slots, -1e15), 1e15).rounded(.down))
    }

    private mutating func forget(at now: HTTPInstant) {
        let first = slot(at: now) - Self.slotCount
        guard counts.keys.contains(where: { $0 <= first }) else { return }
        counts = counts.filter { $0.key > first }
    }

    private func total(at now: HTTPInstant) -> Count {
        let first = slot(at: now) - Self.slotCount
        return counts.reduce(into: Count()) { total, entry in
            guard entry.key > first else { return }
            total.calls += entry.value.calls
            total.failures += entry.value.failures
            total.slow += entry.value.slow
        }
    }
}
