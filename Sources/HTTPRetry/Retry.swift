public import HTTPCore

/// Sends a call again after a failure, if its policy asks for that and the call's ledger grants it.
///
/// Place it inside redirects and validation, outside authentication and limits. It runs once per
/// call and hop (row 8), around their attempts. If a retry is refused, the outcome is handed back
/// as it is: a response as that response, an error as that error, whose message says how many
/// attempts there were and why there was no other.
/// Each decision is an event and is part of the timeline.
///
/// Under `.buffered` delivery, a truncated body is a failed attempt; under `.streamed`, an attempt
/// ends with the head. Cancellation ends a wait at once, and nothing is sent after it. Verdicts of
/// validators draw on the budget, too, even if the policy sends nothing again.
public struct Retry: HTTPClientMiddleware {
    private let policy: RetryPolicy
    private let hedging: Hedging?
    private let limits: RetryLimits
    /// `true` if no layer below prepares requests.
    private let isPreparing: Bool

    private let isActive: Bool
    private let passesSuccess: Bool

    /// - Parameters:
    ///   - policy: The policy.
    ///   - budget: The budget of all calls through this middleware, or `nil` for none.
    ///   - hedging: A second request for a late response; `nil` for none.
    public init(
        _ policy: RetryPolicy = .standard, budget: RetryBudget? = RetryBudget(),
        hedging: Hedging? = nil
    ) {
        self.init(policy, budget: budget, hedging: hedging, preparing: true)
    }

    /// - Parameter isPreparing: `false` if a layer below prepares the request for each attempt.
    package init(
        _ policy: RetryPolicy, budget: RetryBudget?, hedging: Hedging?, preparing isPreparing: Bool
    ) {
        self.policy = policy
        self.hedging = hedging
        self.isPreparing = isPreparing
        isActive = policy.isActive || hedging != nil
        passesSuccess = policy.passesSuccess
        limits = RetryLimits(maxRetries: isActive ? policy.maxRetries : nil, budget: budget)
    }

    @inline(__always)
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard !request.isAlternative, isActive || limits.budget != nil else {
            return try await next.response(for: request)
        }
        guard isActive else {
            request.currentCall.register(limits, for: request)
            return try await next.response(for: request)
        }
        var request = request
        try Task.checkCancellation()
        var engine = RetryEngine(request, limits: limits)
        do {
            while true {
                let sender: any HTTPSession =
                    if let hedging {
                        HedgedSession(next: next, hedging: hedging, engine: engine, policy: policy)
                    } else {
                        next
                    }
                var outcome = try await sender.attempt(request, preparing: isPreparing)
                engine.attemptEnded(&outcome)
                if case .success(let response) = outcome,
                    policy.passes(response, isSuccessPassed: passesSuccess)
                {
                    return response
                }
                if let response = try await response(to: outcome, of: &request, &engine, next) {
                    return response
                }
            }
        } catch {
            throw engine.concluded(error)
        }
    }

    /// Returns the response to hand back for `outcome`, or `nil` if the request is to be sent
    /// again.
    private func response(
        to outcome: HTTPOutcome, of request: inout HTTPRequest, _ engine: inout RetryEngine,
        _ next: any HTTPSession
    ) async throws -> HTTPResponse? {
        let attempt = engine.context(request, outcome)
        switch try await decision(about: attempt, outcome, engine) {
        case nil:
            guard policy.isRefused(attempt) else {
                return engine.streamed(try outcome.get(), attempt, policy)
            }
            engine.refuse(attempt, .notIdempotent, request)
            return try outcome.get()
        case .retry: break
        case .retryWithRequest(let replacement): request = replacement.joining(engine.call)
        case .drop:
            engine.drop(attempt, request)
            return try outcome.get()
        case .dropWithReason(let reason):
            engine.drop(attempt, request)
            throw attempt.dropped(for: reason, outcome)
        }
        let retry = policy.retry(attempt)
        switch try await engine.decide(retry, about: outcome, for: &request, over: next) {
        case .granted: return nil
        case .refused: return try outcome.get()
        }
    }

    private func decision(
        about attempt: RetryAttempt, _ outcome: HTTPOutcome, _ engine: RetryEngine
    ) async throws -> RetryDecision? {
        do {
            return try await policy.decision(about: attempt)
        } catch {
            throw engine.reason(of: error, outcome)
        }
    }
}
