public import HTTPCore
public import HTTPRetry

/// Judges how an attempt ended: a response of any status, or a failure.
public protocol HTTPValidator: Sendable {
    /// How many bytes of a body it reads; `nil`, unless told, if it goes by the head alone.
    ///
    /// A call through a validator that reads is `.buffered`, so that the body is part of the attempt;
    /// unless its caller streams (``HTTPCore/HTTPRequest/isValidatedByHead``): then
    /// `response.body.bytes` is `nil`, and the body must be left alone.
    var bodyLimit: Int? { get }

    /// Sees the request before each attempt, for what the verdict will have to know of that moment.
    func willSend(_ request: inout HTTPRequest)

    /// Whether its verdict on every response of this status is ``HTTPVerdict/next``, whatever else the
    /// response is: where all validators say so, none is asked for a verdict. No, unless told.
    func accepts(_ status: HTTPStatus) -> Bool

    /// Judges `outcome`. A throw is a failure, as ``HTTPVerdict/fail(_:)`` with the same error;
    /// `CancellationError` stays itself.
    ///
    /// A cancelled call is not judged, nor is a request sent for another one's sake.
    func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict
}

extension HTTPValidator {
    public var bodyLimit: Int? { nil }
    public func willSend(_ request: inout HTTPRequest) {}
    public func accepts(_ status: HTTPStatus) -> Bool { false }
}
