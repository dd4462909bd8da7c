/// A session that begins calls in its own way: with a base URL, a clock, an observer.
///
/// ``HTTPSession/with(_:)-(HTTPClientMiddleware...)`` begins the call before the outermost
/// middleware runs, and lets such a session do it. A middleware around a client therefore sees the
/// URL, the clock and the deadline that a middleware inside of the client sees, and the client's
/// observer is told of the whole call. A session of your own that wraps another one keeps this if
/// it conforms and forwards the requirement.
public protocol HTTPCallBeginning: HTTPSession {
    /// Returns `request` with a call that begins now, as `response(for:)` would
    /// begin it, or unchanged if it has a call.
    ///
    /// - Throws: `invalidRequest` if the request has no origin; the session's own errors.
    func beginningCall(for request: HTTPRequest) throws -> HTTPRequest
}

extension HTTPSession {
    /// Returns `request` with a call that begins now, in the session's own way if it has one.
    ///
    /// - Parameter clock: The clock of the call if the session has no own way; by default that of
    ///   the outermost ``CallTiming``.
    package func begun(
        _ request: HTTPRequest, clock: (any HTTPClock)? = nil
    ) throws -> HTTPRequest {
        try CallBeginning(of: self, around: []).begun(request, clock: clock)
    }

    /// Begins a call for `original`, sends what `send` makes of it, and reports how the call ends.
    /// If `original` has a call, only sends.
    package func beginningCall(
        for original: HTTPRequest, clock: (any HTTPClock)? = nil,
        _ send: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard original.call == nil else { return try await send(original) }
        let request = try begun(original, clock: clock)
        return try await request.currentCall.reportingEnd { try await send(request) }
    }
}

/// The way in which a chain begins calls, looked up when the chain is made. The layers share it.
final class CallBeginning: Sendable {
    private let session: (any HTTPCallBeginning)?
    private let clock: any HTTPClock

    init(of session: any HTTPSession, around middleware: [any HTTPClientMiddleware]) {
        let inner = (session as? InterceptedSession)?.beginning
        self.session = inner == nil ? session as? any HTTPCallBeginning : inner?.session
        let timing = middleware.lazy.compactMap { $0 as? any CallTiming }.first
        clock = timing?.clock ?? inner?.clock ?? .system
    }

    func begun(_ request: HTTPRequest, clock: (any HTTPClock)? = nil) throws -> HTTPRequest {
        try (session?.beginningCall(for: request) ?? request)
            .beginningCall(observer: nil, for: [], clock: clock ?? self.clock)
    }
}

/// A middleware with a clock for the calls that begin around it, over a session that does not begin
/// them in its own way.
package protocol CallTiming: HTTPClientMiddleware {
    var clock: any HTTPClock { get }
}

extension HTTPCall {
    /// Sends what this call is about and reports how the call ends, unless a session further out
    /// does.
    ///
    /// For a session that begins calls or adds observers, around everything that it does for the
    /// call.
    package func reportingEnd(
        _ send: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard isObserved, claimEnd() else { return try await send() }
        do {
            let response = try await send()
            response.body.whenEnded { self.report(.callEnded($0)) }
            return response
        } catch {
            report(.callFailed(error))
            throw error
        }
    }
}
