public import HTTPCore

/// An event of a limit of this client.
public enum HTTPLimitEvent: HTTPLayerEvent, Hashable {
    /// The call goes on after it has waited for a limit, for so long.
    case held(HTTPHold, for: Duration)
    /// A response to this call has paused the requests of all calls under a key, such as an origin,
    /// for so long. See ``OriginPause``.
    case paused(String, for: Duration)
    /// A response or a failure of this call, or its beginning, has changed the state of a circuit
    /// breaker for a key, such as an origin. See ``CircuitBreaker``.
    case circuitChanged(String, HTTPCircuitState)
}

/// The kinds of limits of this client that hold requests back. See ``HTTPLimitEvent/held(_:for:)``.
public enum HTTPHold: String, Hashable, Sendable {
    /// A limit on requests or bytes in a time.
    case rate
    /// A pause that a server has asked for.
    case pause
}

/// The state of a circuit breaker.
public enum HTTPCircuitState: String, Hashable, Sendable {
    /// Requests are sent.
    case closed
    /// Requests fail at once.
    case open
    /// A few requests are sent as probes, and the others fail at once.
    case halfOpen
}
