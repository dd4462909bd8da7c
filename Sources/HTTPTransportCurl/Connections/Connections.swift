import CHTTPTransportCurl

/// Knows the sockets of a loop and the connections behind them: which one a request may use, which
/// one is silent or has failed, and which are to be closed, and when.
///
/// It carries out what ``KeptConnections`` decides: it examines sockets before they are used again,
/// and shuts down those that are not to be used. libcurl closes a connection that was shut down
/// only when it looks for one, which ``ConnectionPool/clean()`` makes it do. This type says when;
/// it calls nothing that calls back. Lives on the loop's thread.
// @exclusivity(unchecked): see ``Reactor``.
final class Connections {
    /// The connection that an exchange uses, as far as it is known.
    enum Use: Equatable {
        case none
        /// A connection that is not known until its socket is watched.
        case unidentified
        case identified(KeptConnections.ID)

        var id: KeptConnections.ID? { if case .identified(let id) = self { id } else { nil } }
    }

    private struct Socket {
        /// The lane that it was made for.
        let lane: Lane
        var cookie: UInt64
    }

    private let calls: SocketCalls
    /// `true` if libcurl may close a socket without notice, or another may take its number.
    private let needsCookies: Bool
    @safe @exclusivity(unchecked) private var kept = KeptConnections()
    /// The open sockets by descriptor.
    @safe @exclusivity(unchecked) private var sockets: [Int32: Socket] = [:]
    /// The addresses of the sockets that libcurl believes to lead elsewhere.
    @safe @exclusivity(unchecked) private var replacements:
        [Int32: (address: IPAddress, localPort: Int32)] = [:]
    /// The HTTP/2 connections on which an exchange has stopped reading in this turn.
    @safe @exclusivity(unchecked) private var left: Set<KeptConnections.ID> = []
    /// The HTTP/2 connections that have failed in this turn.
    @safe @exclusivity(unchecked) private var broken: Set<KeptConnections.ID> = []
    /// The time to make libcurl close the connections that were shut down.
    @safe @exclusivity(unchecked) private var cleaningDue = Int64.max
    @safe @exclusivity(unchecked) private var lastCleaning: Int64 = 0

    init(needsCookies: Bool = false, calls: SocketCalls = SocketCalls()) {
        self.needsCookies = needsCookies
        self.calls = calls
    }

    /// The number of idle connections to close if the process has no descriptor left.
    private static let room = 8

    /// The time of the next call of ``shutDownDue(at:)``.
    var nextDue: Int64 { min(kept.nextDue, cleaningDue) }

    // MARK: Sockets

    /// The number of open sockets.
    var socketCount: Int { sockets.count }

    func opened(_ descriptor: Int32, for lane: Lane) {
        let isQUIC = lane.isHTTP3
        kept.opened(descriptor, isQUIC: isQUIC)
        // From now on, the kernel notes when datagrams come.
        if isQUIC { _ = calls.receiveAge(of: descriptor, isQUIC: true) }
        let cookie = needsCookies ? calls.cookie(of: descriptor) : 0
        sockets[descriptor] = Socket(lane: lane, cookie: cookie)
        lane.openSockets += 1
    }

    func closed(_ descriptor: Int32) {
        kept.closed(descriptor)
        if !replacements.isEmpty { replacements[descriptor] = nil }
        sockets.removeValue(forKey: descriptor)?.lane.openSockets -= 1
    }

    /// Returns `true` if the descriptor is that of a socket that was opened and not closed.
    func isOpen(_ descriptor: Int32) -> Bool { sockets[descriptor] != nil }

    /// Divides descriptors of sockets that were opened into those that are open and those that
    /// libcurl has closed without notice. A number may lead to another socket by now.
    func examine(_ descriptors: [Int32]) -> (open: [Int32], lost: [Int32]) {
        var (open, lost): ([Int32], [Int32]) = ([], [])
        for descriptor in descriptors {
            guard let socket = sockets[descriptor] else { continue }
            if !needsCookies || socket.cookie == calls.cookie(of: descriptor) {
                open.append(descriptor)
            } else {
                lost.append(descriptor)
            }
        }
        return (open, lost)
    }

    /// Records that another socket, which has connected to `address`, has taken the number of one.
    func replaced(_ descriptor: Int32, address: IPAddress) {
        sockets[descriptor]?.cookie = calls.cookie(of: descriptor)
        replacements[descriptor] = (address, calls.localPort(of: descriptor))
    }

    /// Returns the addresses that sockets with this local port are connected to, of those that
    /// libcurl believes to be connected to others; `nil` if there are none.
    func replacedAddresses(_ lane: Lane, localPort: Int32) -> ReplacedAddresses? {
        guard !replacements.isEmpty else { return nil }
        var found = ReplacedAddresses()
        for (descriptor, socket) in replacements where socket.localPort == localPort {
            found.candidates.append(socket.address)
            if sockets[descriptor]?.lane === lane { found.ofLane = socket.address }
        }
        return found
    }

    /// Returns `true` if the poller has to watch the socket while libcurl does not.
    func mustWatch(_ descriptor: Int32) -> Bool { kept.mustWatch(descriptor) }

    /// Handles a socket that became readable while libcurl does not watch it.
    func ready(_ descriptor: Int32, at now: Int64) {
        if kept.isUnsound(descriptor) { shutDown(descriptor, at: now) }
    }

    private func shutDown(_ descriptor: Int32, at now: Int64) {
        if kept.shutDown(descriptor) { calls.shutDown(descriptor) }
        cleaningDue = min(cleaningDue, max(now, lastCleaning + ConnectionPool.cleaningInterval))
    }

    // MARK: Signs of life

    /// Handles a socket that has become readable, before libcurl reads from it.
    func willRead(_ descriptor: Int32, at now: Int64) {
        kept.heard(descriptor, at: now)
        guard kept.wantsPackets(descriptor) else { return }
        let bytes = calls.peek(descriptor, QUICPacket.neededLength)
        if let packet = QUICPacket(bytes) { kept.received(packet, on: descriptor) }
    }

    func lastHeard(on id: KeptConnections.ID) -> Int64? { kept.lastHeard(on: id) }

    func wrote(on id: KeptConnections.ID, at now: Int64) { kept.wrote(on: id, at: now) }

    func suspect(_ id: KeptConnections.ID) { kept.suspect(id) }

    /// Ends the suspicion, because a response has come over the connection.
    func trust(_ id: KeptConnections.ID) { kept.trust(id) }

    /// Returns `true` if nothing has come over the connection since `time`, in the loop's
    /// nanoseconds, or nothing since it was suspected that belongs to it. Returns `nil` if that is
    /// not known yet.
    func isLost(_ id: KeptConnections.ID, since time: Int64) -> Bool? {
        switch kept.isKnownToServer(id) {
        case true?:
            kept.trust(id)
            return false
        case false?: return true
        case nil: return isSilent(id, since: time) ? true : nil
        }
    }

    /// Returns `true` if nothing has come over the connection since `time`.
    ///
    /// libcurl may read before a socket is reported as readable, so the kernel is asked. The
    /// kernel's clock may have been set meanwhile, so what was reported counts, too.
    func isSilent(_ id: KeptConnections.ID, since time: Int64) -> Bool {
        guard !kept.isHeard(id, since: time) else { return false }
        let waited = calls.now - time
        let isQUIC = kept.isQUIC(id)
        let age = calls.receiveAge(of: id.descriptor, isQUIC: isQUIC)
        if isQUIC { return age >= 0 && age > waited }
        return age < 0 || age >= waited - Self.receiveAgeError
    }

    /// The largest error of the time that the kernel returns for TCP, in nanoseconds.
    private static let receiveAgeError: Int64 = 10_000_000

    /// The time without a sign of life after which a connection counts as lost if its requests end
    /// before that is examined, in nanoseconds.
    static let silenceLimit: Int64 = 1_000_000_000

    /// Handles the end of an exchange without a response. Returns `true` if the connection is lost.
    /// From now on, the packets that arrive are examined.
    func endedUnanswered(_ id: KeptConnections.ID, at now: Int64) -> Bool {
        if !kept.isSuspected(id) {
            kept.suspect(id)
        } else if let isKnown = kept.isKnownToServer(id) {
            if isKnown { kept.trust(id) }
            return !isKnown
        }
        return isSilentForLong(id, at: now)
    }

    /// Returns `true` if requests have waited for a sign of life for so long that another
    /// connection may be better.
    func isWaitedFor(_ id: KeptConnections.ID, at now: Int64) -> Bool {
        kept.silentSince(id).map { now - $0 >= 2 * Self.receiveAgeError } ?? false
    }

    /// Returns `true` if so much time has passed without a sign of life, since the first request
    /// after the last one, that the connection counts as lost.
    func isSilentForLong(_ id: KeptConnections.ID, at now: Int64) -> Bool {
        guard let start = kept.silentSince(id), now - start >= Self.silenceLimit else {
            return false
        }
        return isSilent(id, since: start)
    }

    // MARK: Exchanges

    /// A connection that libcurl has chosen for a request.
    struct Choice {
        let ends: KeptConnections.Ends
        /// `true` if the exchange has opened it.
        let isNew: Bool
        /// The sockets that were made for the exchange. Some may be closed by now.
        let opened: [Int32]
        /// `true` if TLS holds bytes that belong to no response. Newer libraries make OpenSSL read
        /// ahead, so it may hold bytes that came with the last response.
        let hasUnreadRecords: Bool
        /// `true` if a second exchange waits until the server has said how many it takes.
        let awaitsSettings: Bool
        let pool: Int
    }

    /// The result of an attempt to begin an exchange on a connection that libcurl has chosen.
    enum Beginning: Equatable {
        case begun(Use)
        /// The connection has something to read or is closed. It was shut down.
        case stale
        /// No further exchange may begin on the connection.
        case spent
        /// The connection has an exchange, and the server has not said yet how many it takes.
        case unsettled
    }

    /// Begins an exchange on a connection, if the connection may be used.
    func begin(_ choice: Choice, at now: Int64) -> Beginning {
        let ends = choice.ends
        let id: KeptConnections.ID?
        if choice.isNew {
            let descriptor = choice.opened.last {
                ends.localPort == 0 || calls.localPort(of: $0) == ends.localPort
            }
            id = descriptor.flatMap { kept.identify($0, as: ends, in: choice.pool) }
        } else {
            var finding = kept.find(between: ends) {
                choice.hasUnreadRecords || calls.isReadable($0)
            }
            for descriptor in finding.unsound { shutDown(descriptor, at: now) }
            guard finding.unsound.isEmpty else { return .stale }
            if finding.isUnknown { finding.id = overtake(ends, in: choice.pool) }
            if let id = finding.id {
                if kept.isSpent(id) { return .spent }
                if choice.awaitsSettings, kept.isUsed(id), !kept.isSettled(id, at: now) {
                    return .unsettled
                }
            }
            id = finding.id
        }
        guard let id else {
            kept.beginUnidentified()
            return .begun(.unidentified)
        }
        kept.begin(on: id, at: now)
        return .begun(.identified(id))
    }

    /// Identifies a connection by an exchange that has not opened it. Newer libraries let a request
    /// overtake the one that has.
    private func overtake(
        _ ends: KeptConnections.Ends, in pool: Int
    ) -> KeptConnections.ID? {
        guard ends.localPort != 0 else { return nil }
        let descriptor = kept.unidentifiedDescriptors.first {
            calls.localPort(of: $0) == ends.localPort
        }
        return descriptor.flatMap { kept.identify($0, as: ends, in: pool) }
    }

    /// Records that the server has said how many exchanges it takes at a time.
    func settled(_ id: KeptConnections.ID) { kept.settled(id) }

    /// Lets no further exchange begin on the connection.
    func spend(_ id: KeptConnections.ID) { kept.spend(id) }

    func isSpent(_ id: KeptConnections.ID) -> Bool { kept.isSpent(id) }

    func isBroken(_ id: KeptConnections.ID) -> Bool { kept.isBroken(id) }

    /// Returns the number of exchanges that have begun on the connection.
    func exchangeCount(on id: KeptConnections.ID) -> Int { kept.exchangeCount(on: id) }

    /// Records that a response has come over the connection in HTTP/1.
    func speaksHTTP1(_ id: KeptConnections.ID) { kept.speaksHTTP1(id) }

    /// Returns `true` if an exchange is known to use the connection.
    func isUsed(_ id: KeptConnections.ID) -> Bool { kept.isUsed(id) }

    /// Returns `true` if no exchange is known to use the connection, and its addresses cannot say
    /// which one does, as with a Unix socket.
    func isUnclaimed(_ descriptor: Int32) -> Bool { kept.isUnclaimed(descriptor) }

    /// Returns the use of a watched socket by an exchange that was written over an unknown
    /// connection. Of the connections to one Unix socket, only this shows which one it uses.
    func adopt(_ descriptor: Int32, for use: Use) -> Use {
        guard use.id == nil, let id = kept.adopt(descriptor) else { return use }
        if use == .unidentified { kept.endUnidentified() }
        return .identified(id)
    }

    /// Ends the exchange on its connection.
    ///
    /// - Parameter due: The time to close the connection if nothing uses it until then.
    func end(_ use: Use, due: Int64) {
        switch use {
        case .none: break
        case .unidentified: kept.endUnidentified()
        case .identified(let id): kept.end(on: id, due: due)
        }
    }

    // MARK: Failures

    /// Records that an exchange on the connection has stopped reading, or that the connection has
    /// failed: others may have to read what it has brought.
    func leave(_ id: KeptConnections.ID) { left.insert(id) }

    /// `true` if ``takeLeft()`` has something to return.
    var hasLeft: Bool { !left.isEmpty }

    /// Returns the connections that were left and are still used.
    func takeLeft() -> [KeptConnections.ID] {
        defer { left.removeAll(keepingCapacity: true) }
        return left.filter { kept.isUsed($0) }
    }

    /// Records that the protocol has failed on the connection. No further exchange begins on it.
    /// Returns `false` if that was known.
    func broke(_ id: KeptConnections.ID) -> Bool {
        guard !kept.isBroken(id) else { return false }
        kept.broke(id)
        left.insert(id)
        broken.insert(id)
        return true
    }

    /// `true` if ``takeBroken()`` has something to return.
    var hasBroken: Bool { !broken.isEmpty }

    /// Returns the connections that have failed since the last call and are still open.
    func takeBroken() -> Set<KeptConnections.ID> {
        defer { broken.removeAll() }
        return broken.filter { kept.isBroken($0) }
    }

    // MARK: Connections to close

    /// Shuts down the idle connections that are due.
    ///
    /// - Returns: The pools that are to be cleaned now. ``planCleaning(at:)`` follows.
    func shutDownDue(at now: Int64) -> Set<Int> {
        for descriptor in kept.expired(at: now) { shutDown(descriptor, at: now) }
        guard cleaningDue <= now else { return [] }
        lastCleaning = now
        cleaningDue = .max
        return kept.poolsToClean
    }

    /// Plans the next cleaning of pools in which connections are left that were shut down.
    func planCleaning(at now: Int64) {
        cleaningDue = kept.poolsToClean.isEmpty ? .max : now + ConnectionPool.cleaningInterval
    }

    /// Shuts down some of the connections that have been idle for longest.
    ///
    /// - Returns: The pools that have connections to close, with the number of connections that
    ///   each may keep.
    func shutDownOldest(at now: Int64) -> [(pool: Int, left: Int)] {
        for descriptor in kept.idle.prefix(Self.room) { shutDown(descriptor, at: now) }
        return kept.poolsToClean.map { ($0, max(0, kept.openCount(in: $0) - Self.room)) }
    }

    /// Returns the number of open connections in a pool, including those that are shut down.
    func openCount(in pool: Int) -> Int { kept.openCount(in: pool) }
}

// MARK: - Sockets

extension Connections {
    /// The addresses that sockets lead to which have taken the place of sockets of libcurl. See
    /// ``AddressRace``.
    struct ReplacedAddresses {
        /// The addresses of all such sockets that have the local port that was asked for. There may
        /// be several: one port may be used for connections to several places.
        var candidates: [IPAddress] = []
        /// The one whose socket was made for the lane that was asked for.
        var ofLane: IPAddress?
    }

    /// The facts that the system has of a socket, and its shutdown. Tests have others.
    class SocketCalls {
        /// Returns `true` if there is something to read, or the connection has ended.
        func isReadable(_ descriptor: Int32) -> Bool { chttp_is_readable(descriptor) != 0 }

        func shutDown(_ descriptor: Int32) { chttp_shutdown(descriptor) }

        /// The local port, or 0 if there is none.
        func localPort(of descriptor: Int32) -> Int32 { chttp_local_port(descriptor) }

        /// The number that the kernel gives a socket and no other one.
        func cookie(of descriptor: Int32) -> UInt64 { chttp_socket_cookie(descriptor) }

        /// The time since something was last received, in nanoseconds; negative if it is not known.
        /// The kernel tells it in milliseconds, except for QUIC.
        func receiveAge(of descriptor: Int32, isQUIC: Bool) -> Int64 {
            guard !isQUIC else { return chttp_datagram_age_ns(descriptor) }
            let age = chttp_receive_age_ms(descriptor)
            return age < 0 ? -1 : age * 1_000_000
        }

        /// The first bytes of the datagram that is read next, at most `count`.
        func peek(_ descriptor: Int32, _ count: Int) -> [UInt8] {
            unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, count in
                guard let base = bytes.baseAddress else { return }
                count = max(0, unsafe chttp_peek(descriptor, base, bytes.count))
            }
        }

        /// The time, in monotonic nanoseconds.
        var now: Int64 { chttp_monotonic_ns() }
    }
}
