/// The error of work that took longer than its limit.
package struct LimitExceeded: Error {
    package init() {}
}

/// Returns the result of `work`, or throws ``LimitExceeded`` once a time has passed, also if the
/// work goes on and heeds no cancellation.
///
/// The work runs in a task of its own, without the deadline of the calling task. It is not
/// cancelled: what it brings about may matter to others. For work of foreign code that a policy
/// must not wait for, such as that of a store.
///
/// - Parameters:
///   - limit: The longest wait.
///   - late: Receives a value that came too late.
/// - Throws: The error of the work, or ``LimitExceeded``.
package func bounded<Value: Sendable>(
    by limit: Duration, on clock: any HTTPClock,
    late: @escaping @Sendable (Value) async -> Void = { _ in },
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let waiter = Waiter<Value>()
    Task.detached {
        do {
            let value = try await work()
            if !waiter.resume(with: .success(value)) { await late(value) }
        } catch {
            waiter.resume(with: .failure(error))
        }
    }
    let timer = Task.detached {
        try await clock.sleep(for: limit)
        waiter.resume(with: .failure(LimitExceeded()))
    }
    defer { timer.cancel() }
    return try await waiter.outcome().get()
}

/// Returns how `work` ends, which is cancelled at a deadline.
///
/// The work is waited for even then, so that nothing of it is left: it has to heed cancellation.
/// The caller uses what it returns late, or releases it. If the calling task is cancelled, so is
/// the work, and its end is not late. An error of the clock ends the work, and is the result.
///
/// For work of a caller that has a limit: an attempt of a call, a refresh, the rest of a body. Work
/// that must not be waited for is ``bounded(by:on:late:_:)``.
package func limited<Value: Sendable>(
    until deadline: HTTPInstant, on clock: any HTTPClock,
    _ work: @escaping @Sendable () async throws -> Value
) async -> (result: Result<Value, any Error>, isLate: Bool) {
    await withTaskGroup(of: Result<Value, any Error>?.self) { group in
        group.addTask {
            do { return .success(try await work()) } catch { return .failure(error) }
        }
        group.addTask {
            do { try await clock.sleep(until: deadline) } catch {
                // A sleep also ends with the task. Every other error is the clock's own.
                return error is CancellationError ? nil : .failure(error)
            }
            return nil
        }
        let first = await group.next() ?? nil
        let isLate = first == nil && !Task.isCancelled
        group.cancelAll()
        let last = await group.next() ?? nil
        return (first ?? last ?? .failure(CancellationError()), isLate)
    }
}
