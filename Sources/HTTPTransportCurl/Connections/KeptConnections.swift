/// The connections behind the loop's sockets: which carry HTTP/1, which are idle and since when.
///
/// A server of HTTP/1 has nothing to say on an idle connection (RFC 9112 §9.3.2). Bytes that arrive
/// on one would be read as the answer to the next request, so an idle socket that turns readable
/// must be shut down: libcurl then finds it dead and opens another. Under TLS the same holds. The
/// session tickets of TLS 1.3 come before the first response and are read with it; a server that
/// sends one later costs a connection. An HTTP/2 connection hears of pings and settings while idle.
///
/// Decides, and makes no system call.
struct KeptConnections {
    /// A socket, told apart from an older one of the same number.
    struct ID: Hashable {
        let descriptor: Int32
        fileprivate let serial: Int
    }

    /// Both ends of a connection, as libcurl names them. Both ports are 0 for a Unix socket.
    struct Ends: Hashable {
        let address: String
        let remotePort: Int32
        let localPort: Int32
    }

    private struct Connection {
        var serial = 0
        var isOpen = false
        var ends: Ends?
        var pool = 0
        var speaksHTTP1 = false
        /// How many exchanges are on it; `nil` before the first.
        var users: Int?
        /// When an idle connection is to be closed.
        var due = Int64.max
        var isShutDown = false

        var isIdle: Bool { isOpen && users == 0 && !isShutDown }
    }

    /// By descriptor.
    private var connections: [Connection] = []
    /// Several only for the ends of a Unix socket, which say too little.
    private var descriptors: [Ends: [Int32]] = [:]
    private var lastSerial = 0
    private var unidentified = 0
    /// Not later than the first idle connection is due.
    private(set) var nextDue = Int64.max

    // MARK: Sockets

    mutating func opened(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        closed(descriptor)
        while connections.count <= Int(descriptor) { connections.append(Connection()) }
        lastSerial += 1
        connections[Int(descriptor)] = Connection(serial: lastSerial, isOpen: true)
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

    /// The connection of these ends, new or kept; `nil` where they do not tell which it is.
    func connection(between ends: Ends) -> ID? {
        guard let found = descriptors[ends], found.count == 1, let descriptor = found.first
        else { return nil }
        return id(descriptor)
    }

    /// The kept connections that an exchange between these ends may be about to use, and that must
    /// not have anything to read.
    func suspects(between ends: Ends) -> [Int32] {
        guard let found = descriptors[ends] else { return [] }
        return found.filter {
            let connection = connections[Int($0)]
            // One connection alone is the one in question, whatever is known of its last exchange. Of
            // several, each may be that of an exchange which has begun and is not known yet.
            return connection.speaksHTTP1
                && (found.count == 1 || (connection.users == 0 && unidentified == 0))
        }
    }

    /// An exchange is the first on a new connection.
    mutating func identify(_ descriptor: Int32, as ends: Ends, in pool: Int) -> ID? {
        guard let id = id(descriptor), connections[Int(descriptor)].ends == nil else { return nil }
        connections[Int(descriptor)].ends = ends
        connections[Int(descriptor)].pool = pool
        descriptors[ends, default: []].append(descriptor)
        return id
    }

    /// An exchange begins on a connection that is not known before its socket is watched.
    mutating func beginUnidentified() { unidentified += 1 }

    /// Its connection is known now, or it has ended.
    mutating func endUnidentified() { unidentified = max(0, unidentified - 1) }

    mutating func begin(on id: ID) {
        guard isCurrent(id) else { return }
        connections[Int(id.descriptor)].users = (connections[Int(id.descriptor)].users ?? 0) + 1
    }

    /// Whether it may be one whose exchange could not be told from its ends.
    func isUnclaimed(_ descriptor: Int32) -> Bool {
        guard connections.indices.contains(Int(descriptor)) else { return false }
        return connections[Int(descriptor)].users == 0
            && connections[Int(descriptor)].ends?.localPort == 0
    }

    /// The connection of an exchange that could not be told before, now that its socket is watched.
    mutating func adopt(_ descriptor: Int32) -> ID? {
        guard let id = id(descriptor), connections[Int(descriptor)].users == 0 else { return nil }
        begin(on: id)
        return id
    }

    /// A response has come over it, in HTTP/1.
    mutating func speaksHTTP1(_ id: ID) {
        if isCurrent(id) { connections[Int(id.descriptor)].speaksHTTP1 = true }
    }

    /// An exchange has ended, and may have left the connection to the next.
    ///
    /// - Parameter due: When to close it, if nothing uses it until then.
    mutating func end(on id: ID, due: Int64) {
        guard isCurrent(id), let users = connections[Int(id.descriptor)].users, users > 0
        else { return }
        connections[Int(id.descriptor)].users = users - 1
        guard users == 1 else { return }
        connections[Int(id.descriptor)].due = due
        nextDue = min(nextDue, due)
    }

    // MARK: What must die

    /// Whether the poller has to watch it while libcurl does not.
    func mustWatch(_ descriptor: Int32) -> Bool {
        guard connections.indices.contains(Int(descriptor)) else { return false }
        let connection = connections[Int(descriptor)]
        return connection.isOpen && connection.speaksHTTP1 && !connection.isShutDown
    }

    /// Whether a socket that turned readable while libcurl does not watch it must be shut down. That
    /// of a paused exchange is not idle.
    func isUnsound(_ descriptor: Int32) -> Bool {
        guard connections.indices.contains(Int(descriptor)) else { return false }
        return connections[Int(descriptor)].isIdle && connections[Int(descriptor)].speaksHTTP1
    }

    mutating func shutDown(_ descriptor: Int32) {
        guard connections.indices.contains(Int(descriptor)) else { return }
        connections[Int(descriptor)].isShutDown = connections[Int(descriptor)].isOpen
    }

    /// The idle connections whose time has come.
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

    /// The idle connections, the one that is due first at the front.
    var idle: [Int32] {
        connections.indices.filter { connections[$0].isIdle }
            .sorted { connections[$0].due < connections[$1].due }.map { Int32($0) }
    }

    /// How many connections of a pool are open, shut down or not.
    func openCount(in pool: Int) -> Int {
        connections.count { $0.isOpen && $0.ends != nil && $0.pool == pool }
    }

    /// The pools with connections that are shut down and not closed yet.
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
