import HTTPCore
import PortableLibc
import Testing

@testable import HTTPTransportCurl

/// The sockets are real ones, of which both ends are the test's.
@Suite struct ConnectionsTests {
    private static let second: Int64 = 1_000_000_000
    private static let ends = KeptConnections.Ends(address: "", remotePort: 0, localPort: 0)

    private static func choice(
        opened: [Int32] = [], hasUnread: Bool = false, awaitsSettings: Bool = false
    ) -> Connections.Choice {
        Connections.Choice(
            ends: ends, isNew: !opened.isEmpty, opened: opened, hasUnreadRecords: hasUnread,
            awaitsSettings: awaitsSettings, pool: 0)
    }

    private let lane: Lane

    init() throws {
        let origin = try HTTPOrigin("http://localhost/")
        lane = Lane(ConnectionRoute(origin: origin), limit: 9, waitingLimit: 1)
    }

    /// Opens a connection and begins its first exchange.
    private func open(
        _ pair: borrowing SocketPair, in connections: Connections, awaitsSettings: Bool = false
    ) throws -> Connections.Use {
        connections.opened(pair.near, for: lane)
        let beginning = connections.begin(
            Self.choice(opened: [pair.near], awaitsSettings: awaitsSettings), at: 0)
        guard case .begun(let use) = beginning else { return .none }
        try #require(use.id != nil)
        return use
    }

    /// Runs one exchange of HTTP/1.1 over the connection, which then is idle until `due`.
    private func use(_ connections: Connections, _ pair: borrowing SocketPair, due: Int64) throws {
        let use = try open(pair, in: connections)
        if let id = use.id { connections.speaksHTTP1(id) }
        connections.end(use, due: due)
    }

    private static func begins(_ beginning: Connections.Beginning) -> Bool {
        if case .begun = beginning { true } else { false }
    }

    @Test(arguments: [false, true])
    func `an idle connection with something to read is shut down before it is used`(
        isReadable: Bool
    ) throws {
        let connections = Connections()
        let pair = try SocketPair()
        try use(connections, pair, due: 9 * Self.second)
        if isReadable { pair.send() }
        let now = 2 * Self.second
        let beginning = connections.begin(Self.choice(), at: now)
        #expect(isReadable ? beginning == .stale : Self.begins(beginning))
        // The socket that was shut down is to be closed at once.
        #expect(connections.nextDue == (isReadable ? now : 9 * Self.second))
    }

    @Test func `no exchange begins on a spent connection, and the connection is left alone`() throws
    {
        let connections = Connections()
        let pair = try SocketPair()
        let first = try open(pair, in: connections)
        let id = try #require(first.id)
        #expect(connections.exchangeCount(on: id) == 1)
        connections.spend(id)
        #expect(connections.begin(Self.choice(), at: 1) == .spent)
        #expect(connections.isUsed(id) && connections.exchangeCount(on: id) == 1)
        connections.end(first, due: 9 * Self.second)
        #expect(!connections.isUsed(id) && connections.isSpent(id))
    }

    @Test func `a second exchange waits for the settings of its connection, though not for long`()
        throws
    {
        let connections = Connections()
        let pair = try SocketPair()
        let id = try #require(try open(pair, in: connections, awaitsSettings: true).id)
        /// Returns `true` if another exchange begins. It ends at once.
        func begins(at now: Int64, awaitsSettings: Bool = true) -> Bool {
            let beginning = connections.begin(
                Self.choice(awaitsSettings: awaitsSettings), at: now)
            guard case .begun(let use) = beginning else {
                #expect(beginning == .unsettled)
                return false
            }
            connections.end(use, due: 9 * Self.second)
            return true
        }
        #expect(!begins(at: 1))
        #expect(begins(at: 1, awaitsSettings: false))
        #expect(begins(at: KeptConnections.longestSettling))
        connections.settled(id)
        #expect(begins(at: 1))
    }

    @Test func `an exchange that is alone on its connection waits for no settings`() throws {
        let connections = Connections()
        let pair = try SocketPair()
        try use(connections, pair, due: 9 * Self.second)
        #expect(Self.begins(connections.begin(Self.choice(awaitsSettings: true), at: 1)))
    }

    @Test func `what TLS has read beyond the last response counts as something to read`() throws {
        let connections = Connections()
        let pair = try SocketPair()
        try use(connections, pair, due: 100)
        #expect(connections.begin(Self.choice(hasUnread: true), at: 1) == .stale)
    }

    @Test func `idle connections are shut down when they are due, their pool is cleaned`() throws {
        let connections = Connections()
        let pair = try SocketPair()
        let now = 2 * Self.second
        try use(connections, pair, due: now)
        let early = connections.shutDownDue(at: now - 1)
        #expect(early.isEmpty && connections.nextDue == now)
        let due = connections.shutDownDue(at: now)
        #expect(due == [0])
        connections.planCleaning(at: now)
        #expect(connections.nextDue == now + ConnectionPool.cleaningInterval)
        connections.closed(pair.near)
        connections.planCleaning(at: now + 1)
        #expect(connections.nextDue == .max)
    }

    @Test func `a socket that becomes readable while it is idle is shut down`() throws {
        let connections = Connections()
        let pair = try SocketPair()
        try use(connections, pair, due: 100)
        connections.ready(pair.near, at: 5)
        var byte: UInt8 = 0
        #expect(unsafe recv(pair.far, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    }

    @Test func `connections make room for others, those first that were idle for longest`() throws {
        let connections = Connections()
        let pair = try SocketPair()
        try use(connections, pair, due: 100)
        let pools = connections.shutDownOldest(at: 1)
        #expect(pools.map(\.pool) == [0] && pools.map(\.left) == [0])
        #expect(connections.openCount(in: 0) == 1)
    }
}
