public import HTTPCore

extension HTTPError.Code {
    /// The decision about a retry, or the work before one, has failed. See
    /// ``/HTTPRetry/RetryFailure``.
    public static var retryFailed: Self { Self(rawValue: "retryFailed") }
    /// A closure dropped the call with a reason, which is the message.
    public static var retryDropped: Self { Self(rawValue: "retryDropped") }
}

extension HTTPError {
    /// Returns whether a list of errors to retry includes this one. A call's own deadline is never
    /// included.
    ///
    /// Most failures of TLS and of proxies are final. They are included only if they say that the
    /// same request may succeed.
    package func isIncluded(in codes: Set<Code>) -> Bool {
        guard codes.contains(code), timer?.name != .deadline else { return false }
        return isRetryable || ![.tlsFailed, .proxyFailed].contains(code)
    }
}
