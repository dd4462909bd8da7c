/// The connections behind the loop's sockets: which carry HTTP/1, which are idle and since when.
///
/// A server of HTTP/1 has nothing to send on an idle connection (RFC 9112 §9.3.2). Bytes that
/// arrive on one would be read as the response to the next request. An idle socket that becomes
/// readable must therefore be shut down; libcurl then finds it dead and opens another one. The same
/// holds under TLS: the session tickets of TLS 1.3 come before the first response and are read with
/// it, and a server that sends one later costs a connection. An idle HTTP/2 connection may receive
/// pings and settings.
///
/// This type makes decisions and no system calls.
struct KeptConnections {
    /// The identity of a socket, which differs from that of an older socket with the same number.
    struct ID: Hashable {
        let descriptor: Int32
        fileprivate let serial: Int
    }

    /// Both ends of a connection, as libcurl names them. Both ports are 0 for a Unix socket.
    ///
    /// TCP and UDP have ports of their own, and so has each local address.
    struct Ends: Hashable {
        let address: String
        let remotePort: Int32
        let localPort: Int32
        /// The local address, if the route prescribes one.
        var localAddress: IPAddress?
        var isQUIC = false

        /// The ports tell nearly all ends apart.
        func hash(into hasher: inout Hasher) {
            hasher.combine(UInt64(UInt32(bitPattern: remotePort)) << 32 | UInt64(localPort))
        }
    }

    private struct Connection {
        var serial = 0
        var isOpen = false
        var ends: Ends?
        var pool = 0
        var speaksHTTP1 = false
        /// `true` if the connection is one of QUIC, which shares its datagrams' socket with none.
        var isQUIC = false
        /// The ID that the server gives packets of this connection, once one was seen.
        var connectionID: [UInt8]?
        /// The time at which something was last received, and the first time since then at which a
        /// request was written over a connection that several may share.
        var lastHeard = Int64.min
        var silentSince: Int64?
        /// The packets that have come since the connection was suspected to be lost; `nil` if it is
        /// not suspected.
        var packets: SuspectPackets?
        /// The number of exchanges on the connection; `nil` before the first one.
        var users: Int?
        /// The number of exchanges that have begun on the connection.
        var exchanges = 0
        /// `true` if no further exchange may begin on the connection.
        var isSpent = false
        /// `true` if the protocol has failed on the connection, as one of its exchanges has shown.
        var isBroken = false
        /// `true` if the server has said how many exchanges it takes at a time.
        var isSettled = false
        /// The time at which the first exchange began.
        var firstUse: Int64?
        /// The time at which to close an idle connection.
        var due = Int64.max
        var isShutDown = false

        var isIdle: Bool { isOpen && users == 0 && !isShutDown }
    }

    /// The packets that a connection receives while it is suspected to be lost.
    private struct SuspectPackets {
        var hasOwn = false
        /// The ID of the last packet with an unknown one.
        var lastUnknown: [UInt8]?
        /// The number of packets with unknown IDs.
        var unknownCount = 0

        /// A server may change to another of the IDs that libcurl has given it (RFC 9000 §5.1), so
        /// one packet with an unknown ID says nothing. What it sends of a connection that it has
        /// lost has random bytes instead, each time others.
        var verdict: Bool? { hasOwn ? true : unknownCount > 1 ? false : nil }
    }

    /// The connections, indexed by descriptor.
    private var connections: [Connection] = []
    /// The descriptors of the connections between two ends. There are several only for a Unix
    /// socket, whose ends do not tell connections apart.
    private var descriptors: [Ends: [Int32]] = [:]
    private var lastSerial = 0
    private var unidentified = 0
    /// A time that is not later than the earliest due time of an idle connection.
    private(set) var nextDue = Int64.max

    // MARK: Sockets

    mutating func opened(_ descriptor: Int32, isQUIC: Bool = false) {
        guard descriptor >= 0 else { return }
        closed(descriptor)
        while connections.count <= Int(descriptor) { connections.append(Connection()) }
        lastSerial += 1
        connections[Int(descriptor)] = Connection(serial: lastSerial, isOpen: true, isQUIC: isQUIC)
    }

    mutating func closed(_ descriptor: Int32) {
        guard connections.indices.contains(Int(descriptor)) else { return }
        if let ends = connections[Int(descriptor)].ends {
            descriptors[ends]?.removeAll { $0 == descriptor }
            if descriptors[ends]?.isEmpty == true { descriptors[ends] = nil }
        }
        connections[Int(descriptor)] = Connection()
    }

    // MARK: Exchanges

    /// The result of examining the kept connections between two ends, one of which an exchange is
    /// about to use.
    struct Finding {
        /// The connection, or `nil` if the ends do not identify it.
        var id: ID?
        /// `true` if no connection with these ends is known.
        var isUnknown = false
        /// The connections that must not be used.
        var unsound: [Int32] = []
    }

    /// Examines the kept connections that an exchange between these ends may be about to use. They
    /// must not have anything to read.
    func find(between ends: Ends, isReadable: (Int32) -> Bool) -> Finding {
        var finding = Finding()
        guard let found = descriptors[ends] else {
            finding.isUnknown = true
            return finding
        }
        for descriptor in found {
            let connection = connections[Int(descriptor)]
            // A single connection is the one in question, whatever is known of its last exchange.
            // If there are several, each may belong to an exchange that has begun and is not yet
            // identified.
            let isSuspect =
                connection.speaksHTTP1
                && (found.count == 1 || (connection.users == 0 && unidentified == 0))
            if isSuspect, isReadable(descriptor) { finding.unsound.append(descriptor) }
        }
        if found.count == 1 { finding.id = id(found[0]) }
        return finding
    }

    /// The open connections that are not identified.
    var unidentifiedDescriptors: [Int32] {
        connections.indices.lazy.filter { connections[$0].isOpen && connections[$0].ends == nil }
            .map { Int32($0) }
    }

    /// Identifies a new connection by its first exchange.
    mutating func identify(_ descriptor: Int32, as ends: Ends, in pool: Int) -> ID? {
        guard let id = id(descriptor) else { return nil }
        // Another exchange has overtaken the one that has opened the connection.
        if let known = connections[Int(descriptor)].ends { return known == ends ? id : nil }
        connections[Int(descriptor)].ends = ends
        connections[Int(descriptor)].pool = pool
        descriptors[ends, default: []].append(descriptor)
        return id
    }

    /// Records that an exchange begins on a connection that is not known until its socket is
    /// watched.
    mutating func beginUnidentified() { unidentified += 1 }

    /// Records that the connection of such an exchange is known now, or that the exchange has
    /// ended.
    mutating func endUnidentified() { unidentified = max(0, unidentified - 1) }

    mutating func begin(on id: ID, at now: Int64 = 0) {
        guard isCurrent(id) else { return }
        if connections[Int(id.descriptor)].firstUse == nil {
            connections[Int(id.descriptor)].firstUse = now
        }
        connections[Int(id.descriptor)].users = (connections[Int(id.descriptor)].users ?? 0) + 1
        connections[Int(id.descriptor)].exchanges += 1
        // One of QUIC is not really shut down: libcurl may use it until it closes it.
        connections[Int(id.descriptor)].isShutDown = false
    }

    /// Returns the number of exchanges that have begun on the connection.
    func exchangeCount(on id: ID) -> Int {
        isCurrent(id) ? connections[Int(id.descriptor)].exchanges : 0
    }

    /// Records that no further exchange may begin on the connection.
    mutating func spend(_ id: ID) {
        if isCurrent(id) { connections[Int(id.descriptor)].isSpent = true }
    }

    func isSpent(_ id: ID) -> Bool { isCurrent(id) && connections[Int(id.descriptor)].isSpent }

    /// Records that the protocol has failed on the connection. No further exchange may begin on it.
    mutating func broke(_ id: ID) {
        guard isCurrent(id) else { return }
        connections[Int(id.descriptor)].isBroken = true
        connections[Int(id.descriptor)].isSpent = true
    }

    func isBroken(_ id: ID) -> Bool { isCurrent(id) && connections[Int(id.descriptor)].isBroken }

    func isQUIC(_ id: ID) -> Bool { isCurrent(id) && connections[Int(id.descriptor)].isQUIC }

    /// The longest time for which exchanges wait for the settings of a connection, in nanoseconds.
    static let longestSettling: Int64 = 1_000_000_000

    /// Records that the server has said how many exchanges it takes at a time (RFC 9113 §6.5.2).
    mutating func settled(_ id: ID) {
        if isCurrent(id) { connections[Int(id.descriptor)].isSettled = true }
    }

    /// Returns `true` if the server has said how many exchanges it takes at a time, or has had the
    /// time to.
    func isSettled(_ id: ID, at now: Int64) -> Bool {
        guard isCurrent(id), !connections[Int(id.descriptor)].isQUIC else { return true }
        let connection = connections[Int(id.descriptor)]
        return connection.isSettled
            || connection.firstUse.map { now - $0 >= Self.longestSettling } ?? true
    }

    /// Returns `true` if an exchange is known to use the connection.
    func isUsed(_ id: ID) -> Bool {
        isCurrent(id) && (connections[Int(id.descriptor)].users ?? 0) > 0
    }

    /// Returns `true` if no exchange is known to use the connection, and its addresses cannot say
    /// which one does, as with a Unix socket.
    func isUnclaimed(_ descriptor: Int32) -> Bool {
        guard connections.indices.contains(Int(descriptor)) else { return false }
        return connections[Int(descriptor)].users == 0
            && connections[Int(descriptor)].ends?.localPort == 0
    }

    /// Returns the connection of an exchange that could not be identified until its socket was
    /// watched.
    mutating func adopt(_ descriptor: Int32) -> ID? {
        guard let id = id(descriptor), connections[Int(descriptor)].users == 0 else { return nil }
        begin(on: id)
        return id
    }

    /// Records that a response has come over the connection in HTTP/1.
    mutating func speaksHTTP1(_ id: ID) {
        if isCurrent(id) { connections[Int(id.descriptor)].speaksHTTP1 = true }
    }

    /// Records that an exchange has ended. It may have left the connection to the next one.
    ///
    /// - Parameter due: The time to close the connection if nothing uses it until then.
    mutating func end(on id: ID, due: Int64) {
        guard isCurrent(id), let users = connections[Int(id.descriptor)].users, users > 0
        else { return }
        connections[Int(id.descriptor)].users = users - 1
        guard users == 1 else { return }
        connections[Int(id.descriptor)].due = due
        nextDue = min(nextDue, due)
    }

    // MARK: Signs of life

    /// Records that something has arrived.
    mutating func heard(_ descriptor: Int32, at now: Int64) {
        guard connections.indices.contains(Int(descriptor)) else { return }
        connections[Int(descriptor)].lastHeard = now
        connections[Int(descriptor)].silentSince = nil
    }

    /// The time at which something last arrived; `nil` if nothing did, or the connection has ended.
    func lastHeard(on id: ID) -> Int64? {
        guard isCurrent(id) else { return nil }
        let time = connections[Int(id.descriptor)].lastHeard
        return time == .min ? nil : time
    }

    /// Records that a request is about to be written.
    mutating func wrote(on id: ID, at now: Int64) {
        guard isCurrent(id), connections[Int(id.descriptor)].silentSince == nil else { return }
        connections[Int(id.descriptor)].silentSince = now
    }

    /// Returns the time of the first request since something last arrived.
    func silentSince(_ id: ID) -> Int64? {
        isCurrent(id) ? connections[Int(id.descriptor)].silentSince : nil
    }

    /// Returns `true` if something is known to have arrived since `time`.
    func isHeard(_ id: ID, since time: Int64) -> Bool {
        isCurrent(id) && connections[Int(id.descriptor)].lastHeard > time
    }

    /// Returns `true` if the packets that arrive are to be passed to ``received(_:on:)``.
    func wantsPackets(_ descriptor: Int32) -> Bool {
        guard connections.indices.contains(Int(descriptor)) else { return false }
        let connection = connections[Int(descriptor)]
        return connection.isQUIC && (connection.connectionID == nil || connection.packets != nil)
    }

    mutating func received(_ packet: QUICPacket, on descriptor: Int32) {
        guard connections.indices.contains(Int(descriptor)) else { return }
        guard let id = connections[Int(descriptor)].connectionID else {
            connections[Int(descriptor)].connectionID = packet.connectionID
            return
        }
        guard var packets = connections[Int(descriptor)].packets else { return }
        if packet.connectionID == id || packet.connectionID == packets.lastUnknown {
            connections[Int(descriptor)].connectionID = packet.connectionID
            packets.hasOwn = true
        } else {
            packets.lastUnknown = packet.connectionID
            packets.unknownCount += 1
        }
        connections[Int(descriptor)].packets = packets
    }

    /// An exchange on the connection has waited for long.
    mutating func suspect(_ id: ID) {
        guard isCurrent(id), connections[Int(id.descriptor)].packets?.hasOwn != false else {
            return
        }
        // What came for an earlier exchange proves nothing for this one.
        connections[Int(id.descriptor)].packets = SuspectPackets()
    }

    /// Returns `true` if packets of the connection have come since it was suspected, and `false` if
    /// only others have: the server has lost it, and says so in a way that cannot be verified (RFC
    /// 9000 §10.3). Returns `nil` as long as too few have come.
    func isKnownToServer(_ id: ID) -> Bool? {
        guard isCurrent(id), let packets = connections[Int(id.descriptor)].packets else {
            return true
        }
        return packets.verdict
    }

    func isSuspected(_ id: ID) -> Bool {
        isCurrent(id) && connections[Int(id.descriptor)].packets != nil
    }

    /// Ends the suspicion, because the connection has proven to work.
    mutating func trust(_ id: ID) {
        if isCurrent(id) { connections[Int(id.descriptor)].packets = nil }
    }

    // MARK: Connections to close

    /// Returns `true` if the poller has to watch the socket while libcurl does not.
    func mustWatch(_ descriptor: Int32) -> Bool {
        guard connections.indices.contains(Int(descriptor)) else { return false }
        let connection = connections[Int(descriptor)]
        return connection.isOpen && connection.speaksHTTP1 && !connection.isShutDown
    }

    /// Returns `true` if a socket that became readable while libcurl does not watch it must be shut
    /// down. The socket of a paused exchange is not idle.
    func isUnsound(_ descriptor: Int32) -> Bool {
        guard connections.indices.contains(Int(descriptor)) else { return false }
        return connections[Int(descriptor)].isIdle && connections[Int(descriptor)].speaksHTTP1
    }

    /// Returns `true` if the socket is to be shut down. libcurl closes a connection of QUIC by its
    /// age alone.
    @discardableResult
    mutating func shutDown(_ descriptor: Int32) -> Bool {
        guard connections.indices.contains(Int(descriptor)) else { return false }
        connections[Int(descriptor)].isShutDown = connections[Int(descriptor)].isOpen
        return !connections[Int(descriptor)].isQUIC
    }

    /// Returns the idle connections that are due.
    mutating func expired(at now: Int64) -> [Int32] {
        guard nextDue <= now else { return [] }
        var expired: [Int32] = []
        nextDue = .max
        for (descriptor, connection) in connections.enumerated() where connection.isIdle {
            if connection.due <= now {
                expired.append(Int32(descriptor))
            } else {
                nextDue = min(nextDue, connection.due)
            }
        }
        return expired
    }

    /// The idle connections, ordered by due time.
    var idle: [Int32] {
        connections.indices.filter { connections[$0].isIdle }
            .sorted { connections[$0].due < connections[$1].due }.map { Int32($0) }
    }

    /// Returns the number of open connections in a pool, including those that are shut down.
    func openCount(in pool: Int) -> Int {
        connections.count { $0.isOpen && $0.ends != nil && $0.pool == pool }
    }

    /// The pools with connections that are shut down and not yet closed.
    var poolsToClean: Set<Int> {
        Set(connections.lazy.filter { $0.isOpen && $0.isShutDown }.map(\.pool))
    }

    private func id(_ descriptor: Int32) -> ID? {
        guard connections.indices.contains(Int(descriptor)), connections[Int(descriptor)].isOpen
        else { return nil }
        return ID(descriptor: descriptor, serial: connections[Int(descriptor)].serial)
    }

    private func isCurrent(_ id: ID) -> Bool { self.id(id.descriptor) == id }
}
