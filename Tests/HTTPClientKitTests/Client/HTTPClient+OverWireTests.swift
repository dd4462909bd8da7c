import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Tests complete clients over real connections: secrets stay where they belong, and one connection
/// with one permit is enough for everything that sends twice.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientOverWireTests {
    enum Login: String, CaseIterable, Codable, Sendable {
        case bearer, digest, netrc
    }

    /// A user's interceptor, innermost: the fields that it adds must not reach every server.
    private struct Signing: HTTPClientMiddleware {
        func intercept(
            _ request: HTTPRequest, next: any HTTPSession
        ) async throws -> HTTPResponse {
            var request = request
            try request.headers.set("X-Signature", "sealed-by-attempt")
            return try await next.response(for: request)
        }
    }

    private static func isSigned(_ request: LoopbackRequest, for login: Login) -> Bool {
        let field = request["Authorization"] ?? ""
        return switch login {
        case .bearer: field == "Bearer token-hunter2"
        case .digest: field.hasPrefix("Digest ") && field.contains("username=\"mr\"")
        case .netrc: field == "Basic bXI6aHVudGVyMg=="
        }
    }

    private static func challenge(_ login: Login) -> String {
        switch login {
        case .bearer: "Bearer realm=r"
        case .digest: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"
        case .netrc: "Basic realm=\"r\""
        }
    }

    private func layer(
        _ login: Login, for home: LoopbackServer, netrc path: String
    ) throws -> any HTTPClientMiddleware {
        let origin = try HTTPOrigin(home.url("/"))
        let credentials = PasswordCredentials(user: "mr", password: "hunter2", for: origin)
        return switch login {
        case .bearer: BearerAuthentication(for: origin) { "token-hunter2" }
        case .digest: DigestAuthentication(credentials)
        case .netrc:
            // The credentials of one port only: a netrc file names hosts, and both servers are one
            // host.
            ChallengeAuthentication(
                NetrcFile(path, ports: [Int(home.port)], options: .readableByOthers),
                sendsPasswordUnencrypted: true)
        }
    }

    // MARK: Secrets across origins

    @Test(.rows("B-6"), arguments: ClientWire.allCases, Login.allCases)
    func
        `a redirect elsewhere tells nothing, and the way back everything`(
            wire: ClientWire, login: Login
        ) async throws
    {
        let netrc = FileManager.default.temporaryDirectory
            .appending(path: "client-netrc-\(UUID().uuidString)")
        try Data("machine 127.0.0.1 login mr password hunter2".utf8).write(to: netrc)
        defer { try? FileManager.default.removeItem(at: netrc) }

        let way = Locked(["back": "", "there": ""])
        let foreign = try LoopbackServer { _ in
            .redirect(to: way.withLock { $0["back"] ?? "" })
        }
        let home = try LoopbackServer { request in
            guard Self.isSigned(request, for: login) else {
                var refusal = LoopbackResponse.status(401)
                refusal.fields = [("WWW-Authenticate", Self.challenge(login))]
                return refusal
            }
            return request.path == "/start"
                ? .redirect(to: way.withLock { $0["there"] ?? "" }) : .ok("home again")
        }
        way.withLock { $0 = ["back": home.url("/end"), "there": foreign.url("/hop")] }

        let client = try HTTPClient(
            baseURL: home.url("/"), transport: wire.transport(),
            headers: ["X-Api-Key": "key-hunter2"],
            authentication: [layer(login, for: home, netrc: netrc.path)]
        ) {
            $0.attemptMiddleware = [Signing()]
            $0.concurrencyLimit = ConcurrencyLimit(perOrigin: 1, total: 1)
        }
        let text = try await client.get("start").header("X-Own-Secret", "own-hunter2").text()
        #expect(text == "home again")

        let abroad = foreign.snapshot.log.compactMap(\.request)
        #expect(abroad.map(\.path) == ["/hop"])
        for request in abroad {
            let head = String(decoding: request.head, as: UTF8.self)
            for secret in ["hunter2", "sealed-by-attempt", "bXI6", "Authorization", "username"] {
                #expect(!head.lowercased().contains(secret.lowercased()), "\(secret) leaked")
            }
        }
        let last = try #require(home.snapshot.log.compactMap(\.request).last)
        #expect(last.path == "/end")
        #expect(Self.isSigned(last, for: login))
        #expect(last["X-Api-Key"] == "key-hunter2")
        #expect(last["X-Signature"] == "sealed-by-attempt")
    }

    @Test(.rows("B-6"), arguments: ClientWire.allCases, Login.allCases)
    func `another server that asks for a password gets none`(
        wire: ClientWire, login: Login
    ) async throws {
        let netrc = FileManager.default.temporaryDirectory
            .appending(path: "client-netrc-\(UUID().uuidString)")
        try Data("machine 127.0.0.1 login mr password hunter2".utf8).write(to: netrc)
        defer { try? FileManager.default.removeItem(at: netrc) }

        let foreign = try LoopbackServer { _ in
            var refusal = LoopbackResponse.status(401)
            refusal.fields = [("WWW-Authenticate", Self.challenge(login))]
            return refusal
        }
        let home = try LoopbackServer { _ in .redirect(to: foreign.url("/trap")) }
        let client = try HTTPClient(
            baseURL: home.url("/"), transport: wire.transport(),
            authentication: [layer(login, for: home, netrc: netrc.path)])
        let error = await #expect(throws: HTTPError.self) { try await client.get("a").response() }
        #expect(error?.status == .unauthorized)
        #expect(foreign.snapshot.requestCount == 1)
        #expect(foreign.snapshot.log.allSatisfy { $0.request?["Authorization"] == nil })
    }

    // MARK: One connection and one permit

    enum Sender: String, CaseIterable, Codable, Sendable {
        case redirect, policy, verdict, alternative, digest, refresh
    }

    private static func large(_ status: Int, _ field: (String, String)? = nil) -> LoopbackResponse {
        var response = LoopbackResponse(content: .generated(count: 2 << 20), framing: .chunked)
        response.status = status
        if let field { response.fields = [(name: field.0, value: field.1)] }
        return response
    }

    @Test(arguments: ClientWire.allCases, Sender.allCases)
    func `every layer that sends twice needs one connection and one permit`(
        wire: ClientWire, sender: Sender
    ) async throws {
        let server = try LoopbackServer { _ in .ok("good") }
        let origin = try HTTPOrigin(server.url("/"))
        switch sender {
        case .redirect: server.enqueue(Self.large(302, ("Location", "/b")))
        case .policy, .verdict: server.enqueue(Self.large(503))
        case .alternative, .refresh: server.enqueue(Self.large(401))
        case .digest:
            server.enqueue(Self.large(401, ("WWW-Authenticate", Self.challenge(.digest))))
        }
        let client = try HTTPClient(baseURL: server.url("/"), transport: wire.transport()) {
            $0.concurrencyLimit = ConcurrencyLimit(perOrigin: 1, total: 1)
            switch sender {
            case .redirect: break
            case .policy:
                $0.retry = .standard
                $0.retry.backoff = .constant(.zero)
            case .verdict:
                var validator = HTTPDefaultValidator()
                validator.retriableStatuses = [.serviceUnavailable: .zero]
                $0.validators = [validator]
            case .alternative:
                $0.validators.insert(
                    HTTPAltRequestValidator(onProvideAltRequest: { _, _ in
                        try HTTPRequest(.post, "login")
                    }), at: 0)
            case .digest:
                $0.authentication = [
                    DigestAuthentication(
                        PasswordCredentials(user: "mr", password: "hunter2", for: origin))
                ]
            case .refresh:
                $0.authentication = [
                    RefreshingAuthentication(for: origin, credential: .fixed("old")) { _, session in
                        let token = try await session.post(server.url("/token")).text()
                        return .fixed(token)
                    }
                ]
            }
        }
        #expect(try await client.get("a").maxRetries(1).text() == "good")
        let hasThird = sender == .alternative || sender == .refresh
        #expect(server.snapshot.requestCount == (hasThird ? 3 : 2))
        let limit = try #require(client.configuration.concurrencyLimit)
        #expect(limit.running == 0)
    }
}

extension HTTPCredential {
    /// A bearer token that does not expire.
    fileprivate static func fixed(_ token: String) -> HTTPCredential {
        guard let authorization = try? Authorization.bearer(token) else {
            preconditionFailure("the test's token is none")
        }
        return HTTPCredential(authorization)
    }
}
