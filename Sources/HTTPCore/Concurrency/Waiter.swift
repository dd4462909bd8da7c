/// One wait, which ends once, with the first result that it is given.
///
/// A task waits for another one in a waiter or, if the owner of the wait has a locked state of its
/// own and is waited for again and again, in a ``WaiterSlot``. There is no third way: only this
/// folder uses continuations, which CI checks.
///
/// The result may come before the task begins to wait, while it waits, or twice: the wait takes the
/// first result and keeps it. A list of waiters is an array of these beside the state that they
/// wait for, under the same lock:
///
/// ```swift
/// let waiter = Waiter<Void>()
/// let mustWait = state.withLock { state in
///     if !state.isOpen { state.waiters.append(waiter) }
///     return !state.isOpen
/// }
/// if mustWait { try await waiter.value() }
/// ```
///
/// Call ``resume(with:)`` outside the lock: it may run the waiting task at once.
package final class Waiter<Value: Sendable>: Sendable {
    private struct State {
        var slot = WaiterSlot()
        /// The first result.
        var result: Result<Value, any Error>?
    }

    private let state = Locked(State())

    package init() {}

    /// Waits for the result. Cancelling the calling task ends the wait with `CancellationError`.
    package func value() async throws -> Value {
        try await value { $0.resume(with: .failure(CancellationError())) }
    }

    /// Waits for the result, and leaves it to `cancel` how the wait ends once the calling task is
    /// cancelled.
    ///
    /// For a wait that may have been granted something at that moment: only the owner of the list
    /// can tell. `cancel` runs at most once, on any thread, also before the wait has begun.
    package func value(
        whenCancelled cancel: @escaping @Sendable (Waiter<Value>) -> Void
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await outcome().get()
        } onCancel: {
            cancel(self)
        }
    }

    /// Waits for the result, also when the calling task is cancelled.
    package func outcome() async -> Result<Value, any Error> {
        await Suspension.wait { place in
            state.withLock { state in state.result == nil && state.slot.hold(place) }
        }
        // Without a result, another task waits here already: it waits on, and this one fails.
        return state.withLock { $0.result } ?? .failure(CancellationError())
    }

    /// Ends the wait, unless it has ended.
    ///
    /// - Returns: `true` if the wait takes this result.
    @discardableResult
    package func resume(with result: Result<Value, any Error>) -> Bool {
        let (isFirst, suspension) = state.withLock { state in
            guard state.result == nil else { return (false, Suspension?.none) }
            state.result = result
            return (true, state.slot.end())
        }
        suspension?()
        return isFirst
    }
}

extension Waiter where Value == Void {
    /// Ends the wait with success, unless it has ended.
    package func resume() { resume(with: .success(())) }
}

extension Sequence {
    /// Ends all these waits with success.
    package func resumeAll() where Element == Waiter<Void> {
        for waiter in self { waiter.resume() }
    }
}
