/// A session that begins calls in its own way: with a base URL, a clock, an observer.
///
/// ``HTTPSession/with(_:)-(HTTPClientMiddleware...)`` lets such a session begin the call before
/// the outermost middleware runs. A middleware around a client therefore sees the URL, the clock
/// and the deadline that a middleware inside of the client sees, and the client's observer is told
/// of the whole call. A session of your own that wraps another one keeps this if it conforms and
/// forwards the requirement.
public protocol HTTPCallBeginning: HTTPSession {
    /// Returns `request` with a call that begins now, as `response(for:)` would
    /// begin it, or unchanged if it has a call.
    ///
    /// - Throws: `invalidRequest` if the request has no origin; the session's own errors.
    func beginningCall(for request: HTTPRequest) throws -> HTTPRequest
}

extension HTTPSession {
    /// Returns `request` with a call that begins now, in the session's own way if it has one.
    package func begun(_ request: HTTPRequest) throws -> HTTPRequest {
        guard let session = self as? any HTTPCallBeginning else {
            return try request.beginningCall()
        }
        return try session.beginningCall(for: request)
    }

    /// Begins a call for `original`, sends what `send` makes of it, and reports how the call ends.
    /// If `original` has a call, only sends.
    package func beginningCall(
        for original: HTTPRequest, _ send: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard original.call == nil else { return try await send(original) }
        let request = try begun(original)
        guard let call = request.call else { return try await send(request) }
        return try await call.reportingEnd { try await send(request) }
    }
}

/// Middleware around a session that begins calls in its own way.
struct InterceptedCallSession: HTTPCallBeginning, WrappingSession {
    let session: any HTTPCallBeginning
    /// The same session inside the middleware.
    let chain: any HTTPSession

    var wrapped: any HTTPSession { session }

    func beginningCall(for request: HTTPRequest) throws -> HTTPRequest {
        try session.beginningCall(for: request)
    }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        // An attempt ends at the call's deadline, which limits the work of the middleware, too.
        try await session.beginningCall(for: request) { try await chain.attempt($0).get() }
    }
}
