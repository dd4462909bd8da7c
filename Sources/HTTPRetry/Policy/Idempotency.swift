import HTTPCore

// The rule that a request, such as a POST, is not sent twice if the first one may have had an
// effect.
//
// A request that may have reached a server is sent again only with a permission:
//
// - its method is idempotent, or is one of the policy's `methods`;
// - it has an idempotency key;
// - the caller has called it `repeatable()`;
// - the server has answered that it did not process the request (`isUnprocessed`);
// - a verdict of a validator, or a decision of a closure, asks for that after an answer of the
//   server (`isAnswer`).
//
// A request that has reached no server (`reachedNoServer`) needs none. A number of retries is no
// permission, wherever it is set: on a request, in a policy, in an operator of a pipeline. Nor is a
// decision about a failure without an answer: a closure that returns `retry` may only count. It can
// say more with `retryWithRequest(request.repeatable())`.
//
// A policy applies the rule with its own list of methods. The engine applies it to all others.
// `Hedging` has its own, stricter condition. Redirects and challenges send again what the server
// has answered, by the protocol's rules. For what their libraries resend, the transports go by
// `HTTPMethod.isIdempotent`: `Resends` in the curl transport, which also accepts proof that the
// server did not process the request, and `TaskBridge` in the other.

extension RetryPolicy {
    /// Returns whether a request may be sent again after the end of an attempt.
    func mayRepeat(_ attempt: RetryAttempt) -> Bool {
        mayRepeat(attempt.request) || attempt.end.isUnprocessed
    }

    /// Returns whether a request may be sent twice though the first one may have reached the
    /// server.
    func mayRepeat(_ request: HTTPRequest) -> Bool {
        methods.contains(request.method) || request.isRepeatable
            || idempotencyKey.map { request.headers.contains($0) } == true
    }
}

extension HTTPRequest {
    /// Returns whether sending this request twice does no harm, or the caller has allowed it.
    func mayRepeat(after end: RetryAttempt.End) -> Bool {
        method.isIdempotent || headers.contains(.idempotencyKey) || isRepeatable
            || end.isUnprocessed
    }
}

extension RetryAttempt.End {
    /// `true` if nothing has reached a server, or the server says that it has not processed the
    /// request: 425 (RFC 8470 §5.2), 429 (RFC 6585 §4), or 503 with `Retry-After`.
    var isUnprocessed: Bool {
        if let error, error.reachedNoServer { return true }
        guard let head else { return false }
        return [.tooEarly, .tooManyRequests].contains(head.status)
            || head.status == .serviceUnavailable && head.headers.contains(.retryAfter)
    }

    /// `true` for a response, and for a failure that is the answer of a server: a status of 400 or
    /// above, which a layer below has thrown as an error.
    package var isAnswer: Bool {
        switch self {
        case .response: true
        case .failure: head?.status.isError == true
        }
    }

    package var mayHaveReachedServer: Bool { error?.reachedNoServer != true }
}
