public import HTTPCore

extension HTTPError.Code {
    /// A redirect that the rules, the request or the session do not allow.
    public static var redirectRefused: Self { Self(rawValue: "redirectRefused") }
    /// More redirects than allowed.
    public static var tooManyRedirects: Self { Self(rawValue: "tooManyRedirects") }
    /// An identical request was under way, and the mode was to drop this one in that case.
    public static var droppedAsDuplicate: Self { Self(rawValue: "droppedAsDuplicate") }
    /// A password was not sent, because it could have been read on the way.
    public static var passwordWithheld: Self { Self(rawValue: "passwordWithheld") }
    /// The request was not sent, because it would have waited for a `RateLimit` longer than it
    /// may. See `retryAfter`.
    public static var rateLimited: Self { Self(rawValue: "rateLimited") }
    /// The request was not sent, because the origin is paused for longer than it may wait. See
    /// `OriginPause` and `retryAfter`.
    public static var originPaused: Self { Self(rawValue: "originPaused") }
    /// The request was not sent, because a `CircuitBreaker` is open. See `retryAfter`.
    public static var circuitOpen: Self { Self(rawValue: "circuitOpen") }
    /// The request was not sent, because a store that processes share gave no decision, and the
    /// policy is to send nothing without one.
    public static var sharedStoreFailed: Self { Self(rawValue: "sharedStoreFailed") }
    /// A netrc file that cannot be read, is readable by others, or is not understood.
    public static var invalidNetrc: Self { Self(rawValue: "invalidNetrc") }
}
