import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

private struct User: Codable {
    var id: Int
    var name: String
}

private struct Refusal: Decodable {
    var code: Int
}

private enum App {
    @TaskLocal static var endpoints = HTTPEndpointConfiguration()
}

private protocol AppEndpoint: HTTPEndpoint where ErrorResponse == Refusal {}

extension AppEndpoint {
    var defaults: HTTPEndpointConfiguration { App.endpoints }
}

private struct GetUser: AppEndpoint, HTTPGetEndpoint {
    typealias Success = User
    var id: Int
    var route: String { "users/\(id)" }
}

private struct CreateUser: AppEndpoint, HTTPPostEndpoint {
    typealias Success = User
    var body: User
    var route: String { "users" }
    func configure(_ configuration: inout HTTPEndpointConfiguration) {
        configuration.timeout = .seconds(5)
    }
}

/// The code of Docs/Guides/GettingStarted.md, Requests.md and MigratingFrom.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct ClientGuidesTests {
    /// Responds to every path of a small service.
    private let service = MockSession { request in
        func answer(_ status: HTTPStatus, _ body: String) -> HTTPResponse {
            HTTPResponse(status, body: HTTPBody(body), to: request)
        }
        let path = request.url.path
        if path.hasSuffix("users/7") { return answer(.notFound, "{\"code\":7}") }
        if path.hasSuffix("search") { return answer(.ok, "[]") }
        if path.hasSuffix("log") { return answer(.ok, "one\n\ntwo\n") }
        return answer(.ok, "{\"id\": 1, \"name\": \"Ada\"}")
    }

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://api.example.com/", transport: service) }
    }

    // MARK: GettingStarted

    @Test func `a client of one's own`() throws {
        let client = try HTTPClient(
            baseURL: "https://api.example.com/v2", headers: ["User-Agent": "mine/1.0"],
            retry: .standard)
        #expect(client.configuration.retry.maxRetries == 2)
        // The page sends these through the shared client; here, nothing is sent.
        func unsent() async throws {
            let text = try await HTTPClient.shared.get("https://api.example.com/users/1").text()
            _ = text
        }
        _ = unsent
    }

    @Test func `first lines`() async throws {
        let client = try client
        let user = try await client.get("users/1").json(User.self)
        let created: User = try await client.post("users", json: user).json()
        try await client.delete("users/1").response()
        #expect(created.name == "Ada")
    }

    @Test func `what fails`() async throws {
        let client = try client
        do {
            _ = try await client.get("users/7").json(User.self)
        } catch let error as HTTPError where error.status == .notFound {
            print("nobody", error.problemDetails?.title ?? "")
        } catch let error as HTTPError {
            print(error)  // one line, free of secrets: code, what happened, phase, URL, attempt
        }
        let plain = client.deriving { $0.validators = [] }
        let status = try await plain.get("users/7").response().status
        #expect(status == .notFound)
    }

    @Test func `changing it while it runs`() throws {
        let (client, token) = (try client, "t")
        client.update {
            $0.headers[.authorization] = "Bearer \(token)"
            $0.deadline = .seconds(30)
        }
        #expect(client.configuration.deadline == .seconds(30))
    }

    @Test func `testing without a network`() async throws {
        let mock = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody("{\"id\": 1, \"name\": \"Ada\"}"), to: request)
        }
        let tested = HTTPClient(transport: mock)
        let ada = try await tested.get("https://api.example.com/users/1").json(User.self)
        #expect(ada.name == "Ada")
    }

    // MARK: Requests

    @Test func `one line each`() async throws {
        let client = try client
        let found = try await client.get("search", query: ["q": "a b", "page": 2]).json([User].self)
        let token = try await client.post("token", .form(["grant_type": "refresh"])).text()
        try await client.put("notes/1", .text("remember")).header(.ifMatch, "\"v1\"").response()
        #expect(found.isEmpty && !token.isEmpty)
        #expect(service.requests[0].url.query() == "page=2&q=a%20b")
    }

    @Test func `a request as a value`() async throws {
        let client = try client
        let request = try HTTPRequest(.post, "users")
            .json(User(id: 2, name: "Grace"))
            .header("X-Request-ID", "7")
            .timeout(.seconds(10))
            .maxRetries(2)
        let response = try await request.fetch(client)
        #expect(response.status == .ok)
        let options = request.deadline(in: .seconds(5)).redirects(.manual)
            .coalescing(.useCurrentIfPossible).cachePolicy(.reload).idempotencyKey()
            .modify { $0.headers["X-Signed"] = "1" }
        #expect(options.maxRetries == 2)
    }

    @Test func `as it arrives`() async throws {
        let client = try client
        let count = try await client.get("log").withResponse { response in
            var lines = 0
            for try await line in response.body.lines where !line.isEmpty { lines += 1 }
            return lines
        }
        #expect(count == 2)
    }

    @Test func `services that explain their refusals`() async throws {
        let client = try client
        switch await client.get("users/7").answer(User.self, orError: Refusal.self) {
        case .success(let user): print(user.name)
        case .errorResponse(let refusal, let error): print(refusal.code, error.status?.code ?? 0)
        case .failure(let error): print(error)
        }
    }

    @Test func endpoints() async throws {
        var configuration = HTTPEndpointConfiguration()
        configuration.session = try client
        try await App.$endpoints.withValue(configuration) {
            let user = try await GetUser(id: 1).fetch()
            let answer = await CreateUser(body: user).answer()
            #expect(try answer.get().name == "Ada")
        }
        #expect(service.requests[1].timeouts.total == .after(.seconds(5)))
    }

    // MARK: MigratingFrom

    @Test func `from other libraries`() async throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        func unsent() async throws {
            let client = try HTTPClient(baseURL: "https://api.example.com/")
            _ = (client, HTTPClient(baseURL: url), HTTPClient())
            _ = try await HTTPRequest(url: url).fetch()
        }
        _ = unsent
        let client = try client
        let (v, validator) = ("mine/1.0", HTTPDefaultValidator())
        client.update { $0.headers[.userAgent] = v }
        client.update { $0.headers["X"] = "1" }
        client.update { $0.validators.insert(validator, at: 0) }
        client.update { $0.validators.append(StatusRule { 200..<300 ~= $0 }) }
        client.update { $0.retry = .standard }
        client.update { $0.redirects.mode = .manual }

        let (user, bytes) = (User(id: 1, name: "Ada"), Data("x".utf8))
        let request = try HTTPRequest(.post, "users")
        let response = try await request.fetch(client)
        _ = try await request.fetch(client, User.self)
        _ = try await request.deadline(in: .seconds(5)).fetch(client)
        let requests = [
            try request.json(user), request.maxRetries(3), request.header("X", "1"),
            request.data(bytes), request.timeout(.seconds(10)),
            request.redirects(.followWithOriginalSettings),
            request.redirects(.followCustom { $0.isCrossOrigin ? nil : $0.next() }),
            HTTPRequest(url: url),
        ]
        #expect(requests.count == 8)
        _ = try { (url: String) in try HTTPRequest(url) }("https://api.example.com/")

        _ = try await client.get("users/1").json(User.self)
        let form = MultipartForm()
        let lines = [
            client.post("users", json: user), client.get("search", query: ["q": "x"]),
            client.post("files", .multipart(form)),
        ]
        for line in lines { try await line.response() }
        _ = try await response.data(upTo: 1 << 20)
        #expect(response.status.code == 200)
        try await client.get("log").withResponse { response in
            for try await piece in response.body { #expect(!piece.isEmpty) }
        }
        do {
            try await client.get("users/7").response()
        } catch let error as HTTPError {
            #expect(error.status == .notFound)
        }
        let types: [Any.Type] = [
            (any HTTPRequestInterceptor).self, RefreshingAuthentication.self,
            (any HTTPObserver).self, ChallengeAuthentication.self, MockSession.self,
        ]
        #expect(types.count == 5)
    }

    // MARK: The pages

    @Test(arguments: [("GettingStarted", 7), ("Requests", 6), ("MigratingFrom", 1)])
    func `the pages show this code`(name: String, count: Int) throws {
        let page = try GuidePage(name)
        #expect(page.blocks.count == count)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }

    @Test func `the tables show this code on the right`() throws {
        let page = try GuidePage("MigratingFrom")
        var count = 0
        for row in page.text.split(separator: "\n") where row.hasPrefix("| ") {
            let cells = row.split(separator: " | ")
            guard cells.count == 2, let cell = cells.last, cell.hasPrefix("`") else { continue }
            let shown = cell.split(separator: "`").first ?? ""
            let isTested = page.isTested(shown)
            #expect(isTested, "\(shown)")
            count += 1
        }
        #expect(count == 39)
    }
}
