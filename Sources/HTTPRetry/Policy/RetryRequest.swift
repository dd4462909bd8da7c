package import HTTPCore

/// A request to send a call again, which the engine grants or refuses.
package struct RetryRequest: Sendable {
    /// The limit that a granted retry is counted against.
    package enum Allowance: Sendable, Hashable {
        package typealias ID = ObjectIdentifier
        /// The call's ``/HTTPCore/HTTPRequest/maxRetries``.
        case retries
        /// A limit per call that belongs to one layer, such as one refresh of credentials.
        case own(ID, limit: Int)
    }

    /// Work that is done before the wait, once the response is discarded and the retry is counted.
    /// It gets the call, and the session that the retry is sent to.
    ///
    /// If it throws, the call ends with `retryFailed`, or with `CancellationError` if it is
    /// cancelled.
    package typealias Work =
        @Sendable (inout HTTPRequest, HTTPCall, any HTTPSession) async throws -> Void

    let source: HTTPRetryEvent.Source
    let delay: Duration
    /// The wait that the response asks for, from its arrival.
    var retryAfter: Duration?
    let retryAfterLimit: Duration
    package let allowance: Allowance
    /// `true` if the request may be sent twice: it does no harm, or the asking layer has a
    /// permission, such as a policy's list of methods. See `Idempotency.swift`.
    var mayRepeat: Bool
    package var work: Work?

    package init(
        _ source: HTTPRetryEvent.Source, delay: Duration, allowance: Allowance = .retries,
        retryAfterLimit: Duration = ServerTime.longestWait, mayRepeat: Bool = false,
        work: Work? = nil
    ) {
        self.source = source
        self.delay = min(max(.zero, delay), .seconds(1 << 40))
        self.allowance = allowance
        self.retryAfterLimit = retryAfterLimit
        self.mayRepeat = mayRepeat
        self.work = work
    }

    /// Returns the wait before the next attempt: the delay, which begins after the work, or the
    /// rest of the wait that the response asks for, if that is longer.
    ///
    /// - Parameter work: The time that the work has taken.
    func wait(after work: Duration = .zero) -> Duration {
        max(delay, (retryAfter ?? .zero) - work)
    }
}
