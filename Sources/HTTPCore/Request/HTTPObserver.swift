/// An event in a call.
public struct HTTPEvent: Sendable {
    /// The call that the event belongs to. See ``HTTPCall/id``.
    public var callID: UInt64
    /// The number of the exchange, 1 for the call's first; `nil` for an event of the call itself.
    ///
    /// It is the place in ``HTTPTimeline/exchanges``, counted from 1.
    public var exchange: Int?
    /// The time of the event, on the call's clock.
    public var instant: HTTPInstant
    /// The kind of the event, with its values.
    public var kind: Kind

    /// The kind of an event: a step of an exchange, the end of the call, or an event that a layer
    /// has a type for. Requests in it have no call. Minor releases may add cases: write a `default`
    /// in a `switch`.
    public enum Kind: Sendable {
        /// The transport has accepted the request, which waits for its turn.
        case queued(HTTPRequest)
        /// The transport has made a step in the choice of the exchange's version of HTTP.
        case versionChosen(HTTPVersionChoice)
        /// The exchange has its turn: it has waited since ``queued(_:)``.
        case sending(HTTPRequest)
        /// The addresses of a host are looked up: of the origin, a proxy or a connect target.
        ///
        /// This case and those up to ``connected(_:)`` are the steps to a new connection. A
        /// transport reports those that it knows. `CurlTransport` knows all of them;
        /// `URLSessionTransport` knows none.
        case resolving(String)
        /// The host has addresses.
        case resolved(String)
        /// A socket is being connected to an address, written as in an authority:
        /// `127.0.0.1:443`, `[::1]:80`, or `unix:` and a path. A host with several addresses may
        /// lead to several of these events.
        case connecting(to: String)
        /// A TLS handshake begins, with the server or with a proxy. QUIC has no such step.
        case securing
        /// The exchange has a connection, new or kept, and its request is about to be written: the
        /// peer, ``HTTPTimeline/Exchange/isConnectionReused``, TLS, and the times so far.
        ///
        /// Reported once more each time the transport sends the request again by itself.
        case connected(HTTPTimeline.Exchange)
        /// The last byte of the request has been sent. Not reported for a request that was cut
        /// short.
        case sent
        /// An interim response (RFC 9110 §15.2).
        case informational(HTTPResponse.Head)
        /// The head of the final response.
        case head(HTTPResponse.Head)
        /// The body has ended, and so has the exchange, whose times and bytes are final now. If the
        /// response ends before its request has been sent, the reader sees the end at once, and
        /// this event follows when the rest has been sent or sending has failed.
        case ended(HTTPBodyEnd, HTTPTimeline.Exchange)
        /// The exchange ended without a response.
        case failed(any Error)
        /// The call has ended with a response whose body has ended. It is the call's last event,
        /// except for exchanges that the call left behind, such as a hedged one that lost.
        ///
        /// Reported by the session that began the call with an observer: a client, or the layer
        /// `HTTPObservation`.
        case callEnded(HTTPBodyEnd)
        /// The call has thrown this error, which may be `CancellationError`. It is the call's last
        /// event, as ``callEnded(_:)`` is.
        case callFailed(any Error)
        /// An event of a layer, matched as an error is:
        /// `case .layer(HTTPCredentialEvent.refreshing)` or
        /// `case .layer(let status as HTTPCacheStatus)`.
        case layer(any HTTPLayerEvent)
    }
}

extension HTTPEvent.Kind {
    /// The same event with a request that has no call. A call holds its observer, so an observer
    /// that keeps events would otherwise retain itself.
    var withoutCall: Self {
        switch self {
        case .queued(let request): .queued(request.endingCall())
        case .sending(let request): .sending(request.endingCall())
        default: self
        }
    }
}

/// An observer of calls: for logs, metrics and traces.
///
/// It is given to a call when the call begins. Two observers are joined with `+`.
public protocol HTTPObserver: Sendable {
    /// Returns the observer of one call, which may keep what belongs to that call, such as a span.
    ///
    /// Runs when the call begins, in the task that began it, where task-local values are those of
    /// the caller. By default the observer observes all its calls itself.
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
