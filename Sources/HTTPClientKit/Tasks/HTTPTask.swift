import HTTPCore
public import HTTPRetry

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request that runs on its own, and the handle to it: to await, to watch, to cancel.
///
/// ```swift
/// let task = request.run(User.self, in: client)
///     .onProgress { bar.fraction = $0.fraction }
///     .onResult { result in show(result) }
/// task.cancel()
/// ```
///
/// The response is read into memory: at most 16 MiB, unless the request's delivery says otherwise. The
/// task goes on when its handle is dropped.
public final class HTTPTask<Value: Sendable>: Sendable {
    typealias Machine = HTTPTaskMachine<Value>

    /// What a task does: asks, and makes a value of the response.
    struct Work: Sendable {
        var exchange:
            @Sendable (_ report: @escaping @Sendable (HTTPTransferProgress) -> Void) async throws
                -> HTTPResponse
        var convert: @Sendable (HTTPResponse) async throws -> Value
        /// The length of a request body whose sending nobody reports.
        var unreportedUpload: Int64?
        /// How much was received, where that is not the response's body.
        var received: (@Sendable () -> Int64?)?
        /// How to take the work up again, asked when it has ended after it was cancelled.
        var resumeData: (@Sendable () async -> Data?)?
    }

    struct State {
        var machine = Machine()
        var running: Task<Void, Never>?
        /// Who waits for the result.
        var waiters: [Int: @Sendable (Machine.TaskResult) -> Void] = [:]
        /// Who waits for progress, or its end.
        var watchers: [Int: Watcher] = [:]
        private var lastID = 0

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }
    }

    struct Watcher {
        /// Waits for more than this one; `nil` waits for the first.
        var seen: Int?
        var continuation: CheckedContinuation<ProgressTrack.Entry?, Never>
    }

    private let work: Work
    let locked = Locked(State())

    init(_ work: Work) { self.work = work }

    public var state: HTTPTaskState { locked.withLock { $0.machine.state } }
    /// What was answered, before anything was made of it; `nil` until the task is over.
    public var response: HTTPOutcome? { locked.withLock { $0.machine.outcome?.response } }
    /// `nil` until the task is over.
    public var result: Result<Value, any Error>? {
        locked.withLock { $0.machine.outcome?.result }
    }
}

// MARK: - Running

extension HTTPTask {
    /// Starts a pending task; any other is left alone.
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
    /// Cancelling the caller ends this wait, not the task: see ``cancel()``.
    ///
    /// - Throws: what the session throws, or the making of a `Value`; `CancellationError` when the task
    ///   is cancelled, or the caller.
    public var value: Value {
        get async throws {
            run()
            let id = locked.withLock { $0.makeID() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    wait(id) { continuation.resume(with: $0) }
                    if Task.isCancelled { leave(id) }  // before there was anything to find
                }
            } onCancel: {
                leave(id)
            }
        }
    }

    /// Calls `resume` once: with the result, or when `id` leaves.
    func wait(_ id: Int, _ resume: @escaping @Sendable (Machine.TaskResult) -> Void) {
        let result = locked.withLock { state in
            if let outcome = state.machine.outcome { return outcome.result as Machine.TaskResult? }
            state.waiters[id] = resume
            return nil
        }
        if let result { resume(result) }
    }

    private func leave(_ id: Int) {
        locked.withLock { $0.waiters.removeValue(forKey: id) }?(.failure(CancellationError()))
    }
}

// MARK: - Ending

extension HTTPTask {
    /// Ends the task now: whoever waits or observes gets one `CancellationError`, before the transport
    /// has let go. A pending task is never sent; one that is over stays as it is.
    public func cancel() { settle { $0.cancel() } }

    /// As ``cancel()``, and says how to take up again what was under way.
    ///
    /// - Returns: `nil` where that cannot be, or there was nothing to cancel.
    public func cancelProducingResumeData() async -> Data? {
        cancel()
        let (state, running) = locked.withLock { ($0.machine.state, $0.running) }
        guard state == .cancelled, let running, let resumeData = work.resumeData else { return nil }
        await running.value  // all that has arrived is in its place then
        return await resumeData()
    }

    /// As ``cancelProducingResumeData()``: `handler` is called exactly once, on the actor that it was
    /// written on, also where there was nothing to cancel.
    public func cancel(
        @_inheritActorContext producingResumeData handler:
            @escaping @Sendable @isolated(any) (Data?) -> Void
    ) {
        cancel()
        Task.detached { await handler(await self.cancelProducingResumeData()) }
    }

    /// Ends the task if `end` does, and tells everybody.
    @discardableResult private func settle(_ end: (inout Machine) -> Bool) -> Bool {
        let ended: State? = locked.withLock { state in
            guard end(&state.machine) else { return nil }
            let ended = state
            (state.waiters, state.watchers) = ([:], [:])
            return ended
        }
        guard let ended, let outcome = ended.machine.outcome else { return false }
        if ended.machine.state == .cancelled { ended.running?.cancel() }
        for watcher in ended.watchers.values {
            watcher.continuation.resume(returning: ended.machine.progress(after: watcher.seen))
        }
        for resume in ended.waiters.values { resume(outcome.result) }
        deliver()
        return true
    }
}
