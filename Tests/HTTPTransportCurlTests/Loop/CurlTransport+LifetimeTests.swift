import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CurlTransportLifetimeTests {
    /// A head at once, the body when told.
    private func gatedServer(_ gate: LoopbackGate) throws -> LoopbackServer {
        try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .pause(until: gate),
                .send("defghi"),
            ]
        })
    }

    @Test func `a transport may be dropped while a call waits for its head`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [.pause(until: gate), .respond(.ok("late"))]
        })
        let url = server.url
        let task = Task { try await CurlTransport().response(for: url).text() }
        try await gate.reached()
        gate.open()
        #expect(try await task.value == "late")
    }

    @Test func `a transport may be dropped while a body is still to come`() async throws {
        let gate = LoopbackGate()
        let server = try gatedServer(gate)
        var session: CurlTransport? = CurlTransport()
        let response = try #require(try await session?.response(for: server.url))
        session = nil
        gate.open()
        #expect(try await response.text() == "abcdefghi")
        // The loop ends after it, and with it the kept connection.
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test func `a session that is dropped closes its kept connections`() async throws {
        let server = try LoopbackServer { _ in .ok("x") }
        var session: CurlTransport? = CurlTransport()
        _ = try await session?.response(for: server.url).text()
        #expect(server.connections.open == 1)
        session = nil
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test func `close waits for a body that is being read`() async throws {
        let gate = LoopbackGate()
        let server = try gatedServer(gate)
        let session = CurlTransport()
        let response = try await session.response(for: server.url)
        let closing = Task { await session.close(grace: .seconds(60)) }
        try await gate.reached()
        gate.open()
        #expect(try await response.text() == "abcdefghi")
        await closing.value
        await #expect(throws: HTTPError.self) { try await session.response(for: server.url) }
    }

    @Test func `a close beside another one waits as well`() async throws {
        let gate = LoopbackGate()
        let server = try gatedServer(gate)
        let session = CurlTransport()
        let request = try HTTPRequest(server.url).timeouts(HTTPTimeouts(idle: .never))
        let response = try await session.response(for: request)
        let mayEnd = Locked(false)
        let first = Task { await session.close(grace: .seconds(600)) }
        let origin = try HTTPOrigin(server.url)
        while (try? session.taskExecutor(for: origin)) != nil { await Task.yield() }
        let second = Task {
            await session.close(grace: .seconds(600))
            return mayEnd.withLock { $0 }
        }
        try await gate.reached()
        for _ in 0..<100 { await Task.yield() }
        mayEnd.withLock { $0 = true }
        gate.open()
        #expect(try await response.text() == "abcdefghi")
        #expect(await second.value, "it waits for the body that the first one waits for")
        await first.value
    }

    @Test func `close fails what its grace does not wait for`() async throws {
        let gate = LoopbackGate()
        let server = try gatedServer(gate)
        let session = CurlTransport()
        let response = try await session.response(for: server.url)
        await session.close(grace: .zero)
        let error = await #expect(throws: HTTPError.self) { try await response.text() }
        #expect(error?.code == .sessionClosed)
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test(arguments: ["before", "during", "beside another"])
    func `a close whose task is cancelled ends its grace at once`(when: String) async throws {
        let server = try gatedServer(LoopbackGate())
        let session = CurlTransport()
        let response = try await session.response(for: server.url)
        let start = HTTPSystemClock().now
        let isBeside = when == "beside another"
        let other = isBeside ? Task { await session.close(grace: .seconds(8)) } : nil
        let closing = Task { await session.close(grace: .seconds(8)) }
        if when != "before" {
            let origin = try HTTPOrigin(server.url)
            while (try? session.taskExecutor(for: origin)) != nil { await Task.yield() }
        }
        closing.cancel()
        await closing.value
        await other?.value
        #expect(HTTPSystemClock().now - start < .seconds(6))
        let error = await #expect(throws: HTTPError.self) { try await response.text() }
        #expect(error?.code == .sessionClosed)
    }

    @Test func `after close every request is refused and nothing is sent`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        await session.close()
        await session.close()
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: server.url)
        }
        #expect(error?.code == .sessionClosed)
        #expect(server.connections.accepted == 0)
    }

    @Test func `a body dropped unread cuts a long response and ends as abandoned`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 1 << 30) }
        let session = CurlTransport()
        let end = try await withUnendingBody(session, server) { response in _ = response }
        guard case .abandoned = end else {
            Issue.record("ended as \(end)")
            return
        }
        try await server.waitUntil { $0.connections.open == 0 }
    }

    @Test func `a loop that breaks out cuts a long response and ends as abandoned`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 1 << 30) }
        let session = CurlTransport()
        let end = try await withUnendingBody(session, server) { response in
            for try await _ in response.body { break }
        }
        guard case .abandoned = end else {
            Issue.record("ended as \(end)")
            return
        }
        try await server.waitUntil { $0.connections.open == 0 }
    }

    /// Returns the end of the body after `use` had the only reference to it.
    private func withUnendingBody(
        _ session: CurlTransport, _ server: LoopbackServer,
        _ use: (HTTPResponse) async throws -> Void
    ) async throws -> HTTPBodyEnd {
        let ends = AsyncStream<HTTPBodyEnd>.makeStream()
        try await use(observedResponse(session, server, ends.continuation))
        for await end in ends.stream { return end }
        throw CancellationError()
    }

    private func observedResponse(
        _ session: CurlTransport, _ server: LoopbackServer,
        _ ends: AsyncStream<HTTPBodyEnd>.Continuation
    ) async throws -> HTTPResponse {
        let response = try await session.response(for: server.url)
        response.body.whenEnded { ends.yield($0) }
        return response
    }

    @Test func `discard returns when the connection is free, and the next request takes it`()
        async throws
    {
        let server = try LoopbackServer { request in
            request.path == "/short" ? .bytes(count: 100_000) : .ok("next")
        }
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        var slow = 0
        for _ in 0..<20 {
            let first = try await session.response(for: server.url("/short"))
            if await !first.discardsWithoutHaste() { slow += 1 }
            #expect(try await session.response(for: server.url("/next")).text() == "next")
        }
        #expect(slow < 20 && server.connections.accepted <= 1 + slow)
    }

    @Test func `discard of a long body cuts the connection and frees its place`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/long" ? .bytes(count: 1 << 30) : .ok("next")
        }
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        let first = try await session.response(for: server.url("/long"))
        await first.discard()
        #expect(try await session.response(for: server.url("/next")).text() == "next")
        #expect(server.connections.accepted == 2)
    }

    @Test func `discard of a rest that does not come gives up soon`() async throws {
        let gate = LoopbackGate()
        let server = try gatedServer(gate)
        let session = CurlTransport()
        let response = try await session.response(for: server.url)
        await response.discard()
        try await server.waitUntil { $0.connections.open == 0 }
    }
}
