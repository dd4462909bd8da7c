/// A place in an owner's locked state at which one task waits at a time, as often as it likes.
///
/// For an owner that is waited for again and again, such as the body of a response by its reader:
/// a ``Waiter`` for each wait would be one more object and one more lock. The owner decides under
/// its own lock that a task must wait, and how the wait ends:
///
/// ```swift
/// let piece = try await WaiterSlot.value { place in
///     state.withLock { state in state.read() ?? state.reader.hold(place) }
/// }
///
/// let resumption = state.withLock { state in
///     state.append(bytes)
///     return state.reader.end(with: .success(state.take()))
/// }
/// resumption?()
/// ```
///
/// Call the resumption outside the lock: it may run the waiting task at once.
///
/// Every request and every read waits here, so the continuations are unsafe ones: a checked one
/// costs an allocation, and its layout is only known at run time, so that code that holds it looks
/// up metadata each time. A continuation leaves its slot when its wait ends, so it is resumed once.
// @safe: see the last sentence; nothing else reaches a continuation.
@safe package struct WaiterSlot<Value: Sendable>: Sendable {
    package typealias Outcome = Result<Value, any Error>

    /// A task that is about to wait. See ``hold(_:)``.
    @safe package struct Place: Sendable {
        @usableFromInline let continuation: UnsafeContinuation<Outcome, Never>

        @inline(__always) @inlinable init(_ continuation: UnsafeContinuation<Outcome, Never>) {
            unsafe self.continuation = continuation
        }
    }

    /// The end of a wait. Called once, outside the lock, it resumes the waiting task.
    @safe package struct Resumption: Sendable {
        @usableFromInline let continuation: UnsafeContinuation<Outcome, Never>
        @usableFromInline let outcome: Outcome

        @inline(__always) @inlinable init(
            _ continuation: UnsafeContinuation<Outcome, Never>, _ outcome: Outcome
        ) {
            unsafe self.continuation = continuation
            self.outcome = outcome
        }

        @inline(__always) @inlinable package func callAsFunction() {
            unsafe continuation.resume(returning: outcome)
        }
    }

    @usableFromInline var continuation: UnsafeContinuation<Outcome, Never>?

    @inline(__always) @inlinable package init() {}

    /// `true` while a task waits.
    @inline(__always) @inlinable package var isHeld: Bool { unsafe continuation != nil }

    /// Lets a task wait. For the closure of ``value(_:)``, as the last thing that it does.
    ///
    /// - Returns: `nil`, or the outcome for a second task: it fails, and the first one waits on.
    @inline(__always) @inlinable
    package mutating func hold(_ place: Place) -> Outcome? {
        guard unsafe continuation == nil else { return .failure(CancellationError()) }
        unsafe continuation = place.continuation
        return nil
    }

    /// Ends the wait, and frees the slot for the next one.
    ///
    /// - Returns: `nil` if no task waits.
    @inline(__always) @inlinable
    package mutating func end(with outcome: Outcome) -> Resumption? {
        guard let continuation = unsafe continuation else { return nil }
        unsafe self.continuation = nil
        return unsafe Resumption(continuation, outcome)
    }
}

extension WaiterSlot {
    /// Waits, unless there is an outcome already. Does not heed cancellation.
    ///
    /// - Parameter begin: returns the outcome, or `nil` after the slot has taken the place. Called
    ///   once.
    @inline(__always) @inlinable
    package static func outcome(_ begin: (Place) -> Outcome?) async -> Outcome {
        await unsafe withUnsafeContinuation { continuation in
            guard let outcome = unsafe begin(Place(continuation)) else { return }
            unsafe continuation.resume(returning: outcome)
        }
    }

    /// Waits like ``outcome(_:)``, for an owner that itself notices that the task is cancelled.
    @inline(__always) @inlinable
    package static func value(
        _ begin: (Place) -> Outcome?
    ) async throws -> Value {
        try await outcome(begin).get()
    }

    /// Waits, unless there is an outcome already, and leaves it to `cancel` how the wait ends once
    /// the calling task is cancelled.
    ///
    /// `cancel` runs at most once, on any thread, also before `begin`: the owner notes in its state
    /// that the task is cancelled, so that `begin` finds an outcome, and ends the wait.
    @inline(__always) @inlinable
    package static func value(
        whenCancelled cancel: @Sendable () -> Void, _ begin: (Place) -> Outcome?
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await outcome(begin).get()
        } onCancel: {
            cancel()
        }
    }
}

extension WaiterSlot where Value == Void {
    /// Ends the wait with success.
    @inline(__always) @inlinable
    package mutating func end() -> Resumption? { end(with: .success(())) }
}
