public import HTTPCore

/// A layer that adds an observer to each call.
///
/// It stands outermost, so that the observer is told of the whole call. Inside a layer that sends
/// more than once, such as `Retry`, the observer is told of all exchanges after the first request
/// has reached this layer. The end of the call is reported once, by the outermost session that
/// observes: where that is this layer, it is the end of what this layer has sent first.
public struct HTTPObservation: CallTiming {
    private let observer: any HTTPObserver
    package let clock: any HTTPClock
    private let identity = Identity()

    /// A call observes once for each of these, even if this layer sees it several times.
    private final class Identity: Sendable {}

    /// - Parameters:
    ///   - observer: The observer, which is told of each call.
    ///   - clock: the clock of the calls that begin in this chain, for their deadlines and the
    ///     times of their events. A session that begins calls in its own way has its own.
    public init(_ observer: any HTTPObserver, clock: any HTTPClock = .system) {
        self.observer = observer
        self.clock = clock
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let call = request.currentCall
        call.add(observer, for: identity)
        return try await call.reportingEnd { try await next.response(for: request) }
    }
}
