/// The error inside `retryFailed`: the error that the decision or the work threw, and the end of
/// the attempt that it was about.
public struct RetryFailure: Error, Sendable {
    /// The error of the decision, or of the work before a retry.
    public var thrown: any Error
    /// The end of the attempt that was decided about.
    public var original: RetryAttempt.End
}
