/// A record of what happened on the wire for one request.
public struct LoopbackExchange: Sendable {
    /// The way in which a connection ended.
    package enum Ending: Sendable, Hashable {
        /// The server closed it, because of a script or because the server stopped.
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
    /// The request as last seen by the log: first its head, then all of it.
    ///
    /// `nil` if the connection ended before the head was complete; ``bytes`` then has what arrived.
    public internal(set) var request: LoopbackRequest?
    /// The bytes of the request as they were on the wire, including framing.
    ///
    /// Updated when the head is complete, when the request is complete, and when the exchange ends.
    /// Bytes beyond the limit of the log are missing, but are counted in `bytesReceived`.
    public internal(set) var bytes: [UInt8] = []
    /// The number of bytes of the request that have been read so far.
    package internal(set) var bytesReceived = 0
    /// The number of bytes that the system has accepted for the client so far. The client may not
    /// have received them yet.
    public internal(set) var bytesSent = 0
    /// `true` if the script is over and the connection was kept for the next request.
    package internal(set) var isFinished = false
    /// The way in which the connection ended, possibly after further exchanges; `nil` while it is
    /// open.
    package internal(set) var ending: Ending?

    /// `true` if all of the request has arrived.
    package var isRequestComplete: Bool { request?.isComplete ?? false }

    init(connection: Int, number: Int) {
        self.connection = connection
        self.number = number
    }
}

/// The counts of a server's connections.
public struct LoopbackConnections: Sendable, Hashable {
    /// The connections that were accepted so far.
    public internal(set) var accepted = 0
    /// The connections that are open now.
    public internal(set) var open = 0
    /// The most connections that were open at once.
    public internal(set) var highWater = 0
}

/// The state of a server at one moment.
public struct LoopbackSnapshot: Sendable {
    /// The latest exchanges, in the order in which they began.
    public internal(set) var log: [LoopbackExchange] = []
    /// The counts of the connections at that moment.
    public internal(set) var connections = LoopbackConnections()
    /// The number of requests that have begun, including those no longer in the log.
    public internal(set) var requestCount = 0
}
