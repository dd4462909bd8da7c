/// Work that serves several calls, done once: a refresh of credentials, a coalesced request.
///
/// It runs in a task of its own, with no caller's deadline, cancellation or executor, and with
/// nothing of its first caller's but the ``RefreshScope``. Each waiter has its own deadline and
/// cancellation; the last one to leave cancels the work.
package final class SharedFlight<Value: Sendable>: Sendable {
    /// A place among the waiters, taken before waiting so that nobody else's leaving ends the flight.
    package struct Seat: Sendable {
        fileprivate let number: Int
    }

    private enum Occupant {
        /// Has joined and does not wait yet.
        case boarding
        case waiting(CheckedContinuation<Value, any Error>)
        /// Was put off before it began to wait.
        case left(any Error)
    }

    private enum Stage {
        case ready
        case flying(Task<Void, Never>)
        case landed(Result<Value, any Error>)
        /// Everybody has left.
        case abandoned
    }

    private struct State {
        var stage = Stage.ready
        var seats: [Int: Occupant] = [:]
        var lastSeat = 0

        /// How many still want the value.
        var isEmpty: Bool {
            seats.values.allSatisfy { if case .left = $0 { true } else { false } }
        }
    }

    private let operation: @Sendable () async throws -> Value
    private let ended: @Sendable () -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - ended: called once, when nobody can join any more.
    ///   - operation: started by the first to join.
    package init(
        whenEnded ended: @escaping @Sendable () -> Void = {},
        _ operation: @escaping @Sendable () async throws -> Value
    ) {
        self.operation = operation
        self.ended = ended
    }

    /// How many have joined and not left.
    package var seatCount: Int { state.withLock { $0.seats.count } }

    /// Whether nobody can join any more.
    package var hasEnded: Bool {
        state.withLock {
            switch $0.stage {
            case .ready, .flying: false
            case .landed, .abandoned: true
            }
        }
    }

    /// Takes a seat, or answers `nil` once the flight has landed or been abandoned. Whoever takes one
    /// waits on it.
    package func join() -> Seat? {
        state.withLock { state in
            switch state.stage {
            case .landed, .abandoned: return nil
            case .flying: break
            case .ready:
                let owner = RefreshScope.owner
                state.stage = .flying(
                    Task.detached {
                        await RefreshScope.$owner.withValue(owner) { await self.fly() }
                    })
            }
            state.lastSeat += 1
            state.seats[state.lastSeat] = .boarding
            return Seat(number: state.lastSeat)
        }
    }

    /// Waits for the landing.
    ///
    /// - Parameter call: whose deadline the wait ends with.
    /// - Throws: what the work threw; `CancellationError` as soon as the calling task is cancelled;
    ///   `timedOut` at the deadline.
    package func value(at seat: Seat, for call: HTTPCall? = nil) async throws -> Value {
        let timer = call.flatMap { call in
            call.deadline.map { deadline in
                Task {
                    try await call.clock.sleep(until: deadline)
                    leave(seat, throwing: call.deadlineError(phase: .preparing))
                }
            }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    switch (state.seats.removeValue(forKey: seat.number), state.stage) {
                    case (.left(let error), _): return .failure(error)
                    case (_, .landed(let result)): return result
                    case (.boarding, .flying):
                        state.seats[seat.number] = .waiting(continuation)
                        return nil
                    default: return .failure(CancellationError())
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            leave(seat, throwing: CancellationError())
        }
    }

    private func fly() async {
        let result: Result<Value, any Error>
        do {
            result = .success(try await operation())
        } catch {
            result = .failure(error)
        }
        let occupants: [Occupant] = state.withLock { state in
            guard case .flying = state.stage else { return [] }
            state.stage = .landed(result)
            let occupants = Array(state.seats.values)
            state.seats = state.seats.filter {
                if case .waiting = $0.value { false } else { true }
            }
            return occupants
        }
        guard !occupants.isEmpty else { return }
        ended()
        for case .waiting(let continuation) in occupants { continuation.resume(with: result) }
    }

    private func leave(_ seat: Seat, throwing error: any Error) {
        let (waiter, task): (CheckedContinuation<Value, any Error>?, Task<Void, Never>?) =
            state.withLock { state in
                guard case .flying(let task) = state.stage, let occupant = state.seats[seat.number]
                else { return (nil, nil) }
                var waiter: CheckedContinuation<Value, any Error>?
                switch occupant {
                case .left: return (nil, nil)
                case .boarding: state.seats[seat.number] = .left(error)
                case .waiting(let continuation):
                    waiter = continuation
                    state.seats.removeValue(forKey: seat.number)
                }
                guard state.isEmpty else { return (waiter, nil) }
                state.stage = .abandoned
                return (waiter, task)
            }
        if let task {
            ended()
            task.cancel()
        }
        waiter?.resume(throwing: error)
    }
}

/// Flights by what they are for: whoever asks while one is under way joins it.
package final class SharedFlights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let flights = Locked([Key: SharedFlight<Value>]())

    package init() {}

    /// How many are under way.
    package var count: Int { flights.withLock { $0.count } }

    /// The value of the flight under way for `key`, or of a new one.
    ///
    /// - Parameters:
    ///   - call: whose deadline ends this wait, not the work.
    ///   - limit: how long calls that the work makes may take, on `call`'s clock.
    /// - Throws: as ``SharedFlight/value(at:for:)``.
    package func value(
        for key: Key, call: HTTPCall? = nil, limit: Duration? = nil,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let clock = call?.clock ?? .system
        typealias Flight = SharedFlight<Value>
        let (flight, seat): (Flight, Flight.Seat?) = flights.withLock { flights in
            if let flight = flights[key], let seat = flight.join() { return (flight, seat) }
            let flight = Flight(
                whenEnded: { [weak self] in self?.removeEnded(key) },
                {
                    guard let limit else { return try await operation() }
                    return try await HTTPDeadline.within(limit, clock: clock, operation)
                })
            flights[key] = flight
            return (flight, flight.join())
        }
        guard let seat else { throw CancellationError() }  // a new flight has room
        return try await flight.value(at: seat, for: call)
    }

    /// The flight of that key may be another one by now.
    private func removeEnded(_ key: Key) {
        flights.withLock { flights in
            if flights[key]?.hasEnded == true { flights.removeValue(forKey: key) }
        }
    }
}
