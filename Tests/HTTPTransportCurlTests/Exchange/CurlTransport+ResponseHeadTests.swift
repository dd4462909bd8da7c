import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation

/// The limit of the wait for the head: when it begins, and that it ends no other wait.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportResponseHeadTests {
    private static func failure(
        _ request: HTTPRequest, over session: CurlTransport = CurlTransport()
    ) async throws -> (error: HTTPError, elapsed: Duration) {
        let start = ContinuousClock.now
        let error = try #require(
            await #expect(throws: HTTPError.self) {
                try await session.response(for: request).data()
            })
        return (error, ContinuousClock.now - start)
    }

    private static func server(_ script: LoopbackScript) throws -> LoopbackServer {
        var options = LoopbackOptions()
        options.waitsForContent = false
        return try LoopbackServer(options, script: { _ in script })
    }

    // MARK: The end of the request

    @Test func `the limit begins when a server that reads slowly has taken the body`() async throws
    {
        let limit = Duration.milliseconds(200)
        let server = try Self.server([
            .stopReading, .pause(limit * 3), .startReading, .awaitContentEnd, .stall,
        ])
        var request = try HTTPRequest(
            .post, server.url("/"), body: HTTPBody(Data(count: 32 << 20)))
        request.timeouts.responseHead = .after(limit)
        let (error, elapsed) = try await Self.failure(request)
        #expect(error.timer == HTTPError.Timer(.responseHead, limit))
        #expect(error.phase == .waiting)
        #expect(elapsed >= limit * 4)
        // What the system had taken over from us arrives.
        try await server.waitUntil { ($0.log.first?.bytesReceived ?? 0) > 32 << 20 }
    }

    @Test func `the limit begins when a slow producer has ended`() async throws {
        let limit = Duration.milliseconds(200)
        let server = try Self.server([.awaitContentEnd, .stall])
        let count = Locked(0)
        let pieces = AsyncStream<Data> {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 { try? await HTTPSystemClock().sleep(for: limit * 3) }
            return number < 3 ? Data("a".utf8) : nil
        }
        var request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(pieces, length: 2))
        request.timeouts.responseHead = .after(limit)
        let (error, elapsed) = try await Self.failure(request)
        #expect(error.timer?.name == .responseHead)
        #expect(elapsed >= limit * 4)
    }

    @Test func `a server that lets the client wait for its 100 is not limited`() async throws {
        try await patiently(from: .milliseconds(150)) { limit in
            let server = try Self.server([
                .pause(limit * 3), .send("HTTP/1.1 100 Continue\r\n\r\n"), .awaitContentEnd,
                .respond(.ok("fine")),
            ])
            var request = try HTTPRequest(.post, server.url("/"), body: HTTPBody("hello"))
            request[ExpectContinue.self] = .seconds(60)
            request.timeouts.responseHead = .after(limit)
            do {
                let text = try await CurlTransport().response(for: request).text()
                #expect(text == "fine")
            } catch let error as HTTPError where error.timer?.name == .responseHead {
                throw TooSoon(error)
            }
        }
    }

    @Test func `a body that the server does not want to see the end of is not waited for`()
        async throws
    {
        let server = try Self.server([.respond(.ok("early")), .stall])
        let (pieces, producer) = AsyncStream<Data>.makeStream()
        producer.yield(Data("a".utf8))
        var request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(pieces, length: 2))
        request.timeouts.responseHead = .milliseconds(50)
        let response = try await CurlTransport().response(for: request)
        #expect(try await response.text() == "early")
        producer.finish()
    }

    @Test(arguments: [1, 1000, 64 << 10])
    func `a short body is written with the head, and the limit begins`(count: Int) async throws {
        let limit = Duration.milliseconds(100)
        let server = try Self.server([.awaitContentEnd, .stall])
        var request = try HTTPRequest(
            .post, server.url("/"), body: HTTPBody(Data(count: count)))
        request.timeouts = HTTPTimeouts(responseHead: .after(limit), idle: .seconds(60))
        let (error, elapsed) = try await Self.failure(request)
        #expect(error.timer == HTTPError.Timer(.responseHead, limit))
        #expect(elapsed >= limit)
    }

    // MARK: Each send

    @Test func `a request that the library sends again has the whole limit again`() async throws {
        try await patiently(from: .milliseconds(200)) { limit in
            let most = limit * 3 / 4
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            let server = try LoopbackServer(scripts: [
                [.awaitHead, .send(head), .awaitHead, .pause(most), .close],
                [.awaitHead, .pause(most), .send(head), .stall],
            ])
            let session = CurlTransport()
            _ = try await session.response(for: server.url).data()
            var request = try HTTPRequest(.get, server.url("/"))
            request.timeouts.responseHead = .after(limit)
            do {
                let response = try await session.response(for: request)
                #expect(response.timeline.exchanges.first?.silentResends == 1)
            } catch let error as HTTPError where error.timer?.name == .responseHead {
                throw TooSoon(error)
            }
        }
    }

    @Test func `a request that the library sends again is limited, too`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        for body in [HTTPBody.empty, HTTPBody(Data(count: 100_000))] {
            try await patiently(from: .milliseconds(500)) { limit in
                let server = try LoopbackServer(scripts: [
                    [.awaitHead, .send(head), .awaitHead, .awaitContentEnd, .close],
                    [.awaitHead, .awaitContentEnd, .stall],
                ])
                let session = CurlTransport()
                _ = try await session.response(for: server.url).data()
                var request = try HTTPRequest(
                    body.isEmpty ? .get : .put, server.url("/"), body: body)
                request.timeouts.responseHead = .after(limit)
                let (error, _) = try await Self.failure(request, over: session)
                #expect(error.timer?.name == .responseHead)
                let resends = error.timeline?.exchanges.first?.silentResends
                if resends == 0 { throw TooSoon(error) }
                #expect(resends == 1)
                #expect(server.connections.accepted == 2)
            }
        }
    }

    // MARK: Races

    @Test func `a head that comes as the limit passes is a response or an error`() async throws {
        let limit = Duration.milliseconds(30)
        let server = try LoopbackServer(script: { request in
            request.path == "/fine"
                ? [.respond(.ok("fine"))] : [.pause(limit), .respond(.ok("late"))]
        })
        let session = CurlTransport()
        try await withThrowingTaskGroup { group in
            for number in 0..<60 {
                group.addTask {
                    var request = try HTTPRequest(.get, server.url("/\(number)"))
                    request.timeouts.responseHead = .after(limit)
                    if number.isMultiple(of: 2) { request.delivery = .buffered(upTo: 100) }
                    do {
                        let text = try await session.response(for: request).text()
                        #expect(text == "late")
                    } catch let error as HTTPError {
                        #expect(error.timer == HTTPError.Timer(.responseHead, limit))
                        #expect(error.response == nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await session.response(for: server.url("/fine")).text() == "fine")
    }

    @Test func `the idle limit ends a longer wait for the head first`() async throws {
        let server = try Self.server([.stall])
        var request = try HTTPRequest(.get, server.url("/"))
        request.timeouts = HTTPTimeouts(responseHead: .seconds(60), idle: .milliseconds(200))
        let (error, _) = try await Self.failure(request)
        #expect(error.timer?.name == .idle)
    }

    // MARK: HTTP/2

    @Test(.enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
    func `over HTTP 2 the limit ends one stream, and the others go on`() async throws {
        let gate = LoopbackGate()
        let origin = try LoopbackServer(script: { request in
            switch request.path {
            case "/stall": [.stall]
            case "/gate": [.pause(until: gate), .respond(.ok("fine"))]
            default: [.respond(.ok("fine"))]
            }
        })
        var options = NginxServer.Options()
        options.forwards = true
        let server = try await NginxServer.start(options)
        let session = try await TestAuthority.transport()
        @Sendable func request(_ path: String, _ body: HTTPBody = .empty) throws -> HTTPRequest {
            var request = try HTTPRequest(
                body.isEmpty ? .get : .post, server.url(path),
                headers: ["X-Port": "\(origin.port)"],
                body: body)
            request.version = .http2
            return request
        }
        _ = try await session.response(for: request("/")).data()
        async let other = session.response(for: request("/gate")).text()
        try await gate.reached()
        var bodies = [HTTPBody.empty, HTTPBody("hello"), HTTPBody(Data(count: 60_000))]
        if try CurlTransport.library.uploadsOverHTTP2 {
            bodies.append(HTTPBody(Data(count: 200_000)))
        }
        for body in bodies {
            var limited = try request("/stall", body)
            limited.timeouts.responseHead = .milliseconds(200)
            let (error, _) = try await Self.failure(limited, over: session)
            #expect(error.timer == HTTPError.Timer(.responseHead, .milliseconds(200)))
            #expect(error.phase == .waiting)
        }
        gate.open()
        #expect(try await other == "fine")
        #expect(try await session.response(for: request("/")).text() == "fine")
        // The connection is silent for each of the limits, so that the next request has another.
        let opened = await session.statistics().total.opened
        #expect((2...bodies.count + 1).contains(opened))
    }
}
