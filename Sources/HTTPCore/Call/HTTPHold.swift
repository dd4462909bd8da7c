/// The kinds of limits of this client that hold requests back. See `HTTPEvent.Kind.held(_:for:)`.
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
