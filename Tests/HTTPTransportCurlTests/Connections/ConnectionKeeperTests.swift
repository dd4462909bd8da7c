import Testing
@testable import HTTPTransportCurl
import PortableLibc

/// The keeper examines real sockets: both ends are the test's.
@Suite struct ConnectionKeeperTests {
    private struct Pair: ~Copyable {
        let near: Int32
        let far: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            let code = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            try #require(code == 0)
            (near, far) = (ends[0], ends[1])
        }

        deinit {
            close(near)
            close(far)
        }

        func send() { _ = unsafe write(far, "x", 1) }
    }

    private static let second: Int64 = 1_000_000_000
    private static let ends = KeptConnections.Ends(address: "", remotePort: 0, localPort: 0)

    private static func choice(
        isNew: Bool, hasUnread: Bool = false, awaitsSettings: Bool = false
    ) -> ConnectionKeeper.Choice {
        ConnectionKeeper.Choice(
            ends: ends, isNew: isNew, hasUnreadRecords: hasUnread, awaitsSettings: awaitsSettings,
            pool: 0)
    }

    /// Runs one exchange of HTTP/1.1 over the connection, which then is idle until `due`.
    private static func use(_ keeper: inout ConnectionKeeper, _ pair: borrowing Pair, due: Int64) {
        keeper.opened(pair.near, isQUIC: false)
        var transfer = TransferConnection()
        transfer.openedDescriptors = [pair.near]
        let begins = keeper.begin(choice(isNew: true), for: &transfer, at: 0)
        #expect(begins == .begun)
        if let id = transfer.id { keeper.speaksHTTP1(id) }
        keeper.end(&transfer, due: due)
        #expect(transfer.id == nil)
    }

    @Test(arguments: [false, true])
    func `an idle connection with something to read is shut down before it is used`(
        isReadable: Bool
    ) throws {
        var keeper = ConnectionKeeper()
        let pair = try Pair()
        Self.use(&keeper, pair, due: 9 * Self.second)
        if isReadable { pair.send() }
        var transfer = TransferConnection()
        let now = 2 * Self.second
        let begins = keeper.begin(Self.choice(isNew: false), for: &transfer, at: now)
        #expect(begins == (isReadable ? .stale : .begun))
        // The socket that was shut down is to be closed at once.
        #expect(keeper.nextDue == (isReadable ? now : 9 * Self.second))
    }

    @Test func `no exchange begins on a spent connection, and the connection is left alone`() throws
    {
        var keeper = ConnectionKeeper()
        let pair = try Pair()
        keeper.opened(pair.near, isQUIC: false)
        var first = TransferConnection()
        first.openedDescriptors = [pair.near]
        let begins = keeper.begin(Self.choice(isNew: true), for: &first, at: 0)
        #expect(begins == .begun)
        let id = try #require(first.id)
        #expect(keeper.exchangeCount(on: id) == 1)
        keeper.spend(id)
        var second = TransferConnection()
        let beginsAgain = keeper.begin(Self.choice(isNew: false), for: &second, at: 1)
        #expect(beginsAgain == .spent)
        #expect(second.id == nil && !second.isUnidentified)
        #expect(keeper.isUsed(id) && keeper.exchangeCount(on: id) == 1)
        keeper.end(&first, due: 9 * Self.second)
        #expect(!keeper.isUsed(id) && keeper.isSpent(id))
    }

    @Test func `a second exchange waits for the settings of its connection, though not for long`()
        throws
    {
        var keeper = ConnectionKeeper()
        let pair = try Pair()
        keeper.opened(pair.near, isQUIC: false)
        var first = TransferConnection()
        first.openedDescriptors = [pair.near]
        let begins = keeper.begin(
            Self.choice(isNew: true, awaitsSettings: true), for: &first, at: 0)
        #expect(begins == .begun)
        let id = try #require(first.id)
        func beginning(at now: Int64, awaitsSettings: Bool = true) -> ConnectionKeeper.Beginning {
            var other = keeper
            var second = TransferConnection()
            return other.begin(
                Self.choice(isNew: false, awaitsSettings: awaitsSettings), for: &second, at: now)
        }
        #expect(beginning(at: 1) == .unsettled)
        #expect(beginning(at: 1, awaitsSettings: false) == .begun)
        #expect(beginning(at: KeptConnections.longestSettling) == .begun)
        keeper.settled(id)
        #expect(beginning(at: 1) == .begun)
    }

    @Test func `an exchange that is alone on its connection waits for no settings`() throws {
        var keeper = ConnectionKeeper()
        let pair = try Pair()
        Self.use(&keeper, pair, due: 9 * Self.second)
        var transfer = TransferConnection()
        let begins = keeper.begin(
            Self.choice(isNew: false, awaitsSettings: true), for: &transfer, at: 1)
        #expect(begins == .begun)
    }

    @Test func `what TLS has read beyond the last response counts as something to read`() throws {
        var keeper = ConnectionKeeper()
        let pair = try Pair()
        Self.use(&keeper, pair, due: 100)
        var transfer = TransferConnection()
        let begins = keeper.begin(
            Self.choice(isNew: false, hasUnread: true), for: &transfer, at: 1)
        #expect(begins == .stale)
    }

    @Test func `idle connections are shut down when they are due, their pool is cleaned`() throws {
        var keeper = ConnectionKeeper()
        let pair = try Pair()
        let now = 2 * Self.second
        Self.use(&keeper, pair, due: now)
        let early = keeper.shutDownDue(at: now - 1)
        #expect(early.isEmpty && keeper.nextDue == now)
        let due = keeper.shutDownDue(at: now)
        #expect(due == [0])
        keeper.planCleaning(at: now)
        #expect(keeper.nextDue == now + ConnectionPool.cleaningInterval)
        keeper.closed(pair.near)
        keeper.planCleaning(at: now + 1)
        #expect(keeper.nextDue == .max)
    }

    @Test func `a socket that becomes readable while it is idle is shut down`() throws {
        var keeper = ConnectionKeeper()
        let pair = try Pair()
        Self.use(&keeper, pair, due: 100)
        keeper.ready(pair.near, at: 5)
        var byte: UInt8 = 0
        #expect(unsafe recv(pair.far, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    }

    @Test func `connections make room for others, those first that were idle for longest`() throws {
        var keeper = ConnectionKeeper()
        let pair = try Pair()
        Self.use(&keeper, pair, due: 100)
        let pools = keeper.shutDownOldest(at: 1)
        #expect(pools.map(\.pool) == [0] && pools.map(\.left) == [0])
        #expect(keeper.openCount(in: 0) == 1)
    }
}
