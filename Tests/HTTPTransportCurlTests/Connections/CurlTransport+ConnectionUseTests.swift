import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The number of requests of a connection: until one asks that it be closed, or up to a maximum.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportConnectionUseTests {
    private static func transport(maximum: Int) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.maximumRequestsPerConnection = maximum
        return try CurlTransport(configuration)
    }

    private static func closing(_ url: String, _ method: HTTPMethod = .get) throws -> HTTPRequest {
        var request = try HTTPRequest(method, url)
        request[ConnectionClose.self] = true
        return request
    }

    /// Returns the numbers of requests of the connections, in the order in which these were opened.
    private static func uses(_ server: LoopbackServer) -> [Int] {
        Dictionary(grouping: server.log.filter { $0.request != nil }, by: \.connection)
            .sorted { $0.key < $1.key }.map(\.value.count)
    }

    /// A server that never closes by itself: closing is the client's part.
    private static func server() throws -> LoopbackServer {
        try LoopbackServer(script: { request in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
        })
    }

    // MARK: Connection: close

    @Test func `a request closes the kept connection that it uses, and no later one does`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok("ok") }
        let session = CurlTransport()
        _ = try await session.response(for: server.url).text()
        #expect(try await session.response(for: Self.closing(server.url)).text() == "ok")
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(await session.statistics().openSockets == 0)
        for _ in 0..<3 { _ = try await session.response(for: server.url).text() }
        #expect(Self.uses(server) == [2, 3])
        #expect(server.log.map { $0.request?["Connection"] } == [nil, "close", nil, nil, nil])
        #expect(await session.statistics().total.reused == 3)
    }

    @Test func `the connection is closed even if the server keeps it`() async throws {
        let server = try Self.server()
        let session = CurlTransport()
        for _ in 0..<3 { _ = try await session.response(for: Self.closing(server.url)).text() }
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(Self.uses(server) == [1, 1, 1])
    }

    @Test func `a body that streams, and the rest of its response, come before the end`()
        async throws
    {
        let server = try LoopbackServer { .bytes(count: ($0.content?.count ?? 0) * 4) }
        let session = CurlTransport()
        var request = try Self.closing(server.url, .post)
        request.body = HTTPBody(
            length: nil,
            restarting: {
                AsyncStream { pieces in
                    for _ in 0..<8 { pieces.yield(Data(repeating: 0x61, count: 50_000)) }
                    pieces.finish()
                }
            })
        #expect(try await session.response(for: request).data().count == 1_600_000)
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(server.log.first?.request?["Connection"] == "close")
        _ = try await session.response(for: server.url).text()
        #expect(server.log.last?.request?["Connection"] == nil)
    }

    @Test func `a proxy that forwards is asked to close its connection`() async throws {
        let proxy = try LoopbackServer { _ in .ok("ok") }
        var configuration = CurlConfiguration()
        configuration.proxies = .server(try ProxyServer("http://127.0.0.1:\(proxy.port)"))
        let session = try CurlTransport(configuration)
        _ = try await session.response(for: Self.closing("http://origin.test/")).text()
        _ = try await session.response(for: "http://origin.test/").text()
        #expect(Self.uses(proxy) == [1, 1])
        let requests = proxy.log.compactMap(\.request)
        #expect(requests.map { $0["Connection"] } == ["close", nil])
        #expect(requests.map { $0["Proxy-Connection"] } == [nil, "Keep-Alive"])
    }

    @Test func `the field itself is refused, whatever its value`() async throws {
        let session = CurlTransport()
        for value in ["close", "keep-alive", "X-Secret"] {
            var request = try HTTPRequest(.get, "http://127.0.0.1:1/")
            request.headers[.connection] = value
            let refused = request
            let error = await #expect(throws: HTTPError.self) {
                _ = try await session.response(for: refused)
            }
            #expect(error?.code == .invalidRequest)
        }
    }

    // MARK: A maximum

    @Test(arguments: [1, 2, 3])
    func `a connection carries as many requests as it may, and is then closed`(maximum: Int)
        async throws
    {
        let server = try Self.server()
        let session = try Self.transport(maximum: maximum)
        for _ in 0..<6 { _ = try await session.response(for: server.url).text() }
        #expect(Self.uses(server) == Array(repeating: maximum, count: 6 / maximum))
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(await session.statistics().openSockets == 0)
    }

    @Test func `requests at once use every connection as often as it may be used`() async throws {
        let server = try Self.server()
        let session = try Self.transport(maximum: 5)
        for _ in 0..<8 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        var request = try HTTPRequest(
                            number % 3 == 0 ? .post : .get, server.url("/\(number)"))
                        if number % 3 == 0 { request.body = HTTPBody("body") }
                        _ = try await session.response(for: request).text()
                    }
                }
                try await group.waitForAll()
            }
        }
        let uses = Self.uses(server)
        #expect(uses.reduce(0, +) == 400)
        #expect(uses.max() == 5)
        // Those that are left wait for more.
        let left = uses.count { $0 < 5 }
        try await server.waitUntil { $0.connections.open == left }
    }

    @Test func `redirects to the same origin count`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .ok("end") : .redirect(to: "/end")
        }
        let session = try Self.transport(maximum: 3).with(Redirects())
        for _ in 0..<3 {
            #expect(try await session.response(for: server.url("/start")).text() == "end")
        }
        #expect(Self.uses(server) == [3, 3])
    }

    @Test func `responses before the end of a request count, and so do responses to a part of it`()
        async throws
    {
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(
            options,
            script: { request in
                request.path == "/early"
                    ? [
                        .awaitContent(1), .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
                    ] : [.respond(.ok("ok"))]
            })
        let session = try Self.transport(maximum: 2)
        for _ in 0..<3 {
            var upload = try HTTPRequest(.put, server.url("/early"))
            upload.body = HTTPBody(Data(repeating: 0x61, count: 300_000))
            _ = try await session.response(for: upload).text()
            _ = try await session.response(for: server.url).text()
        }
        #expect(Self.uses(server).allSatisfy { $0 <= 2 })
        #expect(Self.uses(server).reduce(0, +) == 6)
    }

    @Test func `requests to a Unix socket are no more on a connection either`() async throws {
        let counts = Locked<[Int]>([])
        let path = "/tmp/use-\(UInt64.random(in: 0 ... .max)).sock"
        let listener = try RawListener(path: path) { connection in
            var count = 0
            while !connection.read(until: Array("\r\n\r\n".utf8)).isEmpty {
                count += 1
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
            counts.withLock { $0.append(count) }
        }
        let session = try Self.transport(maximum: 4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    var request = try HTTPRequest(.get, "http://service.test/")
                    request[UnixSocket.self] = try UnixSocket(
                        path, for: HTTPOrigin("http://service.test/"))
                    _ = try await session.response(for: request).text()
                }
            }
            try await group.waitForAll()
        }
        await session.close()
        withExtendedLifetime(listener) {}
        #expect(counts.withLock { $0.allSatisfy { $0 <= 4 } })
    }

    @Test(arguments: [0, -1, Int.max])
    func `a maximum that is none is refused`(maximum: Int) {
        let error = #expect(throws: HTTPError.self) { try Self.transport(maximum: maximum) }
        #expect(error?.message.contains("maximumRequestsPerConnection") == true)
    }

    // MARK: TLS

    @Suite(.enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
    struct OverNginx {
        private static func send(
            _ count: Int, at url: String, _ session: CurlTransport,
            _ change: @escaping @Sendable (Int, inout HTTPRequest) -> Void = { _, _ in }
        ) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask {
                        var request = try HTTPRequest(.get, url)
                        change(number, &request)
                        _ = try await session.response(for: request).text()
                    }
                }
                try await group.waitForAll()
            }
        }

        private static func uses(_ log: [NginxServer.Entry]) -> [Int] {
            Dictionary(grouping: log, by: \.connection).map(\.value.count)
        }

        private static func wait(
            for session: CurlTransport, toHave count: Int, orFewer: Bool = false
        ) async throws {
            let start = ContinuousClock.now
            while await session.statistics().openSockets > count,
                ContinuousClock.now - start < .seconds(30)
            {
                try await Task.sleep(for: .milliseconds(20))
            }
            let open = await session.statistics().openSockets
            #expect(open == count || orFewer && open < count)
        }

        @Test(arguments: [HTTPVersion.http1_1, .http2], [1, 4])
        func `no connection carries more than its maximum`(version: HTTPVersion, maximum: Int)
            async throws
        {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport {
                $0.maximumRequestsPerConnection = maximum
            }
            for _ in 0..<3 {
                try await Self.send(20, at: server.url(), session) { $1.version = version }
            }
            for _ in 0..<4 {
                try await Self.send(1, at: server.url(), session) { $1.version = version }
            }
            let uses = Self.uses(try await server.log(of: 64))
            #expect(uses.max() == maximum)
            #expect(uses.reduce(0, +) == 64)
            // HTTP/1.1 that was asked for is known from the beginning.
            if maximum == 1 { #expect(uses.count == 64) }
            // Exchanges that find theirs spent make a connection each, which few then share.
            if maximum > 1, version == .http2 {
                #expect((64 / maximum...48).contains(uses.count), "they are shared")
            }
            // The last connection may have carried fewer.
            if version == .http2 {
                try await Self.wait(for: session, toHave: maximum == 1 ? 0 : 1, orFewer: true)
            }
        }

        @Test func `a stream that closes leaves the others of its connection alone`() async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            // A stream that is open all the time.
            try Self.fill(server)
            let slow = try await session.response(for: server.url("/gzip"))
            try await Self.send(1, at: server.url(), session) { $1[ConnectionClose.self] = true }
            try await Self.send(3, at: server.url(), session)
            #expect((4 << 20...4 << 20 + 5000).contains(try await slow.data().count))
            let log = try await server.log(of: 5)
            let first = try #require(log.first { $0.path == "/gzip" }).connection
            #expect(log.count { $0.connection == first } == 2)
            #expect(Set(log.map(\.connection)).count == 2)
            try await Self.wait(for: session, toHave: 1)
        }

        private static func fill(_ server: NginxServer) throws {
            try server.serveGzip(try CodingBomb.harmless(4 << 20, .low))
        }

        @Test func `many that close at once, among others, are each the last on a connection`()
            async throws
        {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport {
                // A connection that others have left behind is closed when it is idle.
                $0.idleConnectionTimeout = .seconds(2)
            }
            for _ in 0..<3 {
                try await Self.send(30, at: server.url(), session) { number, request in
                    request[ConnectionClose.self] = number % 3 == 0
                }
            }
            let log = try await server.log(of: 90)
            #expect(log.count == 90)
            #expect(log.allSatisfy { $0.version == "HTTP/2.0" })
            #expect(Set(log.map(\.connection)).count >= 30)
            try await Self.wait(for: session, toHave: 0)
            let opened = await session.statistics().total.opened
            _ = try await session.response(for: server.url()).text()
            #expect(await session.statistics().total.opened == opened + 1)
        }

        @Test func `a server of HTTP 1 over TLS learns that a connection ends`() async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            for closes in [false, true, false, false] {
                try await Self.send(1, at: server.url(), session) {
                    $1.version = .http1_1
                    $1[ConnectionClose.self] = closes
                }
            }
            #expect(Self.uses(try await server.log(of: 4)).sorted() == [2, 2])
        }
    }
}
