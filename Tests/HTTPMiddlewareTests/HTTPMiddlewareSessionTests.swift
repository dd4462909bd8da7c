import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The sample from the fourth source.
private struct URLClient: HTTPMiddlewareSession {
    var base: any HTTPSession
    var middleware: [any HTTPClientMiddleware] = []
}

@Suite(.timeLimit(.minutes(5))) struct HTTPMiddlewareSessionTests {
    struct Refusal: Error {}

    private struct Mark: HTTPRequestInterceptor, HTTPResponseInterceptor {
        let name: String
        var refusesRequests = false
        var refusesResponses = false
        let log: Log

        func process(request: inout HTTPRequest) async throws {
            log.add("> \(name)")
            if refusesRequests { throw Refusal() }
            try request.headers.append("X-Seen", name)
        }
        func process(response: inout HTTPResponse) async throws {
            log.add("< \(name)")
            if refusesResponses { throw Refusal() }
            try response.headers.append("X-Seen", name)
        }
    }

    private struct Around: HTTPClientMiddleware {
        let log: Log
        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            log.add("( around")
            defer { log.add(") around") }
            return try await next.response(for: request)
        }
    }

    private final class Log: Sendable {
        private let lines = Locked([String]())
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private let log = Log()
    private let mock = MockSession { HTTPResponse(.ok, to: $0) }

    // MARK: Order

    @Test(.rows("S2-6", "S2-7", "S4-8", "S4-9", "S4-10", "S4-12"))
    func `hooks run in the order of the list, both ways`() async throws {
        let client = URLClient(
            base: mock,
            middleware: [Mark(name: "a", log: log), Around(log: log), Mark(name: "b", log: log)])
        let response = try await client.response(for: "http://h/")
        #expect(log.all == ["> a", "> b", "( around", ") around", "< a", "< b"])
        #expect(mock.requests[0].headers[values: "X-Seen"] == ["a", "b"])
        #expect(response.headers[values: "X-Seen"] == ["a", "b"])
        #expect(response.originalRequest.headers[values: "X-Seen"] == ["a", "b"])
    }

    // MARK: Ending early

    @Test(.rows("S4-11"))
    func `a hook that throws stops those after it, and the sending`() async throws {
        var client = URLClient(
            base: mock,
            middleware: [
                Mark(name: "a", log: log), Mark(name: "b", refusesRequests: true, log: log),
                Mark(name: "c", log: log),
            ])
        await #expect(throws: Refusal.self) { try await client.response(for: "http://h/") }
        #expect(log.all == ["> a", "> b"])
        #expect(mock.requests.isEmpty)
        client.middleware = [
            Mark(name: "d", refusesResponses: true, log: log), Mark(name: "e", log: log),
        ]
        await #expect(throws: Refusal.self) { try await client.response(for: "http://h/") }
        #expect(log.all.suffix(3) == ["> d", "> e", "< d"])
    }

    @Test(.rows("S4-11"))
    func `no hook is told of a failure below`() async throws {
        let lost = MockSession { _ in throw HTTPError(.connectionLost, "unplugged") }
        let client = URLClient(base: lost, middleware: [Mark(name: "a", log: log)])
        let error = await #expect(throws: HTTPError.self) {
            try await client.response(for: "http://h/")
        }
        #expect(error?.code == .connectionLost)
        #expect(log.all == ["> a"])
    }

    @Test func `a response that a hook gives up frees its connection`() async throws {
        let ended = Locked(0)
        let mock = MockSession { request in
            let body = HTTPBody(AsyncStream { _ in })
            body.whenEnded { _ in ended.withLock { $0 += 1 } }
            return HTTPResponse(.ok, body: body, to: request)
        }
        let client = URLClient(
            base: mock, middleware: [Mark(name: "a", refusesResponses: true, log: log)])
        await #expect(throws: Refusal.self) { try await client.response(for: "http://h/") }
        #expect(ended.withLock { $0 } == 1)
    }

    // MARK: Cancelling

    /// Waits until it is cancelled, and then continues as if it had not been.
    struct Swallowing: HTTPRequestInterceptor, HTTPResponseInterceptor {
        enum Place: CaseIterable, Sendable { case request, response, around, answer }
        let place: Place
        let hasBegun: Gate

        private func swallow() async {
            hasBegun.open()
            try? await Gate().wait()
        }
        func process(request: inout HTTPRequest) async throws {
            if place == .request { await swallow() }
        }
        func process(response: inout HTTPResponse) async throws {
            if place == .response { await swallow() }
        }
    }

    struct SwallowingAround: HTTPClientMiddleware {
        let isAnswering: Bool
        let hasBegun: Gate
        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            let response = isAnswering ? nil : try await next.response(for: request)
            hasBegun.open()
            try? await Gate().wait()
            return response ?? HTTPResponse(.ok, to: request)
        }
    }

    @Test(.rows("S4-11"), arguments: Swallowing.Place.allCases, [false, true])
    func `a hook that swallows a cancellation does not make a success of it`(
        place: Swallowing.Place, isList: Bool
    ) async throws {
        let hasBegun = Gate()
        let ended = Locked(0)
        let mock = MockSession { request in
            let body = HTTPBody(AsyncStream<Data> { _ in })
            body.whenEnded { _ in ended.withLock { $0 += 1 } }
            return HTTPResponse(.ok, body: body, to: request)
        }
        let swallowing: any HTTPClientMiddleware =
            switch place {
            case .request, .response: Swallowing(place: place, hasBegun: hasBegun)
            case .around, .answer:
                SwallowingAround(isAnswering: place == .answer, hasBegun: hasBegun)
            }
        let after = Mark(name: "after", log: log)
        let session: any HTTPSession =
            isList
            ? URLClient(base: mock, middleware: [swallowing, after])
            // In a chain, response hooks run in reverse order.
            : place == .request ? mock.with(swallowing, after) : mock.with(after, swallowing)
        let task = Task { try await session.response(for: "http://h/") }
        try await hasBegun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // Nothing is sent after that, no later hook sees it, and a response that had arrived is
        // abandoned.
        #expect(mock.requests.count == (place == .request || place == .answer ? 0 : 1))
        #expect(ended.withLock { $0 } == mock.requests.count)
        #expect(!log.all.contains("< after"))
        if place == .request { #expect(log.all.isEmpty) }
    }

    // MARK: Lists that change

    private final class List: Sendable {
        private let middleware = Locked([any HTTPClientMiddleware]())
        var all: [any HTTPClientMiddleware] { middleware.withLock { $0 } }
        func change(to all: any HTTPClientMiddleware...) { middleware.withLock { $0 = all } }
    }

    private struct ChangingClient: HTTPMiddlewareSession {
        let base: any HTTPSession
        let list: List
        var middleware: [any HTTPClientMiddleware] { list.all }
    }

    @Test(.rows("S4-8"))
    func `a call keeps the list that it began with`() async throws {
        let list = List()
        list.change(to: Mark(name: "a", log: log))
        let mock = MockSession { [log] request in
            list.change(to: Mark(name: "b", log: log))
            return HTTPResponse(.ok, to: request)
        }
        let client = ChangingClient(base: mock, list: list)
        _ = try await client.response(for: "http://h/")
        #expect(log.all == ["> a", "< a"])
        _ = try await client.response(for: "http://h/")
        #expect(log.all.suffix(2) == ["> b", "< b"])
    }

    // MARK: Actors

    private actor Counter: HTTPClientMiddleware, HTTPSession {
        private(set) var requests = 0
        private(set) var answers = 0

        func intercept(
            _ request: HTTPRequest, next: any HTTPSession
        ) async throws -> HTTPResponse {
            requests += 1
            return try await next.response(for: request)
        }

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            answers += 1
            return HTTPResponse(.ok, to: request)
        }
    }

    @Test(.rows("S4-18"))
    func `an actor may be middleware, and a session`() async throws {
        let counter = Counter()
        let client = URLClient(base: counter, middleware: [counter])
        for _ in 0..<3 { _ = try await client.response(for: "http://h/") }
        #expect(await counter.requests == 3)
        #expect(await counter.answers == 3)
    }

    // MARK: Nesting

    @Test(.rows("S4-8", "S4-17"))
    func `sessions with middleware nest`() async throws {
        let inner = MiddlewareSession(mock, middleware: [Mark(name: "inner", log: log)])
        let outer = URLClient(base: inner, middleware: [Mark(name: "outer", log: log)])
        _ = try await outer.response(for: "http://h/")
        #expect(log.all == ["> outer", "> inner", "< inner", "< outer"])
    }

    // MARK: Transformers

    @Test(.rows("B-7"))
    func `a transformer makes another response, or fails the call`() async throws {
        let session = mock.with(
            ResponseTransformer { response, request in
                var response = response
                response.headers["X-Method"] = request.method.rawValue
                return response
            })
        #expect(try await session.response(for: "http://h/").headers["X-Method"] == "GET")
        let failing = mock.with(ResponseTransformer { _, _ in throw Refusal() })
        await #expect(throws: Refusal.self) { try await failing.response(for: "http://h/") }
    }
}
