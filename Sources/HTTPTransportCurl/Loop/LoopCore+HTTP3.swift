import HTTPCore

/// HTTP/3 that servers announce, and connections of QUIC that they have lost.
extension LoopCore {
    /// Decides whether an exchange goes over HTTP/3 because the server has announced it.
    func alternative(
        for exchange: Exchange, in lane: Lane
    ) -> (AlternativeUse?, HTTPVersionChoice?) {
        if let version = exchange.request.version { return (nil, .requested(version)) }
        // The service may have a name that only the resolver knows.
        if exchange.isOfResolver { return (nil, nil) }
        guard let decision = lane.http3?.decide(at: now, under: exchange.addressPolicy)
        else { return (nil, nil) }
        switch decision {
        case .unknown: return (nil, nil)
        case .use where library.has(.fatalCancellation) && UploadForm(exchange.request).hasContent:
            return (nil, .passedOver(.http3, reason: Self.bodies))
        case .use(let service):
            let use = AlternativeUse(
                service: service, home: lane, purpose: .exchange,
                patience: lane.http3?.patience ?? HTTP3Availability.shortestPatience)
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
        request[AddressPolicy.self] = asking.addressPolicy
        let exchange = Exchange(
            request, to: Destination(target, lane.route, on: loop),
            limits: TimeLimits(request, session: settings.configuration.timeouts),
            settings: settings)
        let opener = add(exchange, in: lanes.lane(to: service, of: lane))
        _ = exchange.begin(opener.slot)
        opener.alternative = AlternativeUse(
            service: service, home: lane, purpose: .opening, patience: 0)
        openers += 1
        enter(opener)
    }

    /// Records how a transfer over an announced service has ended.
    func note(_ use: AlternativeUse, of transfer: Transfer, _ end: Exchange.End) {
        switch use.purpose {
        case .opening:
            openers -= 1
            if let connected = use.connected {
                use.home.http3?.opened(use.service, in: use.socketMade.map { connected - $0 })
                return
            }
            let isClosing =
                if case .failed(let error as HTTPError) = end {
                    error.code == .sessionClosed
                } else { true }
            switch transfer.alternativeCause {
            case .service where !isClosing:
                use.home.http3?.failed(use.service, at: now, whileOpening: true)
            case .policy:
                use.home.http3?.forbid(use.service, under: transfer.exchange.addressPolicy)
                use.home.http3?.openingWasCancelled()
            case .here, .doubt, .service: use.home.http3?.openingWasCancelled()
            }
        case .exchange:
            if transfer.isMisdirected {
                use.home.http3?.failed(use.service, at: now)
            } else if transfer.machine.hasHead {
                use.home.http3?.responded(use.service)
            } else if case .failed(let error) = end {
                if transfer.isLostOverAlternative(error) {
                    use.home.http3?.failed(use.service, at: now)
                } else if transfer.mayLeaveAlternative, use.socketMade != nil {
                    // Its caller may have had too little time to see that no connection is made.
                    use.home.http3?.doubted(use.service, at: now)
                }
            }
        }
    }

    static let misdirection = "the service does not respond for this origin (421)"

    /// Lets an exchange go on without HTTP/3. If the service has failed, all that have not begun to
    /// use it go on without it.
    func leaveHTTP3(
        _ transfer: Transfer, because reason: String, _ start: FreshStart = .alternativeFailed
    ) {
        guard let use = transfer.alternative else { return }
        let lane = transfer.lane
        var others: [Transfer] = []
        switch start == .misdirected ? .service : transfer.alternativeCause {
        case .here: break
        case .policy:
            use.home.http3?.forbid(use.service, under: transfer.exchange.addressPolicy)
        case .doubt: use.home.http3?.doubted(use.service, at: now)
        case .service:
            use.home.http3?.failed(use.service, at: now)
            others = transfers.all.filter {
                $0 !== transfer && $0.lane === lane && $0.mayLeaveAlternative
            }
        }
        detach(transfer)
        for other in others { detach(other) }
        transfer.leaveAlternative(because: reason, start)
        enter(transfer)
        for other in others where !other.machine.isOver {
            other.leaveAlternative(because: reason, .alternativeFailed)
            enter(other)
        }
        startWaiting(in: lane)
    }

    static let loss = "its connection was lost"

    /// Lets no further exchange use a connection over HTTP/3 that seems to be lost. If the service
    /// was announced, it has to prove itself again, and what waits for it goes on without it.
    func giveUpQUICConnection(of transfer: Transfer) {
        let lane = transfer.lane
        guard transfer.connection.series == lane.series else { return }
        lane.beginSeries()
        guard let use = transfer.alternative else { return }
        use.home.http3?.doubted(use.service, at: now)
        let waiting = transfers.all.filter {
            $0 !== transfer && $0.lane === lane && $0.alternative?.purpose == .exchange
                && !$0.machine.isAdmitted
        }
        for other in waiting { detach(other) }
        for other in waiting where !other.machine.isOver {
            other.leaveAlternative(because: Self.loss, .alternativeFailed)
            enter(other)
        }
    }

    /// Handles the end of an exchange that has seen nothing from the server since its request was
    /// written. Its own limits may be too short to find out that the connection is lost.
    func judgeSilence(ofQUIC transfer: Transfer) {
        guard let id = transfer.connection.id, keeper.endedUnanswered(id, at: now) else { return }
        giveUpQUICConnection(of: transfer)
    }

    /// Handles a transfer that has waited for long over HTTP/3. If its connection is lost, its lane
    /// uses the connection no more.
    func leaveSilent(_ transfer: Transfer) {
        guard let id = transfer.connection.id, let written = transfer.times.written else { return }
        transfer.times.lostCheck = now
        guard transfer.connection.isSuspected else {
            transfer.connection.isSuspected = true
            return keeper.suspect(id)
        }
        guard let isLost = keeper.isLost(id, since: written) else { return }
        guard isLost else {
            transfer.connection.isHeard = true
            return
        }
        giveUpQUICConnection(of: transfer)
        if transfer.exchange.request.method.isIdempotent,
            transfer.machine.startsAgain(after: .silentConnection, transfer.uploadForm)
        {
            startAnew(transfer, .silentConnection)
            schedule(transfer)
        } else if let due = transfer.unacknowledgedDue, due <= now {
            finish(transfer, .failed(transfer.silenceError))
        } else {
            transfer.connection.isGivenUp = true
        }
    }

    func announced(_ text: String, age: Duration, by transfer: Transfer) {
        let lane = transfer.alternative?.home ?? transfer.lane
        lane.http3?.announce(text, age: age, at: now)
    }
}
