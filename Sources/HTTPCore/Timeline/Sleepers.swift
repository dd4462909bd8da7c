/// The tasks that sleep on ``HTTPSystemClock``.
///
/// `Task.sleep` keeps memory of a cancelled sleep until its time would have come: with a deadline
/// of a minute on each of a thousand calls a second, that of sixty thousand tasks. Here a cancelled
/// sleep leaves nothing behind. A few tasks that do sleep, the alarms, wake all the others.
final class Sleepers: Sendable {
    static let shared = Sleepers()

    private struct State {
        var heap = DeadlineHeap()
        var sleepers: [Waiter<Void>?] = []
        var free: [Int] = []
        /// The times of the alarms that are set, the next one last: each new alarm is for an
        /// earlier time.
        var alarms: [Int64] = []

        mutating func enter(_ sleeper: Waiter<Void>, until due: Int64) -> Int {
            let slot = free.popLast() ?? sleepers.count
            if slot == sleepers.count { sleepers.append(nil) }
            sleepers[slot] = sleeper
            heap.set(slot, to: due)
            return slot
        }

        /// Removes a sleeper, unless it has been woken: another one may have its slot by then.
        mutating func leave(_ sleeper: Waiter<Void>, from slot: Int) {
            guard sleepers[slot] === sleeper else { return }
            heap.remove(slot)
            empty(slot)
        }

        mutating func popDue(at now: Int64) -> Waiter<Void>? {
            guard let slot = heap.popDue(at: now) else { return nil }
            defer { empty(slot) }
            return sleepers[slot]
        }

        private mutating func empty(_ slot: Int) {
            sleepers[slot] = nil
            free.append(slot)
        }

        /// The time for a new alarm, if one is needed before all those that are set.
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
        let sleeper = Waiter<Void>()
        let (slot, alarm) = state.withLock {
            let slot = $0.enter(sleeper, until: due)
            return (slot, $0.alarmDue())
        }
        defer { state.withLock { $0.leave(sleeper, from: slot) } }
        if let alarm { set(alarm) }
        try await sleeper.value()
    }

    /// The number of tasks that sleep now, and of alarms that are set.
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
            var woken: [Waiter<Void>] = []
            while let sleeper = state.popDue(at: max(now, alarm)) { woken.append(sleeper) }
            return (woken, state.alarmDue())
        }
        woken.resumeAll()
        if let next { set(next) }
    }
}

extension HTTPInstant {
    /// Nanoseconds since the clock's start; no further than a century away.
    fileprivate var alarmTime: Int64 {
        let century: Int64 = 100 * 366 * 86_400 * 1_000_000_000
        return min(max(sinceStart.nanoseconds, -century), century)
    }
}
