import Testing

@testable import HTTPTesting

@Suite(.timeLimit(.minutes(5))) struct FaultRelayTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    private func echo() throws -> LoopbackServer {
        var options = LoopbackOptions()
        options.toleratesHalfClose = true
        return try LoopbackServer(options) { .echo($0) }
    }

    @Test func `without a plan every byte passes, in both directions`() throws {
        let server = try LoopbackServer { _ in .bytes(count: 3_000_001) }
        let relay = try FaultRelay(to: server.port)
        let client = try RawClient(port: relay.port, receiveBuffer: 4096)
        try client.send(Self.get.replacing("HTTP/1.1", with: "HTTP/1.0"))
        let received = try client.receiveAll()
        #expect(LoopbackPattern.firstMismatch(in: received.suffix(3_000_001)) == nil)
        #expect(String(decoding: received.prefix(15), as: UTF8.self) == "HTTP/1.1 200 OK")
        let request = try #require(server.log.first?.request)
        #expect(String(decoding: request.head, as: UTF8.self).hasPrefix("GET /a HTTP/1.0"))
    }

    @Test func `a half-close passes, and the answer still comes`() throws {
        let server = try echo()
        let relay = try FaultRelay(to: server.port)
        let client = try RawClient(port: relay.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
        client.halfClose()
        #expect(try client.receiveAllText().hasSuffix("\r\n\r\nabc"))
    }

    @Test func `an upload that the relay holds back arrives whole, though the client has ended it`()
        throws
    {
        var options = LoopbackOptions()
        options.toleratesHalfClose = true
        let server = try LoopbackServer(options) { .ok("\($0.contentCount)") }
        let relay = try FaultRelay(to: server.port) { _ in
            RelayPlan(toServer: RelayFaults(delay: .milliseconds(10), rate: 8 << 20))
        }
        let count = 2 << 20
        let client = try RawClient(port: relay.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: \(count)\r\nConnection: close\r\n\r\n")
        try client.send([UInt8](repeating: 7, count: count))
        client.halfClose()
        #expect(try client.receiveAllText().hasSuffix("\r\n\r\n\(count)"))
    }

    @Test(arguments: [0, 1, 20])
    func `a cut is the end of the stream after exactly so many bytes`(count: Int) throws {
        let server = try LoopbackServer { _ in .ok("text") }
        let relay = try FaultRelay(to: server.port) { _ in
            RelayPlan(toClient: RelayFaults(end: .init(.cut, after: count)))
        }
        let client = try RawClient(port: relay.port)
        try client.send(Self.get)
        let expected = Array("HTTP/1.1 200 OK\r\nContent-Type: ".utf8.prefix(count))
        #expect(try client.receiveAll() == expected)
    }

    @Test func `a cut upload reaches the server as far as it passed`() async throws {
        let server = try LoopbackServer { _ in .ok("text") }
        let relay = try FaultRelay(to: server.port) { _ in
            RelayPlan(toServer: RelayFaults(end: .init(.cut, after: 4)))
        }
        let client = try RawClient(port: relay.port)
        try client.send(Self.get)
        #expect(try client.receiveAll() == [])
        try await server.waitUntil { $0.connections.open == 0 && $0.connections.accepted == 1 }
        #expect(server.log.first?.bytes == Array("GET ".utf8))
    }

    @Test func `a reset is an error, on the connection that was meant`() throws {
        let server = try LoopbackServer { _ in .ok("text") }
        let relay = try FaultRelay(to: server.port) { connection in
            let end: RelayFaults.Break? = connection == 1 ? .init(.reset, after: 9) : nil
            return RelayPlan(toClient: RelayFaults(end: end))
        }
        let broken = try RawClient(port: relay.port)
        try broken.send(Self.get)
        #expect(throws: RawClient.Failure.self) { try broken.receiveAll() }
        let whole = try RawClient(port: relay.port)
        try whole.send(Self.get)
        #expect(try whole.receive("HTTP/1.1 200 OK") == "HTTP/1.1 200 OK")
        #expect(relay.connections.accepted == 2)
    }

    @Test func `a stall lasts until the client leaves, which the server sees`() async throws {
        let server = try LoopbackServer { _ in .ok("text") }
        let relay = try FaultRelay(to: server.port) { _ in
            RelayPlan(toClient: RelayFaults(end: .init(.stall, after: 8)))
        }
        let client = try RawClient(port: relay.port)
        try client.send(Self.get)
        #expect(try client.receive("HTTP/1.1") == "HTTP/1.1")
        try await server.waitUntil { $0.log.first?.isFinished == true }
        #expect(server.connections.open == 1)
        client.disconnect()
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test func `a stalled upload stays stalled until the client leaves`() async throws {
        let server = try LoopbackServer { _ in .ok("text") }
        let relay = try FaultRelay(to: server.port) { _ in
            RelayPlan(toServer: RelayFaults(end: .init(.stall, after: 8)))
        }
        let client = try RawClient(port: relay.port)
        try client.send(Self.get)
        try await server.waitUntil { $0.connections.accepted == 1 }
        client.disconnect()
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(server.log.first?.bytes == Array("GET /a H".utf8))
    }

    @Test func `delays and rates take the time they say`() throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(content: .generated(count: 2000), framing: .untilClose)
        }
        let clock = ContinuousClock()
        let delaying = try FaultRelay(to: server.port) { _ in
            RelayPlan(
                toServer: RelayFaults(delay: .milliseconds(30)),
                toClient: RelayFaults(delay: .milliseconds(30)))
        }
        let slow = try FaultRelay(to: server.port) { _ in
            RelayPlan(toClient: RelayFaults(rate: 20_000))
        }
        for relay in [delaying, slow] {
            let start = clock.now
            let client = try RawClient(port: relay.port)
            try client.send(Self.get)
            #expect(try client.receiveAll().count > 2000)
            #expect(clock.now - start >= .milliseconds(60))
        }
    }

    @Test func `a server that refuses is a reset for the client`() throws {
        let refusing = try RefusingPort()
        let relay = try FaultRelay(to: refusing.number)
        #expect(throws: RawClient.Failure.self) {
            let client = try RawClient(port: relay.port)
            try client.send(Self.get)
            if try client.receiveAll() == [] { throw RawClient.Failure(call: "end", number: 0) }
        }
    }

    @Test func `a seed draws the same plans, and not the same for all`() {
        let plans = (1...100).map { RelayPlan.seeded(7, connection: $0) }
        #expect(plans == (1...100).map { RelayPlan.seeded(7, connection: $0) })
        #expect(Set(plans).count == 100)
        let broken = plans.count { $0.toClient.end != nil || $0.toServer.end != nil }
        #expect((15...50).contains(broken))
    }

    @Test func `a stopped relay closes its connections and refuses new ones`() async throws {
        let server = try LoopbackServer(script: { _ in [.stall] })
        let relay = try FaultRelay(to: server.port)
        let client = try RawClient(port: relay.port)
        try client.send(Self.get)
        _ = try await server.nextRequest()
        #expect(relay.connections.open == 1)
        relay.stop()
        #expect(relay.connections.open == 0 && relay.connections.highWater == 1)
        _ = try? client.receiveAll()
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: relay.port) }
        relay.stop()
        try await server.waitUntil { $0.connections.open == 0 }
    }
}
