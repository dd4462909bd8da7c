import HTTPCore
public import HTTPRetry
public import PortableFoundation

/// A request that runs on its own, and a handle to await, watch and cancel it.
///
/// ```swift
/// let task = request.run(User.self, in: client)
///     .onProgress { bar.fraction = $0.fraction }
///     .onResult { result in show(result) }
/// task.cancel()
/// ```
///
/// The response is read into memory: at most 16 MiB, unless the request's delivery sets another
/// limit. The task continues if its handle is released.
public final class HTTPTask<Value: Sendable>: Sendable {
    typealias Machine = HTTPTaskMachine<Value>

    /// The work of a task: sends the request and makes a value from the response.
    struct Work: Sendable {
        var exchange:
            @Sendable (_ report: @escaping @Sendable (HTTPTransferProgress) -> Void) async throws
                -> HTTPResponse
        var convert: @Sendable (HTTPResponse) async throws -> Value
        /// The length of a request body that is sent without progress reports.
        var unreportedUpload: Int64?
        /// The number of bytes received, if they are not in the response's body.
        var received: (@Sendable () -> Int64?)?
        /// Returns the data to resume the work from. Called after a cancelled task has ended.
        var resumeData: (@Sendable () async -> Data?)?
    }

    struct State {
        var machine = Machine()
        var running: Task<Void, Never>?
        /// The callers that wait for the result.
        var waiters: [Waiter<Value>] = []
        /// The readers that wait for progress or its end.
        var watchers: [Watcher] = []
    }

    struct Watcher {
        /// The last progress that this watcher has seen; `nil` to wait for the first.
        var seen: Int?
        let waiter = Waiter<ProgressTrack.Entry?>()
    }

    private let work: Work
    let locked = Locked(State())

    init(_ work: Work) { self.work = work }

    /// The state at this moment.
    public var state: HTTPTaskState { locked.withLock { $0.machine.state } }
    /// The response before a value is made from it; `nil` until the task is over.
    public var response: HTTPOutcome? { locked.withLock { $0.machine.outcome?.response } }
    /// The result; `nil` until the task is over.
    public var result: Result<Value, any Error>? {
        locked.withLock { $0.machine.outcome?.result }
    }
}

// MARK: - Running

extension HTTPTask {
    /// Starts a pending task. Any other task is unchanged.
    @discardableResult public func run() -> Self {
        locked.withLock { state in
            if state.machine.start() { state.running = Task { await self.perform() } }
        }
        return self
    }

    private func perform() async {
        let outcome: Machine.Outcome
        do {
            let response = try await work.exchange { [weak self] in self?.report($0) }
            do {
                let value = try await work.convert(response)
                outcome = Machine.Outcome(response: .success(response), result: .success(value))
            } catch {
                outcome = Machine.Outcome(response: .success(response), result: .failure(error))
            }
        } catch {
            outcome = Machine.Outcome(response: .failure(error), result: .failure(error))
        }
        let received = work.received?()
        let isInTime = settle {
            $0.finish(outcome, sent: work.unreportedUpload, received: received)
        }
        if !isInTime, case .success(let response) = outcome.response { response.body.abandon() }
    }

    /// The result, as soon as there is one. Runs a pending task.
    ///
    /// Cancelling the caller ends this wait, not the task; see ``cancel()``.
    ///
    /// - Throws: The error of the session or of making a `Value`; `CancellationError` if the task
    ///   or the caller is cancelled.
    public var value: Value {
        get async throws {
            run()
            let waiter = makeWaiter()
            defer { locked.withLock { state in state.waiters.removeAll { $0 === waiter } } }
            return try await waiter.value()
        }
    }

    /// Returns a waiter for the result, which ends at once if the task is over.
    func makeWaiter() -> Waiter<Value> {
        let waiter = Waiter<Value>()
        let result = locked.withLock { state in
            if let outcome = state.machine.outcome { return outcome.result as Machine.TaskResult? }
            state.waiters.append(waiter)
            return nil
        }
        if let result { waiter.resume(with: result) }
        return waiter
    }
}

// MARK: - Ending

extension HTTPTask {
    /// Ends the task now: each waiter and observer gets one `CancellationError`, before the
    /// transport has stopped. A pending task is never sent, and a task that is over is unchanged.
    public func cancel() { settle { $0.cancel() } }

    /// Cancels the task and returns data to resume its work later.
    ///
    /// - Returns: `nil` if the work cannot be resumed or there was nothing to cancel.
    public func cancelProducingResumeData() async -> Data? {
        cancel()
        let (state, running) = locked.withLock { ($0.machine.state, $0.running) }
        guard state == .cancelled, let running, let resumeData = work.resumeData else { return nil }
        await running.value  // then all received bytes are in the file
        return await resumeData()
    }

    /// Cancels the task and calls `handler` exactly once, on the actor that it was written on, even
    /// if there was nothing to cancel. See ``cancelProducingResumeData()``.
    public func cancel(
        @_inheritActorContext producingResumeData handler:
            @escaping @Sendable @isolated(any) (Data?) -> Void
    ) {
        cancel()
        Task.detached { await handler(await self.cancelProducingResumeData()) }
    }

    /// Ends the task if `end` does, and notifies all waiters, watchers and observers.
    @discardableResult private func settle(_ end: (inout Machine) -> Bool) -> Bool {
        let ended: State? = locked.withLock { state in
            guard end(&state.machine) else { return nil }
            let ended = state
            (state.waiters, state.watchers) = ([], [])
            return ended
        }
        guard let ended, let outcome = ended.machine.outcome else { return false }
        if ended.machine.state == .cancelled { ended.running?.cancel() }
        for watcher in ended.watchers {
            watcher.waiter.resume(with: .success(ended.machine.progress(after: watcher.seen)))
        }
        for waiter in ended.waiters { waiter.resume(with: outcome.result) }
        deliver()
        return true
    }
}
