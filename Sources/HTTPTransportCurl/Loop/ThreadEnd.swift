import HTTPCore

/// That a thread has ended, for whoever waits for it.
final class ThreadEnd: Sendable {
    /// `nil` once it has ended.
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

    /// The thread's last act.
    func reach() {
        for waiter in waiters.withLock({ $0.take() }) ?? [] { waiter.resume() }
    }
}
