import HTTPCore

/// Work with a time limit. When the time is over, the work is cancelled, but not waited for.
enum TimeLimited {
    struct Overdue: Error {}

    /// - Throws: the error of `work`, ``Overdue``, or `CancellationError` as soon as the calling
    ///   task is cancelled.
    static func run(
        within limit: Duration, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let race = Waiter<Void>()
        let worker = Task {
            do {
                try await work()
                race.resume(with: .success(()))
            } catch {
                race.resume(with: .failure(error))
            }
        }
        // On real time: the work waits for a transport's real input and output.
        let timer = Task {
            try await Task.sleep(for: limit)
            race.resume(with: .failure(Overdue()))
        }
        defer {
            timer.cancel()
            worker.cancel()
        }
        try await race.value()
    }
}
