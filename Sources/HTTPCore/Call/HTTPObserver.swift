/// Something that happened to a call.
public struct HTTPEvent: Sendable {
    public var callID: UInt64
    /// The number of the exchange, 1 for the call's first; `nil` for an event of the call itself.
    ///
    /// It is the place in ``HTTPTimeline/exchanges``, counted from 1.
    public var exchange: Int?
    /// The time of the event, on the call's clock.
    public var instant: HTTPInstant
    public var kind: Kind

    /// Requests are without their call. Grows in minor releases: write a `default` when switching over
    /// it.
    public enum Kind: Sendable {
        /// The transport has accepted the request.
        case queued(HTTPRequest)
        /// An exchange begins.
        case sending(HTTPRequest)
        /// The request's last byte has left. Never of a request that was cut short.
        case sent
        /// An interim response (RFC 9110 §15.2).
        case informational(HTTPResponse.Head)
        case head(HTTPResponse.Head)
        /// The body has ended, and with it the exchange: a response that ends before its request has
        /// been sent has ended for its reader, the exchange when the rest is sent, or fails to be.
        ///
        /// The exchange's times and bytes come with it; they are final.
        case ended(HTTPBodyEnd, HTTPTimeline.Exchange)
        /// The exchange ended without a response.
        case failed(any Error)
        /// The call has ended with a response, whose body has ended: the call's last event, but for
        /// exchanges that it left behind, such as a hedge that lost.
        ///
        /// Reported by ``HTTPObservation`` and by the sessions that begin calls with an observer.
        case callEnded(HTTPBodyEnd)
        /// The call has ended without a response that its caller accepts, or was cancelled: the
        /// call's last event, as ``callEnded(_:)`` is.
        case callFailed(any Error)
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
        case .sending(let request): .sending(request.endingCall())
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

/// An observer of calls: for logs, metrics and traces.
///
/// It is given to a call when the call begins. Two observers are joined with `+`.
public protocol HTTPObserver: Sendable {
    /// Returns the observer of one call, which may keep what belongs to that call, such as a span.
    ///
    /// Runs when the call begins, in the task that began it, where task-local values are those of the
    /// caller. By default the observer observes all its calls itself.
    ///
    /// - Returns: the observer that gets the call's events, or `nil` if they are of no interest.
    func began(_ call: HTTPCall) -> (any HTTPObserver)?

    /// Takes note of an event.
    ///
    /// Runs where the event happens, which may be a transport's thread: it must return at once and
    /// must not block. Events of one call come in order.
    func observe(_ event: HTTPEvent)
}

extension HTTPObserver {
    public func began(_ call: HTTPCall) -> (any HTTPObserver)? { self }
}

/// Returns an observer that passes each event to `a` and then to `b`.
public func + (a: any HTTPObserver, b: any HTTPObserver) -> any HTTPObserver {
    JoinedObserver(first: a, second: b)
}

private struct JoinedObserver: HTTPObserver {
    let first: any HTTPObserver
    let second: any HTTPObserver

    func began(_ call: HTTPCall) -> (any HTTPObserver)? {
        switch (first.began(call), second.began(call)) {
        case (let first?, let second?): JoinedObserver(first: first, second: second)
        case (let first?, nil): first
        case (nil, let second): second
        }
    }

    func observe(_ event: HTTPEvent) {
        first.observe(event)
        second.observe(event)
    }
}
