public import HTTPCore

extension HTTPError.Code {
    /// A verdict or a closure asked for another attempt and none was granted. The message says why;
    /// `underlyingError` is the last failure, `response` the last head.
    public static var retriesExhausted: Self { Self(rawValue: "retriesExhausted") }
    /// The decision about a retry, or the work before one, has failed. See
    /// ``/HTTPRetry/RetryFailure``.
    public static var retryFailed: Self { Self(rawValue: "retryFailed") }
    /// A closure dropped the call with a reason, which is the message.
    public static var retryDropped: Self { Self(rawValue: "retryDropped") }
}

/// The error inside `retryFailed`: the error that the decision or the work threw, and the end of
/// the attempt that it was about.
public struct RetryFailure: Error, Sendable {
    /// The error of the decision, or of the work before a retry.
    public var thrown: any Error
    /// The end of the attempt that was decided about.
    public var original: RetryAttempt.End
}
