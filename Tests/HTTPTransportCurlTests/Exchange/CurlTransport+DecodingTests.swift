import HTTPCodings
import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CurlTransportDecodingTests {
    private static let text = String(repeating: "All work and no play. ", count: 4000)

    private static func coded(_ text: String, _ coding: HTTPContentCoding) throws -> [UInt8] {
        Array(try ContentEncoder.encode(Data(text.utf8), coding))
    }

    private static func response(
        _ coding: String, _ bytes: [UInt8], _ framing: LoopbackResponse.Framing = .contentLength
    ) -> LoopbackResponse {
        LoopbackResponse(
            fields: [("Content-Encoding", coding), ("X", "1")], content: .bytes(bytes),
            framing: framing)
    }

    @Test(
        arguments: HTTPContentCoding.allCases,
        [LoopbackResponse.Framing.contentLength, .chunked, .untilClose])
    func `coded content is decoded and the head says nothing about it`(
        coding: HTTPContentCoding, framing: LoopbackResponse.Framing
    ) async throws {
        let bytes = try Self.coded(Self.text, coding)
        let server = try LoopbackServer { _ in
            Self.response(coding.rawValue, bytes, framing)
        }
        let session = CurlTransport()
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            var request = try HTTPRequest(.get, server.url("/"))
            request.delivery = delivery
            let response = try await session.response(for: request)
            #expect(response.headers[.contentEncoding] == nil)
            #expect(response.headers[.contentLength] == nil)
            #expect(response.headers["X"] == "1")
            if delivery == .streamed { #expect(response.body.length == nil) }
            #expect(try await response.text() == Self.text)
            let exchange = try #require(response.timeline.exchanges.first)
            #expect(exchange.responseBodyBytes == Int64(bytes.count))
            #expect(exchange.decodedBodyBytes == Int64(Self.text.utf8.count))
        }
    }

    @Test(arguments: [HTTPHeaderName("Accept-Encoding"), "Range"], ["", "gzip", "bytes=0-"])
    func `a request that names a coding or a range gets the body as it was sent`(
        name: HTTPHeaderName, value: String
    ) async throws {
        let bytes = try Self.coded("hello", .gzip)
        let server = try LoopbackServer { _ in Self.response("gzip", bytes) }
        var request = try HTTPRequest(.get, server.url("/"))
        request.headers[name] = value
        let response = try await CurlTransport().response(for: request)
        #expect(try await response.data() == Data(bytes))
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(response.headers[.contentLength] == "\(bytes.count)")
        if name == "Range" {
            #expect(try await server.nextRequest()["Accept-Encoding"] == nil)
        }
    }

    @Test func `a transport that does not decode does not ask and does not touch`() async throws {
        let bytes = try Self.coded("hello", .gzip)
        let server = try LoopbackServer { _ in Self.response("gzip", bytes) }
        var configuration = CurlConfiguration()
        configuration.decodesContent = false
        let response = try await CurlTransport(configuration).response(for: server.url("/"))
        #expect(try await response.data() == Data(bytes))
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(try await server.nextRequest()["Accept-Encoding"] == nil)
    }

    @Test func `identity is no coding`() async throws {
        let server = try LoopbackServer { _ in Self.response("identity", Array("hello".utf8)) }
        #expect(try await CurlTransport().response(for: server.url("/")).text() == "hello")
    }

    @Test(arguments: [
        "x-compressed-by-magic", "aws-chunked", "utf-8", "gzip, aws-chunked", "br, compress, gzip",
        "gz ip", "gzip;q=1", "*",
    ])
    func `content in an unknown coding is passed on as it is`(codings: String) async throws {
        let server = try LoopbackServer { _ in Self.response(codings, Array("hello".utf8)) }
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            var request = try HTTPRequest(.get, server.url("/"))
            request.delivery = delivery
            let response = try await CurlTransport().response(for: request)
            #expect(response.headers[.contentEncoding] == codings)
            #expect(response.headers[.contentLength] == "5")
            #expect(try await response.data() == Data("hello".utf8))
        }
    }

    @Test(arguments: HTTPMethod.allTested, [200, 204, 206, 304])
    func `what has no content has no coding to end`(method: HTTPMethod, status: Int) async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(status: status, fields: [("Content-Encoding", "gzip")])
        }
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            var request = try HTTPRequest(method, server.url("/"))
            request.delivery = delivery
            let response = try await CurlTransport().response(for: request)
            let isDecoded = method != .head && (status == 200 || status == 206)
            #expect(response.headers[.contentEncoding] == (isDecoded ? nil : "gzip"))
            #expect(try await response.data().isEmpty)
        }
    }

    @Test func `an error has the beginning of what was decoded`() async throws {
        let bytes = try Self.coded(Self.text, .gzip)
        let server = try LoopbackServer { _ in
            Self.response("gzip", bytes.dropLast(4), .untilClose)
        }
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            var request = try HTTPRequest(.get, server.url("/"))
            request.delivery = delivery
            let sent = request
            let error = await #expect(throws: HTTPError.self) {
                try await CurlTransport().response(for: sent).data()
            }
            #expect(error?.message == "the content ends before its coding does (gzip)")
            #expect(error?.bodyPrefix == Data(Self.text.utf8.prefix(4096)))
            #expect(error?.response?.status == .ok)
        }
    }

    @Test func `a body that breaks off on the wire says so, and not that its coding has not ended`()
        async throws
    {
        let bytes = try Self.coded(Self.text, .gzip)
        let server = try LoopbackServer { _ in
            Self.response("gzip", bytes).breaking(.close, at: .content(after: bytes.count - 20))
        }
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            var request = try HTTPRequest(.get, server.url("/"))
            request.delivery = delivery
            let sent = request
            let error = await #expect(throws: HTTPError.self) {
                try await CurlTransport().response(for: sent).data()
            }
            #expect(error?.code == .bodyIncomplete)
            #expect(error?.bodyPrefix?.starts(with: Self.text.utf8.prefix(1000)) == true)
        }
    }

    @Test func `the limit of a buffered body counts what is decoded, to the byte`() async throws {
        for content in [Self.text, String(repeating: "\u{0}", count: 100_000)] {
            let count = content.utf8.count
            let bytes = try Self.coded(content, .gzip)
            let server = try LoopbackServer { _ in Self.response("gzip", bytes) }
            for limit in [count, count - 1, bytes.count, 0] {
                var request = try HTTPRequest(.get, server.url("/"))
                request.delivery = .buffered(upTo: limit)
                do {
                    let response = try await CurlTransport().response(for: request)
                    #expect(limit == count)
                    #expect(try await response.text() == content)
                } catch let error as HTTPError {
                    #expect(limit < count && error.code == .bodyTooLarge)
                    #expect(error.message.contains("longer than \(limit) bytes"))
                }
            }
        }
    }

    @Test func `a piece that the server has flushed is read before the next one is sent`()
        async throws
    {
        for coding in HTTPContentCoding.allCases {
            let gate = LoopbackGate()
            var encoder = try ContentEncoder(coding)
            let first = Array(try encoder.encode(Data("first".utf8), flushes: true))
            let rest = Array(
                try encoder.encode(Data("rest".utf8), flushes: true) + encoder.finish())
            let server = try LoopbackServer { _ in
                [
                    .send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.rawValue)\r\n\r\n"),
                    .send(first), .pause(until: gate), .send(rest), .close,
                ]
            }
            let response = try await CurlTransport().response(for: server.url("/"))
            var pieces = response.body.makeAsyncIterator()
            #expect(try await pieces.next() == Data("first".utf8))
            gate.open()
            #expect(try await pieces.next() == Data("rest".utf8))
            #expect(try await pieces.next() == nil)
        }
    }

    @Test func `an observer learns of an end that the reader finds`() async throws {
        let bytes = try Self.coded(Self.text, .gzip)
        for (sent, isWhole) in [(bytes, true), (Array(bytes.dropLast()), false)] {
            let server = try LoopbackServer { _ in Self.response("gzip", sent, .untilClose) }
            for reads in [true, false] {
                let events = Record<HTTPEvent>()
                let request = try HTTPRequest(.get, server.url("/"))
                    .beginningCall(observer: EventRecorder(events))
                let response = try await CurlTransport().response(for: request)
                if reads {
                    _ = try? await response.data()
                } else {
                    response.body.abandon()
                }
                try await events.wait { $0.contains { $0.kind.isEnd } }
                let ends = events.entries.filter(\.kind.isEnd)
                #expect(ends.count == 1)
                guard case .ended(let end, let exchange) = ends.first?.kind else { continue }
                switch end {
                case .complete: #expect(reads && isWhole)
                case .failed(let error):
                    #expect(reads && !isWhole)
                    #expect((error as? HTTPError)?.code == .contentDecodingFailed)
                case .abandoned: #expect(!reads)
                }
                if reads { #expect(exchange.decodedBodyBytes == Int64(Self.text.utf8.count)) }
            }
        }
    }

    private static func ends(_ events: [HTTPEvent]) -> [String] {
        events.compactMap { event in
            guard case .ended(let end, _) = event.kind else { return nil }
            return switch end {
            case .complete: "complete"
            case .abandoned: "abandoned"
            case .failed(let error): (error as? HTTPError)?.code.rawValue ?? "failed"
            }
        }
    }

    @Test(arguments: [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)])
    func `the end of a coded response that comes before its request has ended is told once`(
        delivery: HTTPDelivery
    ) async throws {
        let whole = try Self.coded(Self.text, .gzip)
        var damaged = whole
        damaged[damaged.count - 6] ^= 1
        for (bytes, end) in [(whole, "complete"), (damaged, "contentDecodingFailed")] {
            let server = try CurlTransportDuplexTests.server {
                LoopbackScript([
                    .awaitContent(1),
                    .send(
                        """
                        HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\
                        Content-Length: \(bytes.count)\r\n\r\n
                        """),
                    .send(bytes),
                ])
            }
            let isRead = Gate()
            let events = Record<HTTPEvent>()
            var request = try HTTPRequest(
                .post, server.url("/"),
                body: CurlTransportDuplexTests.waiting(
                    for: isRead, rest: 300_000, knowsLength: false))
            request.delivery = delivery
            request = try request.beginningCall(observer: EventRecorder(events))
            let session = CurlTransport()
            _ = try? await session.response(for: request).data()
            isRead.open()
            try await events.wait { !Self.ends($0).isEmpty }
            await session.close()
            #expect(Self.ends(events.entries) == [end])
        }
    }

    /// The deed of a reader while the loop has the end of its exchange, and has not told of it.
    enum Deed: CaseIterable {
        case reads, abandons, discards, isCancelled
    }

    @Test(arguments: Deed.allCases, [true, false])
    func `an end that a reader makes while the other end comes is told once, as it was`(
        deed: Deed, isDamaged: Bool
    ) async throws {
        var bytes = try Self.coded(
            (0..<4000).map { "\($0 &* 7919 % 100_003) " }.joined(), .gzip)
        if isDamaged { for index in 3000..<3100 { bytes[index] ^= 0xA5 } }
        let content = bytes
        let server = try LoopbackServer { _ in Self.response("gzip", content) }
        for round in 0..<(TestCounts.isFull ? 2000 : 200) {
            let events = Record<HTTPEvent>()
            let request = try HTTPRequest(.get, server.url("/"))
                .beginningCall(observer: EventRecorder(events))
            let session = CurlTransport()
            let response = try await session.response(for: request)
            let task = Task {
                switch deed {
                case .reads, .isCancelled: for try await _ in response.body {}
                case .abandons: response.body.abandon()
                case .discards: await response.body.discard()
                }
            }
            if deed == .isCancelled {
                for _ in 0..<round % 64 { await Task.yield() }
                task.cancel()
            }
            let outcome = await task.result
            try await events.wait { !Self.ends($0).isEmpty }
            await session.close()
            let ends = Self.ends(events.entries)
            switch (deed, outcome) {
            case (.abandons, _), (.discards, _): #expect(ends == ["abandoned"])
            case (_, .success): #expect(!isDamaged && ends == ["complete"])
            case (_, .failure(let error as HTTPError)): #expect(ends == [error.code.rawValue])
            case (_, .failure): #expect(ends == ["abandoned"])
            }
        }
    }

    @Test func `codings that are too many do not end an exchange that begins again`() async throws {
        let tooMany = "gzip, gzip, gzip, gzip"
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(options) { _ in
            Self.response("identity", Array("fine".utf8))
        }
        let refusal = "HTTP/1.1 417 No\r\nContent-Encoding: \(tooMany)\r\nContent-Length: 2\r\n\r\n"
        server.enqueue([.send(refusal + "no")])
        var request = try HTTPRequest(.post, server.url("/")).text("hello")
        request[ExpectContinue.self] = .seconds(20)
        let response = try await CurlTransport().response(for: request)
        #expect(response.status == .ok)

    }

    @Test func `an error about the codings has their response`() async throws {
        let server = try LoopbackServer { _ in Self.response("gzip, gzip, gzip, gzip", [1]) }
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().response(for: server.url("/"))
        }
        #expect(error?.code == .contentDecodingFailed && error?.response?.status == .ok)
    }

    @Test func `a task that is cancelled stops to decode what has come`() async throws {
        let zeros = try Self.coded(String(repeating: "\u{0}", count: 30 << 20), .gzip)
        let server = try LoopbackServer { _ in Self.response("gzip", zeros) }
        var configuration = CurlConfiguration()
        configuration.maximumExpansion = nil
        let session = try CurlTransport(configuration)
        let task = Task {
            var count = 0
            for try await piece in try await session.response(for: server.url).body {
                count += piece.count
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
            return count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

extension HTTPMethod {
    fileprivate static let allTested: [HTTPMethod] = [.get, .head, .post]
}

extension HTTPEvent.Kind {
    fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
}
