import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPRetry
import HTTPTesting
import HTTPTransportURLSession
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

/// A body that is written by hand, through the layers that send twice. What only libcurl can do is
/// in `CurlTransportWritingTests`.
@Suite(.timeLimit(.minutes(5))) struct DuplexOverWireTests {
    @Test(arguments: Wire.allCases, [nil, Int64(300_000)])
    func `a body that ends before the response goes over both transports, also URLSession`(
        wire: Wire, length: Int64?
    ) async throws {
        let server = try LoopbackServer { .ok("\($0.text.utf8.count)") }
        let session = try wire.session()
        let (body, writer) = HTTPBody.makeWritable(length: length)
        let url = server.url("/")
        async let response = session.response(for: HTTPRequest(.post, url, body: body))
        for _ in 0..<3 { try await writer.write(Data(repeating: 1, count: 100_000)) }
        try writer.finish()
        #expect(try await response.text() == "300000")
    }

    @Test func `URLSession refuses a conversation before anything is sent`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        let session = URLSessionTransport()
        let request = try HTTPRequest(.post, server.url("/"))
        let error = await #expect(throws: HTTPError.self) {
            try await session.withDuplex(for: request) { duplex in
                for _ in 0..<100 { try await duplex.writer.write(Data(count: 100_000)) }
            }
        }
        #expect(error?.code == .unsupportedOption)
        #expect(server.snapshot.requestCount == 0)
    }

    @Test(arguments: Wire.allCases)
    func `a released writer fails the request, also over URLSession`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .ok("") }
        let session = try wire.session()
        var (body, writer): (HTTPBody, HTTPBodyWriter?) = HTTPBody.makeWritable()
        let request = try HTTPRequest(.post, server.url("/"), body: body)
        body = .empty
        let exchange = Task { try await session.response(for: request).text() }
        try await writer?.write("half")
        writer = nil
        let error = await #expect(throws: HTTPError.self) { try await exchange.value }
        #expect(error?.code == .requestBodyFailed)
        #expect(server.log.allSatisfy { $0.request?.isComplete != true })
    }

    // MARK: Layers that send twice

    @Test func `a written body is sent once, whatever the retry policy`() async throws {
        let server = try LoopbackServer { _ in .status(503) }
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let session = try Wire.curl.session().with(Retry(policy))
        let request = try HTTPRequest(.put, server.url("/"))
        try await session.withDuplex(for: request) { duplex in
            try await duplex.writer.write("once")
            try duplex.writer.finish()
            #expect(try await duplex.response.status == .serviceUnavailable)
        }
        #expect(server.snapshot.requestCount == 1)
    }

    @Test func `a body that no attempt has read yet is sent by the next one`() async throws {
        let server = try LoopbackServer { .ok($0.text) }
        let wire = try Wire.curl.session()
        let attempts = Locked(0)
        let session = MockSession { request in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            guard attempt > 1 else {
                throw HTTPError(.cannotConnect, "not yet", phase: .connecting, isRetryable: true)
            }
            return try await wire.response(for: request)
        }
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let request = try HTTPRequest(.put, server.url("/"))
        let text = try await session.with(Retry(policy)).withDuplex(for: request) { duplex in
            try await duplex.writer.write("kept")
            try duplex.writer.finish()
            return try await duplex.response.text()
        }
        #expect(text == "kept")
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test func `a redirect that needs the body again is refused`() async throws {
        let server = try LoopbackServer { request in
            request.target == "/" ? .redirect(to: "/again", status: 307) : .ok("again")
        }
        let session = try Wire.curl.session().with(Redirects())
        let request = try HTTPRequest(.post, server.url("/"))
        let thrown = await #expect(throws: HTTPError.self) {
            try await session.withDuplex(for: request) { duplex in
                try await duplex.writer.write("once")
                try duplex.writer.finish()
                _ = try await duplex.response
            }
        }
        #expect(thrown?.code == .redirectRefused)
        #expect(server.snapshot.requestCount == 1)
    }

    @Test func `a validator's error comes before that of the write`() async throws {
        var options = LoopbackOptions()
        options.waitsForContent = false
        let server = try LoopbackServer(
            options,
            script: { _ in
                [
                    .awaitContent(1), .send("HTTP/1.1 413 x\r\nContent-Length: 2\r\n\r\nno"),
                    .stopReading, .stall,
                ]
            })
        let session = try Wire.curl.session().with(Validation([HTTPDefaultValidator()]))
        let request = try HTTPRequest(.post, server.url("/"))
        let error = await #expect(throws: HTTPError.self) {
            try await session.withDuplex(for: request) { duplex in
                while true { try await duplex.writer.write(Data(count: 100_000)) }
            }
        }
        #expect(error?.status?.code == 413)
        #expect(error?.code != .requestBodyEnded)
        #expect(error?.bodyPrefix == Data("no".utf8))
    }

    @Test func `a server that cannot be reached ends the write that waits`() async throws {
        let (closed, session) = (try RefusingPort(), try Wire.curl.session())
        let request = try HTTPRequest(.post, "\(unescaped: closed.url)/")
        let error = await #expect(throws: HTTPError.self) {
            try await session.withDuplex(for: request) { duplex in
                while true { try await duplex.writer.write(Data(count: 100_000)) }
            }
        }
        #expect(error?.code == .cannotConnect)
    }
}
