import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation

/// The reports of a call's observer and timeline.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportObservationTests {
    final class EventLog: HTTPObserver {
        /// A record of an event. The event itself retains the request, thus the call, thus this
        /// log.
        struct Entry: Sendable {
            var name: String
            var callID: UInt64
            var instant: HTTPInstant
        }

        private let state = Locked([Entry]())
        let queued = Gate()
        let ended = Gate()

        var entries: [Entry] { state.withLock { $0 } }
        var names: [String] { entries.map(\.name) }

        func observe(_ event: HTTPEvent) {
            guard let name = Self.name(event) else { return }
            let entry = Entry(
                name: name, callID: event.callID, instant: event.instant)
            state.withLock { $0.append(entry) }
            switch event.kind {
            case .queued: queued.open()
            case .ended, .failed: ended.open()
            default: break
            }
        }

        /// Returns `nil` for the steps to a connection, which have tests of their own.
        static func name(_ event: HTTPEvent) -> String? {
            switch event.kind {
            case .resolving, .resolved, .connecting, .securing, .connected: nil
            case .queued: "queued"
            case .sending: "sending \(event.exchange ?? 0)"
            case .sent: "sent"
            case .informational(let head): "informational \(head.status.code)"
            case .head(let head): "head \(head.status.code)"
            case .ended(.complete, _): "complete"
            case .ended(.abandoned, _): "abandoned"
            case .ended(.failed, _): "cut"
            case .failed: "failed"
            default: "not of a transport"
            }
        }
    }

    enum Upload: Sendable, CaseIterable {
        case none, small, large, stream, emptyPost

        func add(to request: inout HTTPRequest) {
            if self != .none { request.method = .post }
            switch self {
            case .none, .emptyPost: break
            case .small: request.body = HTTPBody("hello")
            case .large: request.body = HTTPBody(Data(count: 200_000))
            case .stream:
                request.body = HTTPBody(
                    AsyncStream {
                        $0.yield(Data("hello".utf8))
                        $0.finish()
                    })
            }
        }
    }

    // MARK: Events

    @Test(.rows("B-10"), arguments: Upload.allCases, [true, false])
    func `a call's events come once and in order`(upload: Upload, isBuffered: Bool) async throws {
        let server = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
            ]
        })
        let log = EventLog()
        var request = try HTTPRequest(.get, server.url("/"))
        upload.add(to: &request)
        if isBuffered { request.delivery = .buffered(upTo: 10) }
        request = try request.beginningCall(observer: log)
        let session = CurlTransport()
        _ = try await session.response(for: request).data()
        await log.ended.waitIgnoringCancellation()
        let names = log.names
        #expect(Set(names.prefix(2)) == ["queued", "sending 1"])
        #expect(names.dropFirst(2) == ["sent", "informational 103", "head 200", "complete"])
        #expect(log.entries.allSatisfy { $0.callID == request.call?.id })
        let instants = log.entries.map(\.instant)
        #expect(instants == instants.sorted())
    }

    @Test(.rows("B-10"))
    func `a call that waits for its turn is known to be queued`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .ok() }
        server.enqueue([.pause(until: gate), .respond(.ok())])
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        async let first = session.response(for: server.url("/")).status
        try await gate.reached()
        let log = EventLog()
        let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: log)
        let second = Task { try await session.response(for: request).status }
        await log.queued.waitIgnoringCancellation()
        #expect(Set(log.names).isSubset(of: ["queued", "sending 1"]))
        gate.open()
        #expect(try await first == .ok)
        #expect(try await second.value == .ok)
    }

    @Test(
        .rows("B-10"),
        arguments: [
            ("refused", ["failed"]), ("lost", ["sent", "failed"]),
            ("cut", ["sent", "head 200", "cut"]),
            ("left", ["sent", "head 200", "abandoned"]),
        ])
    func `a call that ends badly says how`(way: String, expected: [String]) async throws {
        let server = try LoopbackServer(script: { request in
            let head = LoopbackScript.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
            return switch request.target {
            case "/lost": [.close]
            case "/cut": [head, .close]
            default: [head, .stall]
            }
        })
        let log = EventLog()
        let refusing = try RefusingPort()
        let url = way == "refused" ? refusing.url : server.url("/\(way)")
        let request = try HTTPRequest(.get, url).beginningCall(observer: log)
        let session = CurlTransport()
        if way == "left" {
            await (try session.response(for: request)).discard()
        } else {
            await #expect(throws: HTTPError.self) {
                try await session.response(for: request).data()
            }
        }
        await log.ended.waitIgnoringCancellation()
        #expect(Set(log.names.prefix(2)) == ["queued", "sending 1"])
        #expect(Array(log.names.dropFirst(2)) == expected)
    }

    /// A call retains the records of its exchanges. The exchanges must not retain the call.
    @Test(arguments: [true, false])
    func `a call that is over is released with its request and its observer`(
        succeeds: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        if !succeeds { server.enqueue([.close]) }
        let session = CurlTransport()
        weak var log: EventLog?
        weak var call: HTTPCall?
        do {
            let observer = EventLog()
            let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: observer)
            (log, call) = (observer, request.call)
            let text = try? await session.response(for: request).text()
            #expect(text == (succeeds ? "fine" : nil))
            await observer.ended.waitIgnoringCancellation()
        }
        // The loop lets go at the end of its turn, which is over when it has served another one.
        for _ in 0..<2 { _ = try await session.response(for: server.url("/")).text() }
        #expect(call == nil)
        #expect(log == nil)
    }

    // MARK: Timeline

    @Test(.rows("B-15"))
    func `marks follow each other and add up`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 200_000) }
        let session = CurlTransport()
        for isReused in [false, true, true] {
            let start = HTTPSystemClock().now
            let response = try await session.response(for: server.url("/"))
            _ = try await response.data()
            let end = HTTPSystemClock().now
            let exchange = try #require(response.timeline.exchanges.first)
            #expect(response.timeline.exchanges.count == 1)
            #expect(exchange.start >= start)
            let marks = [
                exchange.admitted, exchange.nameResolved, exchange.connected, exchange.sending,
                exchange.firstByte, exchange.lastByte,
            ].compactMap(\.self)
            #expect(marks == marks.sorted())
            #expect(marks.allSatisfy { $0 >= .zero && exchange.start + $0 <= end })
            #expect(exchange.admitted != nil && exchange.sending != nil)
            #expect(exchange.firstByte != nil && exchange.lastByte != nil)
            #expect((exchange.connected == nil) == isReused)
            #expect(exchange.secured == nil)
            #expect(exchange.isConnectionReused == isReused)
            #expect(exchange.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(exchange.version == .http1_1)
            #expect(exchange.responseBodyBytes == 200_000)
            #expect(exchange.decodedBodyBytes == 200_000)
            #expect(exchange.silentResends == 0)
        }
    }

    @Test func `no time is negative, and all are in order, while the loop is busy`()
        async throws
    {
        let server = try LoopbackServer { _ in
            LoopbackResponse(status: 200, fields: [(name: "Connection", value: "close")])
        }
        let large = try LoopbackServer { _ in .bytes(count: 1 << 26) }
        // Runs while the loop reads, and takes long.
        let calls = Record<Int64>()
        var slow = try HTTPRequest(.get, large.url("/"))
        slow.delivery = .buffered(upTo: 1 << 26)
        slow[ReceivingProgress.self] = { progress in
            calls.add(progress.bytes)
            let end = HTTPSystemClock().now + .microseconds(300)
            while HTTPSystemClock().now < end {}
        }
        let session = CurlTransport()
        let url = server.url
        let bad = Record<String>()
        let reader = Task { [slow] in try await session.response(for: slow) }
        defer { reader.cancel() }
        try await calls.wait(for: 1)
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        let response: HTTPResponse
                        do {
                            response = try await session.response(for: url)
                            _ = try await response.data()
                        } catch {
                            bad.add("\(error)")
                            continue
                        }
                        for exchange in response.timeline.exchanges {
                            let marks = [
                                exchange.admitted, exchange.nameResolved, exchange.connected,
                                exchange.sending, exchange.firstByte, exchange.lastByte,
                            ].compactMap(\.self)
                            if marks.contains(where: { $0 < .zero }) || marks != marks.sorted() {
                                bad.add("\(exchange)")
                            }
                        }
                    }
                }
            }
        }
        #expect(bad.entries.isEmpty, "\(bad.entries.prefix(3))")
    }

    @Test(.rows("B-15"))
    func `time in the queue is not time to connect`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .ok() }
        server.enqueue([.pause(until: gate), .respond(.ok())])
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = 1
        let session = try CurlTransport(configuration)
        async let first = session.response(for: server.url("/")).status
        try await gate.reached()
        let log = EventLog()
        let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: log)
        async let second = session.response(for: request)
        await log.queued.waitIgnoringCancellation()
        await #expect(throws: LoopbackError.timedOut) {
            try await server.waitUntil(within: .milliseconds(100)) { $0.requestCount > 1 }
        }
        gate.open()
        _ = try await first
        let exchange = try #require(try await second.timeline.exchanges.first)
        #expect(try #require(exchange.admitted) >= .milliseconds(50))
        #expect(try #require(exchange.sending) >= (try #require(exchange.admitted)))
    }

    @Test(arguments: Upload.allCases)
    func `sent bytes are counted without their framing`(upload: Upload) async throws {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.get, server.url("/"))
        upload.add(to: &request)
        let response = try await CurlTransport().response(for: request)
        _ = try await response.data()
        let content = try #require(try await server.nextRequest().content)
        #expect(
            response.timeline.exchanges.first?.requestBodyBytes == Int64(content.count))
    }

    // MARK: Failed connections

    @Test(.rows("S2-11"))
    func `a refused connection is reported at once`() async throws {
        let port = try RefusingPort()
        var request = try HTTPRequest(.get, port.url + "/x?secret=1")
        request.timeouts.connect = .never
        request.timeouts.total = .never
        let error = try #require(
            await #expect(throws: HTTPError.self) {
                try await CurlTransport().response(for: request)
            })
        #expect(error.code == .cannotConnect)
        #expect(error.phase == .connecting)
        #expect(!error.mayHaveReachedServer)
        #expect(error.isRetryable)
        #expect(error.underlyingError is SystemError)
        #expect(error.url == port.url + "/x?…")
        #expect(error.elapsed != nil)
        #expect(error.timeline?.exchanges.count == 1)
        #expect(error.timeline?.exchanges.first?.sending == nil)
    }

    /// `localhost` is often `::1` first, where nothing listens. That system error is in the past.
    @Test(.rows("S2-11"))
    func `a refused first address is not the reason of a later failure`() async throws {
        let server = try LoopbackServer(script: { _ in
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n")]
        })
        let session = CurlTransport()
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: "http://localhost:\(server.port)/").data()
            }
            #expect(error?.code == .protocolViolation)
            #expect(!(error?.underlyingError is SystemError))
        }
    }
}
