import HTTPCore

/// The loop's record of one route: its running and waiting exchanges, what its server announced,
/// and the counts of its past exchanges.
///
/// An exchange looks up its lane once and then holds it, because a route takes long to hash and to
/// compare. Lives on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
final class Lane {
    let route: ConnectionRoute
    /// `true` if its connections speak HTTP/3.
    let isHTTP3: Bool
    /// `true` if a server that is not yet known may speak a version that multiplexes.
    private let mayMultiplex: Bool
    /// The URL for its transfers, which hold the lane.
    private(set) lazy var url = CurlURL(route.origin)
    @safe @exclusivity(unchecked) var queue: AdmissionQueue
    /// The pools in which its exchanges run.
    @safe @exclusivity(unchecked) var places: Places
    /// The configured number of connections.
    private let maximum: Int
    /// `true` if the scheduler is to look at the queue.
    @safe @exclusivity(unchecked) var isChanged = false
    /// `true` if one connection may serve several exchanges at a time: the server speaks HTTP/2 or
    /// HTTP/3, or may turn out to.
    @safe @exclusivity(unchecked) var isMultiplexed: Bool
    /// The origin's HTTP/3, if its exchanges may go there because the server announces it.
    @safe @exclusivity(unchecked) var http3: HTTP3Availability?
    /// The lane of that service, once it was used.
    @safe @exclusivity(unchecked) var http3Lane: Lane?
    /// The number of its series of connections. Another series begins, so that no further exchange
    /// uses those of the last one, when a connection of HTTP/3 has turned silent, or when one that
    /// several exchanges share may carry no further one.
    @safe @exclusivity(unchecked) private(set) var series = 0
    /// The number of exchanges that were started for the current series, as far as they were
    /// counted.
    @safe @exclusivity(unchecked) private var shares = 0
    /// `true` if the last response has come over a version that does not multiplex.
    @safe @exclusivity(unchecked) var speaksHTTP1 = false
    /// The names that libcurl looks up on this machine for its connections.
    let names: [HostLookups.Name]
    /// The time that a connection may be idle, in nanoseconds, if the server has announced when it
    /// closes it (`Keep-Alive`). See ``AnnouncedIdleTimeout``.
    @safe @exclusivity(unchecked) var idleTime: Int64?
    /// The number of sockets that were made for its exchanges and are not closed.
    @safe @exclusivity(unchecked) var openSockets = 0
    /// The header lines of the last request, for the next one; `nil` if they are too long to keep.
    @safe @exclusivity(unchecked) var headers: HeaderList?
    /// `true` if the loop no longer knows the lane: no exchange will use it.
    @safe @exclusivity(unchecked) var isForgotten = false
    /// The counts of exchanges that have ended.
    @safe @exclusivity(unchecked) var counts = CurlStatistics.Counts()

    init(_ route: ConnectionRoute, limit: Int, waitingLimit: Int, pools: Int = 1) {
        self.route = route
        isHTTP3 = route.protocols.isHTTP3
        mayMultiplex = route.mayMultiplex
        maximum = limit
        isMultiplexed = mayMultiplex
        places = Places(limit: pools)
        queue = AdmissionQueue(limit: 0, waitingLimit: waitingLimit)
        names = route.names
        queue.limit = self.limit(speaking: nil)
    }

    /// Returns the number of exchanges that may run at a time.
    ///
    /// - Parameter version: The version that the server speaks, or `nil` if it is not known.
    func limit(speaking version: HTTPVersion?) -> Int {
        AdmissionQueue.limit(
            maximum, with: route.origin.scheme,
            speaking: isHTTP3 && route.protocols == .http3Single ? .http1_1 : version)
    }

    /// Forgets what was learnt of the server, which may not hold any more once its connections are
    /// gone.
    func forgetServer() {
        queue.limit = limit(speaking: nil)
        isMultiplexed = mayMultiplex
    }

    /// The host and port that its connections are made to.
    var place: (host: String, port: Int) { route.place }

    /// Lets no further exchange use the connections that were made so far.
    func beginSeries() {
        series += 1
        shares = 0
    }

    /// Counts an exchange that starts, so that exchanges that wait together for one connection are
    /// no more than it may carry. A connection that carries one at a time needs no such care.
    ///
    /// - Parameter maximum: The number of exchanges that a connection may carry.
    /// - Returns: `true` if another series has begun.
    @discardableResult
    func takeShare(maximum: Int) -> Bool {
        guard mayShareConnections else { return false }
        let isFull = shares >= maximum
        if isFull { beginSeries() }
        shares += 1
        return isFull
    }

    /// Takes back the count of an exchange of the current series that starts again later.
    func giveBackShare() { shares = max(0, shares - 1) }

    /// `true` if several exchanges that start now may come to share a connection.
    var mayShareConnections: Bool { mayMultiplex && !speaksHTTP1 }

    /// `true` if the exchange that starts may find an open connection that has room for it.
    var mayHaveConnection: Bool {
        isMultiplexed ? openSockets > 0 : openSockets >= queue.active
    }

    /// Returns the header lines of a request, which often are those of the last one.
    func headerList(
        _ headers: HTTPHeaders, _ additions: HeaderList.Additions
    ) throws(HTTPError) -> HeaderList {
        if let list = self.headers, list.fits(headers, additions) { return list }
        let list = try HeaderList(headers, additions)
        self.headers = headers.byteCount <= CurlEasyHandle.Settings.lengthLimit ? list : nil
        return list
    }

    /// The number of sockets whose connections wait for the next exchange.
    var idleSockets: Int {
        if queue.active == 0 { return openSockets }
        return isMultiplexed ? 0 : max(0, openSockets - queue.active)
    }
}

extension Lane {
    /// The loop's pools in which the exchanges of one lane run.
    ///
    /// For each request, libcurl searches all connections of a host in a pool. Exchanges of
    /// HTTP/1.1 take a connection each, so they fill one pool after the other. A few connections
    /// stay together, where idle ones are found again, and hundreds are never in one list.
    struct Places {
        /// The number of a lane's connections that one pool takes before the next one is used.
        static let capacity = 32

        /// The maximum number of pools. Exchanges beyond their capacity go to the last pool.
        let limit: Int
        private var counts: [Int] = []

        init(limit: Int) { self.limit = limit }

        /// Adds an exchange that starts and returns its pool. Exchanges that can share a connection
        /// are in the first pool.
        mutating func enter(sharing: Bool) -> Int {
            let pool =
                sharing
                ? 0 : min(limit - 1, counts.firstIndex { $0 < Self.capacity } ?? counts.count)
            if pool >= counts.count { counts.append(0) }
            counts[pool] += 1
            return pool
        }

        mutating func leave(_ pool: Int) { counts[pool] -= 1 }
    }
}
