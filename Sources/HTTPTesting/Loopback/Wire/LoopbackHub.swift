import HTTPCore

/// The state that the threads of a test and the thread of its server share.
final class LoopbackHub: Sendable {
    struct Wait: Sendable {
        let deadline: ContinuousClock.Instant
        let condition: @Sendable (LoopbackRecord) -> Bool
        let waiter = Waiter<Void>()
    }

    private struct State {
        var record: LoopbackRecord
        var queue: [LoopbackScript.Step.Choice] = []
        /// The numbers of the connections whose gates have been opened.
        var released: Set<Int> = []
        var waits: [Wait] = []
        var isStopping = false
        /// The input end of the loop's pipe; `nil` before the pipe is open and once it is closed.
        var wakeDescriptor: Int32?
        var isOver = false

        func wake() { if let wakeDescriptor { LoopbackSocket.wake(wakeDescriptor) } }
    }
    private let state: Locked<State>

    init(logLimit: Int) { self.state = Locked(State(record: LoopbackRecord(limit: logLimit))) }

    // MARK: Test side

    var snapshot: LoopbackSnapshot { state.withLock { $0.record.snapshot } }

    func enqueue(_ choice: @escaping LoopbackScript.Step.Choice) {
        state.withLock { $0.queue.append(choice) }
    }

    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wake()
        }
    }

    func takeRequest() -> LoopbackRequest? { state.withLock { $0.record.take() } }

    /// Waits until `condition` holds; the server's thread evaluates it after each change.
    func wait(
        until deadline: ContinuousClock.Instant,
        _ condition: @escaping @Sendable (LoopbackRecord) -> Bool
    ) async throws {
        let wait = Wait(deadline: deadline, condition: condition)
        let last = state.withLock { state in
            guard !state.isOver else { return state.record as LoopbackRecord? }
            state.waits.append(wait)
            state.record.isChanged = true
            state.wake()
            return nil
        }
        if let last {
            guard condition(last) else { throw LoopbackError.stopped }
            return
        }
        defer { state.withLock { state in state.waits.removeAll { $0.waiter === wait.waiter } } }
        try await wait.waiter.value()
    }

    // MARK: Server side

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func opened(wakeDescriptor: Int32) { state.withLock { $0.wakeDescriptor = wakeDescriptor } }

    func dequeue() -> LoopbackScript.Step.Choice? {
        state.withLock { $0.queue.isEmpty ? nil : $0.queue.removeFirst() }
    }

    /// Tells the loop, from any thread, that the connection's gate is open.
    func release(connection: Int) {
        state.withLock { state in
            state.released.insert(connection)
            state.wake()
        }
    }

    func takeReleased() -> Set<Int> {
        state.withLock { state in
            defer { state.released = [] }
            return state.released
        }
    }

    func record<R>(_ change: (inout LoopbackRecord) -> R) -> R {
        state.withLock { change(&$0.record) }
    }

    /// Resumes the tasks whose wait is over, and returns the deadline of the next one.
    func resumeWaiters() -> ContinuousClock.Instant? {
        let (record, waits) = state.withLock { state in
            defer { state.record.isChanged = false }
            let record = state.record.isChanged && !state.waits.isEmpty ? state.record : nil
            return (record, state.waits)
        }
        guard !waits.isEmpty else { return nil }
        // Conditions are test code: they run outside the lock, so that they may call the server.
        let now = ContinuousClock.now
        var next: ContinuousClock.Instant?
        for wait in waits {
            let isMet = record.map { wait.condition($0) } ?? false
            guard isMet || wait.deadline <= now else {
                next = min(next ?? wait.deadline, wait.deadline)
                continue
            }
            state.withLock { state in state.waits.removeAll { $0.waiter === wait.waiter } }
            wait.waiter.resume(with: isMet ? .success(()) : .failure(LoopbackError.timedOut))
        }
        return next
    }

    /// Ends all waits, and forgets the pipe, which the loop closes afterwards.
    func finish() {
        _ = resumeWaiters()
        let waiting = state.withLock { state in
            state.isOver = true
            state.wakeDescriptor = nil
            state.queue = []
            defer { state.waits = [] }
            return state.waits
        }
        for wait in waiting { wait.waiter.resume(with: .failure(LoopbackError.stopped)) }
    }
}
