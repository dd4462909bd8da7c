/// What happened on the wire for one request.
public struct LoopbackExchange: Sendable {
    /// How a connection ended.
    public enum Ending: Sendable, Hashable {
        /// The server closed it: a script said so, or the server stopped.
        case serverClosed
        case serverReset
        /// The client closed it, or shut down its sending side while the server was waiting.
        case clientClosed
        case clientReset
    }

    /// The number of the connection, in the order of acceptance, from 1.
    public let connection: Int
    /// The number of the request on its connection, from 1.
    public let number: Int
    /// The request as last seen by the log: with its head, then with all of it.
    ///
    /// `nil` if the connection ended before the head was complete; ``bytes`` has what came.
    public internal(set) var request: LoopbackRequest?
    /// The bytes of the request as they were on the wire, framing and all.
    ///
    /// Taken when the head is complete, when the request is, and when the exchange ends. What
    /// exceeds the limit of the log is missing, but counted in ``bytesReceived``.
    public internal(set) var bytes: [UInt8] = []
    /// How many bytes of the request have been read so far.
    public internal(set) var bytesReceived = 0
    /// How many bytes the system has taken for the client so far; it may not have received them
    /// yet.
    public internal(set) var bytesSent = 0
    /// Whether the script is over and the connection was kept for the next request.
    public internal(set) var isFinished = false
    /// How the connection ended, maybe after further exchanges; `nil` as long as it is open.
    public internal(set) var ending: Ending?

    /// Whether all of the request has arrived.
    public var isRequestComplete: Bool { request?.isComplete ?? false }

    init(connection: Int, number: Int) {
        self.connection = connection
        self.number = number
    }
}

/// How many connections a server has and had.
public struct LoopbackConnections: Sendable, Hashable {
    public internal(set) var accepted = 0
    public internal(set) var open = 0
    /// The most connections that were open at once.
    public internal(set) var highWater = 0
}

/// All that a server knows at one moment.
public struct LoopbackSnapshot: Sendable {
    /// The latest exchanges, in the order in which they began.
    public internal(set) var log: [LoopbackExchange] = []
    public internal(set) var connections = LoopbackConnections()
    /// How many requests have begun, in the log or no longer.
    public internal(set) var requestCount = 0
}
