import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
    private let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("\"fine\""), to: $0) }

    private func urls(_ session: MockSession) -> [String] {
        session.requests.map(\.url.absoluteString)
    }

    @Test
    func `an error counts exchanges and a retry decision attempts, which redirects tell apart`()
        async throws
    {
        let transport = MockSession { request in
            request.url.path() == "/old"
                ? HTTPResponse(.found, headers: ["Location": "/new"], to: request)
                : HTTPResponse(.serviceUnavailable, to: request)
        }
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        policy.maxRetries = 1
        let client = HTTPClient(transport: transport, retry: policy)
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("http://h/old").response()
        }
        #expect(urls(transport) == ["http://h/old", "http://h/new", "http://h/new"])
        #expect(error?.attempt == 3 && error?.timeline?.exchanges.count == 3)
        let decisions = error?.timeline?.retryDecisions ?? []
        #expect(decisions.map(\.attempt) == [1, 2])
        #expect(decisions.map(\.outcome).last == .refused(.retriesUsedUp))
    }

    @Test(.rows("S0-1"))
    func `clients over one transport keep their rules to themselves`() async throws {
        let a = try HTTPClient(
            baseURL: "https://a/v1", transport: mock, headers: ["X-Team": "a"], validators: [])
        let b = try HTTPClient(
            baseURL: "https://b/v2", transport: mock, headers: ["X-Team": "b"], validators: [])
        try await a.get("x").response()
        try await b.get("x").response()
        a.update { $0.headers["X-Team"] = "changed" }
        try await b.get("y").response()
        #expect(urls(mock) == ["https://a/v1/x", "https://b/v2/x", "https://b/v2/y"])
        #expect(mock.requests.map { $0.headers["X-Team"] } == ["a", "b", "b"])
    }

    @Test(.rows("S0-1"))
    func `copies are one client, derived ones are not`() async throws {
        let client = try HTTPClient(baseURL: "https://a/", transport: mock)
        let copy = client
        let derived = client.deriving { $0.headers["X-Derived"] = "1" }
        client.update { $0.baseURL = nil }
        #expect(copy.configuration.baseURL == nil)
        #expect(derived.configuration.baseURL != nil)
        #expect(!client.configuration.headers.contains("X-Derived"))
        try await derived.get("p").response()
        #expect(mock.requests[0].headers["X-Derived"] == "1")
    }

    @Test func `a configuration shows no query and no secret, however it is shown`() throws {
        let client = try HTTPClient(
            baseURL: "https://user.example/v1?key=s3cret#fr4gment", transport: mock,
            headers: [.authorization: "s3cret", "X-Team": "blue"])
        client.update {
            $0.query = [URLQueryItem(name: "api", value: "s3cret")]
            $0.deadline = .seconds(5)
        }
        let configuration = client.configuration
        for text in [
            "\(configuration)", String(describing: configuration),
            String(reflecting: configuration),
            "\([configuration])", "\(Optional(configuration) as Any)", "\(dump: configuration)",
            "\(dump: [configuration])", "\(dump: client)", "\(client)", "\(reflecting: client)",
        ] {
            #expect(!text.contains("s3cret") && !text.contains("fr4gment"), "\(text)")
        }
        #expect("\(configuration)".contains("https://user.example/v1"))
        #expect("\(dump: configuration)".contains("deadline"))
    }

    @Test(.rows("S0-1"))
    func `the shared client has no base, and relative requests fail before anything is sent`()
        async throws
    {
        #expect(HTTPClient.shared.configuration.baseURL == nil)
        let client = HTTPClient(transport: mock)
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("u/1").response()
        }
        #expect(error?.code == .invalidRequest)
        #expect(mock.requests.isEmpty)
    }

    @Test(.rows("S0-1"), arguments: ["h/api", "/api", "ftp://h/", "https://", "https:// h/"])
    func `a base without an origin is refused where the client is made`(base: String) {
        let error = #expect(throws: HTTPError.self) {
            try HTTPClient(baseURL: base, transport: mock)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(
        .rows("S0-2"),
        arguments: [
            ("https://h/api", "x", "https://h/api/x"), ("https://h/api", "/x", "https://h/api/x"),
            ("https://h/api/", "x", "https://h/api/x"), ("https://h/api/", "/x", "https://h/api/x"),
            ("https://h/", "x", "https://h/x"), ("https://h", "x", "https://h/x"),
            ("https://h/api?k=1#f", "x?y=2", "https://h/api/x?y=2"),
            ("https://h/api", "http://other/y", "http://other/y"),
            ("https://h/api", "localhost:6379/y", "https://h/api/localhost:6379/y"),
            ("https://h/api", "redirect?target=http://x", "https://h/api/redirect?target=http://x"),
            ("https://h/v1", "users:batchGet", "https://h/v1/users:batchGet"),
        ])
    func `routes join the base with one slash, absolute URLs go before it`(
        base: String, route: String, url: String
    ) async throws {
        try await HTTPClient(baseURL: base, transport: mock).get(route).response()
        #expect(urls(mock) == [url])
    }

    @Test(.rows("S0-3"))
    func `a body's fields go before the client's, the request's before both`() async throws {
        let client = try HTTPClient(
            baseURL: "https://h/", transport: mock,
            headers: ["Content-Type": "text/client", "Accept": "text/client", "X-Token": "t"])
        try await client.post("a", json: ["k": 1]).header(.accept, "text/request").response()
        try await client.get("b").response()
        let (a, b) = (mock.requests[0].headers, mock.requests[1].headers)
        #expect(a[values: .contentType] == ["application/json"])
        #expect(a[values: .accept] == ["text/request"])
        #expect(a["X-Token"] == "t")
        #expect(b[values: .contentType] == ["text/client"])
    }

    @Test(.rows("S0-3"))
    func `a multipart body keeps its boundary over a hand-set type`() async throws {
        let client = try HTTPClient(baseURL: "https://h/", transport: mock)
        let form = try MultipartForm(boundary: "edge")
        try await client.post("a", .multipart(form))
            .header(.contentType, "multipart/related").response()
        #expect(mock.requests[0].headers[.contentType]?.contains("edge") == true)
    }

    @Test(.rows("S0-3"))
    func `a default field that may not be sent fails the call, naming it`() async throws {
        let client = try HTTPClient(
            baseURL: "https://h/", transport: mock, headers: ["X-Bad": "a\r\nb"])
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("a").response()
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("X-Bad") == true)
        #expect(mock.requests.isEmpty)
    }

    /// The source of the second attempt: either way, the engine is outside preparation.
    enum Again: CaseIterable {
        case verdict, policy
    }

    @Test(.rows("S0-4"), arguments: Again.allCases)
    func `a header that changes between two attempts is on the second`(again: Again) async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { request in
            let isNew = request.headers[.authorization] == "Bearer new"
            return HTTPResponse(isNew ? .ok : .serviceUnavailable, to: request)
        }
        let client = HTTPClient(transport: mock) { $0.clock = clock }
        client.update { configuration in
            switch again {
            case .verdict:
                let renewing = ClosureValidator { response, _ in
                    guard response.status == .serviceUnavailable else { return .next }
                    client.update { $0.headers[.authorization] = "Bearer new" }
                    return .retry(.immediate)
                }
                configuration.validators.insert(renewing, at: 0)
            case .policy:
                configuration.validators = []
                configuration.retry = RetryPolicy.standard.unless { _ in
                    client.update { $0.headers[.authorization] = "Bearer new" }
                    return false
                }
                configuration.retry.backoff = .constant(.zero)
            }
        }
        defer { client.update { $0 = HTTPClient.Configuration() } }  // breaks the reference cycle
        let response = try await client.get("https://h/").maxRetries(1).response()
        #expect(response.status == .ok)
        #expect(mock.requests.map { $0.headers[.authorization] } == [nil, "Bearer new"])
    }

    @Test(.rows("S0-4"))
    func `interceptors see the caller's original request in each attempt`() async throws {
        struct Tagging: HTTPRequestInterceptor {
            func process(request: inout HTTPRequest) async throws {
                try request.headers.append("X-Tag", request.headers["X-Default"] ?? "none")
            }
        }
        let mock = MockSession { HTTPResponse(.serviceUnavailable, to: $0) }
        let client = HTTPClient(
            transport: mock, headers: ["X-Default": "d"], validators: [], retry: .standard
        ) {
            $0.interceptors = [Tagging(), Tagging()]
            $0.retry.backoff = .constant(.zero)
        }
        try await client.get("https://h/").response()
        #expect(
            mock.requests.map { $0.headers[values: "X-Tag"] }
                == .init(repeating: ["d", "d"], count: 3))
    }

    @Test(.rows("S1-25"))
    func `modify comes last and once per attempt`() async throws {
        let mock = MockSession { HTTPResponse(.serviceUnavailable, to: $0) }
        let client = HTTPClient(
            transport: mock, headers: ["X-Default": "d"], validators: [], retry: .standard
        ) { $0.retry.backoff = .constant(.zero) }
        let request = try HTTPRequest("https://h/").modify {
            try $0.headers.append("X-Signed", "of " + ($0.headers["X-Default"] ?? "nothing"))
        }
        try await request.fetch(client)
        #expect(
            mock.requests.map { $0.headers[values: "X-Signed"] }
                == .init(repeating: ["of d"], count: 3))
    }

    @Test(.rows("S0-3"))
    func `secrets among the headers go to the base's origin only, the rest everywhere`()
        async throws
    {
        let client = try HTTPClient(
            baseURL: "https://api/", transport: mock,
            headers: ["X-Api-Key": "k", "Authorization": "Bearer t", "X-Plain": "p"])
        try await client.get("a").response()
        try await client.get("https://elsewhere/a").response()
        #expect(mock.requests.map { $0.headers["X-Api-Key"] } == ["k", nil])
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer t", nil])
        #expect(mock.requests.map { $0.headers["X-Plain"] } == ["p", "p"])
    }

    @Test(
        .rows("S0-5", "S2-18", "B-5"),
        arguments: [
            (HTTPCachePolicy.useProtocol, nil), (.reload, "no-cache"), (.noStore, "no-store"),
            (.preferStored, "max-stale"), (.onlyStored, "only-if-cached"),
        ])
    func `a cache policy is sent to the caches on the way`(
        policy: HTTPCachePolicy, directive: String?
    ) async throws {
        let client = HTTPClient(transport: mock) { $0.cachePolicy = policy }
        try await client.get("https://h/").response()
        try await client.get("https://h/").with { $0.cachePolicy(.reload) }.response()
        try await client.get("https://h/").header(.cacheControl, "max-age=1").response()
        #expect(
            mock.requests.map { $0.headers[.cacheControl] } == [directive, "no-cache", "max-age=1"])
    }

    @Test(.rows("S0-6"))
    func `the default validator is first by default, and other validators run in order around it`()
        async throws
    {
        #expect(HTTPClient(transport: mock).configuration.validators.count == 1)
        let order = Locked([String]())
        let mock = MockSession { HTTPResponse(.notFound, to: $0) }
        let client = HTTPClient(transport: mock)
        client.update { configuration in
            configuration.validators.insert(
                ClosureValidator { _, _ in
                    order.withLock { $0.append("first") }
                    return .next
                }, at: 0)
            configuration.validators.append(
                ClosureValidator { _, _ in
                    order.withLock { $0.append("never") }
                    return .next
                })
        }
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("https://h/").response()
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(order.withLock { $0 } == ["first"])
    }

    @Test(.rows("S0-11"))
    func `every failure is thrown, with the response that there was`() async throws {
        let mock = MockSession { request in
            guard request.url.path != "/lost" else { throw HTTPError(.connectionLost, "gone") }
            return HTTPResponse(
                .notFound, headers: ["X-Why": "moved"], body: HTTPBody("no such thing"), to: request
            )
        }
        let client = try HTTPClient(baseURL: "https://h/", transport: mock)
        let missing = await #expect(throws: HTTPError.self) { try await client.get("a").text() }
        #expect(missing?.status == .notFound)
        #expect(missing?.response?.headers["X-Why"] == "moved")
        #expect(missing?.bodyPrefix == Data("no such thing".utf8))
        let lost = await #expect(throws: HTTPError.self) { try await client.get("lost").text() }
        #expect(lost?.code == .connectionLost)

        let plain = client.deriving { $0.validators = [] }
        #expect(try await plain.get("a").response().status == .notFound)
    }

    @Test(.rows("S0-13"), arguments: [(nil, 1), (0, 1), (1, 2), (3, 4)])
    func `n retries are n + 1 attempts, and none is the default`(
        retries: Int?, attempts: Int
    ) async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { HTTPResponse(.tooManyRequests, to: $0) }
        let client = HTTPClient(transport: mock) {
            var validator = HTTPDefaultValidator()
            validator.retriableStatuses = [.tooManyRequests: .zero]
            $0.validators = [validator]
            $0.clock = clock
        }
        var request = try HTTPRequest("https://h/")
        request.maxRetries = retries
        let sent = request
        await #expect(throws: HTTPError.self) { () async throws -> HTTPResponse in
            try await sent.fetch(client)
        }
        #expect(mock.requests.count == attempts)
    }

    // MARK: Alternatives enter at the top

    @Test(.rows("S0-19"))
    func `an alternative request is one of the client's: base, headers, and no validators`()
        async throws
    {
        let mock = MockSession { request in
            if request.url.path == "/login" {
                return HTTPResponse(.ok, body: HTTPBody("token"), to: request)
            }
            let isSigned = request.headers["X-Token"] == "token"
            return HTTPResponse(isSigned ? .ok : .unauthorized, to: request)
        }
        let client = try HTTPClient(
            baseURL: "https://h/", transport: mock, headers: ["X-Client": "c"])
        client.update { configuration in
            configuration.validators.insert(
                HTTPAltRequestValidator(onProvideAltRequest: { _, _ in
                    try HTTPRequest(.post, "login")
                }) { _, response in
                    let token = try await response.text()
                    client.update { $0.headers["X-Token"] = token }
                }, at: 0)
        }
        defer { client.update { $0.validators = [] } }
        #expect(try await client.get("me").response().status == .ok)
        #expect(
            urls(mock) == ["https://h/me", "https://h/login", "https://h/me"])
        #expect(mock.requests.map { $0.headers["X-Client"] } == ["c", "c", "c"])
    }

    // MARK: Query

    @Test(.rows("B-2"))
    func `the client's parameters follow the request's, and stay with the base's origin`()
        async throws
    {
        let client = try HTTPClient(baseURL: "https://h/api", transport: mock) {
            $0.query = [URLQueryItem(name: "key", value: "a b")]
        }
        try await client.get("x?first=1", query: ["q": 2]).response()
        try await client.get("https://elsewhere/y").response()
        #expect(
            urls(mock) == ["https://h/api/x?first=1&q=2&key=a%20b", "https://elsewhere/y"])
    }

    @Test(.rows("B-2"))
    func `a redirect's query is the server's, retries do not repeat the client's`()
        async throws
    {
        let mock = MockSession { request in
            switch request.url.path {
            case "/a": HTTPResponse(.found, headers: ["Location": "/b?x=1"], to: request)
            default: HTTPResponse(.tooManyRequests, to: request)
            }
        }
        let client = try HTTPClient(baseURL: "https://h/", transport: mock, validators: []) {
            $0.query = [URLQueryItem(name: "key", value: "k")]
            $0.retry = .standard
            $0.retry.backoff = .constant(.zero)
        }
        try await client.get("a").response()
        #expect(
            urls(mock) == ["https://h/a?key=k"] + .init(repeating: "https://h/b?x=1", count: 3))
    }

    // MARK: Redirects

    @Test(.rows("B-6"))
    func `redirects are followed, or handed back, as client and request say`() async throws {
        let mock = MockSession { request in
            request.url.path == "/a"
                ? HTTPResponse(.found, headers: ["Location": "/b"], to: request)
                : HTTPResponse(.ok, to: request)
        }
        let client = try HTTPClient(baseURL: "https://h/", transport: mock)
        let followed = try await client.get("a").response()
        #expect(followed.url.absoluteString == "https://h/b")
        #expect(followed.history.map(\.status) == [.found])
        let refused = try await client.get("a").with { $0.redirects(.manual) }.response()
        #expect(refused.status == .found)
        client.update { $0.redirects.mode = .error }
        let error = await #expect(throws: HTTPError.self) { try await client.get("a").response() }
        #expect(error?.code == .redirectRefused)
    }

    // MARK: Transformers

    @Test(.rows("B-7"))
    func `transformers run in order, before validators`() async throws {
        let mock = MockSession { HTTPResponse(.notFound, to: $0) }
        let client = HTTPClient(transport: mock) {
            $0.transformers = ["1", "2"].map { digit in
                ResponseTransformer { response, _ in
                    var response = response
                    response.status = .ok
                    try response.headers.append("X-Seen", digit)
                    return response
                }
            }
        }
        let response = try await client.get("https://h/").response()
        #expect(response.headers[values: "X-Seen"] == ["1", "2"])
    }

    // MARK: Identification

    @Test(.rows("B-13"))
    func `identification fields are opt-in, and no coding is advertised`()
        async throws
    {
        let bare = HTTPClient(transport: mock)
        try await bare.get("https://h/").response()
        #expect(mock.requests[0].headers.isEmpty)
        let client = HTTPClient(
            transport: mock,
            headers: try .client(product: "mine/1.0", languages: ["de-CH", "de", "en"]))
        try await client.get("https://h/").response()
        let headers = mock.requests[1].headers
        #expect(headers[.userAgent] == "mine/1.0")
        #expect(headers[.acceptLanguage] == "de-CH, de;q=0.9, en;q=0.8")
        #expect(!headers.contains(.acceptEncoding))
        #expect(throws: HTTPError.self) { try HTTPHeaders.client(product: "a\nb") }
    }

    // MARK: Time limits

    @Test(.rows("S0-5", "S1-10"))
    func `a request's limits go before the client's`() async throws {
        let client = HTTPClient(transport: mock) {
            $0.timeouts.total = .after(.seconds(9))
            $0.timeouts.idle = .after(.seconds(3))
            $0.timeouts.tls = .seconds(4)
            $0.timeouts.responseHead = .seconds(5)
        }
        try await client.get("https://h/").response()
        try await client.get("https://h/").timeout(.seconds(1)).response()
        var own = try HTTPRequest(.get, "https://h/")
        own.timeouts = HTTPTimeouts(tls: .never, responseHead: .seconds(6), total: .seconds(1))
        _ = try await client.response(for: own)
        #expect(mock.requests.map(\.timeouts.tls) == [.seconds(4), .seconds(4), .never])
        #expect(
            mock.requests.map(\.timeouts.responseHead) == [.seconds(5), .seconds(5), .seconds(6)])
        #expect(mock.requests.map(\.timeouts.total) == [.seconds(9), .seconds(1), .seconds(1)])
        #expect(mock.requests.map(\.timeouts.idle) == .init(repeating: .seconds(3), count: 3))
        #expect(mock.requests.map(\.timeouts.connect) == .init(repeating: .standard, count: 3))
    }

    @Test(.rows("S0-5", "S1-10"))
    func `the client's deadline ends a call wherever it is, also in a user's middleware`()
        async throws
    {
        struct Waiting: HTTPClientMiddleware {
            let clock: HTTPTestClock
            func intercept(
                _ request: HTTPRequest, next: any HTTPSession
            ) async throws -> HTTPResponse {
                try await clock.sleep(until: clock.now + .seconds(100))
                return try await next.response(for: request)
            }
        }
        let clock = HTTPTestClock()
        let client = HTTPClient(transport: mock) {
            $0.clock = clock
            $0.deadline = .seconds(10)
            $0.callMiddleware = [Waiting(clock: clock)]
        }
        let call = Task { try await client.get("https://h/").response() }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.timer?.name == .deadline)
        #expect(mock.requests.isEmpty)
    }

    // MARK: Cancellation

    @Test(.rows("S0-24"))
    func `a cancelled call is a CancellationError, and nothing is sent after it`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = MockSession { HTTPResponse(.serviceUnavailable, to: $0) }
        let client = HTTPClient(transport: mock, retry: .standard) {
            $0.clock = clock
            $0.retry.backoff = .constant(.seconds(5))
        }
        let call = Task { try await client.get("https://h/").response() }
        try await clock.waitForSleepers(1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(mock.requests.count == 1)
    }

    @Test(.rows("S0-24"))
    func `an interceptor that swallows a cancellation does not have the request sent`()
        async throws
    {
        struct Swallowing: HTTPRequestInterceptor {
            let hasBegun: Gate
            func process(request: inout HTTPRequest) async throws {
                hasBegun.open()
                try? await Gate().wait()
            }
        }
        let hasBegun = Gate()
        let client = HTTPClient(transport: mock) {
            $0.interceptors = [
                Swallowing(hasBegun: hasBegun), DefaultHeaders(["X-Late": "1"]),
            ]
        }
        let task = Task { try await client.get("https://h/").response() }
        try await hasBegun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(mock.requests.isEmpty)
    }

    @Test(.rows("S0-14"))
    func `verdicts draw on a client's budget, whatever its policy`() async throws {
        for policy in [RetryPolicy.none, .standard] {
            let mock = MockSession { HTTPResponse(.ok, to: $0) }
            let budget = RetryBudget(ratio: 0, minimum: 1)
            let client = HTTPClient(transport: mock) {
                $0.retry = policy
                $0.retryBudget = budget
                $0.validators = [ClosureValidator { _, _ in .retry(.immediate) }]
            }
            let error = await #expect(throws: HTTPError.self) {
                try await client.response(for: HTTPRequest(.get, "https://h/").maxRetries(9))
            }
            #expect(error?.code == .validationFailed)
            #expect(error?.message.contains("budget") == true)
            #expect(mock.requests.count == 2)
        }
    }

    @Test
    func `the default validator draws on the budget for a request with retries`() async throws {
        let mock = MockSession { _ in throw HTTPError(.connectionLost, "lost") }
        let client = HTTPClient(transport: mock) {
            $0.retryBudget = RetryBudget(ratio: 0, minimum: 1)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("https://h/").maxRetries(9).response()
        }
        #expect(error?.message.contains("budget") == true)
        #expect(mock.requests.count == 2)
    }

    @Test func `the budget counts the calls that may be sent again`() async throws {
        let budget = RetryBudget(window: .seconds(3600))
        let origin = try HTTPOrigin("https://h")
        let client = HTTPClient(transport: MockSession { HTTPResponse(.ok, to: $0) })
        var count = 0
        func isCounted(
            _ request: HTTPRequest, through session: (any HTTPSession)? = nil,
            _ configure: (inout HTTPClient.Configuration) -> Void = { _ in }
        ) async throws -> Bool {
            client.update {
                $0 = HTTPClient.Configuration()
                $0.retryBudget = budget
                configure(&$0)
            }
            _ = try await (session ?? client).response(for: request)
            let before = count
            count = budget.numbers(for: origin, at: HTTPSystemClock().now).calls
            return count > before
        }
        let get = try HTTPRequest(.get, "https://h/")
        let layer = try UserAgent("a/1")
        #expect(try await !isCounted(get))
        #expect(try await !isCounted(get) { $0.headers = ["X-A": "1"] })
        #expect(try await !isCounted(get) { $0.validators = [] })
        // The request asks, or a layer around the client may.
        #expect(try await isCounted(get.maxRetries(1)))
        #expect(try await isCounted(get, through: client.with(layer)))
        // A part of the client asks, or may.
        #expect(try await isCounted(get) { $0.retry = .standard })
        #expect(try await isCounted(get) { $0.hedging = .after(.seconds(9)) })
        #expect(try await isCounted(get) { $0.validators += [.allowed(statusCode: 200)] })
        let rule: HTTPDefaultValidator.Rule = { _, _ in nil }
        #expect(try await isCounted(get) { $0.validators = [HTTPDefaultValidator(rule: rule)] })
        #expect(try await isCounted(get) { $0.callMiddleware = [layer] })
        #expect(try await isCounted(get) { $0.authentication = [layer] })
        #expect(try await isCounted(get) { $0.attemptMiddleware = [layer] })
    }

    @Test func `a client that is dropped ends when its last call has`() async throws {
        final class Token: HTTPObserver {
            func observe(_ event: HTTPEvent) {}
        }
        weak var token: Token?
        do {
            let observer = Token()
            token = observer
            let client = HTTPClient(transport: MockSession { HTTPResponse(.ok, to: $0) }) {
                $0.observer = observer
            }
            try await client.get("https://h/").response()
        }
        #expect(token == nil)
    }

    // MARK: Other origins

    /// A session that redirects to `other`, which redirects back to a URL that it has chosen.
    private static func thereAndBack() -> MockSession {
        MockSession { request in
            let next: String? =
                switch request.url.path() {
                case "/a": "https://other/b"
                case "/b": "https://home/c"
                default: nil
                }
            return HTTPResponse(
                next == nil ? .ok : .temporaryRedirect,
                headers: HTTPHeaders { $0[.location] = next }, to: request)
        }
    }

    @Test(arguments: [false, true], [nil, "https://home/"])
    func `the secrets of the client's headers go to the origins that it trusts`(
        isTrusted: Bool, base: String?
    ) async throws {
        let mock = Self.thereAndBack()
        let client = HTTPClient(
            baseURL: base.flatMap { URL(string: $0) }, transport: mock,
            headers: ["X-Api-Key": "k", "Accept-Language": "de"]
        ) {
            if isTrusted, let other = try? HTTPOrigin("https://other") {
                $0.trustedOrigins = [other]
            }
        }
        let request = try HTTPRequest(.get, "https://home/a", headers: ["X-Own-Token": "t"])
        _ = try await client.response(for: request)
        let there = isTrusted ? "k" : nil
        #expect(mock.requests.map { $0.headers["X-Api-Key"] } == ["k", there, "k"])
        // Secrets of the request stay where the caller has sent them.
        #expect(mock.requests.map { $0.headers["X-Own-Token"] } == ["t", nil, nil])
        #expect(mock.requests.allSatisfy { $0.headers[.acceptLanguage] == "de" })

        try await client.get("https://other/x").response()
        #expect(mock.requests.last?.headers["X-Api-Key"] == (base == nil ? "k" : there))
        // And to no other.
        try await client.get("https://third/x").response()
        #expect(mock.requests.last?.headers["X-Api-Key"] == (base == nil ? "k" : nil))
    }

    @Test func `origins that are trusted later, or no more, count from the next request on`()
        async throws
    {
        let other = try HTTPOrigin("https://other")
        let client = try HTTPClient(
            baseURL: "https://home/", transport: mock, headers: ["X-Api-Key": "k"])
        for trusted: Set<HTTPOrigin> in [[], [other], []] {
            client.update { $0.trustedOrigins = trusted }
            try await client.get("https://other/x").response()
        }
        #expect(mock.requests.map { $0.headers["X-Api-Key"] } == [nil, "k", nil])
    }

    /// ThreatModel.md, "A hostile redirect".
    @Test func `on the way back, layers add what is theirs, and the caller's secrets stay away`()
        async throws
    {
        let mock = Self.thereAndBack()
        let jar = HTTPCookieJar()
        jar.set(try HTTPCookieJar.Cookie("id", "1", domain: "home"))
        let home = try HTTPOrigin("https://home")
        let client = try HTTPClient(
            baseURL: "https://home/", transport: mock, headers: ["X-Api-Key": "k"],
            authentication: [BearerAuthentication(for: home) { "token" }], cookies: jar)
        let request = try HTTPRequest(.get, "https://home/a", headers: ["X-Own-Token": "t"])
        _ = try await client.response(for: request)
        #expect(mock.requests.map { $0.headers["X-Own-Token"] } == ["t", nil, nil])
        #expect(mock.requests.map { $0.headers["X-Api-Key"] } == ["k", nil, "k"])
        #expect(mock.requests.map { $0.headers[.cookie] } == ["id=1", nil, "id=1"])
        let token = "Bearer token"
        #expect(mock.requests.map { $0.headers[.authorization] } == [token, nil, token])
    }

    // MARK: Ready-made middleware

    @Test(.rows("S4-15"))
    func `user agent, token and an error on a bad status are ready-made`() async throws {
        let mock = MockSession { HTTPResponse(.internalServerError, to: $0) }
        let client = HTTPClient(
            transport: mock,
            authentication: [
                BearerAuthentication(for: try HTTPOrigin("https://h")) { "token" }
            ]
        ) { $0.interceptors = [try? UserAgent("mine/1.0")].compactMap { $0 } }
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("https://h/").response()
        }
        #expect(error?.status == .internalServerError)
        #expect(mock.requests[0].headers[.userAgent] == "mine/1.0")
        #expect(mock.requests[0].headers[.authorization] == "Bearer token")
    }

    // MARK: Releasing

    @Test func `a client whose validator logs in through the call's session is released`()
        async throws
    {
        weak var transport: MockSession?
        do {
            let token = Locked("")
            let mock = MockSession { request in
                guard request.url.path == "/login" else {
                    return HTTPResponse(
                        token.withLock { $0 } == "new" ? .ok : .unauthorized, to: request)
                }
                return HTTPResponse(.ok, body: HTTPBody("new"), to: request)
            }
            transport = mock
            let login = HTTPAltTaskValidator { session in
                let text = try await session.response(String.self, for: HTTPRequest("login"))
                token.withLock { $0 = text }
            }
            let client = try HTTPClient(
                baseURL: "https://h/", transport: mock, validators: [login])
            #expect(try await client.get("a").response().status == .ok)
            #expect(
                mock.requests.map(\.url.absoluteString)
                    == ["https://h/a", "https://h/login", "https://h/a"])
        }
        #expect(transport == nil)
    }

    // MARK: Closing

    private actor Closable: HTTPClosableSession {
        private(set) var graces: [Duration] = []
        nonisolated func response(for request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(.ok, to: request)
        }
        func close(grace: Duration) async { graces.append(grace) }
    }

    @Test func `a closed client refuses calls, its copies too, and closes its transport`()
        async throws
    {
        let transport = Closable()
        let client = HTTPClient(transport: transport)
        let other = HTTPClient(transport: transport)
        let copy = client
        try await copy.get("https://h/").response()
        await client.close(grace: .seconds(3))
        client.update { $0.headers = ["a": "b"] }  // does not open it again
        for closed in [client, copy] {
            let error = await #expect(throws: HTTPError.self) {
                try await closed.get("https://h/").response()
            }
            #expect(error?.code == .sessionClosed)
        }
        try await other.get("https://h/").response()
        await client.close()
        #expect(await transport.graces == [.seconds(3), .seconds(10)])
    }

    @Test func `a client over the transport of the process leaves that open`() async throws {
        let client = HTTPClient()
        await client.close()
        let error = await #expect(throws: HTTPError.self) {
            try await client.get("https://h/").response()
        }
        #expect(error?.code == .sessionClosed)
        let server = try LoopbackServer { _ in .ok("open") }
        #expect(try await HTTPClient().get(server.url).text() == "open")
    }
}

extension String.StringInterpolation {
    fileprivate mutating func appendInterpolation(dump value: some Any) {
        var text = ""
        dump(value, to: &text)
        appendLiteral(text)
    }

    fileprivate mutating func appendInterpolation(reflecting value: some Any) {
        appendLiteral(String(reflecting: value))
    }
}
