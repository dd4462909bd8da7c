import HTTPCore
import HTTPCredentials
import HTTPRetry

/// The common part of the validators that refresh credentials. See
/// ``/HTTPCredentials/SharedRefresh``.
struct RefreshRule<Fresh: Sendable>: Sendable {
    typealias Work = @Sendable (HTTPRequest, HTTPCall, any HTTPSession) async throws -> Fresh

    /// The allowance of attempts that were sent before the last refresh: they cost none.
    private final class Overtaken: Sendable {}

    let statuses: Set<HTTPStatus>
    let errors: Set<HTTPError.Code>
    /// The refreshes per call.
    let maximum: Int
    /// The wait between a refresh and the next attempt.
    let delay: Duration
    let refresh: SharedRefresh<Fresh>
    /// Changes each request that is sent again.
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
        self.refresh = SharedRefresh(limit: limit) { HTTPError.refreshFailed($0) }
        self.prepare = prepare
    }

    func willSend(_ request: inout HTTPRequest) {
        request[RefreshEpochs.self][ObjectIdentifier(refresh)] = refresh.epoch
    }

    /// Returns the verdict on an outcome.
    ///
    /// - Parameter work: Returns the work of a refresh, or `nil` if it cannot help this outcome. It
    ///   is not called if the call cannot be sent again.
    func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt, _ work: () async throws -> Work?
    ) async throws -> HTTPVerdict {
        // Validators that refresh do not judge the calls of a refresh.
        guard applies(to: outcome), attempt.request.refreshOwner == nil else { return .next }
        let (refresh, prepare) = (refresh, prepare)
        let epoch = attempt.request[RefreshEpochs.self][ObjectIdentifier(refresh)]
        switch refresh.result(forSentIn: epoch) {
        case .failure(let error)?:
            return .fail(error)
        case .success(let fresh)?:
            var retry = retry(of: attempt, countedBy: overtaken, limit: 1, after: .zero)
            retry.work = { request, _, _ in try await prepare?(&request, fresh) }
            return .repair(HTTPRepair(retry: retry))
        case nil:
            var retry = retry(of: attempt, countedBy: refresh, limit: maximum, after: delay)
            // If the engine refuses, it says why: the work is not needed.
            if attempt.refusal(of: retry) == nil {
                guard let work = try await work() else { return .next }
                retry.work = { [self] request, call, next in
                    let original = request
                    do {
                        let fresh = try await refresh.value(sentIn: epoch, for: call) {
                            try await work(original, call, next)
                        }
                        try await prepare?(&request, fresh)
                    } catch let error as HTTPError where isOneOfSeveralRounds(error, call) {}
                }
            }
            return .repair(HTTPRepair(retry: retry))
        }
    }

    /// Returns whether another refresh may follow one that the service refused, with the same
    /// status as the original. The original is then sent again unchanged.
    private func isOneOfSeveralRounds(_ error: HTTPError, _ call: HTTPCall) -> Bool {
        guard error.code == .refreshFailed, let cause = error.underlyingError as? HTTPError,
            let status = cause.response?.status
        else { return false }
        return statuses.contains(status)
            && call.draws(on: ObjectIdentifier(refresh)) < maximum
    }

    private func applies(to outcome: HTTPOutcome) -> Bool {
        switch outcome {
        case .success(let response): statuses.contains(response.status)
        case .failure(let error as HTTPError): errors.contains(error.code)
        case .failure: false
        }
    }

    private func retry(
        of attempt: RetryAttempt, countedBy counter: AnyObject, limit: Int, after delay: Duration
    ) -> RetryRequest {
        // A server that refuses credentials has not done what it was asked: sending again is
        // harmless. A failure without an answer does not say that.
        RetryRequest(
            .verdict, delay: delay,
            allowance: .own(ObjectIdentifier(counter), limit: max(0, limit)),
            mayRepeat: attempt.end.isAnswer)
    }
}

/// The refresh epochs at the time the attempt was sent.
enum RefreshEpochs: HTTPRequestOption {
    static var defaultValue: [ObjectIdentifier: Int] { [:] }
}
