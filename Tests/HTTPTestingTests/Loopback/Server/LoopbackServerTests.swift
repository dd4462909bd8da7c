import Testing

@testable import HTTPTesting

@Suite(.timeLimit(.minutes(5))) struct LoopbackServerTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `a response reaches the client byte by byte as rendered, twice on a connection`()
        throws
    {
        let server = try LoopbackServer { .ok("you want \($0.target)") }
        let client = try RawClient(port: server.port)
        let expected =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: 11\r\n\r\nyou want /a"
        for _ in 1...2 {
            try client.send(Self.get)
            #expect(try client.receive(expected) == expected)
        }
        #expect(server.connections.accepted == 1)
    }

    @Test func `the log has the exact bytes, the counts and the ending`() async throws {
        let server = try LoopbackServer { .echo($0) }
        let request =
            "POST /e?x HTTP/1.1\r\nhOsT:  a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;q\r\nabc\r\n0\r\nT: v\r\n\r\n"
        let client = try RawClient(port: server.port)
        try client.send(request)
        let expected =
            "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
            + "Content-Length: 3\r\n\r\nabc"
        #expect(try client.receive(expected) == expected)
        client.disconnect()
        try await server.waitUntil { $0.log.first?.ending == .clientClosed }

        let exchange = try #require(server.log.first)
        #expect(exchange.bytes == Array(request.utf8))
        #expect(exchange.bytesReceived == request.utf8.count)
        #expect(exchange.bytesSent == expected.utf8.count)
        #expect(exchange.connection == 1 && exchange.number == 1)
        #expect(exchange.isFinished && exchange.isRequestComplete)
        #expect(exchange.request?.text == "abc")
        #expect(exchange.request?.trailers.first?.value == "v")
        #expect(server.connections.open == 0)
    }

    @Test func `enqueued answers go first, in order, and then the handler's`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(201))
        server.enqueue([.send("raw"), .close])
        let client = try RawClient(port: server.port)
        try client.send(Self.get + Self.get)
        let expected = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\nraw"
        #expect(try client.receiveAllText() == expected)

        let other = try RawClient(port: server.port)
        try other.send(Self.get)
        #expect(try other.receive("HTTP/1.1 503 ") == "HTTP/1.1 503 ")
    }

    @Test func `connection scripts are played in order, then the last one again`() throws {
        let server = try LoopbackServer(scripts: [[.send("first")], [.awaitHead, .send("last")]])
        #expect(try RawClient(port: server.port).receiveAllText() == "first")
        for _ in 1...2 {
            let client = try RawClient(port: server.port)
            try client.send(Self.get)
            #expect(try client.receiveAllText() == "last")
        }
    }

    @Test func `a gate holds a response between two bytes until the test opens it`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [.send("a"), .pause(until: gate), .send("b")]
        })
        let client = try RawClient(port: server.port)
        try client.send(Self.get)
        #expect(try client.receive("a") == "a")
        try await gate.reached()
        #expect(server.log.first?.bytesSent == 1)
        gate.open()
        #expect(try client.receive("b") == "b")
        // Open gates hold no script.
        try client.send(Self.get)
        #expect(try client.receive("ab") == "ab")
        #expect(gate.arrivals == 2)
    }

    @Test func `waiting at a gate ends when the task is cancelled`() async throws {
        let gate = LoopbackGate()
        let task = Task { try await gate.reached() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a half-close is the end of the stream, after which the client may go on`()
        async throws
    {
        let server = try LoopbackServer(scripts: [[.send("x"), .halfClose, .awaitHead, .reset]])
        let client = try RawClient(port: server.port)
        #expect(try client.receiveAllText() == "x")
        try client.send(Self.get)
        try await server.waitUntil { $0.log.first?.ending == .serverReset }
        #expect(server.log.first?.request?.target == "/a")
    }

    @Test func `a reset is an error for the client`() throws {
        let server = try LoopbackServer(scripts: [[.awaitHead, .reset]])
        let client = try RawClient(port: server.port)
        try client.send(Self.get)
        #expect(throws: RawClient.Failure.self) { try client.receiveSome() }
    }

    @Test func `an early answer with a close is received by a client that still sends`()
        async throws
    {
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(
            options,
            respond: { _ in
                LoopbackResponse(
                    status: 413, fields: [("Connection", "close")],
                    content: .bytes(Array("no".utf8)))
            })
        let client = try RawClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n")
        let answer = try client.receiveAllText()
        #expect(answer.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nno"))
        try client.send([UInt8](repeating: 0, count: 500_000))
        client.disconnect()
        try await server.waitUntil { $0.log.first?.ending == .serverClosed }
    }

    @Test func `a client that leaves, or resets, is told apart while the server stalls`()
        async throws
    {
        let server = try LoopbackServer(script: { _ in [.stall] })
        let leaving = try RawClient(port: server.port)
        try leaving.send(Self.get)
        try await server.waitUntil { $0.requestCount == 1 }
        let resetting = try RawClient(port: server.port)
        try resetting.send(Self.get)
        try await server.waitUntil { $0.requestCount == 2 && $0.connections.open == 2 }
        leaving.disconnect()
        resetting.resetOnClose()
        resetting.disconnect()
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(server.log.map(\.ending) == [.clientClosed, .clientReset])
    }

    @Test func `a server that stops reading makes the client's writes block, until it reads again`()
        async throws
    {
        let gate = LoopbackGate()
        let server = try LoopbackServer(scripts: [
            [
                .awaitHead, .stopReading, .pause(until: gate), .startReading, .awaitContentEnd,
                .choose { [.send("\($0.contentCount)")] },
            ]
        ])
        let total = 64 << 20
        let client = try RawClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: \(total)\r\n\r\n")
        try await gate.reached()
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        var sent = 0
        let blocked = #expect(throws: RawClient.Failure.self) {
            while sent < total { sent += try client.sendSome(piece[...], blocks: false) }
        }
        #expect(blocked?.call == "send")
        #expect(sent < total)
        #expect(server.log.first?.bytesReceived ?? .max < 1 << 20)
        gate.open()
        while sent < total { sent += try client.sendSome(piece.prefix(total - sent)) }
        #expect(try client.receiveAllText() == "\(total)")
    }

    @Test func `a client that leaves is noticed though the server does not read`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(scripts: [[.awaitHead, .stopReading, .pause(until: gate)]])
        let client = try RawClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
        try await gate.reached()
        try client.send("abc")
        client.disconnect()
        try await server.waitUntil { $0.log.first?.ending == .clientClosed }
        gate.open()
    }

    @Test(arguments: [false, true])
    func `generated content arrives unharmed through a slow reader`(isChunked: Bool) throws {
        let count = 3_000_001
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.bytes(count: count)
            response.framing = isChunked ? .chunked : .untilClose
            return response
        }
        let client = try RawClient(port: server.port, receiveBuffer: 4096)
        try client.send(Self.get)
        let received = try receiveResponse(from: client, isChunked: isChunked)
        #expect(received.count == count)
        #expect(LoopbackPattern.firstMismatch(in: received) == nil)
    }

    /// The content of a response that ends with its last chunk or with the connection.
    private func receiveResponse(from client: borrowing RawClient, isChunked: Bool) throws
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        func line() throws -> String {
            var line: [UInt8] = []
            while line.suffix(2) != [13, 10] {
                let byte = try client.receive(1)
                if byte.isEmpty { break }
                line += byte
            }
            return String(decoding: line.dropLast(2), as: UTF8.self)
        }
        while try line() != "" {}
        guard isChunked else { return try client.receiveAll() }
        while let size = Int(try line(), radix: 16), size > 0 {
            bytes += try client.receive(size)
            #expect(try line() == "")
        }
        return bytes
    }

    @Test func `a rate is kept, and pauses are as long as told`() throws {
        let server = try LoopbackServer { _ in .bytes(count: 2000, rate: 20_000) }
        var received = 0
        let time = try ContinuousClock().measure {
            let client = try RawClient(port: server.port)
            try client.send(Self.get.replacing("HTTP/1.1", with: "HTTP/1.0"))
            received = try client.receiveAll().count
        }
        #expect(received > 2000)
        // 2,000 bytes at 20,000 per second are five pieces with four pauses of 20 ms.
        #expect(time >= .milliseconds(80))
    }

    @Test func `a handler that waits gets content up to the limit, and none beyond it`()
        async throws
    {
        var options = LoopbackOptions()
        options.contentLimit = 3
        let server = try LoopbackServer(
            options,
            script: { request in
                let count = request.content?.count
                return [.awaitContentEnd, .respond(.ok(count.map(String.init) ?? "none")), .close]
            })
        for (content, answer) in [("abc", "3"), ("abcd", "none")] {
            let client = try RawClient(port: server.port)
            try client.send(
                "PUT / HTTP/1.1\r\nContent-Length: \(content.utf8.count)\r\n\r\n" + content)
            #expect(try client.receiveAllText().hasSuffix("\r\n\r\n" + answer))
        }
    }

    @Test func `each request can be taken once, and waiting for more ends in time`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let client = try RawClient(port: server.port)
        try client.send(Self.get + Self.get.replacing("/a", with: "/b"))
        #expect(try await server.nextRequest().target == "/a")
        #expect(try await server.nextRequest().target == "/b")
        await #expect(throws: LoopbackError.timedOut) {
            try await server.nextRequest(within: .milliseconds(10))
        }
    }

    @Test func `a request that is cut off can be taken as far as it came`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let client = try RawClient(port: server.port)
        try client.send("PUT /p HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc")
        client.disconnect()
        let request = try await server.nextRequest()
        #expect(!request.isComplete)
        #expect(request.content == nil)
        #expect(server.log.first?.bytes.suffix(3) == Array("abc".utf8)[...])
    }

    @Test func `bytes that are no request are logged without one`() async throws {
        let server = try LoopbackServer(scripts: [[.send("hi"), .stall]])
        let client = try RawClient(port: server.port)
        #expect(try client.receive("hi") == "hi")
        try client.send("\u{16}\u{3}")
        client.disconnect()
        try await server.waitUntil { $0.log.first?.ending == .clientClosed }
        let exchange = try #require(server.log.first)
        #expect(exchange.request == nil)
        #expect(exchange.bytes == [0x16, 3])
        #expect(exchange.bytesSent == 2)
    }

    @Test func `waiting ends when the server stops, and when the task is cancelled`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let cancelled = Task { try await server.waitUntil { _ in false } }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let waiting = Task { try await server.waitUntil { _ in false } }
        server.stop()
        await #expect(throws: LoopbackError.stopped) { try await waiting.value }
        await #expect(throws: LoopbackError.stopped) { try await server.waitUntil { _ in false } }
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test func `a stopped server closes its connections and refuses new ones`() async throws {
        let server = try LoopbackServer(script: { _ in [.stall] })
        let client = try RawClient(port: server.port)
        try client.send(Self.get)
        try await server.waitUntil { $0.requestCount == 1 }
        server.stop()
        #expect(try client.receiveAll() == [])
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: server.port) }
        server.stop()
    }

    @Test func `a released server stops, though a gate still holds a connection`() async throws {
        let gate = LoopbackGate()
        var server: LoopbackServer? = try LoopbackServer(scripts: [[.pause(until: gate)]])
        let client = try RawClient(port: try #require(server?.port))
        try await gate.reached()
        server = nil
        #expect(try client.receiveAll() == [])
        gate.open()
    }

    @Test func `a fixed port that is taken, and a host that is no address, are errors`() throws {
        let server = try LoopbackServer { _ in .ok() }
        var options = LoopbackOptions()
        options.port = server.port
        #expect(throws: LoopbackError.self) { try LoopbackServer(options) }
        options.host = "localhost"
        #expect(throws: LoopbackError.cannotListen(reason: "localhost is not an IP address")) {
            try LoopbackServer(options)
        }
    }

    @Test func `it listens on IPv6 as well`() throws {
        var options = LoopbackOptions()
        options.host = "::1"
        let server: LoopbackServer
        do { server = try LoopbackServer(options, respond: { _ in .ok("six") }) } catch {
            // On a machine without IPv6, this error is expected and there is nothing to test.
            #expect("\(error)".contains("socket") || "\(error)".contains("bind"))
            return
        }
        #expect(server.url("/x") == "http://[::1]:\(server.port)/x")
        let client = try RawClient(port: server.port, isIPv6: true)
        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try client.receiveAllText().hasSuffix("six"))
    }

    @Test func `200 connections at once are served each`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            [.pause(until: gate), .respond(.ok(request.target)), .close]
        })
        var clients: [Client] = []
        for number in 1...200 {
            clients.append(Client(try RawClient(port: server.port)))
            try clients.last?.raw.send("GET /\(number) HTTP/1.1\r\n\r\n")
        }
        try await gate.reached(count: 200)
        #expect(server.connections.open == 200)
        gate.open()
        for (index, client) in clients.enumerated() {
            #expect(try client.raw.receiveAllText().hasSuffix("\r\n\r\n/\(index + 1)"))
        }
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(server.connections.highWater == 200)
    }

    /// A client that fits an array.
    private final class Client {
        let raw: RawClient
        init(_ raw: consuming RawClient) { self.raw = raw }
    }

    @Test func `the log keeps the latest exchanges and counts all`() async throws {
        var options = LoopbackOptions()
        options.loggedExchangeLimit = 4
        let server = try LoopbackServer(options, respond: { _ in .ok() })
        let client = try RawClient(port: server.port)
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        for number in 1...21 {
            try client.send("GET /\(number) HTTP/1.1\r\n\r\n")
            #expect(try client.receive(answer) == answer)
        }
        try await server.waitUntil { $0.requestCount == 21 && $0.log.last?.isFinished == true }
        #expect((4..<8).contains(server.log.count))
        #expect(server.log.last?.request?.target == "/21")
        client.disconnect()
        try await server.waitUntil { $0.log.allSatisfy { $0.ending == .clientClosed } }
    }

    // MARK: Faults

    private static let wholeHead = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"

    private func answer(_ change: (inout LoopbackResponse) -> Void = { _ in }) throws -> String {
        var response = LoopbackResponse(content: .bytes(Array("abcdef".utf8)))
        change(&response)
        let server = try LoopbackServer { [response] _ in response }
        let client = try RawClient(port: server.port)
        try client.send(Self.get)
        return try client.receiveAllText()
    }

    @Test(arguments: [
        (LoopbackFault.Point.beforeHead, ""), (.head(after: 8), "HTTP/1.1"),
        (.content(after: 0), wholeHead), (.content(after: 4), wholeHead + "abcd"),
        (.content(after: 9), wholeHead + "abcdef"), (.end, wholeHead + "abcdef"),
    ])
    func `a response breaks at the point that is named`(point: LoopbackFault.Point, sent: String)
        throws
    {
        for kind in [LoopbackFault.Kind.close, .halfClose] {
            #expect(try answer { $0 = $0.breaking(kind, at: point) } == sent)
        }
        #expect(throws: RawClient.Failure.self) {
            try answer { $0 = $0.breaking(.reset, at: point) }
        }
    }

    @Test func `chunks and pieces break in the middle, too`() throws {
        let chunked = try answer {
            $0.framing = .chunked
            $0 = $0.breaking(.close, at: .content(after: 2))
        }
        #expect(chunked.hasSuffix("\r\n\r\n6\r\nab"))
        for framing in [LoopbackResponse.Framing.chunked, .contentLength] {
            let pieces = try answer {
                $0.content = .pieces([Array("abc".utf8), Array("def".utf8)], every: .zero)
                $0.framing = framing
                $0 = $0.breaking(.close, at: .content(after: 4))
            }
            let expected = framing == .chunked ? "3\r\nabc\r\n3\r\nd" : "abcd"
            #expect(pieces.hasSuffix("\r\n\r\n" + expected))
        }
        let generated = try answer {
            $0.content = .generated(count: 100)
            $0 = $0.breaking(.close, at: .content(after: 10))
        }
        #expect(generated.contains("Content-Length: 100\r\n"))
    }

    @Test func `a stalled response is the client's to leave`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.ok("abc").breaking(.stall, at: .content(after: 1)))
        let client = try RawClient(port: server.port)
        try client.send(Self.get)
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: 3\r\n\r\na"
        #expect(try client.receive(head) == head)
        client.disconnect()
        try await server.waitUntil { $0.log.first?.ending == .clientClosed }
        #expect(server.log.first?.bytesSent == head.utf8.count)
    }

    @Test func `interim responses and a delay come before the head`() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let text = try answer {
            $0.interim = [
                LoopbackResponse(status: 103, fields: [("Link", "</a>")]),
                LoopbackResponse(status: 199),
            ]
            $0.delay = .milliseconds(30)
            $0.fields = [("Connection", "close")]
        }
        #expect(clock.now - start >= .milliseconds(30))
        #expect(
            text == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 199 \r\n\r\n"
                + "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 6\r\n\r\nabcdef")
    }

    @Test func `an interim response ends no connection, whatever the request says`() throws {
        var response = LoopbackResponse.status(204)
        response.interim = [LoopbackResponse(status: 102)]
        let server = try LoopbackServer { [response] _ in response }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        #expect(
            try client.receiveAllText() == "HTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    }

    @Test func `a dripped text comes whole, with pauses between its pieces`() throws {
        let server = try LoopbackServer { _ in .drip("abcdef", rate: 20) }
        var text = ""
        let time = try ContinuousClock().measure {
            let client = try RawClient(port: server.port)
            try client.send(Self.get.replacing("HTTP/1.1", with: "HTTP/1.0"))
            text = try client.receiveAllText()
        }
        #expect(text.hasSuffix("\r\n\r\nabcdef"))
        // Three pieces of two bytes, with two pauses of 100 ms.
        #expect(time >= .milliseconds(200))
    }
}
