import HTTPCore

/// The look-up of hosts by the resolver of the configuration.
extension LoopCore {
    func addresses(of name: HostLookups.Name) -> [IPAddress] { lookups.addresses(of: name) }

    /// Returns the names of a lane that the resolver is asked about.
    private func names(of lane: Lane) -> [HostLookups.Name] {
        lane.names.filter {
            $0.isLookedUp && settings.configuration.addresses[$0.host] == nil
        }
    }

    /// Returns the error of a request that the resolver itself has sent and that would wait for the
    /// resolver. It must not wait for its turn either, behind a request that waits for it.
    func circularLookup(of transfer: Transfer) -> HTTPError? {
        guard transfer.exchange.isOfResolver,
            let name = names(of: transfer.lane).first(where: { !lookups.isFresh($0, at: now) })
        else { return nil }
        return HTTPError(
            .nameNotResolved,
            "the resolver's own request needs the resolver: put the addresses of \(name.host) into "
                + "the configuration's addresses", phase: .resolving)
    }

    /// Returns `true` if libcurl can have the transfer now. Otherwise, the transfer waits for the
    /// resolver, or is over.
    func mayBegin(_ transfer: Transfer) -> Bool {
        guard needsAddresses(transfer) else { return true }
        let names = names(of: transfer.lane)
        // An exchange that finds a kept connection needs no address. One that has found none before
        // has no further start for that.
        if transfer.lane.mayHaveConnection,
            !transfer.machine.freshStarts.contains(FreshStart.Reasons(.addressesExpired)),
            names.allSatisfy({ !lookups.addresses(of: $0).isEmpty })
        {
            transfer.connection.isLimitedToKept = true
            return true
        }
        return lookUp(names, for: transfer)
    }

    /// Has a transfer wait for addresses after all: there was no connection for it.
    func lookUpAnew(_ transfer: Transfer) {
        if lookUp(names(of: transfer.lane), for: transfer) { begin(transfer) }
    }

    /// Returns `true` if the addresses of a transfer's names are too old for a new connection.
    func needsAddresses(_ transfer: Transfer) -> Bool {
        settings.configuration.resolver != nil
            && names(of: transfer.lane).contains { !lookups.isFresh($0, at: now) }
    }

    private func lookUp(_ names: [HostLookups.Name], for transfer: Transfer) -> Bool {
        transfer.namesLeft = names[...]
        return continueLookup(of: transfer)
    }

    /// Returns `true` if all names of a transfer are known.
    private func continueLookup(of transfer: Transfer) -> Bool {
        while let name = transfer.namesLeft.first {
            guard !lookups.isFresh(name, at: now) else {
                transfer.namesLeft.removeFirst()
                continue
            }
            // Its addresses were known when it was sent.
            if let error = circularLookup(of: transfer) {
                transfer.namesLeft = []
                finish(transfer, .failed(error))
                return false
            }
            transfer.noteLookup(of: name.host)
            if let question = lookups.wait(transfer.slot, for: name, at: now) {
                ask(question, for: transfer.exchange)
            }
            beginWait(of: transfer)
            return false
        }
        return true
    }

    private func beginWait(of transfer: Transfer) {
        guard transfer.times.lookupStart == nil else { return }
        transfer.times.lookupStart = now
        if let connect = transfer.exchange.limits.connect {
            let due = now.addingReportingOverflow(connect.nanoseconds)
            if !due.overflow { transfer.times.lookupDue = due.partialValue }
        }
        schedule(transfer)
    }

    private func endWait(of transfer: Transfer) {
        transfer.times.lookupDue = nil
        guard let start = transfer.times.lookupStart.take() else { return }
        transfer.times.lookupTime = now - start
    }

    private func ask(_ question: HostLookups.Question, for exchange: Exchange) {
        guard let resolver = settings.configuration.resolver else { return }
        let (host, port) = (question.name.host, question.name.port)
        let owners = exchange.resolverOwners + [settings]
        // A resolver that ignores its cancellation does not keep the loop.
        lookupTasks[question] = Task.detached(priority: exchange.priority) { [weak loop] in
            let result: Result<HostAddresses, any Error>
            do {
                result = .success(
                    try await ResolverScope.$owners.withValue(owners) {
                        try await resolver(host, port)
                    })
            } catch {
                result = .failure(error)
            }
            _ = loop?.post(.answered(question, result))
        }
    }

    func answered(
        _ question: HostLookups.Question, _ result: Result<HostAddresses, any Error>
    ) {
        lookupTasks[question] = nil
        let answer = lookedUp(result)
        let found = try? answer.get()
        let lifetime = (try? result.get())?.lifetime.nanoseconds ?? 0
        let due = now.addingReportingOverflow(max(0, lifetime))
        let slots = lookups.answer(
            question, with: found, due: due.overflow ? .max : due.partialValue)
        for slot in slots {
            guard let transfer = transfers[slot], transfer.namesLeft.first == question.name
            else { continue }
            switch answer {
            case .success:
                if transfer.observes { transfer.noteLookedUp() }
                transfer.namesLeft.removeFirst()
                guard continueLookup(of: transfer) else { continue }
                endWait(of: transfer)
                begin(transfer)
            case .failure(let error):
                transfer.namesLeft = []
                endWait(of: transfer)
                if transfer.mayLeaveAlternative {
                    leaveHTTP3(transfer, because: error.message)
                } else {
                    finish(transfer, .failed(error))
                }
            }
        }
    }

    /// Takes a transfer out of the look-up that it waits for. The last one cancels it.
    func endLookup(of transfer: Transfer) {
        guard let name = transfer.namesLeft.first else { return }
        transfer.namesLeft = []
        endWait(of: transfer)
        guard let question = lookups.leave(transfer.slot, name) else { return }
        lookupTasks.removeValue(forKey: question)?.cancel()
    }

    private func lookedUp(
        _ result: Result<HostAddresses, any Error>
    ) -> Result<[IPAddress], HTTPError> {
        switch result {
        case .success(let answer):
            let addresses = answer.usable(settings.configuration.addressFamily)
            guard addresses.isEmpty else { return .success(addresses) }
            return .failure(
                Self.failedLookup(
                    answer.addresses.isEmpty
                        ? "the resolver has found no address of the host"
                        : "the resolver has found no address of the family that is configured"))
        case .failure(let error):
            return .failure(Self.failedLookup("the resolver has failed", error))
        }
    }

    private static func failedLookup(_ reason: String, _ cause: (any Error)? = nil) -> HTTPError {
        HTTPError(
            .nameNotResolved, reason, phase: .resolving, isRetryable: true, underlyingError: cause)
    }
}
