import CHTTPTransportCurl
import HTTPCore

/// Carries out what ``KeptConnections`` decides: it examines sockets before they are used again,
/// and shuts down those that are not to be used.
///
/// libcurl closes a connection that was shut down only when it looks for one, which
/// ``ConnectionPool/clean()`` makes it do. The keeper says when; it calls nothing that calls back.
/// Lives on the loop's thread.
struct ConnectionKeeper {
    private var kept = KeptConnections()
    /// The time to make libcurl close the connections that were shut down.
    private var cleaningDue = Int64.max
    private var lastCleaning: Int64 = 0

    /// The number of idle connections to close if the process has no descriptor left.
    private static let room = 8

    /// The time of the next call of ``shutDownDue(at:)``.
    var nextDue: Int64 { min(kept.nextDue, cleaningDue) }

    // MARK: Sockets

    mutating func opened(_ descriptor: Int32, isQUIC: Bool) {
        kept.opened(descriptor, isQUIC: isQUIC)
        // From now on, the kernel notes when datagrams come.
        if isQUIC { _ = chttp_datagram_age_ns(descriptor) }
    }
    mutating func closed(_ descriptor: Int32) { kept.closed(descriptor) }

    /// Returns `true` if the poller has to watch the socket while libcurl does not.
    func mustWatch(_ descriptor: Int32) -> Bool { kept.mustWatch(descriptor) }

    /// Handles a socket that became readable while libcurl does not watch it.
    mutating func ready(_ descriptor: Int32, at now: Int64) {
        if kept.isUnsound(descriptor) { shutDown(descriptor, at: now) }
    }

    private mutating func shutDown(_ descriptor: Int32, at now: Int64) {
        if kept.shutDown(descriptor) { chttp_shutdown(descriptor) }
        cleaningDue = min(cleaningDue, max(now, lastCleaning + ConnectionPool.cleaningInterval))
    }

    // MARK: Signs of life

    /// Handles a socket that has become readable, before libcurl reads from it.
    mutating func willRead(_ descriptor: Int32, at now: Int64) {
        kept.heard(descriptor, at: now)
        guard kept.wantsPackets(descriptor) else { return }
        var bytes = [UInt8](repeating: 0, count: QUICPacket.neededLength)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return unsafe chttp_peek(descriptor, base, bytes.count)
        }
        if let packet = QUICPacket(Array(bytes[..<count])) { kept.received(packet, on: descriptor) }
    }

    func lastHeard(on id: KeptConnections.ID) -> Int64? { kept.lastHeard(on: id) }

    mutating func wrote(on id: KeptConnections.ID, at now: Int64) { kept.wrote(on: id, at: now) }

    mutating func suspect(_ id: KeptConnections.ID) { kept.suspect(id) }

    /// Ends the suspicion, because a response has come over the connection.
    mutating func trust(_ id: KeptConnections.ID) { kept.trust(id) }

    /// Returns `true` if nothing has come over the connection since `time`, in the loop's
    /// nanoseconds, or nothing since it was suspected that belongs to it. Returns `nil` if that is
    /// not known yet.
    mutating func isLost(_ id: KeptConnections.ID, since time: Int64) -> Bool? {
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
        let waited = chttp_monotonic_ns() - time
        guard kept.isQUIC(id) else {
            let age = chttp_receive_age_ms(id.descriptor)
            return age < 0 || age * 1_000_000 >= waited - Self.receiveAgeError
        }
        let age = chttp_datagram_age_ns(id.descriptor)
        return age >= 0 && age > waited
    }

    /// The largest error of the time that the kernel returns for TCP, in nanoseconds.
    private static let receiveAgeError: Int64 = 10_000_000

    /// The time without a sign of life after which a connection counts as lost if its requests end
    /// before that is examined, in nanoseconds.
    static let silenceLimit: Int64 = 1_000_000_000

    /// Handles the end of an exchange without a response. Returns `true` if the connection is lost.
    /// From now on, the packets that arrive are examined.
    mutating func endedUnanswered(_ id: KeptConnections.ID, at now: Int64) -> Bool {
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
        /// `true` if the transfer has opened it.
        let isNew: Bool
        /// `true` if TLS holds bytes that belong to no response. Newer libraries make OpenSSL read
        /// ahead, so it may hold bytes that came with the last response.
        let hasUnreadRecords: Bool
        /// `true` if a second exchange waits until the server has said how many it takes.
        let awaitsSettings: Bool
        let pool: Int
    }

    /// The result of an attempt to begin an exchange on a connection that libcurl has chosen.
    enum Beginning {
        case begun
        /// The connection has something to read or is closed. It was shut down.
        case stale
        /// No further exchange may begin on the connection.
        case spent
        /// The connection has an exchange, and the server has not said yet how many it takes.
        case unsettled
    }

    /// Begins an exchange on a connection, if the connection may be used.
    mutating func begin(
        _ choice: Choice, for transfer: inout TransferConnection, at now: Int64
    ) -> Beginning {
        let ends = choice.ends
        if choice.isNew {
            let descriptor = transfer.openedDescriptors.last {
                ends.localPort == 0 || chttp_local_port($0) == ends.localPort
            }
            transfer.id = descriptor.flatMap { kept.identify($0, as: ends, in: choice.pool) }
        } else {
            var finding = kept.find(between: ends) {
                choice.hasUnreadRecords || chttp_is_readable($0) != 0
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
            transfer.id = finding.id
        }
        if let id = transfer.id {
            kept.begin(on: id, at: now)
        } else {
            kept.beginUnidentified()
            transfer.isUnidentified = true
        }
        return .begun
    }

    /// Identifies a connection by an exchange that has not opened it. Newer libraries let a request
    /// overtake the one that has.
    private mutating func overtake(_ ends: KeptConnections.Ends, in pool: Int) -> KeptConnections
        .ID?
    {
        guard ends.localPort != 0 else { return nil }
        let descriptor = kept.unidentifiedDescriptors.first {
            chttp_local_port($0) == ends.localPort
        }
        return descriptor.flatMap { kept.identify($0, as: ends, in: pool) }
    }

    /// Records that the server has said how many exchanges it takes at a time.
    mutating func settled(_ id: KeptConnections.ID) { kept.settled(id) }

    /// Lets no further exchange begin on the connection.
    mutating func spend(_ id: KeptConnections.ID) { kept.spend(id) }

    func isSpent(_ id: KeptConnections.ID) -> Bool { kept.isSpent(id) }

    /// Records that the protocol has failed on the connection. No further exchange begins on it.
    mutating func broke(_ id: KeptConnections.ID) { kept.broke(id) }

    func isBroken(_ id: KeptConnections.ID) -> Bool { kept.isBroken(id) }

    /// Returns the number of exchanges that have begun on the connection.
    func exchangeCount(on id: KeptConnections.ID) -> Int { kept.exchangeCount(on: id) }

    /// Records that a response has come over the connection in HTTP/1.
    mutating func speaksHTTP1(_ id: KeptConnections.ID) { kept.speaksHTTP1(id) }

    /// Returns `true` if an exchange is known to use the connection.
    func isUsed(_ id: KeptConnections.ID) -> Bool { kept.isUsed(id) }

    /// Returns `true` if no exchange is known to use the connection, and its addresses cannot say
    /// which one does, as with a Unix socket.
    func isUnclaimed(_ descriptor: Int32) -> Bool { kept.isUnclaimed(descriptor) }

    /// Assigns a watched socket to a transfer that has been written over an unknown connection. Of
    /// the connections to one Unix socket, only this shows which one a transfer uses.
    mutating func adopt(_ descriptor: Int32, for transfer: inout TransferConnection) {
        guard transfer.id == nil else { return }
        transfer.id = kept.adopt(descriptor)
        if transfer.id != nil { identified(&transfer) }
    }

    private mutating func identified(_ transfer: inout TransferConnection) {
        guard transfer.isUnidentified else { return }
        transfer.isUnidentified = false
        kept.endUnidentified()
    }

    /// Ends the exchange on its connection.
    ///
    /// - Parameter due: The time to close the connection if nothing uses it until then.
    mutating func end(_ transfer: inout TransferConnection, due: Int64) {
        identified(&transfer)
        if let id = transfer.id.take() { kept.end(on: id, due: due) }
    }

    // MARK: Connections to close

    /// Shuts down the idle connections that are due.
    ///
    /// - Returns: The pools that are to be cleaned now. ``planCleaning(at:)`` follows.
    mutating func shutDownDue(at now: Int64) -> Set<Int> {
        for descriptor in kept.expired(at: now) { shutDown(descriptor, at: now) }
        guard cleaningDue <= now else { return [] }
        lastCleaning = now
        cleaningDue = .max
        return kept.poolsToClean
    }

    /// Plans the next cleaning of pools in which connections are left that were shut down.
    mutating func planCleaning(at now: Int64) {
        cleaningDue = kept.poolsToClean.isEmpty ? .max : now + ConnectionPool.cleaningInterval
    }

    /// Shuts down some of the connections that have been idle for longest.
    ///
    /// - Returns: The pools that have connections to close, with the number of connections that
    ///   each may keep.
    mutating func shutDownOldest(at now: Int64) -> [(pool: Int, left: Int)] {
        for descriptor in kept.idle.prefix(Self.room) { shutDown(descriptor, at: now) }
        return kept.poolsToClean.map { ($0, max(0, kept.openCount(in: $0) - Self.room)) }
    }

    /// Returns the number of open connections in a pool, including those that are shut down.
    func openCount(in pool: Int) -> Int { kept.openCount(in: pool) }
}
