/// The closing of a session, for the calls that wait before they send through it again.
///
/// A call that waits would only be refused at the end of its wait. It ends at once instead.
/// Exchanges under way do not look here: they have the grace of `close(grace:)`.
package final class Closing: Sendable {
    private struct State {
        var isClosed = false
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())
    private let lower: Closing?
    private let place = Locked<UInt64?>(nil)

    /// - Parameter lower: The closing of the session below, which closes this one, too.
    package init(over lower: Closing? = nil) {
        self.lower = lower
        let id = lower?.whenClosed { [weak self] in self?.close() }
        place.withLock { $0 = id }
    }

    deinit { if let id = place.withLock({ $0 }) { lower?.forget(id) } }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends all waits, those under way and those to come.
    package func close() {
        let actions = state.withLock { state in
            state.isClosed = true
            defer { state.actions = [:] }
            return state.actions.values
        }
        for action in actions { action() }
    }

    /// Calls `action` once the session is closed, at once if it is, unless it is forgotten before.
    ///
    /// - Returns: The number to forget it by; `nil` if it has been called.
    package func whenClosed(_ action: @escaping @Sendable () -> Void) -> UInt64? {
        let id: UInt64? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastID += 1
            state.actions[state.lastID] = action
            return state.lastID
        }
        if id == nil { action() }
        return id
    }

    package func forget(_ id: UInt64?) {
        guard let id else { return }
        _ = state.withLock { $0.actions.removeValue(forKey: id) }
    }

    /// The error of a wait that the closing has ended.
    package static var error: HTTPError {
        HTTPError(
            .sessionClosed, "the session was closed while the call waited: make a new one",
            phase: .preparing)
    }
}

extension HTTPClock {
    /// Waits until `deadline`, or until a session is closed.
    ///
    /// - Throws: `sessionClosed`; `CancellationError` as soon as the calling task is cancelled.
    package func sleep(until deadline: HTTPInstant, unless closing: Closing?) async throws {
        guard let closing else { return try await sleep(until: deadline) }
        let sleeping = Task { try await sleep(until: deadline) }
        let place = closing.whenClosed { sleeping.cancel() }
        defer { closing.forget(place) }
        do {
            try await withTaskCancellationHandler {
                try await sleeping.value
            } onCancel: {
                sleeping.cancel()
            }
        } catch  where closing.isClosed && !Task.isCancelled {
            throw Closing.error
        }
        if closing.isClosed { throw Closing.error }
    }
}
