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

private struct Account: Codable {
    var accountName: String
}

private struct Vault {
    func token() async throws -> String { "a1" }
}

private struct ServiceError: Decodable, Error {
    var code: Int
}

private struct Event: Decodable {
    var date: Date
}

private struct GetUser: HTTPGetEndpoint {
    typealias Success = User
    var id: Int
    var route: HTTPRoute { "users/\(id)" }
}

private struct AddUser: HTTPPostEndpoint {
    typealias Success = User
    var body: User
    var route: HTTPRoute { "users" }
}

/// The code of Docs/Guides/MigratingFromGet.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct MigratingFromGetGuideTests {
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

    @Test func `a client with coders`() async throws {
        let server = try LoopbackServer { .echo($0) }
        let base = server.url
        let client = try HTTPClient(baseURL: base) {
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
            $0.encoder.keyEncodingStrategy = .convertToSnakeCase
        }
        let account = Account(accountName: "Ada")
        let stored = try await client.post("accounts", json: account).json(Account.self)
        #expect(stored.accountName == "Ada")
        #expect(server.log.first?.request?.text == #"{"account_name":"Ada"}"#)
    }

    @Test func `a POST of JSON`() async throws {
        let client = try client
        let user = User(id: 2, name: "Grace")
        let created = try await client.post("users", json: user).json(User.self)
        #expect(created.id == 1)
        #expect(try await service.lastBody == #"{"id":2,"name":"Grace"}"#)
    }

    @Test func `query parameters`() async throws {
        let client = try client
        let found = try await client.get("search").addingQuery("q", "a b").addingQuery("page", 2)
            .json([User].self)
        #expect(found.isEmpty)
        #expect(try service.last.url.query() == "q=a%20b&page=2")
    }

    @Test func `header fields`() async throws {
        let client = try client
        let user = try await client.get("users/1").header("X-Request-ID", "42").json(User.self)
        #expect(user.id == 1)
        #expect(try service.last.headers["X-Request-ID"] == "42")
    }

    @Test func `no content`() async throws {
        let client = try client
        try await client.delete("users/1").response()
        #expect(try service.last.method == .delete)
    }

    @Test func `the response beside the value`() async throws {
        let client = try client
        let response = try await client.get("users/1").response()
        let user = try await response.json(User.self)
        print(user.name, response.status.code, response.timeline)
        #expect(user.name == "Ada" && response.status == .ok)
        #expect(response.timeline.exchanges.count == 1)
    }

    @Test func `bytes and text`() async throws {
        let client = try client
        let data = try await client.get("report").data()
        let text = try await client.get("report").text()
        #expect(Data(text.utf8) == data && service.requests.count == 2)
    }

    @Test func `downloading a file`() async throws {
        let client = try client
        let folder = try DownloadFolder()
        let path = folder.file()
        let download = try await client.get("image.iso").download(to: path)
        print(download.length, "bytes at", download.path)
        #expect(try folder.bytes().count == Int(download.length))
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

    @Test func `settings of one request`() async throws {
        let client = try client
        let user = try await client.get("users/1")
            .deadline(in: .seconds(5))
            .cachePolicy(.reload)
            .json(User.self)
        #expect(user.id == 1)
        #expect(try service.last.headers[.cacheControl] == "no-cache")
    }

    @Test func `a token`() async throws {
        let client = try client
        let (api, vault) = (try HTTPOrigin("https://api.example.com"), Vault())
        let bearer = BearerAuthentication(for: api) { try await vault.token() }
        client.update { $0.authentication = [bearer] }
        let user = try await client.get("users/1").json(User.self)
        #expect(user.id == 1)
        #expect(try service.last.headers[.authorization] == "Bearer a1")
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

    @Test func `trying again`() async throws {
        let service = MockSession.failing(times: 2)
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.clock = BriskClock() }
        client.update { $0.retry = .standard }
        let data = try await client.get("users/1").data()
        #expect(!data.isEmpty && service.requests.count == 3)
    }

    @Test func `a validation of one's own`() async throws {
        let client = try client
        var code = 0
        let serviceErrors = ClosureValidator(bodyLimit: 64 << 10) { response, _ in
            guard !response.status.isSuccessful else { return .next }
            return .fail(try await response.json(ServiceError.self))
        }
        client.update { $0.validators = [serviceErrors] }
        do {
            try await client.get("users/7").response()
        } catch let error as HTTPError {
            code = (error.underlyingError as? ServiceError)?.code ?? 0
        }
        #expect(code == 7)
    }

    @Test func `the status of an error`() async throws {
        let client = try client
        var (user, code): (User?, Int?) = (nil, nil)
        do {
            user = try await client.get("users/7").json(User.self)
        } catch let error as HTTPError where error.innermostCode == .unexpectedStatus {
            code = error.status?.code
        }
        #expect(user == nil && code == 404)
    }

    @Test func `another host for some requests`() async throws {
        let client = try client
        let answer = try await client.post("https://uploads.example.com/photos", .text("sea"))
            .text()
        #expect(!answer.isEmpty)
        #expect(try service.last.url.absoluteString == "https://uploads.example.com/photos")
    }

    @Test func `another decoder for some requests`() async throws {
        let service = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody(#"{"date": 5}"#), to: request)
        }
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        let legacyDecoder = JSONDecoder()
        legacyDecoder.dateDecodingStrategy = .secondsSince1970
        let event = try await client.get("events/1").json(Event.self, decoder: legacyDecoder)
        #expect(event.date == Date(timeIntervalSince1970: 5))
        #expect(try service.last.url.path() == "/events/1")
    }

    @Test func `requests as members of a type`() async throws {
        let client = try client
        let user = try await GetUser(id: 1).fetch(client)
        let added = try await AddUser(body: user).fetch(client)
        #expect(added.name == "Ada" && service.requests.map(\.method) == [.get, .post])
        #expect(try await service.lastBody == #"{"id":1,"name":"Ada"}"#)
    }

    @Test func `tests without a network`() async throws {
        let stubs = StubSession(
            Stub(.get, "/users/{id}", answers: .json(["id": 1, "name": "Ada"])))
        let tested = try HTTPClient(baseURL: "https://api.example.com/", transport: stubs)
        let user = try await tested.get("users/1").json(User.self)
        try stubs.assertAllUsed()
        #expect(user.name == "Ada" && stubs.calls.first?.request["id"] == "1")
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("MigratingFromGet")
        #expect(page.pairCount == 20 && page.blocks.count == 20)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
