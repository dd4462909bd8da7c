import HTTPCore
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

/// Connections of HTTP/2 that a server has broken, but not closed.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestAuthority.isAvailable, "openssl is not installed"),
    .enabled(if: (try? CurlLibrary.loaded.get().hasHTTP2) == true, "libcurl is without HTTP/2"))
struct CurlTransportBrokenConnectionTests {
    /// The ways in which a server breaks a connection (RFC 9113 §5.4.1).
    enum Break: String, CaseIterable, Sendable {
        case manyFrames, manyFramesInBody, unknownField, largeFrame, dataOnNoStream
        case headsOfNoRequest, continuationOfNothing, oddSettings, idleReset, windowOfConnection

        func frames(_ stream: UInt32) -> [FrameServer.Frame] {
            switch self {
            // A head in more frames than nghttp2 takes.
            case .manyFrames: Self.manyFrames(stream)
            case .manyFramesInBody: [.ok(stream), .data(stream, "begun")] + Self.manyFrames(stream)
            // An index beyond the table (RFC 7541 §2.3.3).
            case .unknownField:
                [
                    .init(
                        kind: .headers, flags: FrameServer.Frame.endHeaders, stream: stream,
                        payload: [0x88, 0xFF, 0xFF, 0x7F])
                ]
            case .largeFrame:
                [
                    .ok(stream),
                    .init(
                        kind: .data, stream: stream,
                        payload: Array(repeating: 0x61, count: 1 << 24 - 1)),
                ]
            case .dataOnNoStream: [.data(0, "lost")]
            case .headsOfNoRequest: [.ok(stream + 1)]
            case .continuationOfNothing:
                [.init(kind: .continuation, flags: 4, stream: stream, payload: [0x88])]
            case .oddSettings: [.init(kind: .settings, stream: 0, payload: [0, 3, 0])]
            case .idleReset: [.reset(stream + 100, 8)]
            case .windowOfConnection: [.window(0, 0)]
            }
        }

        private static func manyFrames(_ stream: UInt32) -> [FrameServer.Frame] {
            [.init(kind: .headers, stream: stream, payload: [0x88])]
                + (0..<20).map {
                    // x-… with an empty value, as a literal without the table (RFC 7541 §6.2.2).
                    .init(
                        kind: .continuation, flags: $0 == 19 ? 4 : 0, stream: stream,
                        payload: [0, 3] + Array("x-a".utf8) + [0])
                }
        }
    }

    /// The server reads on, and answers everything that comes later, unless the client tells it of
    /// the failure. libcurl does so for only some of them.
    @Test(arguments: Break.allCases)
    func `no later request uses a connection that is broken`(break: Break) async throws {
        let server = try await FrameServer { connection in
            guard let stream = connection.nextWholeRequest() else { return }
            if connection.number == 0 {
                connection.send(`break`.frames(stream))
            } else {
                connection.send(.ok(stream, ends: true))
            }
            while let frame = connection.next() {
                if frame.hasEnded { connection.send(.ok(frame.stream, ends: true)) }
                if frame.kind == .goAway { return }
            }
        }
        let session = try await Self.session()
        var broken = try HTTPRequest(.post, server.url)
        broken.version = .http2
        broken.timeouts.total = .after(.seconds(20))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: broken).data()
        }
        #expect(error?.code != .timedOut, "\(String(describing: error))")
        var later = try HTTPRequest(.post, server.url)
        later.version = .http2
        let response = try await session.response(for: later)
        #expect(response.status == .ok)
        _ = try await response.data()
        #expect(server.connectionCount == 2)
    }

    /// Only the first request's response breaks the connection. libcurl reports it to both.
    @Test(arguments: [Break.manyFrames, .manyFramesInBody])
    func `what breaks the connection of a request is not blamed on its response`(
        break: Break
    ) async throws {
        let hasFirst = Gate()
        let server = try await FrameServer { connection in
            guard connection.number == 0 else {
                if let stream = connection.nextWholeRequest() {
                    connection.send(.ok(stream, ends: true))
                }
                return connection.drain()
            }
            guard let first = connection.nextWholeRequest() else { return }
            hasFirst.open()
            guard connection.nextWholeRequest() != nil else { return }
            connection.send(`break`.frames(first))
            connection.drain()
        }
        let session = try await Self.session()
        var request = try HTTPRequest(.post, server.url)
        request.version = .http2
        request.timeouts.total = .after(.seconds(20))
        let first = Task { [request] in try await session.response(for: request).data() }
        try await hasFirst.wait()
        let second = Task { [request] in try await session.response(for: request).data() }
        let errors = [await first.result, await second.result].map { result in
            #expect(throws: HTTPError.self) { try result.get() }
        }
        for error in errors { #expect(error?.code != .timedOut, "\(String(describing: error))") }
        #expect(errors[1]?.code == .connectionLost, "\(String(describing: errors[1]))")
        #expect(errors[1]?.isRetryable == true && errors[1]?.mayHaveReachedServer == true)
        let response = try await session.response(for: request)
        #expect(response.status == .ok)
        _ = try await response.data()
    }

    /// The ways in which one stream ends, or a connection begins to end, without harm to others.
    enum Mild: String, CaseIterable, Sendable {
        case complete, noError, noErrorAfterHead, cancel, internalError, refused, goAway

        func frames(_ stream: UInt32) -> [FrameServer.Frame] {
            switch self {
            case .complete: [.ok(stream, ends: true)]
            case .noError: [.reset(stream, 0)]
            case .noErrorAfterHead: [.ok(stream), .reset(stream, 0)]
            case .cancel: [.ok(stream), .reset(stream, 8)]
            case .internalError: [.reset(stream, 2)]
            case .refused: [.reset(stream, 7)]
            case .goAway: [.goAway(stream), .ok(stream, ends: true)]
            }
        }
    }

    /// The first response is under way while all that happens.
    @Test(arguments: Mild.allCases)
    func `what ends one request does not end another on its connection`(mild: Mild) async throws {
        let hasFirst = Gate()
        let server = try await FrameServer { connection in
            var first: UInt32?
            if connection.number == 0 {
                first = connection.nextWholeRequest()
                guard let first else { return }
                connection.send(.ok(first), .data(first, "begun, "))
                hasFirst.open()
                guard let second = connection.nextWholeRequest() else { return }
                connection.send(mild.frames(second) + [.ping])
            }
            while let frame = connection.next() {
                if frame.hasEnded { connection.send(.ok(frame.stream, ends: true)) }
                // The client has read all of the above.
                if frame.kind == .ping, let first {
                    connection.send(.data(first, "ended", ends: true))
                }
            }
        }
        let session = try await Self.session()
        var request = try HTTPRequest(.post, server.url)
        request.version = .http2
        request.timeouts.total = .after(.seconds(20))
        let first = Task { [request] in try await session.response(for: request).data() }
        try await hasFirst.wait()
        _ = try? await session.response(for: request).data()
        let third = try await session.response(for: request)
        #expect(third.status == .ok)
        _ = try await third.data()
        #expect(try await first.value.elementsEqual("begun, ended".utf8))
    }

    private static func session() async throws -> CurlTransport {
        var configuration = try await TestAuthority.trusting()
        configuration.eventLoops = 1
        return try CurlTransport(configuration)
    }
}
