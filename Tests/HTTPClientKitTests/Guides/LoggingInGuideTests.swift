import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The code of Docs/Guides/LoggingIn.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct LoggingInGuideTests {
    private let base = URL(string: "https://site.example.com/")
    private let name = "me"
    private let password = "secret"
    private let folder: DownloadFolder
    private let transport: MockSession

    init() throws {
        folder = try DownloadFolder()
        let count = Locked(0)
        transport = MockSession { request in
            let path = request.url.path()
            if path == "/login", request.method == .post {
                let form = String(decoding: try await request.body.collect(), as: UTF8.self)
                guard form == "password=secret&user=me" else {
                    return HTTPResponse(.forbidden, to: request)
                }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return HTTPResponse(.ok, headers: ["Set-Cookie": "id=\(number)"], to: request)
            }
            if path == "/login" { return HTTPResponse(.ok, body: HTTPBody("form"), to: request) }
            if path == "/end" {
                return HTTPResponse(.ok, headers: ["Set-Cookie": "id=0"], to: request)
            }
            let isLoggedIn = request.headers[.cookie] == "id=\(count.withLock { $0 })"
            if isLoggedIn {
                let headers: HTTPHeaders = [.cacheControl: "max-age=60"]
                return HTTPResponse(
                    .ok, headers: headers, body: HTTPBody("page"), to: request)
            }
            if path == "/api" { return HTTPResponse(.unauthorized, to: request) }
            return HTTPResponse(.found, headers: [.location: "/login"], to: request)
        }
    }

    let sessionEnd = ResponseTransformer { response, request in
        guard response.url.path() == "/login", request.url.path() != "/login" else {
            return response
        }
        await response.discard()
        var refused = response
        refused.status = .unauthorized
        refused.body = .empty
        return refused
    }

    func makeClient(path: String) throws -> HTTPClient {
        let jar = try HTTPCookieJar.file(at: path, keepingSessionCookies: true)
        let visitor = HTTPClient(baseURL: base, transport: transport, cookies: jar)
        let login = HTTPAltTaskValidator(statusCodes: [.unauthorized]) {
            try await visitor.post("login", .form(["user": name, "password": password])).response()
        }
        return visitor.deriving {
            $0.transformers.append(sessionEnd)
            $0.validators.insert(login, at: 0)
        }
    }

    private var logInCount: Int { transport.requests.count { $0.method == .post } }

    @Test func `calls at once share a login, and the next run needs none`() async throws {
        let path = folder.file("cookies")
        let client = try makeClient(path: path)
        try await withThrowingTaskGroup(of: String.self) { group in
            for page in ["api", "a", "b"] {
                group.addTask { try await client.get(page).text() }
            }
            for try await text in group { #expect(text == "page") }
        }
        #expect(logInCount == 1)
        _ = try await client.get("end").text()
        #expect(try await client.get("a").text() == "page")
        #expect(logInCount == 2, "the service had ended the session")
        try await client.configuration.cookies?.close()
        let next = try makeClient(path: path)
        #expect(try await next.get("b").text() == "page")
        #expect(logInCount == 2)
    }

    @Test func `a login that is refused fails the calls`() async throws {
        let client = try HTTPClient(baseURL: "https://site.example.com/", transport: transport)
        let visitor = client
        let login = HTTPAltTaskValidator(statusCodes: [.unauthorized]) {
            try await visitor.post("login", .form(["user": "me", "password": "no"])).response()
        }
        let other = client.deriving { $0.validators.insert(login, at: 0) }
        let error = await #expect(throws: HTTPError.self) { try await other.get("api").text() }
        #expect(error?.code == .refreshFailed)
    }

    @Test func `a cache for the user`() async throws {
        let client = try makeClient(path: folder.file("cookies"))
        let folder = folder.file("cache")
        let cache = try HTTPCache.disk(at: folder, limit: 64 << 20)
        let cached = client.deriving {
            $0.cache = cache
            $0.cachePartition = name
        }
        #expect(try await cached.get("a").text() == "page")
        let count = transport.requests.count
        #expect(try await cached.get("a").text() == "page")
        #expect(transport.requests.count == count)
    }

    @Test func `the page's code is compiled`() throws {
        #expect(try GuidePage("LoggingIn").untested.isEmpty)
    }
}
