/// The tasks that sleep on ``HTTPSystemClock``.
///
/// What `Task.sleep` leaves of a cancelled task stays until the sleep would have ended: a minute's
/// deadline on each of a thousand calls a second would keep sixty thousand of them. Here a cancelled
/// sleep is gone, and few alarms, tasks that do sleep, wake all the others.
final class Sleepers: Sendable {
    static let shared = Sleepers()

    private struct State {
        var heap = DeadlineHeap()
        var sleepers: [Sleeper?] = []
        var free: [Int] = []
        /// When alarms ring that have been set, the next one last: one is only ever set for earlier.
        var alarms: [Int64] = []

        mutating func enter(_ sleeper: Sleeper, until due: Int64) -> Int {
            let slot = free.popLast() ?? sleepers.count
            if slot == sleepers.count { sleepers.append(nil) }
            sleepers[slot] = sleeper
            heap.set(slot, to: due)
            return slot
        }

        /// Unless it has been woken: another one may have its slot then.
        mutating func leave(_ sleeper: Sleeper, from slot: Int) {
            guard sleepers[slot] === sleeper else { return }
            heap.remove(slot)
            empty(slot)
        }

        mutating func popDue(at now: Int64) -> Sleeper? {
            guard let slot = heap.popDue(at: now) else { return nil }
            defer { empty(slot) }
            return sleepers[slot]
        }

        private mutating func empty(_ slot: Int) {
            sleepers[slot] = nil
            free.append(slot)
        }

        /// When an alarm must be set that comes before all others, if so.
        mutating func alarmDue() -> Int64? {
            guard let due = heap.next, due < alarms.last ?? .max else { return nil }
            alarms.append(due)
            return due
        }
    }

    private let state = Locked(State())

    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    func sleep(until deadline: HTTPInstant, on clock: HTTPSystemClock) async throws {
        try Task.checkCancellation()
        let due = deadline.alarmTime
        guard due > clock.now.alarmTime else { return }
        let sleeper = Sleeper()
        let (slot, alarm) = state.withLock {
            let slot = $0.enter(sleeper, until: due)
            return (slot, $0.alarmDue())
        }
        defer { state.withLock { $0.leave(sleeper, from: slot) } }
        if let alarm { set(alarm) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleeper.wait($0) }
        } onCancel: {
            sleeper.wake(.failure(CancellationError()))
        }
    }

    /// Sleeping now, and alarms set.
    var count: (sleepers: Int, alarms: Int) {
        state.withLock { ($0.sleepers.count - $0.free.count, $0.alarms.count) }
    }

    private func set(_ alarm: Int64) {
        Task.detached {
            try? await ContinuousClock().sleep(
                until: HTTPSystemClock.start.advanced(by: .nanoseconds(alarm)))
            self.ring(alarm)
        }
    }

    private func ring(_ alarm: Int64) {
        let now = HTTPSystemClock().now.alarmTime
        let (woken, next) = state.withLock { state in
            state.alarms.removeAll { $0 == alarm }
            var woken: [Sleeper] = []
            while let sleeper = state.popDue(at: max(now, alarm)) { woken.append(sleeper) }
            return (woken, state.alarmDue())
        }
        for sleeper in woken { sleeper.wake(.success(())) }
        if let next { set(next) }
    }
}

/// One sleep, which ends once: woken, or cancelled.
private final class Sleeper: Sendable {
    private enum Phase {
        case new
        case asleep(CheckedContinuation<Void, any Error>)
        case over(Result<Void, any Error>)
    }

    private let phase = Locked(Phase.new)

    func wait(_ continuation: CheckedContinuation<Void, any Error>) {
        let end: Result<Void, any Error>? = phase.withLock {
            if case .over(let end) = $0 { return end }
            $0 = .asleep(continuation)
            return nil
        }
        if let end { continuation.resume(with: end) }
    }

    func wake(_ end: Result<Void, any Error>) {
        let continuation: CheckedContinuation<Void, any Error>? = phase.withLock {
            switch $0 {
            case .new:
                $0 = .over(end)
                return nil
            case .asleep(let continuation):
                $0 = .over(end)
                return continuation
            case .over: return nil
            }
        }
        continuation?.resume(with: end)
    }
}

extension HTTPInstant {
    /// Nanoseconds since the clock's start; no further than a century away.
    fileprivate var alarmTime: Int64 {
        let century: Int64 = 100 * 366 * 86_400 * 1_000_000_000
        return min(max(sinceStart.nanoseconds, -century), century)
    }
}
