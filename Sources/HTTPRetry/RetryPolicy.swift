public import HTTPCore

/// Which outcomes are worth another attempt, how many, and after which wait: what ``Retry`` wishes.
///
/// A value: change a copy, or derive one with ``unless(_:)`` and ``also(_:)``. A request's own
/// ``HTTPCore/HTTPRequest/maxRetries`` goes before the policy's.
public struct RetryPolicy: Sendable {
    /// Retried without further ado. Any other method needs an idempotency key, or a failure before
    /// there was a connection.
    public var methods: Set<HTTPMethod>
    public var statuses: Set<HTTPStatus>
    /// A call's own deadline is never one of them, though it is a `timedOut`.
    public var errorCodes: Set<HTTPError.Code>
    /// N retries are N + 1 attempts.
    public var maxRetries: Int
    public var backoff: Backoff
    /// Beyond it, what a server's `Retry-After` asks for is not waited but the response handed back.
    public var retryAfterLimit: Duration
    /// A request with this field may be sent again whatever its method; `nil` trusts no field.
    public var idempotencyKey: HTTPHeaderName?

    typealias Predicate = @Sendable (RetryAttempt) -> Bool
    typealias Decider = @Sendable (RetryAttempt) async throws -> RetryDecision
    private var exceptions: [Predicate] = []
    private var additions: [Predicate] = []
    private var decider: Decider?

    public init(
        methods: Set<HTTPMethod>, statuses: Set<HTTPStatus>, errorCodes: Set<HTTPError.Code>,
        maxRetries: Int, backoff: Backoff = Backoff(), retryAfterLimit: Duration = .seconds(60),
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

    /// Nothing is sent again.
    public static var none: Self { Self(methods: [], statuses: [], errorCodes: [], maxRetries: 0) }

    /// Idempotent methods, or an `Idempotency-Key`; 408, 425, 429, 500, 502, 503, 504 and connections
    /// that failed; two retries; full jitter from 0.5 s to 20 s; `Retry-After` up to a minute.
    public static var standard: Self {
        Self(
            methods: [.get, .head, .options, .trace, .put, .delete, .query],
            statuses: [
                .requestTimeout, .tooEarly, .tooManyRequests, .internalServerError, .badGateway,
                .serviceUnavailable, .gatewayTimeout,
            ],
            errorCodes: [
                .nameNotResolved, .cannotConnect, .connectionLost, .bodyIncomplete, .timedOut,
            ],
            maxRetries: 2)
    }

    /// Asks a closure after every failure; a response is never one, whatever its status. What it has
    /// sent again draws on the budget like anything else.
    ///
    /// - Parameters:
    ///   - maxRetries: what ends a closure that always retries: the call then fails with
    ///     `retriesExhausted`.
    ///   - delay: before every retry.
    ///   - decide: a throw ends the call with `retryFailed`.
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

    /// As ``deciding(maxRetries:delay:_:)``, with an object.
    public static func deciding(
        maxRetries: Int = 10, delay: Duration = .seconds(0.1), by decider: any RetryDeciding
    ) -> Self {
        deciding(maxRetries: maxRetries, delay: delay) { try await decider.decision(about: $0) }
    }

    /// The same policy, leaving alone what `predicate` holds for.
    public func unless(_ predicate: @escaping @Sendable (RetryAttempt) -> Bool) -> Self {
        var copy = self
        copy.exceptions.append(predicate)
        return copy
    }

    /// The same policy, retrying also what `predicate` holds for, if the method may be sent again.
    public func also(_ predicate: @escaping @Sendable (RetryAttempt) -> Bool) -> Self {
        var copy = self
        copy.additions.append(predicate)
        return copy
    }
}

/// What a closure says of a failure.
public enum RetryDecision: Sendable {
    case retry
    /// The new request takes the place of the original for all attempts that follow.
    case retryWithRequest(HTTPRequest)
    /// Fails with the failure itself.
    case drop
    /// Fails with `retryDropped` and this reason, the failure inside.
    case dropWithReason(String)
}

/// Decides about failures, see ``RetryPolicy/deciding(maxRetries:delay:by:)``.
public protocol RetryDeciding: Sendable {
    func decision(about attempt: RetryAttempt) async throws -> RetryDecision
}

// MARK: - What a policy wishes

extension RetryPolicy {
    enum Wish: Sendable {
        /// Says nothing: whoever is outside may still ask.
        case none
        /// - isDemand: whether a refusal is a failure of its own.
        case retry(with: HTTPRequest? = nil, isDemand: Bool = false)
        /// Nobody outside may ask either.
        case drop(throwing: any Error, HTTPRetryDecision.Refusal)
    }

    func wish(for attempt: RetryAttempt) async throws -> Wish {
        if let decider { return try await wish(of: decider, for: attempt) }
        guard isWorthwhile(attempt), maySendAgain(attempt),
            !exceptions.contains(where: { $0(attempt) })
        else { return .none }
        return .retry()
    }

    private func wish(of decider: Decider, for attempt: RetryAttempt) async throws -> Wish {
        guard let error = attempt.error else { return .none }
        switch try await decider(attempt) {
        case .retry: return .retry(isDemand: true)
        case .retryWithRequest(let request): return .retry(with: request, isDemand: true)
        case .drop: return .drop(throwing: error, .dropped)
        case .dropWithReason(let reason):
            let failure = HTTPError(
                .retryDropped, reason, mayHaveReachedServer: attempt.end.mayHaveReachedServer,
                response: attempt.end.head, underlyingError: error)
            return .drop(throwing: failure, .dropped)
        }
    }

    func petition(for attempt: RetryAttempt) -> RetryPetition {
        RetryPetition(
            .policy, delay: backoff.delay(beforeRetry: attempt.index),
            retryAfterLimit: retryAfterLimit, isHarmless: true)
    }

    /// Whether an outcome is an answer that nobody would send again for.
    func accepts(_ outcome: HTTPOutcome) -> Bool {
        guard case .success(let response) = outcome else { return false }
        return !statuses.contains(response.status)
    }

    /// Whether there is nothing to say about a response: known by its status and its body's kind alone,
    /// and so without what else there is to know of an attempt.
    ///
    /// - Parameter isSuccessPassed: ``passesSuccess``, known beforehand.
    func passes(_ response: HTTPResponse, isSuccessPassed: Bool) -> Bool {
        let status = response.status
        return
            (isSuccessPassed && status.isSuccessful
            || additions.isEmpty && !statuses.contains(status))
            && !response.body.isStream
    }

    /// Whether no successful status is of interest: asked once, where looking one up is for every call.
    var passesSuccess: Bool { additions.isEmpty && !statuses.contains(where: \.isSuccessful) }

    /// Whether it may wish for anything at all.
    package var isActive: Bool {
        decider != nil || !statuses.isEmpty || !errorCodes.isEmpty || !additions.isEmpty
    }

    private func isWorthwhile(_ attempt: RetryAttempt) -> Bool {
        let isListed =
            switch attempt.end {
            case .response(let head): statuses.contains(head.status)
            case .failure(let error as HTTPError):
                errorCodes.contains(error.code) && error.timer?.name != .deadline
            case .failure: false
            }
        return isListed || additions.contains { $0(attempt) }
    }

    private func maySendAgain(_ attempt: RetryAttempt) -> Bool {
        repeats(attempt.request) || (attempt.error as? HTTPError)?.isBeforeConnection == true
    }

    /// Whether a request may be sent twice though the first one may have reached the server.
    func repeats(_ request: HTTPRequest) -> Bool {
        methods.contains(request.method)
            || idempotencyKey.map { request.headers.contains($0) } == true
    }
}

extension HTTPError {
    /// There was no connection that anything could have been sent on.
    package var isBeforeConnection: Bool {
        (code == .nameNotResolved || code == .cannotConnect) && !mayHaveReachedServer
    }
}
