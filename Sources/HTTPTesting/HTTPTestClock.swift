public import HTTPCore
public import PortableFoundation

/// A clock that advances only when a test tells it to.
///
/// ```swift
/// let clock = HTTPTestClock()
/// let task = Task { try await policy.run(clock: clock) }
/// try await clock.waitForSleepers(1)  // the policy has begun to wait
/// clock.advance(by: .seconds(3))  // and now need not any more
/// ```
///
/// There is no "run until idle": a clock cannot know whether a task that does not sleep yet is
/// about to.
public final class HTTPTestClock: HTTPClock {
    /// The example date of RFC 9110 §5.6.7: Sun, 06 Nov 1994 08:49:37 GMT.
    public static var standardDate: Date { Date(timeIntervalSince1970: 784_111_777) }

    private struct State {
        var queue = SleepQueue()
        /// The waiters of sleepers and watchers. The code that removes one resumes it, so
        /// none is resumed twice.
        var waiters: [SleepQueue.ID: Waiter<Void>] = [:]
        var sleeps: [Duration] = []

        mutating func take(_ ids: [SleepQueue.ID]) -> [Waiter<Void>] {
            ids.compactMap { waiters.removeValue(forKey: $0) }
        }
    }

    private let start: Date
    private let state = Locked(State())

    /// - Parameter date: the value of ``date`` before the clock is advanced.
    public init(date: Date = standardDate) { start = date }

    /// The current instant; zero at first.
    public var now: HTTPInstant { state.withLock { $0.queue.now } }

    /// The initial date plus the time that has passed.
    public var date: Date { start.addingTimeInterval(now.sinceStart / .seconds(1)) }

    /// The number of tasks that are sleeping.
    public var sleeperCount: Int { state.withLock { $0.queue.count } }

    /// The deadline of the next sleeper, or `nil` if no task sleeps.
    package var nextDeadline: HTTPInstant? { state.withLock { $0.queue.nextDeadline } }

    /// The requested duration of each sleep, in the order in which the sleeps began.
    ///
    /// A sleep whose deadline has already passed is not included.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    public func sleep(until deadline: HTTPInstant) async throws {
        try await wait { state, id in
            guard state.queue.addSleeper(id, until: deadline) else { return false }
            state.sleeps.append(deadline - state.queue.now)
            return true
        }
    }

    /// Waits until at least `count` tasks sleep at the same time.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    public func waitForSleepers(_ count: Int) async throws {
        try await wait { state, id in state.queue.addWatcher(id, of: count) }
    }

    /// Advances the clock and resumes every sleeper that is due, in the order of their deadlines.
    ///
    /// ``now`` has its new value before the first of them runs. Their executors decide when they
    /// run, which may be after this method has returned.
    public func advance(by duration: Duration) {
        wake { queue in queue.advance(to: queue.now + duration) }
    }

    /// Advances the clock to `instant`, like ``advance(by:)``. An instant in the past has no
    /// effect.
    public func advance(to instant: HTTPInstant) {
        wake { queue in queue.advance(to: instant) }
    }

    /// Suspends until the entry that `enter` adds to the queue is removed. Returns at once if it
    /// adds none.
    ///
    /// An entry is added only where a cancellation removes it: once it is counted, it is gone when
    /// `cancel()` of its task returns.
    private func wait(_ enter: (inout State, SleepQueue.ID) -> Bool) async throws {
        let waiter = Waiter<Void>()
        let id = state.withLock { $0.queue.makeID() }
        try await withTaskCancellationHandler {
            let resumed: [Waiter<Void>] = try state.withLock { state in
                try Task.checkCancellation()
                guard enter(&state, id) else { return [waiter] }
                state.waiters[id] = waiter
                return state.take(state.queue.takeSatisfiedWatchers())
            }
            resumed.resumeAll()
            try await waiter.outcome().get()
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: SleepQueue.ID) {
        let cancelled = state.withLock { state in
            state.queue.remove(id)
            return state.take([id])
        }
        for waiter in cancelled { waiter.resume(with: .failure(CancellationError())) }
    }

    private func wake(_ change: (inout SleepQueue) -> [SleepQueue.ID]) {
        let due = state.withLock { state in state.take(change(&state.queue)) }
        due.resumeAll()
    }
}

/// The sleepers with their deadlines, and the watchers with the number of sleepers they wait for.
/// It has no tasks: it issues identifiers and returns those that are done.
struct SleepQueue {
    typealias ID = Int

    private(set) var now = HTTPInstant(sinceStart: .zero)
    /// Sorted by deadline; sleepers with equal deadlines are in the order of arrival.
    private var sleepers: [(id: ID, deadline: HTTPInstant)] = []
    private var watchers: [(id: ID, count: Int)] = []
    private var lastID = 0

    var count: Int { sleepers.count }
    var nextDeadline: HTTPInstant? { sleepers.first?.deadline }

    mutating func makeID() -> ID {
        lastID += 1
        return lastID
    }

    /// Adds a sleeper and returns `true`, or returns `false` if `deadline` has already passed.
    mutating func addSleeper(_ id: ID, until deadline: HTTPInstant) -> Bool {
        guard deadline > now else { return false }
        let place = sleepers.firstIndex { $0.deadline > deadline } ?? sleepers.endIndex
        sleepers.insert((id, deadline), at: place)
        return true
    }

    /// Adds a watcher and returns `true`, or returns `false` if there are already enough sleepers.
    mutating func addWatcher(_ id: ID, of count: Int) -> Bool {
        guard sleepers.count < count else { return false }
        watchers.append((id, count))
        return true
    }

    /// Removes and returns the watchers with enough sleepers, in the order of arrival.
    mutating func takeSatisfiedWatchers() -> [ID] {
        let satisfied = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return satisfied.map(\.id)
    }

    mutating func remove(_ id: ID) {
        sleepers.removeAll { $0.id == id }
        watchers.removeAll { $0.id == id }
    }

    /// Advances to `instant` unless it has passed, and returns the due sleepers by deadline.
    mutating func advance(to instant: HTTPInstant) -> [ID] {
        now = max(now, instant)
        let due = sleepers.prefix { $0.deadline <= now }
        sleepers.removeFirst(due.count)
        return due.map(\.id)
    }
}
