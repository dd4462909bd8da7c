/// The time limits of one exchange. The deadline of the request covers the whole call.
public struct HTTPTimeouts: Hashable, Sendable {
    /// A time limit, or the session's own.
    public enum Limit: Hashable, Sendable {
        /// The session's own limit: 10 s to connect, 60 s idle, and no other limit, unless
        /// configured. A deadline turns it off.
        case standard
        /// No limit.
        case never
        /// A limit, which must be more than zero.
        case after(Duration)

        /// Returns a limit in seconds. A value that is too large for a `Duration`, such as
        /// infinity, gives ``never``. A value that is not positive, or not a number, makes sending
        /// throw.
        public static func seconds(_ seconds: Double) -> Self {
            if seconds >= 0x1p62 { return .never }
            return .after(seconds > 0 ? .seconds(seconds) : .zero)
        }
        /// Returns a limit in milliseconds. A value that is not positive makes sending throw.
        public static func milliseconds(_ milliseconds: Int) -> Self {
            .after(.milliseconds(milliseconds))
        }
    }

    /// The limit of name resolution, connecting and TLS together.
    public var connect: Limit
    /// The limit of one TLS handshake, from its first byte until the request can be written.
    ///
    /// The limit ``connect`` covers the handshake, too. This one ends the wait for a server that
    /// accepts connections and then says nothing, without hurrying a slow network. A connection
    /// that is used again has no handshake, and over HTTP/3 the handshake is the connecting itself:
    /// only ``connect`` limits it. A transport that cannot see handshakes refuses the request with
    /// `unsupportedOption`.
    public var tls: Limit
    /// The limit of the wait for the response: from the last byte of the request to the last line
    /// of the final head. Interim responses, such as 103 (Early Hints), do not end the wait.
    ///
    /// The limit does not run while the request's body is still being sent, nor before a server
    /// has let the client send it, and a head that comes before the body's end leaves nothing to
    /// limit. Each exchange has its own limit: each redirect, each retry, and each repetition by
    /// the transport itself. The limit ``idle`` runs beside it, and ends a longer wait first.
    public var responseHead: Limit
    /// The longest time without a byte sent or received. Does not run while the reader of the
    /// response is slow, or the producer of the request's body.
    public var idle: Limit
    /// The limit from submission to the last byte of the body.
    public var total: Limit

    /// Creates limits; those that are left out are the session's own.
    public init(
        connect: Limit = .standard, tls: Limit = .standard, responseHead: Limit = .standard,
        idle: Limit = .standard, total: Limit = .standard
    ) {
        self.connect = connect
        self.tls = tls
        self.responseHead = responseHead
        self.idle = idle
        self.total = total
    }

    /// - Throws: `invalidRequest` if a limit is not positive.
    package func check() throws(HTTPError) {
        try connect.check(.connect)
        try tls.check(.tls)
        try responseHead.check(.responseHead)
        try idle.check(.idle)
        try total.check(.total)
    }
}

extension HTTPTimeouts.Limit {
    fileprivate func check(_ name: HTTPError.Timer.Name) throws(HTTPError) {
        guard case .after(let duration) = self, duration <= .zero else { return }
        throw HTTPError(
            .invalidRequest,
            "the \(name) limit of \(duration.readable) is not positive: use .never for no limit",
            phase: .preparing)
    }
}
