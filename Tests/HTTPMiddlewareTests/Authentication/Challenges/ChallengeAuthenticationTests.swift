import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPMiddleware
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ChallengeAuthenticationTests {
    private static let all = [
        "Basic realm=b", "Digest realm=d, nonce=n, qop=auth",
        "Digest realm=d, nonce=n, qop=auth, algorithm=SHA-256, Negotiate",
        "Digest realm=d, nonce=n, qop=auth, algorithm=SHA-512-256",
    ]

    /// Refuses unsigned requests with these challenges.
    private func guarded(_ challenges: [String]) -> MockSession {
        MockSession { request in
            guard !request.headers.contains(.authorization) else {
                return HTTPResponse(.ok, to: request)
            }
            var headers = HTTPHeaders()
            headers[values: .wwwAuthenticate] = challenges
            return HTTPResponse(
                .unauthorized, headers: headers, body: HTTPBody("no"), to: request)
        }
    }

    private func credentials(
        _ origin: String = "https://h", realm: String? = nil, password: String = "p"
    ) throws -> PasswordCredentials {
        PasswordCredentials(
            user: "u", password: password, for: try HTTPOrigin(origin), realm: realm)
    }

    private func authorization(_ user: String, _ password: String) throws -> String {
        try Authorization.basic(user: user, password: password).fieldValue
    }

    // MARK: Challenges

    @Test(
        .rows("B-14"),
        arguments: [
            (4, "algorithm=SHA-512-256,"), (3, "algorithm=SHA-256,"), (2, "nonce=\"n\","),
            (1, "Basic "),
        ]) func `the strongest scheme that is offered is answered`(
            offered: Int, answered: String
        ) async throws
    {
        for challenges in [Array(Self.all.prefix(offered)), Self.all.prefix(offered).reversed()] {
            let mock = guarded(challenges)
            let session = mock.with(ChallengeAuthentication(try credentials()))
            #expect(try await session.response(for: "https://h/").status == .ok)
            let field = try #require(mock.requests.last?.headers[.authorization])
            #expect(field.contains(answered))
        }
    }

    @Test(.rows("B-14"))
    func `schemes that are not wanted are not answered`() async throws {
        let mock = guarded(Self.all)
        let session = mock.with(
            ChallengeAuthentication(try credentials(), schemes: [.digestSHA256, .basic]))
        _ = try await session.response(for: "https://h/")
        #expect(mock.requests.last?.headers[.authorization]?.contains("SHA-256,") == true)
        let none = mock.with(ChallengeAuthentication(try credentials(), schemes: []))
        #expect(try await none.response(for: "https://h/").status == .unauthorized)
    }

    @Test(.rows("B-14"))
    func `a weaker scheme is answered where only that has credentials`() async throws {
        let mock = guarded(Self.all)
        let session = mock.with(ChallengeAuthentication(try credentials(realm: "b")))
        _ = try await session.response(for: "https://h/")
        #expect(mock.requests.last?.headers[.authorization] == (try authorization("u", "p")))
    }

    @Test(.rows("B-14"))
    func `providers are asked in order, with all that is known of the space`() async throws {
        let asked = Locked([ProtectionSpace]())
        let mock = guarded(["Basic realm=b", "Digest realm=d, nonce=n"])
        let none = ChallengeAuthentication { space in
            asked.withLock { $0.append(space) }
            return nil
        }
        #expect(try await mock.with(none).response(for: "https://h/").status == .unauthorized)
        let origin = try HTTPOrigin("https://h")
        #expect(
            asked.withLock { $0 } == [
                ProtectionSpace(origin: origin, realm: "d", scheme: .digestMD5),
                ProtectionSpace(origin: origin, realm: "b", scheme: .basic),
            ])
        let two = ChallengeAuthentication(
            try credentials("https://other"), try credentials(realm: "d", password: "first"),
            try credentials(), schemes: [.basic])
        _ = try await mock.with(two).response(for: "https://h/")
        #expect(mock.requests.last?.headers[.authorization] == (try authorization("u", "p")))
    }

    @Test(.rows("B-14"))
    func `Basic over http must be allowed explicitly`() async throws {
        let mock = guarded(["Basic realm=b"])
        let known = try credentials("http://h")
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(ChallengeAuthentication(known)).response(for: "http://h/")
        }
        #expect(error?.code == .passwordWithheld)
        #expect(error?.response?.status == .unauthorized)
        let allowed = ChallengeAuthentication(known, sendsPasswordUnencrypted: true)
        #expect(try await mock.with(allowed).response(for: "http://h/").status == .ok)
        // There is no password to withhold, so the refusal is returned to the caller.
        let other = ChallengeAuthentication(try credentials("https://h"))
        #expect(try await mock.with(other).response(for: "http://h/").status == .unauthorized)
    }

    @Test(.rows("B-14"))
    func `credentials of another origin or realm are not sent, whatever a provider says`()
        async throws
    {
        let wrong = [
            try credentials("https://other"), try credentials("http://h"),
            try credentials("https://h:444"), try credentials(realm: "other"),
        ]
        for credentials in wrong {
            let mock = guarded(Self.all)
            let session = mock.with(
                ChallengeAuthentication(sendsPasswordUnencrypted: true) { _ in credentials })
            #expect(try await session.response(for: "https://h/").status == .unauthorized)
            #expect(mock.requests.count == 1)
        }
    }

    @Test func `a Basic space is the folder and below, and no other origin`() async throws {
        let mock = guarded(["Basic realm=b"])
        let session = mock.with(ChallengeAuthentication(try credentials()))
        for url in [
            "https://h/a/b?x=/c", "https://h/a/c/d", "https://h/a/", "https://other/a/b",
            "https://h/ab",
        ] {
            _ = try await session.response(for: url)
        }
        let signed = mock.requests.map { $0.headers.contains(.authorization) }
        #expect(
            signed == [false, true, true, true, false, false, true],
            "refused once, then signed at once; elsewhere never; outside the folder refused again")
    }

    @Test func `the domain of Digest says where its answers are good`() async throws {
        let mock = guarded([
            "Digest realm=d, nonce=n, qop=auth, domain=\"/x /y/ https://other/z\""
        ])
        let session = mock.with(ChallengeAuthentication(try credentials()))
        for path in ["/", "/x/1", "/y/1", "/z"] {
            _ = try await session.response(for: "https://h\(path)")
        }
        #expect(
            mock.requests.map { $0.headers.contains(.authorization) } == [
                false, true, true, true, false, true,
            ])
    }

    @Test(.rows("B-14"))
    func `a Basic password that was refused is not sent again`() async throws {
        let mock = MockSession {
            HTTPResponse(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=b"], to: $0)
        }
        let session = mock.with(ChallengeAuthentication(try credentials()))
        for _ in 0..<2 {
            #expect(try await session.response(for: "https://h/").status == .unauthorized)
        }
        #expect(
            mock.requests.map { $0.headers.contains(.authorization) } == [false, true, false, true])
    }

    @Test func `a password that changes while it is remembered is asked for again`() async throws {
        let password = Locked("old")
        let mock = MockSession { request in
            let now = password.withLock { $0 }
            let isRight =
                try request.headers[.authorization]
                == Authorization.basic(user: "u", password: now).fieldValue
            return isRight
                ? HTTPResponse(.ok, to: request)
                : HTTPResponse(
                    .unauthorized, headers: [.wwwAuthenticate: "Basic realm=b"], to: request)
        }
        let origin = try HTTPOrigin("https://h")
        let session = mock.with(
            ChallengeAuthentication { _ in
                PasswordCredentials(user: "u", password: password.withLock { $0 }, for: origin)
            })
        #expect(try await session.response(for: "https://h/").status == .ok)
        password.withLock { $0 = "new" }
        #expect(try await session.response(for: "https://h/").status == .ok)
        #expect(mock.requests.count == 4)
    }

    @Test func `a request's own credentials are left alone, and so are their refusals`()
        async throws
    {
        let mock = MockSession {
            HTTPResponse(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=b"], to: $0)
        }
        let request = try HTTPRequest(.get, "https://h/", headers: [.authorization: "Bearer mine"])
        let session = mock.with(ChallengeAuthentication(try credentials()))
        #expect(try await session.response(for: request).status == .unauthorized)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer mine"])
    }

    @Test(.rows("B-14"))
    func `what a provider throws ends the call, and gives the refusal up`() async throws {
        struct Failure: Error {}
        let ended = Locked(0)
        let mock = MockSession { request in
            let body = HTTPBody(AsyncStream<Data> { _ in })
            body.whenEnded { _ in ended.withLock { $0 += 1 } }
            return HTTPResponse(
                .unauthorized, headers: [.wwwAuthenticate: "Basic realm=b"], body: body, to: request
            )
        }
        await #expect(throws: Failure.self) {
            try await mock.with(ChallengeAuthentication { _ in throw Failure() })
                .response(for: "https://h/")
        }
        #expect(ended.withLock { $0 } == 1)
    }

    @Test func `with one permit the refusal is gone before the second request`() async throws {
        let mock = MockSession { request in
            let body = HTTPBody(AsyncStream<Data> { _ in })
            return request.headers.contains(.authorization)
                ? HTTPResponse(.ok, to: request)
                : HTTPResponse(
                    .unauthorized, headers: [.wwwAuthenticate: "Basic realm=b"], body: body,
                    to: request)
        }
        let limit = ConcurrencyLimit(perOrigin: 1, total: 1, queue: 0)
        let session = mock.with(ChallengeAuthentication(try credentials()), limit)
        #expect(try await session.response(for: "https://h/").status == .ok)
        #expect(limit.running == 0)
    }

    @Test func `answers pass the origin guard after a redirect, and stay in their origin`()
        async throws
    {
        let mock = MockSession { request in
            guard request.headers.contains(.authorization) else {
                return HTTPResponse(
                    .unauthorized, headers: [.wwwAuthenticate: "Basic realm=b"], to: request)
            }
            return request.url.host() == "home"
                ? HTTPResponse(.found, headers: [.location: "https://away/"], to: request)
                : HTTPResponse(.ok, to: request)
        }
        let origins = try ["https://home", "https://away"].map { try HTTPOrigin($0) }
        let session = mock.with(
            Redirects(),
            ChallengeAuthentication(
                PasswordCredentials(user: "home", password: "1", for: origins[0]),
                PasswordCredentials(user: "away", password: "2", for: origins[1])),
            OriginGuard())
        #expect(try await session.response(for: "https://home/").status == .ok)
        #expect(
            try mock.requests.map { $0.headers[.authorization] } == [
                nil, authorization("home", "1"), nil, authorization("away", "2"),
            ])
    }

    @Test func `a change that sends the second request elsewhere carries no answer`() async throws {
        let sends = Locked(0)
        let mock = guarded(["Basic realm=b"])
        let request = try HTTPRequest(.get, "https://h/").modify { request in
            let isFirst = sends.withLock {
                $0 += 1
                return $0 == 1
            }
            if !isFirst { request = try request.route("https://elsewhere/") }
        }
        let session = mock.with(ChallengeAuthentication(try credentials()))
        #expect(try await session.response(for: request).status == .unauthorized)
        #expect(mock.requests.allSatisfy { !$0.headers.contains(.authorization) })
    }

    @Test func `heads of refusals do not count as redirects`() async throws {
        let mock = MockSession { request in
            guard request.headers.contains(.authorization) else {
                return HTTPResponse(
                    .unauthorized, headers: [.wwwAuthenticate: "Basic realm=b"], to: request)
            }
            return HTTPResponse(.found, headers: [.location: "/next"], to: request)
        }
        let request = try HTTPRequest(.get, "https://h/").redirects(
            .followCustom { redirection in
                #expect(redirection.index == 0)
                return nil
            })
        let session = mock.with(Redirects(), ChallengeAuthentication(try credentials()))
        #expect(try await session.response(for: request).history.map(\.status) == [.unauthorized])
    }
}
