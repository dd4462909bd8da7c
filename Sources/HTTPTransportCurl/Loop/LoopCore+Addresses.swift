import CHTTPTransportCurl
import HTTPCore

/// Further addresses of a host, which are tried while the attempts of libcurl take long. See
/// ``AddressRace``.
///
/// The socket that connects first takes the number of one that libcurl waits for. To libcurl, its
/// own attempt has succeeded.
extension LoopCore {
    /// Does what is due in the race of a transfer that may still be connecting.
    func raceOn(_ transfer: Transfer) {
        guard var race = transfer.race else { return }
        let sockets = openDescriptors(of: transfer).map { chttp_connection_state($0) }
        guard sockets.contains(CHTTP_CONNECTION_CONNECTING),
            !sockets.contains(CHTTP_CONNECTION_CONNECTED)
        else { return endRace(of: transfer) }
        while true {
            switch race.next(at: now) {
            case .wait(let due):
                transfer.race = race
                transfer.times.raceDue = due
                return
            case .lookUp:
                transfer.race = race
                transfer.times.raceDue = nil
                guard findAddresses(for: transfer), let found = transfer.race else { return }
                race = found
            case .attempt(let address): attempt(address, for: transfer, in: &race)
            }
        }
    }

    private func attempt(
        _ address: IPAddress, for transfer: Transfer, in race: inout AddressRace
    ) {
        var target = chttp_address(address, port: race.port)
        let local = transfer.lane.route.localAddress
        guard transfer.permits(target), local.map({ $0.isIPv4 == address.isIPv4 }) ?? true else {
            return race.skip(address)
        }
        var opener = unsafe chttp_socket_opener()
        unsafe opener.user_timeout_ms = settings.configuration.userTimeoutMilliseconds
        unsafe opener.keepalive_probes = CurlEasyHandle.keepAliveProbes
        let descriptor: Int32
        if let local {
            var from = chttp_address(local, port: 0)
            descriptor = unsafe chttp_connect(&opener, &target, &from)
        } else {
            descriptor = unsafe chttp_connect(&opener, &target, nil)
        }
        guard descriptor >= 0 else { return race.skip(address) }
        noteSocket(descriptor)
        guard chttp_poller_set(loop.poller, descriptor, 0, CHTTP_POLL_OUT) == 0 else {
            chttp_close(descriptor)
            return race.skip(address)
        }
        racing[descriptor] = transfer.slot
        race.began(address, as: descriptor, at: now)
        if transfer.observes { transfer.note(.connecting(to: transfer.place(target))) }
    }

    /// Handles the end of an attempt. Returns `false` if the socket belongs to none.
    func raced(_ descriptor: Int32) -> Bool {
        guard !racing.isEmpty, let slot = racing[descriptor] else { return false }
        // The event may be that of a socket which had the number before.
        guard chttp_connection_state(descriptor) != CHTTP_CONNECTION_CONNECTING else { return true }
        racing[descriptor] = nil
        _ = chttp_poller_set(loop.poller, descriptor, CHTTP_POLL_OUT, CHTTP_POLL_NONE)
        guard let transfer = transfers[slot], let attempt = transfer.race?.end(descriptor, at: now)
        else {
            chttp_close(descriptor)
            return true
        }
        if chttp_socket_error(descriptor) == 0 {
            won(attempt, for: transfer)
        } else {
            chttp_close(descriptor)
            raceOn(transfer)
            schedule(transfer)
        }
        return true
    }

    /// Gives libcurl a connected socket in place of one that it waits for.
    private func won(_ attempt: AddressRace.Attempt, for transfer: Transfer) {
        let waiting = openDescriptors(of: transfer).filter {
            chttp_connection_state($0) == CHTTP_CONNECTION_CONNECTING
        }
        defer {
            chttp_close(attempt.descriptor)
            endRace(of: transfer)
        }
        guard let descriptor = waiting.first,
            chttp_replace(descriptor, attempt.descriptor) == 0
        else { return }
        replaced(descriptor, address: attempt.address)
    }

    func endRace(of transfer: Transfer) {
        guard let race = transfer.race.take() else { return }
        transfer.times.raceDue = nil
        for attempt in race.attempts {
            racing[attempt.descriptor] = nil
            chttp_close(attempt.descriptor)
        }
    }

    // MARK: Look-up

    /// Finds the addresses of a transfer's host. Returns `true` if they are known.
    private func findAddresses(for transfer: Transfer) -> Bool {
        let configuration = settings.configuration
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
            AddressSearch(name.host, configuration.addressFamily, loop).start()
        }
        return false
    }

    private func usable(_ addresses: [IPAddress]) -> [IPAddress] {
        HostAddresses(addresses, lifetime: .zero).usable(settings.configuration.addressFamily)
    }

    /// Handles the system's answer.
    func found(_ addresses: [IPAddress], of host: String) {
        for slot in searches.removeValue(forKey: host) ?? [] {
            // Another transfer may have the number by now. It has not asked.
            guard let transfer = transfers[slot], transfer.race != nil,
                transfer.lane.names.first?.host == host
            else { continue }
            transfer.race?.found(usable(addresses))
            raceOn(transfer)
            schedule(transfer)
        }
    }
}
