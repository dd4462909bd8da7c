import HTTPCore

/// The state that the threads of a test and the thread of its server share.
final class LoopbackHub: Sendable {
    struct Wait: Sendable {
        let deadline: ContinuousClock.Instant
        let condition: @Sendable (LoopbackRecord) -> Bool
    }

    private struct State {
        var record: LoopbackRecord
        var queue: [LoopbackScript.Step.Choice] = []
        /// The numbers of the connections whose gates have been opened.
        var released: Set<Int> = []
        var waiters = LoopbackWaiters<Wait>()
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
        let (id, last) = state.withLock { ($0.waiters.makeID(), $0.isOver ? $0.record : nil) }
        if let last, condition(last) { return }
        defer { state.withLock { $0.waiters.forget(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    if state.isOver { return LoopbackError.stopped }
                    let wait = Wait(deadline: deadline, condition: condition)
                    guard state.waiters.add(id, wait, continuation) else {
                        return CancellationError()
                    }
                    state.record.isChanged = true
                    state.wake()
                    return nil
                }
                if let failure { continuation.resume(throwing: failure) }
            }
        } onCancel: {
            state.withLock { $0.waiters.cancel(id) }?.resume(throwing: CancellationError())
        }
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
            let record = state.record.isChanged && !state.waiters.isEmpty ? state.record : nil
            return (record, state.waiters.isEmpty ? [] : state.waiters.conditions)
        }
        guard !waits.isEmpty else { return nil }
        // Conditions are test code: they run outside the lock, so that they may call the server.
        let now = ContinuousClock.now
        var next: ContinuousClock.Instant?
        for (id, wait) in waits {
            let isMet = record.map { wait.condition($0) } ?? false
            guard isMet || wait.deadline <= now else {
                next = min(next ?? wait.deadline, wait.deadline)
                continue
            }
            let continuation = state.withLock { $0.waiters.remove(id) }
            if isMet {
                continuation?.resume()
            } else {
                continuation?.resume(throwing: LoopbackError.timedOut)
            }
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
            return state.waiters.remove { _ in true }
        }
        for continuation in waiting { continuation.resume(throwing: LoopbackError.stopped) }
    }
}
