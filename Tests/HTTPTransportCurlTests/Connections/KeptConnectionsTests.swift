import Testing

@testable import HTTPTransportCurl

@Suite struct KeptConnectionsTests {
    private static func ends(_ localPort: Int32) -> KeptConnections.Ends {
        KeptConnections.Ends(address: "192.0.2.1", remotePort: 80, localPort: localPort)
    }

    private static let socketEnds = KeptConnections.Ends(address: "", remotePort: 0, localPort: 0)

    /// Has carried an exchange, and waits for the next.
    private static func kept(
        _ descriptor: Int32 = 7, isHTTP1: Bool = true, due: Int64 = 100,
        ends: KeptConnections.Ends = ends(1000), in table: inout KeptConnections
    ) throws {
        table.opened(descriptor)
        let made = table.identify(descriptor, as: ends, in: 0)
        let id = try #require(made)
        table.begin(on: id)
        if isHTTP1 { table.speaksHTTP1(id) }
        table.end(on: id, due: due)
    }

    @Test(arguments: [true, false])
    func `an idle connection that turns readable is unsound in HTTP/1 alone`(
        isHTTP1: Bool
    ) throws {
        var table = KeptConnections()
        try Self.kept(isHTTP1: isHTTP1, in: &table)
        #expect(table.isUnsound(7) == isHTTP1)
        #expect(table.mustWatch(7) == isHTTP1)
        #expect(table.find(between: Self.ends(1000)) { _ in true }.unsound == (isHTTP1 ? [7] : []))
        #expect(table.find(between: Self.ends(1001)) { _ in true }.unsound == [])
    }

    @Test func `the connection of a paused exchange is not idle`() throws {
        var table = KeptConnections()
        try Self.kept(in: &table)
        let id = try #require(table.find(between: Self.ends(1000)) { _ in false }.id)
        table.begin(on: id)
        #expect(!table.isUnsound(7))
        #expect(table.expired(at: 1000) == [])
        table.end(on: id, due: 200)
        #expect(table.isUnsound(7))
        #expect(table.expired(at: 199) == [])
        #expect(table.expired(at: 200) == [7])
    }

    @Test func `a spent connection stays spent, until its descriptor is that of another one`()
        throws
    {
        var table = KeptConnections()
        try Self.kept(isHTTP1: false, in: &table)
        let id = try #require(table.find(between: Self.ends(1000)) { _ in false }.id)
        table.begin(on: id)
        table.begin(on: id)
        #expect(table.exchangeCount(on: id) == 3)
        table.spend(id)
        #expect(table.isSpent(id))
        table.end(on: id, due: 300)
        table.end(on: id, due: 300)
        #expect(table.isSpent(id) && table.expired(at: 300) == [7])
        table.closed(7)
        #expect(!table.isSpent(id) && table.exchangeCount(on: id) == 0)
        try Self.kept(in: &table)
        let other = try #require(table.find(between: Self.ends(1000)) { _ in false }.id)
        #expect(!table.isSpent(other) && table.exchangeCount(on: other) == 1)
    }

    @Test func `a broken connection is spent, until its descriptor is that of another one`()
        throws
    {
        var table = KeptConnections()
        try Self.kept(isHTTP1: false, in: &table)
        let id = try #require(table.find(between: Self.ends(1000)) { _ in false }.id)
        table.spend(id)
        #expect(!table.isBroken(id))
        table.broke(id)
        #expect(table.isBroken(id) && table.isSpent(id))
        table.closed(7)
        table.broke(id)
        #expect(!table.isBroken(id))
        try Self.kept(in: &table)
        let other = try #require(table.find(between: Self.ends(1000)) { _ in false }.id)
        #expect(!table.isBroken(other) && !table.isSpent(other))
    }

    @Test func `a connection of several exchanges is idle after the last`() throws {
        var table = KeptConnections()
        try Self.kept(isHTTP1: false, in: &table)
        let id = try #require(table.find(between: Self.ends(1000)) { _ in false }.id)
        table.begin(on: id)
        table.begin(on: id)
        table.end(on: id, due: 300)
        #expect(table.idle == [])
        table.end(on: id, due: 400)
        #expect(table.idle == [7])
        table.end(on: id, due: 1)
        #expect(table.expired(at: 399) == [], "an end without a beginning changes nothing")
    }

    // MARK: QUIC

    /// The system numbers the ports of TCP and UDP separately, and those of each local address.
    @Test func `connections of TCP and QUIC between the same ports are two`() throws {
        var table = KeptConnections()
        var quic = Self.ends(1000)
        quic.isQUIC = true
        var other = Self.ends(1000)
        other.localAddress = IPAddress("127.0.0.2")
        try Self.kept(7, isHTTP1: false, ends: Self.ends(1000), in: &table)
        try Self.kept(8, isHTTP1: false, ends: quic, in: &table)
        try Self.kept(9, isHTTP1: false, ends: other, in: &table)
        for (ends, descriptor) in [(Self.ends(1000), 7), (quic, 8), (other, 9)] {
            let id = try #require(table.find(between: ends) { _ in false }.id)
            #expect(id.descriptor == Int32(descriptor))
            table.begin(on: id)
        }
        #expect(table.expired(at: 1000) == [], "each is known to be used")
    }

    @Test func `silence begins with the first request after what was heard last`() throws {
        var table = KeptConnections()
        table.opened(7, isQUIC: true)
        let made = table.identify(7, as: Self.ends(1000), in: 0)
        let id = try #require(made)
        #expect(table.silentSince(id) == nil)
        table.wrote(on: id, at: 10)
        table.wrote(on: id, at: 20)
        #expect(table.silentSince(id) == 10)
        table.heard(7, at: 30)
        #expect(table.silentSince(id) == nil)
        #expect(table.isHeard(id, since: 29) && !table.isHeard(id, since: 30))
        table.wrote(on: id, at: 40)
        #expect(table.silentSince(id) == 40)
        // The number of a closed socket says nothing about the next one.
        table.opened(7, isQUIC: true)
        #expect(table.silentSince(id) == nil && !table.isHeard(id, since: 0))
    }

    @Test func `a connection is identified once, whichever exchange is first on it`() throws {
        var table = KeptConnections()
        table.opened(7)
        table.opened(8)
        #expect(table.find(between: Self.ends(1000)) { _ in false }.isUnknown)
        #expect(table.unidentifiedDescriptors == [7, 8])
        let overtaking = table.identify(7, as: Self.ends(1000), in: 0)
        let opener = table.identify(7, as: Self.ends(1000), in: 0)
        #expect(overtaking != nil && overtaking == opener)
        let wrong = table.identify(7, as: Self.ends(1001), in: 0)
        #expect(wrong == nil)
        #expect(table.unidentifiedDescriptors == [8])
        #expect(!table.find(between: Self.ends(1000)) { _ in false }.isUnknown)
    }

    @Test func `what a server takes at a time is known once it has said so, or had the time to`()
        throws
    {
        var table = KeptConnections()
        table.opened(7)
        table.opened(8, isQUIC: true)
        let first = table.identify(7, as: Self.ends(1000), in: 0)
        let second = table.identify(8, as: Self.ends(1001), in: 0)
        let (id, quic) = (try #require(first), try #require(second))
        #expect(table.isSettled(quic, at: 0), "its handshake has told")
        table.begin(on: id, at: 5)
        #expect(!table.isSettled(id, at: 5))
        #expect(table.isSettled(id, at: 5 + KeptConnections.longestSettling))
        table.settled(id)
        #expect(table.isSettled(id, at: 5))
    }

    private static func packet(_ byte: UInt8) throws -> QUICPacket {
        try #require(QUICPacket([0x40] + Array(repeating: byte, count: 40)))
    }

    /// Its server gives packets the ID 1.
    private static func suspected(in table: inout KeptConnections) throws -> KeptConnections.ID {
        table.opened(7, isQUIC: true)
        let made = table.identify(7, as: ends(1000), in: 0)
        let id = try #require(made)
        table.begin(on: id)
        table.received(try packet(1), on: 7)
        #expect(!table.wantsPackets(7))
        table.suspect(id)
        #expect(table.wantsPackets(7))
        #expect(table.isKnownToServer(id) == nil)
        return id
    }

    @Test(
        "what arrives on a suspected connection shows whether its server knows it",
        arguments: [
            ([1], true), ([2], nil), ([2, 1], true), ([2, 3], false), ([2, 2], true),
            ([2, 3, 3], true), ([2, 3, 4, 5], false), ([2, 3, 1], true),
        ] as [([UInt8], Bool?)])
    func suspicion(ids: [UInt8], isKnown: Bool?) throws {
        var table = KeptConnections()
        let id = try Self.suspected(in: &table)
        for byte in ids { table.received(try Self.packet(byte), on: 7) }
        #expect(table.isKnownToServer(id) == isKnown)
    }

    @Test func `what proved a connection for one exchange does not prove it for the next`() throws {
        var table = KeptConnections()
        let id = try Self.suspected(in: &table)
        table.received(try Self.packet(1), on: 7)
        table.suspect(id)
        #expect(table.isKnownToServer(id) == nil)
        table.received(try Self.packet(8), on: 7)
        // Another exchange does not take back what speaks against it.
        table.suspect(id)
        table.received(try Self.packet(9), on: 7)
        #expect(table.isKnownToServer(id) == false)
    }

    @Test func `a response ends the suspicion`() throws {
        var table = KeptConnections()
        let id = try Self.suspected(in: &table)
        table.trust(id)
        #expect(!table.wantsPackets(7))
        #expect(table.isKnownToServer(id) == true)
    }

    @Test func `a connection that is not known to have carried an exchange is left alone`() {
        var table = KeptConnections()
        table.opened(7)
        #expect(!table.isUnsound(7) && !table.mustWatch(7) && table.idle == [])
        #expect(table.identify(8, as: Self.ends(1), in: 0) == nil)
        #expect(table.find(between: Self.ends(1)) { _ in true }.unsound == [])
    }

    @Test func `while an exchange is on one of several, and not known on which, none is a suspect`()
        throws
    {
        var table = KeptConnections()
        for descriptor in [7, 8] as [Int32] {
            try Self.kept(descriptor, ends: Self.socketEnds, in: &table)
        }
        table.beginUnidentified()
        #expect(table.find(between: Self.socketEnds) { _ in true }.unsound == [])
        table.endUnidentified()
        #expect(table.find(between: Self.socketEnds) { _ in true }.unsound == [7, 8])
        table.endUnidentified()
        table.beginUnidentified()
        #expect(
            table.find(between: Self.socketEnds) { _ in true }.unsound == [],
            "an end without a beginning counts not")
    }

    @Test func `a late end does not reach the connection that has the number now`() throws {
        var table = KeptConnections()
        table.opened(7)
        let first = table.identify(7, as: Self.ends(1), in: 0)
        let old = try #require(first)
        table.begin(on: old)
        table.closed(7)
        table.opened(7)
        let second = table.identify(7, as: Self.ends(2), in: 0)
        let new = try #require(second)
        table.begin(on: new)
        table.speaksHTTP1(old)
        table.end(on: old, due: 1)
        #expect(old != new)
        #expect(table.idle == [] && !table.mustWatch(7))
        #expect(table.find(between: Self.ends(1)) { _ in false }.id == nil)
        #expect(table.find(between: Self.ends(2)) { _ in false }.id == new)
    }

    @Test func `of several connections of one Unix socket the idle ones are suspects`() throws {
        var table = KeptConnections()
        for descriptor in [7, 8, 9] as [Int32] {
            try Self.kept(descriptor, ends: Self.socketEnds, in: &table)
        }
        #expect(table.find(between: Self.socketEnds) { _ in false }.id == nil)
        let adopted = table.adopt(8)
        #expect(adopted != nil)
        #expect(table.adopt(8) == nil)
        #expect(table.find(between: Self.socketEnds) { _ in true }.unsound == [7, 9])
        #expect(table.isUnclaimed(7) && !table.isUnclaimed(8))
        table.closed(9)
        #expect(table.find(between: Self.socketEnds) { _ in true }.unsound == [7])
    }

    @Test func `what is shut down waits to be closed, and is told once`() throws {
        var table = KeptConnections()
        try Self.kept(in: &table)
        #expect(table.expired(at: 100) == [7])
        table.shutDown(7)
        #expect(table.poolsToClean == [0])
        #expect(table.expired(at: 1000) == [] && !table.isUnsound(7) && table.idle == [])
        table.closed(7)
        #expect(table.poolsToClean == [])
    }

    @Test func `the next due time is never later than a connection's`() throws {
        var table = KeptConnections()
        try Self.kept(7, due: 300, ends: Self.ends(1), in: &table)
        try Self.kept(8, due: 100, ends: Self.ends(2), in: &table)
        try Self.kept(9, due: .max, ends: Self.ends(3), in: &table)
        #expect(table.idle == [8, 7, 9])
        #expect(table.nextDue == 100)
        #expect(table.expired(at: 150) == [8])
        table.shutDown(8)
        #expect(table.nextDue == 300)
        #expect(table.expired(at: 299) == [])
        #expect(table.expired(at: 300) == [7])
        table.shutDown(7)
        #expect(table.nextDue == .max)
    }

    @Test(arguments: [-1, 7, 5000] as [Int32])
    func `a descriptor that is not known is ignored`(descriptor: Int32) {
        var table = KeptConnections()
        table.closed(descriptor)
        table.shutDown(descriptor)
        #expect(!table.isUnsound(descriptor) && !table.mustWatch(descriptor))
        #expect(table.adopt(descriptor) == nil && table.poolsToClean == [])
    }
}
