import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing

/// Requests through real proxies, which implement their protocols independently.
/// `CurlTransportProxyTests` checks the bytes on the wire.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
struct CurlTransportRealProxyTests {
    private static let credentials = "\(ProxyProgram.user):\(ProxyProgram.password)@"

    private static func transport(_ proxy: String) async throws -> CurlTransport {
        var configuration = try await TestAuthority.trusting()
        configuration.proxies = .server(try ProxyServer(proxy))
        configuration.addressFamily = .ipv4
        return try CurlTransport(configuration)
    }

    /// Expects responses through a tunnel, over HTTP/2 and HTTP/1.1, and through a plain proxy.
    private static func expectAnswers(
        _ proxy: String, hosts: [String] = ["127.0.0.1", "localhost"]
    ) async throws {
        let secure = try await NginxServer.start()
        let plain = try LoopbackServer { .ok("plain \($0.path)") }
        let session = try await transport(proxy)
        for host in hosts {
            for version in [HTTPVersion.http2, .http1_1] {
                var request = try HTTPRequest(.get, "https://\(host):\(secure.port)/")
                request.version = version
                let response = try await session.response(for: request)
                #expect(response.head.version == version)
                #expect(try await response.text() == "hello")
            }
            let text = try await session.response(for: "http://\(host):\(plain.port)/a").text()
            #expect(text == "plain /a")
        }
    }

    /// Expects refusals of a wrong password and of no password.
    private static func expectRefusals(_ scheme: String, _ port: UInt16) async throws {
        let server = try await NginxServer.start()
        for credentials in ["\(ProxyProgram.user):wr0ng@", ""] {
            let session = try await transport("\(scheme)://\(credentials)127.0.0.1:\(port)")
            let error = await #expect(throws: HTTPError.self) {
                _ = try await session.response(for: server.url())
            }
            #expect(error?.code == .proxyFailed)
            #expect(error?.mayHaveReachedServer == false)
            #expect(!"\(String(describing: error))".contains("wr0ng"))
        }
    }

    @Test(.enabled(if: ProxyProgram.Kind.tinyproxy.isAvailable, "tinyproxy is not installed"))
    func `tinyproxy forwards and makes tunnels`() async throws {
        let proxy = try await ProxyProgram.start(.tinyproxy)
        try await Self.expectAnswers("http://127.0.0.1:\(proxy.port)")
    }

    @Test(.enabled(if: ProxyProgram.Kind.tinyproxy.isAvailable, "tinyproxy is not installed"))
    func `tinyproxy asks for credentials`() async throws {
        let proxy = try await ProxyProgram.start(.tinyproxy, asksForCredentials: true)
        try await Self.expectAnswers("http://\(Self.credentials)127.0.0.1:\(proxy.port)")
        try await Self.expectRefusals("http", proxy.port)
    }

    @Test(
        .enabled(if: ProxyProgram.Kind.squid.isAvailable, "squid is not installed"),
        .enabled(if: ProxyProgram.hasSharedMemory, "squid's user may not make shared memory here"),
        arguments: [false, true])
    func `squid forwards and makes tunnels`(asksForCredentials: Bool) async throws {
        let proxy = try await ProxyProgram.start(.squid, asksForCredentials: asksForCredentials)
        let credentials = asksForCredentials ? Self.credentials : ""
        try await Self.expectAnswers("http://\(credentials)127.0.0.1:\(proxy.port)")
        if asksForCredentials { try await Self.expectRefusals("http", proxy.port) }
    }

    @Test(
        .enabled(if: ProxyProgram.Kind.tinyproxy.isAvailable, "tinyproxy is not installed"),
        .enabled(if: ProxyProgram.Kind.haproxy.isAvailable, "haproxy is not installed"))
    func `an HTTPS proxy is one behind TLS`() async throws {
        let proxy = try await ProxyProgram.start(.tinyproxy, asksForCredentials: true)
        let front = try await ProxyProgram.start(.haproxy, before: proxy.port)
        try await Self.expectAnswers("https://\(Self.credentials)localhost:\(front.port)")
    }

    @Test(.enabled(if: ProxyProgram.Kind.microsocks.isAvailable, "microsocks is not installed"))
    func `microsocks takes a password`() async throws {
        let proxy = try await ProxyProgram.start(.microsocks)
        for scheme in ["socks5", "socks5h"] {
            // It takes the first address of a name, which may be one of IPv6.
            try await Self.expectAnswers(
                "\(scheme)://\(Self.credentials)127.0.0.1:\(proxy.port)", hosts: ["127.0.0.1"])
            try await Self.expectRefusals(scheme, proxy.port)
        }
    }

    @Test(
        .enabled(if: ProxyProgram.Kind.ssh.isAvailable, "ssh or sshd is not installed"),
        arguments: ["socks4", "socks4a", "socks5", "socks5h"])
    func `OpenSSH forwards`(scheme: String) async throws {
        let proxy = try await ProxyProgram.start(.ssh)
        try await Self.expectAnswers("\(scheme)://127.0.0.1:\(proxy.port)")
    }

    /// Its SOCKS4 takes the address of SOCKS4a for one.
    @Test(
        .enabled(if: ProxyProgram.Kind.danted.isAvailable, "danted is not installed"),
        arguments: ["socks4", "socks5", "socks5h"])
    func `dante connects`(scheme: String) async throws {
        let proxy = try await ProxyProgram.start(.danted)
        try await Self.expectAnswers("\(scheme)://127.0.0.1:\(proxy.port)")
    }
}
