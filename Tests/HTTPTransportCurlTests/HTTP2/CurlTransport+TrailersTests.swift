import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportCurl

/// Trailers of responses over HTTP/2, and how they are asked for (RFC 9110 §6.5, §10.1.4).
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportTrailersTests {
    typealias Frame = FrameServer.Frame

    /// The end of a response whose body is `[1, 2, 3]`.
    enum Ending: CaseIterable, Sendable {
        /// The last piece of the body ends the stream.
        case data
        /// An empty piece does.
        case emptyData
        /// Trailers do.
        case trailers

        func frames(_ stream: UInt32) -> [Frame] {
            let body = "[1, 2, 3]"
            return switch self {
            case .data: [.data(stream, body, ends: true)]
            case .emptyData: [.data(stream, body), .data(stream, "", ends: true)]
            case .trailers: [.data(stream, body), Self.trailers(stream)]
            }
        }

        /// `x-sum: 1`, as a literal with a new name (RFC 7541 §6.2.2).
        private static func trailers(_ stream: UInt32) -> Frame {
            let fields: [UInt8] = [0, 5] + Array("x-sum".utf8) + [1] + Array("1".utf8)
            return Frame(
                kind: .headers, flags: Frame.endHeaders | Frame.endStream, stream: stream,
                payload: fields)
        }
    }

    private static var losesTrailers: Bool {
        (try? CurlLibrary.loaded.get())?.has(.lostTrailers) ?? true
    }

    @Test(arguments: Ending.allCases, [9, nil] as [Int?])
    func `trailers are those that came, none, or not known`(
        ending: Ending, length: Int?
    ) async throws {
        for (delivery, inPieces) in [
            (HTTPDelivery.streamed, true), (.streamed, false), (.buffered(upTo: 1 << 20), true),
            (.buffered(upTo: 1 << 20), false),
        ] {
            let server = try await FrameServer { connection in
                while let stream = connection.nextRequest() {
                    let frames = [.ok(stream, length: length)] + ending.frames(stream)
                    if inPieces {
                        for frame in frames {
                            connection.send(frame)
                            connection.sync()
                        }
                    } else {
                        connection.send(frames)
                    }
                }
            }
            var request = try HTTPRequest(.get, server.url)
            request.version = .http2
            request.delivery = delivery
            let session = try await TestAuthority.transport()
            let response = try await session.response(for: request)
            #expect(try await response.text() == "[1, 2, 3]")
            let trailers = response.trailers
            let comment: Comment = "\(delivery), in pieces: \(inPieces)"
            switch ending {
            case .trailers where Self.losesTrailers && length != nil:
                #expect(trailers == nil, comment)
            case .trailers: #expect(trailers == ["x-sum": "1"], comment)
            // If the length has come before the end of the stream, it is not known what follows.
            case .emptyData where Self.losesTrailers && length != nil:
                #expect(trailers?.isEmpty ?? true, comment)
            case .data, .emptyData: #expect(trailers == [:], comment)
            }
        }
    }

    @Test func `a head alone has no trailers`() async throws {
        let server = try await FrameServer { connection in
            guard let stream = connection.nextRequest() else { return }
            connection.send(.ok(stream, length: 0, ends: true))
            connection.drain()
        }
        var request = try HTTPRequest(.get, server.url)
        request.version = .http2
        let response = try await TestAuthority.transport().response(for: request)
        #expect(try await response.text() == "")
        #expect(response.trailers == (Self.losesTrailers ? nil : [:]))
    }

    @Test(
        arguments: [
            "Content-Length: 2\r\n\r\nok", "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        ])
    func `a response of HTTP/1 without trailers has none`(rest: String) async throws {
        let server = try LoopbackServer(script: { _ in [.send("HTTP/1.1 200 OK\r\n" + rest)] })
        let session = CurlTransport()
        let response = try await session.response(for: server.url("/"))
        #expect(try await response.text() == "ok")
        #expect(response.trailers == [:])
    }

    // MARK: Asking

    @Test func `trailers are asked for over HTTP/2`() async throws {
        let heads = Record<[UInt8]>()
        let server = try await FrameServer { connection in
            while let head = connection.next(where: { $0.kind == .headers }) {
                heads.add(head.payload)
                connection.send(.ok(head.stream, length: 0, ends: true))
            }
        }
        let session = try await TestAuthority.transport()
        for asks in [false, true] {
            var request = try HTTPRequest(.get, server.url)
            request.version = .http2
            request[AcceptTrailers.self] = asks
            _ = try await session.response(for: request).text()
        }
        // `trailers` in the code of RFC 7541, appendix B.
        let code: [UInt8] = [0x4D, 0x83, 0x35, 0x05, 0xB1, 0x1F]
        let asked = heads.entries.map { head in
            head.indices.contains { head[$0...].starts(with: code) }
        }
        #expect(asked == [false, true])
    }

    @Test func `trailers are asked for over HTTP/1, of the next server alone`() async throws {
        let server = try LoopbackServer { request in
            .ok("\(request["TE"] ?? "-"), \(request["Connection"] ?? "-")")
        }
        let session = CurlTransport()
        func fields(_ change: (inout HTTPRequest) -> Void) async throws -> String {
            var request = try HTTPRequest(.get, server.url("/"))
            change(&request)
            return try await session.response(for: request).text()
        }
        #expect(try await fields { _ in } == "-, -")
        #expect(
            try await fields { $0[AcceptTrailers.self] = true } == "trailers, TE")
        #expect(
            try await fields {
                $0[AcceptTrailers.self] = true
                $0[ConnectionClose.self] = true
            } == "trailers, close, TE")
    }
}
