import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation

/// A response that comes before its request's body has been sent: both go on side by side.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportDuplexTests {
    typealias EventLog = CurlTransportObservationTests.EventLog

    enum Framing: Sendable, CaseIterable {
        case length, chunks, trailers, unframed

        static let kept: [Self] = [.length, .chunks, .trailers]

        func head(_ status: Int, _ count: Int, _ fields: String = "") -> String {
            let framing =
                switch self {
                case .length: "Content-Length: \(count)\r\n"
                case .chunks, .trailers: "Transfer-Encoding: chunked\r\n"
                case .unframed: ""
                }
            return "HTTP/1.1 \(status) x\r\n\(framing)\(fields)\r\n"
        }

        func body(_ count: Int) -> [LoopbackScript.Step] {
            switch self {
            case .length, .unframed: [.generate(count)]
            case .chunks: [.generateChunks(count), .send("0\r\n\r\n")]
            case .trailers: [.generateChunks(count), .send("0\r\nX-T: 1\r\n\r\n")]
            }
        }
    }

    /// The kind of body that sends the bytes of an upload.
    enum Form: Sendable, CaseIterable {
        case bytes, file, stream, chunkedStream

        func body(_ count: Int) throws -> HTTPBody {
            switch self {
            case .bytes: HTTPBody(PatternCheck.bytes(0..<count))
            case .file: try PatternFile.shared(count).body()
            case .stream:
                HTTPBody(source: CurlTransportUploadTests.Producer(count), length: Int64(count))
            case .chunkedStream: HTTPBody(source: CurlTransportUploadTests.Producer(count))
            }
        }
    }

    /// Yields one byte, and `rest` more once the gate is open.
    static func waiting(for gate: Gate, rest: Int, knowsLength: Bool) -> HTTPBody {
        let step = Locked(0)
        let stream = AsyncStream<Data>(unfolding: {
            let number = step.withLock { step in
                step += 1
                return step
            }
            switch number {
            case 1: return Data([0])
            case 2:
                await gate.waitIgnoringCancellation()
                return Data(count: rest)
            default: return nil
            }
        })
        return HTTPBody(stream, length: knowsLength ? Int64(rest + 1) : nil)
    }

    static func server(_ script: @escaping @Sendable () -> LoopbackScript) throws -> LoopbackServer
    {
        var options = LoopbackOptions()
        options.waitsForContent = false
        return try LoopbackServer(
            options,
            script: { request in
                request.method == "GET" ? [.respond(.ok("next"))] : script()
            })
    }

    @Test(arguments: Framing.kept, [true, false])
    func `a producer may wait for the end of the response`(
        framing: Framing, knowsLength: Bool
    ) async throws {
        // Beyond the watermark, too, so that the reader's pauses are among it.
        for count in [0, 5, 2_000_000] {
            for isBuffered in [true, false] {
                let server = try Self.server {
                    LoopbackScript(
                        [.awaitContent(1), .send(framing.head(200, count))] + framing.body(count))
                }
                let isRead = Gate()
                let log = EventLog()
                var request = try HTTPRequest(
                    .post, server.url("/"),
                    body: Self.waiting(for: isRead, rest: 300_000, knowsLength: knowsLength))
                if isBuffered { request.delivery = .buffered(upTo: 2_000_000) }
                request = try request.beginningCall(observer: log)
                let session = CurlTransport()
                let response = try await session.response(for: request)
                var whole = Data()
                for try await piece in response.body {
                    await Task.yield()
                    whole += piece
                }
                #expect(whole == PatternCheck.bytes(0..<count))
                #expect(response.body.trailers?["X-T"] == (framing == .trailers ? "1" : nil))
                #expect(!log.names.contains("sent"))
                isRead.open()
                #expect(try await server.nextRequest().contentCount == 300_001)
                await log.ended.waitIgnoringCancellation()
                #expect(Array(log.names.suffix(3)) == ["head 200", "sent", "complete"])
                #expect(response.timeline.exchanges.first?.requestBodyBytes == 300_001)
                let next = try await session.response(for: server.url("/next"))
                #expect(try await next.text() == "next")
                #expect(server.connections.accepted == 1, "the connection was kept")
            }
        }
    }

    @Test(arguments: Framing.kept, Form.allCases)
    func `all of a body is sent although the response has come`(
        framing: Framing, form: Form
    ) async throws {
        let count = 16 << 20
        let server = try Self.server {
            LoopbackScript(
                [.awaitContent(3 << 20), .send(framing.head(200, 5))] + framing.body(5))
        }
        let log = EventLog()
        let request = try HTTPRequest(.put, server.url("/"), body: try form.body(count))
            .beginningCall(observer: log)
        let session = CurlTransport()
        #expect(try await session.response(for: request).data().count == 5)
        #expect(try await server.nextRequest().contentCount == count)
        await log.ended.waitIgnoringCancellation()
        #expect(Array(log.names.suffix(3)) == ["head 200", "sent", "complete"])
        #expect(request.call?.timeline.exchanges.first?.requestBodyBytes == Int64(count))
    }

    @Test(arguments: [302, 401, 413, 500, 200], Form.allCases)
    func `a body that is not wanted is cut, and the response is delivered whole`(
        status: Int, form: Form
    ) async throws {
        for closes in [true, false] where closes || status >= 300 {
            for framing in Framing.allCases where closes || framing != .unframed {
                let server = try Self.server {
                    LoopbackScript(
                        [
                            .awaitContent(1),
                            .send(
                                framing.head(
                                    status, 300_000, closes ? "Connection: close\r\n" : "")),
                        ] + framing.body(300_000) + (closes ? [.close] : [.stopReading, .stall]))
                }
                let log = EventLog()
                let request = try HTTPRequest(
                    .put, server.url("/"), body: try form.body(32 << 20)
                ).beginningCall(observer: log)
                let session = CurlTransport()
                let response = try await session.response(for: request)
                #expect(response.status.code == status)
                let body = try await response.data()
                #expect(body == PatternCheck.bytes(0..<300_000), "\(framing), closes: \(closes)")
                await log.ended.waitIgnoringCancellation()
                #expect(Array(log.names.suffix(2)) == ["head \(status)", "complete"])
                #expect(!log.names.contains("sent"))
                let sent = request.call?.timeline.exchanges.first?.requestBodyBytes ?? -1
                #expect((1..<32 << 20).contains(sent))
                let next = try await session.response(for: server.url("/next"))
                #expect(try await next.text() == "next")
                #expect(server.connections.accepted == 2, "a cut connection is not used again")
            }
        }
    }

    @Test(arguments: Framing.kept)
    func `a producer that waits does not hold back a refusal`(framing: Framing) async throws {
        let server = try Self.server {
            LoopbackScript(
                [.awaitContent(1), .send(framing.head(403, 5))] + framing.body(5) + [.stall])
        }
        let never = Gate()
        let request = try HTTPRequest(
            .post, server.url("/"), body: Self.waiting(for: never, rest: 9, knowsLength: false))
        #expect(try await CurlTransport().response(for: request).data().count == 5)
        never.open()
    }

    @Test func `what is still being sent keeps its limits`() async throws {
        let server = try Self.server {
            [
                .awaitContent(1), .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly"),
                .stopReading, .stall,
            ]
        }
        for kind in ["idle", "total", "deadline"] {
            let names = try await patiently(from: .seconds(1)) { limit in
                let producer = CurlTransportUploadTests.Producer(1 << 30, piece: 65_536)
                let log = EventLog()
                var request = try HTTPRequest(
                    .post, server.url("/"), body: HTTPBody(source: producer))
                switch kind {
                case "idle": request.timeouts.idle = .after(limit)
                case "total": request.timeouts.total = .after(limit)
                default: request.deadline = HTTPSystemClock().now + limit
                }
                request = try request.beginningCall(observer: log)
                let start = ContinuousClock.now
                do {
                    let response = try await CurlTransport().response(for: request)
                    #expect(try await response.text() == "early")
                } catch let error as HTTPError where error.timer != nil {
                    throw TooSoon(error)
                }
                await producer.abandoned.waitIgnoringCancellation()
                await log.ended.waitIgnoringCancellation()
                // A deadline began before the call.
                #expect(ContinuousClock.now - start >= limit - .milliseconds(50), "\(kind)")
                return log.names
            }
            #expect(!names.contains("sent"), "\(kind)")
            #expect(names.last != "complete", "\(kind)")
        }
    }

    @Test func `closing the transport ends what is still being sent`() async throws {
        let server = try Self.server {
            [
                .awaitContent(1), .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly"),
                .stopReading, .stall,
            ]
        }
        let producer = CurlTransportUploadTests.Producer(1 << 30, piece: 65_536)
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(source: producer))
        let session = CurlTransport()
        #expect(try await session.response(for: request).text() == "early")
        await session.close(grace: .zero)
        await producer.abandoned.waitIgnoringCancellation()
    }

    @Test(arguments: [true, false])
    func `a short rest is given up without the upload`(isDropped: Bool) async throws {
        let server = try Self.server {
            [
                .awaitContent(1), .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nea"),
                .awaitContentEnd, .send("rly"),
            ]
        }
        let goOn = Gate()
        let request = try HTTPRequest(
            .post, server.url("/"), body: Self.waiting(for: goOn, rest: 300_000, knowsLength: true))
        let session = CurlTransport()
        do {
            let response = try await session.response(for: request)
            if !isDropped { response.body.abandon() }
        }
        goOn.open()
        #expect(try await server.nextRequest().contentCount == 300_001)
        #expect(try await session.response(for: server.url("/next")).text() == "next")
    }

    @Test func `giving up a rest of unknown length cuts both`() async throws {
        let server = try Self.server {
            [
                .awaitContent(1),
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nea\r\n"), .stall,
            ]
        }
        let producer = CurlTransportUploadTests.Producer(1 << 30, piece: 65_536)
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(source: producer))
        let response = try await CurlTransport().response(for: request)
        response.body.abandon()
        await producer.abandoned.waitIgnoringCancellation()
    }
}
