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

@Suite(.timeLimit(.minutes(5))) struct HTTPBoundRequestTests {
    private struct User: Codable, Sendable, Equatable {
        var id: Int
        var name: String
    }

    private let ada = User(id: 1, name: "Ada")
    private let mock = MockSession { request in
        switch request.url.path {
        case "/missing":
            HTTPResponse(.notFound, body: HTTPBody("{\"id\":9,\"name\":\"no\"}"), to: request)
        case "/odd": HTTPResponse(.ok, body: HTTPBody("odd"), to: request)
        case "/problem":
            HTTPResponse(
                .forbidden, headers: [.contentType: "application/problem+json"],
                body: HTTPBody(
                    "{\"type\":\"https://e/out-of-credit\",\"title\":\"No credit\","
                        + "\"balance\":30}"),
                to: request)
        default:
            HTTPResponse(
                .ok, headers: [.contentType: "application/json"],
                body: HTTPBody("{\"id\":1,\"name\":\"Ada\"}"), to: request)
        }
    }
    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://h/", transport: mock) }
    }

    // MARK: Methods and responses

    @Test func `each response type is one line, read inside the attempt`() async throws {
        let client = try client
        #expect(try await client.get("u/1").json(User.self) == ada)
        let inferred: User = try await client.get("u/1").json()
        #expect(inferred == ada)
        #expect(try await client.get("u/1").text() == "{\"id\":1,\"name\":\"Ada\"}")
        #expect(try await client.get("u/1").data().count == 21)
        #expect(try await client.get("u/1").response().status == .ok)
        #expect(try await client.get("u/1").value(String.self).count == 21)
        #expect(try await client.get("u/1").json(HTTPJSON.self)["name"]?.string == "Ada")
        #expect(
            mock.requests.allSatisfy {
                if case .buffered = $0.delivery { true } else { false }
            })
        let streamed = try await client.get("u/1").withResponse { try await $0.text() }
        #expect(streamed.count == 21)
        guard case .streamed = try #require(mock.requests.last).delivery else {
            Issue.record("a streamed response was buffered")
            return
        }
    }

    // MARK: The base itself

    @Test(arguments: [
        ("https://h/api", "https://h/api"), ("https://h/api/", "https://h/api/"),
        ("https://h", "https://h/"), ("https://h/?key=1", "https://h/"),
    ])
    func `an empty route names the base itself`(base: String, url: String) async throws {
        let client = try HTTPClient(baseURL: base, transport: mock)
        try await client.get("").response()
        try await client.post("", .text("x")).response()
        try await client.get("", query: ["q": "a b"]).response()
        try await client.get("").query("q", "a b").response()
        try await client.request(HTTPRequest(.get, "")).response()
        let urls = mock.requests.map { try? HTTPTarget($0.url).url }
        let target = try HTTPTarget(URL(strictly: url)).url
        let withQuery = target + "?q=a%20b"
        #expect(urls == [target, target, withQuery, withQuery, target])
    }

    @Test func `an empty route without a base is refused, and nothing is sent`() async throws {
        let client = HTTPClient(transport: mock)
        for line in [client.get(""), client.get("", query: ["q": 1]), mock.get("")] {
            let error = await #expect(throws: HTTPError.self) { try await line.response() }
            #expect(error?.code == .invalidRequest && error?.message.contains("URL") == true)
        }
        #expect(mock.requests.isEmpty)
    }

    // MARK: Empty bodies

    @Test(arguments: [HTTPStatus.ok, .created, .noContent, .resetContent])
    func `an empty body is no value, and nil where none is needed`(status: HTTPStatus) async throws
    {
        let empty = MockSession { HTTPResponse(status, to: $0) }
        let client = try HTTPClient(baseURL: "https://h/", transport: empty)
        let calls: [() async throws -> User] = [
            { try await client.get("u").json() }, { try await client.head("u").json() },
            { try await HTTPRequest(.get, "https://h/u").fetch(client, User.self) },
            { try await HTTPRequest(.get, "https://h/u").run(User.self, in: client).value },
            { try await client.response(User.self, for: "u") },
            { try await client.get("u").answer(User.self, orError: HTTPJSON.self).get() },
            { try await client.get("u").response().json() },
        ]
        for (index, call) in calls.enumerated() {
            let error = await #expect(throws: HTTPError.self, "\(index)") { _ = try await call() }
            #expect(error?.code == .emptyResponse, "\(index): \(error as Any)")
            #expect(error?.response?.status == status && error?.bodyPrefix?.isEmpty == true)
            #expect(error?.message.contains("User") == true)
        }
        let optionals: [() async throws -> User?] = [
            { try await client.get("u").json(User?.self) },
            { try await client.head("u").json(User?.self) },
            { try await HTTPRequest(.get, "https://h/u").fetch(client, User?.self) },
            { try await HTTPRequest(.get, "https://h/u").run(User?.self, in: client).value },
            { try await client.response(User?.self, for: "u") },
            { try await client.get("u").answer(User?.self, orError: HTTPJSON.self).get() },
            { try await client.get("u").response().json(User?.self) },
        ]
        for call in optionals { #expect(try await call() == nil) }
        #expect(try await client.get("u").text().isEmpty)
        #expect(try await client.get("u").data().isEmpty)
        #expect(try await client.get("u").response().decoded { $0.count } == 0)
    }

    @Test func `an existing optional value is decoded, and null is nil`() async throws {
        let client = try client
        #expect(try await client.get("u/1").json(User?.self) == ada)
        let null = MockSession { HTTPResponse(.ok, body: HTTPBody("null"), to: $0) }
        #expect(try await null.get("https://h/").json(User?.self) == nil)
        let error = await #expect(throws: HTTPError.self) {
            _ = try await client.get("odd").json(User?.self)
        }
        #expect(error?.code == .decodingFailed)
    }

    @Test func `each method is one line`() async throws {
        let client = try client
        let lines = [
            client.get("u"), client.head("u"), client.options("u"), client.delete("u"),
            client.post("u"), client.put("u"), client.patch("u"), client.request("PURGE", "u"),
        ]
        for line in lines { try await line.response() }
        #expect(
            mock.requests.map(\.method) == [
                .get, .head, .options, .delete, .post, .put, .patch, "PURGE",
            ])
    }

    @Test func `each body is one line`() async throws {
        let client = try client
        let form = try MultipartForm(boundary: "edge")
        let lines: [(HTTPBoundRequest, String?, String?)] = [
            (client.post("u", json: ada), "application/json", "{\"id\":1,\"name\":\"Ada\"}"),
            (client.put("u", json: [1, 2]), "application/json", "[1,2]"),
            (client.patch("u", json: "x"), "application/json", "\"x\""),
            (
                client.post("u", .json(["a": 1, "b": "c"] as [String: Any])), "application/json",
                "{\"a\":1,\"b\":\"c\"}"
            ),
            (
                client.post("u", .form(["a": "b c"])),
                "application/x-www-form-urlencoded; charset=utf-8", nil
            ),
            (
                client.post("u", .form(propertiesOf: ada)),
                "application/x-www-form-urlencoded; charset=utf-8", nil
            ),
            (client.put("u", .text("hi")), "text/plain; charset=utf-8", "hi"),
            (client.put("u", .data(Data("hi".utf8))), nil, "hi"),
            (client.put("u", .body(HTTPBody("hi"), contentType: .json)), "application/json", "hi"),
            (client.post("u", .multipart(form)), "multipart/form-data; boundary=edge", nil),
            (
                client.post("u", .content(FormURLEncoded(["a": 1]))),
                "application/x-www-form-urlencoded; charset=utf-8", "a=1"
            ),
            (client.post("u"), nil, ""),
        ]
        for (line, contentType, body) in lines {
            try await line.response()
            let sent = try #require(mock.requests.last)
            #expect(sent.headers[.contentType] == contentType)
            if let body { #expect(try await sent.body.collect() == Data(body.utf8)) }
        }
    }

    // MARK: Descriptions

    @Test(.rows("S3-1"))
    func `a request is a description, sent once for each requested response`()
        async throws
    {
        let line = try client.get("u/1").header("X-A", "1").query("q", 2).query(["p": 1])
            .maxRetries(2)
        #expect(mock.requests.isEmpty)
        try await line.response()
        try await line.response()
        #expect(
            mock.requests.map(\.url.absoluteString)
                == .init(repeating: "https://h/u/1?p=1", count: 2))
        #expect(mock.requests.map { $0.headers["X-A"] } == ["1", "1"])
    }

    @Test(.rows("S1-1"), arguments: ["https://a b/", "https://h/%zz", "http:///x"])
    func `an invalid URL is thrown when a response is requested`(text: String) async throws {
        let line = try client.get(text)
        let error = await #expect(throws: HTTPError.self) { try await line.response() }
        #expect(error?.code == .invalidRequest)
        #expect(mock.requests.isEmpty)
    }

    @Test func `a value without JSON is thrown when a response is requested, and nothing is sent`()
        async throws
    {
        let line = try client.post("u", json: [Double.infinity])
        let error = await #expect(throws: HTTPError.self) { try await line.response() }
        #expect(error?.code == .encodingFailed)
        #expect(mock.requests.isEmpty)
    }

    @Test(.rows("S1-1", "S1-2", "S1-3"))
    func `strings, URLs and templates are requests, raw or decoded`() async throws {
        let client = try client
        let text = "https://h/u/1"
        #expect(try await HTTPRequest(text).fetch(client).status == .ok)
        #expect(try await HTTPRequest(text).fetch(client, String.self).count == 21)
        #expect(try await client.response(User.self, for: #require(URL(string: text))) == ada)
        let template = try HTTPRequest(template: URITemplate("u/{id}"), variables: ["id": 1])
        #expect(try await template.fetch(client, User.self) == ada)
        #expect(try await client.request(template).json(User.self) == ada)
        #expect(mock.requests.allSatisfy { $0.url.absoluteString == text && $0.method == .get })
    }

    // MARK: Decoding

    @Test(.rows("S0-39"))
    func `fetch honours its decoder`() async throws {
        struct Named: Decodable, Sendable { var userName: String }
        let mock = MockSession {
            HTTPResponse(.ok, body: HTTPBody("{\"user_name\":\"Ada\"}"), to: $0)
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let named = try await HTTPRequest("https://h/").fetch(mock, Named.self, decoder: decoder)
        #expect(named.userName == "Ada")
        #expect(
            try await mock.get("https://h/").json(Named.self, decoder: decoder).userName == "Ada")
    }

    @Test(.rows("S1-8"))
    func `a refused response is thrown as such even if its body would decode`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("missing").json(User.self)
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.status == .notFound)
    }

    @Test(.rows("S1-8"))
    func `a body of another type is a failure to decode, with its bytes`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("odd").json(User.self)
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.bodyPrefix == Data("odd".utf8))
        #expect(error?.underlyingError is DecodingError)
    }

    @Test func `services with error bodies are one line, too`() async throws {
        let answer = try await client.get("missing").answer(String.self, orError: User.self)
        guard case .errorResponse(let user, let error) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(user.id == 9)
        #expect(error.status == .notFound)
    }

    // MARK: RFC 9457

    @Test func `a problem is read from the error`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("problem").json(User.self)
        }
        let problem = try #require(error?.problemDetails)
        #expect(problem.type == "https://e/out-of-credit")
        #expect(problem.title == "No credit")
        #expect(problem.extensions["balance"]?.int == 30)
        #expect(error.map { "\($0)".contains("credit") } == false)
        let other = await #expect(throws: HTTPError.self) {
            try await client.get("missing").json(User.self)
        }
        #expect(other?.problemDetails == nil)
    }

    // MARK: Chaining

    @Test(.rows("S1-9", "S1-12", "S1-13", "S1-14"))
    func `chaining makes copies and leaves the original alone`() async throws {
        let client = try client
        let plain = client.get("u")
        let rich = plain.header("X-A", "1").timeout(.seconds(2)).with {
            $0.method(.put).headers { $0["X-B"] = "2" }
        }
        try await plain.response()
        try await rich.response()
        let (a, b) = (mock.requests[0], mock.requests[1])
        #expect(a.method == .get && a.headers.isEmpty && a.timeouts.total == .standard)
        #expect(b.method == .put && b.headers["x-a"] == "1" && b.headers["X-B"] == "2")
        #expect(b.timeouts.total == .after(.seconds(2)))
        try await rich.header("X-A", nil).response()
        #expect(!mock.requests[2].headers.contains("X-A"))
    }
}
