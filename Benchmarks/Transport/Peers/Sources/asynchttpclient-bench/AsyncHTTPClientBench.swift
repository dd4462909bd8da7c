import AsyncHTTPClient
import ClientRun
import NIOCore
import NIOHTTP1
import NIOSSL

/// AsyncHTTPClient with its async API, as a client of `Scripts/transport-bench`.
@main
enum AsyncHTTPClientBench {
    static func main() throws {
        let run = ClientRun(Assignment())
        let assignment = run.assignment
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            assignment.inFlight
        configuration.httpVersion = assignment.mode == .h2 ? .automatic : .http1Only
        if let authorities = assignment.authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authorities)
            configuration.tlsConfiguration = tls
        }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let piece = ByteBuffer(repeating: 0x61, count: 64 << 10)
        run.perform {
            var request = HTTPClientRequest(url: assignment.url)
            if assignment.mode == .fresh {
                request.headers.replaceOrAdd(name: "Connection", value: "close")
            } else if assignment.mode == .up {
                request.method = .PUT
                let length = assignment.uploadLength
                request.body = .stream(
                    Repeated(piece: piece, total: length), length: .known(Int64(length)))
            }
            let response = try await client.execute(request, timeout: .seconds(120))
            guard response.status == .ok else { throw Unexpected(status: response.status) }
            guard assignment.mode == .down else {
                return try await response.body.collect(upTo: 16 << 20).readableBytes
            }
            var bytes = 0
            for try await piece in response.body { bytes += piece.readableBytes }
            return bytes
        }
        run.report("AsyncHTTPClient")
        try client.syncShutdown()
    }
}

struct Unexpected: Error { let status: HTTPResponseStatus }

/// A sequence that repeats the same bytes.
struct Repeated: AsyncSequence, Sendable {
    let piece: ByteBuffer
    let total: Int

    struct Iterator: AsyncIteratorProtocol {
        let piece: ByteBuffer
        var left: Int

        mutating func next() async -> ByteBuffer? {
            guard left > 0 else { return nil }
            let count = Swift.min(left, piece.readableBytes)
            left -= count
            return piece.getSlice(at: piece.readerIndex, length: count)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(piece: piece, left: total) }
}
