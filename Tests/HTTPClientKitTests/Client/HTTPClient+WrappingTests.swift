import HTTPClientKit
import HTTPTesting
import Testing
import PortableFoundation

/// A client inside of other sessions does what it does by itself.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientWrappingTests {
    private final class Log: HTTPObserver {
        private let kept = Locked([String]())
        var names: [String] { kept.withLock { $0 } }

        func observe(_ event: HTTPEvent) {
            let name: String? =
                switch event.kind {
                case .sending(let request): "sending \(request.url.absoluteString)"
                case .head(let head): "head \(head.status.code)"
                case .layer(is HTTPRetryEvent): "retry"
                case .callEnded: "call ended"
                case .callFailed: "call failed"
                default: nil
                }
            if let name { kept.withLock { $0.append(name) } }
        }
    }

    private final class Seeing: HTTPClientMiddleware {
        let seen = Locked([HTTPRequest]())
        private let change: @Sendable (inout HTTPRequest) -> Void

        init(_ change: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }) {
            self.change = change
        }

        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            seen.withLock { $0.append(request) }
            var request = request
            change(&request)
            return try await next.response(for: request)
        }
    }

    /// A session of a program, which wraps another one and knows nothing of calls.
    private struct Opaque: HTTPSession {
        let session: any HTTPSession
        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            try await session.response(for: request)
        }
    }

    /// A client of a program.
    private struct Mine: HTTPMiddlewareSession {
        let base: any HTTPSession
        let middleware: [any HTTPClientMiddleware]
    }

    private let log = Log()
    private let clock = HTTPTestClock()

    private func client(_ mock: MockSession) throws -> HTTPClient {
        try HTTPClient(baseURL: "https://h/v1", transport: mock) {
            $0.observer = log
            $0.clock = clock
            $0.query = [URLQueryItem(name: "key", value: "k")]
            $0.deadline = .seconds(60)
            $0.timeouts.idle = .after(.seconds(7))
        }
    }

    private static let ways: [String] = ["with", "with twice", "session", "session with", "opaque"]

    private func wrapped(
        _ client: HTTPClient, _ way: String, _ middleware: Seeing
    ) -> any HTTPSession {
        switch way {
        case "with": client.with(middleware)
        case "with twice": client.with(middleware).with(Seeing())
        case "session": Mine(base: client, middleware: [middleware])
        case "session with": Mine(base: client, middleware: []).with(middleware)
        default: Opaque(session: client)
        }
    }

    @Test(arguments: ways)
    func `a wrapped client sends and reports the same`(_ way: String) async throws {
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("x"), to: $0) }
        let seeing = Seeing()
        let session = wrapped(try client(mock), way, seeing)
        let response = try await session.get("users").response()
        #expect(try await response.data().count == 1)
        let sent = try #require(mock.requests.first)
        #expect(mock.requests.count == 1)
        #expect(sent.url.absoluteString == "https://h/v1/users?key=k")
        #expect(sent.timeouts.idle == .after(.seconds(7)))
        #expect(sent.call?.clock is HTTPTestClock)
        #expect(sent.timeLeft == .seconds(60))
        #expect(
            log.names == ["sending https://h/v1/users?key=k", "head 200", "call ended"])
        guard way != "opaque" else { return }
        let seen = try #require(seeing.seen.withLock { $0.first })
        #expect(seen.url == sent.url)
        #expect(seen.call === sent.call)
    }

    @Test(arguments: [true, false])
    func `a retry around a client waits on its clock, and its observer is told`(
        isValidating: Bool
    ) async throws {
        let count = Locked(0)
        let mock = MockSession { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return HTTPResponse(number == 1 ? .serviceUnavailable : .ok, to: request)
        }
        let session = try client(mock).deriving {
            if !isValidating { $0.validators = [] }
        }.with(Retry(.standard))
        let call = Task { try await session.get("users").response() }
        try await clock.waitForSleepers(2)  // the deadline, and the wait before the retry
        clock.advance(by: .seconds(30))
        #expect(try await call.value.status == .ok)
        #expect(
            log.names == [
                "sending https://h/v1/users?key=k", "head 503", "retry",
                "sending https://h/v1/users?key=k", "head 200", "call ended",
            ])
    }

    @Test func `retries in a client and around it share one count`() async throws {
        let mock = MockSession { HTTPResponse(.serviceUnavailable, to: $0) }
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let session = try client(mock).deriving { $0.retry = policy }.with(Retry(policy))
        let error = await #expect(throws: HTTPError.self) {
            try await session.get("users").response()
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(mock.requests.count == 3)
        let decisions = error?.timeline?.retryDecisions.map(\.outcome)
        #expect(decisions?.dropFirst(2).allSatisfy { $0 == .refused(.retriesUsedUp) } == true)
        #expect(decisions?.count == 4, "each of the two layers asked in vain once")
    }

    @Test func `a call that was begun elsewhere is reported to the client's observer`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = try client(mock)
        let session = Opaque(session: client).with(Retry(.standard))
        _ = try await session.response(for: HTTPRequest("https://h/v1/a"))
        #expect(log.names == ["sending https://h/v1/a?key=k", "head 200", "call ended"])
    }

    @Test func `an observation around a client with an observer tells both`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let another = Log()
        let session = try client(mock).with(HTTPObservation(another))
        _ = try await session.response(for: HTTPRequest("a"))
        #expect(log.names == ["sending https://h/v1/a?key=k", "head 200", "call ended"])
        #expect(another.names == log.names)
    }

    @Test func `a middleware may change the request to a relative one`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let changing = Seeing { request in
            if let other = try? HTTPRequest("other") { request = other }
        }
        _ = try await client(mock).with(changing).response(for: HTTPRequest("users"))
        #expect(mock.requests.map(\.url.absoluteString) == ["https://h/v1/other?key=k"])
    }

    @Test func `what enters a client again is sent with the configuration of that moment`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = try client(mock)
        let changing = Seeing { _ in
            client.update { $0.attemptMiddleware = [Seeing { $0.headers["X-New"] = "1" }] }
        }
        let session = client.with(changing)
        _ = try await session.response(for: HTTPRequest("a"))
        _ = try await session.response(for: HTTPRequest("b"))
        #expect(mock.requests.map { $0.headers["X-New"] } == ["1", "1"])
    }

    @Test func `a closed client refuses a wrapped call before the middleware sees it`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let (client, seeing) = (try client(mock), Seeing())
        await client.close()
        let error = await #expect(throws: HTTPError.self) {
            try await client.with(seeing).response(for: HTTPRequest("a"))
        }
        #expect(error?.code == .sessionClosed)
        #expect(seeing.seen.withLock { $0.isEmpty })
    }

    @Test func `a client that is closed while a layer around it waits sends nothing`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = try client(mock)
        struct Closing: HTTPClientMiddleware {
            let client: HTTPClient
            func intercept(
                _ request: HTTPRequest, next: any HTTPSession
            ) async throws -> HTTPResponse {
                await client.close()
                return try await next.response(for: request)
            }
        }
        let error = await #expect(throws: HTTPError.self) {
            try await client.with(Closing(client: client)).response(for: HTTPRequest("a"))
        }
        #expect(error?.code == .sessionClosed)
        #expect(mock.requests.isEmpty)
    }

    @Test func `an observer that retains the events of a wrapped call retains nothing else`()
        async throws
    {
        final class Keeping: HTTPObserver {
            let events = Locked([HTTPEvent]())
            func observe(_ event: HTTPEvent) { events.withLock { $0.append(event) } }
        }
        weak var token: Keeping?
        do {
            let observer = Keeping()
            token = observer
            let client = HTTPClient(transport: MockSession { HTTPResponse(.ok, to: $0) }) {
                $0.observer = observer
            }
            _ = try await client.with(Seeing()).response(for: HTTPRequest("https://h/"))
            #expect(observer.events.withLock { !$0.isEmpty })
        }
        #expect(token == nil)
    }

    // MARK: Limits of a call

    /// Goes on only once it is cancelled, and then with a response.
    private struct Stuck: HTTPRequestInterceptor {
        let began = Gate()

        func process(request: inout HTTPRequest) async throws {}

        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            began.open()
            try? await Gate().wait()
            return HTTPResponse(.ok, to: request)
        }
    }

    /// A middleware without hooks, so that a session of hooks has it around its base.
    private struct StuckAround: HTTPClientMiddleware {
        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            try await Stuck().intercept(request, next: next)
        }
    }

    @Test(arguments: ["with", "begun", "session", "opaque"])
    func `the deadline of a client ends a layer around it, however the call begins`(
        way: String
    ) async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = HTTPClient(transport: mock) { $0.deadline = .milliseconds(50) }
        var request = try HTTPRequest("https://h/")
        let session: any HTTPSession
        switch way {
        case "with": session = client.with(StuckAround())
        case "begun":
            session = client.with(StuckAround())
            request = try client.beginningCall(for: request)
        case "session": session = Mine(base: client, middleware: [StuckAround()])
        default:
            session = Opaque(session: client.with(StuckAround()))
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.code == .timedOut && error?.timer?.name == .deadline)
        #expect(mock.requests.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a client has its deadline in a call that began elsewhere without one`(
        isObserved: Bool
    ) async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = try client(mock)
        let session = Opaque(session: client).with(isObserved ? HTTPObservation(log) : Seeing())
        _ = try await session.response(for: HTTPRequest("https://h/"))
        let sent = try #require(mock.requests.first)
        #expect(sent.deadlineLimit == .seconds(60))
        #expect(sent.call?.clock is HTTPSystemClock)
    }

    @Test(arguments: ["https://h/", "relative"])
    func `a cancelled call fails, although a layer makes a response of it`(
        url: String
    ) async throws {
        let stuck = Stuck()
        let session = MockSession { HTTPResponse(.ok, to: $0) }.with(stuck)
        let request = try HTTPRequest(url)
        let task = Task { try await session.response(for: request) }
        await stuck.began.waitIgnoringCancellation()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
