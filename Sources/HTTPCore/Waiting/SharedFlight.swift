/// Work that serves several calls and is done once: a refresh of credentials, a coalesced request.
///
/// The work runs in a task of its own, without any caller's deadline, cancellation or executor; of
/// its first caller it keeps only the ``RefreshScope``. Each waiter has its own deadline and
/// cancellation. When the last waiter leaves, the work is cancelled.
package final class SharedFlight<Value: Sendable>: Sendable {
    private enum Stage {
        case ready
        case flying(Task<Void, Never>)
        /// The work has ended, or every waiter has left.
        case ended
    }

    private struct State {
        var stage = Stage.ready
        var waiters: [Waiter<Value>] = []
    }

    private let operation: @Sendable () async throws -> Value
    private let ended: @Sendable () -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - ended: called once, when no call can join any more.
    ///   - operation: the work, started when the first call joins.
    package init(
        whenEnded ended: @escaping @Sendable () -> Void = {},
        _ operation: @escaping @Sendable () async throws -> Value
    ) {
        self.operation = operation
        self.ended = ended
    }

    /// The number of calls that have joined and not left.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// `true` once no call can join any more.
    package var hasEnded: Bool {
        state.withLock {
            if case .ended = $0.stage { true } else { false }
        }
    }

    /// Joins the flight before waiting, so that another waiter's leaving does not end it.
    ///
    /// - Returns: the waiter to pass to ``value(at:for:)``, or `nil` once the flight has ended.
    package func join() -> Waiter<Value>? {
        state.withLock { state in
            switch state.stage {
            case .ended: return nil
            case .flying: break
            case .ready:
                let owner = RefreshScope.owner
                state.stage = .flying(
                    Task.detached {
                        await RefreshScope.$owner.withValue(owner) { await self.fly() }
                    })
            }
            let waiter = Waiter<Value>()
            state.waiters.append(waiter)
            return waiter
        }
    }

    /// Waits for the result of the work.
    ///
    /// - Parameter call: the call whose deadline ends this wait.
    /// - Throws: the error of the work; `CancellationError` as soon as the calling task is
    ///   cancelled; `timedOut` at the deadline.
    package func value(at waiter: Waiter<Value>, for call: HTTPCall? = nil) async throws -> Value {
        guard let call else {
            return try await waiter.value { self.leave($0, throwing: CancellationError()) }
        }
        return try await waiter.value(until: call.deadline, on: call.clock) { waiter, end in
            self.leave(waiter, throwing: call.error(of: end))
        }
    }

    private func fly() async {
        let result: Result<Value, any Error>
        do {
            result = .success(try await operation())
        } catch {
            result = .failure(error)
        }
        let waiters: [Waiter<Value>]? = state.withLock { state in
            guard case .flying = state.stage else { return nil }
            state.stage = .ended
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return }
        ended()
        for waiter in waiters { waiter.resume(with: result) }
    }

    private func leave(_ waiter: Waiter<Value>, throwing error: any Error) {
        let (isWaiting, task): (Bool, Task<Void, Never>?) = state.withLock { state in
            guard case .flying(let task) = state.stage,
                let index = state.waiters.firstIndex(where: { $0 === waiter })
            else { return (false, nil) }
            state.waiters.remove(at: index)
            guard state.waiters.isEmpty else { return (true, nil) }
            state.stage = .ended
            return (true, task)
        }
        if let task {
            ended()
            task.cancel()
        }
        if isWaiting { waiter.resume(with: .failure(error)) }
    }
}
