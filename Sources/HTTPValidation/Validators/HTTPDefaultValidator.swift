public import HTTPCore
public import HTTPRetry

/// The validator of most callers: 4xx and 5xx are failures.
///
/// In this order: a call with a status of 400 or above is sent again if the status is in
/// ``retriableStatuses``, else it fails (`unexpectedStatus`); a call with a failure in
/// ``retriableErrors`` is sent again at once; a response without content is a failure
/// (`emptyResponse`) unless ``allowsEmptyResponses``. A 304 and a redirect that was not followed
/// are responses.
///
/// It asks for another attempt only if the call has retries (``/HTTPCore/HTTPRequest/maxRetries``).
/// If it gets none, the call fails with its last outcome. After a failure, a request that may have
/// reached the server is sent again only if that does no harm, or if it is
/// ``/HTTPCore/HTTPRequest/repeatable()``.
public struct HTTPDefaultValidator: HTTPValidator {
    /// Returns the verdict on an outcome, or `nil` to leave it to the other rules.
    public typealias Rule =
        @Sendable (_ outcome: HTTPOutcome, _ attempt: RetryAttempt) async throws -> HTTPVerdict?

    /// The statuses that are sent again, and the wait. The server's `Retry-After` applies if it is
    /// longer.
    public var retriableStatuses: [HTTPStatus: Duration] = [.tooManyRequests: .seconds(3)]
    /// The failures that are sent again at once. A call's own deadline is never one of them, though
    /// it is a `timedOut`; `tlsFailed` and `proxyFailed` only if the error is `isRetryable`.
    public var retriableErrors: Set<HTTPError.Code> = [
        .timedOut, .nameNotResolved, .cannotConnect, .proxyFailed, .tlsFailed, .connectionLost,
        .bodyIncomplete,
    ]
    /// `false` if every response that may have content must have some; a response to HEAD and 1xx,
    /// 204, 205 and 304 may not. If the length is unknown, the validator waits for the first byte.
    public var allowsEmptyResponses = true
    /// The rule that is called first.
    package var rule: Rule?

    /// Creates the validator. `rule` is asked first; where it returns `nil`, the other rules
    /// decide.
    public init(rule: Rule? = nil) { self.rule = rule }

    public func accepts(_ status: HTTPStatus) -> Bool {
        rule == nil && allowsEmptyResponses && !status.isError
    }

    public func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        if let verdict = try await rule?(outcome, attempt) { return verdict }
        let mayRetry = attempt.maxRetries > 0
        switch outcome {
        case .failure(let error):
            guard mayRetry, let error = error as? HTTPError, error.isIncluded(in: retriableErrors)
            else { return .next }
            return .retry(.immediate)
        case .success(let response) where response.status.isError:
            guard mayRetry, let delay = retriableStatuses[response.status] else {
                return .fail(HTTPError.unexpectedStatus(response.head))
            }
            return .retry(.delayed(delay))
        case .success(let response):
            guard !allowsEmptyResponses, response.mayHaveContent else { return .next }
            response.body.permitReading()
            let (isEmpty, response) = try await response.peeking()
            guard isEmpty else { return .nextWithResponse(response) }
            return .fail(
                HTTPError(
                    .emptyResponse, "the response has no content", mayHaveReachedServer: true,
                    response: response.head))
        }
    }
}
