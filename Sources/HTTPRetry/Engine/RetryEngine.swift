package import HTTPCore
import HTTPFormats

/// The engine that sends calls again, for the middleware ``Retry`` and for the verdicts of
/// validators. It carries out what ``RetryMachine`` decides.
///
/// Each `intercept` has one, and all engines of a call share its ledger. An engine whose attempts
/// are accepted opens no ledger. For a request without options, it may be made after the first
/// attempt.
///
/// ```swift
/// guard !request.isAlternative else { return try await next.response(for: request) }
/// var request = request
/// try Task.checkCancellation()
/// var engine = RetryEngine(request)
/// do {
///     while true {
///         var outcome = try await next.attempt(request)  // cancellation is thrown
///         engine.attemptEnded(&outcome)
///         guard let strategy = … else { return try outcome.get() }
///         let retry = RetryRequest(verdict: strategy, for: engine.context(request, outcome))
///         switch try await engine.decide(retry, about: outcome, for: &request, over: next) {
///         case .granted: continue  // the response is gone, the work done, the wait over
///         case .refused: return try outcome.get()  // the outcome is as it was
///         }
///     }
/// } catch {
///     throw engine.concluded(error)
/// }
/// ```
package struct RetryEngine: Sendable {
    package let call: HTTPCall
    private let budget: RetryBudget?
    private var machine = RetryMachine()
    /// The heads of the responses after which the call was sent again.
    private var history: [HTTPResponse.Head] = []
    /// `true` if an attempt before the last one may have reached a server.
    private var hasReachedServer = false

    /// Creates an engine without limits of its own for a first attempt.
    package init(_ request: HTTPRequest) { self.init(request, limits: nil) }

    /// Creates an engine for a first attempt, and registers its limits.
    ///
    /// - Parameter limits: The limits if the request has none. Without a budget, the engine draws
    ///   on the one that another layer has registered.
    init(_ request: HTTPRequest, limits: RetryLimits?) {
        call = request.currentCall
        budget = limits?.budget
        if request.hasOptions, let own = request.maxRetries {
            call.register(RetryLimits(maxRetries: own, budget: budget), for: request)
        } else if let limits {
            call.register(limits, for: request)
        }
    }

    /// Takes note of the end of an attempt. The response gets the heads of those before it.
    package mutating func attemptEnded(_ outcome: inout HTTPOutcome) {
        machine.attemptEnded()
        guard !history.isEmpty, case .success(var response) = outcome else { return }
        response.history = history + response.history
        outcome = .success(response)
    }

    /// Returns what strategies and validators are told about an attempt.
    package func context(_ request: HTTPRequest, _ outcome: HTTPOutcome) -> RetryAttempt {
        let end = RetryAttempt.End(outcome)
        let attempt = call.withRetryLedger {
            RetryAttempt(
                request, index: $0.retries, maxRetries: $0.maxRetries, end: end,
                previous: $0.previous, workFailure: $0.workFailure)
        }
        return attempt.asking { [self] retry in
            let (retry, facts) = (completed(retry, after: end, request), facts(request))
            return call.withRetryLedger { machine.refusal(of: retry, facts, $0) }
        }
    }

    /// Decides on `retry` and carries out a grant: discards the response, does the work and waits.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; `sessionClosed` as soon as
    ///   the session is closed; `retryFailed` if the work throws; `timedOut` if the work or the
    ///   wait reaches the deadline.
    package mutating func decide(
        _ retry: RetryRequest, about outcome: HTTPOutcome, for request: inout HTTPRequest,
        over next: any HTTPSession
    ) async throws -> HTTPRetryEvent.Outcome {
        let end = RetryAttempt.End(outcome)
        let retry = completed(retry, after: end, request)
        var decision = HTTPRetryEvent(
            retry.source, .granted(delay: retry.wait()),
            attempt: call.withRetryLedger { $0.attempt }, cause: end.cause)
        var action = handle(.asked(retry, facts(request)), request)
        switch action {
        case .refuse(let refusal):
            decision.outcome = .refused(refusal)
            report(decision, request)
            return decision.outcome
        case .stop:
            if case .success(let response) = outcome { response.body.abandon() }
            throw CancellationError()
        default:
            report(decision, request)
        }
        while true {
            switch action {
            case .discard:
                if case .success(let response) = outcome {
                    history = response.history + [response.head]
                    await response.discard()
                }
                try refuseIfClosed(next, request, end)
                action = handle(.discarded(facts(request)), request)
            case .work:
                call.recordWork(failing: nil)
                do {
                    try await RefreshScope.$owner.withValue(ObjectIdentifier(call)) {
                        try await retry.work?(&request, call, next)
                    }
                } catch {
                    _ = handle(.stopped, request)
                    throw reason(of: error, outcome)
                }
                request = request.joining(call)
                try refuseIfClosed(next, request, end)
                action = handle(.worked(facts(request)), request)
            case .wait(let until):
                do {
                    try await call.wait(
                        until: until, over: next, hasReachedServer: end.mayHaveReachedServer)
                } catch {
                    _ = handle(.stopped, request)
                    throw error
                }
                action = handle(.waited(facts(request)), request)
            case .send:
                call.withRetryLedger { $0.remember(end) }
                hasReachedServer = hasReachedServer || end.mayHaveReachedServer
                return decision.outcome
            case .refuse(let refusal):
                // The deadline passed during the work: the response is gone.
                decision.outcome = .refused(refusal)
                report(decision, request)
                throw call.deadlineError(
                    phase: .preparing, hasReachedServer: end.mayHaveReachedServer)
            case .stop:
                throw CancellationError()
            }
        }
    }

    /// - Throws: `sessionClosed` if the session is closed. What the retry has taken from the limits
    ///   is given back.
    private mutating func refuseIfClosed(
        _ session: any HTTPSession, _ request: HTTPRequest, _ end: RetryAttempt.End
    ) throws {
        guard call.closing(over: session)?.isClosed == true else { return }
        _ = handle(.stopped, request)
        throw Closing.error.havingReachedServer(end.mayHaveReachedServer)
    }

    /// Decides about one more send while an attempt is under way.
    func hedge(_ request: HTTPRequest, after delay: Duration) -> Bool {
        var facts = facts(request)
        facts.canBeSent = request.body.replay == .always
        let retry = RetryRequest(.hedge, delay: .zero, mayRepeat: true)
        let attempt = call.withRetryLedger { $0.attempt }
        let refusal = withLedger(request) { machine.hedge(retry, facts, &$0, &$1) }
        let answer = refusal.map(HTTPRetryEvent.Outcome.refused) ?? .granted(delay: delay)
        report(
            HTTPRetryEvent(.hedge, answer, attempt: attempt, cause: "slow answer"), request)
        return refusal == nil
    }

    /// Ends the call after an attempt that its policy drops: no layer gets another attempt.
    func drop(_ attempt: RetryAttempt, _ request: HTTPRequest) {
        call.withRetryLedger { $0.close(.dropped) }
        refuse(attempt, .dropped, request)
    }

    /// Reports that the policy does not send the request again. Other layers may ask.
    func refuse(
        _ attempt: RetryAttempt, _ refusal: HTTPRetryEvent.Refusal, _ request: HTTPRequest
    ) {
        if refusal != .dropped { call.withRetryLedger { $0.note(refusal) } }
        report(
            HTTPRetryEvent(
                .policy, .refused(refusal), attempt: call.withRetryLedger { $0.attempt },
                cause: attempt.end.cause), request)
    }
}

// MARK: - Failures

extension RetryEngine {
    /// Takes note of a retry that a layer with a count of its own does not ask for, for the call's
    /// error.
    package func note(_ refusal: HTTPRetryEvent.Refusal) {
        call.withRetryLedger { $0.note(refusal) }
    }

    /// Returns the error that ends the call: that of the last attempt, with a note on the attempts
    /// if another one was wanted and refused.
    ///
    /// Every engine's layer passes what it throws through this. The error speaks for all attempts:
    /// it may have reached the server if one of them may have.
    package func concluded(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError else { return error }
        let whole = error.havingReachedServer(hasReachedServer)
        // The message of a dropped call is the reason of the closure that dropped it.
        guard error.code != .retryDropped, let note = call.withRetryLedger({ $0.note })
        else { return whole }
        return whole.noting(note, timeline: call.timeline)
    }

    /// Returns the error to throw for `error`, which a decision about a retry or the work before
    /// one threw: `retryFailed`, but cancellation and the call's own deadline as they are.
    package func reason(of error: any Error, _ outcome: HTTPOutcome) -> any Error {
        let end = RetryAttempt.End(outcome)
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        if let error = error as? HTTPError, error.timer?.name == .deadline,
            let deadline = call.deadline, call.clock.now >= deadline
        {
            return error.havingReachedServer(end.mayHaveReachedServer)
        }
        return HTTPError(
            .retryFailed, "after \(end.cause), what was to come before another attempt has failed",
            mayHaveReachedServer: end.mayHaveReachedServer, response: end.head,
            underlyingError: RetryFailure(thrown: error, original: end)
        ).keeping(bodyPrefix: outcome.bodyPrefix).noting(timeline: call.timeline)
    }
}

// MARK: - The machine's input

extension RetryEngine {
    private mutating func handle(
        _ event: RetryMachine.Event, _ request: HTTPRequest
    ) -> RetryMachine.Action {
        var machine = machine
        defer { self.machine = machine }
        return withLedger(request) { machine.handle(event, &$0, &$1) }
    }

    /// Runs `body` on the ledger and, if there is a budget, on its window for the request's origin.
    private func withLedger<Result: Sendable>(
        _ request: HTTPRequest,
        _ body: (inout RetryLedger, inout RetryBudgetWindow?) -> Result
    ) -> Result {
        guard let budget = budget ?? call.withRetryLedger({ $0.budget }) else {
            return call.withRetryLedger {
                var none: RetryBudgetWindow?
                return body(&$0, &none)
            }
        }
        let origin = call.origin(of: request)
        let now = call.clock.now  // foreign code: outside the locks
        return call.withRetryLedger { ledger in
            budget.withWindow(for: origin, at: now) { body(&ledger, &$0) }
        }
    }

    private func facts(_ request: HTTPRequest) -> RetryMachine.Facts {
        let earlier = call.withRetryLedger { ($0.earlierSends, $0.earlierResends) }
        let silent = call.silentResends - earlier.1
        return RetryMachine.Facts(
            now: call.clock.now, deadline: request.deadline, sends: call.sends - earlier.0 + silent,
            silentResends: silent, canBeSent: request.body.canBeSent,
            isCancelled: Task.isCancelled, isInRefresh: request.refreshOwner != nil)
    }

    /// Returns `retry` with what the response and the request say about it.
    private func completed(
        _ retry: RetryRequest, after end: RetryAttempt.End, _ request: HTTPRequest
    ) -> RetryRequest {
        var retry = retry
        if let head = end.head {
            retry.retryAfter = head.headers.retryDelay(now: call.clock.date)
        } else if let error = end.error as? HTTPError {
            retry.retryAfter = error.retryAfter
        }
        retry.mayRepeat = retry.mayRepeat || request.mayRepeat(after: end)
        return retry
    }

    private func report(_ decision: HTTPRetryEvent, _ request: HTTPRequest) {
        let now = call.clock.now
        var decision = decision
        decision.budgetLeft = withLedger(request) { $1?.numbers(at: now).left }
        call.record(decision)
    }
}

extension HTTPCall {
    func origin(of request: HTTPRequest) -> HTTPOrigin {
        (try? request.origin()) ?? origin
    }

    /// The number of sends that libraries below the transports made on their own.
    var silentResends: Int { timeline.exchanges.reduce(0) { $0 + $1.silentResends } }
}
