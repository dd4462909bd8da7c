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
