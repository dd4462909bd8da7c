import HTTPCore

/// HTTP/3 that servers announce, and connections of QUIC that they have lost: which exchange goes
/// there, which one goes on without it, and when a connection counts as lost.
///
/// An ``HTTP3Availability`` records how a service has worked so far. Lives on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
final class HTTP3Path {
    private unowned let loop: any TransferMover
    private let connections: Connections
    /// The number of transfers that open the first connection to a service.
    @safe @exclusivity(unchecked) private var openers = 0
    /// `true` if no further connection is opened.
    @safe @exclusivity(unchecked) private var isReleased = false

    init(_ loop: any TransferMover, _ connections: Connections) {
        self.loop = loop
        self.connections = connections
    }

    /// Decides whether an exchange goes over HTTP/3 because the server has announced it.
    func use(
        for exchange: Exchange, in lane: Lane
    ) -> (HTTP3Use?, HTTPVersionChoice?) {
        if let version = exchange.request.version { return (nil, .requested(version)) }
        // The service may have a name that only the resolver knows.
        if exchange.isOfResolver { return (nil, nil) }
        guard let decision = lane.http3?.decide(at: loop.now, under: exchange.addressPolicy ?? .any)
        else { return (nil, nil) }
        switch decision {
        case .unknown: return (nil, nil)
        case .use
        where loop.library.has(.fatalCancellation) && UploadForm(exchange.request).hasContent:
            return (nil, .passedOver(.http3, reason: Self.bodies))
        case .use(let service):
            let use = HTTP3Use(
                service: service, home: lane,
                purpose: .exchange(
                    patience: lane.http3?.patience ?? HTTP3Availability.shortestPatience))
            return (use, .announced(.http3, host: service.host, port: service.port))
        case .open(let service):
            open(service, of: lane, for: exchange)
            return (nil, .passedOver(.http3, reason: "it is being opened"))
        case .opening: return (nil, .passedOver(.http3, reason: "it is being opened"))
        case .forbidden:
            return (nil, .passedOver(.http3, reason: "its address may not be connected to"))
        case .broken(let left):
            let seconds = left / 1_000_000_000
            return (
                nil,
                .passedOver(.http3, reason: "it has failed, and rests for \(seconds) s more")
            )
        }
    }

    private static let bodies = "libcurl cannot safely cancel a request with a body over it"

    /// Opens a connection to a service that was announced, without sending anything over it.
    ///
    /// - Parameter asking: The exchange for which the service was found. It may forbid addresses.
    private func open(
        _ service: HTTP3Availability.Service, of lane: Lane, for asking: Exchange
    ) {
        guard !isReleased,
            var request = try? HTTPRequest(.get, "\(lane.route.origin)/"),
            let target = try? request.checkedTarget()
        else {
            lane.http3?.openingWasCancelled()
            return
        }
        request[AddressPolicy.self] = asking.addressPolicy ?? .any
        let exchange = Exchange(
            request, to: Destination(target, lane.route, on: asking.destination.loop),
            limits: TimeLimits(request, session: loop.settings.configuration.timeouts),
            settings: loop.settings)
        let opener = loop.add(exchange, in: loop.lane(to: service, of: lane))
        _ = exchange.begin(opener.slot)
        opener.http3 = HTTP3Use(service: service, home: lane, purpose: .opening())
        openers += 1
        loop.enter(opener)
    }

    /// Records how a transfer over an announced service has ended.
    func note(_ use: HTTP3Use, of transfer: Transfer, _ end: Exchange.End) {
        switch use.purpose {
        case .opening(let connected):
            openers -= 1
            if let connected {
                use.home.http3?.opened(use.service, in: use.wait.socketMade.map { connected - $0 })
                return
            }
            let isClosing =
                if case .failed(let error as HTTPError) = end {
                    error.code == .sessionClosed
                } else { true }
            switch transfer.http3Cause {
            case .service where !isClosing:
                use.home.http3?.failed(use.service, at: loop.now, whileOpening: true)
            case .policy:
                use.home.http3?.forbid(use.service, under: transfer.exchange.addressPolicy ?? .any)
                use.home.http3?.openingWasCancelled()
            case .here, .doubt, .service: use.home.http3?.openingWasCancelled()
            }
        case .exchange:
            if transfer.isMisdirected {
                use.home.http3?.failed(use.service, at: loop.now)
            } else if transfer.machine.hasHead {
                use.home.http3?.responded(use.service)
            } else if case .failed(let error) = end {
                if transfer.isLostWithHTTP3(error) {
                    use.home.http3?.failed(use.service, at: loop.now)
                } else if transfer.mayLeaveHTTP3, use.wait.socketMade != nil {
                    // Its caller may have had too little time to see that no connection is made.
                    use.home.http3?.doubted(use.service, at: loop.now)
                }
            }
        }
    }

    static let misdirection = "the service does not respond for this origin (421)"

    /// Lets an exchange go on without HTTP/3. If the service has failed, all that have not begun to
    /// use it go on without it.
    func leave(
        _ transfer: Transfer, because reason: String, _ start: FreshStart = .http3Failed
    ) {
        guard let use = transfer.http3 else { return }
        let lane = transfer.lane
        var others: [Transfer] = []
        switch start == .misdirected ? .service : transfer.http3Cause {
        case .here: break
        case .policy:
            use.home.http3?.forbid(use.service, under: transfer.exchange.addressPolicy ?? .any)
        case .doubt: use.home.http3?.doubted(use.service, at: loop.now)
        case .service:
            use.home.http3?.failed(use.service, at: loop.now)
            others = loop.all.filter {
                $0 !== transfer && $0.lane === lane && $0.mayLeaveHTTP3
            }
        }
        loop.detach(transfer)
        for other in others { loop.detach(other) }
        transfer.leaveHTTP3(because: reason, start)
        loop.enter(transfer)
        for other in others where !other.machine.isOver {
            other.leaveHTTP3(because: reason, .http3Failed)
            loop.enter(other)
        }
    }

    static let delay = "there was no connection in time"

    private static let loss = "its connection was lost"

    /// Lets no further exchange use a connection over HTTP/3 that seems to be lost. If the service
    /// was announced, it has to prove itself again, and what waits for it goes on without it.
    private func giveUpConnection(of transfer: Transfer) {
        let lane = transfer.lane
        guard transfer.connection.series == lane.series else { return }
        lane.beginSeries()
        guard let use = transfer.http3 else { return }
        use.home.http3?.doubted(use.service, at: loop.now)
        let waiting = loop.all.filter {
            $0 !== transfer && $0.lane === lane && $0.http3?.isOpening == false
                && !$0.machine.isAdmitted
        }
        for other in waiting { loop.detach(other) }
        for other in waiting where !other.machine.isOver {
            other.leaveHTTP3(because: Self.loss, .http3Failed)
            loop.enter(other)
        }
    }

    /// Handles the end of an exchange that has seen nothing from the server since its request was
    /// written. Its own limits may be too short to find out that the connection is lost.
    func judgeSilence(of transfer: Transfer) {
        guard let id = transfer.connection.use.id, connections.endedUnanswered(id, at: loop.now)
        else { return }
        giveUpConnection(of: transfer)
    }

    /// Handles a transfer that has waited for long over HTTP/3. If its connection is lost, its lane
    /// uses the connection no more.
    func leaveSilent(_ transfer: Transfer) {
        guard let id = transfer.connection.use.id, let written = transfer.times.written else {
            return
        }
        let isFirst = transfer.connection.watch == .none
        transfer.connection.watch = .suspected(at: loop.now)
        guard !isFirst else { return connections.suspect(id) }
        guard let isLost = connections.isLost(id, since: written) else { return }
        guard isLost else {
            transfer.connection.watch = .heard
            return
        }
        giveUpConnection(of: transfer)
        if transfer.exchange.request.method.isIdempotent,
            transfer.machine.startsAgain(after: .silentConnection)
        {
            loop.startAnew(transfer, .silentConnection)
            loop.schedule(transfer)
        } else if let due = transfer.unacknowledgedDue, due <= loop.now {
            loop.finish(transfer, .failed(transfer.silenceError))
        } else {
            transfer.connection.watch = .givenUp(at: loop.now)
        }
    }

    func announced(_ text: String, age: Duration, by transfer: Transfer) {
        let lane = transfer.http3?.home ?? transfer.lane
        lane.http3?.announce(text, age: age, at: loop.now)
    }

    /// Handles libcurl's result for a transfer. Returns `true` if the exchange goes on: without
    /// HTTP/3, or over another connection.
    func goesOn(_ transfer: Transfer, after result: Int32) -> Bool {
        if let failure = transfer.http3Failure(result) {
            leave(transfer, because: failure)
        } else if transfer.isLostOverHTTP3(result),
            transfer.machine.startsAgain(after: .lostConnection)
        {
            giveUpConnection(of: transfer)
            loop.startAnew(transfer, .lostConnection)
            loop.schedule(transfer)
        } else {
            return false
        }
        return true
    }

    /// Opens no further connection, and gives up those that are being opened.
    func release() {
        isReleased = true
        guard openers > 0 else { return }
        for transfer in loop.all where transfer.http3?.isOpening == true {
            loop.finish(transfer, .failed(transfer.reaching(HTTPError.transportClosed)))
        }
    }
}
