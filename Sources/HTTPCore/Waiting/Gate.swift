/// An event that tasks wait for: closed until it is opened, and then open for ever.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [Waiter<Void>] = []
    }

    private let state = Locked(State())

    package init() {}

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The number of tasks that wait.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Lets all tasks pass, those that wait and those to come.
    package func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        waiters.resumeAll()
    }

    /// Returns once the gate is open.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled.
    package func wait() async throws {
        guard let waiter = enter() else { return }
        defer { state.withLock { state in state.waiters.removeAll { $0 === waiter } } }
        try await waiter.value()
    }

    /// Returns once the gate is open.
    ///
    /// - Parameter call: the call whose deadline ends this wait.
    /// - Throws: `timedOut` at the deadline; `CancellationError` as soon as the calling task is
    ///   cancelled.
    package func wait(for call: HTTPCall?) async throws {
        guard let call else { return try await wait() }
        guard let waiter = enter() else { return }
        defer { state.withLock { state in state.waiters.removeAll { $0 === waiter } } }
        try await waiter.value(until: call.deadline, on: call.clock) { waiter, end in
            waiter.resume(with: .failure(call.error(of: end)))
        }
    }

    /// Returns once the gate is open, also when the calling task is cancelled.
    package func waitIgnoringCancellation() async {
        _ = await enter()?.outcome()
    }

    /// Returns the place to wait at, or `nil` if the gate is open.
    private func enter() -> Waiter<Void>? {
        state.withLock { state in
            guard !state.isOpen else { return nil }
            let waiter = Waiter<Void>()
            state.waiters.append(waiter)
            return waiter
        }
    }
}
