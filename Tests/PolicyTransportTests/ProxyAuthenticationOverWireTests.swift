import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import HTTPTransportCurl
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProxyAuthenticationOverWireTests {
    /// Creates a proxy that answers requests without credentials with 407 and `challenge`.
    private static func proxy(_ challenge: String) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard request["Proxy-Authorization"] != nil else {
                return LoopbackResponse(
                    status: 407, fields: [("Proxy-Authenticate", challenge)])
            }
            return .ok("proxied \(request.target)")
        }
    }

    private static func session(_ proxy: LoopbackServer) throws -> any HTTPSession {
        var configuration = CurlConfiguration()
        let url = "http://127.0.0.1:\(proxy.port)"
        configuration.proxies = .server(try ProxyServer(url))
        let credentials = PasswordCredentials(user: "u", password: "p", for: try HTTPOrigin(url))
        return try CurlTransport(configuration)
            .with(
                ProxyAuthentication(credentials, sendsPasswordUnencrypted: true), OriginGuard())
    }

    @Test(arguments: ["Basic realm=r", "Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256"])
    func `a proxy's challenge is answered, and the next request proves the password at once`(
        challenge: String
    ) async throws {
        let proxy = try Self.proxy(challenge)
        let session = try Self.session(proxy)
        for _ in 0..<2 {
            let text = try await session.response(for: "http://origin.test/a").text()
            #expect(text == "proxied http://origin.test/a")
        }
        let scheme = challenge.prefix { $0 != " " }
        let sent = proxy.log.map { $0.request?["Proxy-Authorization"]?.hasPrefix(scheme) }
        #expect(sent == [nil, true, true])
        #expect(proxy.log.allSatisfy { $0.request?["Authorization"] == nil })
    }

    @Test func `a redirect past the proxy takes none of its credentials along`() async throws {
        let server = try LoopbackServer { _ in .ok("direct") }
        let proxy = try LoopbackServer { _ in
            LoopbackResponse(
                status: 307, fields: [("Location", "http://127.0.0.1:\(server.port)/")])
        }
        var configuration = CurlConfiguration()
        configuration.proxies = .server(
            try ProxyServer("http://127.0.0.1:\(proxy.port)"),
            except: try #require(ProxyExceptions("127.0.0.1")))
        let transport = try CurlTransport(configuration)
        var request = try HTTPRequest(.get, "http://origin.test/a")
        request.headers[.proxyAuthorization] = "Basic eDp5"
        for mode in [RedirectMode.follow, .followWithOriginalSettings] {
            let session = transport.with(Redirects(mode))
            #expect(try await session.response(for: request).text() == "direct")
        }
        // A custom rule that keeps all fields.
        let keeping = transport.with(
            Redirects(
                .followCustom { redirection in
                    var next = redirection.request
                    next.url = redirection.location
                    return next
                }))
        await #expect(throws: HTTPError.self) { _ = try await keeping.response(for: request) }
        #expect(
            try await keeping.with(OriginGuard()).response(for: "http://127.0.0.1:\(server.port)/")
                .text() == "direct")
        #expect(proxy.log.allSatisfy { $0.request?["Proxy-Authorization"] == "Basic eDp5" })
        #expect(server.log.count == 3)
        #expect(server.log.allSatisfy { $0.request?["Proxy-Authorization"] == nil })
    }

    @Test func `a server's 407 gets no credentials of the proxy`() async throws {
        let proxy = try Self.proxy("Basic realm=r")
        let server = try Self.proxy("Basic realm=r")
        let session = try Self.session(proxy)
        var request = try HTTPRequest(.get, server.url("/"))
        request[ProxySettings.self] = ProxySettings.none
        let direct = request
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: direct)
        }
        #expect(error?.code == .protocolViolation)
        #expect(server.log.count == 1)
    }
}
