public import HTTPCore
public import HTTPRetry

/// As ``HTTPAltRequestValidator``, with a task instead of a request: its value, such as a token, is what
/// is put into the requests that are sent again.
///
/// ```swift
/// HTTPAltTaskValidator {
///     try await tokens.refresh()
/// } prepare: { request, token in
///     try request.headers.set(.authorization, "Bearer \(token)")
/// }
/// ```
///
/// Calls that the task makes start no refresh of any kind: they are judged without the validators
/// that would. What the task leaves running after its end, such as a poll, starts in a detached
/// task, or it stays part of the refresh.
public struct HTTPAltTaskValidator<Fresh: Sendable>: HTTPValidator {
    private let rule: RefreshRule<Fresh>
    private let isResponsible: @Sendable (HTTPRequest) -> Bool
    private let task: @Sendable () async throws -> Fresh

    /// - Parameters:
    ///   - errorCodes: failures to be taken for refused credentials, too; none unless told.
    ///   - maxTasks: per call. Beyond, the call fails with `retriesExhausted`.
    ///   - retryDelay: between the task's end and the original.
    ///   - limit: how long the task may take; it is then cancelled.
    ///   - isResponsible: whether the task can help a request; if not, the next validator judges.
    ///   - task: run once for all calls that wait, in a task of its own: no caller's cancellation or
    ///     deadline ends it, but that of the last one who waits.
    ///   - prepare: puts the value into a request that is sent again; needless where a layer below
    ///     reads it for every attempt.
    public init(
        statusCodes: Set<HTTPStatus> = [.unauthorized, .forbidden],
        errorCodes: Set<HTTPError.Code> = [], maxTasks: Int = 1, retryDelay: Duration = .zero,
        limit: Duration = .seconds(60),
        where isResponsible: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true },
        task: @escaping @Sendable () async throws -> Fresh,
        prepare: (@Sendable (_ original: inout HTTPRequest, Fresh) async throws -> Void)? = nil
    ) {
        self.rule = RefreshRule(
            statuses: statusCodes, errors: errorCodes, maximum: maxTasks, delay: retryDelay,
            limit: limit, prepare: prepare)
        self.isResponsible = isResponsible
        self.task = task
    }

    public func willSend(_ request: inout HTTPRequest) { rule.willSend(&request) }

    public func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        try await rule.verdict(on: outcome, of: attempt) {
            guard isResponsible(attempt.request) else { return nil }
            return { [task] _, _, _ in try await task() }
        }
    }
}
