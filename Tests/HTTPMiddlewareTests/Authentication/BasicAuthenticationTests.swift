import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing

@Suite struct BasicAuthenticationTests {
    private let mock = MockSession { HTTPResponse(.ok, to: $0) }

    private func credentials(_ origin: String) throws -> PasswordCredentials {
        PasswordCredentials(user: "Aladdin", password: "open sesame", for: try HTTPOrigin(origin))
    }

    // MARK: A password

    @Test(.rows("B-14"))
    func `the password goes with every request to its origin and path, and nowhere else`()
        async throws
    {
        let session = mock.with(
            try BasicAuthentication(credentials("https://h"), under: "/api"), OriginGuard())
        for url in [
            "https://h/api/x", "https://h/api?q", "https://h/apix", "https://h/", "http://h/api/x",
            "https://h:444/api/x", "https://other/api/x",
        ] {
            _ = try await session.response(for: url)
        }
        let sent = mock.requests.map { $0.headers[.authorization] }
        #expect(sent.prefix(2).allSatisfy { $0 == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" })
        #expect(sent.dropFirst(2).allSatisfy { $0 == nil })
    }

    @Test func `a request's own credentials are left alone`() async throws {
        let request = try HTTPRequest(.get, "https://h/", headers: [.authorization: "Bearer mine"])
        _ = try await mock.with(BasicAuthentication(credentials("https://h"))).response(
            for: request)
        #expect(mock.requests[0].headers[values: .authorization] == ["Bearer mine"])
    }

    @Test(.rows("B-14"))
    func `an origin of http, and a user name with a colon, are refused when it is made`()
        throws
    {
        let error = #expect(throws: HTTPError.self) {
            try BasicAuthentication(credentials("http://h"))
        }
        #expect(error?.code == .passwordWithheld)
        _ = try BasicAuthentication(credentials("http://h"), sendsPasswordUnencrypted: true)
        let colon = PasswordCredentials(
            user: "a:b", password: "c", for: try HTTPOrigin("https://h"))
        #expect(throws: HTTPError.self) { try BasicAuthentication(colon) }
    }
}
