import Foundation
import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct LargeUploadTests {
    /// A file of the server's pattern.
    private func file(count: Int) throws -> URL {
        let url = URL(fileURLWithPath: NSTemporaryDirectory() + "/\(UUID().uuidString)")
        try Data().write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        let piece = Data(LoopbackPattern.bytes(0..<1 << 20))
        var left = count
        while left > 0 {
            try handle.write(contentsOf: piece.prefix(left))
            left -= piece.count
        }
        return url
    }

    // MARK: Files

    @Test(.rows("S0-23"), arguments: Wire.allCases)
    func `a file is sent again byte by byte, in little memory`(wire: Wire) async throws {
        let count = Scale.scaled(256 << 20)
        let file = try file(count: count)
        defer { try? FileManager.default.removeItem(at: file) }
        var options = LoopbackOptions()
        options.contentLimit = count
        let server = try LoopbackServer(options) { _ in .ok("taken") }
        server.enqueue(.status(503))
        let (url, path) = (server.url("/"), file.path)
        // In a separate process, so that its memory can be measured.
        await #expect(processExitsWith: .success) {
            [wire = wire as Wire, url = url as String, path = path as String] in
            alarm(300)
            var policy = RetryPolicy.standard
            policy.backoff = .constant(.zero)
            let session = try wire.session().with(Retry(policy))
            // The memory that the libraries need at the start does not count.
            _ = try? await session.response(for: "http://127.0.0.1:1/")
            let before = peakMemory
            let request = try HTTPRequest(.put, url, body: HTTPBody(file: path))
            let response = try await session.response(for: request)
            #expect(try await response.text() == "taken")
            // Sanitizers keep freed memory.
            if ProcessInfo.processInfo.environment["HTTP_TEST_SANITIZER"] == nil {
                #expect(peakMemory - before < 16 << 20)
            }
        }
        #expect(server.snapshot.requestCount == 2)
        let bytes = try Data(contentsOf: file)
        for exchange in server.log {
            let content = try #require(exchange.request?.content)
            let isWhole = stride(from: 0, to: count, by: 1 << 20).allSatisfy { start in
                let piece = start..<min(start + (1 << 20), count)
                return content.count == count && Data(content[piece]) == bytes[piece]
            }
            #expect(isWhole)
        }
    }
}
