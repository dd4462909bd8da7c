import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientUpdateTests {
    private let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("\"fine\""), to: $0) }

    @Test(.rows("S0-4"))
    func `no call sees half a change, however many run meanwhile`() async throws {
        let client = try HTTPClient(baseURL: "https://h0/", transport: mock) {
            $0.query = [URLQueryItem(name: "n", value: "0")]
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...200 {
                    client.update {
                        $0.baseURL = URL(string: "https://h\(number)/")
                        $0.query = [URLQueryItem(name: "n", value: "\(number)")]
                    }
                    await Task.yield()
                }
            }
            for _ in 0..<4 {
                group.addTask { for _ in 0..<100 { try await client.get("x").response() } }
            }
            try await group.waitForAll()
        }
        #expect(mock.requests.count == 400)
        for request in mock.requests {
            let host = try #require(request.url.host())
            #expect(request.url.query() == "n=" + host.dropFirst())
        }
    }

    @Test(.rows("S0-4"))
    func `updates from many tasks are all there at the end`() async {
        let client = HTTPClient(transport: mock)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        client.update { $0.query.append(URLQueryItem(name: "x", value: nil)) }
                    }
                }
            }
        }
        #expect(client.configuration.query.count == 400)
    }

    @Test func `an update that throws changes nothing`() {
        struct Refusal: Error {}
        let client = HTTPClient(transport: mock)
        #expect(throws: Refusal.self) {
            try client.update { configuration in
                configuration.headers["X-Half"] = "done"
                throw Refusal()
            }
        }
        #expect(client.configuration.headers.isEmpty)
    }

    @Test(.rows("S4-8"))
    func `a call continues with the configuration that it began with`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { HTTPResponse(.serviceUnavailable, to: $0) }
        let client = HTTPClient(transport: mock, validators: [], retry: .standard) {
            $0.clock = clock
            $0.retry.backoff = .constant(.seconds(1))
        }
        let call = Task { try await client.get("https://h/").response() }
        try await clock.waitForSleepers(1)
        client.update { $0.retry = .none }
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        #expect(try await call.value.status == .serviceUnavailable)
        #expect(mock.requests.count == 3)
    }
}
