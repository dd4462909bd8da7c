import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

/// Retries over both transports; hits are counted at the server.
@Suite(.timeLimit(.minutes(5))) struct RetryOverWireTests {
    private let clock = HTTPTestClock()

    private func request(
        _ url: String, _ method: HTTPMethod = .get,
        _ change: (inout HTTPRequest) throws -> Void = { _ in }
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(method, url)
        try change(&request)
        return try request.beginningCall(clock: clock)
    }

    private struct NoError: Error {}

    private func error(of body: () async throws -> Void) async throws -> HTTPError {
        do {
            try await body()
        } catch let error as HTTPError {
            return error
        }
        throw NoError()
    }

    // MARK: Statuses

    @Test(.rows("S0-12"), arguments: Wire.allCases)
    func `503 and then 200 is a 200`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .ok("hello") }
        server.enqueue(.status(503, "later"))
        let session = try wire.session().with(Validation(), Retry(.standard))
        let request = try request(server.url("/"))
        let response = try await withoutWaiting(clock) { try await session.response(for: request) }
        #expect(try await response.text() == "hello")
        #expect(response.history.map(\.status) == [.serviceUnavailable])
        #expect(server.snapshot.requestCount == 2)
    }

    @Test(.rows("S0-13"), arguments: Wire.allCases)
    func `503 for ever is three hits and a failure with what the server says`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer { _ in .status(503, "never") }
        let session = try wire.session().with(Validation(), Retry(.standard))
        let request = try request(server.url("/")) { $0.delivery = .buffered(upTo: 1000) }
        let error = try await error {
            _ = try await withoutWaiting(clock) { try await session.response(for: request) }
        }
        #expect(error.code == .unexpectedStatus)
        #expect(error.message == "after 3 attempts: Unexpected status code: 503")
        #expect(error.bodyPrefix == Data("never".utf8))
        #expect(server.snapshot.requestCount == 3)
    }

    // MARK: Connections

    @Test(.rows("S0-27"), arguments: Wire.allCases)
    func `refused and then open is a 200`(wire: Wire) async throws {
        let port = try RefusingPort()
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.seconds(1))
        let session = try wire.session().with(Retry(policy))
        let request = try request(port.url + "/")
        async let response = session.response(for: request)
        try await clock.waitForSleepers(1)
        var options = LoopbackOptions()
        options.port = port.number
        let server = try LoopbackServer(options) { _ in .ok("open") }
        clock.advance(by: .seconds(1))
        #expect(try await response.text() == "open")
        #expect(server.snapshot.requestCount == 1)
    }

    private static let cut: LoopbackScript = [
        .send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .generate(50_000), .reset,
    ]

    @Test(.rows("S0-27"), arguments: Wire.allCases)
    func `a buffered body cut short is fetched again`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .bytes(count: 100_000) }
        server.enqueue(Self.cut)
        let session = try wire.session().with(Retry(.standard))
        let request = try request(server.url("/")) { $0.delivery = .buffered(upTo: 1 << 20) }
        let response = try await withoutWaiting(clock) { try await session.response(for: request) }
        let body = try await response.data()
        #expect(body.count == 100_000)
        #expect(LoopbackPattern.firstMismatch(in: body) == nil)
        #expect(server.snapshot.requestCount == 2)
    }

    @Test(arguments: Wire.allCases)
    func `a streamed body cut short is not, and its error says why`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .bytes(count: 100_000) }
        server.enqueue(Self.cut)
        let session = try wire.session().with(Retry(.standard))
        let request = try request(server.url("/"))
        let error = try await error {
            let response = try await session.response(for: request)
            for try await _ in response.body {}
        }
        #expect(error.message.contains("not sent again"))
        #expect(error.message.contains("streamed"))
        #expect(server.snapshot.requestCount == 1)
    }

    // MARK: What may be repeated

    @Test(arguments: Wire.allCases)
    func `a post whose connection is lost is sent once, whatever number it has`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer(script: { _ in [.reset] })
        let session = try wire.session()
        let layers: [[any HTTPClientMiddleware]] = [
            [Validation()], [Retry(.standard)], [Validation(), Retry(.standard)],
        ]
        for (index, layers) in layers.enumerated() {
            let request = try request(server.url("/"), .post) {
                $0.body = HTTPBody("order")
                $0.maxRetries = 2
            }
            let error = try await error {
                _ = try await session.with(layers).response(for: request)
            }
            #expect(error.code == .connectionLost && error.mayHaveReachedServer)
            #expect(server.snapshot.requestCount == index + 1)
        }
    }

    @Test(arguments: Wire.allCases)
    func `a post that is repeatable, or that the server has not taken, is sent again`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer { _ in .ok("done") }
        server.enqueue([.reset])
        server.enqueue(.status(429))
        server.enqueue(LoopbackResponse(status: 503, fields: [("Retry-After", "1")]))
        let session = try wire.session().with(Retry(.standard))
        let request = try request(server.url("/"), .post) {
            $0 = $0.repeatable().maxRetries(1)
            $0.body = HTTPBody("order")
        }
        let response = try await withoutWaiting(clock) { try await session.response(for: request) }
        #expect(response.status == .tooManyRequests)
        #expect(server.snapshot.requestCount == 2)
        let plain = try self.request(server.url("/"), .post) { $0.body = HTTPBody("order") }
        let last = try await withoutWaiting(clock) { try await session.response(for: plain) }
        #expect(last.status == .ok)
        #expect(server.snapshot.requestCount == 4)
    }

    @Test
    func `a post after the limit of a TLS handshake is sent again, and has reached no server`()
        async throws
    {
        // A server without TLS, which waits for the end of a request that never comes.
        let server = try LoopbackServer { _ in .ok() }
        let session = try Wire.curl.session().with(Retry(.standard))
        let request = try request("https://127.0.0.1:\(server.port)/", .post) {
            $0.body = HTTPBody("order")
            $0.timeouts.tls = .milliseconds(100)
        }
        let error = try await error {
            _ = try await withoutWaiting(clock) { try await session.response(for: request) }
        }
        #expect(error.code == .timedOut && error.timer?.name == .tls && error.isRetryable)
        #expect(!error.mayHaveReachedServer)
        #expect(error.message.hasPrefix("after 3 attempts: "))
        #expect(!error.message.contains("may have reached"))
        #expect(error.timeline?.retryDecisions.count == 3)
    }

    // MARK: Retry-After

    @Test(
        .rows("S0-26"),
        arguments: Wire.allCases,
        [("7", 7), ("Sun, 06 Nov 1994 08:50:00 GMT", 23), ("Sun, 06 Nov 1994 08:00:00 GMT", 0)])
    func `what the server asks for is waited, in seconds or until a date`(
        wire: Wire, wait: (text: String, seconds: Int)
    ) async throws {
        let server = try LoopbackServer { _ in .ok() }
        server.enqueue(LoopbackResponse(status: 503, fields: [("Retry-After", wait.text)]))
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let session = try wire.session().with(Retry(policy))
        let request = try request(server.url("/"))
        let response = try await withoutWaiting(clock) { try await session.response(for: request) }
        #expect(response.status == .ok)
        #expect(clock.sleeps == (wait.seconds > 0 ? [.seconds(wait.seconds)] : []))
        #expect(server.snapshot.requestCount == 2)
    }

    @Test(arguments: Wire.allCases)
    func `a wait that is too long is not begun`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(status: 503, fields: [("Retry-After", "3600")])
        }
        let session = try wire.session().with(Validation(), Retry(.standard))
        let error = try await error {
            let request = try request(server.url("/")) { $0.delivery = .buffered(upTo: 1000) }
            _ = try await session.response(for: request)
        }
        #expect(error.message.contains("longer wait than the limit"))
        #expect(clock.sleeps.isEmpty)
        #expect(server.snapshot.requestCount == 1)
    }

    // MARK: Bodies that can be read once

    private final class Once: HTTPBodySource {
        private let isRead = Locked(false)
        func next() async throws -> Data? {
            isRead.withLock { isRead in
                defer { isRead = true }
                return isRead ? nil : Data("once".utf8)
            }
        }
        func abandon() {}
    }

    @Test(.rows("S0-23"), arguments: Wire.allCases)
    func `a one-shot body is not sent again by any layer, and the error says so`(
        wire: Wire
    ) async throws {
        let server = try LoopbackServer { _ in .status(503) }
        var wanting = HTTPDefaultValidator()
        wanting.retriableStatuses = [.serviceUnavailable: .zero]
        for layers: [any HTTPClientMiddleware] in [
            [Validation(), Retry(.standard)], [Validation([wanting])],
        ] {
            let before = server.snapshot.requestCount
            let session = try wire.session().with(layers)
            let request = try request(server.url("/"), .put) {
                $0.body = HTTPBody(source: Once())
                $0.maxRetries = 2
            }
            let error = try await error { _ = try await session.response(for: request) }
            #expect(error.message.contains("can be read once and was"))
            #expect(error.response?.status == .serviceUnavailable)
            #expect(server.snapshot.requestCount == before + 1)
        }
    }

    @Test(.rows("S0-23"), arguments: Wire.allCases)
    func `nor after a connection that was lost`(wire: Wire) async throws {
        let server = try LoopbackServer(script: { _ in [.reset] })
        let session = try wire.session().with(Retry(.standard))
        let request = try request(server.url("/"), .put) { $0.body = HTTPBody(source: Once()) }
        let error = try await error { _ = try await session.response(for: request) }
        #expect(error.code == .connectionLost)
        #expect(error.message.contains("can be read once and was"))
        #expect(server.snapshot.requestCount == 1)
    }
}
