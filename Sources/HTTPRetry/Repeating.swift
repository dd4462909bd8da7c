import HTTPCore

// The rule that a request, such as a POST, is not sent twice if the first one may have had an
// effect.
//
// A request may be repeated if its method or its key allows that, or if there was no connection on
// which the first one could have reached the server. Two sides ask. A policy has its own list of
// methods and asks for no retry otherwise. The engine asks for all others, mainly validators, and
// refuses with `notIdempotent`; there, the caller's own `maxRetries` is also a permission.
// (A transport applies the rule to its library's resends: `Resends` in the curl transport.)

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
