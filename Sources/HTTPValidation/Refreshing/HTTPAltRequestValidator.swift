public import HTTPCore
public import HTTPRetry

/// Sends another request, such as a login, when credentials are refused, then the original again.
///
/// Calls that are refused at the same time share one such request and are sent again with its
/// result. A call that was sent before a refresh ended and is refused later is sent again without
/// another refresh. If the refresh fails, all calls that wait for it or were sent before it fail
/// with `refreshFailed`; the next call may try again. If the other request is refused itself, with
/// one of the statuses, that is one of the `maxAltRequests`: the original is sent again unchanged
/// while there are more.
///
/// Calls that the refresh makes, such as those of its receiver, start no other refresh.
///
/// Its limit is independent of `maxRetries`. The other request enters below the validators, marked,
/// so that no validator and no retry applies to it. Put this validator first.
public struct HTTPAltRequestValidator: HTTPValidator {
    /// Returns the other request for an outcome, or `nil` if none would help: the next validator
    /// then judges. It is called for each refused call that may be sent again, though one request
    /// serves all calls that wait.
    public typealias Provider =
        @Sendable (_ original: HTTPRequest, _ outcome: HTTPOutcome) async throws -> HTTPRequest?
    /// Receives the other request's response, once. The body is in memory, and the status is no
    /// error. If it throws, the refresh has failed.
    public typealias Receiver =
        @Sendable (_ alternative: HTTPRequest, _ response: HTTPResponse) async throws -> Void
    /// Receives the failure of the other request: no response, or an error status, which the error
    /// has (``/HTTPCore/HTTPError/response``). The receiver of responses is not called.
    public typealias FailureReceiver =
        @Sendable (_ alternative: HTTPRequest, _ error: any Error) async -> Void
    /// Changes a request that is sent again, for example its credentials. It is not needed if a
    /// layer below does that for every attempt.
    public typealias Preparation =
        @Sendable (_ original: inout HTTPRequest, _ response: HTTPResponse) async throws -> Void

    private let rule: RefreshRule<HTTPResponse>
    private let limit: Duration
    private let provide: Provider
    private let receive: Receiver?
    private let receiveFailure: FailureReceiver?

    /// - Parameters:
    ///   - statusCodes: The status codes for which the validator acts.
    ///   - errorCodes: The failures that are treated as refused credentials.
    ///   - maxAltRequests: The limit per call. Beyond it, the call fails with its last outcome.
    ///   - retryDelay: The wait between the other request's response and the original.
    ///   - limit: The time that the other request, with its receiver, may take.
    ///   - provide: Returns the other request, or `nil` if none would help.
    ///   - receive: Receives the response of the other request.
    ///   - receiveFailure: Receives the failure of the other request.
    ///   - prepare: Changes a request that is sent again. It is not needed if a layer below does
    ///     that for every attempt.
    public init(
        statusCodes: Set<HTTPStatus> = [.unauthorized, .forbidden],
        errorCodes: Set<HTTPError.Code> = [], maxAltRequests: Int = 1,
        retryDelay: Duration = .zero, limit: Duration = .seconds(60),
        onProvideAltRequest provide: @escaping Provider,
        onReceiveAltResponse receive: Receiver? = nil,
        onAltRequestFailure receiveFailure: FailureReceiver? = nil, prepare: Preparation? = nil
    ) {
        self.rule = RefreshRule(
            statuses: statusCodes, errors: errorCodes, maximum: maxAltRequests, delay: retryDelay,
            limit: limit, prepare: prepare)
        self.limit = limit
        self.provide = provide
        self.receive = receive
        self.receiveFailure = receiveFailure
    }

    public func willSend(_ request: inout HTTPRequest) { rule.willSend(&request) }

    public func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        try await rule.verdict(on: outcome, of: attempt) {
            guard let alternative = try await provide(attempt.request, outcome)?.readWhole
            else { return nil }
            return { [limit, receive, receiveFailure] original, call, next in
                var alternative = alternative
                if alternative.deadline == nil {
                    alternative.setDeadline(in: limit, on: call.clock)
                }
                let response: HTTPResponse
                do {
                    let outcome = await call.send(
                        alternative: alternative, for: original, over: next)
                    response = try await outcome.get().buffered()
                    guard !response.status.isError else {
                        throw HTTPError.unexpectedStatus(response.head)
                    }
                } catch {
                    if !(error is CancellationError) { await receiveFailure?(alternative, error) }
                    throw error
                }
                try await receive?(alternative, response)
                return response
            }
        }
    }
}
