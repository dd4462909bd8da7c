public import HTTPCore
public import HTTPRetry

/// A judge of the end of an attempt: a response of any status, or a failure.
public protocol HTTPValidator: Sendable {
    /// The number of bytes of a body that it reads, or `nil`, the default, if it judges by the
    /// head.
    ///
    /// A call through a validator that reads is `.buffered`, so that the body is part of the
    /// attempt. If its caller streams (`isValidatedByHead`), `response.body.bytes` is `nil` and the
    /// validator judges by the head.
    ///
    /// A validator without a limit that reads the body of a response that streams, or asks for its
    /// `bytes`, fails the call with `validationFailed`, whatever its verdict: it would accept what
    /// it has not seen.
    var bodyLimit: Int? { get }

    /// Called before each attempt, to record what the verdict needs to know about that moment.
    func willSend(_ request: inout HTTPRequest)

    /// Returns whether its verdict on every response of this status is ``HTTPVerdict/next``. If all
    /// validators return `true`, none is asked for a verdict. The default is `false`.
    func accepts(_ status: HTTPStatus) -> Bool

    /// Judges `outcome`. If it throws, the call fails as with ``HTTPVerdict/fail(_:)`` and the same
    /// error; a `CancellationError` is thrown as it is.
    ///
    /// Cancelled calls and requests that are sent on behalf of another one are not judged.
    func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict
}

extension HTTPValidator {
    public var bodyLimit: Int? { nil }
    public func willSend(_ request: inout HTTPRequest) {}
    public func accepts(_ status: HTTPStatus) -> Bool { false }
}
