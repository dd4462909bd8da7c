import HTTPCore
import HTTPRetry

/// What the validators have in common that refresh credentials: when, how often, and what is said.
struct RefreshRule<Fresh: Sendable>: Sendable {
    typealias Work = @Sendable (HTTPRequest, RetryEngine, any HTTPSession) async throws -> Fresh

    /// What attempts that were overtaken by a refresh are counted against: they cost none.
    private final class Overtaken: Sendable {}

    let statuses: Set<HTTPStatus>
    let errors: Set<HTTPError.Code>
    /// Refreshes per call.
    let maximum: Int
    /// Between a refresh and the next attempt.
    let delay: Duration
    let refresh: SharedRefresh<Fresh>
    /// Run for each call that is sent again.
    let prepare: (@Sendable (inout HTTPRequest, Fresh) async throws -> Void)?
    private let overtaken = Overtaken()

    init(
        statuses: Set<HTTPStatus>, errors: Set<HTTPError.Code> = [], maximum: Int,
        delay: Duration, limit: Duration,
        prepare: (@Sendable (inout HTTPRequest, Fresh) async throws -> Void)?
    ) {
        self.statuses = statuses
        self.errors = errors
        self.maximum = maximum
        self.delay = delay
        self.refresh = SharedRefresh(limit: limit)
        self.prepare = prepare
    }

    func willSend(_ request: inout HTTPRequest) {
        request[RefreshEpochs.self][ObjectIdentifier(refresh)] = refresh.epoch
    }

    /// - Parameter work: what a refresh does, or `nil` if it cannot help this outcome. Not asked
    ///   where the call could not be sent again.
    func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt, _ work: () async throws -> Work?
    ) async throws -> HTTPVerdict {
        // A call that a refresh makes is judged without those that refresh.
        guard applies(to: outcome), attempt.request.refreshOwner == nil else { return .next }
        let (refresh, prepare) = (refresh, prepare)
        let epoch = attempt.request[RefreshEpochs.self][ObjectIdentifier(refresh)]
        switch refresh.advice(forSentIn: epoch) {
        case .fail(let cause):
            return .fail(HTTPError.refreshFailed(cause))
        case .sendAgain(let fresh):
            var retry = retry(countedBy: overtaken, limit: 1, after: .zero)
            retry.work = { request, _, _ in try await prepare?(&request, fresh) }
            return .repair(HTTPRepair(retry: retry))
        case .refresh:
            var retry = retry(countedBy: refresh, limit: maximum, after: delay)
            // What would be refused is put to the engine as it is, which says why.
            if attempt.refusal(of: retry) == nil {
                guard let work = try await work() else { return .next }
                retry.work = { [self] request, engine, next in
                    let original = request
                    do {
                        let fresh = try await refresh.fresh(sentIn: epoch, for: engine.call) {
                            try await work(original, engine, next)
                        }
                        try await prepare?(&request, fresh)
                    } catch let error as HTTPError where isOneOfSeveralRounds(error, engine) {}
                }
            }
            return .repair(HTTPRepair(retry: retry))
        }
    }

    /// Returns whether a refresh that was refused itself, as the original was, may be made once
    /// more: the original is then sent again as it is.
    private func isOneOfSeveralRounds(_ error: HTTPError, _ engine: RetryEngine) -> Bool {
        guard error.code == .refreshFailed, let cause = error.underlyingError as? HTTPError,
            let status = cause.response?.status
        else { return false }
        return statuses.contains(status)
            && engine.draws(on: ObjectIdentifier(refresh)) < maximum
    }

    private func applies(to outcome: HTTPOutcome) -> Bool {
        switch outcome {
        case .success(let response): statuses.contains(response.status)
        case .failure(let error as HTTPError): errors.contains(error.code)
        case .failure: false
        }
    }

    private func retry(
        countedBy counter: AnyObject, limit: Int, after delay: Duration
    ) -> RetryRequest {
        // A server that refuses credentials has not done what it was asked: sending again is harmless.
        RetryRequest(
            .verdict, delay: delay,
            allowance: .own(ObjectIdentifier(counter), limit: max(0, limit)), isHarmless: true)
    }
}
