import HTTPClientKit
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The code of Docs/Guides/Testing.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct TestingGuideTests {
    private struct User: Decodable { var name: String }

    /// The code under test, which sends the request again while the service is unavailable.
    private struct Service {
        func user(_ id: Int, over session: any HTTPSession) async throws -> User {
            try await session.response(
                User.self, for: "https://api.example.com/users/\(id)?api_key=hunter2")
        }

        func add(_ name: String, over session: any HTTPSession) async throws {
            let request = try HTTPRequest(.post, "https://api.example.com/users")
                .json(HTTPJSON.object(["name": .string(name)]))
            while try await session.response(for: request).status != .created {}
        }
    }

    private let service = Service()
    private let transport = MockSession { HTTPResponse(.ok, body: HTTPBody("12345"), to: $0) }

    @Test func stubs() async throws {
        let session = StubSession(
            Stub(.get, "https://api.example.com/users/{id}", answers: .json(["name": "Ada"])),
            Stub(
                .post, "/users", .header(.contentType, "application/json"), .json(["name": "Bob"]),
                answers: .status(.serviceUnavailable), .status(.created)))

        let user = try await service.user(7, over: session)
        #expect(user.name == "Ada")
        try await service.add("Bob", over: session)
        try session.assertAllUsed()

        let error = await #expect(throws: HTTPError.self) {
            try await service.add("Eve", over: session)
        }
        #expect(error?.message.hasSuffix(#"body.name is "Eve", not "Bob""#) == true)
    }

    @Test func `computed answers`() async throws {
        let session = StubSession(
            Stub(.put, "https://files.example.com/{name}") { asked in
                let text = "\(asked["name"] ?? "?"): \(asked.body.count)"
                return HTTPResponse(.ok, body: HTTPBody(text), to: asked.request)
            })
        let request = try HTTPRequest(.put, "https://files.example.com/a", body: HTTPBody("four"))
        #expect(try await session.response(String.self, for: request) == "a: 4")
    }

    @Test func time() async throws {
        let clock = HTTPTestClock()
        let session = StubSession(
            Stub(.get, "/slow", answers: .text("at last").delayed(by: .seconds(30))), clock: clock)
        let url = "https://api.example.com/slow"
        let task = Task { try await session.response(String.self, for: url) }

        try await clock.waitForSleepers(1)  // the answer is being held back
        clock.advance(by: .seconds(30))  // and now no more
        #expect(try await task.value == "at last")
        #expect(clock.sleeps == [.seconds(30)])
    }

    @Test func `time in a client`() async throws {
        let clock = HTTPTestClock()
        let session = StubSession(
            Stub(.get, "/users/7", answers: .status(.serviceUnavailable), .json(["name": "Ada"])))
        let client = try HTTPClient(
            baseURL: "https://api.example.com/", transport: session, retry: .standard
        ) { $0.clock = clock }
        let task = Task {
            try await client.get("users/7").deadline(in: .seconds(60)).json(User.self)
        }

        try await clock.waitForSleepers(2)  // the deadline, and the pause before the second attempt
        clock.advance(by: .seconds(1))
        #expect(try await task.value.name == "Ada")
    }

    @Test func recordings() async throws {
        // Recordings/TestingGuideTests/… beside this source, one file per test
        let file = RecordingFile()
        try await file.run(.replay, over: transport) { session in
            let user = try await service.user(7, over: session)
            #expect(user.name == "Ada")
        }
        #expect(transport.requests.isEmpty)
        // The page shows the file.
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(try GuidePage("Testing").text.contains("```json\n\(text)```"))
        #expect(String(decoding: try file.read().serialized(), as: UTF8.self) == text)
    }

    @Test func rules() throws {
        var rules = ReplayRules(redacting: Redaction(names: ["pin"], fields: ["X-Internal"]))
        rules.ignoredQueryKeys = ["nonce"]
        #expect(rules.redaction.names == ["pin"])
    }

    @Test func faults() async throws {
        var plan = FaultPlan(seed: 7)
        plan.unanswered = 0.3
        plan.truncated = 0.1
        let session = FaultSession(transport, plan)
        for _ in 0..<100 { _ = try? await session.response(String.self, for: "https://h/") }
        let kinds = session.events.compactMap(\.fault.kind)
        #expect(kinds.contains(.unanswered) && kinds.count < 60)
    }

    @Test func `a server and a bad network`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.json(#"{"name": "Ada"}"#))
        server.enqueue(.ok("half of this").breaking(.reset, at: .content(after: 5)))
        server.enqueue([.send("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"), .close])

        let get = "GET /greeting HTTP/1.1\r\n\r\n"
        let client = try RawClient(port: server.port)
        try client.send(get)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        #expect(try client.receive(head) == head)
        try client.send(get)
        #expect(throws: RawClient.Failure.self) { try client.receiveAll() }

        let relay = try FaultRelay(to: server.port) { connection in
            connection == 1
                ? RelayPlan(toClient: RelayFaults(end: .init(.reset, after: 100)))
                : RelayPlan(toServer: RelayFaults(delay: .milliseconds(20), rate: 64_000))
        }
        let url = relay.url("/greeting")
        #expect(url == "http://127.0.0.1:\(relay.port)/greeting")
        let relayed = try RawClient(port: relay.port)
        try relayed.send(get)
        #expect(try relayed.receiveAllText().hasSuffix("Content-Length: many\r\n\r\n"))
        #expect(try await server.nextRequest().target == "/greeting")
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Testing")
        #expect(page.blocks.count == 9)
        #expect(page.untested == [])
    }
}
