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
    /// `true` if a retry that is not granted is a failure of its own.
    private let isDemand: Bool
    private let decide: Decide

    init(maxRetries: Int, delay: Duration, isDemand: Bool, decide: @escaping Decide) {
        self.maxRetries = max(0, maxRetries)
        self.delay = delay
        self.isDemand = isDemand
        self.decide = decide
    }

    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        var engine = try RetryEngine(&request)
        while true {
            var outcome = try await next.attempt(request)
            engine.attemptEnded(&outcome)
            guard case .failure(let error) = outcome else { return try outcome.get() }
            var attempt = engine.context(request, outcome)
            attempt.index = engine.draws(on: ObjectIdentifier(identity))
            attempt.maxRetries = maxRetries
            switch try await decision(about: attempt, engine) {
            case .retry: break
            case .retryWithRequest(let replacement): request = replacement.replacing(request)
            case .drop:
                report(.dropped, on: attempt, engine.call)
                throw error
            case .dropWithReason(let reason):
                report(.dropped, on: attempt, engine.call)
                throw attempt.dropped(for: reason)
            }
            if let refusal = try await refusal(of: attempt, outcome, &request, &engine, next) {
                throw isDemand ? engine.unmet(refusal, outcome) : error.noting(refusal)
            }
        }
    }

    private func decision(
        about attempt: RetryAttempt, _ engine: RetryEngine
    ) async throws -> RetryDecision {
        do {
            return try await decide(attempt)
        } catch {
            throw engine.reason(of: error, attempt.end)
        }
    }

    /// Waits until the retry may be sent; returns the refusal if it may not.
    private func refusal(
        of attempt: RetryAttempt, _ outcome: HTTPOutcome,
        _ request: inout HTTPRequest, _ engine: inout RetryEngine, _ next: any HTTPSession
    ) async throws -> HTTPRetryDecision.Refusal? {
        // Not passed to the engine: its refusals would be final for the operators outside this one,
        // too.
        guard attempt.index < maxRetries else {
            report(.retriesUsedUp, on: attempt, engine.call)
            return .retriesUsedUp
        }
        let retry = RetryRequest(
            .policy, delay: delay,
            allowance: .own(ObjectIdentifier(identity), limit: maxRetries), mayRepeat: true)
        switch try await engine.decide(retry, about: outcome, for: &request, over: next) {
        case .granted: return nil
        case .refused(let refusal): return refusal
        }
    }

    private func report(
        _ refusal: HTTPRetryDecision.Refusal, on attempt: RetryAttempt, _ call: HTTPCall
    ) {
        call.record(
            HTTPRetryDecision(
                .policy, .refused(refusal), attempt: attempt.number, cause: attempt.end.cause))
    }
}

extension Error {
    fileprivate func noting(_ refusal: HTTPRetryDecision.Refusal) -> any Error {
        guard let error = self as? HTTPError, refusal != .retriesUsedUp else { return self }
        return error.noting("not sent again: \(refusal)", timeline: nil)
    }
}
