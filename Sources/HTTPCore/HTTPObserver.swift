/// Something that happened to a call.
public struct HTTPEvent: Sendable {
    public var callID: UInt64
    /// On the call's clock.
    public var instant: HTTPInstant
    public var kind: Kind

    /// Grows in minor releases: write a `default` when switching over it.
    public enum Kind: Sendable {
        /// The transport has accepted the request.
        case queued(HTTPRequest)
        /// An exchange begins; `attempt` counts the call's sends from 1.
        case sending(HTTPRequest, attempt: Int)
        /// The request's last octet has left.
        case sent
        /// An interim response (RFC 9110 §15.2).
        case informational(HTTPResponse.Head)
        case head(HTTPResponse.Head)
        /// The body has ended, and with it the exchange.
        case ended(HTTPBodyEnd)
        /// The exchange ended without a response.
        case failed(any Error)
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
