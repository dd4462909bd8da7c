import ClientRun
import HTTPCore
import HTTPTransportCurl

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `CurlTransport` as a client of `Scripts/transport-bench`. With `BENCH_ON_LOOP`, its tasks run on
/// the executor of the event loop. With `BENCH_HTTP=2` or `3`, it is a client of
/// `Scripts/http-versions`: all requests go over that version.
@main
enum TransportBench {
    static func main() throws {
        let run = ClientRun(Assignment())
        let assignment = run.assignment
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = assignment.inFlight
        if let authorities = assignment.authorities {
            configuration.tls.trust = .only(.file(authorities))
        }
        let version = try Assignment.variable("BENCH_HTTP").map(Self.version)
        let client = Client(
            assignment, url: try URL(strictly: assignment.url), version: version,
            transport: try CurlTransport(configuration))
        let warmUpURL = try assignment.warmUp.map { try URL(strictly: $0) }
        let warmUp = warmUpURL.map { url in { @Sendable in try await client.warmUp(url) } }
        let isOnLoop = Assignment.variable("BENCH_ON_LOOP") != nil
        run.perform(on: isOnLoop ? try client.executor() : nil, warmUp: warmUp) {
            try await client.exchange()
        }
        run.report(isOnLoop ? "ours-loop" : "ours", note: try CurlTransport.library.version)
    }

    private static func version(_ name: String) throws -> HTTPVersion {
        switch name {
        case "2": .http2
        case "3": .http3
        default: throw UnknownVersion(name: name)
        }
    }
}

struct Client: Sendable {
    private let assignment: Assignment
    private let url: URL
    /// The version that all requests go over, or `nil` for any.
    private let version: HTTPVersion?
    private let transport: CurlTransport
    /// The bytes that an upload repeats.
    private let piece = Data(repeating: 0x61, count: 64 << 10)

    init(
        _ assignment: Assignment, url: URL, version: HTTPVersion?, transport: CurlTransport
    ) {
        self.assignment = assignment
        self.url = url
        self.version = version
        self.transport = transport
    }

    func executor() throws -> any TaskExecutor {
        try transport.taskExecutor(for: HTTPOrigin(url))
    }

    func warmUp(_ url: URL) async throws { _ = try await gathered(HTTPRequest(.get, url)) }

    /// - Returns: The number of bytes in the response's body.
    func exchange() async throws -> Int {
        switch assignment.mode {
        case .get, .h2, .fresh: return try await gathered(HTTPRequest(.get, url))
        case .down:
            var bytes = 0
            for try await piece in try await answer(to: HTTPRequest(.get, url)).body {
                bytes += piece.count
            }
            return bytes
        case .downFile:
            let response = try await answer(to: HTTPRequest(.get, url))
            let file = unsafe open(assignment.file, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
            defer { close(file) }
            return Int(try await response.body.write(toDescriptor: file))
        case .up:
            let pieces = Repeated(piece: piece, total: assignment.uploadLength)
            return try await gathered(
                HTTPRequest(.put, url, body: HTTPBody(pieces, length: Int64(pieces.total))))
        case .upFile:
            return try await gathered(
                HTTPRequest(.put, url, body: HTTPBody(file: assignment.file)))
        }
    }

    private func gathered(_ request: HTTPRequest) async throws -> Int {
        let response = try await answer(to: request.delivery(.buffered(upTo: 16 << 20)))
        return response.body.bytes?.count ?? 0
    }

    private func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        request.version = version
        let response = try await transport.response(for: request)
        guard response.status == .ok else { throw Unexpected(status: response.status) }
        return response
    }
}

struct UnknownVersion: Error { let name: String }

struct Unexpected: Error { let status: HTTPStatus }

/// A sequence that repeats the same bytes.
struct Repeated: AsyncSequence {
    let piece: Data
    let total: Int

    struct Iterator: AsyncIteratorProtocol {
        let piece: Data
        var left: Int

        mutating func next() async -> Data? {
            guard left > 0 else { return nil }
            defer { left -= Swift.min(left, piece.count) }
            return piece.prefix(left)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(piece: piece, left: total) }
}
