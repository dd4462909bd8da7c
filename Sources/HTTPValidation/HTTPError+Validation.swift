public import HTTPCore

extension HTTPError.Code {
    /// The status is none that is accepted.
    public static var unexpectedStatus: Self { Self(rawValue: "unexpectedStatus") }
    /// A validator does not accept the outcome: its own error is `underlyingError`.
    public static var validationFailed: Self { Self(rawValue: "validationFailed") }
    /// A successful status, and the service's type of error in the body: see ``HTTPAnswer``.
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
    /// What a log may show of a foreign error: its text may hold secrets.
    var nameForLogs: String { (self as? HTTPError)?.code.rawValue ?? "\(type(of: self))" }
}

extension HTTPStatus {
    /// 400 and above, unregistered codes too.
    var isError: Bool { isClientError || isServerError }
}

extension HTTPResponse {
    /// Whether method and status let a response have content (RFC 9110 §6.4.1); 205 has none either
    /// (§15.3.6).
    var mayHaveContent: Bool {
        originalRequest.method != .head && status.class != .informational
            && ![.noContent, .resetContent, .notModified].contains(status)
    }
}
