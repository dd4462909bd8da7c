import HTTPCore

// The rule that a request, such as a POST, is not sent twice if the first one may have had an
// effect.
//
// A request may be repeated if its method or its key allows that, or if there was no connection on
// which the first one could have reached the server. A policy applies this with its own list of
// methods: it asks for no retry of any other request. For the verdicts of validators, the engine
// applies it, and refuses with `notIdempotent`; there, the caller's own `maxRetries` is also a
// permission.
//
// The rule does not apply where the caller has said more: a closure that decides about retries, the
// retry operators of a pipeline, and a second send after a refresh. They set
// `RetryRequest.mayRepeat`. `Hedging` has its own, stricter condition. Redirects and challenges
// send again by the protocol's rules. For what their libraries resend, the transports go by
// `HTTPMethod.isIdempotent`: `Resends` in the curl transport, which also accepts proof that the
// server did not process the request, and `TaskBridge` in the other.

extension RetryPolicy {
    /// Returns whether a request may be sent again after the end of an attempt.
    func mayRepeat(_ attempt: RetryAttempt) -> Bool {
        mayRepeat(attempt.request) || attempt.end.isBeforeConnection
    }

    /// Returns whether a request may be sent twice though the first one may have reached the
    /// server.
    func mayRepeat(_ request: HTTPRequest) -> Bool {
        methods.contains(request.method)
            || idempotencyKey.map { request.headers.contains($0) } == true
    }
}

extension HTTPRequest {
    /// Returns whether sending this request twice does no harm, or the caller has allowed it.
    func mayRepeat(after end: RetryAttempt.End) -> Bool {
        method.isIdempotent || headers.contains(.idempotencyKey) || maxRetries != nil
            || end.isBeforeConnection
    }
}

extension RetryAttempt.End {
    fileprivate var isBeforeConnection: Bool {
        (error as? HTTPError)?.isBeforeConnection == true
    }
}

extension HTTPError {
    /// `true` if there was no connection on which anything could have been sent.
    package var isBeforeConnection: Bool {
        (code == .nameNotResolved || code == .cannotConnect) && !mayHaveReachedServer
    }
}
