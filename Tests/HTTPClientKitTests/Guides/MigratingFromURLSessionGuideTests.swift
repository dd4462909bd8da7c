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

/// The code of Docs/Guides/MigratingFromURLSession.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct MigratingFromURLSessionGuideTests {
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
        #expect(created.id == 1)
        #expect(try await service.lastBody == #"{"id":2,"name":"Grace"}"#)
        #expect(try service.last.headers[.contentType] == "application/json")
    }

    @Test func `query parameters`() async throws {
        let client = try client
        let found = try await client.get("search", query: ["q": "c++ & swift", "page": 2]).data()
        #expect(found == Data("[]".utf8))
        #expect(try service.last.url.query() == "page=2&q=c%2B%2B%20%26%20swift")
    }

    @Test func `header fields, for one request and for all`() async throws {
        let client = try client
        client.update { $0.headers["X-App"] = "7" }
        let data = try await client.get("users/1").header("X-Request-ID", "42").data()
        #expect(!data.isEmpty)
        #expect(try service.last.headers["X-App"] == "7")
        #expect(try service.last.headers["X-Request-ID"] == "42")
    }

    @Test func `a status that is an error`() async throws {
        let client = try client
        var (user, reason): (User?, String) = (nil, "")
        do {
            user = try await client.get("users/7").json(User.self)
        } catch let error as HTTPError where error.status == .notFound {
            reason = String(decoding: error.bodyPrefix ?? Data(), as: UTF8.self)
        }
        #expect(user == nil && reason == #"{"code":7}"#)
    }

    @Test func `time limits`() async throws {
        let client = try client
        let text = try await client.get("report")
            .timeouts(HTTPTimeouts(idle: .seconds(10)))
            .deadline(in: .seconds(30))
            .text()
        #expect(!text.isEmpty)
        #expect(try service.last.timeouts.idle == .after(.seconds(10)))
        #expect(try service.last.call?.deadline != nil)
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

    @Test func `trying again`() async throws {
        let service = MockSession.failing(times: 2)
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.clock = BriskClock() }
        client.update { $0.retry = .standard }
        let data = try await client.get("users/1").data()
        #expect(!data.isEmpty && service.requests.count == 3)
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
            return try .bearer(new.access_token, refreshToken: new.refresh_token)
        }
        client.update { $0.authentication = [tokens] }
        let data = try await client.get("account").data()
        #expect(!data.isEmpty)
        #expect(service.requests.map { $0.url.path() } == ["/account", "/token", "/account"])
        #expect(try service.last.headers[.authorization] == "Bearer a1")
    }

    @Test func `a password`() async throws {
        let service = MockSession.passwordService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        let (api, secret) = (try HTTPOrigin("https://api.example.com"), "hunter2")
        let password = PasswordCredentials(user: "me", password: secret, for: api)
        client.update { $0.authentication = [ChallengeAuthentication(password)] }
        let account = try await client.get("account").text()
        #expect(account == "yours" && service.requests.count == 2)
        #expect(try service.last.headers[.authorization] == "Basic bWU6aHVudGVyMg==")
    }

    @Test func `uploading a file, with progress`() async throws {
        let server = try LoopbackServer { _ in .ok("stored") }
        let client = try HTTPClient(baseURL: server.url)
        let (file, bar) = (try TemporaryFile("a movie"), ProgressBar())
        let path = file.path
        let answer = try await client.put("movie", .file(path)).onProgress { bar.show($0.fraction) }
            .text()
        #expect(answer == "stored" && bar.last == 1)
        #expect(server.log.first?.request?.text == "a movie")
        _ = consume file
    }

    @Test func `a multipart form`() async throws {
        let client = try client
        let file = try TemporaryFile("the sea", named: ".jpg")
        let path = file.path
        var form = MultipartForm()
        form.add("At the sea", name: "title")
        try form.add(file: path, name: "photo", filename: "sea.jpg")
        try await client.post("photos", .multipart(form)).response()
        let body = try await service.lastBody
        #expect(body.contains("name=\"title\"\r\n\r\nAt the sea"))
        #expect(body.contains("filename=\"sea.jpg\"\r\nContent-Type: image/jpeg\r\n\r\nthe sea"))
        _ = consume file
    }

    @Test func `downloading a file, with progress`() async throws {
        let client = try client
        let (folder, bar) = (try DownloadFolder(), ProgressBar())
        let path = folder.file()
        let download = try await client.get("image.iso").onProgress { bar.show($0.fraction) }
            .download(to: path)
        print(download.length, "bytes at", download.path)
        #expect(try folder.bytes().count == Int(download.length) && bar.last == 1)
        #expect(try service.last.url.path() == "/image.iso")
    }

    @Test func `continuing a download`() async throws {
        let service = MockSession.brokenFile
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        let folder = try DownloadFolder()
        let path = folder.file()
        let once = { () -> HTTPDownloadOptions in
            var options = HTTPDownloadOptions()
            options.maxResumptions = 0
            return options
        }()
        await #expect(throws: HTTPError.self) {
            try await client.download("image.iso", to: path, options: once)
        }
        if let left = HTTPResumeData(downloadTo: path) {
            try await client.download("image.iso", resuming: left)
        }
        #expect(try folder.bytes() == Array("abc".utf8))
        #expect(try service.last.headers[.range] == "bytes=2-")
    }

    @Test func `reading lines as they arrive`() async throws {
        let client = try client
        var lines: [String] = []
        for try await line in client.get("log").lines { lines.append(line) }
        #expect(lines == ["one", "", "two"])
    }

    @Test func `not following a redirect`() async throws {
        let service = MockSession.redirectService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        let response = try await client.get("old").redirects(.manual).response()
        let location = response.headers.location(relativeTo: response.url)
        #expect(response.status == .found && service.requests.count == 1)
        #expect(location?.absoluteString == "https://api.example.com/new")
    }

    @Test func `a cache`() async throws {
        let service = MockSession.cacheableService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.cache = .inMemory(limit: 64 << 20) }
        let first = try await client.get("report").text()
        let stored = try await client.get("report").text()
        let latest = try await client.get("report").cachePolicy(.reload).text()
        #expect([first, stored, latest] == ["report 1", "report 1", "report 2"])
    }

    @Test func `cookies`() async throws {
        let service = MockSession.cookieService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.cookies = .inMemory }
        try await client.post("login", .form(["user": "me"])).response()
        let account = try await client.get("account").text()
        #expect(account == "ok")
        #expect(try service.last.headers[.cookie] == "session=7")
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

    @Test func `tests without a network`() async throws {
        let mock = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody(#"{"id": 1, "name": "Ada"}"#), to: request)
        }
        let tested = try HTTPClient(baseURL: "https://api.example.com/", transport: mock)
        let user = try await tested.get("users/1").json(User.self)
        #expect(user.name == "Ada" && mock.requests.count == 1)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("MigratingFromURLSession")
        #expect(page.pairCount == 20 && page.blocks.count == 20)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
