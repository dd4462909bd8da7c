package import HTTPCore

/// The one law for refreshes that several calls share, such as those of credentials.
///
/// - One refresh runs at a time, as a ``SharedFlight``. A call that needs it joins it and waits
///   with its own deadline and cancellation. If all calls leave before its end, it is cancelled and
///   does not count.
/// - The end of a refresh, good or bad, begins an epoch. An attempt of an epoch that is over starts
///   no refresh: it is sent again with the new value, or fails with the refresh. See
///   ``RefreshLedger``.
/// - Requests of a refresh start no other refresh. See ``RefreshScope``.
///
/// The caller limits how many refreshes a call may have. Credentials are renewed by
/// `RefreshingAuthentication` in HTTPMiddleware and by validators that refresh (`RefreshRule` in
/// HTTPValidation).
package final class SharedRefresh<Value: Sendable>: Sendable {
    private struct State {
        var ledger = RefreshLedger<Value>()
        var flight: SharedFlight<Value>?
        /// The number of the last flight.
        var number = 0

        /// Joins the flight under way, or returns the end of the last one.
        func entry(forSentIn epoch: Int?) -> Entry? {
            if let flight, let waiter = flight.join() { return .joined(flight, waiter) }
            return ledger.result(forSentIn: epoch).map(Entry.over)
        }
    }

    private enum Entry {
        case joined(SharedFlight<Value>, Waiter<Value>?)
        case over(Result<Value, any Error>)
    }

    private let limit: Duration?
    private let failure: @Sendable (any Error) -> any Error
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: The time that the work may take, or `nil` if it ends by itself.
    ///   - failure: Returns the error to throw for an error of the work.
    package init(
        limit: Duration? = nil, failure: @escaping @Sendable (any Error) -> any Error
    ) {
        self.limit = limit
        self.failure = failure
    }

    package var epoch: Int { state.withLock { $0.ledger.epoch } }

    /// Returns the end of the last refresh for an attempt whose epoch is over, or `nil` if the
    /// attempt has to join or start a refresh.
    package func result(forSentIn epoch: Int?) -> Result<Value, any Error>? {
        state.withLock { $0.flight == nil ? $0.ledger.result(forSentIn: epoch) : nil }
    }

    /// Forgets what has been refreshed, and the refresh that is under way, for later callers.
    package func invalidate() {
        state.withLock { state in
            state.ledger.end(with: nil)
            state.flight = nil
        }
    }

    /// Returns the value of the refresh under way, of one that has ended since `epoch`, or of a new
    /// one.
    ///
    /// - Parameter epoch: The epoch at the time the attempt was sent, or `nil` if it was not sent.
    /// - Throws: The failure of the work; `CancellationError`; `timedOut` at the deadline of
    ///   `call`.
    package func value(
        sentIn epoch: Int?, for call: HTTPCall,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let known = state.withLock { $0.entry(forSentIn: epoch) }
        if case .over(let result)? = known { return try result.get() }
        return try await call.reportingRefresh {
            switch known ?? joinOrStart(epoch, on: call.clock, work) {
            case .over(let result): return try result.get()
            case .joined(_, nil): throw CancellationError()  // a new flight has room
            case .joined(let flight, let waiter?):
                return try await flight.value(at: waiter, for: call)
            }
        }
    }

    private func joinOrStart(
        _ epoch: Int?, on clock: any HTTPClock, _ work: @escaping @Sendable () async throws -> Value
    ) -> Entry {
        state.withLock { state in
            if let entry = state.entry(forSentIn: epoch) { return entry }
            state.number += 1
            let number = state.number
            let flight = SharedFlight<Value>(
                whenEnded: { self.forget(number) }, { try await self.run(work, number, clock) })
            state.flight = flight
            return .joined(flight, flight.join())
        }
    }

    private func run(
        _ work: @escaping @Sendable () async throws -> Value, _ number: Int,
        _ clock: any HTTPClock
    ) async throws -> Value {
        do {
            let value = try await RefreshScope.$owner.withValue(ObjectIdentifier(self)) {
                try await result(of: work, on: clock)
            }
            end(.success(value), number)
            return value
        } catch {
            if Task.isCancelled { throw CancellationError() }  // no call waits any more
            let error = failure(error)
            end(.failure(error), number)
            throw error
        }
    }

    private func result(
        of work: @escaping @Sendable () async throws -> Value, on clock: any HTTPClock
    ) async throws -> Value {
        guard let limit else { return try await work() }
        let (result, isLate) = await limited(until: clock.now + limit, on: clock, work)
        guard isLate else { return try result.get() }
        throw HTTPError(
            .timedOut, "refreshing took longer than its limit of \(limit.readable)",
            mayHaveReachedServer: false)
    }

    /// Begins an epoch. No call joins a refresh that has ended.
    private func end(_ result: Result<Value, any Error>, _ number: Int) {
        state.withLock { state in
            guard state.number == number, state.flight != nil else { return }
            state.ledger.end(with: result)
            state.flight = nil
        }
    }

    private func forget(_ number: Int) {
        state.withLock { if $0.number == number { $0.flight = nil } }
    }
}

extension HTTPCall {
    /// Reports to the observer that the call waits for new credentials while `body` runs, and then
    /// how the wait ended.
    fileprivate func reportingRefresh<Result>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        report(.layer(HTTPCredentialEvent.refreshing))
        do {
            let result = try await body()
            report(.layer(HTTPCredentialEvent.refreshed(nil)))
            return result
        } catch {
            report(.layer(HTTPCredentialEvent.refreshed(error)))
            throw error
        }
    }
}
