extension HTTPRetryEvent.Refusal {
    /// The call was sent again as often as it may be.
    public static var retriesUsedUp: Self { Self(rawValue: "its retries are used up") }
    package static var sendsUsedUp: Self { Self(rawValue: "it was sent too often over all") }
    /// A request of a refresh starts no other refresh, nor other work before a retry.
    package static var nestedRefresh: Self {
        Self(rawValue: "it is sent by a refresh, or before a retry, and starts no other refresh")
    }
    /// The wait before the next attempt would end after the call's deadline.
    public static var deadline: Self { Self(rawValue: "the wait would outlive its deadline") }
    package static var retryAfterTooLong: Self {
        Self(rawValue: "the server asks for a longer wait than the limit")
    }
    /// The retry budget of the origin is spent. See ``/HTTPRetry/RetryBudget``.
    public static var budgetSpent: Self {
        Self(rawValue: "the retry budget of its origin is spent")
    }
    package static var bodyNotReplayable: Self {
        Self(rawValue: "its body can be read once and was: make it restartable")
    }
    /// Sending it twice may have an effect twice. An idempotency key or
    /// ``/HTTPCore/HTTPRequest/repeatable()`` allows it.
    public static var notIdempotent: Self {
        Self(
            rawValue:
                "it may have reached the server and is not idempotent: give it an idempotency key, "
                + "or call it repeatable()")
    }
    package static var dropped: Self { Self(rawValue: "its policy dropped it") }
    package static var bodyIsStreamed: Self {
        Self(
            rawValue: "its response was being streamed: only a buffered body is read in the attempt"
        )
    }
}
