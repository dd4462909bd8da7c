import HTTPClientKit
import HTTPServiceLifecycle
import HTTPTesting
import HTTPTransportCurl
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPServiceLifecycleTests {
    @Test func `a call under way ends, with its retry, and new ones are refused`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.pause(until: gate), .respond(.status(503))])
        let service = HTTPClientService(
            HTTPClient(transport: CurlTransport(), retry: .standard) {
                $0.retry.backoff = Backoff(base: .zero)
            }, grace: .seconds(60))
        let call = Task { try await service.client.get(server.url("/")).text() }
        try await gate.reached()
        try await testGracefulShutdown { trigger in
            let running = Task { try await service.run() }
            trigger.triggerGracefulShutdown()
            await Self.waitForRefusal(service.client)
            gate.open()
            #expect(try await call.value == "fine")
            try await running.value
        }
        #expect(server.log.count == 2)
        await #expect(throws: HTTPError.self) { try await service.client.get("https://h/").text() }
    }

    /// Calls until a call is refused by the service. No server is there for these.
    private static func waitForRefusal(_ client: HTTPClient) async {
        while true {
            do {
                _ = try await client.get("http://127.0.0.1:1/").text()
            } catch let error as HTTPError where error.code == .sessionClosed {
                return
            } catch {
                await Task.yield()
            }
        }
    }

    @Test func `what does not end in the grace fails`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.pause(until: gate), .respond(.ok())])
        let service = HTTPClientService(
            HTTPClient(transport: CurlTransport()), grace: .milliseconds(50))
        let call = Task { try await service.client.get(server.url("/")).text() }
        try await gate.reached()
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await service.run()
        }
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.code == .sessionClosed)
        gate.open()
    }

    @Test func `a cancelled service has no grace`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.pause(until: gate), .respond(.ok())])
        let service = HTTPClientService(
            HTTPClient(transport: CurlTransport()), grace: .seconds(1000))
        let call = Task { try await service.client.get(server.url("/")).text() }
        try await gate.reached()
        let running = Task { try await service.run() }
        running.cancel()
        try await running.value
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.code == .sessionClosed)
        gate.open()
    }

    @Test func `an abandoned body is not waited for, and an idle client ends at once`() async throws
    {
        let server = try LoopbackServer(script: { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .stall]
        })
        let service = HTTPClientService(
            HTTPClient(transport: CurlTransport()), grace: .seconds(1000))
        let response = try await service.client.response(for: HTTPRequest(server.url("/")))
        await response.discard()
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await service.run()
            try await service.run()
        }
    }

    @Test func `a service that runs twice at once ends twice`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.pause(until: gate), .respond(.ok("late"))])
        let service = HTTPClientService(
            HTTPClient(transport: CurlTransport()), grace: .seconds(1000))
        let call = Task { try await service.client.get(server.url("/")).text() }
        try await gate.reached()
        try await testGracefulShutdown { trigger in
            let running = (0..<2).map { _ in Task { try await service.run() } }
            trigger.triggerGracefulShutdown()
            await Self.waitForRefusal(service.client)
            gate.open()
            for task in running { try await task.value }
        }
        #expect(try await call.value == "late")
    }
}
