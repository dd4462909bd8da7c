import HTTPCore

/// The lanes of a loop, by route.
struct LaneTable {
    private var lanes: [ConnectionRoute: Lane] = [:]
    /// The lanes that were looked up last, with the objects that stand for their routes, for a
    /// quick find.
    private var recent: [(holder: AnyObject, lane: Lane)] = []
    private var nextRecent = 0
    /// The counts of the lanes that were forgotten.
    private var forgotten = CurlStatistics.Counts()
    /// The number of retired contexts when the lanes were last searched for them.
    private var seenRetirements = 0
    private let settings: LoopSettings
    /// `true` once lanes were forgotten, until it is set to `false`.
    var hasForgotten = false

    /// The maximum number of pools in which the exchanges of one lane run.
    private static let poolLimit = 32

    init(_ settings: LoopSettings) { self.settings = settings }

    /// The maximum number of destinations that are found quickly.
    private static let recentLimit = 8

    /// Returns the lane that was found for the same object, if that was not long ago.
    func recentLane(of holder: AnyObject) -> Lane? {
        for index in recent.indices where recent[index].holder === holder {
            return recent[index].lane
        }
        return nil
    }

    /// Returns the lane of a route.
    ///
    /// - Parameters:
    ///   - holder: An object that stands for the route and no other one.
    ///   - retirements: The number of TLS contexts that were retired so far.
    mutating func lane(
        for route: ConnectionRoute, of holder: AnyObject, retirements: Int
    ) -> Lane {
        let lane = lanes[route] ?? add(route, retirements)
        if recent.count < Self.recentLimit {
            recent.append((holder, lane))
        } else {
            recent[nextRecent] = (holder, lane)
            nextRecent = (nextRecent + 1) % Self.recentLimit
        }
        return lane
    }

    /// Returns the lane of the HTTP/3 service of a lane's origin.
    mutating func lane(to service: HTTP3Availability.Service, of home: Lane) -> Lane {
        let place = (service.host, service.port)
        if let lane = home.http3Lane, !lane.isForgotten, lane.place == place { return lane }
        let route = home.route.route(to: service)
        // A server may announce another place with each response.
        if let former = home.http3Lane, former.queue.isIdle { forget { $0 === former } }
        let lane = lanes[route] ?? add(route, seenRetirements)
        home.http3Lane = lane
        return lane
    }

    private mutating func add(_ route: ConnectionRoute, _ retirements: Int) -> Lane {
        if lanes.count >= CurlStatistics.originLimit { forgetIdle(except: route.origin) }
        if retirements != seenRetirements {
            seenRetirements = retirements
            forgetRetired()
        }
        let lane = Lane(
            route, limit: settings.configuration.maximumConnectionsPerOrigin,
            waitingLimit: settings.configuration.maximumWaitingPerOrigin,
            // A pool with a limit counts its own connections and knows nothing of those in other
            // pools.
            pools: settings.configuration.maximumConnections == nil ? Self.poolLimit : 1)
        if settings.configuration.http3 == .whenAnnounced, route.mayFindHTTP3 {
            lane.http3 = HTTP3Availability(route.origin)
        }
        lanes[route] = lane
        return lane
    }

    /// Forgets lanes whose origins have no exchanges, which loses little: their counts stay in the
    /// total.
    ///
    /// - Parameter origin: The origin of an exchange that begins.
    private mutating func forgetIdle(except origin: HTTPOrigin) {
        var busy = Set(lanes.values.lazy.filter { !$0.queue.isIdle }.map(\.route.origin))
        busy.insert(origin)
        forget { !busy.contains($0.route.origin) }
    }

    /// Forgets lanes whose contexts no request will use any more, and what these contexts hold.
    private mutating func forgetRetired() {
        forget { lane in
            lane.queue.isIdle
                && [lane.route.tls, lane.route.proxyTLS].contains { $0?.isRetired == true }
        }
    }

    private mutating func forget(where isForgotten: (Lane) -> Bool) {
        for (route, lane) in lanes where isForgotten(lane) {
            forgotten += lane.counts
            lane.isForgotten = true
            hasForgotten = true
            lanes[route] = nil
        }
        recent = []
        nextRecent = 0
    }

    /// Adds the counts of all lanes, past and present.
    func report(to statistics: inout CurlStatistics) {
        statistics.total += forgotten
        for (route, lane) in lanes {
            var counts = lane.counts
            counts.waiting = lane.queue.waitingCount
            counts.active = lane.queue.active
            counts.open = lane.openSockets
            counts.idle = lane.idleSockets
            statistics.total += counts
            statistics.origins[route.origin, default: CurlStatistics.Counts()] += counts
        }
    }
}
