import Dispatch
import Synchronization

/// Runs work that is asynchronous only in form: a body in memory seldom suspends, so this needs no
/// change of thread.
func waiting<Success: Sendable>(
    for body: @escaping @Sendable () async -> Success
) -> Success {
    let outcome = Outcome<Success>()
    let ended = DispatchSemaphore(value: 0)
    Task.immediate {
        let value = await body()
        outcome.value.withLock { $0 = value }
        ended.signal()
    }
    ended.wait()
    guard let value = outcome.value.withLock(\.self) else { fatalError("a task without outcome") }
    return value
}

private final class Outcome<Success: Sendable>: Sendable {
    let value = Mutex<Success?>(nil)
}
