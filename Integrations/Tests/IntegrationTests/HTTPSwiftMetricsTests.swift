import HTTPClientKit
import HTTPSwiftMetrics
import HTTPTesting
import HTTPTransportCurl
import Metrics
import MetricsTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPSwiftMetricsTests {
    private let factory = TestMetrics()

    private func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in })
        -> HTTPClient
    {
        HTTPClient(transport: CurlTransport()) {
            $0.observer = HTTPMetrics(factory: factory)
            change(&$0)
        }
    }

    private func origin(_ server: LoopbackServer) -> String { "http://127.0.0.1:\(server.port)" }

    /// Waits until no call is active: an observer learns of the end after the caller.
    private func settle(_ count: Int = 0) async throws {
        let value = { factory.meters(label: "http.client.active_calls").first?.lastValue }
        while value() != Double(count) { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func outcomes(_ label: String) -> [String: Int] {
        var result: [String: Int] = [:]
        for timer in factory.timers(label: "http.client.\(label)") {
            let outcome = timer.dimensions.first { $0.0 == "outcome" }?.1 ?? "none"
            result[outcome, default: 0] += timer.values.count
        }
        return result
    }

    @Test func `calls are counted and timed by origin, method and outcome`() async throws {
        let server = try LoopbackServer { request in
            request.path == "/none" ? .status(404) : .ok("fine")
        }
        let client = client()
        for _ in 0..<3 { _ = try await client.get(server.url("/")).text() }
        _ = try? await client.response(for: HTTPRequest("PURGE", server.url("/none")))
        try await settle()
        #expect(outcomes("request.duration") == ["2xx": 3, "4xx": 1])
        #expect(outcomes("call.duration") == ["2xx": 3, "unexpectedStatus": 1])
        let timer = try factory.expectTimer(
            "http.client.request.duration",
            [("origin", origin(server)), ("method", "_OTHER"), ("outcome", "4xx")])
        #expect(timer.values.allSatisfy { $0 > 0 })
        let dimensions = [("origin", origin(server))]
        #expect(
            factory.counterTotal(
                label: "http.client.connections", dimensions: dimensions + [("state", "new")]) == 1)
        #expect(
            factory.counterTotal(
                label: "http.client.connections", dimensions: dimensions + [("state", "reused")])
                == 3)
        #expect(factory.counterTotal(label: "http.client.response.bytes") == 12)
        #expect(
            try factory.expectTimer("http.client.request.first_byte", dimensions).values.count == 4)
        #expect(
            try factory.expectTimer("http.client.request.time_in_queue", dimensions).values.count
                == 4)
    }

    @Test func `no call stays active, however it ends`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            switch request.target {
            case "/cut": [.close]
            case "/half": [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .stall]
            case "/wait": [.pause(until: gate), .respond(.ok())]
            default: [.respond(.ok("fine"))]
            }
        })
        let client = client()
        let waiting = Task { try await client.get(server.url("/wait")).response() }
        try await gate.reached()
        try await settle(1)
        waiting.cancel()
        _ = await waiting.result
        try await settle()
        #expect(outcomes("call.duration") == ["cancelled": 1])

        _ = try? await client.post(server.url("/cut"), .text("x")).response()
        let half = try await client.response(for: HTTPRequest(server.url("/half")))
        await half.discard()
        try await settle()
        #expect(
            outcomes("call.duration") == ["cancelled": 1, "connectionLost": 1, "2xx": 1])
        gate.open()
    }

    @Test func `the active calls of two clients with one factory are added`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in [.pause(until: gate), .respond(.ok())] })
        let clients = [client(), client()]
        let calls = clients.map { client in
            Task { try await client.get(server.url("/")).response() }
        }
        try await settle(2)
        gate.open()
        for call in calls { _ = try await call.value }
        try await settle()
    }

    @Test func `retries and cache verdicts are counted`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                fields: [("Cache-Control", "max-age=60")], content: .bytes(Array("fine".utf8)))
        }
        server.enqueue([.respond(.status(503))])
        let client = client {
            $0.retry = .standard
            $0.retry.backoff = Backoff(base: .zero)
            $0.cache = HTTPCache(store: HTTPMemoryCacheStore())
        }
        for _ in 0..<2 { _ = try await client.get(server.url("/")).text() }
        try await settle()
        func total(_ label: String, _ state: String) -> Int64 {
            factory.counterTotal(
                label: "http.client.\(label)",
                dimensions: [("origin", origin(server)), ("state", state)])
        }
        #expect(total("retries", "granted") == 1)
        #expect(total("cache", "hit") == 1)
        #expect(total("cache", "uri-miss") == 1)
        #expect(outcomes("request.duration") == ["5xx": 1, "2xx": 1])
        #expect(outcomes("call.duration") == ["2xx": 1, "cached": 1])
    }

    @Test func `origins beyond the limit share their metrics`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = HTTPClient(transport: mock) {
            $0.observer = HTTPMetrics(prefix: "own", originLimit: 2, factory: factory)
        }
        for number in 0..<50 { try await client.get("https://h\(number)/").response() }
        let names = factory.timers(label: "own.call.duration").flatMap(\.dimensions)
            .filter { $0.0 == "origin" }.map(\.1)
        #expect(Set(names) == ["https://h0", "https://h1", "other"])
        #expect(factory.meters(label: "own.active_calls").allSatisfy { $0.lastValue == 0 })
    }

    @Test func `many calls at once leave the right count`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let client = client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask { _ = try await client.get(server.url("/")).text() }
            }
            try await group.waitForAll()
        }
        try await settle()
        #expect(outcomes("call.duration") == ["2xx": 200])
        #expect(outcomes("request.duration") == ["2xx": 200])
    }
}
