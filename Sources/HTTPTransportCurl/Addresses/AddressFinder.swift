import CHTTPTransportCurl
import HTTPCore

/// Finds the addresses that connections are made to: it asks the resolver of the configuration, and
/// tries further addresses while the attempts of libcurl take long (see ``AddressRace``).
///
/// The socket of such an attempt that connects first takes the number of one that libcurl waits
/// for. To libcurl, its own attempt has succeeded. Lives on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
final class AddressFinder {
    private unowned let loop: any TransferMover
    private let eventLoop: any ExchangeLoop
    private let reactor: Reactor
    private let connections: Connections
    private let configuration: CurlConfiguration
    @safe @exclusivity(unchecked) private var lookups = HostLookups()
    /// The tasks of the resolver, by what they were asked.
    @safe @exclusivity(unchecked) private var lookupTasks:
        [HostLookups.Question: Task<Void, Never>] = [:]
    /// The transfers that wait for the system's look-up of a host, by their numbers.
    @safe @exclusivity(unchecked) private var searches: [String: [Int]] = [:]
    /// The numbers of the transfers that the sockets of further attempts to connect are for.
    @safe @exclusivity(unchecked) private var racing: [Int32: Int] = [:]

    init(
        _ loop: any TransferMover, _ eventLoop: any ExchangeLoop, _ reactor: Reactor,
        _ connections: Connections
    ) {
        self.loop = loop
        self.eventLoop = eventLoop
        self.reactor = reactor
        self.connections = connections
        configuration = loop.settings.configuration
    }

    // MARK: The resolver

    func addresses(of name: HostLookups.Name) -> [IPAddress] { lookups.addresses(of: name) }

    /// Returns the names of a lane that the resolver is asked about.
    private func names(of lane: Lane) -> [HostLookups.Name] {
        lane.names.filter {
            $0.isLookedUp && configuration.addresses[$0.host] == nil
        }
    }

    /// Returns the error of a request that the resolver itself has sent and that would wait for the
    /// resolver. It must not wait for its turn either, behind a request that waits for it.
    func circularLookup(of transfer: Transfer) -> HTTPError? {
        guard transfer.exchange.isOfResolver,
            let name = names(of: transfer.lane).first(where: { !lookups.isFresh($0, at: loop.now) })
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
            transfer.machine.starts?.contains(.addressesExpired) != true,
            names.allSatisfy({ !lookups.addresses(of: $0).isEmpty })
        {
            transfer.connection.choice = .keptAlone
            return true
        }
        return lookUp(names, for: transfer)
    }

    /// Has a transfer wait for addresses after all: there was no connection for it.
    func lookUpAnew(_ transfer: Transfer) {
        if lookUp(names(of: transfer.lane), for: transfer) { loop.begin(transfer) }
    }

    /// Returns `true` if the addresses of a transfer's names are too old for a new connection.
    func needsAddresses(_ transfer: Transfer) -> Bool {
        configuration.resolver != nil
            && names(of: transfer.lane).contains { !lookups.isFresh($0, at: loop.now) }
    }

    private func lookUp(_ names: [HostLookups.Name], for transfer: Transfer) -> Bool {
        transfer.namesLeft = names[...]
        return continueLookup(of: transfer)
    }

    /// Returns `true` if all names of a transfer are known.
    private func continueLookup(of transfer: Transfer) -> Bool {
        while let name = transfer.namesLeft.first {
            guard !lookups.isFresh(name, at: loop.now) else {
                transfer.namesLeft.removeFirst()
                continue
            }
            // Its addresses were known when it was sent.
            if let error = circularLookup(of: transfer) {
                transfer.namesLeft = []
                loop.finish(transfer, .failed(error))
                return false
            }
            transfer.noteLookup(of: name.host)
            if let question = lookups.wait(transfer.slot, for: name, at: loop.now) {
                ask(question, for: transfer.exchange)
            }
            beginWait(of: transfer)
            return false
        }
        return true
    }

    private func beginWait(of transfer: Transfer) {
        if case .waiting = transfer.times.lookup { return }
        let due = transfer.exchange.limits.connect.map {
            loop.now.addingReportingOverflow($0.nanoseconds)
        }
        transfer.times.lookup = .waiting(
            since: loop.now, due: due.flatMap { $0.overflow ? nil : $0.partialValue })
        loop.schedule(transfer)
    }

    private func endWait(of transfer: Transfer) {
        guard case .waiting(let start, _) = transfer.times.lookup else { return }
        transfer.times.lookup = .took(loop.now - start)
    }

    private func ask(_ question: HostLookups.Question, for exchange: Exchange) {
        guard let resolver = configuration.resolver else { return }
        let (host, port) = (question.name.host, question.name.port)
        let owners = exchange.resolverOwners + [loop.settings]
        // A resolver that ignores its cancellation does not keep the loop.
        lookupTasks[question] = Task.detached(priority: exchange.priority) { [weak eventLoop] in
            let result: Result<HostAddresses, any Error>
            do {
                result = .success(
                    try await ResolverScope.$owners.withValue(owners) {
                        try await resolver(host, port)
                    })
            } catch {
                result = .failure(error)
            }
            _ = eventLoop?.post(.answered(question, result))
        }
    }

    func answered(
        _ question: HostLookups.Question, _ result: Result<HostAddresses, any Error>
    ) {
        lookupTasks[question] = nil
        let answer = lookedUp(result)
        let found = try? answer.get()
        let lifetime = (try? result.get())?.lifetime.nanoseconds ?? 0
        let due = loop.now.addingReportingOverflow(max(0, lifetime))
        let slots = lookups.answer(
            question, with: found, due: due.overflow ? .max : due.partialValue)
        for slot in slots {
            guard let transfer = loop.transfer(slot), transfer.namesLeft.first == question.name
            else { continue }
            switch answer {
            case .success:
                if transfer.observes { transfer.noteLookedUp() }
                transfer.namesLeft.removeFirst()
                guard continueLookup(of: transfer) else { continue }
                endWait(of: transfer)
                loop.begin(transfer)
            case .failure(let error):
                transfer.namesLeft = []
                endWait(of: transfer)
                if transfer.mayLeaveHTTP3 {
                    loop.leaveHTTP3(transfer, because: error.message)
                } else {
                    loop.finish(transfer, .failed(error))
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
            let addresses = configuration.addressFamily.usable(answer.addresses)
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

// MARK: - Races

extension AddressFinder {
    /// Does what is due in the race of a transfer that may still be connecting.
    func raceOn(_ transfer: Transfer) {
        guard let race = transfer.race else { return }
        let sockets = openSockets(of: transfer).map { chttp_connection_state($0) }
        guard sockets.contains(CHTTP_CONNECTION_CONNECTING),
            !sockets.contains(CHTTP_CONNECTION_CONNECTED)
        else { return endRace(of: transfer) }
        while true {
            switch race.next(at: loop.now) {
            case .wait(let due):
                race.examination = due
                return
            case .lookUp:
                race.examination = nil
                guard findAddresses(for: transfer) else { return }
            case .attempt(let address): attempt(address, for: transfer, in: race)
            }
        }
    }

    private func attempt(
        _ address: IPAddress, for transfer: Transfer, in race: AddressRace
    ) {
        var target = chttp_address(address, port: race.port)
        let local = transfer.lane.route.localAddress
        guard transfer.permits(target), local.map({ $0.isIPv4 == address.isIPv4 }) ?? true else {
            return race.skip(address)
        }
        var opener = unsafe chttp_socket_opener()
        unsafe opener.user_timeout_ms = configuration.userTimeoutMilliseconds
        unsafe opener.keepalive_probes = CurlEasyHandle.keepAliveProbes
        let descriptor: Int32
        if let local {
            var from = chttp_address(local, port: 0)
            descriptor = unsafe chttp_connect(&opener, &target, &from)
        } else {
            descriptor = unsafe chttp_connect(&opener, &target, nil)
        }
        guard descriptor >= 0 else { return race.skip(address) }
        loop.noteSocket(descriptor)
        guard reactor.watch(descriptor, to: CHTTP_POLL_OUT) == 0 else {
            chttp_close(descriptor)
            return race.skip(address)
        }
        racing[descriptor] = transfer.slot
        race.began(address, as: descriptor, at: loop.now)
        if transfer.observes { transfer.note(.connecting(to: transfer.place(target))) }
    }

    /// Handles the end of an attempt. Returns `false` if the socket belongs to none.
    func raced(_ descriptor: Int32) -> Bool {
        guard !racing.isEmpty, let slot = racing[descriptor] else { return false }
        // The event may be that of a socket which had the number before.
        guard chttp_connection_state(descriptor) != CHTTP_CONNECTION_CONNECTING else { return true }
        racing[descriptor] = nil
        _ = reactor.watch(descriptor, from: CHTTP_POLL_OUT, to: CHTTP_POLL_NONE)
        guard let transfer = loop.transfer(slot),
            let attempt = transfer.race?.end(descriptor, at: loop.now)
        else {
            chttp_close(descriptor)
            return true
        }
        if chttp_socket_error(descriptor) == 0 {
            won(attempt, for: transfer)
        } else {
            chttp_close(descriptor)
            raceOn(transfer)
            loop.schedule(transfer)
        }
        return true
    }

    /// Gives libcurl a connected socket in place of one that it waits for.
    private func won(_ attempt: AddressRace.Attempt, for transfer: Transfer) {
        let waiting = openSockets(of: transfer).filter {
            chttp_connection_state($0) == CHTTP_CONNECTION_CONNECTING
        }
        defer {
            chttp_close(attempt.descriptor)
            endRace(of: transfer)
        }
        guard let descriptor = waiting.first,
            chttp_replace(descriptor, attempt.descriptor) == 0
        else { return }
        loop.turn.progress()
        connections.replaced(descriptor, address: attempt.address)
        reactor.replaced(descriptor)
    }

    func endRace(of transfer: Transfer) {
        guard let race = transfer.race.take() else { return }
        for attempt in race.attempts {
            racing[attempt.descriptor] = nil
            chttp_close(attempt.descriptor)
        }
    }

    // MARK: Look-up

    /// Finds the addresses of a transfer's host. Returns `true` if they are known.
    private func findAddresses(for transfer: Transfer) -> Bool {
        guard let name = transfer.lane.names.first, IPAddress(name.host) == nil else {
            return false
        }
        if let addresses = configuration.addresses[name.host] {
            transfer.race?.found(usable(addresses))
            return true
        }
        if configuration.resolver != nil, name.isLookedUp {
            transfer.race?.found(usable(addresses(of: name)))
            return true
        }
        searches[name.host, default: []].append(transfer.slot)
        if searches[name.host]?.count == 1 {
            AddressSearch(name.host, configuration.addressFamily, eventLoop).start()
        }
        return false
    }

    /// Returns the sockets that libcurl has made for a transfer and has not closed.
    private func openSockets(of transfer: Transfer) -> [Int32] {
        connections.examine(transfer.connection.attempts.sockets).open
    }

    private func usable(_ addresses: [IPAddress]) -> [IPAddress] {
        configuration.addressFamily.usable(addresses)
    }

    /// Handles the system's answer.
    func found(_ addresses: [IPAddress], of host: String) {
        for slot in searches.removeValue(forKey: host) ?? [] {
            // Another transfer may have the number by now. It has not asked.
            guard let transfer = loop.transfer(slot), transfer.race != nil,
                transfer.lane.names.first?.host == host
            else { continue }
            transfer.race?.found(usable(addresses))
            raceOn(transfer)
            loop.schedule(transfer)
        }
    }
}
