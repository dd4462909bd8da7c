import HTTPCore
import HTTPRetry

/// One retry operator: submits the decisions of a closure to HTTPRetry's engine, with a separate
/// allowance.
struct Retrying: HTTPClientMiddleware {
    typealias Decide = @Sendable (RetryAttempt) async throws -> RetryDecision

    /// The operator's identity in every call.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let maxRetries: Int
    private let delay: Duration
    /// `true` if a closure looks at each failure. Its decision about an answer of the server is a
    /// permission to repeat the request; a number is none.
    private let isDecision: Bool
    private let decide: Decide

    init(maxRetries: Int, delay: Duration, isDecision: Bool, decide: @escaping Decide) {
        self.maxRetries = max(0, maxRetries)
        self.delay = delay
        self.isDecision = isDecision
        self.decide = decide
    }

    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        try Task.checkCancellation()
        var engine = RetryEngine(request)
        do {
            while true {
                var outcome = try await next.attempt(request)
                engine.attemptEnded(&outcome)
                guard case .failure(let error) = outcome else { return try outcome.get() }
                var attempt = engine.context(request, outcome)
                attempt.index = engine.call.draws(on: ObjectIdentifier(identity))
                attempt.maxRetries = maxRetries
                switch try await decision(about: attempt, outcome, engine) {
                case .retry: break
                case .retryWithRequest(let replacement): request = replacement.replacing(request)
                case .drop:
                    report(.dropped, on: attempt, engine.call)
                    throw error
                case .dropWithReason(let reason):
                    report(.dropped, on: attempt, engine.call)
                    throw attempt.dropped(for: reason, outcome)
                }
                guard try await isGranted(attempt, outcome, &request, &engine, next) else {
                    throw error
                }
            }
        } catch {
            throw engine.concluded(error)
        }
    }

    private func decision(
        about attempt: RetryAttempt, _ outcome: HTTPOutcome, _ engine: RetryEngine
    ) async throws -> RetryDecision {
        do {
            return try await decide(attempt)
        } catch {
            throw engine.reason(of: error, outcome)
        }
    }

    /// Waits until the retry may be sent; returns `false` if it may not.
    private func isGranted(
        _ attempt: RetryAttempt, _ outcome: HTTPOutcome, _ request: inout HTTPRequest,
        _ engine: inout RetryEngine, _ next: any HTTPSession
    ) async throws -> Bool {
        // Not passed to the engine: its refusals would be final for the operators outside this one,
        // too.
        guard attempt.index < maxRetries else {
            report(.retriesUsedUp, on: attempt, engine.call)
            engine.note(.retriesUsedUp)
            return false
        }
        let retry = RetryRequest(
            .policy, delay: delay,
            allowance: .own(ObjectIdentifier(identity), limit: maxRetries),
            mayRepeat: isDecision && attempt.end.isAnswer)
        switch try await engine.decide(retry, about: outcome, for: &request, over: next) {
        case .granted: return true
        case .refused: return false
        }
    }

    private func report(
        _ refusal: HTTPRetryEvent.Refusal, on attempt: RetryAttempt, _ call: HTTPCall
    ) {
        call.record(
            HTTPRetryEvent(
                .policy, .refused(refusal), attempt: attempt.number, cause: attempt.end.cause))
    }
}
