import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableLibc
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CurlTransportProxyTests {
    @inline(never) private static func transport(
        _ proxy: String, _ change: (inout CurlConfiguration) throws -> Void = { _ in }
    ) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxies = .server(try ProxyServer(proxy))
        try change(&configuration)
        return try CurlTransport(configuration)
    }

    private static func failure(
        _ session: CurlTransport, _ request: HTTPRequest
    ) async throws -> HTTPError {
        try #require(
            await #expect(throws: HTTPError.self) { _ = try await session.response(for: request) })
    }

    @Test func `an HTTP proxy gets the whole URL, and its credentials`() async throws {
        let proxy = try LoopbackServer { request in .ok("proxied \(request.target)") }
        let session = try Self.transport("http://al%20ice:s%3Acret@127.0.0.1:\(proxy.port)") {
            $0.decodesContent = false
        }
        let response = try await session.response(for: "http://origin.test/a?b#c")
        #expect(try await response.text() == "proxied http://origin.test/a?b")
        let exchange = try #require(proxy.log.first)
        let text = String(decoding: exchange.bytes, as: UTF8.self)
        let credentials = Data("al ice:s:cret".utf8).base64EncodedString()
        #expect(
            text == "GET http://origin.test/a?b HTTP/1.1\r\nHost: origin.test\r\n"
                + "Proxy-Authorization: Basic \(credentials)\r\n"
                + "Proxy-Connection: Keep-Alive\r\n\r\n"
        )
        let timeline = try #require(response.timeline.exchanges.first)
        #expect(timeline.proxy == "http://127.0.0.1:\(proxy.port)")
        #expect(timeline.remoteAddress == "127.0.0.1:\(proxy.port)")
    }

    @Test func `a response says which proxy may have sent it`() async throws {
        let proxy = try LoopbackServer { _ in .status(407) }
        let session = try Self.transport("http://127.0.0.1:\(proxy.port)")
        let refused = try await session.response(for: "http://origin.test/")
        #expect(refused.status == .proxyAuthenticationRequired)
        #expect(refused.forwardingProxy == (try HTTPOrigin("http://127.0.0.1:\(proxy.port)")))

        let server = try LoopbackServer { _ in .status(407) }
        let socks = try TestProxy(to: server.port)
        for settings in [
            ProxySettings.none, .server(try ProxyServer("socks5://127.0.0.1:\(socks.port)")),
        ] {
            var request = try HTTPRequest(.get, server.url("/"))
            request[ProxySettings.self] = settings
            #expect(try await session.response(for: request).forwardingProxy == nil)
        }
        #expect(socks.log.count == 1)
    }

    @Test func `an answer to a proxy's challenge is sent in place of the transport's credentials`()
        async throws
    {
        let proxy = try LoopbackServer { _ in .ok() }
        let session = try Self.transport("http://alice:s3cret@127.0.0.1:\(proxy.port)")
        var request = try HTTPRequest(.get, "http://origin.test/")
        request.headers[.proxyAuthorization] = "Digest x=1"
        _ = try await session.response(for: request).text()
        _ = try await session.response(for: "http://origin.test/").text()
        let sent = proxy.log.map { exchange in
            (exchange.request?.fields ?? []).filter { $0.name == "Proxy-Authorization" }.map(
                \.value)
        }
        let basic = "Basic \(Data("alice:s3cret".utf8).base64EncodedString())"
        #expect(sent == [["Digest x=1"], [basic]])
    }

    @Test(
        .enabled(if: TestAuthority.isAvailable, "openssl is not installed"),
        arguments: [
            ("http", "CONNECT", "localhost"), ("socks4", "SOCKS4", "127.0.0.1"),
            ("socks4a", "SOCKS4a", "localhost"), ("socks5", "SOCKS5", "127.0.0.1"),
            ("socks5h", "SOCKS5", "localhost"),
        ])
    func `https goes through a tunnel, and the server sees nothing of the proxy`(
        scheme: String, kind: String, host: String
    ) async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let proxy = try TestProxy(to: server.port)
        let session = try Self.transport("\(scheme)://127.0.0.1:\(proxy.port)") {
            $0.tls.trust = .only(.file(authority.root.certificate))
            $0.addressFamily = .ipv4
        }
        let response = try await session.response(for: "https://localhost:\(server.port)/")
        #expect(response.status == .ok)
        #expect(response.headers["X-Proxy"] == nil)
        #expect(try await response.text().contains("Protocol  : TLS"))
        #expect(response.forwardingProxy == nil)
        let ask = try #require(proxy.log.first)
        #expect(ask.kind == kind)
        #expect(ask.target == "\(host):\(server.port)")
        #expect(response.timeline.exchanges.first?.proxy == "\(scheme)://127.0.0.1:\(proxy.port)")
    }

    @Test(.enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
    func `an HTTPS proxy is spoken to over TLS, with its credentials`() async throws {
        let authority = try await TestAuthority.shared
        let proxy = try LoopbackServer { request in .ok("proxied \(request.target)") }
        let front = try await TLSFront.start(authority.server, before: proxy.port)
        let session = try Self.transport("https://alice:s3cret@localhost:\(front.port)") {
            $0.tls.trust = .only(.file(authority.root.certificate))
            $0.addressFamily = .ipv4
        }
        let response = try await session.response(for: "http://origin.test/a")
        #expect(response.forwardingProxy == (try HTTPOrigin("https://localhost:\(front.port)")))
        #expect(try await response.text() == "proxied http://origin.test/a")
        let request = try #require(proxy.log.first?.request)
        #expect(request["Proxy-Authorization"]?.hasPrefix("Basic ") == true)
        #expect(response.timeline.exchanges.first?.proxy == "https://localhost:\(front.port)")
    }

    @Test(.enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
    func `a tunnel through an HTTPS proxy is TLS within TLS`() async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let proxy = try TestProxy(to: server.port)
        let front = try await TLSFront.start(authority.server, before: proxy.port)
        let session = try Self.transport("https://localhost:\(front.port)") {
            $0.tls.trust = .only(.file(authority.root.certificate))
            $0.addressFamily = .ipv4
        }
        let response = try await session.response(for: "https://localhost:\(server.port)/")
        #expect(try await response.text().contains("Protocol  : TLS"))
        #expect(response.forwardingProxy == nil)
        #expect(proxy.log.map(\.target) == ["localhost:\(server.port)"])
    }

    @Test(.enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
    func `an HTTPS proxy that is not the one meant gets nothing`() async throws {
        let authority = try await TestAuthority.shared
        let proxy = try TestProxy(to: 9)
        let front = try await TLSFront.start(authority.server, before: proxy.port)
        let session = try Self.transport("https://alice:s3cret@127.0.0.1:\(front.port)")
        let error = try await Self.failure(session, HTTPRequest(.get, "http://origin.test/"))
        #expect(!error.mayHaveReachedServer)
        #expect(error.phase != .receiving)
        #expect(proxy.log.isEmpty)
    }

    @Test(arguments: ["socks4", "socks4a", "socks5", "socks5h"])
    func `http goes through SOCKS as it is`(scheme: String) async throws {
        let server = try LoopbackServer { .ok("direct \($0.target)") }
        let proxy = try TestProxy(to: server.port)
        let session = try Self.transport("\(scheme)://127.0.0.1:\(proxy.port)") {
            $0.addressFamily = .ipv4
        }
        let text = try await session.response(for: "http://localhost:\(server.port)/x").text()
        #expect(text == "direct /x")
        #expect(proxy.log.count == 1)
    }

    @Test func `credentials go to the proxy alone`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let proxy = try TestProxy(to: server.port, credentials: "alice:s3cret")
        let session = try Self.transport("socks5://alice:s3cret@127.0.0.1:\(proxy.port)")
        _ = try await session.response(for: server.url).text()
        #expect(proxy.log.first?.user == "alice")
        #expect(proxy.log.first?.password == "s3cret")
        let bytes = try #require(server.log.first?.bytes)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Authorization"))
    }

    @Test(.enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
    func `a tunnel's credentials are not the server's`() async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let proxy = try TestProxy(to: server.port, credentials: "alice:s3cret")
        let session = try Self.transport("http://alice:s3cret@127.0.0.1:\(proxy.port)") {
            $0.tls.trust = .only(.file(authority.root.certificate))
        }
        var request = try HTTPRequest(.get, "https://127.0.0.1:\(server.port)/")
        request.headers[.authorization] = "Bearer origin"
        request.headers["X-Api-Key"] = "origin"
        _ = try await session.response(for: request).text()
        let head = try #require(proxy.log.first?.head)
        #expect(head.contains("Proxy-Authorization: Basic "))
        #expect(!head.contains("Bearer"))
        #expect(!head.contains("X-Api-Key"))
    }

    @Test(arguments: ["http", "socks5"])
    func `a proxy that wants other credentials is the one that failed`(scheme: String) async throws
    {
        let proxy = try TestProxy(to: 9, credentials: "alice:right")
        let session = try Self.transport("\(scheme)://alice:wr0ng@127.0.0.1:\(proxy.port)")
        let error = try await Self.failure(session, HTTPRequest(.get, "https://127.0.0.1:9/"))
        #expect(error.code == .proxyFailed)
        #expect(!error.mayHaveReachedServer)
        #expect(!"\(error)".contains("wr0ng"))
        #expect(!error.isRetryable)
        if scheme == "http" {
            #expect(error.message.contains("407"))
            #expect(error.status == .proxyAuthenticationRequired)
        } else {
            #expect(error.message.contains("does not accept the user name or the password"))
        }
    }

    @Test func `a SOCKS proxy that asks for credentials gets none, and says so`() async throws {
        let proxy = try TestProxy(to: 9, credentials: "alice:right")
        let session = try Self.transport("socks5://127.0.0.1:\(proxy.port)")
        let error = try await Self.failure(session, HTTPRequest(.get, "http://127.0.0.1:9/"))
        #expect(error.code == .proxyFailed)
        #expect(!error.isRetryable)
    }

    @Test(
        arguments: [
            (1, true, "it has failed"), (2, false, "do not allow the connection"),
            (3, true, "cannot reach the network"), (4, true, "cannot reach the host"),
            (5, true, "refused its connection"), (6, true, "timed out"),
            (7, false, "does not make connections"), (8, false, "this kind of address"),
            (200, true, "did not connect"),
        ] as [(UInt8, Bool, String)], ["socks5", "socks5h"])
    func `what a SOCKS proxy replies is the reason (RFC 1928 §6)`(
        reply: (code: UInt8, isRetryable: Bool, words: String), scheme: String
    ) async throws {
        let proxy = try TestProxy(to: 9, reply: reply.code)
        let session = try Self.transport("\(scheme)://127.0.0.1:\(proxy.port)")
        for url in ["http://127.0.0.1:9/", "https://127.0.0.1:9/"] {
            let error = try await Self.failure(session, HTTPRequest(.post, url))
            #expect(error.code == .proxyFailed, "\(error)")
            #expect(error.message.contains(reply.words), "\(error)")
            #expect(error.isRetryable == reply.isRetryable, "\(error)")
            #expect(!error.mayHaveReachedServer)
        }
    }

    @Test func `a name that is not resolved here is not the SOCKS proxy's failure`() async throws {
        let proxy = try TestProxy(to: 9)
        let session = try Self.transport("socks5://127.0.0.1:\(proxy.port)")
        let error = try await Self.failure(session, HTTPRequest(.get, "http://nowhere.invalid/"))
        #expect(error.code == .nameNotResolved, "\(error)")
        #expect(error.isRetryable)
    }

    @Test(
        .enabled(if: TestAuthority.isAvailable, "openssl is not installed"),
        arguments: [
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.0 100 \n\n",
            "HTTP/1.1 102 Wait\r\nVia: a\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
        ])
    func `a tunnel may be preceded by interim responses (RFC 9110 §15.2)`(
        interim: String
    ) async throws {
        let authority = try await TestAuthority.shared
        let server = try await TLSServer.start(authority.server)
        let proxy = try TestProxy(to: server.port, interim: interim)
        let session = try Self.transport("http://127.0.0.1:\(proxy.port)") {
            $0.tls.trust = .only(.file(authority.root.certificate))
        }
        for _ in 0..<3 {
            let response = try await session.response(for: "https://127.0.0.1:\(server.port)/")
            #expect(response.headers["Via"] == nil && response.headers["Link"] == nil)
            #expect(try await response.text().contains("Protocol  : TLS"))
        }
        // One that came too early for libcurl makes another connection.
        #expect(proxy.log.count >= 3)
    }

    @Test(arguments: [
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 200),
    ])
    func `what a proxy sends in place of a tunnel is its failure`(interim: String) async throws {
        let proxy = try TestProxy(to: 9, interim: interim)
        let session = try Self.transport("http://127.0.0.1:\(proxy.port)")
        let error = try await Self.failure(session, HTTPRequest(.get, "https://127.0.0.1:9/"))
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.message.contains("10"), "\(error)")
    }

    @Test(arguments: [(403, false), (502, true), (503, true)])
    func `what a proxy answers to CONNECT is no response of the server`(
        status: Int, isRetryable: Bool
    ) async throws {
        let proxy = try TestProxy(to: 9, refusal: status)
        let session = try Self.transport("http://127.0.0.1:\(proxy.port)")
        let error = try await Self.failure(session, HTTPRequest(.post, "https://127.0.0.1:9/"))
        #expect(error.code == .proxyFailed)
        #expect(error.phase == .connecting)
        #expect(error.isRetryable == isRetryable)
        #expect(!error.mayHaveReachedServer)
        #expect(error.message.contains("\(status)"))
        #expect(error.status?.code == status)
        #expect(error.response?.headers["Retry-After"] == "7")
        #expect(error.response?.version == .http1_1)
    }

    @Test func `a proxy that is not there is the one that failed`() async throws {
        let gone = try RefusingPort()
        let session = try Self.transport("http://127.0.0.1:\(gone.number)")
        let error = try await Self.failure(session, HTTPRequest(.get, "http://origin.test/"))
        #expect(error.code == .proxyFailed)
        #expect(error.message.contains("127.0.0.1:\(gone.number)"))
    }

    @Test func `exceptions go to their server, and a request may go its own way`() async throws {
        let server = try LoopbackServer { .ok("direct \($0.target)") }
        let proxy = try LoopbackServer { .ok("proxied \($0.target)") }
        let exceptions = try #require(ProxyExceptions("127.0.0.0/8"))
        let session = try Self.transport("127.0.0.1:\(proxy.port)") {
            $0.proxies.exceptions = exceptions
        }
        #expect(try await session.response(for: server.url("/")).text() == "direct /")
        #expect(
            try await session.response(for: "http://origin.test/").text()
                == "proxied http://origin.test/")
        var request = try HTTPRequest(.get, server.url("/"))
        request[ProxySettings.self] = .server(try ProxyServer("127.0.0.1:\(proxy.port)"))
        #expect(try await session.response(for: request).text() == "proxied \(server.url("/"))")
        request[ProxySettings.self] = ProxySettings.none
        #expect(try await session.response(for: request).text() == "direct /")
    }

    @Test func `the environment is not looked at unasked`() async throws {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let server = try LoopbackServer { .ok("direct \($0.target)") }
            let proxy = try LoopbackServer { .ok("proxied \($0.target)") }
            _ = unsafe setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            _ = unsafe setenv("ALL_PROXY", "http://127.0.0.1:\(proxy.port)", 1)
            _ = unsafe setenv("no_proxy", "*", 1)
            let text = try await CurlTransport().response(for: server.url("/")).text()
            guard text == "direct /" else { exit(3) }
            // A proxy that was named is used, whatever `no_proxy` says.
            var configuration = CurlConfiguration()
            configuration.proxies = .server(try ProxyServer("127.0.0.1:\(proxy.port)"))
            let other = try await CurlTransport(configuration).response(for: server.url("/")).text()
            guard other.hasPrefix("proxied") else { exit(4) }
            _ = unsafe unsetenv("no_proxy")
            configuration.proxies = try .environment()
            let asked = try await CurlTransport(configuration).response(for: server.url("/")).text()
            guard asked.hasPrefix("proxied") else { exit(5) }
        }
    }

    @Test func `credentials of a proxy reach no server: none is there, or it does not read them`()
        async throws
    {
        let server = try LoopbackServer { _ in .ok() }
        let socks = try TestProxy(to: server.port)
        let tunnel = try TestProxy(to: server.port)
        let proxies: [(ProxySettings, String)] = [
            (.none, "http"),
            (.server(try ProxyServer("socks5://127.0.0.1:\(socks.port)")), "http"),
            (.server(try ProxyServer("socks4a://127.0.0.1:\(socks.port)")), "http"),
            (.server(try ProxyServer("http://127.0.0.1:\(tunnel.port)")), "https"),
        ]
        for (settings, scheme) in proxies {
            var request = try HTTPRequest(.get, "\(scheme)://127.0.0.1:\(server.port)/")
            request[ProxySettings.self] = settings
            request.headers[.proxyAuthorization] = "Basic eDp5"
            let error = try await Self.failure(CurlTransport(), request)
            #expect(error.code == .invalidRequest, "\(settings)")
            #expect(error.message.contains("Proxy-Authorization"))
            #expect(!error.description.contains("eDp5"))
        }
        #expect(server.connections.accepted == 0)
        #expect(socks.log.isEmpty && tunnel.log.isEmpty)
    }

    @Test func `what would leak or cannot be judged is refused before anything is sent`()
        async throws
    {
        let proxy = try LoopbackServer { _ in .ok() }
        let session = try Self.transport("http://127.0.0.1:\(proxy.port)")
        var request = try HTTPRequest(.get, "http://origin.test/")
        var tunnelled = try HTTPRequest(.get, "https://origin.test/")
        tunnelled.headers[.proxyAuthorization] = "Basic x"
        #expect(try await Self.failure(session, tunnelled).code == .invalidRequest)
        request[AddressPolicy.self] = .publicOnly
        let error = try await Self.failure(session, request)
        #expect(error.code == .unsupportedOption)
        #expect(error.message.contains("proxy"))
        #expect(proxy.connections.accepted == 0)
    }
}
