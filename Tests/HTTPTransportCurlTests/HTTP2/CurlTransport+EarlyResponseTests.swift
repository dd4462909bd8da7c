import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// Responses that come before the request's body was read, after which the server wants no more of
/// it (RFC 9112 §9.6, RFC 9113 §8.1).
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportEarlyResponseTests {
    typealias Frame = FrameServer.Frame

    /// The body of a request.
    enum Upload: CaseIterable, Sendable {
        case small, packet, long, stream

        var body: HTTPBody {
            let counts: [Upload: Int] = [.small: 10, .packet: 60_000, .long: 1 << 20]
            return counts[self].map { HTTPBody(Data(count: $0)) }
                ?? HTTPBody(source: PatternSource(pieces: 40, of: 16 << 10))
        }
    }

    /// A stream of zeros.
    private final class PatternSource: HTTPBodySource {
        private let left: Locked<Int>
        private let size: Int

        init(pieces: Int, of size: Int) {
            left = Locked(pieces)
            self.size = size
        }

        func next() async throws -> Data? {
            left.withLock { left in
                left -= 1
                return left < 0 ? nil : Data(count: size)
            }
        }

        func abandon() {}
    }

    /// Answers each request at its head, and closes its stream or its connection.
    private static func server(_ error: UInt32) async throws -> FrameServer {
        try await FrameServer(http1: { connection in
            connection.readHead()
            connection.write(
                "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
        }) { connection in
            while let stream = connection.nextRequest() {
                // A literal status (RFC 7541 §6.2.2): the name has the index 8.
                let head = Frame(
                    kind: .headers, flags: Frame.endHeaders, stream: stream,
                    payload: [0x08, 3] + Array("403".utf8))
                connection.send(
                    head, .data(stream, "no", ends: true), .reset(stream, error))
            }
        }
    }

    @Test(arguments: Upload.allCases, [0, 8] as [UInt32])
    func `a response that comes before the body is read is returned`(
        upload: Upload, error: UInt32
    ) async throws {
        let server = try await Self.server(error)
        let session = try await TestAuthority.transport()
        for method in [HTTPMethod.post, .put] {
            for _ in 0..<(TestCounts.isFull ? 50 : 3) {
                let request = try HTTPRequest(method, server.url, body: upload.body)
                let response = try await session.response(for: request)
                #expect(response.status == .forbidden)
                #expect(try await response.text() == "no")
            }
        }
    }

    // A stream cannot be sent again.
    @Test(arguments: [Upload.small, .packet, .long])
    func `a body that is sent again may meet another version`(upload: Upload) async throws {
        // The first connection speaks HTTP/1.1, and ends when its second request comes.
        let server = try await FrameServer(
            firstHTTP2: 1,
            http1: { connection in
                connection.readHead()
                let text = connection.number == 0 ? "no" : "yes"
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(text.count)\r\n\r\n\(text)")
                if connection.number == 0 { connection.readHead() }
            }
        ) { connection in
            while let frame = connection.next() {
                let stream = frame.stream
                if frame.kind == .data, !frame.payload.isEmpty {
                    connection.send(
                        .window(0, frame.payload.count), .window(stream, frame.payload.count))
                }
                if frame.hasEnded { connection.send(.ok(stream), .data(stream, "yes", ends: true)) }
            }
        }
        let session = try await TestAuthority.transport()
        #expect(try await session.response(for: server.url).text() == "no")
        let request = try HTTPRequest(.put, server.url, body: upload.body)
        let response = try await session.response(for: request)
        #expect(try await response.text() == "yes")
        #expect(server.connectionCount == 2)
    }

    private static var returnsThem: Bool {
        (try? CurlLibrary.loaded.get())?.has(.lostEarlyResponses) == false
    }

    @Test(
        .enabled(if: returnsThem, "libcurl before 8.3 loses them over HTTP/2"),
        arguments: Upload.allCases)
    func `the same holds over HTTP/2 where the library can, if it is asked for`(
        upload: Upload
    ) async throws {
        let server = try await Self.server(8)
        let session = try await TestAuthority.transport()
        for _ in 0..<(TestCounts.isFull ? 50 : 5) {
            var request = try HTTPRequest(.post, server.url, body: upload.body)
            request.version = .http2
            let response = try await session.response(for: request)
            #expect(response.status == .forbidden && response.head.version == .http2)
            #expect(try await response.text() == "no")
        }
    }

    @Test func `a body goes over HTTP/2 only if the library returns early responses`() throws {
        for version: UInt32 in [0x07_58_01, 0x08_02_01, 0x08_03_00, 0x08_0E_01, 0x08_15_00] {
            #expect(
                LibraryDefect.lostEarlyResponses.versions.contains(version)
                    == (version < 0x08_03_00))
        }
        let library = try CurlLibrary.loaded.get()
        #expect(library.uploadsOverHTTP2 == !library.has(.lostEarlyResponses))
    }
}
