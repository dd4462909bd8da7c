import HTTPCookies
import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The code of Docs/Guides/Cookies.md, and what the page says of it.
@Suite(.timeLimit(.minutes(5))) struct CookiesGuideTests {
    private let transport = MockSession {
        HTTPResponse(.ok, headers: ["Set-Cookie": "session=1; Max-Age=86400"], to: $0)
    }

    @Test func `a jar goes around any session`() async throws {
        let jar = HTTPCookieJar.inMemory
        let session = transport.with(Cookies(jar))
        let login = try HTTPRequest(.post, "https://example.com/login")
        _ = try await session.response(for: login)
        let account = try HTTPRequest(.get, "https://example.com/account")
        let response = try await session.response(for: account)
        #expect(response.originalRequest.headers[.cookie] == "session=1")
    }

    @Test func `an own field stays`() async throws {
        let jar = HTTPCookieJar.inMemory
        let session = transport.with(Cookies(jar))
        _ = try await session.response(for: HTTPRequest("https://example.com/"))
        var request = try HTTPRequest(.get, "https://example.com/account")
        request.headers[.cookie] = "theme=dark"  // sent as "theme=dark; session=…"
        let response = try await session.response(for: request)
        #expect(response.originalRequest.headers[.cookie] == "theme=dark; session=1")
    }

    @Test func `a jar is inspected and changed`() throws {
        let jar = HTTPCookieJar.inMemory
        let url = try URL(strictly: "https://www.example.com/")
        func print(_ item: Any) {}
        for cookie in jar.cookies { print(cookie) }  // never shows a value
        let sent = jar.cookies(for: url).map(\.name)

        let consent = try HTTPCookieJar.Cookie(
            "consent", "yes", domain: "example.com", isHostOnly: false,
            expires: Date(timeIntervalSinceNow: 86_400))
        jar.set(consent)

        #expect(sent == [] && jar.cookies(for: url).map(\.name) == ["consent"])
        jar.remove(name: "consent", domain: "example.com")
        jar.removeAll { ".\($0.domain)".hasSuffix(".example.com") }
        jar.removeSessionCookies()
        jar.removeAll()
        #expect(jar.count == 0)
    }

    @Test func `refusals are printed`() async throws {
        let jar = HTTPCookieJar.inMemory
        let transport = MockSession {
            HTTPResponse(.ok, headers: ["Set-Cookie": "session=1; Secure"], to: $0)
        }
        _ = try await transport.with(Cookies(jar)).response(for: HTTPRequest("http://example.com/"))
        var lines: [String] = []
        func print(_ item: Any) { lines.append("\(item)") }
        for refusal in jar.refusals { print(refusal) }
        // "session" of example.com: the attribute Secure does not count over plain http
        #expect(
            lines == [
                "\"session\" of example.com: the attribute Secure does not count over plain http"
            ])
    }

    @Test func `a jar in a file outlives the program`() async throws {
        let file = try TemporaryFile("", named: ".txt")
        let path = file.path
        defer { try? FileManager.default.removeItem(atPath: path + ".lock") }
        let stored = try HTTPCookieJar.file(at: path)
        let session = transport.with(Cookies(stored))
        let feed = try HTTPRequest(.get, "https://example.com/feed")
        let response = try await session.response(for: feed)
        try await stored.close()  // saves; call it before the program ends
        #expect(response.status == .ok)
        #expect(try HTTPCookieJar.file(at: path).cookies.map(\.name) == ["session"])
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Cookies")
        #expect(page.blocks.count == 5)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
