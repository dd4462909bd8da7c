public import HTTPCore

/// The event that a call is sent again or not, with the reason:
/// `case .layer(let retry as HTTPRetryEvent)`. The timeline keeps it, too.
public struct HTTPRetryEvent: HTTPTimelineEvent {
    /// The layer that asked for the retry.
    public enum Source: Sendable, Hashable {
        /// A retry policy, after an attempt that failed.
        case policy
        /// A validator that did not accept the outcome.
        case verdict
        /// Hedging, while an attempt is under way.
        case hedge
    }

    /// The decision about a retry that a layer asks for.
    public enum Outcome: Sendable, Hashable {
        /// The call is sent again, after a wait of `delay`.
        case granted(delay: Duration)
        /// The call is not sent again, for this reason.
        case refused(Refusal)
    }

    /// The reason for a refusal. The set is open: any target adds reasons of its own as static
    /// members.
    public struct Refusal: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// One clause for a log, such as `"its retries are used up"`.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue.escapingControls() }
    }

    /// The layer that asked.
    public var source: Source
    /// The decision.
    public var outcome: Outcome
    /// The number of the attempt that was judged, 1 for the call's first.
    ///
    /// It counts retries: a redirect hop, or a request that is sent again with credentials, belongs
    /// to the same attempt. ``/HTTPCore/HTTPError/attempt`` counts every exchange.
    public var attempt: Int
    /// The outcome that was judged, free of secrets: a status code or the code of an error.
    public var cause: String
    /// The number of retries left in the origin's budget; `nil` without a budget.
    public var budgetLeft: Int?

    /// Creates a decision, for layers that send again themselves.
    public init(
        _ source: Source, _ outcome: Outcome, attempt: Int, cause: String, budgetLeft: Int? = nil
    ) {
        self.source = source
        self.outcome = outcome
        self.attempt = attempt
        self.cause = cause
        self.budgetLeft = budgetLeft
    }
}

extension HTTPRetryEvent: CustomStringConvertible {
    /// The decision as text: `"503 on attempt 1: sent again after 500.0 ms (policy)"`.
    public var description: String {
        let decision =
            switch outcome {
            case .granted(let delay): "sent again after \(delay.milliseconds)"
            case .refused(let refusal): "not sent again, \(refusal)"
            }
        let budget = budgetLeft.map { ", budget left \($0)" } ?? ""
        return "\(cause.escapingControls()) on attempt \(attempt): \(decision) (\(source)\(budget))"
    }
}

extension HTTPTimeline {
    /// The retry decisions of the call, in order.
    public var retryDecisions: [HTTPRetryEvent] { events(of: HTTPRetryEvent.self) }
}
