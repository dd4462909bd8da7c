/// A place in an owner's locked state at which one task waits at a time, as often as it likes.
///
/// For an owner that is waited for again and again, such as the body of a response by its reader:
/// a ``Waiter`` for each wait would be one more object and one more lock. The owner decides under
/// its own lock that a task must wait, and keeps the outcome of the wait beside the slot:
///
/// ```swift
/// await Suspension.wait { place in
///     state.withLock { state in
///         state.piece = state.read()
///         return state.piece == nil && state.reader.hold(place)
///     }
/// }
/// let piece = state.withLock { $0.piece.take() }
///
/// let suspension = state.withLock { state in
///     state.append(bytes)
///     if state.reader.isHeld { state.piece = state.read() }
///     return state.reader.end()
/// }
/// suspension?()
/// ```
///
/// Call the suspension outside the lock: it may run the waiting task at once.
package struct WaiterSlot: Sendable {
    private var suspension: Suspension?

    package init() {}

    /// `true` while a task waits.
    package var isHeld: Bool { suspension != nil }

    /// Lets a task wait. Returns `false` if another one waits already; that one waits on.
    package mutating func hold(_ place: Suspension) -> Bool {
        guard suspension == nil else { return false }
        suspension = place
        return true
    }

    /// Ends the wait, and frees the slot for the next one. Returns the task to resume, or `nil` if
    /// no task waits.
    package mutating func end() -> Suspension? { suspension.take() }
}
