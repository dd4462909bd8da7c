/// A task that waits, and goes on when it is resumed.
///
/// The base of ``WaiterSlot``. What the task waits for is stored before it is resumed, where the
/// task finds it. Nothing here is generic: the value of a generic continuation would be copied by
/// way of its metadata, which is looked up each time.
///
/// The continuation is an unsafe one: a checked one costs an allocation. It is resumed once, since
/// its owner gives it up when it resumes the task.
// @safe: see the last sentence; nothing else reaches the continuation.
@safe package struct Suspension: Sendable {
    private let continuation: UnsafeContinuation<Void, Never>

    private init(_ continuation: UnsafeContinuation<Void, Never>) {
        unsafe self.continuation = continuation
    }

    /// Resumes the task. Called once, outside of any lock: it may run the task at once.
    package func callAsFunction() { unsafe continuation.resume() }

    /// Waits, unless there is nothing to wait for. Does not heed cancellation.
    ///
    /// - Parameter begin: Returns `true` if someone has taken the suspension and will resume it, or
    ///   `false` to go on at once. Called once.
    package static func wait(_ begin: (Suspension) -> Bool) async {
        await unsafe withUnsafeContinuation { continuation in
            let suspension = unsafe Suspension(continuation)
            if !begin(suspension) { suspension() }
        }
    }

    /// Waits like ``wait(_:)``, and leaves it to `cancel` how the wait ends once the calling task
    /// is cancelled.
    ///
    /// `cancel` runs at most once, on any thread, also before `begin`: the owner notes in its state
    /// that the task is cancelled, so that `begin` returns `false`, and ends the wait.
    package static func wait(
        whenCancelled cancel: @Sendable () -> Void, _ begin: (Suspension) -> Bool
    ) async {
        // Not by way of `wait`: one function and one change of executors more.
        await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { continuation in
                let suspension = unsafe Suspension(continuation)
                if !begin(suspension) { suspension() }
            }
        } onCancel: {
            cancel()
        }
    }
}
