import CHTTPTransportCurl
import HTTPCore

/// Connections that several exchanges share: how many a server takes, what it has refused, and
/// whether it still responds.
extension LoopCore {
    // MARK: Another turn

    func refused(_ transfer: Transfer) { refused.append(transfer) }

    /// Lets wait again what the server has refused. This does not wait for libcurl, which ends
    /// these transfers with the errors of lost connections, or sends them again at once.
    func startRefusedAnew() {
        while let transfer = refused.popLast() {
            guard !transfer.machine.isOver, transfer.easy != nil, transfer.machine.isRefused else {
                continue
            }
            if transfer.machine.startsAgain(after: .refused, transfer.uploadForm) {
                waitAgain(transfer, .refused)
            } else {
                finish(transfer, .failed(transfer.error(curl: CHTTP_E_HTTP2)))
            }
        }
    }

    /// Takes a transfer out of libcurl that the server has no room for, and lets it wait for its
    /// turn. No others begin until an exchange has ended or the server has said that it takes more.
    func waitAgain(_ transfer: Transfer, _ reason: FreshStart) {
        let lane = transfer.lane
        let taken = transfer.takenBytes
        if transfer.connection.series == lane.series { lane.giveBackShare() }
        detach(transfer)
        lane.queue.limit = max(1, lane.queue.active)
        transfer.waitAgain(reason, taken: taken)
        if transfer.times.restDue == nil {
            enter(transfer)
        } else {
            schedule(transfer)
        }
        startWaiting(in: lane)
    }

    /// Goes on with a transfer none of whose limits have passed.
    func goOn(_ transfer: Transfer) {
        if let due = transfer.times.restDue, due <= now {
            transfer.times.restDue = nil
            enter(transfer)
            return startWaiting(in: transfer.lane)
        }
        if let due = transfer.times.settlingDue, due <= now {
            transfer.times.settlingDue = nil
            widen(transfer.lane, to: lanes.limit(transfer.lane.route, speaking: .http2))
            startWaiting(in: transfer.lane)
        }
        schedule(transfer)
    }

    func settled(_ transfer: Transfer) {
        guard let id = transfer.connection.id else { return }
        keeper.settled(id)
        transfer.lane.isMultiplexed = true
        widen(transfer.lane, to: lanes.limit(transfer.lane.route, speaking: .http2))
    }

    // MARK: Failures

    /// Handles libcurl's result for a transfer, which may show that HTTP/2 has failed on its
    /// connection. libcurl would use the connection again as long as its socket is open.
    func judgeFailure(of transfer: Transfer, _ result: Int32) {
        // The text may be that of an earlier connection, and the code that of a stream which has
        // ended without an error.
        guard result == CHTTP_E_HTTP2 || result == CHTTP_E_RECV_ERROR, isOfHTTP2(transfer),
            transfer.connection.stream.error != 0,
            saysBroken(transfer) || result == CHTTP_E_HTTP2 && CurlLibrary.seesStreams
        else { return }
        giveUpConnection(of: transfer)
        if let id = transfer.connection.id { broke(id) }
    }

    /// Handles a request that libcurl is about to write once more. Its connection may have failed.
    func judgeResend(of transfer: Transfer, _ former: KeptConnections.ID) {
        if isOfHTTP2(transfer), saysBroken(transfer) { broke(former) }
    }

    private func isOfHTTP2(_ transfer: Transfer) -> Bool {
        transfer.lane.mayShareConnections && !transfer.lane.route.protocols.isHTTP3
            && transfer.machine.writes > 0 && !transfer.machine.isRefused
    }

    private func saysBroken(_ transfer: Transfer) -> Bool {
        transfer.easy.map { HTTP2Failure.isOfConnection($0.failureText) } ?? false
    }

    private func broke(_ id: KeptConnections.ID) {
        guard !keeper.isBroken(id) else { return }
        keeper.broke(id)
        spend(id)
        leftConnections.insert(id)
        brokenConnections.insert(id)
    }

    /// Ends the transfers that are left on connections that are broken. libcurl has had its turn to
    /// do so; older versions do not for all.
    ///
    /// - Returns: `true` if there were any.
    func endBroken() -> Bool {
        guard !brokenConnections.isEmpty else { return false }
        let broken = brokenConnections
        brokenConnections.removeAll()
        let left = transfers.all.filter { transfer in
            // libcurl delivers what has come as a whole, or what a reader has not taken. It has no
            // transfer on a connection that it has closed.
            guard let id = transfer.connection.id, broken.contains(id), keeper.isBroken(id) else {
                return false
            }
            return !transfer.connection.stream.hasEnded && !transfer.flow.isReceivingPaused
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
    func judgeSilence(of transfer: Transfer, _ end: Exchange.End) {
        guard transfer.lane.mayShareConnections, case .failed(let error) = end,
            transfer.machine.stage >= .waiting, let written = transfer.times.written
        else { return }
        if transfer.lane.route.protocols.isHTTP3 {
            if transfer.isUnanswered { judgeSilence(ofQUIC: transfer) }
            return
        }
        guard isSilence(error, of: transfer, since: written) else { return }
        if let id = transfer.connection.id { spend(id) }
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
                && transfer.connection.id.map { keeper.isSilentForLong($0, at: now) } ?? false
        }
        guard let id = transfer.connection.id else { return !transfer.machine.hasReceived }
        if keeper.isSilent(id, since: written) { return true }
        // The connection has become silent later. Only a transfer that waits for it shows that.
        return !transfer.flow.isReceivingPaused && !transfer.flow.isSendingPaused
            && keeper.isSilent(id, since: now - ConnectionKeeper.silenceLimit)
    }

    /// Returns `true` if another send of the same call waits on the connection, over which nothing
    /// has come since.
    func isSilentForSameCall(_ transfer: Transfer, on id: KeptConnections.ID) -> Bool {
        guard let call = transfer.exchange.request.call, keeper.isWaitedFor(id, at: now),
            transfer.exchange.attempt > 1
        else { return false }
        return transfers.first {
            guard $0 !== transfer, $0.connection.id == id, $0.exchange.request.call === call,
                let written = $0.times.written
            else { return false }
            return keeper.isSilent(id, since: written)
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
