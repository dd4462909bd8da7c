public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Time that passes when a test says so.
///
/// ```swift
/// let clock = HTTPTestClock()
/// let task = Task { try await policy.run(clock: clock) }
/// try await clock.waitForSleepers(1)  // the policy has begun to wait
/// clock.advance(by: .seconds(3))  // and now need not any more
/// ```
///
/// There is no "run until idle": no clock can know that a task which does not sleep yet is not
/// about to.
public final class HTTPTestClock: HTTPClock {
    /// The example of RFC 9110 §5.6.7: Sun, 06 Nov 1994 08:49:37 GMT.
    public static var standardDate: Date { Date(timeIntervalSince1970: 784_111_777) }

    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct State {
        var queue = SleepQueue()
        /// Of sleepers and watchers alike; whoever takes one out resumes it, so nobody is resumed twice.
        var continuations: [SleepQueue.ID: Continuation] = [:]
        var sleeps: [Duration] = []

        mutating func take(_ ids: [SleepQueue.ID]) -> [Continuation] {
            ids.compactMap { continuations.removeValue(forKey: $0) }
        }
    }

    private let start: Date
    private let state = Locked(State())

    /// - Parameter date: what the calendar shows before time is advanced.
    public init(date: Date = standardDate) { start = date }

    /// Zero at first.
    public var now: HTTPInstant { state.withLock { $0.queue.now } }

    /// As far from the first date as ``now`` is from zero.
    public var date: Date { start.addingTimeInterval(now.sinceStart / .seconds(1)) }

    /// How many tasks sleep.
    public var sleeperCount: Int { state.withLock { $0.queue.count } }

    /// When the next sleeper is due, or `nil` when nobody sleeps.
    public var nextDeadline: HTTPInstant? { state.withLock { $0.queue.nextDeadline } }

    /// How long each sleeper meant to sleep, in the order they came; who need not sleep is not there.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    public func sleep(until deadline: HTTPInstant) async throws {
        try await wait { state, id in
            guard state.queue.addSleeper(id, until: deadline) else { return false }
            state.sleeps.append(deadline - state.queue.now)
            return true
        }
    }

    /// Returns once at least `count` tasks sleep at the same time.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    public func waitForSleepers(_ count: Int) async throws {
        try await wait { state, id in state.queue.addWatcher(id, of: count) }
    }

    /// Lets time pass and resumes every sleeper that is due by then, in the order of their deadlines.
    ///
    /// ``now`` stands at the end of that time before the first of them runs. They run when their
    /// executors let them, which may be after this method has returned.
    public func advance(by duration: Duration) {
        wake { queue in queue.advance(to: queue.now + duration) }
    }

    /// As ``advance(by:)``. An instant that has passed changes nothing: no clock goes backwards.
    public func advance(to instant: HTTPInstant) {
        wake { queue in queue.advance(to: instant) }
    }

    /// Suspends until the queue lets go of what `enter` put into it, or at once if that was nothing.
    private func wait(_ enter: (inout State, SleepQueue.ID) -> Bool) async throws {
        try Task.checkCancellation()
        let id = state.withLock { $0.queue.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Continuation) in
                let resumed = state.withLock { state in
                    guard enter(&state, id) else { return [continuation] }
                    state.continuations[id] = continuation
                    return state.take(state.queue.takeSatisfiedWatchers())
                }
                for continuation in resumed { continuation.resume() }
                if Task.isCancelled { cancel(id) }  // before there was anything to find
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: SleepQueue.ID) {
        let cancelled = state.withLock { state in
            state.queue.remove(id)
            return state.take([id])
        }
        for continuation in cancelled { continuation.resume(throwing: CancellationError()) }
    }

    private func wake(_ change: (inout SleepQueue) -> [SleepQueue.ID]) {
        let due = state.withLock { state in state.take(change(&state.queue)) }
        for continuation in due { continuation.resume() }
    }
}

/// Who sleeps until when, and who waits for how many sleepers. Knows no task: it hands out
/// identities and says which of them are done.
struct SleepQueue {
    typealias ID = Int

    private(set) var now = HTTPInstant(sinceStart: .zero)
    /// By deadline, those of equal deadlines in the order they came.
    private var sleepers: [(id: ID, deadline: HTTPInstant)] = []
    private var watchers: [(id: ID, count: Int)] = []
    private var lastID = 0

    var count: Int { sleepers.count }
    var nextDeadline: HTTPInstant? { sleepers.first?.deadline }

    mutating func makeID() -> ID {
        lastID += 1
        return lastID
    }

    /// Returns whether there is anything to sleep for.
    mutating func addSleeper(_ id: ID, until deadline: HTTPInstant) -> Bool {
        guard deadline > now else { return false }
        let place = sleepers.firstIndex { $0.deadline > deadline } ?? sleepers.endIndex
        sleepers.insert((id, deadline), at: place)
        return true
    }

    /// Returns whether there is anything to wait for.
    mutating func addWatcher(_ id: ID, of count: Int) -> Bool {
        guard sleepers.count < count else { return false }
        watchers.append((id, count))
        return true
    }

    /// The watchers that have seen enough sleepers, in the order they came; told once.
    mutating func takeSatisfiedWatchers() -> [ID] {
        let satisfied = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return satisfied.map(\.id)
    }

    mutating func remove(_ id: ID) {
        sleepers.removeAll { $0.id == id }
        watchers.removeAll { $0.id == id }
    }

    /// Moves on, unless `instant` has passed; returns the sleepers that are due, first deadline first.
    mutating func advance(to instant: HTTPInstant) -> [ID] {
        now = max(now, instant)
        let due = sleepers.prefix { $0.deadline <= now }
        sleepers.removeFirst(due.count)
        return due.map(\.id)
    }
}
