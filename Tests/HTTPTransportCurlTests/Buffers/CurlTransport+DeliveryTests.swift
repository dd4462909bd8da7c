import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The delivery of bodies to their readers, and the connections afterwards.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportDeliveryTests {
    private static func oneAtATime() throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        return try CurlTransport(configuration)
    }

    // MARK: Buffered

    @Test func `a buffered body is there with the head, any number of times`() async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        var request = try HTTPRequest(.get, server.url("/"))
        request.delivery = .buffered(upTo: 5)
        let response = try await CurlTransport().response(for: request)
        #expect(response.body.bytes == Data("hello".utf8))
        for _ in 0..<3 {
            #expect(try await response.text() == "hello")
            var bytes = Data()
            for try await piece in response.body { bytes += piece }
            #expect(bytes == Data("hello".utf8))
        }
        #expect(response.timeline.exchanges.first?.lastByte != nil)
    }

    @Test(arguments: [
        LoopbackResponse.Framing.contentLength, .chunked, .untilClose,
    ])
    func `a buffered body that is longer than its limit fails`(
        framing: LoopbackResponse.Framing
    ) async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(content: .generated(count: 100_001), framing: framing)
        }
        let session = try Self.oneAtATime()
        var request = try HTTPRequest(.get, server.url("/"))
        request.delivery = .buffered(upTo: 100_000)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.response?.status == .ok)
        #expect(error?.isRetryable == false)
        request.delivery = .buffered(upTo: 100_001)
        #expect(try await session.response(for: request).data().count == 100_001)
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 16_384, 65_536, 1_048_577, 5_000_000])
    func `a buffered body of any size is whole`(count: Int) async throws {
        let server = try LoopbackServer { _ in .bytes(count: count) }
        var request = try HTTPRequest(.get, server.url("/"))
        request.delivery = .buffered(upTo: 10_000_000)
        let body = try await CurlTransport().response(for: request).data()
        #expect(body.count == count)
        #expect(LoopbackPattern.firstMismatch(in: body) == nil)
    }

    // MARK: Streamed

    @Test func `the head arrives while the body is still held back`() async throws {
        let (first, second) = (LoopbackGate(), LoopbackGate())
        let server = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"), .pause(until: first),
                .send("abc"), .pause(until: second), .send("def"),
            ]
        })
        let response = try await CurlTransport().response(for: server.url("/"))
        #expect(response.status == .ok)
        #expect(response.body.length == 6)
        #expect(response.timeline.exchanges.first?.lastByte == nil)
        try await first.reached()
        first.open()
        var body = response.body.makeAsyncIterator()
        #expect(try await body.next() == Data("abc".utf8))
        second.open()
        #expect(try await body.next() == Data("def".utf8))
        #expect(try await body.next() == nil)
        #expect(try await body.next() == nil)
    }

    @Test(arguments: [
        LoopbackResponse.Framing.contentLength, .chunked, .untilClose,
    ])
    func `sixty-four MiB arrive unchanged`(framing: LoopbackResponse.Framing) async throws {
        let count = 64 << 20
        let server = try LoopbackServer { _ in
            LoopbackResponse(content: .generated(count: count), framing: framing)
        }
        let response = try await CurlTransport().response(for: server.url("/"))
        var check = PatternCheck()
        for try await piece in response.body { check.add(piece) }
        #expect(check.mismatch == nil)
        #expect(check.count == count)
        let exchange = try #require(response.timeline.exchanges.first)
        #expect(exchange.decodedBodyBytes == Int64(count))
        #expect(exchange.responseBodyBytes == Int64(count))
    }

    @Test func `a reader that stops stops the server, and then gets everything`() async throws {
        let count = 64 << 20
        let server = try LoopbackServer { _ in .bytes(count: count) }
        let response = try await CurlTransport().response(for: server.url("/"))
        await #expect(throws: LoopbackError.timedOut) {
            try await server.waitUntil(within: .milliseconds(500)) {
                ($0.log.first?.bytesSent ?? 0) > 16 << 20
            }
        }
        var check = PatternCheck()
        for try await piece in response.body { check.add(piece) }
        #expect(check.mismatch == nil)
        #expect(check.count == count)
    }

    @Test(arguments: [(1, 0), (1000, 999), (65_536, 0), (300_000, 1)])
    func `any watermarks deliver everything`(high: Int, low: Int) async throws {
        let count = 3_000_001
        let server = try LoopbackServer { _ in
            LoopbackResponse(content: .generated(count: count), framing: .chunked)
        }
        var configuration = CurlConfiguration()
        (configuration.highWater, configuration.lowWater) = (high, low)
        let session = try CurlTransport(configuration)
        let response = try await session.response(for: server.url("/"))
        var check = PatternCheck()
        for try await piece in response.body { check.add(piece) }
        #expect(check.mismatch == nil)
        #expect(check.count == count)
    }

    @Test func `two hundred requests at once get their own answers`() async throws {
        let server = try LoopbackServer { request in
            .ok(request.target + String(repeating: "x", count: request.target.utf8.count * 100))
        }
        let session = CurlTransport()
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let target = "/\(number)/" + String(repeating: "y", count: number)
                    var request = try HTTPRequest(.get, server.url(target))
                    if number % 2 == 0 { request.delivery = .buffered(upTo: 1 << 20) }
                    let text = try await session.response(for: request).text()
                    let size = target.utf8.count
                    return text == target + String(repeating: "x", count: size * 100)
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 200)
        #expect(server.connections.highWater <= 128)
    }

    @Test func `hundreds of connections to one origin serve, and those of an idle pool are closed`()
        async throws
    {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            [.pause(until: gate), .respond(.ok(request.target))]
        })
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 200
        configuration.idleConnectionTimeout = .seconds(1)
        let session = try CurlTransport(configuration)
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask {
                    try await session.response(for: server.url("/\(number)")).text() == "/\(number)"
                }
            }
            try await server.waitUntil { $0.connections.open == 200 }
            gate.open()
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 300)
        #expect(server.connections.highWater == 200)
        // The first pool keeps its own until it is asked for another.
        try await server.waitUntil { $0.connections.open <= Lane.Places.capacity }
        #expect(try await session.response(for: server.url("/again")).text() == "/again")
    }

    @Test func `reading in a scope gives the connection back`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 100_000) }
        let session = try Self.oneAtATime()
        try await Self.overOneConnection(server) {
            for _ in 0..<3 {
                let status = try await session.withResponse(for: server.url("/")) { $0.status }
                #expect(status == .ok)
            }
        }
        await #expect(throws: CancellationError.self) {
            try await session.withResponse(for: server.url("/")) { _ in throw CancellationError() }
        }
        #expect(try await session.response(for: server.url("/")).data().count == 100_000)
    }

    // MARK: Connections

    enum Leaving: Sendable, CaseIterable {
        case read, buffer, discard, drop, breakOff
    }

    @Test(arguments: Leaving.allCases, [0, 10, 40_000, 900_000])
    func `a short body leaves its connection to the next request`(
        leaving: Leaving, count: Int
    ) async throws {
        let server = try LoopbackServer { _ in .bytes(count: count) }
        let session = try Self.oneAtATime()
        try await Self.overOneConnection(server) {
            let before = server.snapshot.requestCount
            for _ in 0..<4 {
                try await Self.leave(leaving, server, session)
            }
            #expect(server.snapshot.requestCount == before + 4)
        }
    }

    /// Expects that all requests of `send` go over one connection, which may be open already.
    ///
    /// The rest of a body is read away for a second, then the connection is cut. `send` runs again
    /// if it took that long.
    private static func overOneConnection(
        _ server: LoopbackServer, _ send: () async throws -> Void
    ) async throws {
        try await patiently(from: .seconds(1)) { _ in
            let before = server.connections.accepted
            let start = ContinuousClock.now
            try await send()
            let opened = server.connections.accepted - before
            if opened > 1, ContinuousClock.now - start >= .seconds(1) {
                throw TooSoon("\(opened) connections")
            }
            #expect(opened <= 1)
        }
    }

    private static func leave(
        _ leaving: Leaving, _ server: LoopbackServer, _ session: CurlTransport
    ) async throws {
        var request = try HTTPRequest(.get, server.url("/"))
        if leaving == .buffer { request.delivery = .buffered(upTo: 1 << 20) }
        let response = try await session.response(for: request)
        switch leaving {
        case .read: _ = try await response.data()
        case .discard: await response.discard()
        case .buffer, .drop: break
        case .breakOff:
            for try await _ in response.body { break }
        }
    }

    @Test(arguments: [Leaving.discard, .drop, .breakOff])
    func `a long body costs its connection, at once`(leaving: Leaving) async throws {
        let server = try LoopbackServer { request in
            request.target == "/" ? .bytes(count: 64 << 20) : .ok("fine")
        }
        let session = try Self.oneAtATime()
        try await Self.leave(leaving, server, session)
        #expect(try await session.response(for: server.url("/next")).text() == "fine")
        #expect(server.connections.accepted == 2)
        #expect((server.log.first?.bytesSent ?? 0) < 32 << 20)
    }

    @Test(arguments: [(200, 1), (302, 2)])
    func `less of a redirection is read away`(status: Int, connections: Int) async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                status: status, fields: [("Location", "/x")], content: .generated(count: 700_000))
        }
        let session = try Self.oneAtATime()
        let first = try await session.response(for: server.url("/"))
        let wasRead = await first.discardsWithoutHaste()
        await (try session.response(for: server.url("/"))).discard()
        // A body that took long may have been cut off, or read to its end.
        #expect((connections...(wasRead ? connections : 2)).contains(server.connections.accepted))
    }

    @Test func `a short rest that does not come is not waited for`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhal"), .stall])
        let session = try Self.oneAtATime()
        var request = try HTTPRequest(.get, server.url("/"))
        // The only limit that would end it, too.
        request.timeouts.idle = .never
        await (try await session.response(for: request)).discard()
        #expect(try await session.response(for: server.url("/")).text() == "fine")
        #expect(server.connections.accepted == 2)
    }

    @Test(arguments: ["Connection: close\r\n", "connection: Close\r\n"])
    func `a connection that the server gives up is not used again`(field: String) async throws {
        let server = try LoopbackServer(script: { _ in
            [.send("HTTP/1.1 200 OK\r\n\(field)Content-Length: 2\r\n\r\nok")]
        })
        let session = CurlTransport()
        for _ in 0..<2 { #expect(try await session.response(for: server.url("/")).text() == "ok") }
        #expect(server.connections.accepted == 2)
    }

    @Test func `an idle connection that the server has closed is not used again`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .close])
        let session = CurlTransport()
        for method in [HTTPMethod.post, .post, .post] {
            let request = try HTTPRequest(method, server.url("/"))
            _ = try await session.response(for: request).text()
            try await server.waitUntil { $0.log.allSatisfy { $0.isFinished || $0.ending != nil } }
        }
        #expect(server.snapshot.requestCount == 3)
        #expect(server.connections.accepted == 2)
    }

    // MARK: Silent re-sends

    private static func dying() throws -> LoopbackServer {
        let answer = LoopbackScript.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        return try LoopbackServer(scripts: [
            [.awaitHead, .awaitContentEnd, answer, .awaitHead, .awaitContentEnd, .close],
            [.awaitHead, .awaitContentEnd, answer, .stall],
        ])
    }

    @Test(arguments: [
        ("GET", HTTPBody.empty), ("HEAD", .empty), ("OPTIONS", .empty), ("DELETE", .empty),
        ("PUT", HTTPBody("hello")), ("PUT", HTTPBody(Data(count: 100_000))),
    ])
    func `what may be sent twice is sent anew when a kept connection dies`(
        method: String, body: HTTPBody
    ) async throws {
        let server = try Self.dying()
        let session = CurlTransport()
        _ = try await session.response(for: server.url("/first")).text()
        let request = try HTTPRequest(HTTPMethod(method), server.url("/second"), body: body)
        let response = try await session.response(for: request)
        #expect(response.status == .ok)
        #expect(response.timeline.exchanges.first?.silentResends == 1)
        let seen = server.log.compactMap(\.request).filter { $0.target == "/second" }
        #expect(seen.count == 2)
        #expect(seen.allSatisfy { $0.content == body.bytes.map(Array.init) })
    }

    @Test(arguments: [true, false])
    func `a file is sent anew from its start when a kept connection dies`(
        readsCached: Bool
    ) async throws {
        let bytes = PatternCheck.bytes(0..<600_000)
        let file = try PatternFile(bytes.count)
        let server = try Self.dying()
        var configuration = CurlConfiguration()
        configuration.readsCachedFiles = readsCached
        let session = try CurlTransport(configuration)
        _ = try await session.response(for: server.url("/first")).text()
        let request = try HTTPRequest(.put, server.url("/second"), body: try file.body())
        let response = try await session.response(for: request)
        #expect(response.status == .ok)
        #expect(response.timeline.exchanges.first?.silentResends == 1)
        let seen = server.log.compactMap(\.request).filter { $0.target == "/second" }
        #expect(seen.count == 2)
        #expect(seen.allSatisfy { $0.content.map { Data($0) } == bytes })
    }

    @Test(arguments: [
        ("POST", HTTPBody.empty), ("POST", HTTPBody("hello")), ("PATCH", HTTPBody("hello")),
        ("BREW", .empty), ("POST", HTTPBody(Data(count: 100_000))),
    ])
    func `what may not be sent twice is lost when a kept connection dies`(
        method: String, body: HTTPBody
    ) async throws {
        let server = try Self.dying()
        let session = CurlTransport()
        _ = try await session.response(for: server.url("/first")).text()
        let request = try HTTPRequest(HTTPMethod(method), server.url("/second"), body: body)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.isRetryable == true, "with an idempotency key, say")
        #expect(error?.mayHaveReachedServer == true)
        let seen = server.log.compactMap(\.request).filter { $0.target == "/second" }
        #expect(seen.count == 1)
        #expect(try await session.response(for: server.url("/third")).text() == "ok")
    }
}

extension HTTPResponse {
    /// Discards the response. Returns `false` if that took as long as the transport waits for a
    /// rest that does not arrive. On a busy machine, this can also happen if the rest arrives late.
    func discardsWithoutHaste() async -> Bool {
        await ContinuousClock().measure { await discard() } < .seconds(1)
    }
}
