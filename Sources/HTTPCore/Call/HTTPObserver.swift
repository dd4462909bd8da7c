/// An event in a call.
public struct HTTPEvent: Sendable {
    public var callID: UInt64
    /// The time of the event, on the call's clock.
    public var instant: HTTPInstant
    public var kind: Kind

    /// The kind of an event. Requests in it have no call. Minor releases may add cases: write a
    /// `default` in a `switch`.
    public enum Kind: Sendable {
        /// The transport has accepted the request.
        case queued(HTTPRequest)
        /// An exchange begins. `attempt` counts the sends of the call from 1.
        case sending(HTTPRequest, attempt: Int)
        /// The last byte of the request has been sent. Not reported for a request that was cut
        /// short.
        case sent
        /// An interim response (RFC 9110 §15.2).
        case informational(HTTPResponse.Head)
        case head(HTTPResponse.Head)
        /// The body has ended, and so has the exchange. If the response ends before its request has
        /// been sent, the reader sees the end at once, and this event follows when the rest has
        /// been sent or sending has failed.
        case ended(HTTPBodyEnd)
        /// The exchange ended without a response.
        case failed(any Error)
        /// A redirect: the head of the response, and the request that follows.
        case redirected(HTTPResponse.Head, to: HTTPRequest)
        /// A sensitive field was removed from a request to an origin that it is not meant for.
        case secretWithheld(HTTPHeaderName, from: HTTPOrigin)
        /// A transport option was removed from a request to an origin that it is not bound to: the
        /// name of the option. See ``HTTPTransportOption/isBoundToOrigin(_:)``.
        case optionWithheld(String, from: HTTPOrigin)
        /// The decision to send the call again or not, with its reason.
        case retry(HTTPRetryDecision)
        /// A server or a proxy asks for credentials: its response, and whether credentials are
        /// sent.
        case challenged(HTTPResponse.Head, isAnswered: Bool)
        /// The call waits for new credentials, fetched for it alone or for several calls.
        case refreshing
        /// The wait for new credentials has ended, with the error if it failed.
        case refreshed((any Error)?)
    }
}

extension HTTPEvent.Kind {
    /// The same event with a request that has no call. A call holds its observer, so an observer
    /// that keeps events would otherwise retain itself.
    var withoutCall: Self {
        switch self {
        case .queued(let request): .queued(request.endingCall())
        case .sending(let request, let attempt): .sending(request.endingCall(), attempt: attempt)
        case .redirected(let head, let request): .redirected(head, to: request.endingCall())
        default: self
        }
    }
}

extension HTTPCall {
    /// Reports to the observer that the call waits for new credentials while `body` runs, and then
    /// how the wait ended.
    package func reportingRefresh<Result>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        report(.refreshing)
        do {
            let result = try await body()
            report(.refreshed(nil))
            return result
        } catch {
            report(.refreshed(error))
            throw error
        }
    }
}

/// A type that receives the events of calls. A call gets its observer when it begins; `+` combines
/// two observers.
public protocol HTTPObserver: Sendable {
    /// Receives an event. Called where the event happens, possibly on a transport's thread: return
    /// quickly and do not block. The events of one call arrive in order.
    func observe(_ event: HTTPEvent)
}

/// Returns an observer that passes each event to `a` and then to `b`.
public func + (a: any HTTPObserver, b: any HTTPObserver) -> any HTTPObserver {
    JoinedObserver(first: a, second: b)
}

private struct JoinedObserver: HTTPObserver {
    let first: any HTTPObserver
    let second: any HTTPObserver

    func observe(_ event: HTTPEvent) {
        first.observe(event)
        second.observe(event)
    }
}
