public import HTTPCore
public import HTTPRetry

/// What a validator says of an outcome.
public enum HTTPVerdict: Sendable {
    /// No objection: the next validator judges, and after the last one the outcome stands.
    case next
    /// As ``next``, with this response in the outcome's place, such as one with extras for the caller
    /// (`response[Key.self]`), or with another body.
    case nextWithResponse(HTTPResponse)
    /// The call fails with this error, and no other validator is asked. An `HTTPError` is thrown as it
    /// is, any other inside a `validationFailed`.
    case fail(any Error)
    /// The call is to be sent again, and the new outcome judged from the first validator on. The engine
    /// may refuse; then the call fails with `retriesExhausted`.
    case retry(HTTPRetryStrategy)
    /// As ``retry(_:)``, after work with a budget of its own.
    case repair(HTTPRepair)

    /// Fails with `validationFailed`.
    ///
    /// - Parameter reason: the error's message, so free of secrets.
    public static func invalid(_ reason: String) -> Self {
        .fail(HTTPError(.validationFailed, reason, mayHaveReachedServer: true))
    }
}

/// Work that makes a call acceptable, such as a refresh of credentials, see ``HTTPVerdict/repair(_:)``:
/// what an ``HTTPAltRequestValidator`` or an ``HTTPAltTaskValidator`` says, to be handed on by a
/// validator around it.
public struct HTTPRepair: Sendable {
    let petition: RetryPetition
}
