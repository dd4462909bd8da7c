public import HTTPCore
public import HTTPRetry

/// Runs a task, such as a login, when credentials are refused, then sends the original again. The
/// requests that are sent again get the task's value, such as a token. See
/// ``HTTPAltRequestValidator`` for the rules.
///
/// ```swift
/// HTTPAltTaskValidator { session in
///     try await session.response(Token.self, for: login).value
/// } prepare: { request, token in
///     try request.headers.set(.authorization, "Bearer \(token)")
/// }
/// ```
///
/// Calls that the task makes start no other refresh: validators that refresh do not judge them.
/// Work that goes on after the task's end, such as a poll, needs a detached task; otherwise it
/// stays part of the refresh.
public struct HTTPAltTaskValidator<Fresh: Sendable>: HTTPValidator {
    private let rule: RefreshRule<Fresh>
    private let isResponsible: @Sendable (HTTPRequest) -> Bool
    private let task: @Sendable (any HTTPSession) async throws -> Fresh

    /// - Parameters:
    ///   - statusCodes: The status codes for which the validator acts.
    ///   - errorCodes: The failures that are treated as refused credentials.
    ///   - maxTasks: The limit per call. Beyond it, the call fails with its last outcome.
    ///   - retryDelay: The wait between the task's end and the original.
    ///   - limit: The time that the task may take; it is then cancelled.
    ///   - isResponsible: Returns whether the task can help a request; if not, the next validator
    ///     judges.
    ///   - task: The work, which runs once for all calls that wait. It is cancelled only when the
    ///     last of them stops waiting. Its requests go through the session that it gets, which is
    ///     the client of the call: a client must not be captured by its own validator.
    ///   - prepare: Puts the value into a request that is sent again. It is not needed if a layer
    ///     below does that for every attempt.
    public init(
        statusCodes: Set<HTTPStatus> = [.unauthorized, .forbidden],
        errorCodes: Set<HTTPError.Code> = [], maxTasks: Int = 1, retryDelay: Duration = .zero,
        limit: Duration = .seconds(60),
        where isResponsible: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true },
        task: @escaping @Sendable (_ session: any HTTPSession) async throws -> Fresh,
        prepare: (@Sendable (_ original: inout HTTPRequest, Fresh) async throws -> Void)? = nil
    ) {
        self.rule = RefreshRule(
            statuses: statusCodes, errors: errorCodes, maximum: maxTasks, delay: retryDelay,
            limit: limit, prepare: prepare)
        self.isResponsible = isResponsible
        self.task = task
    }

    /// Creates a validator whose task sends nothing through the call's session. See the other
    /// initializer.
    ///
    /// - Important: A task that captures the client whose validator it is keeps that client, its
    ///   threads and its connections for ever. Use the other initializer, which passes the session.
    public init(
        statusCodes: Set<HTTPStatus> = [.unauthorized, .forbidden],
        errorCodes: Set<HTTPError.Code> = [], maxTasks: Int = 1, retryDelay: Duration = .zero,
        limit: Duration = .seconds(60),
        where isResponsible: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true },
        task: @escaping @Sendable () async throws -> Fresh,
        prepare: (@Sendable (_ original: inout HTTPRequest, Fresh) async throws -> Void)? = nil
    ) {
        self.init(
            statusCodes: statusCodes, errorCodes: errorCodes, maxTasks: maxTasks,
            retryDelay: retryDelay, limit: limit, where: isResponsible,
            task: { _ in try await task() }, prepare: prepare)
    }

    public func willSend(_ request: inout HTTPRequest) { rule.willSend(&request) }

    public func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        try await rule.verdict(on: outcome, of: attempt) {
            guard isResponsible(attempt.request) else { return nil }
            return { [task] original, call, next in
                try await task(
                    AlternativeSession(call: call, original: original, next: next))
            }
        }
    }
}

/// The session of a refresh, whose requests enter the session of the call at the top.
private struct AlternativeSession: HTTPSession {
    let call: HTTPCall
    let original: HTTPRequest
    let next: any HTTPSession

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await call.send(alternative: request, for: original, over: next).get()
    }
}
