/// Work that serves several calls and is done once: a refresh of credentials, a coalesced request.
///
/// The work runs in a task of its own, without any caller's deadline, cancellation or executor; of
/// its first caller it keeps only the ``RefreshScope``. Each waiter has its own deadline and
/// cancellation. When the last waiter leaves, the work is cancelled.
package final class SharedFlight<Value: Sendable>: Sendable {
    private enum Stage {
        case ready
        case flying(Task<Void, Never>)
        /// The work has ended, or every waiter has left.
        case ended
    }

    private struct State {
        var stage = Stage.ready
        var waiters: [Waiter<Value>] = []
    }

    private let operation: @Sendable () async throws -> Value
    private let ended: @Sendable () -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - ended: called once, when no call can join any more.
    ///   - operation: the work, started when the first call joins.
    package init(
        whenEnded ended: @escaping @Sendable () -> Void = {},
        _ operation: @escaping @Sendable () async throws -> Value
    ) {
        self.operation = operation
        self.ended = ended
    }

    /// The number of calls that have joined and not left.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// `true` once no call can join any more.
    package var hasEnded: Bool {
        state.withLock {
            if case .ended = $0.stage { true } else { false }
        }
    }

    /// Joins the flight before waiting, so that another waiter's leaving does not end it.
    ///
    /// - Returns: the waiter to pass to ``value(at:for:)``, or `nil` once the flight has ended.
    package func join() -> Waiter<Value>? {
        state.withLock { state in
            switch state.stage {
            case .ended: return nil
            case .flying: break
            case .ready:
                let owner = RefreshScope.owner
                state.stage = .flying(
                    Task.detached {
                        await RefreshScope.$owner.withValue(owner) { await self.fly() }
                    })
            }
            let waiter = Waiter<Value>()
            state.waiters.append(waiter)
            return waiter
        }
    }

    /// Waits for the result of the work.
    ///
    /// - Parameter call: the call whose deadline ends this wait.
    /// - Throws: the error of the work; `CancellationError` as soon as the calling task is
    ///   cancelled; `timedOut` at the deadline.
    package func value(at waiter: Waiter<Value>, for call: HTTPCall? = nil) async throws -> Value {
        let timer = call.flatMap { call in
            call.deadline.map { deadline in
                Task {
                    try await call.clock.sleep(until: deadline)
                    leave(waiter, throwing: call.deadlineError(phase: .preparing))
                }
            }
        }
        defer { timer?.cancel() }
        return try await waiter.value { self.leave($0, throwing: CancellationError()) }
    }

    private func fly() async {
        let result: Result<Value, any Error>
        do {
            result = .success(try await operation())
        } catch {
            result = .failure(error)
        }
        let waiters: [Waiter<Value>]? = state.withLock { state in
            guard case .flying = state.stage else { return nil }
            state.stage = .ended
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return }
        ended()
        for waiter in waiters { waiter.resume(with: result) }
    }

    private func leave(_ waiter: Waiter<Value>, throwing error: any Error) {
        let (isWaiting, task): (Bool, Task<Void, Never>?) = state.withLock { state in
            guard case .flying(let task) = state.stage,
                let index = state.waiters.firstIndex(where: { $0 === waiter })
            else { return (false, nil) }
            state.waiters.remove(at: index)
            guard state.waiters.isEmpty else { return (true, nil) }
            state.stage = .ended
            return (true, task)
        }
        if let task {
            ended()
            task.cancel()
        }
        if isWaiting { waiter.resume(with: .failure(error)) }
    }
}

/// The flights under way, by key: a call that asks for the same key joins the flight.
package final class SharedFlights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let flights = Locked([Key: SharedFlight<Value>]())

    package init() {}

    /// The number of flights under way.
    package var count: Int { flights.withLock { $0.count } }

    /// The value of the flight under way for `key`, or of a new one.
    ///
    /// - Parameters:
    ///   - call: the call whose deadline ends this wait, but not the work.
    ///   - limit: the time that calls made by the work may take, on the clock of `call`.
    /// - Throws: the same errors as ``SharedFlight/value(at:for:)``.
    package func value(
        for key: Key, call: HTTPCall? = nil, limit: Duration? = nil,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let clock = call?.clock ?? .system
        typealias Flight = SharedFlight<Value>
        let (flight, waiter): (Flight, Waiter<Value>?) = flights.withLock { flights in
            if let flight = flights[key], let waiter = flight.join() { return (flight, waiter) }
            let flight = Flight(
                whenEnded: { [weak self] in self?.removeEnded(key) },
                {
                    guard let limit else { return try await operation() }
                    return try await HTTPDeadline.within(limit, clock: clock, operation)
                })
            flights[key] = flight
            return (flight, flight.join())
        }
        guard let waiter else { throw CancellationError() }  // never: a new flight can be joined
        return try await flight.value(at: waiter, for: call)
    }

    /// Removes the flight of that key, unless a new one has taken its place.
    private func removeEnded(_ key: Key) {
        flights.withLock { flights in
            if flights[key]?.hasEnded == true { flights.removeValue(forKey: key) }
        }
    }
}
