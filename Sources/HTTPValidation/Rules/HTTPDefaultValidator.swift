public import HTTPCore
public import HTTPRetry

/// What most callers mean by a response: no 4xx, no 5xx.
///
/// In this order: a status of 400 or above is sent again if it is in ``retriableStatuses``, else a
/// failure (`unexpectedStatus`); a failure in ``retriableErrors`` is sent again at once; a response
/// without content is a failure (`emptyResponse`) unless ``allowsEmptyResponses``. A 304 and a redirect
/// that nobody followed are responses.
///
/// It asks for another attempt only where the call may be sent again at all
/// (``HTTPCore/HTTPRequest/maxRetries``): otherwise the call fails with what happened.
public struct HTTPDefaultValidator: HTTPValidator {
    /// Says in the rules' place what an outcome is; `nil` leaves it to them.
    public typealias Rule =
        @Sendable (_ outcome: HTTPOutcome, _ attempt: RetryAttempt) async throws -> HTTPVerdict?

    /// Error statuses, and how long to wait; the server's `Retry-After` counts if it is longer.
    public var retriableStatuses: [HTTPStatus: Duration] = [.tooManyRequests: .seconds(3)]
    /// Sent again at once. A call's own deadline is never one of them, though it is a `timedOut`.
    public var retriableErrors: Set<HTTPError.Code> = [
        .timedOut, .nameNotResolved, .cannotConnect, .connectionLost, .bodyIncomplete,
    ]
    /// Otherwise content is asked of every response that may have any: not of an answer to HEAD, not of
    /// 1xx, 204, 205 and 304. A body of unknown length is waited for until its first byte.
    public var allowsEmptyResponses = true
    /// Asked first.
    public var rule: Rule?

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
            return mayRetry && isRetriable(error) ? .retry(.immediate) : .next
        case .success(let response) where response.status.isError:
            guard mayRetry, let delay = retriableStatuses[response.status] else {
                return .fail(HTTPError.unexpectedStatus(response.head))
            }
            return .retry(.delayed(delay))
        case .success(let response):
            guard !allowsEmptyResponses, response.mayHaveContent else { return .next }
            let (isEmpty, response) = try await response.peeking()
            guard isEmpty else { return .nextWithResponse(response) }
            return .fail(
                HTTPError(
                    .emptyResponse, "the response has no content", mayHaveReachedServer: true,
                    response: response.head))
        }
    }

    private func isRetriable(_ error: any Error) -> Bool {
        guard let error = error as? HTTPError else { return false }
        return retriableErrors.contains(error.code) && error.timer?.name != .deadline
    }
}
