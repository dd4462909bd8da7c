import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import SocketTransport
import Testing
import ToDoAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tests of an example library: each test double of HTTPTesting, for its best use.
@Suite(.timeLimit(.minutes(5))) struct ToDoListTests {
    private static let milk = ToDo(id: 1, title: "buy milk")
    private static let milkJSON = #"{"id":1,"isDone":false,"title":"buy milk"}"#

    private static var patient: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.maxRetries = 8
        policy.backoff = .constant(.zero)
        return policy
    }

    private func list(
        at base: String = "https://todo.example.com", over session: any HTTPSession,
        retrying policy: RetryPolicy = patient, clock: any HTTPClock = .system
    ) -> ToDoList {
        ToDoList(at: base, token: "hunter2", over: session, retrying: policy, clock: clock)
    }

    // MARK: Responses: MockSession

    @Test(arguments: [
        (HTTPStatus.notFound, ToDoError.noSuchToDo), (.forbidden, .refused(.forbidden)),
        (.notImplemented, .refused(.notImplemented)),
    ])
    func `an unsuccessful status becomes an error of the library`(
        status: HTTPStatus, expected: ToDoError
    ) async throws {
        let mock = MockSession { HTTPResponse(status, to: $0) }
        await #expect(throws: expected) { try await list(over: mock).finish(7) }
        #expect(mock.requests.count == 1)
    }

    @Test func `every request has the token, and only additions have a key`() async throws {
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody(Self.milkJSON), to: $0) }
        let list = list(over: mock)
        #expect(try await list.add("buy milk") == Self.milk)
        try await list.finish(1)
        let tokens = mock.requests.map { $0.headers[.authorization] }
        #expect(tokens == ["Bearer hunter2", "Bearer hunter2"])
        #expect(mock.requests.map { $0.headers.contains(.idempotencyKey) } == [true, false])
    }

    // MARK: Requests: StubSession

    @Test func `a list is read, extended and completed`() async throws {
        let stubs = StubSession(
            Stub(.get, "/todos", answers: .json([])),
            Stub(
                .post, "/todos", .header(.contentType, "application/json"),
                .json(["title": "buy milk"]),
                answers: .text(Self.milkJSON, status: .created)),
            Stub(.put, "https://todo.example.com/todos/{id}/done") { asked in
                HTTPResponse(asked["id"] == "1" ? .noContent : .notFound, to: asked.request)
            })
        let list = list(over: stubs)
        #expect(try await list.all() == [])
        #expect(try await list.add("buy milk") == Self.milk)
        try await list.finish(1)
        await #expect(throws: ToDoError.noSuchToDo) { try await list.finish(2) }
        try stubs.assertAllUsed()
    }

    @Test func `a request to a busy service is repeated after its Retry-After`() async throws {
        let clock = HTTPTestClock()
        let stubs = StubSession(
            Stub(
                .get, "/todos",
                answers: .status(.serviceUnavailable, headers: [.retryAfter: "3"]),
                .text("[\(Self.milkJSON)]")))
        let list = list(over: stubs, retrying: .standard, clock: clock)
        let all = Task { try await list.all() }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        #expect(try await all.value == [Self.milk])
        #expect(clock.sleeps == [.seconds(3)])
    }

    // MARK: Recorded exchanges: RecordingFile, ReplaySession

    /// `TODO_RECORDINGS=record` sends all requests to the service again, `update` only those that
    /// are not recorded.
    private static var mode: RecordingMode {
        ProcessInfo.processInfo.environment["TODO_RECORDINGS"].flatMap(RecordingMode.init)
            ?? .replay
    }

    @Test func `a day`() async throws {
        let service = ToDoService("buy milk")
        let file = RecordingFile()
        let rules = ReplayRules(redacting: Redaction(fields: ["Idempotency-Key"]))
        try await file.run(Self.mode, over: service, rules: rules) { session in
            let list = list(over: session)
            let tea = try await list.add("make tea")
            try await list.finish(tea.id)
            #expect(
                try await list.all()
                    == [Self.milk, ToDo(id: tea.id, title: "make tea", isDone: true)])
        }
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(!text.contains("hunter2"), "no secret is committed")
    }

    @Test func `a request that was not recorded fails and names the nearest one`() async throws {
        let replay = ReplaySession(try RecordingFile(test: "a day").read())
        let error = await #expect(throws: HTTPError.self) {
            try await list(over: replay, retrying: .none).add("drink tea")
        }
        #expect(error?.code == .notStubbed)
        #expect(error?.message.contains("make tea") == true)
    }

    // MARK: A connection: LoopbackServer, with a custom transport

    @Test func `a truncated list is requested again`() async throws {
        let server = try LoopbackServer()
        let whole = "[\(Self.milkJSON)]"
        server.enqueue(.json(whole).breaking(.reset, at: .content(after: 9)))
        server.enqueue(.json(whole))
        let list = list(at: server.url, over: SocketTransport())
        #expect(try await list.all() == [Self.milk])
        #expect(server.log.map { $0.request?.target } == ["/todos", "/todos"])
        #expect(try await server.nextRequest()["Authorization"] == "Bearer hunter2")
    }

    // MARK: Faults: FaultSession

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `no item is lost, and none is added twice`(seed: UInt64) async throws {
        let service = ToDoService()
        var plan = FaultPlan(seed: seed)
        (plan.unsent, plan.unanswered, plan.truncated, plan.duplicated) = (0.1, 0.2, 0.1, 0.1)
        let network = FaultSession(service, plan)
        let list = list(over: network)
        let titles = ["buy milk", "make tea", "drink tea"]
        for title in titles { try await list.finish(try await list.add(title).id) }
        #expect(try await list.all() == service.todos)
        #expect(await service.todos.map(\.title) == titles)
        #expect(await service.todos.allSatisfy(\.isDone))
        #expect(network.events.count >= 7)
    }
}
