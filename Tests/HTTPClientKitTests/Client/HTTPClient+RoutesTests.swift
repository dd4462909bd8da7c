import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The routes of a client with a base URL, through every method that takes one.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientRoutesTests {
    /// A way to send a request to a route that is a string.
    enum Door: String, CaseIterable, Codable, Sendable {
        case get, post, json, request, bound, value, template, setting, convertible, endpoint, event
        case pages, download, pipeline, task

        func send(_ route: String, through client: HTTPClient) async throws {
            switch self {
            case .get: try await client.get(route).response()
            case .post: try await client.post(route, .text("x")).response()
            case .json: try await client.put(route, json: [1]).response()
            case .request: try await client.request("PURGE", route).response()
            case .bound: try await client.request(route).response()
            case .value: try await HTTPRequest(.delete, route).fetch(client)
            case .template:
                let request = try HTTPRequest(
                    template: "{+route}", variables: ["route": route])
                try await request.fetch(client)
            case .setting: try await HTTPRequest(.get, "/").route(route).fetch(client)
            case .convertible: _ = try await client.response(for: route)
            case .endpoint: _ = try await TextEndpoint(route: route).fetch(client)
            case .event:
                var options = HTTPEventSourceOptions()
                options.reconnection = .never
                for try await _ in try client.events(from: route, options: options) {}
            case .pages: for try await _ in try client.pages(of: route) {}
            case .download:
                let folder = try DownloadFolder()
                try await client.download(route, to: folder.file())
            case .pipeline: _ = try await client.pipeline(for: route).value()
            case .task: _ = try await HTTPRequest(route).run(in: client).value
            }
        }
    }

    struct TextEndpoint: HTTPGetEndpoint {
        typealias Success = String
        var route: String
    }

    static let hostile = [
        "//other.test/x", "///other.test", "//", "//user@other.test/", "/\\other.test",
        "\\\\other.test", "/\t/other.test", "\n//other.test", " //other.test",
        " http://other.test", "http:/other.test", "http:other.test", "https:other.test", "../x",
        "x/../../y", "%2e%2e/x", "..%2fx", "..%5cx", "..;/x", ":80/x", "1.2.3.4:80/x",
    ]

    @Test(arguments: Door.allCases)
    func `a route that leaves the base is refused before anything is sent`(
        door: Door
    ) async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = try HTTPClient(
            baseURL: "https://h.test/api", transport: mock,
            headers: ["Authorization": "Bearer secret"], validators: [])
        // A template encodes what no URL may contain.
        for route in Self.hostile where door != .template || (try? HTTPRequest(route)) != nil {
            let error = await #expect(throws: HTTPError.self, "\(route)") {
                try await door.send(route, through: client)
            }
            #expect(error?.code == .invalidRequest, "\(route): \(error as Any)")
            #expect(error?.mayHaveReachedServer == false && error?.isRetryable == false)
        }
        #expect(mock.requests.isEmpty)
    }

    static let harmless = [
        "localhost", "localhost:6379/x", "LocalHost/", "other.test/x", "other.test:80/x", "db:5432",
        "mailto:a@other.test", "javascript:x", "user:pass@other.test", "/.//other.test",
        "/%2Fother.test", "x//other.test", "x?u=http://other.test", "?//other.test",
        "#//other.test", "a/../b", "",
    ]

    @Test(arguments: Door.allCases)
    func `any other route without a scheme and its slashes stays below the base`(
        door: Door
    ) async throws {
        let mock = MockSession { request in
            HTTPResponse(
                .ok, headers: [.contentType: door == .event ? "text/event-stream" : "text/plain"],
                to: request)
        }
        let client = try HTTPClient(
            baseURL: "https://h.test/api", transport: mock, validators: [])
        for route in Self.harmless {
            try? await door.send(route, through: client)
        }
        // In a template, the value of a variable has no dot segments.
        #expect(mock.requests.count >= Self.harmless.count - (door == .template ? 3 : 0))
        for request in mock.requests {
            let url = request.url
            #expect(try HTTPOrigin(url).description == "https://h.test")
            #expect(url.path() == "/api" || url.path().hasPrefix("/api/"), "\(url)")
        }
    }

    /// A server, and another one that must never hear of the first one's requests.
    @Test(arguments: ClientWire.allCases)
    func `no route brings the request's own credentials to another server`(
        wire: ClientWire
    ) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let canary = try LoopbackServer { _ in .ok() }
        let client = try HTTPClient(
            baseURL: "\(server.url)/api", transport: try wire.transport(), validators: [])
        let place = "127.0.0.1:\(canary.port)"
        let ids = [
            "/\(place)/latest", "//\(place)", "localhost:\(canary.port)/x", "@\(place)",
            "\\\(place)",
            "../\(place)", "?@\(place)", "#@\(place)", "http://\(place)/",
        ]
        for id in ids {
            for route in ["/\(id)", "//\(id)", "x/\(id)", id] where !route.contains("://") {
                _ = try? await client.get(route).header(.authorization, "Bearer own").response()
            }
            for route in ["/\(id)", "\(id)", "\(id)/x", "x/\(id)?q=\(id)"] as [HTTPRoute] {
                _ = try? await client.get(route).header(.authorization, "Bearer own").response()
            }
        }
        #expect(canary.connections.accepted == 0)
        #expect(server.log.count > ids.count * 3)
        #expect(server.log.allSatisfy { $0.request?.target.hasPrefix("/api") == true })
    }

    // MARK: Variables

    private struct Post: HTTPGetEndpoint {
        typealias Success = String
        var user: String
        var route: HTTPRoute { "users/\(user)/posts" }
    }

    @Test func `a literal with a variable is safe with every method`() async throws {
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("[]"), to: $0) }
        let client = try HTTPClient(baseURL: "https://h.test/api", transport: mock)
        let id = "/../?#"
        let bad = ".."
        func expect(_ send: (String) async throws -> Void) async throws {
            try await send("a/b?#")
            #expect(mock.requests.last?.url.absoluteString == "https://h.test/api/u/a%2Fb%3F%23")
            let count = mock.requests.count
            for value in [id, bad, "", "."] {
                let error = await #expect(throws: HTTPError.self) { try await send(value) }
                #expect(error?.code == .invalidRequest)
            }
            #expect(mock.requests.count == count)
        }
        try await expect { try await client.get("u/\($0)").response() }
        try await expect { try await client.head("u/\($0)").response() }
        try await expect { try await client.options("u/\($0)").response() }
        try await expect { try await client.delete("u/\($0)").response() }
        try await expect { try await client.post("u/\($0)", .text("")).response() }
        try await expect { try await client.put("u/\($0)", .text("")).response() }
        try await expect { try await client.patch("u/\($0)", .text("")).response() }
        try await expect { try await client.post("u/\($0)", json: 1).response() }
        try await expect { try await client.put("u/\($0)", json: 1).response() }
        try await expect { try await client.patch("u/\($0)", json: 1).response() }
        try await expect { try await client.request("PURGE", "u/\($0)").response() }
        try await expect { try await HTTPRequest("u/\($0)").fetch(client) }
        try await expect { try await HTTPRequest(.put, "u/\($0)").fetch(client) }
        try await expect { try await HTTPRequest(.get, "/").route("u/\($0)").fetch(client) }
        try await expect { id in
            _ = try await client.response(for: HTTPRequest("u/\(id)"))
        }
        try await expect { id in
            for try await _ in try client.pages(of: client.get("u/\(id)")) {}
        }
        try await expect { id in
            try await HTTPRequest(template: "u/{id}", variables: ["id": id]).fetch(client)
        }
        _ = try await Post(user: "a/b").fetch(client)
        #expect(mock.requests.last?.url.absoluteString == "https://h.test/api/users/a%2Fb/posts")
        await #expect(throws: HTTPError.self) { try await Post(user: bad).fetch(client) }
        try await client.get("search?q=\("a&b")", query: ["c": "d/e"]).response()
        #expect(
            mock.requests.last?.url.absoluteString == "https://h.test/api/search?q=a%26b&c=d/e")
    }

    @Test func `a string is taken as it is`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = try HTTPClient(baseURL: "https://h.test/api", transport: mock)
        let path = "a/b?c=d"
        try await client.get(path).response()
        try await client.get("x/" + path).response()
        try await client.post("\(unescaped: path)", .empty).response()
        let url = "https://other.test/x"
        try await client.get(url).response()
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "https://h.test/api/a/b?c=d", "https://h.test/api/x/a/b?c=d",
                "https://h.test/api/a/b?c=d", "https://other.test/x",
            ])
    }

    @Test(arguments: ["//h.test/x", "localhost:80/x", "h.test/x", "/x", "x", "h:80/x"])
    func `without a base URL, only a URL with a scheme is sent`(route: String) async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let client = HTTPClient(transport: mock)
        let error = await #expect(throws: HTTPError.self) {
            try await client.get(route).response()
        }
        #expect(error?.code == .invalidRequest && mock.requests.isEmpty)
        let namesHost = route.contains("h.test") || route.contains(":80")
        #expect(!namesHost || error?.message.contains("scheme") == true)
    }
}
