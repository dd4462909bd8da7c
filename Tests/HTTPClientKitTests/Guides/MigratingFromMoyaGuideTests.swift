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

private struct GetUser: HTTPGetEndpoint {
    typealias Success = User
    var id: Int
    var route: HTTPRoute { "users/\(id)" }
}

private struct CreateUser: HTTPPostEndpoint {
    typealias Success = User
    var body: User
    var route: HTTPRoute { "users" }
}

private struct Search: HTTPGetEndpoint {
    typealias Success = [User]
    var text: String
    var page: Int
    var route: HTTPRoute { "search" }
    var query: [String: Any?] { ["q": text, "page": page] }
}

private struct Login: HTTPEndpoint {
    typealias Success = User
    var user: String
    var method: HTTPMethod { .post }
    var route: HTTPRoute { "login" }
    func content(for configuration: HTTPEndpointConfiguration) throws -> HTTPRequestContent {
        .form(["user": user])
    }
}

private struct UploadPhoto: HTTPEndpoint {
    typealias Success = String
    var path: String
    var method: HTTPMethod { .post }
    var route: HTTPRoute { "photos" }
    func content(for configuration: HTTPEndpointConfiguration) throws -> HTTPRequestContent {
        var form = MultipartForm()
        try form.add(file: path, name: "photo", filename: "sea.jpg", contentType: "image/jpeg")
        return .multipart(form)
    }
}

private struct GetReport: HTTPGetEndpoint {
    typealias Success = String
    var route: HTTPRoute { "report" }
    var headers: HTTPHeaders { [.accept: "text/csv"] }
}

private struct Refusal: Decodable {
    var code: Int
}

private struct FindUser: HTTPGetEndpoint {
    typealias Success = User
    typealias ErrorResponse = Refusal
    var id: Int
    var route: HTTPRoute { "users/\(id)" }
}

private struct Activity: HTTPClientMiddleware {
    let spinner: Spinner

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        spinner.add(1)
        do {
            let response = try await next.response(for: request)
            response.body.whenEnded { _ in spinner.add(-1) }
            return response
        } catch {
            spinner.add(-1)
            throw error
        }
    }
}

private final class Spinner: Sendable {
    private let state = Locked([Int]())
    var counts: [Int] { state.withLock { $0 } }
    func add(_ change: Int) { state.withLock { $0.append(($0.last ?? 0) + change) } }
}

private struct Tenant: HTTPRequestInterceptor, HTTPResponseInterceptor {
    let tenant: String
    let report: @Sendable (Int) -> Void

    func process(request: inout HTTPRequest) async throws {
        try request.headers.set("X-Tenant", tenant)
    }

    func process(response: inout HTTPResponse) async throws {
        report(response.status.code)
    }
}

/// The code of Docs/Guides/MigratingFromMoya.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct MigratingFromMoyaGuideTests {
    private let service = MockSession.userService

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://api.example.com/", transport: service) }
    }

    @Test func `a target`() async throws {
        let client = try client
        let user = try await GetUser(id: 1).fetch(client)
        #expect(user.name == "Ada")
        #expect(try service.last.url.absoluteString == "https://api.example.com/users/1")
    }

    @Test func `a body of JSON`() async throws {
        let client = try client
        let created = try await CreateUser(body: User(id: 2, name: "Grace")).fetch(client)
        #expect(created.id == 1)
        #expect(try await service.lastBody == #"{"id":2,"name":"Grace"}"#)
    }

    @Test func `query parameters`() async throws {
        let client = try client
        let found = try await Search(text: "a b", page: 2).fetch(client)
        #expect(found.isEmpty)
        #expect(try service.last.url.query() == "page=2&q=a%20b")
    }

    @Test func `a form`() async throws {
        let client = try client
        let user = try await Login(user: "me").fetch(client)
        #expect(user.id == 1)
        #expect(try await service.lastBody == "user=me")
    }

    @Test func `a multipart upload, with progress`() async throws {
        let server = try LoopbackServer { _ in .ok("stored") }
        let client = try HTTPClient(baseURL: server.url)
        let (file, bar) = (try TemporaryFile("the sea"), ProgressBar())
        let path = file.path
        let request = try UploadPhoto(path: path).makeRequest(for: client)
        let answer = try await client.request(request).onProgress { bar.show($0.fraction) }.text()
        #expect(answer == "stored" && bar.last == 1)
        #expect(server.log.first?.request?.text.contains("filename=\"sea.jpg\"") == true)
        _ = consume file
    }

    @Test func `a download`() async throws {
        let client = try client
        let (folder, bar) = (try DownloadFolder(), ProgressBar())
        let path = folder.file()
        let download = try await client.get("image.iso")
            .onProgress { bar.show($0.fraction) }
            .download(to: path)
        #expect(try folder.bytes().count == Int(download.length) && bar.last == 1)
    }

    @Test func `header fields of one target`() async throws {
        let client = try client
        let report = try await GetReport().fetch(client)
        #expect(!report.isEmpty)
        #expect(try service.last.headers[.accept] == "text/csv")
    }

    @Test func `header fields of all targets`() async throws {
        let client = try client
        client.update { $0.headers["X-App"] = "7" }
        let user = try await GetUser(id: 1).fetch(client)
        #expect(user.id == 1)
        #expect(try service.last.headers["X-App"] == "7")
    }

    @Test func `validation`() async throws {
        let client = try client
        var (user, status): (User?, Int?) = (nil, nil)
        do {
            user = try await GetUser(id: 7).fetch(client)
        } catch let error as HTTPError {
            status = error.status?.code
        }
        #expect(user == nil && status == 404)
    }

    @Test func `errors with a type`() async throws {
        let client = try client
        var (user, code, failure): (User?, Int?, (any Error)?) = (nil, nil, nil)
        switch await FindUser(id: 7).answer(client) {
        case .success(let found): user = found
        case .errorResponse(let refusal, _): code = refusal.code
        case .failure(let error): failure = error
        }
        #expect(user == nil && code == 7 && failure == nil)
    }

    @Test func `a token`() async throws {
        let client = try client
        let (api, token) = (try HTTPOrigin("https://api.example.com"), "a1")
        client.update { $0.authentication = [BearerAuthentication(for: api) { token }] }
        let user = try await GetUser(id: 1).fetch(client)
        #expect(user.id == 1)
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
    }

    @Test func `a log`() async throws {
        let client = try client
        let written = Locked([String]())
        let write = { @Sendable (text: String) in written.withLock { $0.append(text) } }
        client.update { $0.logging = HTTPLogging(.headers) { write($0) } }
        let user = try await GetUser(id: 1).fetch(client)
        #expect(user.id == 1)
        #expect(
            written.withLock { $0.first?.contains("GET https://api.example.com/users/1") } == true)
    }

    @Test func `network activity`() async throws {
        let client = try client
        let spinner = Spinner()
        client.update { $0.callMiddleware = [Activity(spinner: spinner)] }
        let user = try await GetUser(id: 1).fetch(client)
        #expect(user.id == 1 && spinner.counts == [1, 0])
    }

    @Test func `a plug-in of one's own`() async throws {
        let client = try client
        let codes = Locked([Int]())
        let report = { @Sendable (code: Int) in codes.withLock { $0.append(code) } }
        client.update { $0.attemptMiddleware = [Tenant(tenant: "7", report: report)] }
        let user = try await GetUser(id: 1).fetch(client)
        #expect(user.id == 1 && codes.withLock { $0 } == [200])
        #expect(try service.last.headers["X-Tenant"] == "7")
    }

    @Test func `stubs`() async throws {
        let stubs = StubSession(
            Stub(.get, "/users/{id}", answers: .json(["id": 1, "name": "Ada"])))
        let tested = try HTTPClient(baseURL: "https://api.example.com/", transport: stubs)
        let user = try await GetUser(id: 1).fetch(tested)
        try stubs.assertAllUsed()
        #expect(user.name == "Ada" && stubs.calls.first?.request["id"] == "1")
    }

    @Test func `requests in flight`() async throws {
        let (asked, answer) = (Gate(), Gate())
        let service = MockSession { request in
            asked.open()
            try await answer.wait()
            return HTTPResponse(.ok, body: HTTPBody(#"{"id": 1, "name": "Ada"}"#), to: request)
        }
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.coalescing = .useCurrentIfPossible }
        async let first = GetUser(id: 1).fetch(client)
        async let second = GetUser(id: 1).fetch(client)
        try await asked.wait()
        let duplicate = client.get("users/1").timeout(.seconds(30)).coalescing(.dropIfDuplicated)
        let error = await #expect(throws: HTTPError.self) { try await duplicate.response() }
        #expect(error?.code == .droppedAsDuplicate)
        answer.open()
        let names = [try await first.name, try await second.name]
        #expect(names == ["Ada", "Ada"])
    }

    @Test func `several kinds of targets`() async throws {
        let client = try client
        let user = try await GetUser(id: 1).fetch(client)
        let found = try await Search(text: user.name, page: 1).fetch(client)
        #expect(found.isEmpty && service.requests.count == 2)
    }

    @Test func `trying again`() async throws {
        let service = MockSession.failing(times: 2)
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.clock = BriskClock() }
        client.update { $0.retry = .standard }
        let user = try await GetUser(id: 1).fetch(client)
        #expect(user.name == "Ada" && service.requests.count == 3)
    }

    @Test func `cancelling`() async throws {
        let service = MockSession.silentService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        var wasCancelled = false
        let task = Task { try await GetUser(id: 1).fetch(client) }
        task.cancel()
        do {
            _ = try await task.value
        } catch is CancellationError {
            wasCancelled = true
        }
        #expect(wasCancelled)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("MigratingFromMoya")
        #expect(page.pairCount == 20 && page.blocks.count == 20)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
