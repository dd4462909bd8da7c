import HTTPCore

/// What the loop knows of one route: who runs there and who waits, what its server announced, and
/// what became of its exchanges.
///
/// Looked up once per exchange, which holds it from then on: a route is long to hash and to compare.
/// Lives on the loop's thread.
final class Lane {
    let route: ConnectionRoute
    /// Of its transfers, which hold on to the lane.
    let url: CurlURL
    var queue: AdmissionQueue
    /// Where its exchanges run.
    var places: PoolPlaces
    /// Those that wait are being started: who ends meanwhile leaves that to whoever does it.
    var isStarting = false
    /// Whether one connection may serve several exchanges at a time: HTTP/2, or what may turn out to be.
    var isMultiplexed: Bool
    /// After how many idle seconds the server closes a connection, as it announced (`Keep-Alive`).
    var idleTimeout: Int?
    /// Made for its exchanges, and not closed.
    var openSockets = 0
    /// Of exchanges that have ended.
    var counts = CurlStatistics.Counts()

    init(_ route: ConnectionRoute, limit: Int, waitingLimit: Int, pools: Int = 1) {
        self.route = route
        url = CurlURL(route.origin)
        isMultiplexed = route.mayMultiplex
        places = PoolPlaces(limit: pools)
        queue = AdmissionQueue(limit: limit, waitingLimit: waitingLimit)
    }

    /// Sockets whose connections wait for the next exchange.
    var idleSockets: Int {
        if queue.active == 0 { return openSockets }
        return isMultiplexed ? 0 : max(0, openSockets - queue.active)
    }
}
