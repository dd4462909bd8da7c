import HTTPCore

/// Work that is left to itself when its time is over: what ignores its cancellation holds up nobody.
enum TimeLimited {
    struct Overdue: Error {}

    /// - Throws: what `work` throws, ``Overdue``, or `CancellationError` as soon as the calling task is
    ///   cancelled.
    static func run(
        within limit: Duration, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let race = Race()
        let worker = Task {
            do {
                try await work()
                race.finish(.success(()))
            } catch {
                race.finish(.failure(error))
            }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            race.finish(.failure(Overdue()))
        }
        defer {
            timer.cancel()
            worker.cancel()
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { race.wait($0) }
        } onCancel: {
            race.finish(.failure(CancellationError()))
        }
    }

    /// The first result counts.
    private final class Race: Sendable {
        private enum State {
            case running(CheckedContinuation<Void, any Error>?)
            case over(Result<Void, any Error>)
        }
        private let state = Locked(State.running(nil))

        func wait(_ continuation: CheckedContinuation<Void, any Error>) {
            let result: Result<Void, any Error>? = state.withLock { state in
                if case .over(let result) = state { return result }
                state = .running(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }

        func finish(_ result: Result<Void, any Error>) {
            let waiter: CheckedContinuation<Void, any Error>? = state.withLock { state in
                guard case .running(let waiter) = state else { return nil }
                state = .over(result)
                return waiter
            }
            waiter?.resume(with: result)
        }
    }
}
