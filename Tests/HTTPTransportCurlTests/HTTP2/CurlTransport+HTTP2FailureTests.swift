import HTTPCore
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

/// Responses over HTTP/2 that are cut off, or that no client should take.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestAuthority.isAvailable, "openssl is not installed"),
    .enabled(if: (try? CurlLibrary.loaded.get().hasHTTP2) == true, "libcurl is without HTTP/2"))
struct CurlTransportHTTP2FailureTests {
    /// A field in literals, without the table (RFC 7541 §6.2.2).
    private static func field(_ name: String, _ value: String) -> [UInt8] {
        func string(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8)
            guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
            var length: [UInt8] = [127]
            var rest = bytes.count - 127
            while rest >= 128 {
                length.append(UInt8(rest % 128 + 128))
                rest /= 128
            }
            return length + [UInt8(rest)] + bytes
        }
        return [0] + string(name) + string(value)
    }

    /// A head with `:status` 200 as `HEADERS` and `CONTINUATION` frames of `size` bytes each.
    private static func head(
        _ stream: UInt32, _ fields: [UInt8] = [], size: Int = 16384, ends: Bool = false
    ) -> [UInt8] {
        let block = [0x88] + fields
        let starts = Array(stride(from: 0, to: block.count, by: size))
        var bytes: [UInt8] = []
        for start in starts {
            let isLast = start == starts.last
            let piece = Array(block[start..<min(start + size, block.count)])
            let flags: UInt8 = (isLast ? 4 : 0) | (start == 0 && ends ? 1 : 0)
            bytes += frame(start == 0 ? 1 : 9, flags: flags, stream, piece)
        }
        return bytes
    }

    /// A server behind TLS that answers each request's head with bytes, by its number.
    private final class Server: Sendable {
        private let listener: RawListener
        private let front: TLSFront
        let url: String

        /// - Parameters:
        ///   - last: The number of the request after whose answer the connection is closed.
        ///   - answer: The bytes for the request with this number, whose stream is given.
        init(
            last: Int = .max, _ answer: @escaping @Sendable (Int, UInt32) -> [UInt8]
        ) async throws {
            listener = try RawListener { connection in
                var number = 0
                while case let head = connection.read(9), head.count == 9 {
                    if head.starts(with: "PRI * HTT".utf8) {
                        _ = connection.read(24 - 9)
                        connection.write(frame(4, 0))
                        continue
                    }
                    _ = connection.read(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
                    guard head[3] == 1 else { continue }
                    let stream = head[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                    connection.write(answer(number, stream))
                    if number == last { return }
                    number += 1
                }
            }
            front = try await TLSFront.start(
                TestAuthority.shared.server, before: listener.port, connections: 8,
                ["-alpn", "h2"])
            url = "https://127.0.0.1:\(front.port)/"
        }
    }

    private static func session() async throws -> CurlTransport {
        var configuration = try await TestAuthority.trusting()
        (configuration.eventLoops, configuration.maximumConnections) = (1, 1)
        return try CurlTransport(configuration)
    }

    // MARK: Heads

    /// 200 KB in frames of the usual size; more; many frames that hold nearly nothing.
    @Test(arguments: [(50, 4000, 16384), (100, 4000, 16384), (40, 8, 16)])
    func `a head of too many frames is too large`(
        fields: Int, length: Int, size: Int
    ) async throws {
        let server = try await Server { _, stream in
            let value = String(repeating: "v", count: length)
            let block = (0..<fields).flatMap { Self.field("x-\($0)", value) }
            return Self.head(stream, Array(block), size: size, ends: true)
        }
        let session = try await Self.session()
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: HTTPRequest(.get, server.url))
        }
        #expect(error?.code == .headersTooLarge, "\(String(describing: error))")
        #expect(error?.isRetryable == false)
        #expect(error?.mayHaveReachedServer == true)
    }

    @Test func `a head of few frames is not`() async throws {
        let server = try await Server { _, stream in
            let value = String(repeating: "v", count: 4000)
            let block = (0..<20).flatMap { Self.field("x-\($0)", value) }
            return Self.head(stream, Array(block)) + frame(0, flags: 1, stream, [0x61])
        }
        let session = try await Self.session()
        let response = try await session.response(for: HTTPRequest(.get, server.url))
        #expect(response.headers["x-19"]?.utf8.count == 4000)
        #expect(try await response.data().count == 1)
    }

    // MARK: Bodies

    /// The ways in which a server ends a body that has begun, other than `END_STREAM`.
    enum Cut: String, CaseIterable, Sendable {
        case protocolError, internalError, cancelled, tooFew, tooMany, goAwayAndClose, close

        var length: Int? {
            switch self {
            case .tooFew: 10
            case .tooMany: 7
            default: nil
            }
        }

        var closes: Bool { self == .goAwayAndClose || self == .close }

        func bytes(_ stream: UInt32) -> [UInt8] {
            switch self {
            case .protocolError: frame(3, stream, [0, 0, 0, 1])
            case .internalError: frame(3, stream, [0, 0, 0, 2])
            case .cancelled: frame(3, stream, [0, 0, 0, 8])
            case .tooFew: frame(0, flags: 1, stream, [0x62])
            case .tooMany: frame(0, flags: 1, stream, [0x62, 0x63, 0x64])
            case .goAwayAndClose: frame(7, 0, [0, 0, 0, 1, 0, 0, 0, 2])
            case .close: []
            }
        }
    }

    /// The second request tells the server that the head of the first one has been read.
    @Test(arguments: Cut.allCases)
    func `after the head, a body that is cut is not complete`(cut: Cut) async throws {
        let server = try await Server(last: cut.closes ? 1 : .max) { number, stream in
            if number == 0 {
                let length = cut.length.map { Self.field("content-length", "\($0)") } ?? []
                return Self.head(stream, length) + frame(0, stream, Array("begun".utf8))
            }
            return cut.bytes(1) + (cut.closes ? [] : Self.head(stream, ends: true))
        }
        let session = try await Self.session()
        let request = try HTTPRequest(.get, server.url)
        let response = try await session.response(for: request)
        #expect(response.status == .ok)
        let other = Task { _ = try? await session.response(for: request).data() }
        defer { other.cancel() }
        let error = await #expect(throws: HTTPError.self) { try await response.data() }
        #expect(error?.code == .bodyIncomplete, "\(cut): \(String(describing: error))")
        #expect(error?.isRetryable == true)
        #expect(error?.status == .ok)
    }
}

private func frame(
    _ type: UInt8, flags: UInt8 = 0, _ stream: UInt32, _ payload: [UInt8] = []
) -> [UInt8] {
    let length = payload.count
    return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        + [type, flags]
        + [24, 16, 8, 0].map { UInt8(stream >> $0 & 0xFF) } + payload
}
