import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

/// The fate of connections that nothing uses.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportIdleConnectionTests {
    private static var isFull: Bool {
        ProcessInfo.processInfo.environment["HTTP_TEST_COUNTS"] == "full"
    }

    /// Opens so many connections, which then are idle.
    private static func fill(
        _ session: CurlTransport, _ server: LoopbackServer, _ gate: LoopbackGate, count: Int
    ) async throws {
        let before = server.connections.open
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    _ = try await session.response(for: server.url("/fill")).text()
                }
            }
            try await server.waitUntil { $0.connections.open == before + count }
            gate.open()
            try await group.waitForAll()
        }
    }

    /// Waits until the session has no more sockets than these, for a while.
    private static func wait(for session: CurlTransport, toHave count: Int) async throws {
        let start = ContinuousClock.now
        while await session.statistics().openSockets > count {
            try await Task.sleep(for: .milliseconds(20))
            guard ContinuousClock.now - start < .seconds(30) else { break }
        }
        #expect(await session.statistics().openSockets == count)
    }

    /// - Parameter isBusy: whether a request is under way meanwhile, on another connection.
    @Test(arguments: [false, true])
    func `idle connections are closed without a further request`(isBusy: Bool) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            if request.path == "/held" {
                return [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .stall]
            }
            return [.pause(until: gate), .respond(.ok())]
        })
        var configuration = CurlConfiguration()
        configuration.idleConnectionTimeout = .seconds(1)
        let session = try CurlTransport(configuration)
        let held = isBusy ? try await session.response(for: server.url("/held")) : nil
        try await Self.fill(session, server, gate, count: 30)
        let start = ContinuousClock.now
        let left = isBusy ? 1 : 0
        try await server.waitUntil { $0.connections.open == left }
        try await Self.wait(for: session, toHave: left)
        let time = ContinuousClock.now - start
        // A machine that is busy with other tests is late with everything.
        #expect(time < (Self.isFull ? .seconds(3) : .seconds(20)))
        print(
            "FIGURE | until 30 idle connections are closed, limit 1 s\(isBusy ? ", loop busy" : "")"
                + " | \(time) | 3 s | \(time < .seconds(3) ? "pass" : "fail")")
        held?.body.abandon()
    }

    /// A connection that the server has closed does not wait for its idle limit.
    @Test(arguments: [false, true])
    func `a connection that the server has closed is closed soon`(isBusy: Bool) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            if request.path == "/held" {
                return [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .stall]
            }
            return [.pause(until: gate), .respond(.ok()), .pause(.milliseconds(50)), .close]
        })
        let session = CurlTransport()
        let held = isBusy ? try await session.response(for: server.url("/held")) : nil
        try await Self.fill(session, server, gate, count: 30)
        try await Self.wait(for: session, toHave: isBusy ? 1 : 0)
        held?.body.abandon()
    }

    #if os(Linux)
        /// Connections.md.
        @Test func `TCP asks for a sign of life after 15 s of silence`() async throws {
            let server = try LoopbackServer { _ in .ok() }
            let session = CurlTransport()
            _ = try await session.response(for: server.url).text()
            let descriptors = OwnProcess.descriptors(of: "self").compactMap { Int32($0.number) }
                .filter { Self.peerPort(of: $0) == server.port }
            try #require(descriptors.count == 1)
            #expect(Self.option(SO_KEEPALIVE, SOL_SOCKET, of: descriptors[0]) == 1)
            #expect(Self.option(TCP_KEEPIDLE, Int32(IPPROTO_TCP), of: descriptors[0]) == 15)
            await session.close()
        }

        private static func peerPort(of descriptor: Int32) -> UInt16? {
            var peer = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = unsafe withUnsafeMutablePointer(to: &peer) { peer in
                unsafe peer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getpeername(descriptor, $0, &length)
                }
            }
            guard result == 0, peer.sin_family == AF_INET else { return nil }
            return UInt16(bigEndian: peer.sin_port)
        }

        private static func option(_ name: Int32, _ level: Int32, of descriptor: Int32) -> Int32? {
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            return unsafe getsockopt(descriptor, level, name, &value, &length) == 0 ? value : nil
        }

        /// Opens all descriptors that are left. Only for a process of its own.
        private static func exhaust() -> [Int32] {
            #if canImport(Glibc)
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #else
                let resource = RLIMIT_NOFILE
            #endif
            var limit = rlimit()
            _ = unsafe getrlimit(resource, &limit)
            limit.rlim_cur = 256
            _ = unsafe setrlimit(resource, &limit)
            var taken: [Int32] = []
            while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
            return taken
        }

        @Test func `without descriptors idle connections make room`() async {
            await #expect(processExitsWith: .success) {
                alarm(300)
                let gate = LoopbackGate()
                let server = try LoopbackServer(script: { _ in
                    [.pause(until: gate), .respond(.ok("first"))]
                })
                let other = try LoopbackServer { _ in .ok("second") }
                let session = CurlTransport()
                try await Self.fill(session, server, gate, count: 20)
                let taken = Self.exhaust()
                guard try await session.response(for: other.url).text() == "second" else { exit(3) }
                guard try await session.response(for: server.url).text() == "first" else { exit(4) }
                guard await session.statistics().openSockets > 2 else { exit(5) }
                for descriptor in taken { close(descriptor) }
            }
        }

        @Test func `without descriptors and idle connections the error says why`() async {
            await #expect(processExitsWith: .success) {
                alarm(300)
                let refusing = try RefusingPort()
                let session = CurlTransport()
                _ = try? await session.response(for: refusing.url)
                var taken = Self.exhaust()
                // A socket of the request before may be closed only after all other descriptors
                // were taken. Its descriptor is then free, and the server refuses.
                for _ in 1...20 {
                    do {
                        _ = try await session.response(for: refusing.url)
                        exit(3)
                    } catch let error as HTTPError {
                        let cause = (error.underlyingError as? SystemError)?.code
                        if cause == ECONNREFUSED {
                            taken += Self.exhaust()
                            continue
                        }
                        for descriptor in taken { close(descriptor) }
                        guard error.code == .cannotConnect, error.isRetryable else { exit(4) }
                        guard cause == EMFILE else { exit(5) }
                        guard error.message.contains("\(SystemError(EMFILE))") else { exit(6) }
                        return
                    }
                }
                exit(7)
            }
        }
    #endif

    @Test(
        arguments: [
            ("HTTP/1.1", false, 1), ("HTTP/1.1", true, 1), ("HTTP/1.0", false, 1),
            ("HTTP/1.0", true, 2),
        ])
    func `a connection on which a server of HTTP 1.0 has sent chunks is closed`(
        version: String, isChunked: Bool, connections: Int
    ) async throws {
        let rest =
            isChunked
            ? "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
            : "Content-Length: 2\r\n\r\nok"
        let server = try LoopbackServer(script: { _ in
            [.send("\(version) 200 OK\r\nConnection: keep-alive\r\n" + rest)]
        })
        let session = CurlTransport()
        for _ in 0..<2 {
            let response = try await session.response(for: server.url)
            #expect(try await response.text() == "ok")
        }
        #expect(server.connections.accepted == connections)
    }

    @Test(
        arguments: [
            (nil, 118_000), (0, 0), (1, 500), (2, 1000), (3, 1500), (4, 2000), (5, 3000),
            (120, 118_000), (121, 118_000), (.max, 118_000),
        ] as [(Int?, Int64)])
    func `a connection is closed before its server closes it`(announced: Int?, limit: Int64) {
        #expect(AnnouncedIdleTimeout.limit(announced, atMost: 118) == limit * 1_000_000)
    }
}
