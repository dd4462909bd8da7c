public import HTTPCore

/// How a call is sent again: after which wait, and after which work.
///
/// In the laws, *k* is the 0-based index of the retry. A wait that grows by itself is at most
/// ``cap``, one that the caller names at most a day; what is negative or not a number is no wait.
/// What a server's `Retry-After` asks for is waited in any case, if it is longer.
public enum HTTPRetryStrategy: Sendable {
    case immediate
    case delayed(Duration)
    /// base^(*k* − 1) seconds: for base 2 these are 0.5, 1, 2, 4 …
    case exponential(base: Double)
    /// fib(*k*) seconds: 0, 1, 1, 2, 3, 5 …, so the first retry does not wait.
    case fibonacci
    /// Sends another request first, such as a login, then waits, then sends the original again.
    ///
    /// The other request passes the layers below as any request does, marked so that no retry and
    /// no validator applies to it. It runs under its own deadline, a minute without one. How it
    /// ends is the catcher's to see; the original is sent again in any case, unless the catcher
    /// throws.
    case after(HTTPRequest, delay: Duration = .zero, catcher: AltRequestCatcher? = nil)
    /// Runs a task first, then waits, then sends the original again, also when the task has failed.
    case afterTask(delay: Duration = .zero, RetryTask, errorCatcher: RetryTaskErrorCatcher? = nil)
    /// Seconds to wait, asked before the retry is counted.
    case custom(@Sendable (RetryAttempt) -> Double)

    /// The longest wait of ``exponential(base:)`` and ``fibonacci``: five minutes.
    public static var cap: Duration { .seconds(300) }
}

/// Sees how the other request of ``HTTPRetryStrategy/after(_:delay:catcher:)`` ended, and may change
/// the original before it is sent again. The response is discarded once the catcher has returned.
///
/// A throw ends the call with `retryFailed`: whoever throws says that the original must not be sent.
public typealias AltRequestCatcher =
    @Sendable (_ original: inout HTTPRequest, _ outcome: HTTPOutcome) async throws -> Void

/// May change the original request before it is sent again; a throw does not stop that.
public typealias RetryTask = @Sendable (_ original: inout HTTPRequest) async throws -> Void

/// Sees what a ``RetryTask`` threw.
public typealias RetryTaskErrorCatcher = @Sendable (_ error: any Error) async -> Void

/// How an attempt ended.
public typealias HTTPOutcome = Result<HTTPResponse, any Error>

extension HTTPRetryStrategy {
    /// The wait before retry *k*, within its limits; a server's `Retry-After` not counted.
    public func delay(for attempt: RetryAttempt) -> Duration {
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
