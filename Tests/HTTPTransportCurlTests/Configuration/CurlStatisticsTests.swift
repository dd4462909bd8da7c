import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

@Suite(.timeLimit(.minutes(5))) struct CurlStatisticsTests {
    private static func origin(_ server: LoopbackServer) throws -> HTTPOrigin {
        try HTTPRequest(.get, server.url).checkedTarget().origin
    }

    /// Starts a server at one loopback address and a listener that does not answer at the other,
    /// with the same port.
    private static func serverBeside(
        _ slow: FullListener.Host
    ) throws -> (LoopbackServer, FullListener) {
        var options = LoopbackOptions()
        options.host = slow == .ipv4 ? "::1" : "127.0.0.1"
        var attempt = 0
        while true {
            let server = try LoopbackServer(options) { _ in
                LoopbackResponse(status: 200, fields: [(name: "Connection", value: "close")])
            }
            attempt += 1
            do {
                return (server, try FullListener(slow, port: server.port))
            } catch {
                // A port that is free at one address may be in use at the other.
                guard attempt < 20 else { throw error }
            }
        }
    }

    @Test func `a transport counts what its server sees`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        #expect(await session.statistics() == CurlStatistics())
        for _ in 0..<5 { _ = try await session.response(for: server.url).text() }
        let statistics = await session.statistics()
        let counts = try #require(statistics.origins[Self.origin(server)])
        #expect(counts == statistics.total)
        #expect(counts.ended == server.snapshot.requestCount)
        #expect(counts.opened == server.connections.accepted)
        #expect(counts.reused == 4)
        #expect(counts.active == 0 && counts.waiting == 0 && counts.resent == 0)
        #expect(statistics.openSockets == server.connections.open)
        #expect(counts.open == server.connections.open && counts.idle == 1)
    }

    @Test func `after close, what was done remains and nothing is open`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var configuration = CurlConfiguration()
        configuration.eventLoops = 2
        let session = try CurlTransport(configuration)
        for _ in 0..<3 { _ = try await session.response(for: server.url).text() }
        async let other: Void = session.close()
        await session.close()
        _ = await other
        await session.close()
        let statistics = await session.statistics()
        #expect(statistics.total.ended == 3)
        #expect(statistics.total.opened == 1 && statistics.total.reused == 2)
        #expect(try statistics.origins[Self.origin(server)] == statistics.total)
        #expect(statistics.total.open == 0 && statistics.total.idle == 0)
        #expect(statistics.total.active == 0 && statistics.openSockets == 0)
    }

    @Test(arguments: [HTTPMethod.put, .post])
    func `a request that is sent again is counted, one that may not be is not`(
        method: HTTPMethod
    ) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let server = try LoopbackServer(scripts: [
            [.awaitHead, .send(head), .awaitHead, .awaitContentEnd, .close],
            [.awaitHead, .awaitContentEnd, .send(head), .stall],
        ])
        let session = CurlTransport()
        _ = try await session.response(for: server.url).data()
        let request = try HTTPRequest(method, server.url("/"), body: HTTPBody("hello"))
        let timeline: HTTPTimeline?
        do {
            timeline = try await session.response(for: request).timeline
            #expect(method == .put)
        } catch let error as HTTPError {
            #expect(error.code == .connectionLost && method == .post)
            timeline = error.timeline
        }
        let count = method == .put ? 1 : 0
        #expect(timeline?.exchanges.map(\.silentResends) == [count])
        #expect(await session.statistics().total.resent == count)
    }

    @Test func `what runs and what waits is counted where it is`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in [.pause(until: gate), .respond(.ok())] })
        let other = try LoopbackServer { _ in .ok() }
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 2
        let session = try CurlTransport(configuration)
        let url = server.url
        let tasks = (0..<5).map { _ in Task { try await session.response(for: url).text() } }
        try await server.waitUntil { $0.requestCount == 2 }
        _ = try await session.response(for: other.url).text()
        var statistics = await session.statistics()
        // The last of the five may still be on its way to the loop.
        while statistics.total.waiting < 3 {
            try Task.checkCancellation()
            await Task.yield()
            statistics = await session.statistics()
        }
        let counts = try #require(statistics.origins[Self.origin(server)])
        #expect(counts.active == 2 && counts.open == 2 && counts.idle == 0)
        #expect(counts.waiting == 3)
        #expect(counts.ended == 0)
        let others = try #require(statistics.origins[Self.origin(other)])
        #expect(others.ended == 1 && others.open == 1 && others.idle == 1)
        #expect(statistics.total.ended == 1)
        gate.open()
        for task in tasks { _ = try await task.value }
        let after = await session.statistics()
        #expect(after.total.ended == 6)
        #expect(after.total.active == 0)
        #expect(after.total.opened == 3)
        #expect(after.total.open == 3 && after.total.idle == 3)
    }

    @Test func `a connection that was closed is not counted`() async throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.ok()
            response.fields.append((name: "Connection", value: "close"))
            return response
        }
        let session = CurlTransport()
        _ = try await session.response(for: server.url).text()
        let counts = try #require(await session.statistics().origins[Self.origin(server)])
        #expect(counts.opened == 1 && counts.open == 0 && counts.idle == 0)
    }

    /// Before libcurl 8.2, nothing reports that these sockets are closed.
    @Test func `sockets that never connected are not counted once they are closed`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let full = try FullListener()
        defer { full.close() }
        let session = CurlTransport()
        var request = try HTTPRequest("http://127.0.0.1:\(full.port)/")
        request.timeouts.connect = .never
        let tasks = (0..<3).map { [request] _ in
            Task { try await session.response(for: request).text() }
        }
        while await session.statistics().openSockets < 3 {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(await session.statistics().total.open == 3)
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        var statistics = await session.statistics()
        #expect(statistics.openSockets == 0 && statistics.total.open == 0)
        // Their numbers are used again by sockets that connect.
        _ = try await session.response(for: server.url).text()
        statistics = await session.statistics()
        #expect(statistics.openSockets == 1 && statistics.total.open == 1)
    }

    /// A listener at the same port of one loopback address does not answer, and the server is at
    /// the other. Which of the two is tried first is up to the machine.
    @Test(
        .enabled(if: FullListener.Host.ipv6.exists, "this machine has no ::1"),
        arguments: [FullListener.Host.ipv4, .ipv6])
    func `an address that was too slow leaves no socket in the counts`(
        slow: FullListener.Host
    ) async throws {
        let (server, full) = try Self.serverBeside(slow)
        defer { full.close() }
        let session = CurlTransport()
        for count in 1...2 {
            _ = try await session.response(for: "http://localhost:\(server.port)/").text()
            let statistics = await session.statistics()
            #expect(statistics.openSockets == 0 && statistics.total.open == 0)
            #expect(server.connections.accepted == count)
        }
    }

    @Test func `a re-send by the library is counted`() async throws {
        let server = try LoopbackServer(scripts: [
            [
                .awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .awaitHead,
                .close,
            ],
            [.awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")],
        ])
        let session = CurlTransport()
        for _ in 0..<2 { _ = try await session.response(for: server.url).text() }
        let statistics = await session.statistics()
        #expect(statistics.total.resent == 1)
        #expect(statistics.total.ended == 2)
        #expect(server.connections.accepted == 2)
    }

    @Test func `counts of many add up`() {
        var a = CurlStatistics()
        var b = CurlStatistics()
        let hosts = ["http://a/", "http://b/"].compactMap {
            try? HTTPRequest(.get, $0).checkedTarget().origin
        }
        func counts(opened: Int, isReused: Bool, resent: Int) -> CurlStatistics.Counts {
            var counts = CurlStatistics.Counts()
            counts.ended = 1
            counts.opened = opened
            counts.reused = isReused ? 1 : 0
            counts.resent = resent
            return counts
        }
        a.origins[hosts[0]] = counts(opened: 1, isReused: false, resent: 0)
        b.origins[hosts[0]] = counts(opened: 0, isReused: true, resent: 2)
        b.origins[hosts[1]] = counts(opened: 1, isReused: false, resent: 0)
        for counts in a.origins.values { a.total += counts }
        for counts in b.origins.values { b.total += counts }
        b.openSockets = 3
        a += b
        #expect(a.total.ended == 3 && a.total.opened == 2 && a.total.reused == 1)
        #expect(a.total.resent == 2 && a.openSockets == 3)
        #expect(a.origins[hosts[0]]?.ended == 2)
        #expect(a.origins[hosts[1]]?.ended == 1)
    }
}
