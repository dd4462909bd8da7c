import CHTTPTransportCurl
import HTTPCore

/// The state that the loop's thread owns, and one turn of the loop: wait, tell libcurl what is
/// ready, carry out commands, let libcurl's timers run, collect what is finished, check limits,
/// deliver.
///
/// No other thread touches this state or the libcurl handles of the loop.
// @exclusivity(unchecked), here and in the loop's other objects: checking each access takes a tenth
// of a request's instructions. Two accesses never overlap: all are on one thread, and a variable
// that is marked is a number, a reference, or a value whose methods call nothing that could come
// back to its owner.
@safe final class LoopCore: TransferLoop, PoolLoop {
    let loop: EventLoop
    let settings: LoopSettings
    let library: CurlLibrary
    let share: CurlShare
    /// The pools in the order of their numbers. Each is made when it is needed, in that order, and
    /// all are released in `tearDown`.
    private var pools: [ConnectionPool] = []
    private var poolNumbers = PoolNumbers()
    /// The socket closer, at a fixed address for as long as connections live.
    let socketCloser: UnsafeMutablePointer<chttp_socket_closer>

    @safe @exclusivity(unchecked) private var sockets = SocketTable()
    @safe @exclusivity(unchecked) var keeper = ConnectionKeeper()
    @safe @exclusivity(unchecked) var transfers = TransferTable()
    @safe @exclusivity(unchecked) var lanes: LaneTable
    @safe @exclusivity(unchecked) private var handles: HandlePool
    @safe @exclusivity(unchecked) var lookups = HostLookups()
    /// The tasks of the resolver, by what they were asked.
    @safe @exclusivity(unchecked) var lookupTasks: [HostLookups.Question: Task<Void, Never>] = [:]
    /// The transfers that wait for the system's look-up of a host, by their numbers.
    @safe @exclusivity(unchecked) var searches: [String: [Int]] = [:]
    /// The numbers of the transfers that the sockets of further attempts to connect are for.
    @safe @exclusivity(unchecked) var racing: [Int32: Int] = [:]
    /// The addresses of the sockets that libcurl believes to lead elsewhere.
    private var replacedAddresses: [Int32: (address: IPAddress, localPort: Int32)] = [:]
    let blocks = BlockPool()
    @safe @exclusivity(unchecked) private var dirty: [Transfer] = []
    /// The tasks to resume at the end of the turn.
    @safe @exclusivity(unchecked) private var resumptions: [Suspension] = []
    /// The transfers whose streams the server has refused.
    @safe @exclusivity(unchecked) var refused: [Transfer] = []
    /// The HTTP/2 connections of transfers that have stopped reading in this turn.
    @safe @exclusivity(unchecked) var leftConnections: Set<KeptConnections.ID> = []
    /// The HTTP/2 connections that have failed in this turn.
    @safe @exclusivity(unchecked) var brokenConnections: Set<KeptConnections.ID> = []
    /// The lanes whose waiting exchanges may start, as a response has shown.
    @safe @exclusivity(unchecked) private var widened: [Lane] = []
    @safe @exclusivity(unchecked) private var commands: [EventLoop.Command] = []
    /// The jobs of tasks that prefer this thread. Those before `nextJob` have run.
    @safe @exclusivity(unchecked) private var jobs: [UnownedJob] = []
    @safe @exclusivity(unchecked) private var nextJob = 0

    /// The time of the turn, in monotonic nanoseconds.
    @safe @exclusivity(unchecked) private(set) var now = chttp_monotonic_ns()
    @safe @exclusivity(unchecked) var isReleased = false
    @safe @exclusivity(unchecked) private var closeDue: Int64?

    /// The statistics without the counts of the lanes.
    @safe @exclusivity(unchecked) private var statistics = CurlStatistics()
    /// The open sockets by descriptor: the lanes that they were made for, and the kernel's numbers.
    private var openSockets: [Int32: (lane: Lane, cookie: UInt64)] = [:]

    /// The number of times that a transfer or a socket has made progress.
    @safe @exclusivity(unchecked) private(set) var progressCount = 0
    /// The bytes of content that were received or sent in the turn.
    @safe @exclusivity(unchecked) private var turnContent = 0
    /// The number of transfers that open the first connection to an HTTP/3 service.
    @safe @exclusivity(unchecked) var openers = 0
    /// The transfers that send on in the next turn.
    @safe @exclusivity(unchecked) private var held: [Transfer] = []

    init(_ loop: EventLoop) throws(HTTPError) {
        self.loop = loop
        settings = loop.settings
        library = loop.library
        share = try CurlShare()
        lanes = LaneTable(settings)
        handles = HandlePool(library)
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
            maximumConnections: settings.configuration.maximumConnections.map {
                $0 / settings.configuration.eventLoops
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
            turnContent = 0
            endYields()
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
            // Resumed tasks may have sent further requests. They begin before the next poll.
            if runJobs() || loop.hasCommands {
                now = chttp_monotonic_ns()
                carryOutCommands()
                flush()
            }
        } while !isOver()
        tearDown()
        loop.keep(currentStatistics())
    }

    /// The content, in bytes, after which transfers that have more of it wait for the next turn.
    /// One call of libcurl may take up to 3 MiB, or 13 MiB before 8.6.
    private static let turnShare = 1 << 20

    var isTurnFull: Bool { turnContent > Self.turnShare }

    private func endYields() {
        let transfers = held
        held.removeAll(keepingCapacity: true)
        for transfer in transfers { transfer.endYield() }
    }

    private func carryOutCommands() {
        loop.takeCommands(into: &commands)
        for command in commands { carryOut(command) }
        commands.removeAll(keepingCapacity: true)
        for pool in pools { pool.runTimers() }
        collectFinished()
        startWaitingInWidened()
    }

    /// Returns the timeout for the poller, in milliseconds.
    private func sleepTime() -> Int32 {
        guard dirty.isEmpty, jobs.isEmpty, held.isEmpty, leftConnections.isEmpty, widened.isEmpty,
            loop.prepareToSleep()
        else { return 0 }
        var due = min(transfers.nextDue ?? .max, closeDue ?? .max)
        for pool in pools { due = min(due, pool.nextDue) }
        if let idleDue { due = min(due, idleDue) }
        due = min(due, keeper.nextDue)
        guard due < .max else { return -1 }
        let left = due - chttp_monotonic_ns()
        return left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, 60_000))
    }

    private func dispatch(_ event: chttp_event) {
        guard !raced(event.descriptor) else { return }
        switch sockets.ready(event.descriptor) {
        case .report(let pool):
            // Peeking would take an error from the socket, and libcurl would not see it.
            if event.events & (CHTTP_SELECT_ERR | CHTTP_SELECT_IN) == CHTTP_SELECT_IN {
                keeper.willRead(event.descriptor, at: now)
            }
            pools[pool].act(on: event.descriptor, event.events)
        case .ignore(let change):
            apply(change)
            keeper.ready(event.descriptor, at: now)
        }
    }

    private func collectFinished() {
        repeat {
            if !refused.isEmpty { startRefusedAnew() }
            for pool in pools where pool.running > 0 { collectFinished(in: pool) }
        } while readLeftRecords() || endBroken()
    }

    private func collectFinished(in pool: ConnectionPool) {
        while let (done, result) = pool.nextDone() {
            guard let transfer = done as? Transfer else { continue }
            // If it refuses the head, the transfer ends with its own error.
            _ = transfer.examineHead()
            settle(transfer, result)
        }
    }

    /// Ends a transfer for libcurl's result, or lets it start again.
    func settle(_ transfer: Transfer, _ result: Int32) {
        let socketError = transfer.connection.socketError
        if let reason = transfer.machine.freshStart(
            after: result, socketError: socketError, transfer.uploadForm)
        {
            judgeFailure(of: transfer, result)
            startAnew(transfer, reason)
        } else if let failure = transfer.alternativeFailure(result) {
            leaveHTTP3(transfer, because: failure)
        } else if transfer.isLostOverHTTP3(result),
            transfer.machine.startsAgain(after: .lostConnection, transfer.uploadForm)
        {
            giveUpQUICConnection(of: transfer)
            startAnew(transfer, .lostConnection)
            schedule(transfer)
        } else {
            let end = transfer.outcome(of: result)
            judgeFailure(of: transfer, result)
            finish(transfer, end)
        }
    }

    /// Records that a transfer ends or pauses, and so no longer reads what its connection brings.
    func stopsReading(_ transfer: Transfer) {
        // The version is not known before the head.
        let version = transfer.collector.version
        guard version == .http2 || version == nil && transfer.lane.isMultiplexed,
            library.has(.unreadRecords), let id = transfer.connection.id
        else { return }
        leftConnections.insert(id)
    }

    /// Makes libcurl read what TLS has read ahead on connections where a transfer has stopped.
    ///
    /// libcurl stops reading once the stream of the transfer that reads has ended or is paused.
    /// What TLS holds by then belongs to other transfers, but the socket has nothing more to read,
    /// so libcurl would not run them. The same holds if HTTP/2 has failed on the connection.
    ///
    /// - Returns: `true` if libcurl has read.
    private func readLeftRecords() -> Bool {
        guard !leftConnections.isEmpty else { return false }
        let left = leftConnections
        leftConnections.removeAll(keepingCapacity: true)
        var hasRead = false
        for id in left where keeper.isUsed(id) {
            guard let other = transfers.first(where: { $0.connection.id == id }),
                keeper.isBroken(id) || other.easy?.hasUnreadRecords == true, let pool = other.pool
            else { continue }
            hasRead = true
            pool.act(on: id.descriptor, CHTTP_SELECT_IN)
        }
        return hasRead
    }

    private func checkLimits() {
        while let transfer = transfers.popDue(at: now) {
            if let error = transfer.checkLimits() {
                finish(transfer, .failed(error))
            } else if transfer.isAlternativeLate {
                leaveHTTP3(transfer, because: transfer.alternativeDelay)
            } else {
                if transfer.isSilenceDue { leaveSilent(transfer) }
                if transfer.isRaceDue { raceOn(transfer) }
                goOn(transfer)
            }
        }
        if let closeDue, closeDue <= now {
            self.closeDue = nil
            // Those that wait come first: otherwise each end would start one of them.
            let all = transfers.all
            for transfer in all.filter({ !$0.machine.isAdmitted }) + all {
                finish(transfer, .failed(transfer.reaching(EventLoop.closed)))
            }
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
            for pool in pools where pool.nextDue == 0 && !isTurnFull { pool.runTimers() }
            collectFinished()
        }
        resumeTasks()
    }

    /// Resumes the tasks whose waits have ended. Each one that is resumed here may wake a thread of
    /// the global executor. Several are therefore resumed on such a thread, which is awake.
    private func resumeTasks() {
        guard resumptions.count > 1 else {
            if let suspension = resumptions.popLast() { suspension() }
            return
        }
        let suspensions = resumptions
        resumptions.removeAll(keepingCapacity: true)
        Task.detached(priority: .medium) { for suspension in suspensions { suspension() } }
    }

    // MARK: Events from libcurl

    func want(
        _ descriptor: Int32, _ interest: Int32, in pool: Int, for transfer: (any CurlEasyEvents)?
    ) -> Bool {
        progressCount &+= 1
        let watchesIdle = interest == 0 && keeper.mustWatch(descriptor)
        let change = sockets.want(descriptor, interest, in: pool, watchesIdle: watchesIdle)
        let isWatched = apply(change)
        if interest != 0, keeper.isUnclaimed(descriptor), let transfer = transfer as? Transfer,
            transfer.machine.writes > 0
        {
            keeper.adopt(descriptor, for: &transfer.connection)
        }
        return isWatched
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
        noteSocket(descriptor)
        sockets.opened(descriptor)
        keeper.opened(descriptor, isQUIC: lane.route.protocols.isHTTP3)
        let cookie = library.has(.sequentialAddresses) ? chttp_socket_cookie(descriptor) : 0
        openSockets[descriptor] = (lane, cookie)
        lane.openSockets += 1
    }

    /// Records that a descriptor belongs to a socket that was just made. Its number was free: a
    /// socket that had it was closed without notice.
    func noteSocket(_ descriptor: Int32) {
        if openSockets[descriptor] != nil { closed(descriptor) }
        sockets.closed(descriptor)
    }

    /// Returns the sockets that libcurl has made for a transfer and has not closed.
    func openDescriptors(of transfer: Transfer) -> [Int32] {
        transfer.connection.openedDescriptors.filter {
            openSockets[$0]?.cookie == chttp_socket_cookie($0)
        }
    }

    /// Records that another socket, which has connected to `address`, has taken the number of one.
    func replaced(_ descriptor: Int32, address: IPAddress) {
        progressCount &+= 1
        openSockets[descriptor]?.cookie = chttp_socket_cookie(descriptor)
        replacedAddresses[descriptor] = (address, chttp_local_port(descriptor))
        apply(sockets.replaced(descriptor))
    }

    func replacedAddresses(_ lane: Lane, localPort: Int32) -> ReplacedAddresses {
        var found = ReplacedAddresses()
        guard !replacedAddresses.isEmpty else { return found }
        for (descriptor, socket) in replacedAddresses where socket.localPort == localPort {
            found.candidates.append(socket.address)
            if openSockets[descriptor]?.lane === lane { found.ofLane = socket.address }
        }
        return found
    }

    /// Records the sockets of a transfer that libcurl has closed without notice: those that lost
    /// to another address, or whose transfer ended before they had connected.
    private func findClosedSockets(of transfer: Transfer) {
        guard library.has(.untoldCloses) else { return }
        for descriptor in transfer.connection.openedDescriptors {
            guard let socket = openSockets[descriptor],
                socket.cookie != chttp_socket_cookie(descriptor)
            else { continue }
            closed(descriptor)
        }
    }

    private func closed(_ descriptor: Int32) {
        progressCount &+= 1
        sockets.closed(descriptor)
        keeper.closed(descriptor)
        if !replacedAddresses.isEmpty { replacedAddresses[descriptor] = nil }
        openSockets.removeValue(forKey: descriptor)?.lane.openSockets -= 1
    }

    func progress(content bytes: Int) -> Int64 {
        progressCount &+= 1
        turnContent += bytes
        return now
    }

    func hold(_ transfer: Transfer) { held.append(transfer) }

    // MARK: Lanes and transfers

    func learn(_ version: HTTPVersion?, for transfer: Transfer, idleTimeout: Int?) {
        let lane = transfer.lane
        if version == .http1_1 || version == .http1_0, let connection = transfer.connection.id {
            keeper.speaksHTTP1(connection)
        } else if version == .http3, let connection = transfer.connection.id {
            keeper.trust(connection)
        }
        lane.speaksHTTP1 = version == .http1_1 || version == .http1_0
        lane.isMultiplexed =
            (version == .http2 || version == .http3) && lane.route.protocols != .http3Single
        if lane.isMultiplexed, let id = transfer.connection.id { keeper.settled(id) }
        widen(lane, to: lanes.limit(lane.route, speaking: version ?? .http1_1))
        lane.idleTimeout = idleTimeout
    }

    func widen(_ lane: Lane, to limit: Int) {
        if limit > lane.queue.limit, lane.queue.waitingCount > 0 { widened.append(lane) }
        lane.queue.limit = limit
    }

    func idleLimit(_ lane: Lane) -> Int {
        // libcurl counts whole seconds, and 0 would mean no limit.
        max(1, Int(idleTime(lane) / 1_000_000_000))
    }

    /// The time after which an idle connection of a lane is closed, in nanoseconds.
    private func idleTime(_ lane: Lane) -> Int64 {
        AnnouncedIdleTimeout.limit(lane.idleTimeout, atMost: settings.idleSeconds)
    }

    func willFlush(_ transfer: Transfer) { dirty.append(transfer) }

    func willResume(_ suspension: Suspension) { resumptions.append(suspension) }

    func schedule(_ transfer: Transfer) {
        guard !transfer.machine.isOver, let due = transfer.nextDue else { return }
        transfers.set(transfer, dueAt: due)
    }

    func finish(_ transfer: Transfer, _ end: Exchange.End) {
        guard !transfer.machine.isOver else { return }
        progressCount &+= 1
        transfer.end(end)
        transfers.remove(transfer)
        let lane = transfer.lane
        if transfer.alternative?.purpose == .opening {
            lane.counts.opened += transfer.connection.openedCount
        } else {
            lane.counts.note(
                opened: transfer.connection.openedCount,
                isReused: transfer.connection.isReused == true,
                resent: transfer.machine.resendCount)
        }
        endLookup(of: transfer)
        judgeSilence(of: transfer, end)
        if let alternative = transfer.alternative { note(alternative, of: transfer, end) }
        if let easy = transfer.easy.take() {
            // libcurl 7.88 leaks what it keeps for a paused HTTP/2 stream, unless it can deliver
            // it. The transfer is over and drops what it is given.
            if transfer.flow.isReceivingPaused, transfer.collector.version == .http2 {
                _ = easy.pause(receiving: false, sending: transfer.flow.isSendingPaused)
            }
            leavePool(transfer, easy)
            handles.giveBack(easy, of: lane, isClean: transfer.leavesHandleClean)
        }
        if transfer.machine.isAdmitted {
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
            if let transfer = transfer(of: exchange) {
                finish(transfer, .failed(transfer.reaching(error)))
            }
        case .abandon(let exchange): transfer(of: exchange)?.abandon(nil)
        case .discard(let exchange, let waiter):
            if let transfer = transfer(of: exchange) {
                transfer.abandon(waiter)
            } else {
                waiter.resume()
            }
        case .resumeReceiving(let exchange): transfer(of: exchange)?.resumeReceiving()
        case .resumeSending(let exchange): transfer(of: exchange)?.resumeSending()
        case .answered(let question, let result): answered(question, result)
        case .found(let addresses, let host): found(addresses, of: host)
        case .statistics(let waiter): waiter.resume(with: .success(currentStatistics()))
        case .release: release()
        case .close(let grace):
            release()
            let due = now.addingReportingOverflow(grace.nanoseconds)
            closeDue = due.overflow ? closeDue : min(due.partialValue, closeDue ?? .max)
        }
    }

    private func currentStatistics() -> CurlStatistics {
        var current = statistics
        lanes.report(to: &current)
        current.openSockets = openSockets.count
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
        let lane = lanes.lane(for: exchange.destination) { loop.contexts.retirements }
        if lanes.hasForgotten {
            lanes.hasForgotten = false
            handles.forget()
        }
        let (alternative, choice) = alternative(for: exchange, in: lane)
        let transfer = add(
            exchange, in: alternative.map { lanes.lane(to: $0.service, of: lane) } ?? lane)
        guard exchange.begin(transfer.slot) else {
            return finish(transfer, .failed(CancellationError()))
        }
        transfer.alternative = alternative
        if let choice { transfer.note(choice) }
        if let error = circularLookup(of: transfer) { return finish(transfer, .failed(error)) }
        enter(transfer)
    }

    func add(_ exchange: Exchange, in lane: Lane) -> Transfer {
        let transfer = Transfer(exchange, slot: transfers.freeSlot, lane: lane, loop: self)
        transfers.add(transfer)
        return transfer
    }

    /// Starts a transfer, or has it wait for its turn.
    func enter(_ transfer: Transfer) {
        schedule(transfer)
        let lane = transfer.lane
        switch lane.queue.enter(transfer.slot, wasAdmitted: transfer.times.admitted != nil) {
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

    func startWaiting(in lane: Lane) {
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
            lane.queue.limit = lanes.limit(lane.route)
            lane.isMultiplexed = lane.route.mayMultiplex
        }
    }

    /// Starts what may run now that a server has shown how many exchanges it takes at a time.
    /// libcurl's callbacks, where that is learnt, must not begin transfers.
    private func startWaitingInWidened() {
        while let lane = widened.popLast() { startWaiting(in: lane) }
    }

    private func start(_ transfer: Transfer) {
        transfer.admit()
        if mayBegin(transfer) { begin(transfer) }
    }

    /// Gives a transfer to libcurl that has its turn, and the addresses that it may need.
    func begin(_ transfer: Transfer) {
        do throws(HTTPError) {
            takeShare(transfer)
            let purpose = transfer.purpose
            let easy = try handles.take(for: transfer.lane, purpose)
            transfer.easy = easy
            try transfer.configure(easy, purpose)
            if transfer.closesConnection { closeSeries(of: transfer) }
            try enterPool(transfer, easy)
        } catch {
            finish(transfer, .failed(error))
        }
    }

    private func leavePool(_ transfer: Transfer, _ easy: CurlEasyHandle) {
        guard let pool = transfer.pool.take() else { return }
        stopsReading(transfer)
        endRace(of: transfer)
        pool.remove(easy)
        findClosedSockets(of: transfer)
        leaveConnection(transfer)
        if let place = transfer.connection.place.take() {
            transfer.lane.places.leave(place)
        } else {
            leaveSingle(pool, isClean: transfer.leavesConnectionClean)
        }
    }

    /// Closes the connection of an exchange that had a pool to itself, unless it has ended well.
    /// See ``LibraryDefect/fatalCancellation``: libcurl must do nothing else with it.
    private func leaveSingle(_ pool: ConnectionPool, isClean: Bool) {
        // Without memory for a new pool, this one is not used again, and is closed with the loop.
        guard isClean || replace(pool) else { return }
        poolNumbers.giveBack(pool.number)
    }

    /// Gives up a pool with its connections, which are closed. Returns `false` if there is no
    /// memory for another one.
    private func replace(_ pool: ConnectionPool) -> Bool {
        guard let other = try? makePool(pool.number) else { return false }
        pools[pool.number] = other
        return true
    }

    /// Gives the transfer to libcurl once more, as if it had not started yet.
    func startAnew(_ transfer: Transfer, _ reason: FreshStart) {
        switch reason {
        case .misdirected: return leaveHTTP3(transfer, because: Self.misdirection, reason)
        case .refused, .unsettledConnection: return waitAgain(transfer, reason)
        default: break
        }
        guard let easy = transfer.easy else { return }
        leavePool(transfer, easy)
        do throws(HTTPError) {
            if reason == .noDescriptors { makeRoom() }
            try transfer.startAgain(reason)
            if needsAddresses(transfer) {
                transfer.easy = nil
                handles.giveBack(easy, of: transfer.lane, isClean: false)
                return lookUpAnew(transfer)
            }
            if reason == .spentConnection { takeShare(transfer) }
            try transfer.configureAnew(easy, reason)
            if transfer.closesConnection { closeSeries(of: transfer) }
            try enterPool(transfer, easy)
        } catch {
            finish(transfer, .failed(error))
        }
    }

    private func enterPool(_ transfer: Transfer, _ easy: CurlEasyHandle) throws(HTTPError) {
        let lane = transfer.lane
        let number: Int
        if lane.route.protocols == .http3Single {
            transfer.connection.place = nil
            number = poolNumbers.takeSingle()
        } else {
            let place = lane.places.enter(
                sharing: lane.isMultiplexed || transfer.exchange.request.version == .http2)
            transfer.connection.place = place
            number = poolNumbers.shared(at: place)
        }
        do {
            while pools.count <= number { try addPool() }
        } catch {
            if let place = transfer.connection.place.take() {
                lane.places.leave(place)
            } else {
                poolNumbers.giveBack(number)
            }
            throw error
        }
        transfer.pool = pools[number]
        // Not the time of the turn, which may be before the exchange was submitted.
        transfer.times.started = chttp_monotonic_ns()
        let code = pools[number].add(easy)
        guard code == CHTTP_M_OK else {
            throw HTTPError(
                .internalFailure, "libcurl: \(ConnectionPool.errorText(code))", phase: .preparing)
        }
    }

    /// Takes a transfer out of libcurl and out of the queue of its lane.
    func detach(_ transfer: Transfer) {
        endLookup(of: transfer)
        if let easy = transfer.easy.take() {
            leavePool(transfer, easy)
            handles.giveBack(easy, of: transfer.lane, isClean: false)
        }
        if transfer.machine.isAdmitted {
            transfer.lane.queue.leave()
        } else {
            transfer.lane.queue.withdraw(transfer.slot)
        }
    }

    private func release() {
        isReleased = true
        guard openers > 0 else { return }
        for transfer in transfers.all where transfer.alternative?.purpose == .opening {
            finish(transfer, .failed(transfer.reaching(EventLoop.closed)))
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
                isRetryable: true)
            for transfer in transfers.all where transfer.pool === pools[number] {
                finish(transfer, .failed(transfer.reaching(error)))
            }
            // Without memory for a new pool, the failed one stays in use. It is empty.
            _ = replace(pools[number])
        }
    }

    /// The time at which the last pool will have been idle for as long as its connections may be.
    /// The first pool always stays.
    private var idleDue: Int64? {
        guard pools.count > 1, let last = pools.last, last.running == 0 else { return nil }
        let (due, overflows) = last.idleSince.addingReportingOverflow(
            settings.configuration.idleConnectionTimeout.nanoseconds)
        return overflows ? nil : due
    }

    // MARK: Connections

    func willSend(
        _ transfer: Transfer, between ends: KeptConnections.Ends, isNew: Bool
    ) -> ConnectionKeeper.Beginning {
        let former = transfer.connection.id
        leaveConnection(transfer)
        if isNew { findClosedSockets(of: transfer) }
        let choice = ConnectionKeeper.Choice(
            ends: ends, isNew: isNew,
            hasUnreadRecords: !isNew && transfer.easy?.hasUnreadRecords == true,
            awaitsSettings: transfer.lane.mayShareConnections && CurlLibrary.seesStreams,
            pool: transfer.pool?.number ?? 0)
        let beginning = keeper.begin(choice, for: &transfer.connection, at: now)
        if let former, former != transfer.connection.id { judgeResend(of: transfer, former) }
        guard beginning == .begun else { return beginning }
        if let id = transfer.connection.id, isSilentForSameCall(transfer, on: id) {
            leaveConnection(transfer)
            return .spent
        }
        limitUse(of: transfer)
        return .begun
    }

    func lastHeard(by transfer: Transfer) -> Int64? {
        transfer.connection.id.flatMap { keeper.lastHeard(on: $0) }
    }

    /// Lets no further exchange begin on the connection of a transfer that is its last one.
    private func limitUse(of transfer: Transfer) {
        let lane = transfer.lane
        let maximum = settings.configuration.maximumRequestsPerConnection
        let isLast =
            if let id = transfer.connection.id {
                transfer.closesConnection
                    || maximum.map { keeper.exchangeCount(on: id) >= $0 } == true
            } else {
                // It is not known how many exchanges the connection has carried.
                transfer.closesConnection || maximum != nil && !lane.mayShareConnections
            }
        if isLast, let id = transfer.connection.id { spend(id) }
        if isLast || isLeftBehind(transfer) { forbidReuse(by: transfer) }
        if isLast, transfer.easy?.applicationProtocol != "http/1.1" { closeSeries(of: transfer) }
    }

    /// Lets no further exchange begin on a connection, which is closed after those under way.
    func spend(_ id: KeptConnections.ID) {
        keeper.spend(id)
        // libcurl asks the last one that ends.
        for other in transfers.all where other.connection.id == id { forbidReuse(by: other) }
    }

    func forbidReuse(by transfer: Transfer) {
        transfer.easy?.set(CHTTP_OPT_FORBID_REUSE, true)
    }

    private func takeShare(_ transfer: Transfer) {
        if let maximum = settings.configuration.maximumRequestsPerConnection,
            transfer.lane.takeShare(maximum: maximum)
        {
            leaveBehind(transfer.lane)
        }
    }

    /// Lets no exchange that starts later use the connection that a transfer uses or will use, if
    /// several exchanges may share it.
    func closeSeries(of transfer: Transfer) {
        let lane = transfer.lane
        guard lane.mayShareConnections, transfer.connection.series == lane.series else { return }
        lane.beginSeries()
        leaveBehind(lane)
    }

    /// Has the connections of earlier series of a lane closed after their last exchanges.
    private func leaveBehind(_ lane: Lane) {
        for transfer in transfers.all
        where transfer.lane === lane && transfer.machine.writes > 0 && isLeftBehind(transfer) {
            forbidReuse(by: transfer)
        }
    }

    /// Returns `true` if no exchange that starts later will use the connection of a transfer.
    private func isLeftBehind(_ transfer: Transfer) -> Bool {
        transfer.lane.route.protocols == .best && transfer.connection.series != transfer.lane.series
    }

    func wrote(_ transfer: Transfer, at time: Int64) {
        if let id = transfer.connection.id { keeper.wrote(on: id, at: time) }
    }

    private func leaveConnection(_ transfer: Transfer) {
        var limit = idleTime(transfer.lane)
        if isLeftBehind(transfer) || transfer.connection.id.map(keeper.isSpent) == true,
            !transfer.lane.route.protocols.isHTTP3
        {
            limit = min(limit, Self.closingTime)
        }
        // The limit is at most 2^31 s, so the sum cannot overflow.
        let due = now + limit
        keeper.end(&transfer.connection, due: due)
    }

    /// The time after which a connection that will not be used is shut down, unless libcurl has
    /// closed it, in nanoseconds. Newer libraries tell the server first, and wait for 2 s.
    private static let closingTime: Int64 = 3_000_000_000

    func sharesConnection(_ transfer: Transfer) -> Bool {
        transfer.connection.id.map { keeper.exchangeCount(on: $0) > 1 } ?? false
    }

    /// Closes idle connections that are due.
    private func closeIdle() {
        guard keeper.nextDue <= now else { return }
        let due = keeper.shutDownDue(at: now)
        guard !due.isEmpty else { return }
        for number in due where pools.indices.contains(number) { pools[number].clean() }
        keeper.planCleaning(at: now)
    }

    /// Closes some of the connections that have been idle for longest, because the process has no
    /// descriptor left.
    private func makeRoom() {
        for (number, left) in keeper.shutDownOldest(at: now) where pools.indices.contains(number) {
            // Older libraries close one at a time.
            while case let count = keeper.openCount(in: number), count > left {
                pools[number].evictOldest(keeping: left)
                guard keeper.openCount(in: number) < count else { break }
            }
        }
    }

    private func dropIdle() {
        while let idleDue, idleDue <= now {
            pools.removeLast()
            poolNumbers.removeLast()
        }
    }

    private func isOver() -> Bool {
        guard isReleased, transfers.isEmpty, dirty.isEmpty, jobs.isEmpty else {
            return false
        }
        return loop.endIfEmpty()
    }

    private func tearDown() {
        handles.removeAll()
        held = []
        pools = []  // closes their connections, through our callbacks
    }
}
