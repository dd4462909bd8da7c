public import HTTPCore

/// Sends again what failed, as a policy wishes and the call's ledger grants.
///
/// Made for a place outside authentication and limits, inside redirects and validation: runs per call
/// and hop, around their attempts. What is refused is handed back as it came: a response as that
/// response, an error as that error with the reason in its sentence. Every ruling is an event, and in
/// the timeline.
///
/// Under `.buffered` delivery a body cut short is a failed attempt; under `.streamed` an attempt
/// ends with the head. Cancelling ends a wait at once, and nothing is sent any more. Verdicts of
/// validators draw on the budget, too, also where the policy sends nothing again.
public struct Retry: HTTPClientMiddleware {
    private let policy: RetryPolicy
    private let budget: RetryBudget?
    private let hedging: Hedging?
    /// Whether nobody below prepares requests.
    private let isPreparing: Bool

    private let isActive: Bool
    private let passesSuccess: Bool
    private let terms: RetryTerms

    /// - Parameter budget: one of its own serves all calls through this middleware; `nil` for none.
    public init(
        _ policy: RetryPolicy = .standard, budget: RetryBudget? = RetryBudget(),
        hedging: Hedging? = nil
    ) {
        self.init(policy, budget: budget, hedging: hedging, preparing: true)
    }

    /// - Parameter isPreparing: `false` where a layer below prepares the request anew for each attempt.
    package init(
        _ policy: RetryPolicy, budget: RetryBudget?, hedging: Hedging?, preparing isPreparing: Bool
    ) {
        self.policy = policy
        self.budget = budget
        self.hedging = hedging
        self.isPreparing = isPreparing
        isActive = policy.isActive || hedging != nil
        passesSuccess = policy.passesSuccess
        terms = RetryTerms(limit: isActive ? policy.maxRetries : nil, budget: budget)
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard !request.isAlternative, isActive || budget != nil else {
            return try await next.response(for: request)
        }
        let request = try request.beginningCall()
        guard isActive else {
            register(request)
            return try await next.response(for: request)
        }
        guard try isAlone(with: request) else { return try await send(request, next) }
        let outcome: HTTPOutcome
        do {
            let sent =
                isPreparing && request.mayNeedPreparing ? try request.prepared() : request
            var response = try await next.response(for: sent)
            if let limit = response.limitOfRest(for: sent) {
                response = try await response.buffered(upTo: limit)
            }
            if passes(response) { return response }
            outcome = .success(response)
        } catch let error as CancellationError {
            throw error
        } catch {
            outcome = .failure(error)
        }
        return try await send(request, next, after: outcome)
    }

    /// Whether nobody else has a say in the call's retries: its first attempt is then made without an
    /// engine, whose books most calls never open. Counts the call.
    private func isAlone(with request: HTTPRequest) throws -> Bool {
        guard hedging == nil, request.isOneAttempt, let call = request.call,
            call.keep(terms) === terms
        else { return false }
        guard !Task.isCancelled else { throw CancellationError() }
        budget?.recordCall(to: call.origin(of: request), at: call.clock.now)
        return true
    }

    /// Counts a call that the policy says nothing of, and has verdicts draw on its budget.
    private func register(_ request: HTTPRequest) {
        guard let call = request.call else { return }
        var isFirst = call.keep(terms) === terms
        if !isFirst {
            isFirst = RetryBooks.of(call).withLedger { ledger in
                ledger.register(limit: terms.limit, budget: budget)
                return ledger.attempt == 1
            }
        }
        if isFirst { budget?.recordCall(to: call.origin(of: request), at: call.clock.now) }
    }

    private func passes(_ response: HTTPResponse) -> Bool {
        policy.passes(response, isSuccessPassed: passesSuccess)
    }

    /// - Parameter first: of the first attempt, where that has been made.
    private func send(
        _ request: HTTPRequest, _ next: any HTTPSession, after first: HTTPOutcome? = nil
    ) async throws -> HTTPResponse {
        var (request, first) = (request, first)
        var engine = try RetryEngine(
            &request, next: next, maxRetries: policy.maxRetries, budget: budget,
            isAttempted: first != nil)
        while true {
            let outcome =
                if let first = first.take() {
                    first
                } else {
                    try await engine.attempt(
                        request, through: session(around: next, engine), preparing: isPreparing)
                }
            if case .success(let response) = outcome, passes(response) { return response }
            let attempt = engine.context(request, outcome)
            let wish: RetryPolicy.Wish
            do {
                wish = try await policy.wish(for: attempt)
            } catch {
                throw engine.reason(of: error, attempt.end)
            }
            switch wish {
            case .none: return engine.streamed(try outcome.get(), attempt, policy)
            case .drop(let error, let refusal):
                engine.close(refusal, about: outcome, request)
                throw error
            case .retry(let replacement, let isDemand):
                if let replacement { request = replacement.joining(engine.call) }
                switch try await engine.ask(
                    policy.petition(for: attempt), about: outcome, for: &request)
                {
                case .granted: continue
                case .refused(let refusal):
                    if isDemand { throw engine.unmet(refusal, outcome) }
                    return try engine.handBack(outcome, refusal)
                }
            }
        }
    }

    private func session(around next: any HTTPSession, _ engine: RetryEngine) -> any HTTPSession {
        guard let hedging else { return next }
        return HedgedSession(next: next, hedging: hedging, engine: engine, policy: policy)
    }
}
