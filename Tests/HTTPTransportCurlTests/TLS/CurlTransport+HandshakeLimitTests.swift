import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

/// The limit of TLS handshakes, against servers that accept connections and then say nothing.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
struct CurlTransportHandshakeLimitTests {
    private static let limit = Duration.milliseconds(200)

    private static func request(
        _ port: UInt16, _ tls: HTTPTimeouts.Limit = .after(limit), scheme: String = "https"
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(.get, "\(scheme)://127.0.0.1:\(port)/x?secret=1")
        request.timeouts = HTTPTimeouts(connect: .seconds(60), tls: tls)
        return request
    }

    /// Sends a request whose handshake must end by the limit. Returns the time that this took.
    @discardableResult
    private static func expectLimit(
        of request: HTTPRequest, over session: CurlTransport
    ) async throws -> Duration {
        let start = ContinuousClock.now
        let error = try #require(
            await #expect(throws: HTTPError.self) { try await session.response(for: request) })
        #expect(error.code == .timedOut)
        #expect(error.timer == HTTPError.Timer(.tls, limit))
        #expect(error.phase == .securing)
        #expect(error.isRetryable && !error.mayHaveReachedServer)
        #expect(error.message.contains("TLS handshake did not end within 200 ms"))
        #expect(!error.description.contains("secret"))
        return ContinuousClock.now - start
    }

    /// Reads until the client leaves.
    private static func stall(_ channel: any RawChannel) {
        while !channel.read(upTo: 4096).isEmpty {}
    }

    /// Answers requests until the client leaves.
    private static func answer(_ channel: any RawChannel, _ fields: String = "") {
        while channel.read(through: Array("\r\n\r\n".utf8)).count > 4 {
            channel.write(
                Array("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 4\r\n\r\nfine".utf8))
            if !fields.isEmpty { return }
        }
    }

    // MARK: Where the handshake begins

    @Test func `a server that accepts and says nothing is left in time`() async throws {
        let server = try RawListener { Self.stall($0) }
        let session = try await TestAuthority.transport()
        let elapsed = try await Self.expectLimit(of: Self.request(server.port), over: session)
        #expect(elapsed >= Self.limit)
        #expect(await session.statistics().openSockets == 0)
    }

    @Test func `the answer to CONNECT is no part of the handshake`() async throws {
        let proxy = try RawListener { connection in
            _ = connection.read(until: Array("\r\n\r\n".utf8))
            usleep(600_000)
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            Self.stall(connection)
        }
        var configuration = try await TestAuthority.trusting()
        configuration.proxies = .server(try ProxyServer("http://127.0.0.1:\(proxy.port)"))
        let session = try CurlTransport(configuration)
        let elapsed = try await Self.expectLimit(of: Self.request(1), over: session)
        #expect(elapsed >= .milliseconds(800))
    }

    @Test(arguments: ["http", "https"])
    func `the handshake with a proxy has the limit, too`(scheme: String) async throws {
        guard try CurlLibrary.loaded.get().reachesHTTPSProxies else { return }
        let proxy = try RawListener { Self.stall($0) }
        var configuration = try await TestAuthority.trusting()
        configuration.proxies = .server(try ProxyServer("https://127.0.0.1:\(proxy.port)"))
        let session = try CurlTransport(configuration)
        try await Self.expectLimit(of: Self.request(1, scheme: scheme), over: session)
    }

    @Test(arguments: [true, false])
    func `with every kind of trust the handshake has the limit`(isSystem: Bool) async throws {
        let server = try RawListener { Self.stall($0) }
        var configuration = try await TestAuthority.trusting()
        if isSystem { configuration.tls.trust = .system }
        let session = try CurlTransport(configuration)
        try await Self.expectLimit(of: Self.request(server.port), over: session)
    }

    // MARK: Where there is none

    @Test func `a connection that is used again has no handshake`() async throws {
        let tls = try RawTLS(try await TestAuthority.shared.server)
        let server = try RawListener { connection in
            if let channel = tls.accept(connection) { Self.answer(channel) }
        }
        let session = try await TestAuthority.transport()
        let first = try Self.request(server.port, .seconds(60))
        #expect(try await session.response(for: first).text() == "fine")
        // Long enough for no handshake, and due long before the second request.
        let second = try Self.request(server.port, .after(.nanoseconds(1)))
        let response = try await session.response(for: second)
        #expect(try await response.text() == "fine")
        #expect(response.timeline.exchanges.first?.isConnectionReused == true)
    }

    @Test func `the wait for a slow response is no part of the handshake`() async throws {
        let tls = try RawTLS(try await TestAuthority.shared.server)
        let session = try await TestAuthority.transport()
        try await patiently(from: .milliseconds(500)) { limit in
            let server = try RawListener { connection in
                guard let channel = tls.accept(connection) else { return }
                _ = channel.read(through: Array("\r\n\r\n".utf8))
                usleep(UInt32(clamping: limit.nanoseconds / 1000) * 2)
                channel.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine".utf8))
                Self.stall(channel)
            }
            do {
                let request = try Self.request(server.port, .after(limit))
                #expect(try await session.response(for: request).text() == "fine")
            } catch let error as HTTPError where error.timer?.name == .tls {
                throw TooSoon(error)
            }
        }
    }

    @Test func `http has no handshake`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let request = try Self.request(server.port, .after(.nanoseconds(1)), scheme: "http")
        #expect(try await CurlTransport().response(for: request).text() == "fine")
    }

    // MARK: Several requests

    /// Listens with TLS for every connection but one, which gets no answer.
    ///
    /// - Returns: The listener, and the numbers of its connections.
    private static func listener(
        silent: Int, _ fields: String = ""
    ) async throws -> (RawListener, AsyncStream<Int>) {
        let tls = try RawTLS(try await TestAuthority.shared.server)
        let count = Locked(0)
        let (numbers, accepted) = AsyncStream<Int>.makeStream()
        let listener = try RawListener { connection in
            let number = count.withLock { count in
                count += 1
                return count
            }
            accepted.yield(number)
            if number == silent {
                Self.stall(connection)
            } else if let channel = tls.accept(connection) {
                Self.answer(channel, fields)
            }
        }
        return (listener, numbers)
    }

    @Test func `a request that waits for another's handshake has its own later`() async throws {
        try await patiently(from: Self.limit) { limit in
            let (server, accepted) = try await Self.listener(silent: 1)
            let session = try await TestAuthority.transport()
            let first = Task {
                try await session.response(
                    for: Self.request(server.port, .after(limit * 3))
                ).text()
            }
            for await _ in accepted { break }
            do {
                let second = try Self.request(server.port, .after(limit))
                #expect(try await session.response(for: second).text() == "fine")
            } catch let error as HTTPError where error.timer?.name == .tls {
                throw TooSoon(error)
            }
            let error = await #expect(throws: HTTPError.self) { try await first.value }
            #expect(error?.timer == HTTPError.Timer(.tls, limit * 3))
        }
    }

    @Test func `a handle that served a request without the limit serves one with it`() async throws
    {
        let (server, _) = try await Self.listener(silent: 2, "Connection: close\r\n")
        let session = try await TestAuthority.transport()
        let first = try Self.request(server.port, .never)
        #expect(try await session.response(for: first).text() == "fine")
        try await Self.expectLimit(of: Self.request(server.port), over: session)
        let last = try Self.request(server.port, .seconds(60))
        #expect(try await session.response(for: last).text() == "fine")
    }

    @Test func `the configuration's limit holds for requests that say nothing`() async throws {
        let server = try RawListener { Self.stall($0) }
        var configuration = try await TestAuthority.trusting()
        configuration.timeouts.tls = .after(Self.limit)
        let session = try CurlTransport(configuration)
        try await Self.expectLimit(of: Self.request(server.port, .standard), over: session)
    }

    @Test(arguments: ["GnuTLS/3.7.9", "mbedTLS/3.6.0", "wolfSSL/5.6.0", "Schannel"])
    func `a library that does not show its handshakes is known`(name: String) {
        let backend = TLSBackend(name, canLogKeys: false)
        #expect(!backend.showsHandshakes)
        #expect(backend.refusal(of: "timeouts.tls").code == .unsupportedOption)
        #expect(TLSBackend("OpenSSL/3.0.19", canLogKeys: false).showsHandshakes)
    }
}
