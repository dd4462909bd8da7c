public import HTTPCore

/// The outcomes that ``Retry`` asks to send again, how often, and after which wait.
///
/// Change a copy, or derive one with ``unless(_:)`` and ``also(_:)``. A request's own
/// ``/HTTPCore/HTTPRequest/maxRetries`` has priority over the policy's.
public struct RetryPolicy: Sendable {
    // The rule that uses `methods` and `idempotencyKey` is in `Idempotency.swift`.

    /// The methods that are retried. Any other method is retried only if nothing has reached the
    /// server, if the server says that it has not processed the request (425, 429, or 503 with
    /// `Retry-After`), or if the request has an idempotency key or is
    /// ``/HTTPCore/HTTPRequest/repeatable()``.
    public var methods: Set<HTTPMethod>
    /// The statuses that are retried, also if a session throws an error for the response, as a
    /// client does.
    public var statuses: Set<HTTPStatus>
    /// The errors that are retried. A call's own deadline is never one of them, though it is a
    /// `timedOut`; `tlsFailed` and `proxyFailed` only if the error is `isRetryable`.
    public var errorCodes: Set<HTTPError.Code>
    /// The limit on retries: N retries are N + 1 attempts.
    public var maxRetries: Int
    /// The waits between attempts.
    public var backoff: Backoff
    /// The limit on the wait of a server's `Retry-After`. If it asks for more, the response is
    /// handed back.
    public var retryAfterLimit: Duration
    /// The field that allows any method to be sent again; `nil` for none.
    public var idempotencyKey: HTTPHeaderName?

    typealias Predicate = @Sendable (RetryAttempt) -> Bool
    typealias Decider = @Sendable (RetryAttempt) async throws -> RetryDecision
    private var exceptions: [Predicate] = []
    private var additions: [Predicate] = []
    private var decider: Decider?

    /// Creates a policy of its own. ``standard`` has the usual methods, statuses and errors.
    public init(
        methods: Set<HTTPMethod>, statuses: Set<HTTPStatus>, errorCodes: Set<HTTPError.Code>,
        maxRetries: Int, backoff: Backoff = Backoff(),
        retryAfterLimit: Duration = ServerTime.longestWait,
        idempotencyKey: HTTPHeaderName? = .idempotencyKey
    ) {
        self.methods = methods
        self.statuses = statuses
        self.errorCodes = errorCodes
        self.maxRetries = maxRetries
        self.backoff = backoff
        self.retryAfterLimit = retryAfterLimit
        self.idempotencyKey = idempotencyKey
    }

    /// A policy that sends nothing again.
    public static var none: Self { Self(methods: [], statuses: [], errorCodes: [], maxRetries: 0) }

    /// The complete policy: idempotent methods, an `Idempotency-Key`, or what the server has not
    /// processed; 408, 425, 429, 500, 502, 503, 504, connections that failed and content that was
    /// changed on the way; two retries; full jitter from 0.5 s to 20 s; `Retry-After` up to a
    /// minute.
    public static var standard: Self {
        Self(
            methods: [.get, .head, .options, .trace, .put, .delete, .query],
            statuses: [
                .requestTimeout, .tooEarly, .tooManyRequests, .internalServerError, .badGateway,
                .serviceUnavailable, .gatewayTimeout,
            ],
            errorCodes: [
                .nameNotResolved, .cannotConnect, .proxyFailed, .tlsFailed, .connectionLost,
                .bodyIncomplete, .timedOut, .digestMismatch,
            ],
            maxRetries: 2)
    }

    /// Calls a closure after every failure; a response is never a failure, whatever its status. Its
    /// retries draw on the budget.
    ///
    /// A closure decides about failures, and does not allow what may have an effect twice: after a
    /// failure without an answer of the server, a POST needs the request's own permission
    /// (``/HTTPCore/HTTPRequest/repeatable()``), which `retryWithRequest` can give.
    ///
    /// - Parameters:
    ///   - maxRetries: The limit on retries. If the closure asks for more, the call fails with the
    ///     last failure.
    ///   - delay: The wait before every retry.
    ///   - decide: If it throws, the call ends with `retryFailed`.
    public static func deciding(
        maxRetries: Int = 10, delay: Duration = .seconds(0.1),
        _ decide: @escaping @Sendable (RetryAttempt) async throws -> RetryDecision
    ) -> Self {
        var policy = Self.none
        policy.maxRetries = maxRetries
        policy.backoff = .constant(delay)
        policy.decider = decide
        return policy
    }

    /// Asks an object after every failure. See ``deciding(maxRetries:delay:_:)``.
    public static func deciding(
        maxRetries: Int = 10, delay: Duration = .seconds(0.1), by decider: any RetryDeciding
    ) -> Self {
        deciding(maxRetries: maxRetries, delay: delay) { try await decider.decision(about: $0) }
    }

    /// Returns the same policy, but it does not retry attempts for which `predicate` returns
    /// `true`, and no other layer does: such an attempt is the last one, also if a validator asks
    /// for another. The predicate is called for attempts that the policy would retry.
    public func unless(_ predicate: @escaping @Sendable (RetryAttempt) -> Bool) -> Self {
        var copy = self
        copy.exceptions.append(predicate)
        return copy
    }

    /// Returns the same policy, but it also retries attempts for which `predicate` returns `true`,
    /// if the method may be sent again.
    public func also(_ predicate: @escaping @Sendable (RetryAttempt) -> Bool) -> Self {
        var copy = self
        copy.additions.append(predicate)
        return copy
    }
}

/// The decision of a closure about a failure.
public enum RetryDecision: Sendable {
    /// Sends the same request again, if the limits of the call allow it.
    case retry
    /// Retries with another request, which replaces the original for all attempts that follow.
    case retryWithRequest(HTTPRequest)
    /// Fails with the failure itself.
    case drop
    /// Fails with `retryDropped` and this reason, the failure inside.
    case dropWithReason(String)
}

/// An object that decides about failures. See ``RetryPolicy/deciding(maxRetries:delay:by:)``.
public protocol RetryDeciding: Sendable {
    /// Returns the decision about a failed attempt. An error that is thrown ends the call with
    /// `retryFailed`.
    func decision(about attempt: RetryAttempt) async throws -> RetryDecision
}

// MARK: - Decisions

extension RetryPolicy {
    /// Returns the decision about an attempt, or `nil` if the policy leaves the outcome to other
    /// layers.
    func decision(about attempt: RetryAttempt) async throws -> RetryDecision? {
        if let decider { return attempt.error == nil ? nil : try await decider(attempt) }
        guard mayRepeat(attempt), isWorthwhile(attempt) else { return nil }
        return exceptions.contains { $0(attempt) } ? .drop : .retry
    }

    /// Returns whether the policy would send a request again if that could not have an effect
    /// twice.
    func isRefused(_ attempt: RetryAttempt) -> Bool {
        decider == nil && attempt.index < attempt.maxRetries && !mayRepeat(attempt)
            && isWorthwhile(attempt)
    }

    func retry(_ attempt: RetryAttempt) -> RetryRequest {
        RetryRequest(
            .policy, delay: backoff.delay(beforeRetry: attempt.index),
            retryAfterLimit: retryAfterLimit,
            // Without a closure, the policy has applied the rule itself.
            mayRepeat: decider == nil || attempt.end.isAnswer)
    }

    /// Returns whether an outcome is a response that the policy would not retry.
    func accepts(_ outcome: HTTPOutcome) -> Bool {
        guard case .success(let response) = outcome else { return false }
        return !statuses.contains(response.status)
    }

    /// Returns whether the policy certainly does not retry a response, by its status and the kind
    /// of its body alone.
    ///
    /// - Parameter isSuccessPassed: ``passesSuccess``, computed once.
    func passes(_ response: HTTPResponse, isSuccessPassed: Bool) -> Bool {
        let status = response.status
        return
            (isSuccessPassed && status.isSuccessful
            || additions.isEmpty && !statuses.contains(status))
            && !response.body.isStream
    }

    /// `true` if the policy retries no successful status.
    var passesSuccess: Bool { additions.isEmpty && !statuses.contains(where: \.isSuccessful) }

    /// `true` if the policy may ask for a retry.
    package var isActive: Bool {
        decider != nil || !statuses.isEmpty || !errorCodes.isEmpty || !additions.isEmpty
    }

    private func isWorthwhile(_ attempt: RetryAttempt) -> Bool {
        let isListed =
            switch attempt.end {
            case .response(let head): statuses.contains(head.status)
            case .failure(let error as HTTPError):
                error.isIncluded(in: errorCodes)
                    || error.timer?.name != .deadline
                        && error.status.map(statuses.contains) == true
            case .failure: false
            }
        return isListed || additions.contains { $0(attempt) }
    }
}
