/// The reason why a wait ends without a result.
package enum WaitBreak: Sendable {
    /// The deadline of the wait has passed.
    case passed
    /// The task is cancelled.
    case cancelled
}

extension Waiter {
    /// Waits for the result until a deadline at most.
    ///
    /// `end` decides how the wait ends at the deadline, and once the calling task is cancelled: the
    /// owner of the wait may have granted something at that moment. It is called at most once for
    /// each reason, on any thread, also before the wait has begun, and need not resume the waiter
    /// if it has a result. Nothing is left of the deadline after the wait.
    ///
    /// - Parameter deadline: The end of the wait, on `clock`, or `nil` for none.
    package func value(
        until deadline: HTTPInstant?, on clock: any HTTPClock,
        orEnd end: @escaping @Sendable (Waiter<Value>, WaitBreak) -> Void
    ) async throws -> Value {
        let timer = deadline.map { deadline in
            Task {
                try await clock.sleep(until: deadline)
                end(self, .passed)
            }
        }
        defer { timer?.cancel() }
        return try await value { end($0, .cancelled) }
    }
}

extension HTTPCall {
    /// The error of a wait that has ended before the call could be sent.
    package func error(of end: WaitBreak) -> any Error {
        switch end {
        case .passed: deadlineError(phase: .preparing)
        case .cancelled: CancellationError()
        }
    }
}
