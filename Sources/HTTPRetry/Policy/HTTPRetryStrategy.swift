public import HTTPCore

/// The wait and the work before a call is sent again.
///
/// In the formulas, *k* is the 0-based index of the retry. A wait that grows by itself is at most
/// `cap`; a wait that the caller names is at most a day; a negative one, or one that is not a
/// number, is no wait. If a server's `Retry-After` asks for a longer wait, that applies.
public enum HTTPRetryStrategy: Sendable {
    /// No wait.
    case immediate
    /// The same wait before each retry.
    case delayed(Duration)
    /// A wait of base^(*k* − 1) seconds: 0.5, 1, 2, 4 … for base 2.
    case exponential(base: Double)
    /// A wait of fib(*k*) seconds: 0, 1, 1, 2, 3, 5 …, so the first retry does not wait.
    case fibonacci
    /// Sends another request first, such as a login, then waits, then sends the original again.
    ///
    /// The other request passes the layers below, marked so that no retry and no validator applies
    /// to it. It has its own deadline, or a minute. The catcher gets its outcome. The original is
    /// sent again in any case, unless the catcher throws.
    case after(HTTPRequest, delay: Duration = .zero, catcher: AltRequestCatcher? = nil)
    /// Runs a task first, then waits, then sends the original again, even if the task has failed.
    case afterTask(delay: Duration = .zero, RetryTask, errorCatcher: RetryTaskErrorCatcher? = nil)
    /// A wait in seconds. The closure is called before the retry is counted.
    case custom(@Sendable (RetryAttempt) -> Double)

    /// The longest wait of ``exponential(base:)`` and ``fibonacci``: five minutes.
    package static var cap: Duration { .seconds(300) }
}

/// Receives the outcome of the other request of ``HTTPRetryStrategy/after(_:delay:catcher:)``, and
/// may change the original before it is sent again. The response is discarded once the catcher
/// returns.
///
/// If it throws, the original is not sent and the call ends with `retryFailed`.
public typealias AltRequestCatcher =
    @Sendable (_ original: inout HTTPRequest, _ outcome: HTTPOutcome) async throws -> Void

/// Runs before the original request is sent again, and may change it. The request is sent even if
/// the task throws.
public typealias RetryTask = @Sendable (_ original: inout HTTPRequest) async throws -> Void

/// Receives the error of a ``RetryTask``.
public typealias RetryTaskErrorCatcher = @Sendable (_ error: any Error) async -> Void

extension HTTPRetryStrategy {
    /// Returns the wait before retry *k*, within its limits and without a server's `Retry-After`.
    package func delay(for attempt: RetryAttempt) -> Duration {
        switch self {
        case .immediate: .zero
        case .delayed(let delay), .after(_, let delay, _), .afterTask(let delay, _, _):
            min(max(.zero, delay), Self.longestNamedDelay)
        case .exponential(let base): Self.exponentialDelay(base: base, index: attempt.index)
        case .fibonacci: Self.fibonacciDelay(index: attempt.index)
        case .custom(let seconds):
            Duration(clampingSeconds: seconds(attempt), to: Self.longestNamedDelay)
        }
    }

    private static var longestNamedDelay: Duration { .seconds(86_400) }

    static func exponentialDelay(base: Double, index: Int) -> Duration {
        guard base > 0 else { return .zero }
        return Duration(clampingSeconds: base.raised(to: max(0, index) - 1), to: cap)
    }

    static func fibonacciDelay(index: Int) -> Duration {
        var (current, next): (Int64, Int64) = (0, 1)
        var left = index
        while left > 0, .seconds(current) < cap {
            (current, next) = (next, current + next)
            left -= 1
        }
        return min(.seconds(current), cap)
    }
}
