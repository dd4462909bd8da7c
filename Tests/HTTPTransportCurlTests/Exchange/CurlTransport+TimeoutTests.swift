import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation
import PortableLibc

/// Limits of a few hundred milliseconds, longer on a slow machine, against servers that never
/// finish.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportTimeoutTests {
    /// The error of the request that `make` gives a limit, which passed in `phase`.
    private static func failure(
        in phase: HTTPError.Phase, _ session: CurlTransport = CurlTransport(),
        of make: (Duration) throws -> HTTPRequest
    ) async throws -> HTTPError {
        try await patiently(from: .milliseconds(250)) { limit in
            let request = try make(limit)
            let start = ContinuousClock.now
            let error = try #require(
                await #expect(throws: HTTPError.self) {
                    try await session.response(for: request).data()
                })
            let elapsed = ContinuousClock.now - start
            #expect(error.code == .timedOut)
            guard error.phase == phase else { throw TooSoon(error) }
            // A deadline has begun before the request was handed over, the others with it.
            let least: Duration = request.deadline == nil ? limit - .milliseconds(5) : .zero
            #expect(elapsed >= least)
            #expect(try #require(error.elapsed) >= least)
            let timer = try #require(error.timer)
            #expect(timer.limit == limit)
            #expect(error.message.contains(limit.readable))
            #expect(error.url == request.url.absoluteString.replacing("?secret=1", with: "?…"))
            #expect(!error.description.contains("secret"))
            return error
        }
    }

    enum Stall: Sendable, CaseIterable {
        case beforeHead, inHead, inBody, inChunks, drip

        var script: LoopbackScript {
            switch self {
            case .beforeHead: [.stall]
            case .inHead: [.send("HTTP/1.1 200 OK\r\nX: "), .stall]
            case .inBody: [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .stall]
            case .inChunks:
                [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf"), .stall]
            case .drip:
                [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"),
                    .drip(Array(repeating: [120], count: 10_000), every: .milliseconds(10)),
                ]
            }
        }

        var phase: HTTPError.Phase {
            self == .beforeHead || self == .inHead ? .waiting : .receiving
        }
    }

    enum Kind: Sendable, CaseIterable {
        case responseHead, idle, total, deadline

        var name: HTTPError.Timer.Name {
            switch self {
            case .responseHead: .responseHead
            case .idle: .idle
            case .total: .total
            case .deadline: .deadline
            }
        }

        func ends(_ stall: Stall) -> Bool {
            switch self {
            case .responseHead: stall.phase == .waiting
            case .idle: stall != .drip
            case .total, .deadline: true
            }
        }

        func limited(_ request: HTTPRequest, _ limit: Duration) -> HTTPRequest {
            var request = request
            switch self {
            case .responseHead: request.timeouts.responseHead = .after(limit)
            case .idle: request.timeouts.idle = .after(limit)
            case .total: request.timeouts.total = .after(limit)
            case .deadline: request = request.deadline(in: limit)
            }
            return request
        }
    }

    /// Every timer with every stall that it ends: dripping is not idle, and the wait for the head
    /// ends with it.
    static let stalls = Kind.allCases.flatMap { kind in
        Stall.allCases.filter { kind.ends($0) }.map { (kind, $0) }
    }

    @Test(arguments: stalls)
    func `a server that stalls is left in time`(kind: Kind, stall: Stall) async throws {
        let server = try LoopbackServer(script: { _ in stall.script })
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            var request = try HTTPRequest(.get, server.url("/x?secret=1"))
            request.delivery = delivery
            let error = try await Self.failure(in: stall.phase) { [request] in
                kind.limited(request, $0)
            }
            #expect(error.timer?.name == kind.name)
            #expect(error.mayHaveReachedServer)
            #expect(error.isRetryable == (kind != .deadline))
            #expect((error.response == nil) == (stall.phase == .waiting))
            try await server.waitUntil { $0.connections.open == 0 }
        }
    }

    @Test func `a server that does not read is left in time`() async throws {
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(options, script: { _ in [.stopReading, .stall] })
        for kind in [Kind.idle, .total, .deadline] {
            let body = HTTPBody(Data(count: 32 << 20))
            let request = try HTTPRequest(.post, server.url("/x?secret=1"), body: body)
            let error = try await Self.failure(in: .sending) { kind.limited(request, $0) }
            #expect(error.timer?.name == kind.name)
        }
    }

    @Test func `a producer that does not produce is left in time, but not for idleness`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok() }
        for kind in [Kind.total, .deadline] {
            let error = try await Self.failure(in: .sending) { limit in
                let never = AsyncStream<Data> { _ in }
                var request = try HTTPRequest(
                    .post, server.url("/x?secret=1"), body: HTTPBody(never, length: 10))
                request.timeouts.idle = .after(limit / 4)
                return kind.limited(request, limit)
            }
            #expect(error.timer?.name == kind.name)
        }
    }

    @Test func `a reader that does not read is not idleness`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 8 << 20) }
        // Long enough for a server to fill our buffers; longer on a slow machine.
        try await patiently(from: .seconds(1)) { limit in
            var request = try HTTPRequest(.get, server.url("/"))
            request.timeouts.idle = .after(limit)
            let session = CurlTransport()
            do {
                let response = try await session.response(for: request)
                let turns = await session.statistics().turns
                // The limit passes several times; nothing is waited for.
                do {
                    try await server.waitUntil(within: limit * 5 / 2) { $0.connections.open == 0 }
                    throw TooSoon("the connection was closed")
                } catch LoopbackError.timedOut {}
                // Nor does the loop turn without end, as libcurl 8.14 would have it.
                #expect(await session.statistics().turns - turns < 2000)
                #expect(try await response.data().count == 8 << 20)
            } catch let error as HTTPError where error.timer?.name == .idle {
                throw TooSoon(error)
            }
        }
    }

    @Test func `a steady drip is not idleness`() async throws {
        let text = try await patiently(from: .milliseconds(600)) { limit in
            let server = try LoopbackServer { _ in
                .drip(pieces: Array(repeating: "x", count: 40), every: limit / 30)
            }
            var request = try HTTPRequest(.get, server.url("/"))
            request.timeouts.idle = .after(limit)
            do {
                return try await CurlTransport().response(for: request).text()
            } catch let error as HTTPError where error.timer?.name == .idle {
                throw TooSoon(error)
            }
        }
        #expect(text.utf8.count == 40)
    }

    /// Bytes that come one at a time and bring no content for longer than the limit.
    enum Drip: String, CaseIterable {
        case head, chunkSize, coding

        var bytes: [UInt8] {
            let padding = String(repeating: "a", count: 40)
            let ok = "HTTP/1.1 200 OK\r\n"
            return switch self {
            case .head: Array((ok + "X: \(padding)\r\nContent-Length: 1\r\n\r\nx").utf8)
            case .chunkSize:
                Array(
                    (ok + "Transfer-Encoding: chunked\r\n\r\n"
                        + "1;\(padding)\r\nx\r\n0\r\n\r\n").utf8)
            case .coding:
                // A member of gzip with a long name.
                Array((ok + "Content-Encoding: gzip\r\nContent-Length: 65\r\n\r\n").utf8)
                    + [31, 139, 8, 8, 0, 0, 0, 0, 0, 255] + Array((padding + "\0").utf8)
                    + [1, 1, 0, 254, 255, 0x78, 0x83, 0x16, 0xDC, 0x8C, 1, 0, 0, 0]
            }
        }
    }

    @Test(arguments: Drip.allCases)
    func `what drips is not idle, also if it is no line or content yet`(drip: Drip) async throws {
        try await Self.expectPatience { limit in
            let pieces = drip.bytes.map { [$0] }
            let server = try LoopbackServer { _ in [.drip(pieces, every: limit / 30), .close] }
            return (server.url, server)
        }
    }

    @Test(arguments: Drip.allCases)
    func `nor is it under TLS, where it is no record yet`(drip: Drip) async throws {
        try await Self.expectPatience { limit in
            let server = try await FrameServer(
                firstHTTP2: .max,
                http1: { connection in
                    connection.readHead()
                    for byte in drip.bytes {
                        connection.write([byte])
                        usleep(UInt32(limit.nanoseconds / 30_000))
                    }
                }
            ) { _ in }
            return (server.url, server)
        }
    }

    private static func expectPatience(
        _ serve: @escaping (Duration) async throws -> (url: String, server: AnyObject)
    ) async throws {
        let text = try await patiently(from: .milliseconds(600)) { limit in
            let (url, server) = try await serve(limit)
            defer { withExtendedLifetime(server) {} }
            var request = try HTTPRequest(.get, url)
            request.timeouts.idle = .after(limit)
            do {
                return try await TestAuthority.transport().response(for: request).text()
            } catch let error as HTTPError where error.timer?.name == .idle {
                throw TooSoon(error)
            }
        }
        #expect(text == "x")
    }

    @Test(arguments: [Kind.total, .deadline])
    func `a limit does not wait for the turn of its request`(kind: Kind) async throws {
        let server = try LoopbackServer(script: { _ in [.stall] })
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        let blocker = Task { try await session.response(for: server.url("/blocker")) }
        _ = try await server.nextRequest()
        let request = try HTTPRequest(.get, server.url("/x?secret=1"))
        let error = try await Self.failure(in: .queued, session) { kind.limited(request, $0) }
        #expect(error.timer?.name == kind.name)
        #expect(!error.mayHaveReachedServer)
        #expect(server.snapshot.requestCount == 1)
        blocker.cancel()
        await #expect(throws: CancellationError.self) { try await blocker.value }
    }

    @Test func `a place in the queue that timed out goes to the next`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.pause(until: gate), .respond(.ok("first"))])
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        async let first = session.response(for: server.url("/first")).text()
        try await gate.reached()
        async let failed = Self.failure(in: .queued, session) {
            try HTTPRequest(.get, server.url("/x?secret=1")).deadline(in: $0)
        }
        async let last = session.response(for: server.url("/last")).text()
        _ = try await failed
        gate.open()
        #expect(try await first == "first")
        #expect(try await last == "fine")
        #expect(server.snapshot.requestCount == 2)
    }

    @Test func `a deadline switches off the standard limits and keeps given ones`() async throws {
        let server = try LoopbackServer(script: { _ in [.stall] })
        var configuration = CurlConfiguration()
        configuration.timeouts = HTTPTimeouts(idle: .milliseconds(20), total: .milliseconds(30))
        let session = try CurlTransport(configuration)
        let request = try HTTPRequest(.get, server.url("/x?secret=1"))
        let byDeadline = try await Self.failure(in: .waiting, session) { request.deadline(in: $0) }
        #expect(byDeadline.timer?.name == .deadline)
        let byIdleness = try await Self.failure(in: .waiting, session) { limit in
            var given = request.deadline(in: limit * 100)
            given.timeouts.idle = .after(limit)
            return given
        }
        #expect(byIdleness.timer?.name == .idle)
    }

    // MARK: Whose word counts

    @Test(.rows("S1-10"))
    func `what the configuration says holds for requests that say nothing`() async throws {
        let server = try LoopbackServer(script: { _ in [.stall] })
        let limit = Duration.milliseconds(250)
        var configuration = CurlConfiguration()
        configuration.timeouts.idle = .after(limit)
        let session = try CurlTransport(configuration)
        let request = try HTTPRequest(.get, server.url("/x?secret=1"))
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.timer == HTTPError.Timer(.idle, limit))
    }

    @Test(arguments: [HTTPError.Timer.Name.connect, .total, .deadline])
    func `a server that does not accept is left in time`(name: HTTPError.Timer.Name) async throws {
        let listener = try FullListener()
        let request = try HTTPRequest(.get, "http://127.0.0.1:\(listener.port)/x?secret=1")
        let error = try await Self.failure(in: .connecting) { limit in
            var request = request
            switch name {
            case .connect: request.timeouts.connect = .after(limit)
            case .total: request.timeouts.total = .after(limit)
            default: request = request.deadline(in: limit)
            }
            return request
        }
        #expect(error.timer?.name == name)
        #expect(!error.mayHaveReachedServer)
        listener.close()
    }

    @Test func `a deadline that has passed sends nothing`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let request = try HTTPRequest(.get, server.url("/?secret=1")).deadline(in: .seconds(-1))
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().response(for: request)
        }
        #expect(error?.code == .timedOut)
        #expect(error?.timer?.name == .deadline)
        #expect(error?.mayHaveReachedServer == false)
        #expect(server.connections.accepted == 0)
    }

    @Test(arguments: [
        Duration.seconds(100), .seconds(100_000), .seconds(9_223_372_036), .seconds(1 << 40),
        .seconds(Int64.max), .nanoseconds(1_000_000_000_000_000_000),
    ])
    func `a limit may be as long as a duration can be`(limit: Duration) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        var request = try HTTPRequest(.get, server.url("/"))
        request.timeouts = HTTPTimeouts(
            connect: .after(limit), tls: .after(limit), responseHead: .after(limit),
            idle: .after(limit), total: .after(limit))
        request.deadline = HTTPSystemClock().now + .seconds(1 << 30)
        #expect(try await CurlTransport().response(for: request).text() == "fine")
    }
}
