import HTTPCore

/// The end of a thread, for tasks that wait for it.
final class ThreadEnd: Sendable {
    /// The waiting tasks, or `nil` once the thread has ended.
    private let waiters = Locked<[CheckedContinuation<Void, Never>]?>([])

    func wait() async {
        await withCheckedContinuation { continuation in
            let isRunning = waiters.withLock { waiters in
                waiters?.append(continuation)
                return waiters != nil
            }
            if !isRunning { continuation.resume() }
        }
    }

    /// Records the end of the thread, as its last action.
    func reach() {
        for waiter in waiters.withLock({ $0.take() }) ?? [] { waiter.resume() }
    }
}
