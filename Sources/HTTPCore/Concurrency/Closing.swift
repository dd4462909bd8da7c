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

/// A session whose closing ends the waits of its calls.
package protocol ClosingSession: HTTPSession {
    var closing: Closing { get }
}

extension HTTPSession {
    /// The closing of this session, however many layers are around it; `nil` if it is not known.
    package var knownClosing: Closing? {
        switch self {
        case let session as any ClosingSession: session.closing
        case let session as any WrappingSession: session.wrapped.knownClosing
        default: nil
        }
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

extension HTTPCall {
    /// Waits until `instant`, before the call sends again through `session`.
    ///
    /// - Parameter hasReachedServer: `true` if an earlier attempt may have reached a server.
    /// - Throws: `timedOut` at once if the deadline passes before; `sessionClosed` as soon as the
    ///   session is closed; `CancellationError` as soon as the calling task is cancelled.
    package func wait(
        until instant: HTTPInstant, over session: any HTTPSession, hasReachedServer: Bool
    ) async throws {
        if let deadline, instant >= deadline {
            throw deadlineError(phase: .preparing, hasReachedServer: hasReachedServer)
        }
        do {
            try await clock.sleep(until: instant, unless: closing(over: session))
        } catch let error as HTTPError {
            throw error.havingReachedServer(hasReachedServer)
        }
    }

    /// The closing of the session that the call goes through: that of its client, else of the
    /// transport in `session`.
    package func closing(over session: any HTTPSession) -> Closing? {
        closing ?? session.knownClosing
    }
}
