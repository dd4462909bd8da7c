import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private struct Feed: Codable, Sendable, Equatable {
    var title: String
}

private struct ServiceError: Codable, Sendable, Error, Equatable {
    var code: Int
}

/// The endpoints of a project, and the settings that they share.
private protocol AppEndpoint: HTTPEndpoint where ErrorResponse == ServiceError {
    var app: HTTPEndpointConfiguration { get }
}

extension AppEndpoint {
    var defaults: HTTPEndpointConfiguration { app }
}

private struct GetFeed: AppEndpoint, HTTPGetEndpoint {
    typealias Success = Feed
    var app = HTTPEndpointConfiguration()
    var route = "feed"
    var parameters: [String: String] = [:]
    var query: [String: Any?] { parameters }
}

private struct PostFeed<Body: Encodable & Sendable>: AppEndpoint, HTTPPostEndpoint {
    typealias Success = Feed
    var app = HTTPEndpointConfiguration()
    var body: Body
    var route = "https://h/feed"
}

/// The endpoint of the refresh, with the same defaults as all others.
private struct PostToken: AppEndpoint, HTTPPostEndpoint {
    typealias Success = String
    var app: HTTPEndpointConfiguration
    var body = "grant_type=client_credentials"
    let route = "https://h/token"
    func configure(_ configuration: inout HTTPEndpointConfiguration) {
        configuration.contentType = MediaType("application/x-www-form-urlencoded")
        configuration.interceptors = []
    }
}

@Suite(.timeLimit(.minutes(5))) struct HTTPEndpointTests {
    /// Responds to every path with a status and a body.
    private func mock(_ status: HTTPStatus, _ body: String) -> MockSession {
        MockSession { HTTPResponse(status, body: HTTPBody(body), to: $0) }
    }

    private func client(_ mock: MockSession) throws -> HTTPClient {
        try HTTPClient(baseURL: "https://h/api", transport: mock)
    }

    @Test(.rows("S2-1"))
    func `an endpoint is its types and its route, over a client's base`() async throws {
        let mock = mock(.ok, "{\"title\":\"a\"}")
        #expect(try await GetFeed().fetch(client(mock)) == Feed(title: "a"))
        #expect(mock.requests.map(\.url.absoluteString) == ["https://h/api/feed"])
        #expect(mock.requests[0].method == .get)
    }

    @Test(.rows("S2-3"), arguments: ["https://a b/", "https://h/%", ""])
    func `a route that is no URL, or leads nowhere, fails before anything is sent`(
        route: String
    ) async throws {
        let mock = mock(.ok, "{}")
        let answer = await GetFeed(route: route).answer(mock)
        guard case .failure(let error as HTTPError) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(error.code == .invalidRequest)
        #expect(mock.requests.isEmpty)
    }

    @Test(.rows("S2-4"))
    func `parameters are encoded, sorted, and put before a fragment`() async throws {
        let mock = mock(.ok, "{\"title\":\"a\"}")
        let endpoint = GetFeed(route: "feed?first=1#end", parameters: ["q": "a&b c", "a": "1"])
        _ = try await endpoint.fetch(client(mock))
        #expect(
            mock.requests.map(\.url.absoluteString)
                == ["https://h/api/feed?first=1&a=1&q=a%26b%20c#end"])
    }

    @Test(.rows("S2-1"))
    func `each method has its protocol`() {
        struct Put: HTTPPutEndpoint {
            typealias Success = String
            let route = "r"
            let body = "b"
        }
        struct Patch: HTTPPatchEndpoint {
            typealias Success = String
            let route = "r"
            let body = "b"
        }
        struct Delete: HTTPDeleteEndpoint {
            typealias Success = String
            let route = "r"
        }
        struct Purge: HTTPEndpoint {
            typealias Success = String
            let route = "r"
            let method: HTTPMethod = "PURGE"
        }
        let endpoints: [any HTTPEndpoint] = [
            GetFeed(), PostFeed(body: 1), Put(), Patch(), Delete(), Purge(),
        ]
        #expect(endpoints.map(\.method) == [.get, .post, .put, .patch, .delete, "PURGE"])
    }

    @Test(.rows("S2-2", "S2-18"))
    func `defaults come from one place, and an endpoint overrides some of them`()
        async throws
    {
        let mock = mock(.ok, "token")
        var app = HTTPEndpointConfiguration()
        app.session = mock
        app.timeout = .seconds(5)
        app.cachePolicy = .reload
        app.interceptors = [DefaultHeaders(["X-App": "1"])]
        app.session = HTTPClient(transport: mock)
        _ = await GetFeed(app: app, route: "https://h/feed").answer()
        _ = try await PostToken(app: app).fetch()
        let (feed, token) = (mock.requests[0], mock.requests[1])
        #expect(feed.timeouts.total == .after(.seconds(5)))
        #expect(feed.headers[.cacheControl] == "no-cache")
        #expect(feed.headers["X-App"] == "1")
        #expect(token.headers["X-App"] == nil)
        #expect(token.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(try GetFeed().makeRequest().timeouts.total == .after(.seconds(30)))
    }

    @Test(arguments: [nil, 0, 2])
    func `an endpoint limits how often it is sent again`(count: Int?) async throws {
        let mock = mock(.serviceUnavailable, "{}")
        var app = HTTPEndpointConfiguration()
        app.maxRetries = count
        app.validators = [ClosureValidator { _, _ in .retry(.immediate) }]
        #expect(try GetFeed(app: app).makeRequest().maxRetries == count)
        let error = await #expect(throws: HTTPError.self) {
            try await GetFeed(app: app, route: "https://h/").fetch(mock)
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(mock.requests.count == (count ?? 0) + 1)
        // Over a client whose policy has its own number.
        let quick = mock
        let client = HTTPClient(transport: quick) {
            $0.retry = .standard
            $0.retry.backoff = .constant(.zero)
            $0.validators = []
        }
        app.validators = []
        _ = try? await GetFeed(app: app, route: "https://h/").fetch(client)
        #expect(mock.requests.count == (count ?? 0) + 1 + (count ?? 2) + 1)
    }

    @Test(.rows("S2-15", "S2-16", "B-19"))
    func `a session given to one call goes before the configuration's`() async throws {
        let (a, b) = (mock(.ok, "{\"title\":\"a\"}"), mock(.ok, "{\"title\":\"b\"}"))
        var app = HTTPEndpointConfiguration()
        app.session = a
        let endpoint = GetFeed(app: app, route: "https://h/feed")
        #expect(try await endpoint.fetch().title == "a")
        #expect(try await endpoint.fetch(b).title == "b")
    }

    @Test(.rows("S2-5", "S2-17"))
    func `a value is JSON, text and bytes are themselves`() async throws {
        let mock = mock(.ok, "{\"title\":\"a\"}")
        _ = try await PostFeed(body: Feed(title: "x")).fetch(mock)
        _ = try await PostFeed(body: "a=b").fetch(mock)
        _ = try await PostFeed(body: Data([1, 2])).fetch(mock)
        var app = HTTPEndpointConfiguration()
        app.contentType = MediaType("application/vnd.app+json")
        _ = try await PostFeed(app: app, body: Feed(title: "x")).fetch(mock)
        #expect(
            mock.requests.map { $0.headers[.contentType] }
                == ["application/json", nil, nil, "application/vnd.app+json"])
        var bodies: [Data] = []
        for request in mock.requests { bodies.append(try await request.body.collect()) }
        let json = Data("{\"title\":\"x\"}".utf8)
        #expect(bodies == [json, Data("a=b".utf8), Data([1, 2]), json])
    }

    @Test(.rows("S2-5"))
    func `an encoding error is the failure, also with a bad route, and nothing is sent`()
        async throws
    {
        let mock = mock(.ok, "{}")
        let answer = await PostFeed(body: [Double.nan], route: "https://a b/").answer(mock)
        guard case .failure(let error as HTTPError) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(error.code == .encodingFailed)
        #expect(mock.requests.isEmpty)
    }

    private struct Stamping: HTTPRequestInterceptor, HTTPResponseInterceptor {
        let name: String
        func process(request: inout HTTPRequest) async throws {
            try request.headers.append("X-Way", name)
        }
        func process(response: inout HTTPResponse) async throws {
            let text = try await response.text()
            response.body = HTTPBody(text.replacing("#", with: name + "#", maxReplacements: 1))
        }
    }

    @Test(.rows("S2-6", "S2-7"), arguments: [HTTPStatus.ok, .badRequest], [true, false])
    func `interceptors run in the order of the list both ways, on errors as well`(
        status: HTTPStatus, isClient: Bool
    ) async throws {
        let body = status == .ok ? "{\"title\":\"#\"}" : "{\"code\":7,\"x\":\"#\"}"
        let mock = mock(status, body)
        var app = HTTPEndpointConfiguration()
        app.interceptors = [Stamping(name: "a"), Stamping(name: "b")]
        app.session = isClient ? HTTPClient(transport: mock) : mock
        let answer = await GetFeed(app: app, route: "https://h/feed").answer()
        #expect(mock.requests[0].headers[values: "X-Way"] == ["a", "b"])
        switch answer {
        case .success(let feed): #expect(feed.title == "ab#")
        case .errorResponse(let value, let error):
            #expect(value.code == 7)
            #expect(error.status == .badRequest)
            #expect(error.bodyPrefix == Data("{\"code\":7,\"x\":\"ab#\"}".utf8))
        case .failure(let error): Issue.record("\(error)")
        }
    }

    @Test(.rows("S2-6", "S2-7"))
    func `a hook that throws is the failure`() async throws {
        struct Refusing: HTTPRequestInterceptor {
            func process(request: inout HTTPRequest) async throws { throw ServiceError(code: 1) }
        }
        let mock = mock(.ok, "{}")
        var app = HTTPEndpointConfiguration()
        app.interceptors = [Refusing()]
        let answer = await GetFeed(app: app, route: "https://h/").answer(mock)
        guard case .failure(let error) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(error as? ServiceError == ServiceError(code: 1))
        #expect(mock.requests.isEmpty)
    }

    /// Returns the outcome as a text.
    private func outcome<S, E>(_ answer: HTTPAnswer<S, E>) -> String {
        switch answer {
        case .success(let value): "success \(value)"
        case .errorResponse(let value, let error): "error \(value) \(error.code)"
        case .failure(let error as HTTPError):
            "failure \(error.code) \(error.status?.code ?? 0) "
                + "\(error.underlyingError is HTTPDecodingFailures)"
        case .failure(let error): "failure \(type(of: error))"
        }
    }

    @Test(
        .rows("S2-8", "S2-9", "S2-10", "S2-12", "S2-13"),
        arguments: [
            (200, "{\"title\":\"t\"}", "success Feed(title: \"t\")"),
            (200, "{\"title\":\"t\",\"code\":1}", "success Feed(title: \"t\")"),
            (200, "{\"code\":1}", "error ServiceError(code: 1) errorResponse"),
            (200, "[1]", "failure decodingFailed 200 true"),
            (200, "", "failure emptyResponse 200 false"),
            (404, "{\"code\":1}", "error ServiceError(code: 1) unexpectedStatus"),
            (500, "{\"title\":\"t\"}", "failure unexpectedStatus 500 true"),
            (500, "oops", "failure unexpectedStatus 500 true"),
        ])
    func `success comes first, then the error type, then neither; a status rules success out`(
        status: Int, body: String, expected: String
    ) async throws {
        let mock = mock(try #require(HTTPStatus(code: status)), body)
        #expect(await outcome(GetFeed(route: "https://h/").answer(mock)) == expected)
        #expect(try await outcome(GetFeed().answer(client(mock))) == expected)
    }

    @Test(.rows("S2-8"))
    func `text is always a success if its status is successful`() async throws {
        let mock = mock(.ok, "{\"code\":1}")
        #expect(try await PostToken(app: .standard).fetch(mock) == "{\"code\":1}")
    }

    @Test(.rows("S2-11", "S2-12"))
    func `a failure of the transport is itself, with its cause`() async throws {
        struct Cause: Error {}
        let mock = MockSession { _ in
            throw HTTPError(.connectionLost, "gone", underlyingError: Cause())
        }
        let error = await #expect(throws: HTTPError.self) {
            try await GetFeed().fetch(client(mock))
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.underlyingError is Cause)
    }

    @Test(.rows("S2-12"))
    func `fetch throws the service's error as an HTTPError with it inside`() async throws {
        let mock = mock(.conflict, "{\"code\":3}")
        let error = await #expect(throws: HTTPError.self) {
            try await GetFeed().fetch(client(mock))
        }
        #expect(error?.status == .conflict)
        #expect(error?.underlyingError as? ServiceError == ServiceError(code: 3))
    }

    /// A service whose token is `new`, and an app that has `old` and refreshes.
    private final class Service: Sendable {
        final class Token: Sendable {
            let text = Locked("old")
        }

        struct Signing: HTTPRequestInterceptor {
            let token: Token
            func process(request: inout HTTPRequest) async throws {
                let text = token.text.withLock { $0 }
                try request.headers.set(.authorization, "Bearer \(text)")
            }
        }

        let mock: MockSession
        private let shared = Locked(HTTPEndpointConfiguration())

        var app: HTTPEndpointConfiguration { shared.withLock { $0 } }

        init(isClient: Bool, isHopeless: Bool = false, tokenStatus: HTTPStatus = .ok) {
            mock = MockSession { request in
                if request.url.path == "/token" {
                    let body = tokenStatus == .ok ? "new" : "{\"code\":9}"
                    return HTTPResponse(tokenStatus, body: HTTPBody(body), to: request)
                }
                let isGood = request.headers[.authorization] == "Bearer new" && !isHopeless
                return HTTPResponse(
                    isGood ? .ok : .unauthorized,
                    body: HTTPBody(isGood ? "{\"title\":\"t\"}" : "{\"code\":401}"), to: request)
            }
            var app = HTTPEndpointConfiguration()
            app.session = isClient ? HTTPClient(transport: mock) : mock
            let token = Token()
            app.interceptors = [Signing(token: token)]
            app.validators = [
                HTTPAltTaskValidator(statusCodes: [.unauthorized]) { [weak self] in
                    // Through an endpoint with the same defaults, and so the same refresh.
                    guard let self else { return }
                    let text = try await PostToken(app: self.app).fetch()
                    token.text.withLock { $0 = text }
                }
            ]
            let made = app
            shared.withLock { $0 = made }
        }
    }

    @Test(.rows("S2-14"), arguments: [true, false])
    func `a refusal refreshes once, and the call runs again with its interceptors`(
        isClient: Bool
    ) async throws {
        let service = Service(isClient: isClient)
        let mock = service.mock
        let feed = try await GetFeed(app: service.app, route: "https://h/feed").fetch()
        #expect(feed == Feed(title: "t"))
        #expect(mock.requests.map(\.url.path) == ["/feed", "/token", "/feed"])
        #expect(
            mock.requests.map { $0.headers[.authorization] } == ["Bearer old", nil, "Bearer new"])
    }

    @Test(.rows("S2-14"), arguments: [true, false])
    func `a server that keeps refusing causes one refresh, and its error is returned`(
        isClient: Bool
    ) async throws {
        let service = Service(isClient: isClient, isHopeless: true)
        let mock = service.mock
        let answer = await GetFeed(app: service.app, route: "https://h/feed").answer()
        #expect(outcome(answer) == "error ServiceError(code: 401) unexpectedStatus")
        #expect(mock.requests.count == 3)
    }

    @Test(.rows("S2-14"))
    func `a refused refresh does not refresh itself, and fails the call with its error inside`()
        async throws
    {
        let service = Service(isClient: false, tokenStatus: .unauthorized)
        let (mock, app) = (service.mock, service.app)
        let error = await #expect(throws: HTTPError.self) {
            try await GetFeed(app: app, route: "https://h/feed").fetch()
        }
        #expect(error?.code == .refreshFailed)
        let cause = error?.underlyingError as? HTTPError
        #expect(cause?.underlyingError as? ServiceError == ServiceError(code: 9))
        #expect(mock.requests.map(\.url.path) == ["/feed", "/token"])
    }

    @Test(.rows("S2-14"))
    func `calls that are refused together share a refresh`() async throws {
        let service = Service(isClient: true)
        let (mock, app) = (service.mock, service.app)
        try await withThrowingTaskGroup(of: Feed.self) { group in
            for _ in 0..<20 {
                group.addTask { try await GetFeed(app: app, route: "https://h/feed").fetch() }
            }
            for try await feed in group { #expect(feed.title == "t") }
        }
        #expect(mock.requests.filter { $0.url.path == "/token" }.count == 1)
    }

    @Test(.rows("S2-2", "S2-15"))
    func `a client's own rules hold for endpoints: deadline, observer, query, base`()
        async throws
    {
        let mock = mock(.ok, "{\"title\":\"a\"}")
        let clock = HTTPTestClock()
        let client = try HTTPClient(baseURL: "https://h/api", transport: mock) {
            $0.query = [URLQueryItem(name: "key", value: "k")]
            $0.deadline = .seconds(4)
            $0.clock = clock
        }
        var app = HTTPEndpointConfiguration()
        app.interceptors = [Stamping(name: "a")]
        app.validators = [StatusValidator { $0 == 200 }]
        #expect(try await GetFeed(app: app).fetch(client).title == "a")
        #expect(mock.requests.map(\.url.absoluteString) == ["https://h/api/feed?key=k"])
        #expect(mock.requests[0].deadline == clock.now + .seconds(4))
    }

    private struct Tagged: HTTPPostEndpoint {
        typealias Success = HTTPJSON
        var body = ["a": 1]
        var route: String { "tagged" }
        var tags: HTTPHeaders
        var headers: HTTPHeaders { tags }
    }

    @Test func `an endpoint's fields take precedence over the body's and the client's`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("{}"), to: $0) }
        let client = try HTTPClient(
            baseURL: "https://h/", transport: mock, headers: ["X-A": "client", "X-B": "client"])
        let tags: HTTPHeaders = ["X-A": "1", "X-A": "2", .contentType: "application/vnd.a+json"]
        _ = try await Tagged(tags: tags).fetch(client)
        let sent = try #require(mock.requests.first).headers
        #expect(sent[values: "X-A"] == ["1", "2"] && sent["X-B"] == "client")
        #expect(sent[values: .contentType] == ["application/vnd.a+json"])
        let bad = await Tagged(tags: ["X A": "1"]).answer(client)
        guard case .failure(let error as HTTPError) = bad, error.code == .invalidRequest else {
            Issue.record("\(bad)")
            return
        }
    }
}
