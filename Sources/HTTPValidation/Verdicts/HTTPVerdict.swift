public import HTTPCore
public import HTTPRetry

/// The verdict of a validator on an outcome.
public enum HTTPVerdict: Sendable {
    /// No objection: the next validator judges, and after the last one the outcome stands.
    case next
    /// No objection, and this response replaces the outcome, such as one with extras for the caller
    /// (`response[Key.self]`) or with another body. See ``next``.
    case nextWithResponse(HTTPResponse)
    /// The call fails with this error, and no other validator judges. An `HTTPError` is thrown as
    /// it is, any other error inside a `validationFailed`.
    case fail(any Error)
    /// The call is to be sent again, and all validators judge the new outcome.
    ///
    /// The engine may refuse. The call then fails: with its own error, or for a response with
    /// `unexpectedStatus` or, if the status is successful, `validationFailed`. A verdict on a
    /// response allows a request to be repeated whatever its method; one on a failure does not
    /// (``/HTTPCore/HTTPRequest/isRepeatable``).
    case retry(HTTPRetryStrategy)
    /// The call is to be sent again after work that has a limit of its own.
    case repair(HTTPRepair)

    /// Returns a verdict that fails with `validationFailed`.
    ///
    /// - Parameter reason: The error's message, free of secrets.
    public static func invalid(_ reason: String) -> Self {
        .fail(HTTPError(.validationFailed, reason))
    }
}

/// Work that makes a call acceptable, such as a refresh of credentials. See
/// ``HTTPVerdict/repair(_:)``.
///
/// It is part of a verdict of ``HTTPAltRequestValidator`` or ``HTTPAltTaskValidator``, which a
/// validator around them may return as it is.
public struct HTTPRepair: Sendable {
    let retry: RetryRequest
}
