import HTTPCore

/// Work with a time limit. When the time is over, the work is cancelled, but not waited for.
enum TimeLimited {
    struct Overdue: Error {}

    /// - Throws: the error of `work`, ``Overdue``, or `CancellationError` as soon as the calling
    ///   task is cancelled.
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

    /// A race of results, of which the first counts.
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
