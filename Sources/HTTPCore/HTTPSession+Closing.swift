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
