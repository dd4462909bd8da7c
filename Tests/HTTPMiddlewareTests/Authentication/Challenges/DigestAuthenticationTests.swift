import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPMiddleware
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct DigestAuthenticationTests {
    private let credentials: PasswordCredentials

    init() throws {
        credentials = PasswordCredentials(
            user: "u", password: "p", for: try HTTPOrigin("http://h"), realm: "r")
    }

    // MARK: Digest

    @Test(
        .rows("B-14"),
        arguments: [
            "qop=auth", "qop=\"auth,auth-int\", algorithm=SHA-256",
            "qop=auth-int, algorithm=SHA-512-256",
            "algorithm=MD5", "qop=auth, algorithm=MD5-sess",
            "qop=auth, algorithm=SHA-512-256-sess, userhash=true",
        ]) func `one refusal, then every request is signed at once, with the nonce's next count`(
            parameters: String
        ) async throws
    {
        let server = DigestServer(credentials, parameters)
        let session = server.session.with(DigestAuthentication(credentials))
        let request = try HTTPRequest(.put, "http://h/a?b").text("body")
        let first = try await session.response(for: request)
        #expect(first.status == .ok)
        #expect(first.history.map(\.status) == [.unauthorized])
        let second = try await session.response(for: request)
        #expect(second.status == .ok && second.history.isEmpty)
        let isCounted = parameters.contains("qop")
        #expect(server.log == ["unsigned"] + (isCounted ? ["n1:1", "n1:2"] : ["n1:0", "n1:0"]))
    }

    @Test func `a stale nonce is answered anew, without asking a provider`() async throws {
        let server = DigestServer(credentials, "qop=auth")
        let session = server.session.with(DigestAuthentication(credentials))
        _ = try await session.response(for: "http://h/")
        server.forgetNonces()
        #expect(try await session.response(for: "http://h/").status == .ok)
        #expect(server.log == ["unsigned", "n1:1", "n1:2", "n2:1"])
    }

    @Test func `the next nonce from Authentication-Info saves a refusal`() async throws {
        let server = DigestServer(credentials, "qop=auth, algorithm=SHA-256-sess", rotates: true)
        let session = server.session.with(DigestAuthentication(credentials))
        for _ in 0..<3 { _ = try await session.response(for: "http://h/") }
        #expect(server.log == ["unsigned", "n1:1", "n2:1", "n3:1"])
    }

    @Test(.rows("B-14"))
    func `a wrong password is tried once, and again only after a challenge`() async throws {
        let server = DigestServer(credentials, "qop=auth")
        let wrong = PasswordCredentials(user: "u", password: "q", for: try HTTPOrigin("http://h"))
        let session = server.session.with(DigestAuthentication(wrong))
        #expect(try await session.response(for: "http://h/").status == .unauthorized)
        #expect(try await session.response(for: "http://h/").status == .unauthorized)
        #expect(server.log == ["unsigned", "n1:1", "unsigned", "n3:1"])
    }

    @Test func `a body that was read once leaves its refusal, and the next is signed at once`()
        async throws
    {
        let server = DigestServer(credentials, "qop=auth")
        let mock = MockSession { request in
            _ = try await request.body.collect()
            return try await server.response(to: request)
        }
        let session = mock.with(DigestAuthentication(credentials))
        let request = try HTTPRequest(.post, "http://h/")
        func once() -> HTTPRequest { request.stream(once: AsyncStream<Data> { $0.finish() }) }
        let refused = try await session.response(for: once())
        #expect(refused.status == .unauthorized && refused.history.isEmpty)
        #expect(try await refused.text() == "no")
        #expect(try await session.response(for: once()).status == .ok)
        #expect(server.log == ["unsigned", "n1:1"])
    }

    @Test func `a body that has not been read yet is sent with the answer`() async throws {
        let server = DigestServer(credentials, "qop=auth")
        let session = server.session.with(DigestAuthentication(credentials))
        let request = try HTTPRequest(.post, "http://h/")
            .stream(once: AsyncStream<Data> { $0.finish() })
        #expect(try await session.response(for: request).status == .ok)
    }

    /// The nonce that a request is signed with, or 0.
    private func nonce(of request: HTTPRequest) -> Int {
        let field = request.headers[.authorization]
        let nonce = field.flatMap { AuthenticationChallenge.challenges(in: $0).first?["nonce"] }
        return nonce.flatMap { Int($0) } ?? 0
    }

    /// A server for whose nonces the answers are too late this many times.
    private func staleServer(times: Int) -> MockSession {
        MockSession { [self] request in
            let nonce = nonce(of: request)
            guard nonce <= times else { return HTTPResponse(.ok, to: request) }
            let challenge = "Digest realm=r, nonce=\(nonce + 1), qop=auth, stale=\(nonce > 0)"
            return HTTPResponse(
                .unauthorized, headers: [.wwwAuthenticate: challenge], to: request)
        }
    }

    @Test(.rows("B-14"), arguments: 0...3)
    func `an answer whose nonce was too old already is given anew at once`(
        times: Int
    ) async throws {
        let mock = staleServer(times: times)
        let session = mock.with(DigestAuthentication(credentials))
        let response = try await session.response(for: "http://h/")
        #expect(response.status == .ok)
        #expect(response.history.count == times + 1)
        #expect(mock.requests.map(nonce) == Array(0...(times + 1)))
    }

    /// Only the server that refused the nonce for its age says nothing against the password.
    @Test(
        arguments: [
            ("Digest realm=r, nonce=2, qop=auth, stale=true", 2),
            ("Digest realm=s, nonce=2, qop=auth, stale=true", nil),
            ("Digest realm=R, nonce=2, qop=auth, stale=true", nil),
            ("Digest realm=r, nonce=2, qop=auth, stale=true, algorithm=SHA-256", nil),
            ("Digest realm=r, nonce=2, qop=auth, stale=false", nil),
            ("Digest realm=r, nonce=2, qop=auth", nil), ("Basic realm=r, stale=true", nil),
            (
                "Digest realm=r, nonce=2, qop=auth, stale=true, algorithm=SHA-256, "
                    + "Digest realm=r, nonce=3, qop=auth, stale=false", nil
            ),
        ] as [(String, Int?)])
    func `a nonce was too old only if the challenge of its space says so`(
        challenge: String, next: Int?
    ) async throws {
        let mock = MockSession { [self] request in
            let first = "Digest realm=r, nonce=1, qop=auth"
            let challenges = [first, challenge]
            guard nonce(of: request) < 2 else { return HTTPResponse(.ok, to: request) }
            var headers = HTTPHeaders()
            headers[.wwwAuthenticate] = challenges[nonce(of: request)]
            return HTTPResponse(.unauthorized, headers: headers, to: request)
        }
        // They are for all realms: else, those of another one would not be answered anyway.
        let credentials = PasswordCredentials(
            user: "u", password: "p", for: try HTTPOrigin("http://h"))
        let session = mock.with(DigestAuthentication(credentials))
        let response = try await session.response(for: "http://h/")
        #expect(response.status == (next == nil ? .unauthorized : .ok))
        #expect(mock.requests.map(nonce) == [0, 1] + (next.map { [$0] } ?? []))
    }

    @Test func `a server whose nonces are always too old is answered four times`() async throws {
        let mock = staleServer(times: .max - 1)
        let session = mock.with(DigestAuthentication(credentials))
        let response = try await session.response(for: "http://h/")
        #expect(response.status == .unauthorized && response.history.count == 4)
        #expect(mock.requests.map(nonce) == [0, 1, 2, 3, 4])
        // The last nonce is for the next request.
        _ = try await session.response(for: "http://h/")
        #expect(mock.requests.map(nonce).dropFirst(5).first == 5)
    }

    @Test func `a body that can be read once is not sent again for a nonce that was too old`()
        async throws
    {
        let mock = staleServer(times: 1)
        let session = MockSession { request in
            let response = try await mock.response(for: request)
            if request.headers.contains(.authorization) { _ = try await request.body.collect() }
            return response
        }.with(DigestAuthentication(credentials))
        let request = try HTTPRequest(.post, "http://h/")
            .stream(once: AsyncStream<Data> { $0.finish() })
        #expect(try await session.response(for: request).status == .unauthorized)
        #expect(mock.requests.map(nonce) == [0, 1])
    }

    @Test func `auth-int of a body that can be read once is not tried`() async throws {
        let server = DigestServer(credentials, "qop=auth-int")
        let session = server.session.with(DigestAuthentication(credentials))
        let request = try HTTPRequest(.post, "http://h/")
            .stream(once: AsyncStream<Data> { $0.finish() })
        #expect(try await session.response(for: request).status == .unauthorized)
        #expect(request.body.canBeSent)
        #expect(server.log == ["unsigned"])
    }

    @Test func `a request is signed after its last change`() async throws {
        let server = DigestServer(credentials, "qop=auth")
        let changes = Locked(0)
        let request = try HTTPRequest(.get, "http://h/").modify { request in
            let count = changes.withLock {
                $0 += 1
                return $0
            }
            request = try request.route("http://h/changed?\(count)")
        }
        let response = try await server.session.with(DigestAuthentication(credentials))
            .response(for: request)
        #expect(response.status == .ok)
        #expect(response.url.absoluteString == "http://h/changed?2")
    }

    @Test func `a session key uses the first client nonce`() async throws {
        let nonces = Locked(0)
        let server = DigestServer(credentials, "qop=auth, algorithm=MD5-sess")
        let mock = server.session
        let session = mock.with(
            DigestAuthentication(credentials) {
                nonces.withLock {
                    $0 += 1
                    return "c\($0)"
                }
            })
        for _ in 0..<3 { #expect(try await session.response(for: "http://h/").status == .ok) }
        let sent = mock.requests.compactMap { $0.headers[.authorization] }
        #expect(sent.count == 3 && sent.allSatisfy { $0.contains("cnonce=\"c1\"") })
    }

    @Test func `many at once use each count once`() async throws {
        let log = Locked([String]())
        let mock = MockSession { request in
            guard let field = request.headers[.authorization],
                let fields = AuthenticationChallenge.challenges(in: field).first
            else {
                return HTTPResponse(
                    .unauthorized, headers: [.wwwAuthenticate: "Digest realm=r, nonce=n, qop=auth"],
                    to: request)
            }
            log.withLock { $0.append(fields["nc"] ?? "") }
            return HTTPResponse(.ok, to: request)
        }
        let session = mock.with(DigestAuthentication(credentials))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { _ = try await session.response(for: "http://h/") }
            }
            try await group.waitForAll()
        }
        #expect(log.withLock { Set($0) }.count == 50)
    }

    @Test(arguments: [false, true])
    func `many at once get in, also where the server wants each nonce's counts in their order`(
        rotates: Bool
    ) async throws {
        let server = DigestServer(credentials, "qop=auth", rotates: rotates)
        let session = server.session.with(DigestAuthentication(credentials))
        for _ in 0..<5 {
            try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await session.response(for: "http://h/").status }
                }
                for try await status in group { #expect(status == .ok) }
            }
        }
    }

    @Test func `Basic is not answered`() async throws {
        let mock = MockSession {
            HTTPResponse(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=r"], to: $0)
        }
        let response = try await mock.with(DigestAuthentication(credentials))
            .response(for: "http://h/")
        #expect(response.status == .unauthorized && mock.requests.count == 1)
    }
}
