import HTTPCore

/// Refreshes credentials for whoever needs it, once at a time.
///
/// The work runs in a task of its own; a waiter that leaves, or whose deadline passes, leaves the others
/// alone.
final class SharedRefresh<Fresh: Sendable>: Sendable {
    /// What the work threw, as opposed to what ended one waiter's wait.
    private struct WorkFailure: Error {
        var cause: any Error
    }

    private struct State {
        var ledger = RefreshLedger<Fresh>()
        var flight: SharedFlight<Fresh>?
        /// Of the flight.
        var number = 0
    }

    private enum Boarding {
        case wait(SharedFlight<Fresh>, Waiter<Fresh>?)
        case landed(Fresh)
        case failed(any Error)
    }

    private let limit: Duration
    private let state = Locked(State())

    /// - Parameter limit: how long the work may take.
    init(limit: Duration) { self.limit = limit }

    var epoch: Int { state.withLock { $0.ledger.epoch } }

    func advice(forSentIn epoch: Int?) -> RefreshLedger<Fresh>.Advice {
        state.withLock { $0.flight == nil ? $0.ledger.advice(forSentIn: epoch) : .refresh }
    }

    /// What the refresh under way comes to, or one that has ended since `epoch`, or a new one.
    ///
    /// - Throws: `refreshFailed` with what the work threw; `CancellationError`, and `timedOut` at the
    ///   deadline of `call`.
    func fresh(
        sentIn epoch: Int?, for call: HTTPCall,
        _ work: @escaping @Sendable () async throws -> Fresh
    ) async throws -> Fresh {
        let boarding: Boarding = state.withLock { state in
            if let flight = state.flight, let seat = flight.join() { return .wait(flight, seat) }
            switch state.ledger.advice(forSentIn: epoch) {
            case .refresh: break
            case .sendAgain(let fresh): return .landed(fresh)
            case .fail(let error): return .failed(error)
            }
            state.number += 1
            let number = state.number
            let flight = SharedFlight<Fresh>(
                whenEnded: { self.forget(number) },
                { try await self.run(work, number, call.clock) })
            state.flight = flight
            return .wait(flight, flight.join())
        }
        switch boarding {
        case .landed(let fresh): return fresh
        case .failed(let error): throw HTTPError.refreshFailed(error)
        case .wait(_, nil): throw CancellationError()  // a new flight has room
        case .wait(let flight, let seat?):
            return try await call.reportingRefresh {
                do {
                    return try await flight.value(at: seat, for: call)
                } catch let failure as WorkFailure {
                    throw HTTPError.refreshFailed(failure.cause)
                }
            }
        }
    }

    private func run(
        _ work: @escaping @Sendable () async throws -> Fresh, _ number: Int,
        _ clock: any HTTPClock
    ) async throws -> Fresh {
        do {
            let fresh = try await limited(work, on: clock)
            end(.success(fresh), number)
            return fresh
        } catch {
            if Task.isCancelled { throw CancellationError() }  // everybody has left
            end(.failure(error), number)
            throw WorkFailure(cause: error)
        }
    }

    private func limited(
        _ work: @escaping @Sendable () async throws -> Fresh, on clock: any HTTPClock
    ) async throws -> Fresh {
        try await withThrowingTaskGroup(of: Fresh?.self) { [limit] group in
            group.addTask { try await work() }
            group.addTask {
                try await clock.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            guard let fresh = try await group.next() ?? nil else {
                throw HTTPError(.timedOut, "refreshing took longer than its limit of \(limit)")
            }
            return fresh
        }
    }

    /// Nobody joins a refresh that has ended, and all who were sent before know how.
    private func end(_ result: Result<Fresh, any Error>, _ number: Int) {
        state.withLock { state in
            guard state.number == number else { return }
            state.ledger.ended(result)
            state.flight = nil
        }
    }

    private func forget(_ number: Int) {
        state.withLock { if $0.number == number { $0.flight = nil } }
    }
}

/// In which epochs of which refreshes an attempt was sent.
enum RefreshEpochs: HTTPRequestOption {
    static var defaultValue: [ObjectIdentifier: Int] { [:] }
}
