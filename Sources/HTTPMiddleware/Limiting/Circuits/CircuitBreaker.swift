public import HTTPCore

/// The meaning of an exchange's end for its circuit. See ``CircuitBreaker``.
public enum HTTPCircuitOutcome: Hashable, Sendable {
    /// The server works.
    case success
    /// The server does not work.
    case failure
    /// Nothing: the request was not sent, or was cancelled.
    case ignored

    /// Returns the usual outcome of a response head or an error.
    ///
    /// Statuses of 500 and above are failures, except 501 and 505, and 503 with `Retry-After`, for
    /// which there is ``OriginPause``. An error is a failure if the request may have reached the
    /// server, or if it ended on the way there: no name, no connection, no TLS, or none of them in
    /// time. So is an error of any other type than `HTTPError`. Refusals and faults of this client,
    /// limits that pass while the request waits for its turn, and cancellation are ignored.
    public static func standard(_ end: Result<HTTPResponse.Head, any Error>) -> Self {
        switch end {
        case .success(let head):
            if head.status.code < 500 || [501, 505].contains(head.status.code) { return .success }
            if head.status == .serviceUnavailable, head.headers.contains(.retryAfter) {
                return .ignored
            }
            return .failure
        case .failure(is CancellationError): return .ignored
        case .failure(let error as HTTPError):
            if faultsOfClient.contains(error.code) { return .ignored }
            let hasNoWay =
                couldNotConnect.contains(error.code)
                || error.code == .timedOut && error.endedOnTheWay
            return hasNoWay || !error.reachedNoServer ? .failure : .ignored
        case .failure: return .failure
        }
    }

    private static let couldNotConnect: Set<HTTPError.Code> = [
        .nameNotResolved, .cannotConnect, .proxyFailed, .tlsFailed, .serverNotTrusted,
    ]

    /// The errors that end a request on the server's side of the connection, though the server is
    /// not their cause.
    private static let faultsOfClient: Set<HTTPError.Code> = [
        .requestBodyFailed, .requestBodyEnded, .bodyTooLarge, .fileNotWritten, .sessionClosed,
    ]
}

/// A circuit breaker for each origin: when too many requests fail or are slow, requests fail at
/// once for a time, and then a few are sent as probes.
///
/// - **Closed**: requests are sent, and their results are counted over a sliding window. If enough
///   have been counted and the rate of failures or of slow calls reaches its limit, the circuit
///   opens.
/// - **Open**: requests fail with `circuitOpen`; `retryAfter` of the error says when probes are
///   sent. The time doubles each time the probes fail.
/// - **Half-open**: as many requests as there are probes are sent. If all succeed, the circuit
///   closes; if one fails or is slow, it opens again.
///
/// An exchange counts once, at the head of its response; if its body then fails, it becomes a
/// failure. A call is slow if its head takes longer than `slowAfter`. Time in which the request
/// waits for other limits does not count.
///
/// Runs once per exchange (row 10), innermost, so that each attempt of a retried call counts once
/// and a refused attempt does not count at all. `circuitOpen` is no error that a policy retries by
/// itself. Put the ``gate`` outside the other limits: a request then fails before it waits for
/// them. A client does both. Copies share their circuits. Circuits belong to one process: each sees
/// the server from its own place.
public struct CircuitBreaker: HTTPClientMiddleware {
    private final class Shared: Sendable {
        struct State {
            var machines: [String: CircuitMachine] = [:]
            var refused = 0
            /// The number of keys above which the idle ones are dropped.
            var limit = 64
        }

        let limits: CircuitMachine.Limits
        let jitter: Double
        private let state = Locked(State())

        init(_ limits: CircuitMachine.Limits, _ jitter: Double) {
            self.limits = limits
            self.jitter = jitter
        }

        var factor: Double {
            jitter > 0 ? .random(in: (1 - jitter)...(1 + jitter)) : 1
        }

        var refusedCount: Int { state.withLock { $0.refused } }
        func countRefusal() { state.withLock { $0.refused += 1 } }
        var states: [String: HTTPCircuitState] { state.withLock { $0.machines.mapValues(\.shown) } }

        /// Changes a circuit. Returns its new state if that has changed.
        func change<Result: Sendable>(
            _ key: String, at now: HTTPInstant, _ body: (inout CircuitMachine) -> Result
        ) -> (result: Result, changed: HTTPCircuitState?) {
            state.withLock { state in
                if state.machines[key] == nil { prune(&state, at: now) }
                let before = state.machines[key]?.shown ?? .closed
                let result = body(&state.machines[key, default: CircuitMachine(limits)])
                let after = state.machines[key]?.shown ?? .closed
                return (result, after == before ? nil : after)
            }
        }

        private func prune(_ state: inout State, at now: HTTPInstant) {
            guard state.machines.count >= state.limit else { return }
            state.machines = state.machines.filter { !$0.value.isIdle(at: now) }
            state.limit = max(64, state.machines.count * 2)
        }
    }

    private let shared: Shared
    private let slowAfter: Duration
    private let key: HTTPLimitKey
    private let outcome: @Sendable (Result<HTTPResponse.Head, any Error>) -> HTTPCircuitOutcome

    /// - Parameters:
    ///   - failureRate: The part of the calls in the window that fail, from 0 to 1, at which the
    ///     circuit opens.
    ///   - slowRate: The part of the calls in the window that are slow, from 0 to 1, at which the
    ///     circuit opens.
    ///   - slowAfter: The time to the head of the response after which a call is slow.
    ///   - window: The time over which calls are counted.
    ///   - minimum: The calls in the window without which the circuit stays closed.
    ///   - openTime: The time for which the circuit opens. It doubles each time the probes fail.
    ///   - longestOpenTime: The longest such time.
    ///   - probes: The number of probes, which must all succeed. If they have no result within
    ///     `openTime` or `slowAfter`, the longer of both, the circuit opens again.
    ///   - jitter: The part by which the open time varies at random, so that the processes of a
    ///     fleet do not send their probes at once.
    ///   - key: The rule by which requests have a circuit together.
    ///   - outcome: Returns what the end of an exchange says about the server.
    public init(
        failureRate: Double = 0.5, slowRate: Double = 0.8, slowAfter: Duration = .seconds(10),
        window: Duration = .seconds(10), minimum: Int = 20, openTime: Duration = .seconds(5),
        longestOpenTime: Duration = .seconds(60), probes: Int = 3, jitter: Double = 0.2,
        key: HTTPLimitKey = .origin,
        outcome:
            @escaping @Sendable (Result<HTTPResponse.Head, any Error>) -> HTTPCircuitOutcome = {
                .standard($0)
            }
    ) {
        let openTime = max(.milliseconds(1), openTime)
        let limits = CircuitMachine.Limits(
            failureRate: failureRate > 0 ? failureRate : 1e-9,
            slowRate: slowRate > 0 ? slowRate : 1e-9, window: max(.milliseconds(10), window),
            minimum: max(1, minimum), openTime: openTime,
            longestOpenTime: max(openTime, longestOpenTime), probes: max(1, probes),
            probeTime: max(openTime, slowAfter))
        shared = Shared(limits, jitter > 0 ? min(jitter, 0.9) : 0)
        self.slowAfter = slowAfter
        self.key = key
        self.outcome = outcome
    }

    /// The states of the circuits, by their key, such as `http://example.com`. A circuit that is
    /// closed and has no calls may be missing.
    public var states: [String: HTTPCircuitState] { shared.states }
    /// The number of requests that were refused.
    public var refused: Int { shared.refusedCount }

    /// A middleware that refuses requests while their circuit is open, for a place outside other
    /// limits.
    public var gate: any HTTPClientMiddleware { Gate(breaker: self) }

    private struct Gate: HTTPClientMiddleware {
        let breaker: CircuitBreaker

        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            if let key = try breaker.key.value(request) {
                let call = request.currentCall
                let now = call.clock.now
                let refusal = breaker.shared.change(key, at: now) { machine -> Duration? in
                    guard !machine.mayPass(at: now) else { return nil }
                    guard case .refused(let wait) = machine.admit(at: now, jitter: 1)
                    else { return nil }
                    return wait
                }
                breaker.report(refusal.changed, key, call)
                if let wait = refusal.result { throw breaker.error(key, wait, request) }
            }
            return try await next.response(for: request)
        }
    }

    /// - Throws: `circuitOpen` before anything is sent.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard let key = try key.value(request) else {
            return try await next.response(for: request)
        }
        let call = request.currentCall
        let start = call.clock.now
        let factor = shared.factor
        let admission = shared.change(key, at: start) { $0.admit(at: start, jitter: factor) }
        report(admission.changed, key, call)
        guard case .passed(let ticket) = admission.result else {
            if case .refused(let wait) = admission.result { throw error(key, wait, request) }
            return try await next.response(for: request)
        }
        let response: HTTPResponse
        do {
            response = try await next.response(for: request)
        } catch {
            record(.failure(error), ticket, key, start, call)
            throw error
        }
        let isSuccess = record(.success(response.head), ticket, key, start, call) == .success
        if isSuccess {
            response.body.whenEnded { [self] end in
                guard case .failed(let error) = end, outcome(.failure(error)) == .failure
                else { return }
                let now = call.clock.now
                let factor = shared.factor
                let change = shared.change(key, at: now) {
                    $0.correct(ticket, at: now, jitter: factor)
                }
                report(change.changed, key, call)
            }
        }
        return response
    }

    @discardableResult
    private func record(
        _ end: Result<HTTPResponse.Head, any Error>, _ ticket: CircuitMachine.Ticket,
        _ key: String, _ start: HTTPInstant, _ call: HTTPCall
    ) -> HTTPCircuitOutcome {
        let outcome = outcome(end)
        let now = call.clock.now
        let factor = shared.factor
        let isSlow = now - start > slowAfter
        let change = shared.change(key, at: now) { machine in
            machine.record(
                ticket, isFailure: outcome == .ignored ? nil : outcome == .failure, isSlow: isSlow,
                at: now, jitter: factor)
        }
        report(change.changed, key, call)
        return outcome
    }

    private func report(_ state: HTTPCircuitState?, _ key: String, _ call: HTTPCall) {
        if let state { call.report(.layer(HTTPLimitEvent.circuitChanged(key, state))) }
    }

    private func error(_ key: String, _ wait: Duration, _ request: HTTPRequest) -> HTTPError {
        shared.countRefusal()
        return HTTPError(
            .circuitOpen,
            "too many requests to the server failed or were slow: the next one is sent in "
                + "\(wait.readable) at the earliest",
            phase: .queued, isRetryable: true, retryAfter: wait
        ).ending(request)
    }
}
