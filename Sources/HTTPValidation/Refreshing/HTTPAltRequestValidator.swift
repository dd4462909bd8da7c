public import HTTPCore
public import HTTPRetry

/// Sends another request, such as a login, when credentials are refused, then the original again.
///
/// Calls that are refused at the same time share one such request and are sent again with what it
/// brought. One that was refused after it had been overtaken by a refresh is sent again without
/// another. When the refresh fails, all who wait for it fail with `refreshFailed`, and so do those
/// that were sent before; the next call may try again. One that was refused itself, with one of the
/// statuses, is one round of `maxAltRequests`: the original is sent again as it is while there are
/// more.
///
/// Calls that the refresh makes, such as those of its receiver, start no refresh of any kind.
///
/// The budget is its own, independent of `maxRetries`. The other request enters below the validators,
/// marked, so that no validator and no retry applies to it. Put this validator first.
public struct HTTPAltRequestValidator: HTTPValidator {
    /// Makes the other request for what was refused; `nil` if none would help, and the next
    /// validator judges. Asked for each refused call that may be sent again, though one's request
    /// serves all that wait.
    public typealias Provider =
        @Sendable (_ original: HTTPRequest, _ outcome: HTTPOutcome) async throws -> HTTPRequest?
    /// Takes what the other request brought, once. Its body is in memory; its status is no error. A
    /// throw is a failure of the refresh.
    public typealias Receiver =
        @Sendable (_ alternative: HTTPRequest, _ response: HTTPResponse) async throws -> Void
    /// Sees how the other request failed: without a response, or with an error status, which the
    /// error has (``HTTPCore/HTTPError/response``). The receiver is not called then.
    public typealias FailureReceiver =
        @Sendable (_ alternative: HTTPRequest, _ error: any Error) async -> Void
    /// Puts what was brought into a request that is sent again; needless where a layer below reads it
    /// for every attempt.
    public typealias Preparation =
        @Sendable (_ original: inout HTTPRequest, _ response: HTTPResponse) async throws -> Void

    private let rule: RefreshRule<HTTPResponse>
    private let limit: Duration
    private let provide: Provider
    private let receive: Receiver?
    private let receiveFailure: FailureReceiver?

    /// - Parameters:
    ///   - errorCodes: failures to be taken for refused credentials, too; none unless told.
    ///   - maxAltRequests: per call. Beyond, the call fails with `retriesExhausted`.
    ///   - retryDelay: between the other request's response and the original.
    ///   - limit: how long the other request, with its receiver, may take.
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
            guard var alternative = try await provide(attempt.request, outcome) else { return nil }
            if case .streamed = alternative.delivery {
                alternative.delivery = .buffered(upTo: HTTPBody.defaultLimit)
            }
            return { [alternative, limit, receive, receiveFailure] original, engine, next in
                var alternative = alternative
                alternative.deadline = alternative.deadline ?? engine.call.clock.now + limit
                let response: HTTPResponse
                do {
                    let outcome = await engine.send(
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
