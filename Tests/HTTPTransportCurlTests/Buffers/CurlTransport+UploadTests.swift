import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation
import PortableLibc

@Suite(.timeLimit(.minutes(5))) struct CurlTransportUploadTests {
    /// Produces the pattern in pieces, to its end or until it is abandoned, and counts the bytes.
    final class Producer: HTTPBodySource {
        struct Failure: Error, Equatable {}

        private struct State {
            var produced = 0
            var isAbandoned = false
        }
        private let state = Locked(State())
        private let count: Int
        private let piece: Int
        private let fails: Bool
        /// A gate that opens when the transport abandons the body.
        let abandoned = Gate()

        init(_ count: Int, piece: Int = 10_000, fails: Bool = false) {
            (self.count, self.piece, self.fails) = (count, piece, fails)
        }

        var produced: Int { state.withLock { $0.produced } }

        func next() async throws -> Data? {
            let range = state.withLock { state in
                let start = state.produced
                state.produced = min(start + piece, count)
                return start..<state.produced
            }
            if range.isEmpty, fails { throw Failure() }
            return range.isEmpty ? nil : PatternCheck.bytes(range)
        }

        func abandon() { abandoned.open() }
    }

    enum Kind: Sendable, CaseIterable {
        case bytes, file, fileRange, restartable, restartableUnknown, once, onceUnknown

        var knowsLength: Bool { self != .restartableUnknown && self != .onceUnknown }

        func body(_ count: Int) throws -> HTTPBody {
            let range = Int64(7)..<Int64(7 + count)
            return switch self {
            case .bytes: HTTPBody(PatternCheck.bytes(0..<count))
            case .file: try PatternFile.shared(count).body()
            case .fileRange: try PatternFile.shared(count + 3, after: 7).body(range)
            case .restartable: HTTPBody(length: Int64(count)) { Producer(count) }
            case .restartableUnknown: HTTPBody(length: nil) { Producer(count) }
            case .once: HTTPBody(source: Producer(count), length: Int64(count))
            case .onceUnknown: HTTPBody(source: Producer(count, piece: 70_000))
            }
        }
    }

    @Test(arguments: Kind.allCases, [0, 1, 64 << 10, (64 << 10) + 1, 4 << 20])
    func `a body of any kind and size arrives whole and framed`(
        kind: Kind, count: Int
    ) async throws {
        let server = try LoopbackServer { _ in .ok("thanks") }
        let session = CurlTransport()
        for method in [HTTPMethod.post, .put] {
            let request = try HTTPRequest(method, server.url("/"), body: try kind.body(count))
            #expect(try await session.response(for: request).text() == "thanks")
            let seen = try await server.nextRequest()
            let content = try #require(seen.content)
            #expect(Data(content) == PatternCheck.bytes(0..<count))
            #expect(seen["Content-Length"] == (kind.knowsLength ? "\(count)" : nil))
            #expect(seen["Transfer-Encoding"] == (kind.knowsLength ? nil : "chunked"))
            #expect(seen["Expect"] == nil)
            #expect(seen["Content-Type"] == nil)
        }
        #expect(server.connections.accepted == 1)
    }

    @Test func `empty pieces and one large piece are no matter`() async throws {
        let large = PatternCheck.bytes(0..<2_000_000)
        let server = try LoopbackServer { _ in .ok() }
        let stream = AsyncStream<Data> { continuation in
            for piece in [Data(), large, Data(), Data()] { continuation.yield(piece) }
            continuation.finish()
        }
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(stream))
        let response = try await CurlTransport().response(for: request)
        _ = try await response.data()
        let content = try #require(try await server.nextRequest().content)
        #expect(Data(content) == large)
        #expect(response.timeline.exchanges.first?.requestBodyBytes == 2_000_000)
    }

    @Test(arguments: [(100_000, 100_001), (100_000, 200_000), (0, 1), (9, 10)])
    func `a body that ends early fails and the server sees the cut`(
        count: Int, declared: Int
    ) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let body = HTTPBody(source: Producer(count), length: Int64(declared))
        let session = CurlTransport()
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: try HTTPRequest(.post, server.url("/"), body: body))
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.phase == .sending)
        try await server.waitUntil { $0.log.first?.ending != nil }
        #expect(server.log.first?.isRequestComplete == false)
        #expect(try await session.response(for: server.url("/")).status == .ok)
    }

    @Test(arguments: [(100_001, 100_000), (200_000, 100_000), (10, 5), (1, 0)])
    func `a body that goes on beyond its length fails`(count: Int, declared: Int) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let body = HTTPBody(source: Producer(count), length: Int64(declared))
        let session = CurlTransport()
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: try HTTPRequest(.post, server.url("/"), body: body))
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(try await session.response(for: server.url("/")).status == .ok)
    }

    @Test func `a surplus that comes late fails, too`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let answered = Gate()
        let body = HTTPBody(length: 5) {
            AsyncStream<Data>(
                unfolding: {
                    // The first piece is all that was declared.
                    guard answered.isOpen else {
                        answered.open()
                        return Data("hello".utf8)
                    }
                    try? await server.waitUntil(within: .seconds(1)) {
                        $0.log.first?.isRequestComplete == true
                    }
                    return Data("more".utf8)
                })
        }
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().response(
                for: try HTTPRequest(.post, server.url("/"), body: body)
            ).data()
        }
        #expect(error?.code == .requestBodyFailed)
    }

    @Test(arguments: [0, 10, 500_000], [true, false])
    func `a producer that throws fails the request and the server sees the cut`(
        count: Int, knowsLength: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let producer = Producer(count, fails: true)
        let body = HTTPBody(source: producer, length: knowsLength ? 1_000_000 : nil)
        let session = CurlTransport()
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: try HTTPRequest(.put, server.url("/"), body: body))
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.underlyingError as? Producer.Failure == Producer.Failure())
        #expect(error?.phase == .sending)
        try await server.waitUntil { $0.log.first?.ending != nil }
        #expect(server.log.first?.isRequestComplete == false)
        #expect(try await session.response(for: server.url("/")).status == .ok)
    }

    @Test func `a producer that cannot start fails the request`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let body = HTTPBody(length: 10) { () async throws -> any HTTPBodySource in
            throw Producer.Failure()
        }
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().response(
                for: try HTTPRequest(.put, server.url("/"), body: body))
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.underlyingError as? Producer.Failure == Producer.Failure())
    }

    @Test(arguments: [true, false])
    func `a server that does not read holds the producer back`(knowsLength: Bool) async throws {
        let gate = LoopbackGate()
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(
            options,
            script: { _ in
                [
                    .stopReading, .pause(until: gate), .startReading, .awaitContentEnd,
                    .choose { LoopbackResponse.ok("\($0.contentCount)").script(answering: $0) },
                ]
            })
        let count = 32 << 20
        let producer = Producer(count, piece: 65_536)
        let body = HTTPBody(source: producer, length: knowsLength ? Int64(count) : nil)
        let request = try HTTPRequest(.post, server.url("/"), body: body)
        async let text = CurlTransport().response(for: request).text()
        try await gate.reached()
        // The system's buffers take an unknown part. The producer must stop well before this limit.
        await #expect(throws: LoopbackError.timedOut) {
            try await server.waitUntil(within: .milliseconds(500)) { _ in
                producer.produced > 16 << 20
            }
        }
        #expect(producer.produced <= 16 << 20)
        gate.open()
        #expect(try await text == "\(count)")
    }

    @Test(arguments: [401, 413, 500])
    func `an early refusal is delivered and the producer is let go`(status: Int) async throws {
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(
            options,
            script: { _ in
                [
                    .awaitContent(1),
                    .send("HTTP/1.1 \(status) x\r\nContent-Length: 5\r\n\r\nearly"),
                    .stopReading, .stall,
                ]
            })
        let producer = Producer(1 << 30, piece: 65_536)
        let body = HTTPBody(source: producer)
        let request = try HTTPRequest(.post, server.url("/"), body: body)
        let response = try await CurlTransport().response(for: request)
        #expect(response.status.code == status)
        #expect(try await response.text() == "early")
        await producer.abandoned.waitIgnoringCancellation()
        #expect(producer.produced < 64 << 20)
    }

    @Test func `an answer before the body's end is delivered while the upload goes on`()
        async throws
    {
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(
            options,
            script: { _ in
                [
                    .awaitContent(1), .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"),
                    .awaitContentEnd, .send("done"),
                ]
            })
        let goOn = Gate()
        let stream = AsyncStream<Data>(
            unfolding: { [count = Locked(0)] in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 2 { await goOn.waitIgnoringCancellation() }
                return number <= 3 ? Data("x".utf8) : nil
            })
        let request = try HTTPRequest(.post, server.url("/"), body: HTTPBody(stream))
        let response = try await CurlTransport().response(for: request)
        #expect(response.status == .ok)
        goOn.open()
        #expect(try await response.text() == "done")
    }

    @Test func `a one-shot body is sent once`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        let request = try HTTPRequest(
            .post, server.url("/"), body: HTTPBody(source: Producer(10), length: 10))
        _ = try await session.response(for: request).data()
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.code == .bodyAlreadyRead)
        #expect(server.snapshot.requestCount == 1)
    }

    @Test func `a file that goes away before it is sent fails the request`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let file = try PatternFile(100_000)
        let body = try file.body()
        file.remove()
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().response(
                for: try HTTPRequest(.put, server.url("/"), body: body))
        }
        #expect(error?.code == .requestBodyFailed)
        #expect(error?.underlyingError != nil)
        #expect(server.connections.accepted == 0, "it is opened before anything is sent")
    }

    @Test func `fifty uploads at once arrive whole`() async throws {
        let server = try LoopbackServer { request in
            let content = Data(request.content ?? [])
            return .ok("\(content.count) \(content == PatternCheck.bytes(0..<content.count))")
        }
        let session = CurlTransport()
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let count = number * 5003
                    let kind: Kind = number % 2 == 0 ? .onceUnknown : .restartable
                    let request = try HTTPRequest(
                        .put, server.url("/"), body: try kind.body(count))
                    return try await session.response(for: request).text() == "\(count) true"
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 50))
    }
}
