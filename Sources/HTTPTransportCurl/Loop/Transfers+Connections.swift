import CHTTPTransportCurl
import HTTPCore

// The connections of transfers: which one a request may be written over, how many requests it
// carries, and what a failure or a silence says about it.
extension Transfers {
    // MARK: Sockets

    func want(
        _ descriptor: Int32, _ interest: Int32, in pool: Int, for transfer: (any CurlEasyEvents)?
    ) -> Bool {
        turn.progress()
        let watchesIdle = interest == 0 && connections.mustWatch(descriptor)
        let isWatched = reactor.want(descriptor, interest, in: pool, watchesIdle: watchesIdle)
        if interest != 0, connections.isUnclaimed(descriptor),
            let transfer = transfer as? Transfer, transfer.machine.isWritten
        {
            transfer.connection.use = connections.adopt(descriptor, for: transfer.connection.use)
        }
        return isWatched
    }

    /// Records that a descriptor belongs to a socket that was just made. Its number was free: a
    /// socket that had it was closed without notice.
    func noteSocket(_ descriptor: Int32) {
        if connections.isOpen(descriptor) { closed(descriptor) }
        reactor.closed(descriptor)
    }

    func closed(_ descriptor: Int32) {
        turn.progress()
        reactor.closed(descriptor)
        connections.closed(descriptor)
    }

    /// Records the sockets of a transfer that libcurl has closed without notice: those that lost
    /// to another address, or whose transfer ended before they had connected.
    func findClosedSockets(of transfer: Transfer) {
        let sockets = transfer.connection.attempts.sockets
        guard !sockets.isEmpty, library.has(.untoldCloses) else { return }
        for descriptor in connections.examine(sockets).lost {
            closed(descriptor)
        }
    }

    /// Closes some of the connections that have been idle for longest, because the process has no
    /// descriptor left.
    func makeRoom() {
        for (number, left) in connections.shutDownOldest(at: now) {
            pools.evict(in: number, keeping: left) { connections.openCount(in: number) }
        }
    }

    func widen(_ lane: Lane, speaking version: HTTPVersion) {
        scheduler.limit(lane, to: lane.limit(speaking: version))
    }

    // MARK: Use

    func leaveConnection(_ transfer: Transfer) {
        var limit = idleTime(transfer.lane)
        if !transfer.lane.isHTTP3 {
            if isLeftBehind(transfer) { limit = min(limit, Self.closingTime) }
            if let id = transfer.connection.use.id, connections.isSpent(id) {
                limit = min(limit, Self.closingTime)
            }
        }
        // The limit is at most 2^31 s, so the sum cannot overflow.
        connections.end(transfer.connection.use, due: now + limit)
        transfer.connection.use = .none
    }

    /// The time after which a connection that will not be used is shut down, unless libcurl has
    /// closed it, in nanoseconds. Newer libraries tell the server first, and wait for 2 s.
    private static let closingTime: Int64 = 3_000_000_000

    // MARK: The last exchange on a connection

    /// Lets no further exchange begin on the connection of a transfer that is its last one.
    func limitUse(of transfer: Transfer) {
        let lane = transfer.lane
        let maximum = settings.configuration.maximumRequestsPerConnection
        let isLast =
            if let id = transfer.connection.use.id {
                transfer.closesConnection
                    || maximum.map { connections.exchangeCount(on: id) >= $0 } == true
            } else {
                // It is not known how many exchanges the connection has carried.
                transfer.closesConnection || maximum != nil && !lane.mayShareConnections
            }
        if isLast, let id = transfer.connection.use.id { spend(id) }
        if isLast || isLeftBehind(transfer) { forbidReuse(by: transfer) }
        if isLast, transfer.easy?.applicationProtocol != "http/1.1" { closeSeries(of: transfer) }
    }

    /// Lets no further exchange begin on a connection, which is closed after those under way.
    private func spend(_ id: KeptConnections.ID) {
        connections.spend(id)
        // libcurl asks the last one that ends.
        for other in table.all where other.connection.use.id == id { forbidReuse(by: other) }
    }

    private func forbidReuse(by transfer: Transfer) {
        transfer.easy?.set(CHTTP_OPT_FORBID_REUSE, true)
    }

    func takeShare(_ transfer: Transfer) {
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
        for transfer in table.all
        where transfer.lane === lane && transfer.machine.isWritten && isLeftBehind(transfer) {
            forbidReuse(by: transfer)
        }
    }

    /// Returns `true` if no exchange that starts later will use the connection of a transfer.
    private func isLeftBehind(_ transfer: Transfer) -> Bool {
        transfer.connection.series != transfer.lane.series
            && transfer.lane.route.protocols == .best
    }

    // MARK: Refusals

    /// Lets wait again what the server has refused. This does not wait for libcurl, which ends
    /// these transfers with the errors of lost connections, or sends them again at once.
    func startRefusedAnew() {
        while let transfer = refusals.popLast() {
            guard !transfer.machine.isOver, transfer.easy != nil, transfer.machine.isRefused else {
                continue
            }
            if transfer.machine.startsAgain(after: .refused) {
                waitAgain(transfer, .refused)
            } else {
                finish(transfer, .failed(transfer.error(curl: CHTTP_E_HTTP2)))
            }
        }
    }

    // MARK: Failures

    /// Makes libcurl read what TLS has read ahead on connections where a transfer has stopped.
    ///
    /// libcurl stops reading once the stream of the transfer that reads has ended or is paused.
    /// The bytes that TLS holds by then belong to other transfers, but the socket has nothing more
    /// to read, so libcurl would not run them. The same holds if HTTP/2 has failed on the
    /// connection.
    ///
    /// - Returns: `true` if libcurl has read.
    func readLeft() -> Bool {
        var hasRead = false
        for id in connections.takeLeft() {
            guard let other = table.first(where: { $0.connection.use.id == id }),
                connections.isBroken(id) || other.easy?.hasUnreadRecords == true,
                let pool = other.stay?.pool
            else { continue }
            hasRead = true
            pool.act(on: id.descriptor, CHTTP_SELECT_IN)
        }
        return hasRead
    }

    /// Handles libcurl's result for a transfer, which may show that HTTP/2 has failed on its
    /// connection. libcurl would use the connection again as long as its socket is open.
    func judgeFailure(of transfer: Transfer, _ result: Int32) {
        // The text may be that of an earlier connection, and the code that of a stream which has
        // ended without an error.
        guard result == CHTTP_E_HTTP2 || result == CHTTP_E_RECV_ERROR, isOfHTTP2(transfer),
            transfer.connection.stream?.error != 0,
            saysBroken(transfer) || result == CHTTP_E_HTTP2 && CurlLibrary.seesStreams
        else { return }
        giveUpConnection(of: transfer)
        if let id = transfer.connection.use.id { broke(id) }
    }

    /// Handles a request that libcurl is about to write once more. Its connection may have failed.
    func judgeResend(of transfer: Transfer, _ former: KeptConnections.ID) {
        if isOfHTTP2(transfer), saysBroken(transfer) { broke(former) }
    }

    private func isOfHTTP2(_ transfer: Transfer) -> Bool {
        transfer.lane.mayShareConnections && !transfer.lane.isHTTP3
            && transfer.machine.isWritten && !transfer.machine.isRefused
    }

    private func saysBroken(_ transfer: Transfer) -> Bool {
        transfer.easy.map { HTTP2Failure.isOfConnection($0.failureText) } ?? false
    }

    private func broke(_ id: KeptConnections.ID) {
        if connections.broke(id) { spend(id) }
    }

    /// Ends the transfers that are left on connections that are broken. libcurl has had its turn to
    /// do so; older versions do not for all.
    ///
    /// - Returns: `true` if there were any.
    func endBroken() -> Bool {
        let broken = connections.takeBroken()
        let left = table.all.filter { transfer in
            // libcurl delivers what has come as a whole, or what a reader has not taken. It has no
            // transfer on a connection that it has closed.
            guard let id = transfer.connection.use.id, broken.contains(id) else { return false }
            return transfer.connection.stream?.hasEnded != true && !transfer.flow.isReceivingPaused
        }
        // Unlike an error of receiving, this blames no head.
        for transfer in left where !transfer.machine.isOver {
            settle(transfer, CHTTP_E_PARTIAL_FILE)
        }
        return !left.isEmpty
    }

    // MARK: Silence

    /// Handles the end of a transfer, which may show that its connection is dead: its peer may
    /// still acknowledge what it gets, and respond to nothing.
    ///
    /// After a time limit during which nothing came over a connection, no further exchange begins
    /// on it. The same holds after a second of silence if the caller has given up.
    func judgeSilence(of transfer: Transfer, _ error: any Error) {
        guard transfer.lane.mayShareConnections, transfer.machine.stage >= .waiting,
            let written = transfer.times.written
        else { return }
        if transfer.lane.isHTTP3 {
            if transfer.isUnanswered { http3.judgeSilence(of: transfer) }
            return
        }
        guard isSilence(error, of: transfer, since: written) else { return }
        if let id = transfer.connection.use.id { spend(id) }
        giveUpConnection(of: transfer)
    }

    /// Lets no later exchange use the connection of a transfer.
    private func giveUpConnection(of transfer: Transfer) {
        forbidReuse(by: transfer)
        closeSeries(of: transfer)
    }

    private func isSilence(
        _ error: any Error, of transfer: Transfer, since written: Int64
    ) -> Bool {
        guard let error = error as? HTTPError, error.isOfWaiting else {
            return error is CancellationError
                && transfer.connection.use.id.map { connections.isSilentForLong($0, at: now) }
                    ?? false
        }
        guard let id = transfer.connection.use.id else { return !transfer.machine.hasReceived }
        if connections.isSilent(id, since: written) { return true }
        // The connection has become silent later. Only a transfer that waits for it shows that.
        return !transfer.flow.isReceivingPaused && !transfer.flow.isSendingPaused
            && connections.isSilent(id, since: now - Connections.silenceLimit)
    }

    /// Returns `true` if another send of the same call waits on the connection, over which nothing
    /// has come since.
    func isSilentForSameCall(_ transfer: Transfer, on id: KeptConnections.ID) -> Bool {
        guard let call = transfer.exchange.request.call, connections.isWaitedFor(id, at: now),
            transfer.exchange.attempt > 1
        else { return false }
        return table.first {
            guard $0 !== transfer, $0.connection.use.id == id, $0.exchange.request.call === call,
                let written = $0.times.written
            else { return false }
            return connections.isSilent(id, since: written)
        } != nil
    }
}

extension HTTPError {
    /// `true` if a limit has passed that the server, or the way to it, has used up.
    fileprivate var isOfWaiting: Bool {
        guard code == .timedOut, let name = timer?.name else { return false }
        return [.deadline, .total, .idle, .responseHead].contains(name)
    }
}
