import HTTPCore
import HTTPCredentials
import HTTPTesting
import Testing
@testable import HTTPCookies
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CookiesTests {
    private let jar = HTTPCookieJar(clock: HTTPTestClock())

    @Test func `cookies of a response are sent with the next request`() async throws {
        let mock = MockSession { request in
            HTTPResponse(
                .ok, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2; Path=/x"], to: request)
        }
        let session = mock.with(Cookies(jar))
        for path in ["/", "/x/y", "/"] {
            _ = try await session.response(
                for: HTTPRequest("https://example.com\(unescaped: path)"))
        }
        #expect(mock.requests.map { $0.headers[.cookie] } == [nil, "b=2; a=1", "a=1"])
        #expect(mock.requests.allSatisfy { $0.headers[values: .cookie].count < 2 })
    }

    @Test(arguments: [200, 302, 401, 404, 500])
    func `the cookies of every response are stored`(code: Int) async throws {
        let status = try #require(HTTPStatus(code: code))
        let mock = MockSession { HTTPResponse(status, headers: ["Set-Cookie": "a=1"], to: $0) }
        let response = try await mock.with(Cookies(jar)).response(
            for: HTTPRequest("https://example.com/"))
        #expect(response.headers[.setCookie] == "a=1" && jar.pairs == ["a=1"])
    }

    @Test func `an own field is kept, and the others are added to it`() throws {
        try jar.receive("a=jar", "b=jar", "c=jar", "nameless", from: "https://example.com/")
        var request = try HTTPRequest("https://example.com/")
        try request.headers.append("COOKIE", "b=own; x=1")
        try request.headers.append(.cookie, "B=other")
        let attached = try Cookies(jar).attached(to: request)
        #expect(
            attached.headers[values: .cookie]
                == ["b=own; x=1; B=other; a=jar; c=jar; nameless"])
        #expect(attached[CredentialIssuers.self].isEmpty)
        request.headers[.cookie] = "c=; nothing; a = 2;b=3"
        #expect(
            try Cookies(jar).attached(to: request).headers[.cookie] == "c=; nothing; a = 2;b=3")
        request.headers[.cookie] = ""
        #expect(
            try Cookies(jar).attached(to: request).headers[.cookie]
                == "a=jar; b=jar; c=jar; nameless")
    }

    @Test func `only the jar's own cookies are marked for their origin`() throws {
        try jar.receive("a=1", from: "https://example.com/")
        let attached = try Cookies(jar).attached(to: HTTPRequest("https://example.com:8443/"))
        #expect(attached.isIssued(.cookie, by: try HTTPOrigin("https://example.com:8443/")))
        #expect(!attached.isIssued(.cookie, by: try HTTPOrigin("https://example.com/")))
        var changed = attached
        changed.headers[.cookie] = "a=1; b=2"
        #expect(!changed.isIssued(.cookie, by: try HTTPOrigin("https://example.com:8443/")))
        #expect(attached.headers.isSensitive(.cookie))
    }

    @Test func `a request without cookies is passed on as it is`() throws {
        let request = try HTTPRequest("https://example.com/")
        #expect(try Cookies(jar).attached(to: request).options.isEmpty)
        try jar.receive("a=1", from: "https://other.example/")
        let attached = try Cookies(jar).attached(to: request)
        #expect(attached.options.isEmpty && attached.headers.isEmpty)
    }

    @Test func `bytes are sent as they were received`() throws {
        var headers = HTTPHeaders()
        let bytes: [UInt8] = Array("a=\"1\u{20}2\",\t".utf8) + [0xE4, 0x80, 0xFF]
        let isField = headers.append(line: (Array("Set-Cookie: ".utf8) + bytes).span)
        #expect(isField)
        jar.store(headers, from: try URL(strictly: "https://example.com/"))
        let attached = try Cookies(jar).attached(to: HTTPRequest("https://example.com/"))
        #expect(attached.headers.bytes(of: .cookie) == bytes)
    }

    @Test func `cookies belong to the URL of the response`() async throws {
        let final = try URL(strictly: "https://final.example/")
        let mock = MockSession { request in
            HTTPResponse(
                HTTPResponse.Head(status: .ok, headers: ["Set-Cookie": "a=1"], url: final),
                to: request)
        }
        _ = try await mock.with(Cookies(jar)).response(for: HTTPRequest("https://first.example/"))
        #expect(jar.cookies.map(\.domain) == ["final.example"])
    }

    @Test func `a URL without an origin fails only if there are cookies`() throws {
        let request = try HTTPRequest("/relative")
        #expect(try Cookies(jar).attached(to: request).headers.isEmpty)
        try jar.receive("a=1", from: "https://example.com/")
        #expect(throws: HTTPError.self) { try Cookies(jar).attached(to: request) }
    }

    @Test func `an error of the session is passed on`() async throws {
        let mock = MockSession { _ in throw HTTPError(.timedOut, "it took too long") }
        await #expect(throws: HTTPError.self) {
            try await mock.with(Cookies(jar)).response(for: HTTPRequest("https://example.com/"))
        }
    }
}
