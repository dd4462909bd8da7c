import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPEventSourceTests {
    private let clock = HTTPTestClock()
    private let lost = HTTPError(.connectionLost, "lost", isRetryable: true)

    private var options: HTTPEventSourceOptions {
        var options = HTTPEventSourceOptions()
        options.clock = clock
        return options
    }

    /// Responds in order, and repeats the last response for ever.
    private func server(
        _ answers: @escaping @Sendable (HTTPRequest, Int) throws -> HTTPResponse
    ) -> MockSession {
        let count = Locked(0)
        return MockSession { request in
            try answers(
                request,
                count.withLock {
                    $0 += 1; return $0
                })
        }
    }

    private static func stream(_ text: String, to request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(
            .ok, headers: [.contentType: "text/event-stream"], body: HTTPBody(text), to: request)
    }

    /// A stream that breaks after `text`.
    private static func broken(_ text: String, to request: HTTPRequest) -> HTTPResponse {
        let pieces = AsyncThrowingStream<Data, any Error> { pieces in
            pieces.yield(Data(text.utf8))
            pieces.finish(
                throwing: HTTPError(
                    .bodyIncomplete, "broken", phase: .receiving, isRetryable: true))
        }
        return HTTPResponse(
            .ok, headers: [.contentType: "text/event-stream"], body: HTTPBody(pieces), to: request)
    }

    /// Returns all events, while time advances whenever the source waits.
    private func collect(_ source: HTTPEventSource) async throws -> [ServerSentEvent] {
        let time = Task { [clock] in
            while true {
                try await clock.waitForSleepers(1)
                if let deadline = clock.nextDeadline { clock.advance(to: deadline) }
            }
        }
        defer { time.cancel() }
        var events: [ServerSentEvent] = []
        for try await event in source { events.append(event) }
        return events
    }

    @Test func `events continue over connections, each after the last event ID, until a 204`()
        async throws
    {
        let session = server { request, number in
            switch number {
            case 1: Self.stream("id: 1\ndata: a\n\nretry: 650\ndata: b\n\ndata: lost", to: request)
            case 2: Self.broken("id: 2\ndata: c\n\ndata: lost", to: request)
            case 3: Self.stream("id\ndata: d\n\n", to: request)
            default: HTTPResponse(.noContent, to: request)
            }
        }
        let events = try await collect(session.events(from: "https://h/", options: options))
        #expect(events.map(\.data) == ["a", "b", "c", "d"])
        #expect(events.map(\.lastEventID) == ["1", "1", "2", ""])
        let sent = session.requests.map(\.headers)
        #expect(sent.map { $0[.lastEventID] } == [nil, "1", "2", nil])
        #expect(sent.allSatisfy { $0[.accept] == "text/event-stream" })
        #expect(sent.allSatisfy { $0[.cacheControl] == "no-store" })
        #expect(clock.sleeps == Array(repeating: .milliseconds(650), count: 3))
    }

    @Test func `no identifier of a server ends the source`() async throws {
        let session = server { request, number in
            switch number {
            case 1: Self.stream("id: 1\ndata: a\n\nid: \u{1B}2\ndata: b\n\n", to: request)
            case 2:
                Self.stream(
                    "id: \(String(repeating: "3", count: 900_000))\ndata: c\n\n", to: request)
            case 3: Self.stream("id:  4 \ndata: d\n\n", to: request)
            default: HTTPResponse(.noContent, to: request)
            }
        }
        let events = try await collect(session.events(from: "https://h/", options: options))
        #expect(events.map(\.data) == ["a", "b", "c", "d"])
        #expect(events[1].lastEventID == "\u{1B}2" && events[2].lastEventID.count == 900_000)
        #expect(session.requests.map { $0.headers[.lastEventID] } == [nil, "1", "1", "4"])
    }

    @Test func `a source waits for a server that is away, as long as it asks`() async throws {
        let session = server { request, number in
            switch number {
            case 1: Self.stream("id: 1\nretry: 0\ndata: a\n\n", to: request)
            case 2: HTTPResponse(.serviceUnavailable, headers: ["Retry-After": "7"], to: request)
            case 3: HTTPResponse(.tooManyRequests, to: request)
            case 4: Self.stream("data: b\n\n", to: request)
            default: HTTPResponse(.noContent, to: request)
            }
        }
        let events = try await collect(session.events(from: "https://h/", options: options))
        #expect(events.map(\.data) == ["a", "b"])
        #expect(session.requests.map { $0.headers[.lastEventID] } == [nil, "1", "1", "1", "1"])
        #expect(clock.sleeps == [.seconds(0.5), .seconds(7), .seconds(1), .seconds(0.5)])
    }

    @Test(arguments: [-86_400.0, 0, 86_400])
    func `a date to wait for is compared with the server's clock`(skew: Double) async throws {
        let session = server { [clock] request, number in
            switch number {
            case 1: return Self.stream("data: a\n\n", to: request)
            case 2:
                let date = clock.date.addingTimeInterval(skew)
                var headers = HTTPHeaders()
                headers[.date] = HTTPDate(date).description
                headers[.retryAfter] = HTTPDate(date.addingTimeInterval(20)).description
                return HTTPResponse(.serviceUnavailable, headers: headers, to: request)
            default: return HTTPResponse(.noContent, to: request)
            }
        }
        #expect(
            try await collect(session.events(from: "https://h/", options: options)).count == 1)
        #expect(clock.sleeps == [.seconds(3), .seconds(20)])
    }

    @Test func `the event that ends the events needs no blank line at the end`() async throws {
        let session = server { request, number in
            number == 1
                ? Self.stream("data: a\n\ndata: [DONE]", to: request)
                : HTTPResponse(.internalServerError, to: request)
        }
        let source = try session.events(from: "https://h/", endingAt: "[DONE]", options: options)
        #expect(try await collect(source).map(\.data) == ["a"])
        #expect(session.requests.count == 1)
    }

    @Test func `a source continues after an earlier one's last event`() async throws {
        let session = server { request, _ in HTTPResponse(.noContent, to: request) }
        var options = options
        options.lastEventID = "7"
        #expect(try await collect(session.events(from: "https://h/", options: options)).isEmpty)
        #expect(session.requests.map { $0.headers[.lastEventID] } == ["7"])
    }

    @Test(arguments: [
        (HTTPStatus.notFound, "text/event-stream"), (.serviceUnavailable, "text/event-stream"),
        (.ok, "text/plain"), (.created, "text/event-stream"),
    ])
    func `any other response is an error, and the source does not reconnect`(
        status: HTTPStatus, type: String
    ) async throws {
        let session = server { request, _ in
            HTTPResponse(
                status, headers: [.contentType: type], body: HTTPBody("data: a\n\n"), to: request)
        }
        let source = try session.events(from: "https://h/", options: options)
        let error = await #expect(throws: HTTPError.self) { try await collect(source) }
        #expect(error?.response?.status == status)
        #expect(session.requests.count == 1)
    }

    @Test func `a silent server is asked a limited number of times, at growing intervals`()
        async throws
    {
        let session = server { _, _ in throw lost }
        var options = options
        options.maxFailures = 3
        let source = try session.events(from: "https://h/", options: options)
        let error = await #expect(throws: HTTPError.self) { try await collect(source) }
        #expect(error?.code == .connectionLost)
        #expect(session.requests.count == 4)
        #expect(clock.sleeps == [.seconds(3), .seconds(6), .seconds(12)])
    }

    @Test func `nothing is sent before the first event is requested`() async throws {
        let session = server { request, _ in HTTPResponse(.noContent, to: request) }
        var events = try session.events(from: "https://h/").makeAsyncIterator()
        #expect(session.requests.isEmpty)
        #expect(try await events.next() == nil)
        #expect(try await events.next() == nil)
        #expect(session.requests.count == 1, "a sequence stays at its end")
    }

    @Test func `after an error there is nothing more`() async throws {
        let session = server { request, _ in HTTPResponse(.notFound, to: request) }
        var events = try session.events(from: "https://h/").makeAsyncIterator()
        do {
            _ = try await events.next()
            Issue.record("a 404 is an error")
        } catch {}
        #expect(try await events.next() == nil)
        #expect(session.requests.count == 1)
    }

    @Test func `a POST is sent once`() async throws {
        let session = server { request, _ in Self.stream("data: a\n\n", to: request) }
        let source = try session.events(
            from: HTTPRequest(.post, "https://h/", body: HTTPBody("{}")), options: options)
        #expect(try await collect(source).map(\.data) == ["a"])
        #expect(session.requests.count == 1)
    }

    @Test func `a task's deadline and unset limits do not apply, the request's own do`()
        async throws
    {
        let session = server { request, _ in HTTPResponse(.noContent, to: request) }
        try await HTTPDeadline.within(.seconds(5)) {
            let began = session.with(CallBeginning())
            _ = try await collect(began.events(from: "https://h/", options: options))
            var request = try HTTPRequest("https://h/")
            request.timeouts.idle = .seconds(7)
            request.deadline = HTTPInstant(sinceStart: .seconds(1 << 40))
            _ = try await collect(began.events(from: request, options: options))
        }
        let (first, second) = (session.requests[0], session.requests[1])
        #expect(first.deadline == nil)
        #expect(first.timeouts.idle == .never)
        #expect(first.timeouts.total == .never)
        #expect(second.timeouts.idle == .seconds(7))
        #expect(second.deadline == HTTPInstant(sinceStart: .seconds(1 << 40)))
    }

    @Test func `limits that a client sets apply to each connection`() async throws {
        let session = server { request, _ in HTTPResponse(.noContent, to: request) }
        let client = HTTPClient(transport: session) { $0.timeouts.idle = .seconds(7) }
        for source in [client, client.with(CallBeginning()), MiddlewareSession(client)]
            as [any HTTPSession]
        {
            _ = try await collect(source.events(from: "https://h/", options: options))
            var patient = try HTTPRequest("https://h/")
            patient.timeouts.idle = .never
            _ = try await collect(source.events(from: patient, options: options))
        }
        #expect(
            session.requests.map(\.timeouts.idle)
                == Array(repeating: [.seconds(7), .never], count: 3).flatMap(\.self))
        #expect(session.requests.allSatisfy { $0.timeouts.total == .never })
    }

    @Test func `a client's deadline for each call ends connections, not the events`() async throws {
        let mock = server { request, number in
            switch number {
            case 1, 2:
                let pieces = AsyncThrowingStream<Data, any Error> { pieces in
                    pieces.yield(Data("data: \(number)\n\n".utf8))
                    pieces.finish(
                        throwing: HTTPError(
                            .timedOut, "late", timer: .init(.deadline, .seconds(9))))
                }
                return HTTPResponse(
                    .ok, headers: [.contentType: "text/event-stream"], body: HTTPBody(pieces),
                    to: request)
            default: return HTTPResponse(.noContent, to: request)
            }
        }
        let client = HTTPClient(transport: mock) { $0.deadline = .seconds(9) }
        let source = try client.events(from: "https://h/", options: options)
        #expect(try await collect(source).map(\.data) == ["1", "2"])
        #expect(mock.requests.allSatisfy { $0.deadline != nil })
    }

    private struct CallBeginning: HTTPClientMiddleware {
        func intercept(
            _ request: HTTPRequest, next: any HTTPSession
        ) async throws -> HTTPResponse {
            try await next.response(for: request.beginningCall())
        }
    }

    @Test func `cancelling ends a wait`() async throws {
        let session = server { request, _ in Self.stream("", to: request) }
        let source = try session.events(from: "https://h/", options: options)
        let task = Task { for try await _ in source {} }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a line without end is an error`() async throws {
        let session = server { request, _ in
            Self.stream("data: " + String(repeating: "x", count: 100), to: request)
        }
        var options = options
        options.limit = 50
        let source = try session.events(from: "https://h/", options: options)
        let error = await #expect(throws: HTTPError.self) { try await collect(source) }
        #expect(error?.code == .bodyTooLarge)
        #expect(session.requests.count == 1)
    }

    @Test func `the event that ends the events is the last of all connections`() async throws {
        let session = server { request, number in
            Self.stream("id: \(number)\ndata: \(number == 1 ? "a" : "[DONE]")\n\n", to: request)
        }
        let source = try session.events(
            from: "https://h/", endingAt: "[DONE]", options: options)
        #expect(try await collect(source).map(\.data) == ["a"])
        #expect(session.requests.map { $0.headers[.lastEventID] } == [nil, "1"])
        var events = try session.events(from: "https://h/", endingAt: "[DONE]").makeAsyncIterator()
        for _ in 0..<2 { #expect(try await events.next() == nil) }
        #expect(session.requests.count == 3, "a sequence stays at its end")
    }

    @Test func `a POST's response that ends before that event is not complete`() async throws {
        let session = server { request, _ in Self.stream("data: a\n\n", to: request) }
        let source = try session.events(
            from: HTTPRequest(.post, "https://h/"), endingAt: "[DONE]", options: options)
        let error = await #expect(throws: HTTPError.self) { try await collect(source) }
        #expect(error?.code == .bodyIncomplete)
        #expect(session.requests.count == 1)
    }

    @Test(arguments: ClientWire.allCases)
    func `over a real connection, leaving the loop gives it up`(wire: ClientWire) async throws {
        let gate = LoopbackGate()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        let server = try LoopbackServer(script: { request in
            if request["Last-Event-ID"] == nil {
                return [.send(head + "\r\nid: 1\nretry: 1\ndata: a\n\n"), .close]
            }
            return [
                .send(head + "\r\nid: 2\ndata: b\n\n"), .pause(until: gate), .stall,
            ]
        })
        var seen: [String] = []
        for try await event in try wire.transport().events(from: server.url("/")) {
            seen.append(event.data)
            if event.data == "b" { break }
        }
        #expect(seen == ["a", "b"])
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(server.log.map { $0.request?["Last-Event-ID"] } == [nil, "1"])
    }

    @Test(arguments: ClientWire.allCases)
    func `over a real connection, the event that ends the events ends a response without end`(
        wire: ClientWire
    ) async throws {
        let gate = LoopbackGate()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        let server = try LoopbackServer(script: { _ in
            [.send(head + "\r\ndata: a\n\ndata: [DONE]\n\n"), .pause(until: gate), .stall]
        })
        let transport = try wire.transport()
        for _ in 0..<2 {
            var seen: [String] = []
            for try await event in try transport.events(from: server.url("/"), endingAt: "[DONE]") {
                seen.append(event.data)
            }
            #expect(seen == ["a"])
        }
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(server.log.count == 2)
    }
}
