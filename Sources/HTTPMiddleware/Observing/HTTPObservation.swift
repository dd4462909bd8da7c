public import HTTPCore

/// A layer that begins each call with an observer, and reports how the call ends.
///
/// It stands outermost: a call that another layer has begun keeps the observer that it has. An
/// ``HTTPCore/HTTPObserver`` in the configuration of a client needs no such layer.
public struct HTTPObservation: HTTPClientMiddleware {
    private let observer: any HTTPObserver
    private let clock: any HTTPClock

    /// - Parameter clock: the clock of the calls, for their deadlines and the times of their
    ///   events.
    public init(_ observer: any HTTPObserver, clock: any HTTPClock = .system) {
        self.observer = observer
        self.clock = clock
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard request.call == nil else { return try await next.response(for: request) }
        let request = try request.beginningCall(observer: observer, clock: clock)
        guard let call = request.call else { return try await next.response(for: request) }
        return try await call.reportingEnd { try await next.response(for: request) }
    }
}
