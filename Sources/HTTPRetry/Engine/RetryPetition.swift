package import HTTPCore

/// A wish to send again, put to the engine, which grants or refuses it.
package struct RetryPetition: Sendable {
    /// What a granted retry is counted against.
    package enum Allowance: Sendable, Hashable {
        package typealias ID = ObjectIdentifier
        /// The call's ``HTTPCore/HTTPRequest/maxRetries``.
        case retries
        /// An asker's own, such as one refresh of credentials per call.
        case own(ID, limit: Int)
    }

    /// Done once the response is discarded and the retry counted, before the wait. A throw ends the
    /// call with `retryFailed`, cancellation with itself.
    package typealias Work = @Sendable (inout HTTPRequest, RetryEngine) async throws -> Void

    package var source: HTTPRetryDecision.Source
    package var delay: Duration
    package var work: Work?
    package var allowance: Allowance
    package var retryAfterLimit: Duration
    /// Whether the asker has made sure that sending the request twice does no harm.
    package var isHarmless: Bool

    package init(
        _ source: HTTPRetryDecision.Source, delay: Duration, work: Work? = nil,
        allowance: Allowance = .retries, retryAfterLimit: Duration = .seconds(60),
        isHarmless: Bool = false
    ) {
        self.source = source
        self.delay = delay
        self.work = work
        self.allowance = allowance
        self.retryAfterLimit = retryAfterLimit
        self.isHarmless = isHarmless
    }

    /// A verdict: what a strategy means for an attempt. Asks the strategy for its delay.
    package init(
        verdict strategy: HTTPRetryStrategy, for attempt: RetryAttempt,
        allowance: Allowance = .retries
    ) {
        self.init(
            .verdict, delay: strategy.delay(for: attempt), work: strategy.work,
            allowance: allowance, isHarmless: allowance != .retries)
    }
}
