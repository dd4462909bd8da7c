import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// The ends of HTTP/2 streams: a response is complete if the server has ended it, or its length has
/// come, and otherwise it is not (RFC 9113 §8.1).
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportStreamEndTests {
    typealias Frame = FrameServer.Frame

    /// The part of a response that comes before its stream is closed.
    enum Body: CaseIterable, Sendable {
        case none, part, whole

        func frames(_ stream: UInt32, length: Int?, ends: Bool) -> [Frame] {
            switch self {
            case .none: [.ok(stream, length: length, ends: ends)]
            case .part: [.ok(stream, length: length), .data(stream, "[1, 2, 3", ends: ends)]
            case .whole: [.ok(stream, length: length), .data(stream, "[1, 2, 3]", ends: ends)]
            }
        }
    }

    private static let length = 9

    /// Before 8.3, a head that comes together with the end of its stream may be lost. The client
    /// then reads what comes before the end.
    private static var losesHeads: Bool {
        (try? CurlLibrary.loaded.get())?.has(.lostEarlyResponses) ?? true
    }

    private static func server(
        _ body: Body, length: Int?, ends: Bool, error: UInt32?, inPieces: Bool
    ) async throws -> FrameServer {
        try await FrameServer { connection in
            guard let stream = connection.nextRequest() else { return }
            let frames = body.frames(stream, length: length, ends: ends)
            for frame in frames {
                connection.send(frame)
                if inPieces { connection.sync() }
            }
            if let error { connection.send(.reset(stream, error)) }
            connection.drain()
        }
    }

    private static func outcome(
        _ server: FrameServer, _ delivery: HTTPDelivery
    ) async throws -> (text: String?, error: HTTPError?) {
        var request = try HTTPRequest(.get, server.url)
        request.version = .http2
        request.delivery = delivery
        let session = try await TestAuthority.transport()
        do {
            return (try await session.response(for: request).text(), nil)
        } catch let error as HTTPError {
            return (nil, error)
        }
    }

    @Test(arguments: [Body.none, .part], [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)])
    func `a body of unknown length that is broken off is incomplete, even without an error`(
        body: Body, delivery: HTTPDelivery
    ) async throws {
        for error in [UInt32(0), 2, 8] {
            let server = try await Self.server(
                body, length: nil, ends: false, error: error, inPieces: true)
            let outcome = try await Self.outcome(server, delivery)
            #expect(outcome.error?.code == .bodyIncomplete, "error \(error)")
            #expect(outcome.error?.isRetryable == true)
            #expect(outcome.error?.mayHaveReachedServer == true)
            #expect(outcome.error?.response?.status == .ok)
            #expect(CurlLibrary.seesStreams)
        }
    }

    @Test(arguments: [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)])
    func `JSON that is broken off is an error, not a shorter value`(
        delivery: HTTPDelivery
    ) async throws {
        let server = try await FrameServer { connection in
            while let stream = connection.nextRequest() {
                connection.send(.ok(stream), .data(stream, "12"))
                connection.sync()
                connection.send(.reset(stream, 0))
            }
        }
        let session = try await TestAuthority.transport()
        var request = try HTTPRequest(.get, server.url)
        request.delivery = delivery
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request).json(Int.self)
        }
        #expect(error?.code == .bodyIncomplete)
    }

    @Test(arguments: Body.allCases, [nil, 0, 8] as [UInt32?])
    func `a body that the server has ended is complete, whatever closes its stream`(
        body: Body, error: UInt32?
    ) async throws {
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            let server = try await Self.server(
                body, length: nil, ends: true, error: error, inPieces: Self.losesHeads)
            let outcome = try await Self.outcome(server, delivery)
            #expect(outcome.error == nil)
            #expect(outcome.text == (body == .none ? "" : body == .part ? "[1, 2, 3" : "[1, 2, 3]"))
        }
    }

    @Test(arguments: [0, 2, 8] as [UInt32])
    func `a body whose length has come is complete, whatever closes its stream`(
        error: UInt32
    ) async throws {
        let server = try await Self.server(
            .whole, length: Self.length, ends: false, error: error, inPieces: true)
        let outcome = try await Self.outcome(server, .streamed)
        #expect(outcome.text == "[1, 2, 3]")
    }

    @Test(arguments: [nil, 0, 2, 8] as [UInt32?])
    func `a body shorter than its length is incomplete, even if the server has ended it`(
        error: UInt32?
    ) async throws {
        let server = try await Self.server(
            .part, length: Self.length, ends: error == nil, error: error, inPieces: true)
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 20)] {
            let outcome = try await Self.outcome(server, delivery)
            #expect(outcome.error?.code == .bodyIncomplete)
        }
    }

    @Test(arguments: [0, 1, 2, 5, 8, 11] as [UInt32])
    func `a stream that is closed before a head has lost the response`(
        error: UInt32
    ) async throws {
        let server = try await FrameServer { connection in
            while let stream = connection.nextRequest() { connection.send(.reset(stream, error)) }
        }
        let outcome = try await Self.outcome(server, .streamed)
        #expect(outcome.error?.code == .connectionLost)
        #expect(outcome.error?.mayHaveReachedServer == true)
    }

    /// libcurl itself repeats the request of the transfer that has opened a connection, once
    /// another transfer uses it, too.
    @Test func `what has opened a connection that others share is not sent twice`() async throws {
        let (opened, joined) = (Gate(), Gate())
        let posts = Locked(0)
        let server = try await FrameServer { connection in
            guard let last = connection.next(where: \.hasEnded) else { return }
            // Only the POST has a body.
            if last.kind == .data { posts.withLock { $0 += 1 } }
            guard connection.number == 0 else { return connection.drain() }
            opened.open()
            guard connection.nextRequest() != nil else { return }
            joined.open()
            connection.abort()
        }
        let session = try await TestAuthority.transport()
        let url = server.url
        func request(_ method: HTTPMethod) throws -> HTTPRequest {
            var request = try HTTPRequest(
                method, url, body: method == .post ? HTTPBody("x") : .empty)
            request.version = .http2
            return request.deadline(in: .seconds(20))
        }
        let post = try request(.post)
        let first = Task { try await session.response(for: post) }
        try await opened.wait()
        let get = try request(.get)
        let second = Task { try await session.response(for: get) }
        try await joined.wait()
        let error = await #expect(throws: HTTPError.self) { try await first.value }
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveReachedServer == true)
        #expect(posts.withLock { $0 } == 1)
        second.cancel()
        _ = try? await second.value
    }
}
