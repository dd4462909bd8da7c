import CHTTPTransportCurl
import HTTPCore

/// The transfers of a loop, and their way: into a lane, to libcurl, perhaps back and to libcurl
/// again, and out. Lives on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
final class Transfers: TransferLoop, TransferMover, PoolLoop {
    let loop: EventLoop
    let reactor: Reactor
    private(set) lazy var finder = AddressFinder(self, loop, reactor, connections)
    private(set) lazy var http3 = HTTP3Path(self, connections)

    @safe @exclusivity(unchecked) private(set) var table = Table()
    @safe @exclusivity(unchecked) var scheduler = Scheduler()
    @safe @exclusivity(unchecked) var lanes: LaneTable
    /// The transfers that have something to deliver.
    @safe @exclusivity(unchecked) private var dirty: [Transfer] = []
    /// The transfers that send on in the next turn.
    @safe @exclusivity(unchecked) private var held: [Transfer] = []
    /// The transfers whose streams the server has refused.
    @safe @exclusivity(unchecked) var refusals: [Transfer] = []

    init(_ loop: EventLoop, _ reactor: Reactor) throws(HTTPError) {
        self.loop = loop
        self.reactor = reactor
        lanes = LaneTable(loop.settings)
        try super.init(loop.settings, loop.library, reactor.turn)
    }

    var all: [Transfer] { table.all }
    func transfer(_ slot: Int) -> Transfer? { table[slot] }

    /// `true` if nothing is left to do.
    var isEmpty: Bool { scheduler.isEmpty && dirty.isEmpty }

    /// `true` if something is to be done without waiting.
    var hasWork: Bool {
        !dirty.isEmpty || !held.isEmpty || connections.hasLeft || scheduler.hasChanged
    }

    var statistics: CurlStatistics {
        var current = CurlStatistics()
        current.turns = turn.count
        lanes.report(to: &current)
        current.openSockets = connections.socketCount
        return current
    }

    // MARK: In

    func submit(_ exchange: Exchange) {
        let destination = exchange.destination
        let lane =
            lanes.recentLane(of: destination)
            ?? lanes.lane(
                for: destination.route, of: destination, retirements: loop.contexts.retirements)
        if lanes.hasForgotten {
            lanes.hasForgotten = false
            pools.handles.forget()
        }
        var use: HTTP3Use?
        var choice: HTTPVersionChoice?
        if lane.http3 != nil || exchange.request.version != nil {
            (use, choice) = http3.use(for: exchange, in: lane)
        }
        let transfer = add(
            exchange, in: use.map { self.lane(to: $0.service, of: lane) } ?? lane)
        guard exchange.begin(transfer.slot) else {
            return finish(transfer, .failed(CancellationError()))
        }
        if let use { transfer.http3 = use }
        if let choice { transfer.note(choice) }
        if exchange.isOfResolver, let error = finder.circularLookup(of: transfer) {
            return finish(transfer, .failed(error))
        }
        enter(transfer)
    }

    func lane(to service: HTTP3Availability.Service, of home: Lane) -> Lane {
        lanes.lane(to: service, of: home)
    }

    func add(_ exchange: Exchange, in lane: Lane) -> Transfer {
        let transfer = Transfer(exchange, slot: scheduler.add(in: lane), lane: lane, loop: self)
        table.add(transfer)
        return transfer
    }

    /// Returns `nil` if the exchange is over, even if its end is not delivered yet and another
    /// exchange has its number.
    func transfer(of exchange: Exchange) -> Transfer? {
        guard let slot = exchange.slot, let transfer = table[slot], transfer.exchange === exchange
        else { return nil }
        return transfer
    }

    func enter(_ transfer: Transfer) {
        schedule(transfer)
        let lane = transfer.lane
        switch scheduler.enter(transfer.slot, in: lane) {
        case .start: start(transfer)
        case .wait: break
        case .refuse:
            finish(
                transfer,
                .failed(
                    HTTPError(
                        .queueFull,
                        "\(lane.queue.waitingLimit) exchanges already wait for their turn",
                        phase: .queued, isRetryable: true)))
        }
    }

    /// Starts what may run now. libcurl's callbacks must not begin transfers, so they only let the
    /// scheduler know.
    func startNext() {
        while let slot = scheduler.next() {
            if let transfer = table[slot] { start(transfer) }
        }
    }

    private func start(_ transfer: Transfer) {
        transfer.admit()
        if !settings.hasResolver || finder.mayBegin(transfer) { begin(transfer) }
    }

    // MARK: To libcurl

    func begin(_ transfer: Transfer) {
        do throws(HTTPError) {
            takeShare(transfer)
            let purpose = transfer.purpose
            let easy = try pools.handles.take(for: transfer.lane, purpose)
            transfer.easy = easy
            try transfer.configure(easy, purpose)
            try enterPool(transfer, easy)
        } catch {
            finish(transfer, .failed(error))
        }
    }

    func startAnew(_ transfer: Transfer, _ reason: FreshStart) {
        switch reason {
        case .misdirected: return http3.leave(transfer, because: HTTP3Path.misdirection, reason)
        case .refused, .unsettledConnection: return waitAgain(transfer, reason)
        default: break
        }
        guard let easy = transfer.easy else { return }
        leavePool(transfer, easy)
        do throws(HTTPError) {
            if reason == .noDescriptors { makeRoom() }
            try transfer.startAgain(reason)
            if finder.needsAddresses(transfer) {
                transfer.easy = nil
                pools.handles.giveBack(easy, of: transfer.lane, isClean: false)
                return finder.lookUpAnew(transfer)
            }
            if reason == .spentConnection { takeShare(transfer) }
            try transfer.configureAnew(easy, reason)
            try enterPool(transfer, easy)
        } catch {
            finish(transfer, .failed(error))
        }
    }

    private func enterPool(_ transfer: Transfer, _ easy: CurlEasyHandle) throws(HTTPError) {
        if transfer.closesConnection { closeSeries(of: transfer) }
        let lane = transfer.lane
        // Not the time of the turn, which may be before the exchange was submitted.
        transfer.times.started = chttp_monotonic_ns()
        transfer.stay = try pools.enter(
            easy, of: lane,
            isSharing: lane.isMultiplexed || transfer.exchange.request.version == .http2)
    }

    private func leavePool(_ transfer: Transfer, _ easy: CurlEasyHandle) {
        guard let stay = transfer.stay.take() else { return }
        stopsReading(transfer)
        if transfer.race != nil { finder.endRace(of: transfer) }
        stay.pool.remove(easy)
        findClosedSockets(of: transfer)
        leaveConnection(transfer)
        pools.end(stay, of: transfer.lane, isClean: transfer.leavesConnectionClean)
    }

    func detach(_ transfer: Transfer) {
        finder.endLookup(of: transfer)
        if let easy = transfer.easy.take() {
            leavePool(transfer, easy)
            pools.handles.giveBack(easy, of: transfer.lane, isClean: false)
        }
        scheduler.withdraw(transfer.slot)
    }

    /// Takes a transfer out of libcurl that the server has no room for, and lets it wait for its
    /// turn. No others begin until an exchange has ended or the server has said that it takes more.
    func waitAgain(_ transfer: Transfer, _ reason: FreshStart) {
        let lane = transfer.lane
        let taken = transfer.takenBytes
        if transfer.connection.series == lane.series { lane.giveBackShare() }
        detach(transfer)
        scheduler.close(lane)
        transfer.waitAgain(reason, taken: taken)
        if case .resting = transfer.times.requeue { schedule(transfer) } else { enter(transfer) }
    }

    func leaveHTTP3(_ transfer: Transfer, because reason: String) {
        http3.leave(transfer, because: reason)
    }

    // MARK: Out

    func collectFinished() {
        repeat {
            if !refusals.isEmpty { startRefusedAnew() }
            while let (done, result) = pools.nextDone() {
                guard let transfer = done as? Transfer else { continue }
                // If it refuses the head, the transfer ends with its own error.
                _ = transfer.examineHead()
                settle(transfer, result)
            }
            startNext()
        } while connections.hasLeft && readLeft() || connections.hasBroken && endBroken()
    }

    /// Ends a transfer for libcurl's result, or lets it start again.
    func settle(_ transfer: Transfer, _ result: Int32) {
        let socketError = transfer.connection.attempts.socketError
        if let reason = transfer.machine.freshStart(
            after: result, socketError: socketError)
        {
            judgeFailure(of: transfer, result)
            startAnew(transfer, reason)
        } else if !transfer.lane.isHTTP3 || !http3.goesOn(transfer, after: result) {
            let end = transfer.outcome(of: result)
            if result != CHTTP_E_OK { judgeFailure(of: transfer, result) }
            finish(transfer, end)
        }
    }

    override func finish(_ transfer: Transfer, _ end: Exchange.End) {
        guard !transfer.machine.isOver else { return }
        turn.progress()
        transfer.end(end)
        reactor.forget(transfer.slot)
        table.remove(transfer)
        // A transfer holds this object.
        if !held.isEmpty { held.removeAll { $0 === transfer } }
        if !refusals.isEmpty { refusals.removeAll { $0 === transfer } }
        let lane = transfer.lane
        lane.counts.opened += transfer.connection.counts.opened ?? 0
        if transfer.http3?.isOpening != true {
            lane.counts.ended += 1
            if transfer.isReused == true { lane.counts.reused += 1 }
            lane.counts.resent += transfer.machine.sends.repeatCount
        }
        if !transfer.namesLeft.isEmpty { finder.endLookup(of: transfer) }
        if case .failed(let error) = end { judgeSilence(of: transfer, error) }
        if let use = transfer.http3 { http3.note(use, of: transfer, end) }
        if let easy = transfer.easy.take() {
            // libcurl 7.88 leaks what it keeps for a paused HTTP/2 stream, unless it can deliver
            // it. The transfer is over and drops what it is given.
            if transfer.flow.isReceivingPaused, transfer.collector.version == .http2 {
                _ = easy.pause(receiving: false, sending: transfer.flow.isSendingPaused)
            }
            leavePool(transfer, easy)
            pools.handles.giveBack(easy, of: lane, isClean: transfer.leavesHandleClean)
        }
        scheduler.remove(transfer.slot)
    }

    /// Ends all transfers in a pool that has failed.
    func fail(in pool: ConnectionPool, with error: HTTPError) {
        for transfer in table.all where transfer.stay?.pool === pool {
            finish(transfer, .failed(transfer.reaching(error)))
        }
    }

    /// Ends all transfers, those that wait first: the end of another one might start them.
    func failAll(with error: HTTPError) {
        let all = table.all
        for transfer in all.filter({ !$0.machine.isAdmitted }) + all {
            finish(transfer, .failed(transfer.reaching(error)))
        }
    }

    // MARK: Times

    override func schedule(_ transfer: Transfer) {
        guard !transfer.machine.isOver, let due = transfer.nextDue else { return }
        reactor.wake(transfer.slot, at: due)
    }

    func checkLimits() {
        while let slot = reactor.popDue() {
            guard let transfer = table[slot] else { continue }
            if let error = transfer.checkLimits() {
                finish(transfer, .failed(error))
                // Before another one is found to have waited for too long.
                startNext()
            } else if transfer.isHTTP3Late {
                http3.leave(transfer, because: HTTP3Path.delay)
            } else {
                if transfer.isSilenceDue { http3.leaveSilent(transfer) }
                if transfer.isRaceDue { finder.raceOn(transfer) }
                goOn(transfer)
            }
        }
    }

    /// Goes on with a transfer none of whose limits have passed.
    private func goOn(_ transfer: Transfer) {
        switch transfer.times.requeue {
        case .resting(_, let due) where due <= now:
            transfer.times.requeue.goOn()
            return enter(transfer)
        case .settling(_, let due) where due <= now:
            transfer.times.requeue.goOn()
            widen(transfer.lane, speaking: .http2)
        default: break
        }
        schedule(transfer)
    }

    // MARK: What libcurl reports

    override func opened(_ descriptor: Int32, for lane: Lane) {
        turn.progress()
        noteSocket(descriptor)
        reactor.opened(descriptor)
        connections.opened(descriptor, for: lane)
    }

    override func willSend(
        _ transfer: Transfer, between ends: KeptConnections.Ends, isNew: Bool
    ) -> Connections.Beginning {
        let former = transfer.connection.use.id
        leaveConnection(transfer)
        if isNew { findClosedSockets(of: transfer) }
        let choice = Connections.Choice(
            ends: ends, isNew: isNew, opened: transfer.connection.attempts.sockets,
            hasUnreadRecords: !isNew && transfer.easy?.hasUnreadRecords == true,
            awaitsSettings: transfer.lane.mayShareConnections && CurlLibrary.seesStreams,
            pool: transfer.stay?.pool.number ?? 0)
        let beginning = connections.begin(choice, at: now)
        if case .begun(let use) = beginning { transfer.connection.use = use }
        if let former, former != transfer.connection.use.id { judgeResend(of: transfer, former) }
        guard case .begun(let use) = beginning else { return beginning }
        if let id = use.id, isSilentForSameCall(transfer, on: id) {
            leaveConnection(transfer)
            return .spent
        }
        limitUse(of: transfer)
        return beginning
    }

    override func learn(_ version: HTTPVersion?, for transfer: Transfer, idleTimeout: Int?) {
        let lane = transfer.lane
        let id = transfer.connection.use.id
        lane.speaksHTTP1 = version == .http1_1 || version == .http1_0
        if lane.speaksHTTP1, let id {
            connections.speaksHTTP1(id)
        } else if version == .http3, let id {
            connections.trust(id)
        }
        lane.isMultiplexed =
            (version == .http2 || version == .http3) && lane.route.protocols != .http3Single
        if lane.isMultiplexed, let id { connections.settled(id) }
        widen(lane, speaking: version ?? .http1_1)
        lane.idleTime = idleTimeout.map {
            AnnouncedIdleTimeout.limit($0, atMost: settings.idleSeconds)
        }
    }

    override func announced(_ text: String, age: Duration, by transfer: Transfer) {
        http3.announced(text, age: age, by: transfer)
    }

    override func settled(_ transfer: Transfer) {
        guard let id = transfer.connection.use.id else { return }
        connections.settled(id)
        transfer.lane.isMultiplexed = true
        widen(transfer.lane, speaking: .http2)
    }

    override func refused(_ transfer: Transfer) { refusals.append(transfer) }

    override func addresses(of name: HostLookups.Name) -> [IPAddress] {
        finder.addresses(of: name)
    }

    override func endRace(of transfer: Transfer) { finder.endRace(of: transfer) }

    // MARK: Deliveries

    override func hold(_ transfer: Transfer) { held.append(transfer) }

    func endYields() {
        let transfers = held
        held.removeAll(keepingCapacity: true)
        for transfer in transfers { transfer.endYield() }
    }

    override func willFlush(_ transfer: Transfer) { dirty.append(transfer) }

    func flush() {
        // Delivering may resume a paused transfer, which may receive at once.
        while !dirty.isEmpty {
            let transfers = dirty
            dirty = []
            for transfer in transfers { transfer.flush() }
            pools.runOn()
            collectFinished()
        }
        turn.resumeTasks()
    }
}

extension Transfers {
    /// The transfers of a loop by the numbers that the scheduler gives them.
    struct Table {
        private var transfers: [Transfer?] = []

        /// All transfers that are not over.
        var all: [Transfer] { transfers.compactMap(\.self) }

        /// Returns a transfer that is not over, or `nil` if none fits.
        func first(where fits: (Transfer) -> Bool) -> Transfer? {
            for case let transfer? in transfers where fits(transfer) { return transfer }
            return nil
        }

        subscript(slot: Int) -> Transfer? {
            transfers.indices.contains(slot) ? transfers[slot] : nil
        }

        mutating func add(_ transfer: Transfer) {
            while transfers.count <= transfer.slot { transfers.append(nil) }
            transfers[transfer.slot] = transfer
        }

        mutating func remove(_ transfer: Transfer) { transfers[transfer.slot] = nil }
    }
}
