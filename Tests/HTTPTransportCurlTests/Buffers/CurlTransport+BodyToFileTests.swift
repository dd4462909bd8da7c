import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation
import PortableLibc

/// Bodies that the loop writes to a file.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportBodyToFileTests {
    /// A file without a name, gone with its value.
    private final class Scratch: Sendable {
        let descriptor: Int32

        init(_ path: String? = nil) throws {
            if let path {
                descriptor = unsafe open(path, O_RDWR)
            } else {
                var template = Array("/tmp/http-curl-XXXXXX".utf8CString)
                descriptor = unsafe mkstemp(&template)
                _ = unsafe unlink(template)
            }
            guard descriptor >= 0 else { throw SystemError(errno) }
        }

        deinit { close(descriptor) }

        func contents() -> Data {
            var size = stat()
            _ = unsafe fstat(descriptor, &size)
            var bytes = [UInt8](repeating: 0, count: Int(size.st_size))
            let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
            return Data(bytes.prefix(max(0, count)))
        }
    }

    @Test(
        arguments: [0, 1, 5000, 100_000, 9 << 20],
        [LoopbackResponse.Framing.contentLength, .chunked, .untilClose])
    func `a body is written as it arrives`(count: Int, framing: LoopbackResponse.Framing)
        async throws
    {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.bytes(count: count)
            response.framing = framing
            return response
        }
        let file = try Scratch()
        let response = try await CurlTransport().response(for: server.url)
        let written = try await response.body.write(toDescriptor: file.descriptor, at: 0)
        #expect(written == Int64(count))
        #expect(file.contents() == PatternCheck.bytes(0..<count))
        #expect(response.timeline.exchanges.first?.decodedBodyBytes == Int64(count))
    }

    @Test func `a body goes where it is told to`() async throws {
        let server = try LoopbackServer { _ in .bytes(count: 1000) }
        let file = try Scratch()
        let session = CurlTransport()
        for offset in [Int64(1000), 0] {
            let response = try await session.response(for: server.url)
            #expect(
                try await response.body.write(toDescriptor: file.descriptor, at: offset) == 1000)
        }
        let bytes = PatternCheck.bytes(0..<1000)
        #expect(file.contents() == bytes + bytes)
    }

    @Test(arguments: 0..<40)
    func `pieces keep their order, however they fall between task and loop`(round: Int) async throws
    {
        let gate = LoopbackGate()
        let pieces = (0..<8).map { LoopbackPattern.bytes($0 * 1000..<($0 + 1) * 1000) }
        let first: LoopbackScript = [
            .send("HTTP/1.1 200 OK\r\nContent-Length: 8000\r\n\r\n"), .send(pieces[0]),
            .pause(until: gate),
        ]
        let rest = LoopbackScript(pieces.dropFirst().map { .send($0) })
        let server = try LoopbackServer(script: { _ in first + rest })
        let file = try Scratch()
        let response = try await CurlTransport().response(for: server.url)
        async let written = response.body.write(toDescriptor: file.descriptor, at: 0)
        for _ in 0..<round % 5 { await Task.yield() }
        gate.open()
        #expect(try await written == 8000)
        #expect(file.contents() == PatternCheck.bytes(0..<8000))
    }

    @Test(arguments: [100, 3 << 20])
    func `a disk that is full fails the body, and the next one is fine`(count: Int) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { request in
            request.path == "/next"
                ? [.respond(.ok("fine"))]
                : [
                    .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                    .pause(until: gate), .generateChunks(count), .stall,
                ]
        })
        let full = try Scratch("/dev/full")
        let session = CurlTransport()
        let response = try await session.response(for: server.url)
        gate.open()
        let error = await #expect(throws: HTTPError.self) {
            try await response.body.write(toDescriptor: full.descriptor, at: 0)
        }
        #expect(error?.code == .fileNotWritten)
        #expect(error?.underlyingError as? SystemError == SystemError(ENOSPC))
        #expect(try await session.response(for: server.url("/next")).text() == "fine")
    }

    @Test func `a body that breaks off says so, and what came is in the file`() async throws {
        let server = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .generate(60_000),
                .close,
            ]
        })
        let file = try Scratch()
        let response = try await CurlTransport().response(for: server.url)
        let error = await #expect(throws: HTTPError.self) {
            try await response.body.write(toDescriptor: file.descriptor, at: 0)
        }
        #expect(error?.code == .bodyIncomplete)
        #expect(file.contents() == PatternCheck.bytes(0..<60_000))
    }

    @Test func `a cancelled write writes no more`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .generate(50_000),
                .pause(until: gate), .generate(50_000, from: 50_000),
            ]
        })
        let file = try Scratch()
        let session = CurlTransport()
        let response = try await session.response(for: server.url)
        let task = Task { try await response.body.write(toDescriptor: file.descriptor, at: 0) }
        try await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let count = file.contents().count
        gate.open()
        // The rest may come before the loop has cut the connection, which then is kept.
        await session.close()
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(file.contents().count == count)
    }
}
