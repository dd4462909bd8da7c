import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The remote and local ends of connections.
@Suite(.timeLimit(.minutes(5))) struct ConnectionRouteTests {
    private static func failure(
        _ session: CurlTransport, _ request: HTTPRequest
    ) async throws -> HTTPError {
        try #require(
            await #expect(throws: HTTPError.self) { _ = try await session.response(for: request) })
    }

    // MARK: Unix sockets

    private static func listener(_ path: String) throws -> RawListener {
        try RawListener(path: path) { connection in
            while case let head = connection.read(until: Array("\r\n\r\n".utf8)), !head.isEmpty {
                let text = String(decoding: head, as: UTF8.self)
                let line = text.prefix { $0 != "\r\n" }
                let host = text.contains("\r\nHost: daemon\r\n")
                let body = "\(line) \(host)"
                connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
    }

    private static func path(_ kind: String) -> String {
        "\(kind == "abstract" ? "@" : "/tmp/")http-curl-\(UUID().uuidString)"
    }

    @Test(arguments: ["file", "abstract"])
    func `a Unix socket serves the origin that it stands for`(kind: String) async throws {
        let path = Self.path(kind)
        let listener = try Self.listener(path)
        let session = CurlTransport()
        var request = try HTTPRequest(.get, "http://daemon/info?x")
        request[UnixSocket.self] = try UnixSocket(path, for: HTTPOrigin(request.url))
        for isReused in [false, true] {
            let response = try await session.response(for: request)
            #expect(try await response.text() == "GET /info?x HTTP/1.1 true")
            let exchange = try #require(response.timeline.exchanges.first)
            // libcurl does not reuse connections to abstract sockets.
            if kind == "file" { #expect(exchange.isConnectionReused == isReused) }
            #expect(exchange.remoteAddress == "unix:\(path)")
        }
        await session.close()
        withExtendedLifetime(listener) {}
    }

    @Test func `a Unix socket is not entered for another origin`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        var request = try HTTPRequest(.get, server.url)
        let other = try HTTPRequest(.get, "http://daemon/").checkedTarget().origin
        request[UnixSocket.self] = try UnixSocket("/nowhere", for: other)
        let error = try await Self.failure(session, request)
        #expect(error.code == .unsupportedOption)
        #expect(server.connections.accepted == 0)
    }

    @Test func `a Unix socket that is not there is no connection`() async throws {
        var request = try HTTPRequest(.get, "http://daemon/")
        request[UnixSocket.self] = try UnixSocket("/nowhere/at/all", for: HTTPOrigin(request.url))
        #expect(try await Self.failure(CurlTransport(), request).code == .cannotConnect)
        request[AddressPolicy.self] = .publicOnly
        #expect(try await Self.failure(CurlTransport(), request).code == .unsupportedOption)
    }

    @Test(arguments: ["", "@", "/a\0b", "/" + String(repeating: "x", count: 107)])
    func `a path that no socket can have is refused`(path: String) throws {
        let origin = try HTTPRequest(.get, "http://daemon/").checkedTarget().origin
        #expect(throws: HTTPError.self) { try UnixSocket(path, for: origin) }
    }

    // MARK: Other places

    @Test func `a connect target takes the place of host and port, and of nothing else`()
        async throws
    {
        let server = try LoopbackServer { .ok($0["Host"] ?? "") }
        let session = CurlTransport()
        var request = try HTTPRequest(.get, "http://canary.test/x")
        request[ConnectTarget.self] = try ConnectTarget("127.0.0.1:\(server.port)")
        #expect(try await session.response(for: request).text() == "canary.test")
        request[AddressPolicy.self] = .publicOnly
        #expect(try await Self.failure(session, request).code == .addressBlocked)
        #expect(server.snapshot.requestCount == 1)
    }

    @Test(arguments: [
        "", "host", ":80", "host:", "host:0", "host:x", "a/b:80", "u@host:80", "[::1]",
    ])
    func `what is no host and port is refused`(text: String) {
        #expect(throws: HTTPError.self) { try ConnectTarget(text) }
    }

    @Test func `hosts have the addresses that they are given`() async throws {
        let server = try LoopbackServer { .ok($0["Host"] ?? "") }
        var configuration = CurlConfiguration()
        configuration.addresses = ["pinned.test": ["127.0.0.1"].compactMap { IPAddress($0) }]
        let session = try CurlTransport(configuration)
        for _ in 0..<2 {
            let text = try await session.response(for: "http://pinned.test:\(server.port)/").text()
            #expect(text == "pinned.test:\(server.port)")
        }
    }

    @Test func `a connection comes from the address that was asked for`() async throws {
        let session = CurlTransport()
        let listener = try RawListener { connection in
            _ = connection.read(until: Array("\r\n\r\n".utf8))
            let body = connection.peer
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
        var request = try HTTPRequest(.get, "http://127.0.0.1:\(listener.port)/")
        request[LocalAddress.self] = try LocalAddress(#require(IPAddress("127.0.0.9")))
        #expect(try await session.response(for: request).text() == "127.0.0.9")
        request[LocalAddress.self] = try LocalAddress(#require(IPAddress("203.0.113.1")))
        #expect(try await Self.failure(session, request).code == .cannotConnect)
    }

    @Test func `an address family that the server lacks is no connection`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var configuration = CurlConfiguration()
        configuration.addressFamily = .ipv6
        let request = try HTTPRequest(.get, "http://localhost:\(server.port)/")
        let error = try await Self.failure(CurlTransport(configuration), request)
        #expect([.cannotConnect, .nameNotResolved].contains(error.code))
        configuration.addressFamily = .ipv4
        let response = try await CurlTransport(configuration).response(for: request)
        #expect(response.status == .ok)
    }

    // MARK: Waiting and reuse

    @Test func `a request that waits too long fails with the number of waiters`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [.pause(until: gate), .respond(.ok())]
        })
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        configuration.maximumWaitingPerOrigin = 1
        configuration.queueTimeout = .milliseconds(100)
        let session = try CurlTransport(configuration)
        let request = try HTTPRequest(.get, server.url)
        async let first = session.response(for: request).text()
        _ = try await server.nextRequest()
        let error = try await Self.failure(session, request)
        #expect(error.code == .queueTimedOut)
        #expect(error.phase == .queued)
        #expect(error.isRetryable)
        #expect(!error.mayHaveReachedServer)
        #expect(error.message.contains("1 exchanges wait while 1 may run"))
        gate.open()
        _ = try await first
        #expect(server.connections.accepted == 1)
    }

    @Test func `a request fails at once when the queue is full`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in [.pause(until: gate), .respond(.ok())] })
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        configuration.maximumWaitingPerOrigin = 0
        let session = try CurlTransport(configuration)
        let request = try HTTPRequest(.get, server.url)
        async let first = session.response(for: request).text()
        _ = try await server.nextRequest()
        #expect(try await Self.failure(session, request).code == .queueFull)
        gate.open()
        _ = try await first
    }

    @Test func `no more connections are open than may be, whatever the origins`() async throws {
        let servers = try (0..<4).map { _ in try LoopbackServer { _ in .ok() } }
        var configuration = CurlConfiguration()
        configuration.maximumConnections = 2
        let session = try CurlTransport(configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<24 {
                group.addTask {
                    _ = try await session.response(for: servers[round % 4].url).text()
                    // The servers learn late of closed connections, so their counts are not used.
                    #expect(await session.statistics().openSockets <= 2)
                }
            }
            try await group.waitForAll()
        }
        #expect(servers.map(\.snapshot.requestCount) == [6, 6, 6, 6])
        #expect(await session.statistics().openSockets == 2)
        // A server that is gone takes its connections with it.
        withExtendedLifetime(servers) {}
    }

    @Test(arguments: [("timeout=1", false), ("timeout=60, max=9", true), ("max=9", true)])
    func `a connection is kept no longer than its server announced`(
        hint: String, isReused: Bool
    ) async throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.ok()
            response.fields.append((name: "Keep-Alive", value: hint))
            return response
        }
        let session = CurlTransport()
        _ = try await session.response(for: server.url).text()
        // The least that the library counts in is a second, and it counts beyond it.
        try await Task.sleep(for: .milliseconds(2100))
        _ = try await session.response(for: server.url).text()
        #expect(server.connections.accepted == (isReused ? 1 : 2))
    }
}
