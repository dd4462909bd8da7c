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
    var route: HTTPRoute { "users/\(id)" }
}

private struct CreateUser: AppEndpoint, HTTPPostEndpoint {
    typealias Success = User
    var body: User
    var route: HTTPRoute { "users" }
    func configure(_ configuration: inout HTTPEndpointConfiguration) {
        configuration.timeout = .seconds(5)
    }
}

/// The code of Docs/Guides/Requests.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct RequestsGuideTests {
    private let service = MockSession.userService

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://api.example.com/", transport: service) }
    }

    @Test func `one line each`() async throws {
        let client = try client
        let file = try TemporaryFile("movie")
        let path = file.path
        let found = try await client.get("search", query: ["q": "a b", "page": 2]).json([User].self)
        let token = try await client.post("token", .form(["grant_type": "refresh"])).text()
        try await client.put("notes/1", .text("remember")).header(.ifMatch, "\"v1\"").response()
        try await client.put("movie", .file(path)).onProgress { print($0.fraction ?? 0) }.response()
        _ = consume file
        #expect(found.isEmpty && !token.isEmpty)
        #expect(service.requests[0].url.query() == "page=2&q=a%20b")
    }

    @Test func `a form with a file, with progress`() async throws {
        let client = try client
        let file = try TemporaryFile("movie")
        let path = file.path
        var form = MultipartForm()
        form.add("Holiday", name: "title")
        try form.add(file: path, name: "movie")
        try await client.post("movies", .multipart(form))
            .onProgress { if $0.kind == .upload { print($0.fraction ?? 0) } }
            .response()
        defer { _ = consume file }
        #expect(try await service.lastBody.contains("name=\"title\"\r\n\r\nHoliday"))
    }

    @Test func `a route with a variable`() async throws {
        let (client, isDraft) = (try client, true)
        func send(_ name: String) async throws {
            let profile = try await client.get("users/\(name)").json(User.self)
            try await client.post("users/\(name)/notes?draft=\(isDraft)", .text("remember"))
                .response()
            try await HTTPRequest(.delete, "users/\(name)").fetch(client)
            _ = profile
        }
        for name in ["", ".", "..", "a/.."] {
            let error = await #expect(throws: HTTPError.self) { try await send(name) }
            #expect(error?.code == .invalidRequest)
        }
        #expect(service.requests.isEmpty)
        try await send("1")
        let name = "a/b?#"
        try await client.post("users/\(name)/notes?draft=\(isDraft)", .text("remember")).response()
        try await HTTPRequest(.delete, "users/\(name)").fetch(client)
        #expect(
            service.requests.suffix(2).map(\.url.absoluteString) == [
                "https://api.example.com/users/a%2Fb%3F%23/notes?draft=true",
                "https://api.example.com/users/a%2Fb%3F%23",
            ])
        let files = try HTTPRequest(
            template: "files{/names*}", variables: ["names": ["a", "b/c"]])
        #expect(files.url.absoluteString == "files/a/b%2Fc")
        let (host, port, url) = ("h", 81, try URL(strictly: "https://h/api"))
        #expect(try HTTPRequest("https://\(host):\(port)/").url.absoluteString == "https://h:81/")
        #expect(try HTTPRequest("\(url)/users").url.absoluteString == "https://h/api/users")
    }

    @Test func `a request as a value`() async throws {
        let client = try client
        let request = try HTTPRequest(.post, "users")
            .json(User(id: 2, name: "Grace"))
            .header("X-Request-ID", "7")
            .timeout(.seconds(10))
            .maxRetries(2)
            .idempotencyKey()
        let response = try await request.fetch(client)
        #expect(response.status == .ok)
        let options = request.deadline(in: .seconds(5)).redirects(.manual)
            .coalescing(.useCurrentIfPossible).cachePolicy(.reload).idempotencyKey()
            .modify { $0.headers["X-Signed"] = "1" }
        #expect(options.maxRetries == 2)
    }

    @Test func formats() throws {
        let url = try HTTPRequest("https://api.example.com/").url
        let service = HTTPClient(baseURL: url) {
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
            $0.decoder.dateDecodingStrategy = .iso8601
            $0.encoder.keyEncodingStrategy = .convertToSnakeCase
            $0.encoder.dateEncodingStrategy = .iso8601
            $0.queryEncoding = QueryEncoding(array: .noBrackets, bool: .asLiterals, date: .internet)
        }
        #expect(service.configuration.queryEncoding.date == .internet)
    }

    /// The table of values.
    @Test func `a query writes values like this`() throws {
        let date = Date(timeIntervalSince1970: 1_628_862_942)
        func query(_ value: Any?, _ encoding: QueryEncoding = QueryEncoding()) throws -> String? {
            let request = try HTTPRequest("/").query("name", value).queryEncoding(encoding)
            return request.url.absoluteString.split(separator: "?").dropFirst().first.map(
                String.init)
        }
        #expect(try query("a b") == "name=a%20b" && query("ä") == "name=%C3%A4")
        #expect(try query(true) == "name=1" && query(false) == "name=0")
        #expect(try query(true, QueryEncoding(bool: .asLiterals)) == "name=true")
        #expect(try query([1, 2]) == "name%5B%5D=1&name%5B%5D=2")
        #expect(try query([1, 2], QueryEncoding(array: .noBrackets)) == "name=1&name=2")
        #expect(try query(["min": 1]) == "name%5Bmin%5D=1")
        #expect(try query(["min": 1], QueryEncoding(dictionary: .dots)) == "name.min=1")
        #expect(try query(date) == "name=2021-08-13%2013%3A55%3A42%20%2B0000")
        #expect(
            try query(date, QueryEncoding(date: .internet)) == "name=2021-08-13T13%3A55%3A42Z")
        #expect(try query(date, QueryEncoding(date: .secondsSince1970)) == "name=1628862942")
        #expect(
            try query(date, QueryEncoding(date: .millisecondsSince1970)) == "name=1628862942000")
        #expect(try query(nil) == nil && query([Int]()) == nil && query([String: Int]()) == nil)
        #expect(try query("") == "name=" && query(2.0) == "name=2.0")
        #expect(try query(User(id: 1, name: "Ada")) == "name%5Bid%5D=1&name%5Bname%5D=Ada")
    }

    @Test func `as it arrives`() async throws {
        let client = try client
        for try await line in client.get("log").lines { print(line) }
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

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Requests")
        #expect(page.blocks.count == 10)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
