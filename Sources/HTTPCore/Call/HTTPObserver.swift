/// Something that happened to a call.
public struct HTTPEvent: Sendable {
    public var callID: UInt64
    /// On the call's clock.
    public var instant: HTTPInstant
    public var kind: Kind

    /// Requests are without their call. Grows in minor releases: write a `default` when switching over
    /// it.
    public enum Kind: Sendable {
        /// The transport has accepted the request.
        case queued(HTTPRequest)
        /// An exchange begins; `attempt` counts the call's sends from 1.
        case sending(HTTPRequest, attempt: Int)
        /// The request's last byte has left. Never of a request that was cut short.
        case sent
        /// An interim response (RFC 9110 §15.2).
        case informational(HTTPResponse.Head)
        case head(HTTPResponse.Head)
        /// The body has ended, and with it the exchange: a response that ends before its request has
        /// been sent has ended for its reader, the exchange when the rest is sent, or fails to be.
        case ended(HTTPBodyEnd)
        /// The exchange ended without a response.
        case failed(any Error)
        /// A response sends the call elsewhere: its head, and the request that follows.
        case redirected(HTTPResponse.Head, to: HTTPRequest)
        /// A sensitive field was taken off a request to an origin that it is not meant for.
        case secretWithheld(HTTPHeaderName, from: HTTPOrigin)
        /// A transport option was taken off a request to another origin than it is bound to: its
        /// name, see ``HTTPTransportOption/isBoundToOrigin(_:)``.
        case optionWithheld(String, from: HTTPOrigin)
        /// The call is sent again, or is not, and why.
        case retry(HTTPRetryDecision)
        /// A server or a proxy asks for credentials: its refusal, and whether it gets any.
        case challenged(HTTPResponse.Head, isAnswered: Bool)
        /// The call waits for new credentials, got for it alone or for several.
        case refreshing
        /// They are there, or why they could not be got.
        case refreshed((any Error)?)
    }
}

extension HTTPEvent.Kind {
    /// Requests in events have no call: it holds the observer, and an observer that keeps events would
    /// hold itself.
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
    /// Tells the observer that the call waits for new credentials while `body` runs, and how it ended.
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

/// Sees what happens to calls. Given to a call when it begins; two are joined with `+`.
public protocol HTTPObserver: Sendable {
    /// Called where the event happens, which may be a transport's thread: return at once, do not
    /// block. Events of one call come in order.
    func observe(_ event: HTTPEvent)
}

/// The observers of `a` and `b`, told in that order.
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
