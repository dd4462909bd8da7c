import CHTTPTransportCurl
import HTTPCore

/// The state that the loop's thread owns, and one turn of the loop: wait, tell libcurl what is
/// ready, carry out commands, let libcurl's timers run, collect what is finished, check limits,
/// deliver.
///
/// No other thread touches this state or the libcurl handles of the loop.
@safe final class LoopCore {
    private let loop: EventLoop
    let configuration: CurlConfiguration
    let library: CurlLibrary
    let share: CurlShare
    /// The pools in the order of their numbers. Each is made when it is needed, in that order, and
    /// all are released in `tearDown`.
    private var pools: [ConnectionPool] = []
    /// The socket closer, at a fixed address for as long as connections live.
    let socketCloser: UnsafeMutablePointer<chttp_socket_closer>

    private var sockets = SocketTable()
    private var kept = KeptConnections()
    /// The time to make libcurl close the connections that were shut down.
    private var cleaningDue = Int64.max
    private var lastCleaning: Int64 = 0
    private var transfers: [Transfer?] = []
    private var freeSlots: [Int] = []
    private var deadlines = DeadlineHeap()
    private var lanes: [ConnectionRoute: Lane] = [:]
    private var lastLane: Lane?
    /// The number of retired contexts when the lanes were last searched for them.
    private var seenRetirements = 0
    let blocks = BlockPool()
    private var idleHandles: [CurlEasyHandle] = []
    private var dirty: [Transfer] = []
    /// The transfers whose streams were not processed, according to a GOAWAY.
    private var goneAway: [Transfer] = []
    private var commands: [EventLoop.Command] = []
    /// The jobs of tasks that prefer this thread. Those before `nextJob` have run.
    private var jobs: [UnownedJob] = []
    private var nextJob = 0

    /// The time of the turn, in monotonic nanoseconds.
    private(set) var now = chttp_monotonic_ns()
    private var isReleased = false
    private var closeDue: Int64?

    /// The statistics without the counts of the lanes.
    private var statistics = CurlStatistics()
    /// The lanes that open sockets were made for, by descriptor.
    private var socketOwners: [Int32: Lane] = [:]

    private static let idleHandleLimit = 256
    private static let poolLimit = 16

    /// The number of times that a transfer or a socket has made progress.
    private(set) var progressCount = 0
    /// The number of calls of libcurl that let it receive.
    var libraryCalls = 0
    /// The transfers that read on in the next turn.
    var held: [Transfer] = []

    init(_ loop: EventLoop) throws(HTTPError) {
        self.loop = loop
        configuration = loop.configuration
        library = loop.library
        share = try CurlShare()
        unsafe socketCloser = .allocate(capacity: 1)
        unsafe socketCloser.initialize(to: chttp_socket_closer())
        unsafe socketCloser.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe socketCloser.pointee.closed = { context, descriptor in
            guard let context = unsafe context else { return }
            unsafe LoopCore.at(context).closed(descriptor)
        }
        try addPool()
    }

    deinit { unsafe socketCloser.deallocate() }

    private func makePool(_ number: Int) throws(HTTPError) -> ConnectionPool {
        try ConnectionPool(
            number, self,
            maximumConnections: configuration.maximumConnections.map {
                $0 / configuration.eventLoops
            })
    }

    private func addPool() throws(HTTPError) { pools.append(try makePool(pools.count)) }

    /// Returns the core that `context` points to. It outlives its pools and every socket:
    /// `tearDown` releases them first.
    private static func at(_ context: UnsafeMutableRawPointer) -> LoopCore {
        unsafe Unmanaged<LoopCore>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: A turn

    func run() {
        var events = [chttp_event](repeating: chttp_event(), count: 128)
        repeat {
            let count = unsafe events.withUnsafeMutableBufferPointer { events in
                guard let base = events.baseAddress else { return Int32(0) }
                return unsafe chttp_poller_wait(
                    loop.poller, base, Int32(events.count), sleepTime())
            }
            now = chttp_monotonic_ns()
            statistics.turns += 1
            endHolds()
            for event in events.prefix(Int(max(0, count))) where !loop.drainWaker(event.descriptor)
            {
                dispatch(event)
            }
            carryOutCommands()
            checkLimits()
            replaceFailed()
            closeIdle()
            dropIdle()
            flush()
            if runJobs() {
                // What the jobs ask for is begun before the sockets are checked again.
                now = chttp_monotonic_ns()
                carryOutCommands()
                flush()
            }
        } while !isOver()
        tearDown()
    }

    private func endHolds() {
        let transfers = held
        held.removeAll(keepingCapacity: true)
        for transfer in transfers { transfer.endHold() }
    }

    private func carryOutCommands() {
        loop.takeCommands(into: &commands)
        for command in commands { carryOut(command) }
        commands.removeAll(keepingCapacity: true)
        for pool in pools { pool.runTimers() }
        collectFinished()
    }

    /// Returns the timeout for the poller, in milliseconds.
    private func sleepTime() -> Int32 {
        guard dirty.isEmpty, jobs.isEmpty, held.isEmpty, loop.prepareToSleep() else { return 0 }
        var due = min(deadlines.next ?? .max, closeDue ?? .max)
        for pool in pools { due = min(due, pool.nextDue) }
        if let idleDue { due = min(due, idleDue) }
        due = min(due, min(kept.nextDue, cleaningDue))
        guard due < .max else { return -1 }
        let left = due - chttp_monotonic_ns()
        return left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, 60_000))
    }

    private func dispatch(_ event: chttp_event) {
        switch sockets.ready(event.descriptor) {
        case .report(let pool): pools[pool].act(on: event.descriptor, event.events)
        case .ignore(let change):
            apply(change)
            if kept.isUnsound(event.descriptor) { shutDown(event.descriptor) }
        }
    }

    private func collectFinished() {
        if !goneAway.isEmpty { startGoneAwayAnew() }
        for pool in pools where pool.running > 0 {
            while let (transfer, result) = pool.nextDone() {
                if let reason = transfer.freshStart(after: result) {
                    startAnew(transfer, reason)
                } else {
                    finish(transfer, transfer.outcome(of: result))
                }
            }
        }
    }

    private func checkLimits() {
        while let slot = deadlines.popDue(at: now) {
            guard let transfer = transfers[slot] else { continue }
            if let error = transfer.checkLimits() {
                finish(transfer, .failed(error))
            } else {
                schedule(transfer)
            }
        }
        if let closeDue, closeDue <= now {
            self.closeDue = nil
            for case let transfer? in transfers { finish(transfer, .failed(EventLoop.closed)) }
        }
    }

    private static let jobLimit = 128
    private static let jobTime: Int64 = 1_000_000

    /// Runs jobs until none is left or the sockets have waited long enough. Returns `true` if there
    /// were any.
    private func runJobs() -> Bool {
        let start = now
        var hasRun = false
        for _ in 0..<Self.jobLimit {
            if nextJob == jobs.count {
                jobs.removeAll(keepingCapacity: true)
                nextJob = 0
                loop.takeJobs(into: &jobs)
                if jobs.isEmpty { return hasRun }
            }
            let job = jobs[nextJob]
            nextJob += 1
            hasRun = true
            unsafe job.runSynchronously(on: loop.asUnownedTaskExecutor())
            if nextJob % 16 == 0, chttp_monotonic_ns() - start > Self.jobTime { break }
        }
        if nextJob == jobs.count {
            jobs.removeAll(keepingCapacity: true)
            nextJob = 0
        }
        return hasRun
    }

    private func flush() {
        // Delivering may resume a paused transfer, which may receive at once.
        while !dirty.isEmpty {
            let transfers = dirty
            dirty = []
            for transfer in transfers { transfer.flush() }
            for pool in pools where pool.nextDue == 0 { pool.runTimers() }
            collectFinished()
        }
    }

    // MARK: Events from libcurl

    func want(_ descriptor: Int32, _ interest: Int32, in pool: ConnectionPool) {
        progressCount &+= 1
        let watchesIdle = interest == 0 && kept.mustWatch(descriptor)
        if !apply(
            sockets.want(descriptor, interest, in: pool.number, watchesIdle: watchesIdle))
        {
            pool.failure = pool.failure ?? CHTTP_M_OUT_OF_MEMORY
        }
    }

    /// Applies a change to the poller. Returns `false` if a descriptor cannot be watched, because
    /// its transfers would wait for ever.
    @discardableResult
    private func apply(_ change: SocketTable.Change?) -> Bool {
        guard let change else { return true }
        let error = chttp_poller_set(
            loop.poller, change.descriptor, change.previous, change.interest)
        return error == 0 || change.interest == CHTTP_POLL_NONE
    }

    func opened(_ descriptor: Int32, for lane: Lane) {
        progressCount &+= 1
        sockets.opened(descriptor)
        kept.opened(descriptor)
        socketOwners[descriptor] = lane
        lane.openSockets += 1
    }

    private func closed(_ descriptor: Int32) {
        progressCount &+= 1
        sockets.closed(descriptor)
        kept.closed(descriptor)
        socketOwners.removeValue(forKey: descriptor)?.openSockets -= 1
    }

    /// Records that a transfer has sent or received something. Returns the turn's time.
    func progress() -> Int64 {
        progressCount &+= 1
        return now
    }

    // MARK: Lanes and transfers

    private func limit(_ route: ConnectionRoute, speaking version: HTTPVersion? = nil) -> Int {
        AdmissionQueue.limit(
            configuration.maximumConnectionsPerOrigin, with: route.origin.scheme, speaking: version)
    }

    /// Records what a head that came for `transfer` says about its server.
    func learn(_ version: HTTPVersion?, for transfer: Transfer, idleTimeout: Int?) {
        let lane = transfer.lane
        if version == .http1_1 || version == .http1_0, let connection = transfer.connection {
            kept.speaksHTTP1(connection)
        }
        lane.isMultiplexed = version == .http2 || version == .http3
        lane.queue.limit = limit(lane.route, speaking: version ?? .http1_1)
        lane.idleTimeout = idleTimeout
    }

    /// Returns the seconds for which a connection of `lane` may have been idle to be used again.
    func idleLimit(_ lane: Lane) -> Int {
        let own = configuration.idleConnectionTimeout.curlSeconds
        // 0 would mean no limit.
        return lane.idleTimeout.map { max(1, min(own, $0 - 2)) } ?? own
    }

    private func lane(for route: ConnectionRoute) -> Lane {
        if let lastLane, lastLane.route == route { return lastLane }
        let lane = lanes[route] ?? addLane(route)
        lastLane = lane
        return lane
    }

    private func addLane(_ route: ConnectionRoute) -> Lane {
        if lanes.count >= CurlStatistics.originLimit { forgetIdleLanes() }
        forgetRetiredLanes()
        let lane = Lane(
            route, limit: limit(route), waitingLimit: configuration.maximumWaitingPerOrigin,
            // A pool with a limit counts its own connections and knows nothing of those in other
            // pools.
            pools: configuration.maximumConnections == nil ? Self.poolLimit : 1)
        lanes[route] = lane
        return lane
    }

    /// Forgets lanes whose origins have no exchanges, which loses little: their counts stay in the
    /// total.
    private func forgetIdleLanes() {
        let busy = Set(lanes.values.lazy.filter { !$0.queue.isIdle }.map(\.route.origin))
        for (route, lane) in lanes where !busy.contains(route.origin) {
            statistics.total += lane.counts
            lanes[route] = nil
        }
        lastLane = nil
    }

    /// Forgets lanes whose contexts no request will use any more, and what these contexts hold.
    private func forgetRetiredLanes() {
        let retirements = loop.contexts.retirements
        guard retirements != seenRetirements else { return }
        seenRetirements = retirements
        for (route, lane) in lanes where route.tls?.isRetired == true && lane.queue.isIdle {
            statistics.total += lane.counts
            lanes[route] = nil
        }
        lastLane = nil
    }

    func willFlush(_ transfer: Transfer) { dirty.append(transfer) }

    func schedule(_ transfer: Transfer) {
        guard !transfer.isOver, let due = transfer.nextDue else { return }
        deadlines.set(transfer.slot, to: due)
    }

    /// Ends a transfer wherever it is. Nothing of it remains in libcurl, in a queue or in the heap.
    func finish(_ transfer: Transfer, _ end: Exchange.End) {
        guard !transfer.isOver else { return }
        progressCount &+= 1
        transfer.end(end)
        deadlines.remove(transfer.slot)
        let lane = transfer.lane
        lane.counts.note(
            opened: transfer.connectionsOpened, isReused: transfer.isReused == true,
            resent: max(0, transfer.starts - 1))
        transfers[transfer.slot] = nil
        freeSlots.append(transfer.slot)
        if let easy = transfer.easy.take() {
            // libcurl 7.88 leaks what it keeps for a paused HTTP/2 stream, unless it can deliver
            // it. The transfer is over and drops what it is given.
            if transfer.isReceivingPaused, transfer.collector.version == .http2 {
                _ = easy.pause(receiving: false, sending: transfer.isSendingPaused)
            }
            leavePool(transfer, easy)
            if library.forgetsLastResponse,
                transfer.leavesHandleClean || library.resetsCompletely,
                idleHandles.count < Self.idleHandleLimit
            {
                easy.reset()
                idleHandles.append(easy)
            }
        }
        if transfer.isAdmitted {
            lane.queue.leave()
            startWaiting(in: lane)
        } else {
            lane.queue.withdraw(transfer.slot)
        }
    }

    // MARK: Commands

    private func carryOut(_ command: EventLoop.Command) {
        switch command {
        case .submit(let exchange): submit(exchange)
        case .fail(let exchange, let error):
            if let transfer = transfer(of: exchange) { finish(transfer, .failed(error)) }
        case .abandon(let exchange): transfer(of: exchange)?.abandon(nil)
        case .discard(let exchange, let waiter):
            if let transfer = transfer(of: exchange) {
                transfer.abandon(waiter)
            } else {
                waiter.resume()
            }
        case .resumeReceiving(let exchange): transfer(of: exchange)?.resumeReceiving()
        case .resumeSending(let exchange): transfer(of: exchange)?.resumeSending()
        case .statistics(let waiter): waiter.resume(with: .success(currentStatistics()))
        case .release: isReleased = true
        case .close(let grace):
            isReleased = true
            let due = now.addingReportingOverflow(grace.nanoseconds)
            closeDue = due.overflow ? closeDue : min(due.partialValue, closeDue ?? .max)
        }
    }

    private func currentStatistics() -> CurlStatistics {
        var current = statistics
        for (route, lane) in lanes {
            var counts = lane.counts
            counts.waiting = lane.queue.waitingCount
            counts.active = lane.queue.active
            counts.open = lane.openSockets
            counts.idle = lane.idleSockets
            current.total += counts
            current.origins[route.origin, default: CurlStatistics.Counts()] += counts
        }
        current.openSockets = sockets.openCount
        return current
    }

    /// Returns `nil` if the exchange is over, even if its end is not delivered yet and another
    /// exchange has its number.
    private func transfer(of exchange: Exchange) -> Transfer? {
        guard let slot = exchange.slot, let transfer = transfers[slot],
            transfer.exchange === exchange
        else { return nil }
        return transfer
    }

    private func submit(_ exchange: Exchange) {
        let slot = freeSlots.popLast() ?? transfers.count
        if slot == transfers.count { transfers.append(nil) }
        let lane = lane(for: exchange.route)
        let transfer = Transfer(exchange, slot: slot, lane: lane, core: self)
        transfers[slot] = transfer
        guard exchange.begin(slot) else {
            return finish(transfer, .failed(CancellationError()))
        }
        schedule(transfer)
        switch lane.queue.enter(slot) {
        case .start: start(transfer)
        case .wait: break
        case .refuse:
            finish(
                transfer,
                .failed(
                    HTTPError(
                        .queueFull,
                        "\(configuration.maximumWaitingPerOrigin) exchanges already wait for "
                            + "their turn",
                        phase: .queued, isRetryable: true)))
        }
    }

    private func startWaiting(in lane: Lane) {
        // An exchange that fails to start gets here again. Thousands of such calls must not nest.
        guard !lane.isStarting else { return }
        lane.isStarting = true
        defer { lane.isStarting = false }
        while let slot = lane.queue.next() {
            if let transfer = transfers[slot] {
                start(transfer)
            } else {
                lane.queue.leave()
            }
        }
        // What was learnt about the server may not hold any more once the connections are gone.
        if lane.queue.isIdle {
            lane.queue.limit = limit(lane.route)
            lane.isMultiplexed = lane.route.mayMultiplex
        }
    }

    private func start(_ transfer: Transfer) {
        do throws(HTTPError) {
            transfer.admit()
            let easy = if let idle = idleHandles.popLast() { idle } else { try CurlEasyHandle() }
            transfer.easy = easy
            try transfer.configure(easy)
            try enterPool(transfer, easy)
        } catch {
            finish(transfer, .failed(error))
        }
    }

    private func leavePool(_ transfer: Transfer, _ easy: CurlEasyHandle) {
        guard let pool = transfer.pool.take() else { return }
        pool.remove(easy)
        transfer.lane.places.leave(pool.number)
        leaveConnection(transfer)
    }

    /// Gives the transfer to libcurl once more, as if it had not started yet.
    private func startAnew(_ transfer: Transfer, _ reason: FreshStart) {
        guard let easy = transfer.easy else { return }
        leavePool(transfer, easy)
        do throws(HTTPError) {
            if reason == .noDescriptors { makeRoom() }
            try transfer.configureAnew(easy, reason)
            try enterPool(transfer, easy)
        } catch {
            finish(transfer, .failed(error))
        }
    }

    private func enterPool(_ transfer: Transfer, _ easy: CurlEasyHandle) throws(HTTPError) {
        let lane = transfer.lane
        let number = lane.places.enter(
            sharing: lane.isMultiplexed || transfer.exchange.request.version == .http2)
        do {
            while pools.count <= number { try addPool() }
        } catch {
            lane.places.leave(number)
            throw error
        }
        transfer.pool = pools[number]
        let code = pools[number].add(easy)
        guard code == CHTTP_M_OK else {
            throw HTTPError(
                .internalFailure, "libcurl: \(ConnectionPool.errorText(code))", phase: .preparing)
        }
    }

    // MARK: The end

    /// Gives up the connections and the transfers of a failed pool.
    private func replaceFailed() {
        for number in pools.indices {
            guard let code = pools[number].failure.take() else { continue }
            let error = HTTPError(
                .internalFailure,
                "libcurl failed, and its connections were closed: "
                    + ConnectionPool.errorText(code),
                isRetryable: true, mayHaveReachedServer: true)
            for case let transfer? in transfers where transfer.pool === pools[number] {
                finish(transfer, .failed(error))
            }
            // Without memory for a new pool, the failed one stays in use. It is empty.
            if let pool = try? makePool(number) { pools[number] = pool }
        }
    }

    /// The time at which the last pool will have been idle for as long as its connections may be.
    /// The first pool always stays.
    private var idleDue: Int64? {
        guard pools.count > 1, let last = pools.last, last.running == 0 else { return nil }
        let (due, overflows) = last.idleSince.addingReportingOverflow(
            configuration.idleConnectionTimeout.nanoseconds)
        return overflows ? nil : due
    }

    // MARK: Kept connections

    /// Decides whether a request may be written over the connection between these ends. Returns
    /// `false` if the connection has something to read or is closed. It is then shut down.
    func willSend(_ transfer: Transfer, between ends: KeptConnections.Ends, isNew: Bool) -> Bool {
        leaveConnection(transfer)
        if isNew {
            let descriptor = transfer.openedDescriptors.last {
                ends.localPort == 0 || chttp_local_port($0) == ends.localPort
            }
            transfer.connection = descriptor.flatMap {
                kept.identify($0, as: ends, in: transfer.pool?.number ?? 0)
            }
        } else {
            let suspects = kept.suspects(between: ends)
            // Newer libraries make OpenSSL read ahead, so it may hold bytes that came with the last
            // response.
            let hasUnread = transfer.easy?.hasUnreadRecords == true
            let unsound = suspects.filter { hasUnread || chttp_is_readable($0) != 0 }
            for descriptor in unsound { shutDown(descriptor) }
            guard unsound.isEmpty else { return false }
            transfer.connection = kept.connection(between: ends)
        }
        if let connection = transfer.connection {
            kept.begin(on: connection)
        } else {
            kept.beginUnidentified()
            transfer.isOnUnidentified = true
        }
        return true
    }

    /// Handles a GOAWAY that has come over the connection of `transfer`. It applies to all its
    /// streams.
    func goneAway(_ transfer: Transfer, lastStream: UInt32) {
        // A transfer without a stream is still looking for a connection, and has found that it
        // cannot use this one.
        guard transfer.stream != nil else { return }
        for case let other? in transfers
        where other === transfer
            || transfer.connection != nil && transfer.connection == other.connection
        {
            if other.goneAway(lastStream: lastStream) { goneAway.append(other) }
        }
    }

    /// Starts again what a GOAWAY has ended. It does not wait for libcurl to end these transfers,
    /// because libcurl's error for them does not mention the GOAWAY.
    private func startGoneAwayAnew() {
        while let transfer = goneAway.popLast() {
            guard transfer.isGoneAway else { continue }
            if transfer.startsAnewElsewhere() {
                startAnew(transfer, .goneAway)
            } else {
                finish(transfer, .failed(transfer.error(curl: CHTTP_E_HTTP2)))
            }
        }
    }

    /// Assigns a watched socket to `transfer`. Of the connections to one Unix socket, only this
    /// shows which one a transfer uses.
    func adopt(_ descriptor: Int32, for transfer: Transfer) {
        if transfer.starts > 0, transfer.connection == nil {
            transfer.connection = kept.adopt(descriptor)
            if transfer.connection != nil { identified(transfer) }
        }
    }

    func isUnclaimed(_ descriptor: Int32) -> Bool { kept.isUnclaimed(descriptor) }

    private func identified(_ transfer: Transfer) {
        guard transfer.isOnUnidentified else { return }
        transfer.isOnUnidentified = false
        kept.endUnidentified()
    }

    private func leaveConnection(_ transfer: Transfer) {
        identified(transfer)
        guard let connection = transfer.connection.take() else { return }
        // Only libcurl knows the state of an HTTP/3 connection.
        let isTimed = transfer.collector.version != .http3
        // The limit is in whole seconds of 31 bits, so the sum cannot overflow.
        let due = isTimed ? now + Int64(idleLimit(transfer.lane)) * 1_000_000_000 : .max
        kept.end(on: connection, due: due)
    }

    private func shutDown(_ descriptor: Int32) {
        chttp_shutdown(descriptor)
        kept.shutDown(descriptor)
        cleaningDue = min(cleaningDue, max(now, lastCleaning + ConnectionPool.cleaningInterval))
    }

    /// Closes idle connections that are due. libcurl itself closes connections only when a transfer
    /// is added.
    private func closeIdle() {
        for descriptor in kept.expired(at: now) { shutDown(descriptor) }
        guard cleaningDue <= now else { return }
        lastCleaning = now
        for number in kept.poolsToClean where pools.indices.contains(number) {
            pools[number].clean()
        }
        cleaningDue = kept.poolsToClean.isEmpty ? .max : now + ConnectionPool.cleaningInterval
    }

    /// Closes some of the connections that have been idle for longest, because the process has no
    /// descriptor left.
    private func makeRoom() {
        for descriptor in kept.idle.prefix(Self.room) { shutDown(descriptor) }
        for number in kept.poolsToClean where pools.indices.contains(number) {
            let left = max(0, kept.openCount(in: number) - Self.room)
            // Older libraries close one at a time.
            while case let count = kept.openCount(in: number), count > left {
                pools[number].evictOldest(keeping: left)
                guard kept.openCount(in: number) < count else { break }
            }
        }
    }

    private static let room = 8

    private func dropIdle() {
        while let idleDue, idleDue <= now { pools.removeLast() }
    }

    private func isOver() -> Bool {
        guard isReleased, transfers.count == freeSlots.count, dirty.isEmpty, jobs.isEmpty else {
            return false
        }
        return loop.endIfEmpty()
    }

    private func tearDown() {
        idleHandles = []
        held = []
        pools = []  // closes their connections, through our callbacks
    }
}
