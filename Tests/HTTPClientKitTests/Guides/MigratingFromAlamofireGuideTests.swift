import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private struct User: Codable {
    var id: Int
    var name: String
}

private struct Tokens: Decodable {
    var access_token: String
    var refresh_token: String
    var expires_in: Double
}

private struct Login: Encodable {
    var user: String
    var remember: Bool
}

private struct TenantField: HTTPRequestInterceptor {
    let tenant: String

    func process(request: inout HTTPRequest) async throws {
        try request.headers.set("X-Tenant", tenant)
    }
}

private struct Reading: Decodable {
    var value: Int
}

private struct Monitor: HTTPObserver {
    let write: @Sendable (String) -> Void

    func observe(_ event: HTTPEvent) {
        switch event.kind {
        case .sending(let request): write("\(request.method) \(request.url.path())")
        case .ended(_, let exchange): write("\(exchange)")
        default: break
        }
    }
}

private enum Router: HTTPRequestConvertible {
    case user(Int)
    case search(String)

    var httpRequest: HTTPRequest {
        get throws {
            switch self {
            case .user(let id): try HTTPRequest(.get, "users/\(id)")
            case .search(let text): try HTTPRequest(.get, "search").query("q", text)
            }
        }
    }
}

/// The code of Docs/Guides/MigratingFromAlamofire.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct MigratingFromAlamofireGuideTests {
    private let service = MockSession.userService

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://api.example.com/", transport: service) }
    }

    @Test func `a GET, decoded`() async throws {
        let client = try client
        let user = try await client.get("users/1").json(User.self)
        #expect(user.name == "Ada")
        #expect(try service.last.url.absoluteString == "https://api.example.com/users/1")
    }

    @Test func `a POST of JSON`() async throws {
        let client = try client
        let user = User(id: 2, name: "Grace")
        let created = try await client.post("users", json: user).json(User.self)
        #expect(created.id == 1 && service.requests.count == 1)
        #expect(try await service.lastBody == #"{"id":2,"name":"Grace"}"#)
    }

    @Test func `query parameters`() async throws {
        let client = try client
        let found = try await client.get(
            "search", query: ["q": "a b", "ids": [1, 2], "all": true]
        ).data()
        #expect(found == Data("[]".utf8))
        #expect(try service.last.url.query() == "all=1&ids%5B%5D=1&ids%5B%5D=2&q=a%20b")
    }

    @Test func `a form`() async throws {
        let client = try client
        let login = Login(user: "me", remember: true)
        let token = try await client.post("login", .form(propertiesOf: login)).text()
        #expect(!token.isEmpty)
        #expect(try await service.lastBody == "remember=1&user=me")
    }

    @Test func `header fields`() async throws {
        let client = try client
        let token = "a1"
        let account = try await client.get("account")
            .header(.authorization, "Bearer \(token)")
            .header(.accept, "application/json")
            .data()
        #expect(!account.isEmpty)
        #expect(try service.last.headers[.authorization] == "Bearer a1")
        #expect(try service.last.headers[.accept] == "application/json")
    }

    @Test func `validation`() async throws {
        let service = MockSession { request in
            HTTPResponse(
                .ok, headers: [.contentType: "application/json"],
                body: HTTPBody(#"{"id": 1, "name": "Ada"}"#), to: request)
        }
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update {
            $0.validators = [.allowed(statusCodes: 200..<300), ContentTypeValidator()]
        }
        let user = try await client.get("users/1").header(.accept, "application/json").json(
            User.self)
        #expect(user.name == "Ada")
        await #expect(throws: HTTPError.self) {
            try await client.get("users/1").header(.accept, "text/csv").response()
        }
    }

    @Test func `errors`() async throws {
        let client = try client
        var (user, outcome): (User?, String) = (nil, "")
        do {
            user = try await client.get("users/7").json(User.self)
        } catch let error as HTTPError where error.status == .notFound {
            outcome = "missing"
        } catch let error as HTTPError where error.innermostCode == .timedOut {
            outcome = "late"
        }
        #expect(user == nil && outcome == "missing")
    }

    @Test func `an adapter`() async throws {
        let client = try client
        client.update { $0.interceptors = [TenantField(tenant: "7")] }
        let user = try await client.get("users/1").json(User.self)
        #expect(user.id == 1)
        #expect(try service.last.headers["X-Tenant"] == "7")
    }

    @Test func `a retry policy`() async throws {
        let service = MockSession.failing(times: 3)
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.clock = BriskClock() }
        client.update { $0.retry = .standard }
        let data = try await client.get("users/1").maxRetries(3).data()
        #expect(!data.isEmpty && service.requests.count == 4)
    }

    @Test func `a retrier`() async throws {
        let service = MockSession.failing(times: 1, .conflict)
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.clock = BriskClock() }
        client.update { $0.retry = .standard.also { $0.response?.status == .conflict } }
        let data = try await client.get("users/1").data()
        #expect(!data.isEmpty && service.requests.count == 2)
    }

    @Test func `a token that expires`() async throws {
        let service = MockSession.tokenService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        let api = try HTTPOrigin("https://api.example.com")
        let saved = try HTTPCredential.bearer("a0", refreshToken: "r0")
        let tokens = RefreshingAuthentication(for: api, credential: saved) { old, session in
            let form = ["grant_type": "refresh_token", "refresh_token": old?.refreshToken]
            let answer = session.post("https://api.example.com/token", .form(form))
            let new = try await answer.json(Tokens.self)
            return try .bearer(
                new.access_token, expiry: Date() + new.expires_in, refreshToken: new.refresh_token)
        }
        client.update { $0.authentication = [tokens] }
        let data = try await client.get("account").data()
        #expect(!data.isEmpty)
        #expect(service.requests.map { $0.url.path() } == ["/account", "/token", "/account"])
        #expect(try service.last.headers[.authorization] == "Bearer a1")
    }

    @Test func `a multipart upload, with progress`() async throws {
        let server = try LoopbackServer { _ in .ok("stored") }
        let client = try HTTPClient(baseURL: server.url)
        let (file, bar) = (try TemporaryFile("the sea"), ProgressBar())
        let path = file.path
        var form = MultipartForm()
        form.add("At the sea", name: "title")
        try form.add(file: path, name: "photo", filename: "sea.jpg", contentType: "image/jpeg")
        let answer = try await client.post("photos", .multipart(form))
            .onProgress { bar.show($0.fraction) }
            .text()
        #expect(answer == "stored" && bar.last == 1)
        #expect(server.log.first?.request?.text.contains("filename=\"sea.jpg\"") == true)
        _ = consume file
    }

    @Test func `a download, with progress`() async throws {
        let client = try client
        let (folder, bar) = (try DownloadFolder(), ProgressBar())
        let path = folder.file()
        let download = try await client.get("image.iso")
            .onProgress { bar.show($0.fraction) }
            .download(to: path)
        #expect(try folder.bytes().count == Int(download.length) && bar.last == 1)
    }

    @Test func `continuing a download`() async throws {
        let service = MockSession.brokenFile
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        let folder = try DownloadFolder()
        let path = folder.file()
        var once = HTTPDownloadOptions()
        once.maxResumptions = 0
        _ = try? await client.download("image.iso", to: path, options: once)
        if let left = HTTPResumeData(downloadTo: path) {
            try await client.download("image.iso", resuming: left)
        }
        #expect(try folder.bytes() == Array("abc".utf8))
        #expect(try service.last.headers[.range] == "bytes=2-")
    }

    @Test func `a stream`() async throws {
        let service = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody("{\"value\": 1}\n{\"value\": 2}\n"), to: request)
        }
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        var sum = 0
        for try await reading in client.get("readings").jsonLines(of: Reading.self) {
            sum += reading.value
        }
        #expect(sum == 3)
    }

    @Test func `not following a redirect`() async throws {
        let service = MockSession.redirectService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        let response = try await client.get("old").redirects(.manual).response()
        #expect(response.status == .found && response.headers[.location] == "/new")
        #expect(service.requests.count == 1)
    }

    @Test func `an event monitor`() async throws {
        let client = try client
        let written = Locked([String]())
        let write = { @Sendable (text: String) in written.withLock { $0.append(text) } }
        client.update { $0.observer = Monitor(write: write) }
        let user = try await client.get("users/1").json(User.self)
        #expect(user.id == 1)
        #expect(
            written.withLock { $0.first } == "GET /users/1" && written.withLock { $0.count } == 2)
    }

    #if os(Linux)
        @Test func `pinning a key`() async throws {
            let server = try LoopbackServer { _ in .ok("pinned") }
            let base = server.url
            let pin = try #require(
                PublicKeyPin("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="))
            var configuration = CurlConfiguration()
            configuration.tls.publicKeyPins = ["api.example.com": [pin]]
            let pinned = try HTTPClient(baseURL: base, transport: CurlTransport(configuration))
            let text = try await pinned.get("users/1").text()
            // The server has no TLS: pins are tested with the transport.
            #expect(text == "pinned" && server.log.first?.request?.path == "/users/1")
            #expect(configuration.tls.publicKeyPins.keys.first == "api.example.com")
            await pinned.close()
        }
    #endif

    @Test func `a router`() async throws {
        let client = try client
        let user = try await client.request(Router.user(1)).json(User.self)
        #expect(user.id == 1)
        let found = try await client.request(Router.search("a b")).json([User].self)
        #expect(found.isEmpty)
        #expect(try service.last.url.query() == "q=a%20b")
    }

    @Test func `cancelling`() async throws {
        let service = MockSession.silentService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        var wasCancelled = false
        let task = Task { try await client.get("users/1").data() }
        task.cancel()
        do {
            _ = try await task.value
        } catch is CancellationError {
            wasCancelled = true
        }
        #expect(wasCancelled)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("MigratingFromAlamofire")
        #expect(page.pairCount == 20 && page.blocks.count == 20)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
