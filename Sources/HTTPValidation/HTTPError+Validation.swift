public import HTTPCore
import HTTPRetry
package import PortableFoundation

extension HTTPError.Code {
    /// The status is not accepted.
    public static var unexpectedStatus: Self { Self(rawValue: "unexpectedStatus") }
    /// A validator does not accept the outcome; its error is `underlyingError`.
    public static var validationFailed: Self { Self(rawValue: "validationFailed") }
    /// The status is successful, and the body is the service's error. See
    /// ``/HTTPValidation/HTTPAnswer``.
    public static var errorResponse: Self { Self(rawValue: "errorResponse") }
}

extension HTTPError {
    /// Returns the error of a response whose status is not accepted. Another attempt may succeed if
    /// the status is one that `RetryPolicy.standard` retries.
    package static func unexpectedStatus(
        _ head: HTTPResponse.Head, _ message: String? = nil, phase: Phase? = nil, body: Data? = nil
    ) -> HTTPError {
        HTTPError(
            .unexpectedStatus, message ?? "Unexpected status code: \(head.status.code)",
            phase: phase, isRetryable: RetryPolicy.standard.statuses.contains(head.status),
            mayHaveReachedServer: true, response: head, body: body)
    }

    /// Returns the error of a response for which a validator wants another attempt, and gets none.
    static func unmet(_ retry: RetryRequest, _ head: HTTPResponse.Head) -> HTTPError {
        // A repair, such as a login, would be needed again.
        let mayAnotherSucceed = retry.allowance == .retries
        guard head.status.isSuccessful else {
            return unexpectedStatus(head).retryable(mayAnotherSucceed)
        }
        return HTTPError(
            .validationFailed, "a validator wants another attempt after this \(head.status.code)",
            isRetryable: mayAnotherSucceed, mayHaveReachedServer: true, response: head)
    }

    static func refreshFailed(_ cause: any Error) -> HTTPError {
        HTTPError(
            .refreshFailed, "credentials could not be refreshed: \(cause.nameForLogs)",
            isRetryable: (cause as? HTTPError)?.isRetryable ?? false, mayHaveReachedServer: true,
            underlyingError: cause)
    }
}

extension Error {
    /// The name of a foreign error for logs: its text may hold secrets.
    var nameForLogs: String { (self as? HTTPError)?.code.rawValue ?? "\(type(of: self))" }
}
