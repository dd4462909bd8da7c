import HTTPClientKit
import HTTPTesting
import HTTPTransportURLSession
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientCookiesTests {
    private func cookies(_ mock: MockSession) -> [String?] {
        mock.requests.map { $0.headers[.cookie] }
    }

    // MARK: A login

    /// A site with a login form: a POST sets a cookie and redirects, and each page needs it.
    private func site() throws -> LoopbackServer {
        try LoopbackServer { request in
            let sent = request.fields.first { $0.name.lowercased() == "cookie" }?.value ?? ""
            switch (request.method, request.path) {
            case ("POST", "/login"):
                return LoopbackResponse(
                    status: 303,
                    fields: [
                        ("Set-Cookie", "session=s1; HttpOnly; Path=/"),
                        ("Set-Cookie", "theme=dark; Path=/account"), ("Location", "/welcome"),
                    ])
            case ("GET", "/welcome") where sent == "session=s1":
                return LoopbackResponse(
                    status: 302,
                    fields: [("Set-Cookie", "session=s2; Path=/"), ("Location", "/account")])
            case ("GET", "/account") where sent == "theme=dark; session=s2":
                return LoopbackResponse(content: .bytes(Array("hello".utf8)))
            case ("GET", "/logout"):
                return LoopbackResponse(
                    fields: [("Set-Cookie", "session=; Max-Age=0; Path=/")],
                    content: .bytes(Array(sent.utf8)))
            default: return LoopbackResponse(status: 401, content: .bytes(Array(sent.utf8)))
            }
        }
    }

    private static var transports: [(String, any HTTPSession)] {
        var transports: [(String, any HTTPSession)] = [("URLSession", URLSessionTransport())]
        #if os(Linux)
            transports.append(("libcurl", CurlTransport()))
        #endif
        return transports
    }

    @Test(.rows("S0-5"))
    func `a login works over libcurl and URLSession, along its redirects`() async throws {
        for (name, transport) in Self.transports {
            let server = try site()
            defer { server.stop() }
            let jar = HTTPCookieJar.inMemory
            let client = try HTTPClient(
                baseURL: server.url, transport: transport, cookies: jar)
            await #expect(throws: HTTPError.self) { try await client.get("account").text() }
            let page = try await client.post("login", .form(["user": "ann"])).text()
            #expect(page == "hello", "\(name)")
            #expect(try await client.get("account").text() == "hello", "\(name)")
            #expect(jar.count == 2)
            #expect(try await client.get("logout").text() == "session=s2", "\(name)")
            #expect(jar.cookies.map(\.name) == ["theme"])
            await #expect(throws: HTTPError.self) { try await client.get("account").text() }
        }
    }

    // MARK: Attempts and hops

    @Test func `an attempt that is sent again has the cookies of the response before`() async throws
    {
        let mock = MockSession { request in
            let isFirst = !request.headers.contains(.cookie)
            return HTTPResponse(
                isFirst ? .serviceUnavailable : .ok,
                headers: isFirst ? ["Set-Cookie": "retry=1"] : [:], body: HTTPBody("ok"),
                to: request)
        }
        for cache in [nil, HTTPCache.inMemory] {
            let client = HTTPClient(
                transport: mock, retry: .standard, cookies: .inMemory, cache: cache
            ) { $0.clock = BriskClock() }
            #expect(try await client.get("https://a.example/").text() == "ok")
        }
        #expect(cookies(mock) == [nil, "retry=1", nil, "retry=1"])
    }

    @Test func `each origin gets its own cookies, and no other`() async throws {
        let mock = MockSession { request in
            switch request.url.absoluteString {
            case "https://a.example/":
                return HTTPResponse(
                    .found,
                    headers: ["Set-Cookie": "a=1", "Location": "https://b.example/"], to: request)
            case "https://b.example/":
                return HTTPResponse(
                    .found,
                    headers: ["Set-Cookie": "b=1", "Location": "https://a.example/2"],
                    to: request)
            default: return HTTPResponse(.ok, body: HTTPBody("ok"), to: request)
            }
        }
        let client = HTTPClient(transport: mock, cookies: .inMemory)
        for _ in 1...2 { #expect(try await client.get("https://a.example/").text() == "ok") }
        #expect(cookies(mock) == [nil, nil, "a=1", "a=1", "b=1", "a=1"])
    }

    @Test func `a request's own cookies do not cross, the jar's do`() async throws {
        let mock = MockSession { request in
            guard request.url.host() == "a.example" else { return HTTPResponse(.ok, to: request) }
            return HTTPResponse(.found, headers: ["Location": "https://b.example/"], to: request)
        }
        let jar = HTTPCookieJar.inMemory
        for host in ["a.example", "b.example"] {
            jar.set(try HTTPCookieJar.Cookie("jar", host, domain: host))
        }
        let client = HTTPClient(transport: mock, cookies: jar)
        var request = try HTTPRequest("https://a.example/")
        request.headers[.cookie] = "own=1"
        _ = try await client.response(for: request)
        #expect(cookies(mock) == ["own=1; jar=a.example", "jar=b.example"])
    }

    @Test func `what is added to the jar's cookies does not pass the guard`() async throws {
        let mock = MockSession { request in
            guard request.url.host() == "a.example" else { return HTTPResponse(.ok, to: request) }
            return HTTPResponse(.found, headers: ["Location": "https://b.example/"], to: request)
        }
        let jar = HTTPCookieJar.inMemory
        jar.set(try HTTPCookieJar.Cookie("jar", "b", domain: "b.example"))
        let client = HTTPClient(transport: mock, cookies: jar) {
            $0.attemptMiddleware = [Adding()]
        }
        _ = try await client.get("https://a.example/").response()
        let bare = mock.with(Redirects(), Cookies(jar), OriginGuard())
        _ = try await bare.response(
            for: try HTTPRequest("https://a.example/").modify { $0.headers[.cookie] = "own=1" })
        #expect(cookies(mock) == ["sso=1", nil, "own=1", nil])
    }

    /// Adds a cookie to those that are there.
    private struct Adding: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws {
            let present = request.headers[.cookie].map { $0 + "; " } ?? ""
            request.headers[.cookie] = present + "sso=1"
        }
    }

    @Test func `clients share a jar, and none has one by default`() async throws {
        let mock = MockSession { request in
            HTTPResponse(.ok, headers: ["Set-Cookie": "a=1"], to: request)
        }
        let jar = HTTPCookieJar.inMemory
        let (one, two) = (
            HTTPClient(transport: mock, cookies: jar), HTTPClient(transport: mock, cookies: jar)
        )
        for client in [one, two, one.deriving { _ in }, HTTPClient(transport: mock)] {
            _ = try await client.get("https://a.example/").response()
        }
        #expect(cookies(mock) == [nil, "a=1", "a=1", nil])
        #expect(HTTPClient.shared.configuration.cookies == nil)
    }

    @Test func `cookies are shown by no description and to no log`() async throws {
        let lines = Locked("")
        let mock = MockSession { request in
            HTTPResponse(.ok, headers: ["Set-Cookie": "id=hush"], to: request)
        }
        let client = HTTPClient(transport: mock, cookies: .inMemory) {
            $0.logging = HTTPLogging(.headers) { line in lines.withLock { $0 += "\(line)\n" } }
        }
        for _ in 1...2 { _ = try await client.get("https://a.example/").response() }
        var dumped = ""
        dump(client.configuration, to: &dumped)
        dump(client.configuration.cookies, to: &dumped)
        #expect(cookies(mock) == [nil, "id=hush"])
        let text = lines.withLock { $0 } + dumped
        #expect(text.contains("Set-Cookie") && !text.contains("hush"))
    }

    // MARK: The cache

    @Test func `a response that varies by cookie is stored for each`() async throws {
        let mock = MockSession { request in
            HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60", "Vary": "Cookie"],
                body: HTTPBody(request.headers[.cookie] ?? "none"), to: request)
        }
        let jar = HTTPCookieJar.inMemory
        let client = HTTPClient(transport: mock, cookies: jar, cache: .inMemory)
        func set(_ value: String) throws {
            jar.set(try HTTPCookieJar.Cookie("id", value, domain: "a.example"))
        }
        #expect(try await client.get("https://a.example/").text() == "none")
        for value in ["1", "2", "1", "2"] {
            try set(value)
            #expect(try await client.get("https://a.example/").text() == "id=\(value)")
        }
        #expect(mock.requests.count == 3)
    }

    @Test func `the cookies of a client with one user do not part the cache`() async throws {
        let number = Locked(0)
        let mock = MockSession { request in
            let number = number.withLock { number in
                number += 1
                return number
            }
            return HTTPResponse(
                .ok,
                headers: ["Cache-Control": "max-age=60", "Set-Cookie": "seen=\(number)"],
                body: HTTPBody("\(number)"), to: request)
        }
        let client = HTTPClient(transport: mock, cookies: .inMemory, cache: .inMemory) {
            $0.cachePartition = "ann"
        }
        for path in ["1", "2", "1", "2"] {
            #expect(try await client.get("https://a.example/\(path)").text() == path)
        }
        #expect(mock.requests.count == 2)
    }

    // MARK: Files

    @Test func `closing a client saves the cookies`() async throws {
        let folder = try DownloadFolder()
        let path = folder.file("cookies.txt")
        let mock = MockSession { request in
            HTTPResponse(.ok, headers: ["Set-Cookie": "a=1; Max-Age=86400"], to: request)
        }
        let client = HTTPClient(transport: mock, cookies: try .file(at: path))
        _ = try await client.get("https://a.example/").response()
        await client.close()
        #expect(try HTTPCookieJar.file(at: path).cookies.map(\.value) == ["1"])
    }
}
