import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// Hosts that a closure looks up.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportResolverTests {
    private struct Unavailable: Error {}

    /// The questions to a resolver, and its answers.
    private final class Registry: Sendable {
        private let questions = Record<String>()
        private let cancellations = Record<Void>()
        var asked: [String] { questions.entries }

        func ask(_ host: String, _ port: Int) -> Int {
            questions.add("\(host):\(port)")
            return questions.entries.count
        }

        func waitForQuestion() async throws { try await questions.wait(for: 1) }
        func waitForCancellations(_ count: Int) async throws {
            try await cancellations.wait(for: count)
        }

        /// Never returns before its task is cancelled.
        func hang() async throws -> Never {
            let waiter = Waiter<Void>()
            do {
                try await waiter.value()
            } catch {
                cancellations.add(())
                throw error
            }
            throw Unavailable()
        }
    }

    /// Waits until so many exchanges have their turn.
    private static func wait(for session: CurlTransport, toHave count: Int) async throws {
        while await session.statistics().total.active < count {
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @inline(never) private static func transport(
        _ registry: Registry, _ change: (inout CurlConfiguration) throws -> Void = { _ in },
        answering answer: @escaping @Sendable (_ count: Int) async throws -> HostAddresses
    ) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        // The resolver's task may have to wait for other tests.
        configuration.timeouts.connect = .after(.seconds(120))
        configuration.resolver = { host, port in
            try await answer(registry.ask(host, port))
        }
        try change(&configuration)
        return try CurlTransport(configuration)
    }

    private static func addresses(
        _ texts: String..., lifetime: Duration = .seconds(60)
    ) -> HostAddresses {
        HostAddresses(texts.compactMap { IPAddress($0) }, lifetime: lifetime)
    }

    private static func failure(
        _ session: CurlTransport, _ request: HTTPRequest
    ) async throws -> HTTPError {
        try #require(
            await #expect(throws: HTTPError.self) { _ = try await session.response(for: request) })
    }

    // MARK: Answers

    @Test(arguments: ["service.test", "service.test."])
    func `a host is looked up once, and stays in the request`(host: String) async throws {
        let server = try LoopbackServer { .ok($0["Host"] ?? "") }
        let registry = Registry()
        let session = try Self.transport(registry) { _ in Self.addresses("127.0.0.1") }
        for _ in 0..<3 {
            var request = try HTTPRequest(.get, "http://\(host):\(server.port)/")
            request[ConnectionClose.self] = true
            let response = try await session.response(for: request)
            #expect(try await response.text() == "\(host):\(server.port)")
            #expect(response.timeline.exchanges.first?.remoteHost == "127.0.0.1")
        }
        #expect(registry.asked == ["\(host):\(server.port)"])
        #expect(server.connections.accepted == 3)
    }

    @Test func `hosts with addresses, addresses and this machine's names are not looked up`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok("ok") }
        let registry = Registry()
        let session = try Self.transport(registry) {
            $0.addresses = ["listed.test": Self.addresses("127.0.0.1").addresses]
        } answering: { _ in
            throw Unavailable()
        }
        for host in ["listed.test", "127.0.0.1", "localhost", "a.localhost"] {
            _ = try await session.response(for: "http://\(host):\(server.port)/").text()
        }
        #expect(registry.asked == [])
    }

    @Test func `an answer that is too old is not asked for while a connection is kept`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok("ok") }
        let registry = Registry()
        let session = try Self.transport(registry) { _ in
            Self.addresses("127.0.0.1", lifetime: .zero)
        }
        let url = "http://service.test:\(server.port)/"
        for _ in 0..<4 { _ = try await session.response(for: url).text() }
        #expect(registry.asked.count == 1 && server.connections.accepted == 1)
        var request = try HTTPRequest(.get, url)
        request[ConnectionClose.self] = true
        _ = try await session.response(for: request).text()
        #expect(registry.asked.count == 1)
        _ = try await session.response(for: url).text()
        #expect(registry.asked.count == 2 && server.connections.accepted == 2)
    }

    @Test func `a kept connection that turns out dead makes the resolver be asked`() async throws {
        let server = try LoopbackServer(script: { _ in [.respond(.ok("ok")), .close] })
        let registry = Registry()
        let session = try Self.transport(registry) { _ in
            Self.addresses("127.0.0.1", lifetime: .zero)
        }
        for _ in 0..<20 {
            let request = try HTTPRequest(
                .post, "http://service.test:\(server.port)/", body: HTTPBody("body"))
            // The end of the connection may come after the next request was written.
            do {
                _ = try await session.response(for: request).text()
            } catch let error as HTTPError {
                #expect(error.code == .connectionLost, "\(error)")
            }
        }
        // A request that libcurl sends again by itself goes to the addresses of the last answer.
        #expect(registry.asked.count >= 1)
        #expect(registry.asked.count <= server.connections.accepted)
    }

    @Test func `two transports whose resolvers need each other do not wait for each other`()
        async throws
    {
        let others = Locked<[CurlTransport]>([])
        let registry = Registry()
        let sessions = try (0..<2).map { number in
            try Self.transport(registry) { _ in
                guard let other = others.withLock({ $0.last }) else { throw Unavailable() }
                others.withLock { $0.reverse() }
                _ = try await other.response(for: "http://name\(number).test/")
                return Self.addresses("127.0.0.1")
            }
        }
        others.withLock { $0 = sessions }
        var error = try await Self.failure(sessions[0], HTTPRequest(.get, "http://service.test/"))
        var codes = [error.code]
        while let cause = error.underlyingError as? HTTPError {
            error = cause
            codes.append(cause.code)
        }
        #expect(codes == [.nameNotResolved, .nameNotResolved, .nameNotResolved])
        #expect(error.message.contains("the resolver's own request"))
        #expect(registry.asked.count == 2)
        others.withLock { $0 = [] }
    }

    @Test func `a resolver may change its mind`() async throws {
        let first = try LoopbackServer { _ in .ok("first") }
        let registry = Registry()
        let session = try Self.transport(registry) { count in
            // The second answer is a place where nothing listens.
            Self.addresses(count == 2 ? "127.0.0.2" : "127.0.0.1", lifetime: .zero)
        }
        var request = try HTTPRequest(.get, "http://service.test:\(first.port)/")
        request[ConnectionClose.self] = true
        #expect(try await session.response(for: request).text() == "first")
        let error = try await Self.failure(session, request)
        #expect(error.code == .cannotConnect)
        #expect(try await session.response(for: request).text() == "first")
        #expect(registry.asked.count == 3)
    }

    @Test func `many requests at once ask once`() async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let registry = Registry()
        let gate = Gate()
        let session = try Self.transport(registry) { _ in
            await gate.waitIgnoringCancellation()
            return Self.addresses("127.0.0.1", lifetime: .zero)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    _ = try await session.response(for: "http://service.test:\(server.port)/")
                        .text()
                }
            }
            try await Self.wait(for: session, toHave: 64)
            gate.open()
            try await group.waitForAll()
        }
        #expect(registry.asked.count == 1)
        #expect(server.snapshot.requestCount == 64)
    }

    @Test func `of a thousand addresses the first ones are tried`() async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let registry = Registry()
        let session = try Self.transport(registry) { _ in
            let others = (0..<999).compactMap { IPAddress("192.0.2.\($0 % 256)") }
            return HostAddresses([IPAddress("127.0.0.1")].compactMap(\.self) + others)
        }
        let response = try await session.response(for: "http://service.test:\(server.port)/")
        #expect(try await response.text() == "ok")
    }

    @Test func `addresses of another family are none`() async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        for family in [CurlConfiguration.AddressFamily.ipv4, .ipv6] {
            let session = try Self.transport(Registry()) {
                $0.addressFamily = family
            } answering: { _ in
                Self.addresses("127.0.0.1")
            }
            let request = try HTTPRequest(.get, "http://service.test:\(server.port)/")
            if family == .ipv4 {
                #expect(try await session.response(for: request).text() == "ok")
            } else {
                #expect(try await Self.failure(session, request).code == .nameNotResolved)
            }
        }
    }

    // MARK: Failures

    @Test func `what the resolver throws is the cause, even if it is a cancellation`() async throws
    {
        for cause in [Unavailable(), CancellationError()] as [any Error] {
            let registry = Registry()
            let session = try Self.transport(registry) { _ in throw cause }
            let request = try HTTPRequest(.get, "http://service.test/secret")
            for _ in 0..<2 {
                let error = try await Self.failure(session, request)
                #expect(error.code == .nameNotResolved && error.phase == .resolving)
                #expect(error.isRetryable && !error.mayHaveReachedServer)
                let underlying = try #require(error.underlyingError)
                #expect(type(of: underlying) == type(of: cause))
            }
            #expect(registry.asked.count == 2)
            #expect(await session.statistics().total.active == 0)
        }
    }

    @Test func `no address is no answer`() async throws {
        let session = try Self.transport(Registry()) { _ in Self.addresses() }
        let error = try await Self.failure(session, HTTPRequest(.get, "http://service.test/"))
        #expect(error.code == .nameNotResolved)
    }

    @Test(arguments: ["10.0.0.1", "127.0.0.1", "::ffff:127.0.0.1", "169.254.169.254", "::1"])
    func `the address policy applies to answers`(address: String) async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let session = try Self.transport(Registry()) {
            $0.addressPolicy = .publicOnly
        } answering: { _ in
            Self.addresses(address)
        }
        let request = try HTTPRequest(.get, "http://service.test:\(server.port)/")
        let error = try await Self.failure(session, request)
        #expect(error.code == .addressBlocked && !error.mayHaveReachedServer)
        #expect(server.connections.accepted == 0)
    }

    @Test func `a resolver that hangs is given up at the limit to connect`() async throws {
        let registry = Registry()
        let session = try Self.transport(registry) { _ in try await registry.hang() }
        var request = try HTTPRequest(.get, "http://service.test/")
        request.timeouts.connect = .after(.milliseconds(50))
        let error = try await Self.failure(session, request)
        #expect(error.code == .timedOut && error.timer?.name == .connect)
        #expect(!error.mayHaveReachedServer)
        try await registry.waitForCancellations(1)
        request.timeouts.connect = .never
        let late = try await patiently(from: .milliseconds(50)) { [request] limit in
            let error = try await Self.failure(session, request.deadline(in: limit))
            if error.phase == .preparing { throw TooSoon(error) }
            return error
        }
        #expect(late.code == .timedOut && late.timer?.name == .deadline)
        try await registry.waitForCancellations(2)
        #expect(registry.asked.count == 2)
    }

    @Test func `a cancelled request leaves the look-up to the others`() async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let registry = Registry()
        let gate = Gate()
        let session = try Self.transport(registry) { _ in
            await gate.waitIgnoringCancellation()
            return Self.addresses("127.0.0.1")
        }
        let url = "http://service.test:\(server.port)/"
        let first = Task { try await session.response(for: url).text() }
        let second = Task { try await session.response(for: url).text() }
        try await Self.wait(for: session, toHave: 2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == "ok")
        #expect(registry.asked.count == 1)
    }

    @Test func `the last request to be cancelled cancels the look-up, and the next one asks again`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok("ok") }
        let registry = Registry()
        let session = try Self.transport(registry) { count in
            if count == 1 { try await registry.hang() }
            return Self.addresses("127.0.0.1")
        }
        let url = "http://service.test:\(server.port)/"
        let task = Task { try await session.response(for: url).text() }
        try await registry.waitForQuestion()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await registry.waitForCancellations(1)
        #expect(try await session.response(for: url).text() == "ok")
        #expect(registry.asked.count == 2)
    }

    @Test func `a transport that is closed waits for no resolver`() async throws {
        let registry = Registry()
        let session = try Self.transport(registry) { _ in try await registry.hang() }
        let task = Task { try await session.response(for: "http://service.test/") }
        try await registry.waitForQuestion()
        await session.close(grace: .milliseconds(10))
        let error = await #expect(throws: HTTPError.self) { _ = try await task.value }
        #expect(error?.code == .sessionClosed)
        try await registry.waitForCancellations(1)
    }

    // MARK: Other routes

    @Test func `a proxy's host is looked up, and that of a connect target`() async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let registry = Registry()
        let session = try Self.transport(registry) { _ in Self.addresses("127.0.0.1") }
        var request = try HTTPRequest(.get, "http://origin.test/")
        request[ConnectTarget.self] = try ConnectTarget("canary.test:\(server.port)")
        _ = try await session.response(for: request).text()
        request[ConnectTarget.self] = nil
        request[ProxySettings.self] = .server(try ProxyServer("http://proxy.test:\(server.port)"))
        _ = try await session.response(for: request).text()
        #expect(registry.asked == ["canary.test:\(server.port)", "proxy.test:\(server.port)"])
    }

    @Test(arguments: ["socks5", "socks5h"])
    func `a proxy that takes addresses gets those of the resolver`(scheme: String) async throws {
        let server = try LoopbackServer { _ in .ok("ok") }
        let proxy = try TestProxy(to: server.port)
        let registry = Registry()
        let session = try Self.transport(registry) {
            $0.proxies = .server(try ProxyServer("\(scheme)://127.0.0.1:\(proxy.port)"))
        } answering: { _ in
            Self.addresses("192.0.2.7")
        }
        _ = try await session.response(for: "http://origin.test:81/").text()
        let isLocal = scheme == "socks5"
        #expect(registry.asked == (isLocal ? ["origin.test:81"] : []))
        #expect(proxy.log.map(\.target) == [isLocal ? "192.0.2.7:81" : "origin.test:81"])
    }

    @Test func `a resolver may send requests over its own transport, to hosts that are known`()
        async throws
    {
        let server = try LoopbackServer { .ok($0.path == "/ask" ? "127.0.0.1" : "ok") }
        let sessions = Locked<CurlTransport?>(nil)
        let registry = Registry()
        let session = try Self.transport(registry) {
            $0.addresses = ["dns.test": Self.addresses("127.0.0.1").addresses]
            $0.maximumConnectionsPerOrigin = 1
        } answering: { count in
            guard let session = sessions.withLock({ $0 }) else { throw Unavailable() }
            // The second one asks about itself.
            let host = count == 1 ? "dns.test" : "other.test"
            let text = try await session.response(for: "http://\(host):\(server.port)/ask").text()
            return Self.addresses(text)
        }
        sessions.withLock { $0 = session }
        let url = "http://service.test:\(server.port)/"
        #expect(try await session.response(for: url).text() == "ok")
        let request = try HTTPRequest(.get, "http://other.test:\(server.port)/")
        let error = try await Self.failure(session, request)
        #expect(error.code == .nameNotResolved)
        let cause = try #require(error.underlyingError as? HTTPError)
        #expect(cause.code == .nameNotResolved && cause.message.contains("other.test"))
        #expect(registry.asked.count == 2)
        sessions.withLock { $0 = nil }
    }

    @Suite(.enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
    struct OverNginx {
        @Test func `TLS verifies the host, not its address`() async throws {
            let server = try await NginxServer.start()
            let configuration = try await TestAuthority.trusting()
            for (host, isTrusted) in [("127.0.0.1", true), ("wrong.test", false)] {
                let registry = Registry()
                let session = try CurlTransportResolverTests.transport(registry) {
                    $0.tls = configuration.tls
                } answering: { _ in
                    CurlTransportResolverTests.addresses("127.0.0.1")
                }
                let request = try HTTPRequest(.get, "https://\(host):\(server.port)/")
                if isTrusted {
                    #expect(try await session.response(for: request).text() == "hello")
                } else {
                    let error = try await CurlTransportResolverTests.failure(session, request)
                    #expect(error.code == .serverNotTrusted)
                    #expect(registry.asked == ["wrong.test:\(server.port)"])
                }
            }
        }
    }
}
