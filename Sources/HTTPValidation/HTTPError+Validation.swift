public import HTTPCore

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
    static func unexpectedStatus(_ head: HTTPResponse.Head) -> HTTPError {
        HTTPError(
            .unexpectedStatus, "Unexpected status code: \(head.status.code)",
            mayHaveReachedServer: true, response: head)
    }

    static func refreshFailed(_ cause: any Error) -> HTTPError {
        HTTPError(
            .refreshFailed, "credentials could not be refreshed: \(cause.nameForLogs)",
            mayHaveReachedServer: true, underlyingError: cause)
    }
}

extension Error {
    /// The name of a foreign error for logs: its text may hold secrets.
    var nameForLogs: String { (self as? HTTPError)?.code.rawValue ?? "\(type(of: self))" }
}
