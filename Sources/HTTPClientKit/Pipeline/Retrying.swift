import HTTPCore
import HTTPRetry

/// A retry operator, whose closure asks HTTPRetry's engine for retries out of an allowance of its own.
struct Retrying: HTTPClientMiddleware {
    typealias Decide = @Sendable (RetryAttempt) async throws -> RetryDecision

    /// The identity of the operator in all calls.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let maxRetries: Int
    private let delay: Duration
    /// `true` if a refused retry is a failure of its own.
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

    /// Asks for a retry. Returns the reason if there is none.
    private func refusal(
        of attempt: RetryAttempt, _ outcome: HTTPOutcome,
        _ request: inout HTTPRequest, _ engine: inout RetryEngine, _ next: any HTTPSession
    ) async throws -> HTTPRetryDecision.Refusal? {
        // The engine's refusals are final for the operators outside of this one, too.
        guard attempt.index < maxRetries else {
            report(.retriesUsedUp, on: attempt, engine.call)
            return .retriesUsedUp
        }
        let retry = RetryRequest(
            .policy, delay: delay,
            allowance: .own(ObjectIdentifier(identity), limit: maxRetries), isHarmless: true)
        switch try await engine.decide(retry, about: outcome, for: &request, over: next) {
        case .granted: return nil
        case .refused(let refusal): return refusal
        }
    }

    private func report(
        _ refusal: HTTPRetryDecision.Refusal, on attempt: RetryAttempt, _ call: HTTPCall
    ) {
        call.ruled(
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
