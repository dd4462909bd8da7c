import HTTPCore
import HTTPMiddleware
import HTTPTesting
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ProxyAuthenticationTests {
    private let proxy: HTTPOrigin
    private let authentication: ProxyAuthentication

    init() throws {
        proxy = try HTTPOrigin("http://proxy:3128")
        authentication = ProxyAuthentication(
            PasswordCredentials(user: "u", password: "p", for: proxy))
    }

    /// Forwards http requests that prove a password, and tunnels https requests.
    private func proxied(_ challenge: String = "Digest realm=p, nonce=n, qop=auth") -> MockSession {
        MockSession { [proxy] request in
            let isForwarded = request.url.scheme == "http"
            let isRefused = isForwarded && !request.headers.contains(.proxyAuthorization)
            var response = HTTPResponse(
                isRefused ? .proxyAuthenticationRequired : .ok,
                headers: isRefused ? [.proxyAuthenticate: challenge] : [:], to: request)
            response.forwardingProxy = isForwarded ? proxy : nil
            return response
        }
    }

    @Test func `a proxy's challenge is answered in its own field, and then at once`() async throws {
        let mock = proxied()
        let session = mock.with(authentication, OriginGuard())
        for _ in 0..<2 { #expect(try await session.response(for: "http://h/").status == .ok) }
        let sent = mock.requests.map { $0.headers[.proxyAuthorization] }
        #expect(sent[0] == nil && sent.count == 3)
        #expect(sent[1]?.contains("nc=00000001") == true)
        #expect(sent[2]?.contains("nc=00000002") == true)
        #expect(mock.requests.allSatisfy { !$0.headers.contains(.authorization) })
    }

    @Test func `a nonce of a proxy that was too old already is answered anew at once`()
        async throws
    {
        let nonces = Locked([String]())
        let mock = MockSession { [proxy] request in
            let field = request.headers[.proxyAuthorization] ?? ""
            let nonce = ["1", "2"].first { field.contains("nonce=\"\($0)\"") } ?? "0"
            nonces.withLock { $0.append(nonce) }
            let challenge =
                "Digest realm=p, nonce=\(nonce == "0" ? 1 : 2), qop=auth, stale=\(nonce == "1")"
            var response = HTTPResponse(
                nonce == "2" ? .ok : .proxyAuthenticationRequired,
                headers: nonce == "2" ? [:] : [.proxyAuthenticate: challenge], to: request)
            response.forwardingProxy = proxy
            return response
        }
        let response = try await mock.with(authentication).response(for: "http://h/")
        #expect(response.status == .ok && response.history.count == 2)
        #expect(nonces.withLock { $0 } == ["0", "1", "2"])
    }

    @Test func `what goes through a tunnel has no credentials of the proxy`() async throws {
        let mock = proxied()
        let session = mock.with(authentication)
        _ = try await session.response(for: "http://h/")
        _ = try await session.response(for: "https://h/")
        _ = try await session.response(for: "http://other/")
        let signed = mock.requests.map { $0.headers.contains(.proxyAuthorization) }
        #expect(signed == [false, true, false, false, true])
    }

    @Test(arguments: ["http://h/", "https://h/"])
    func `a 407 without a proxy is a protocol error, and gets no credentials`(url: String)
        async throws
    {
        let mock = MockSession { request in
            var response = HTTPResponse(
                .proxyAuthenticationRequired, headers: [.proxyAuthenticate: "Basic realm=p"],
                to: request)
            // Not even if a transport claims to have forwarded a request that goes through a
            // tunnel.
            if request.url.scheme == "https" { response.forwardingProxy = proxy }
            return response
        }
        let session = mock.with(
            ProxyAuthentication(sendsAll, sendsPasswordUnencrypted: true))
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: url)
        }
        #expect(error?.code == .protocolViolation)
        #expect(error?.response?.status == .proxyAuthenticationRequired)
        #expect(mock.requests.count == 1)
    }

    private var sendsAll: any PasswordProvider {
        PasswordCredentials(user: "u", password: "p", for: proxy)
    }

    @Test func `credentials of the server are not a proxy's, nor the other way round`() async throws
    {
        let server = PasswordCredentials(
            user: "s", password: "s", for: try HTTPOrigin("http://h"))
        let mock = proxied()
        let wrong = mock.with(ProxyAuthentication(server))
        #expect(try await wrong.response(for: "http://h/").status == .proxyAuthenticationRequired)

        let refusing = MockSession {
            HTTPResponse(
                .unauthorized, headers: [.wwwAuthenticate: "Digest realm=r, nonce=n"], to: $0)
        }
        let response = try await refusing.with(ChallengeAuthentication(sendsAll))
            .response(for: "http://h/")
        #expect(response.status == .unauthorized && refusing.requests.count == 1)
    }

    @Test func `server and proxy are answered in one call`() async throws {
        let server = PasswordCredentials(user: "s", password: "s", for: try HTTPOrigin("http://h"))
        let mock = MockSession { [proxy] request in
            var response = HTTPResponse(.ok, to: request)
            if !request.headers.contains(.proxyAuthorization) {
                response = HTTPResponse(
                    .proxyAuthenticationRequired,
                    headers: [.proxyAuthenticate: "Digest realm=p, nonce=n"], to: request)
            } else if !request.headers.contains(.authorization) {
                response = HTTPResponse(
                    .unauthorized, headers: [.wwwAuthenticate: "Digest realm=r, nonce=n"],
                    to: request)
            }
            response.forwardingProxy = proxy
            return response
        }
        let session = mock.with(ChallengeAuthentication(server), authentication)
        let response = try await session.response(for: "http://h/")
        #expect(response.status == .ok)
        #expect(response.history.map(\.status.code) == [407, 401])
        #expect(mock.requests.count == 3)
    }
}
