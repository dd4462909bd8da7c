/// A step around the rest of the chain, which is itself a session.
///
/// Because *next* is a session, a middleware may call it never (a cache hit), once, or many times
/// (retry). Before calling `next` again, call ``HTTPResponse/discard()`` on the previous response;
/// otherwise the second request may wait forever for the connection of the first.
///
/// A cancelled call ends with `CancellationError`, even if a middleware swallows that error: the
/// chain checks for cancellation after each middleware.
public protocol HTTPClientMiddleware: Sendable {
    /// Returns the response for a request, usually that of `next`, to which it may send never, once
    /// or many times.
    ///
    /// The request is part of a call, ``HTTPRequest/currentCall``: the chain has begun it. Only an
    /// ``HTTPRequestInterceptor`` also gets requests whose URL has no origin yet, without a call.
    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse
}

extension HTTPSession {
    /// Returns this session inside the given middleware. The first middleware is the outermost: it
    /// sees a request first and its response last.
    ///
    /// - Important: Response hooks run in reverse order. The result is an onion, so in
    ///   `session.with(a, b)` the response hook of `b` runs before that of `a`. An
    ///   `HTTPMiddlewareSession` does the opposite: its response hooks run in the order of its
    ///   list.
    public func with(_ middleware: any HTTPClientMiddleware...) -> any HTTPSession {
        with(middleware)
    }

    /// Returns this session inside the given middleware. The same as
    /// ``with(_:)-(HTTPClientMiddleware...)``, but takes an array.
    public func with(_ middleware: [any HTTPClientMiddleware]) -> any HTTPSession {
        guard !middleware.isEmpty else { return self }
        let beginning = CallBeginning(of: self, around: middleware)
        return middleware.reversed().reduce(self) { next, middleware in
            InterceptedSession(middleware: middleware, next: next, beginning: beginning)
        }
    }
}

/// A session around another one that has the other's defaults.
package protocol WrappingSession: HTTPSession {
    var wrapped: any HTTPSession { get }
}

struct InterceptedSession: HTTPCallBeginning, WrappingSession {
    let middleware: any HTTPClientMiddleware
    let next: any HTTPSession
    let beginning: CallBeginning

    var wrapped: any HTTPSession { next }

    func beginningCall(for request: HTTPRequest) throws -> HTTPRequest {
        try beginning.begun(request)
    }

    // Inlined, here and in the layers of a default client: the witness of a protocol's asynchronous
    // requirement would otherwise have a frame of its own, beside that of the method.
    @inline(__always)
    func response(for original: HTTPRequest) async throws -> HTTPResponse {
        var request = original
        do {
            if original.call == nil { request = try begun(original) }
            let isOutermost = original.call == nil && request.call != nil
            if let call = request.call,
                isOutermost && call.isObserved
                    || request.deadline != nil && !call.isEnforcingDeadline
            {
                return try await attempt(request, of: call, reporting: isOutermost)
            }
            let response = try await middleware.intercept(request, next: next).unlessCancelled()
            guard isOutermost, !response.isWhole(for: request) else { return response }
            return try await response.whole(for: request)
        } catch let error as HTTPError {
            // The innermost layer names the request, as it was when the error was made.
            throw error.naming(request)
        }
    }

    private func begun(_ original: HTTPRequest) throws -> HTTPRequest {
        do {
            return try beginning.begun(original)
        } catch let error as HTTPError
            where error.code == .invalidRequest && middleware is any HTTPRequestInterceptor
        {
            return original  // It may make a relative URL absolute; the call then begins inside.
        }
    }

    /// Sends a request that has an observer, or a deadline that nothing enforces yet: it limits the
    /// work of the middleware, too. Most calls have neither.
    private func attempt(
        _ request: HTTPRequest, of call: HTTPCall, reporting isOutermost: Bool
    ) async throws -> HTTPResponse {
        guard isOutermost else { return try await attempt(request).get() }
        return try await call.reportingEnd { try await attempt(request).get() }
    }
}

extension HTTPResponse {
    /// Returns this response, or abandons its body and throws if the task is cancelled: a hook must
    /// not turn a cancellation into a success.
    package func unlessCancelled() throws(CancellationError) -> HTTPResponse {
        guard Task.isCancelled else { return self }
        body.abandon()
        throw CancellationError()
    }
}
