import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPClientCachingTests {
    private let clock = HTTPTestClock()

    private func client(
        _ mock: MockSession, _ cache: HTTPCache = .inMemory,
        _ configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) -> HTTPClient {
        HTTPClient(transport: mock, cache: cache) {
            $0.clock = clock
            configure(&$0)
        }
    }

    /// Answers with the number of the request.
    private func numbering(_ fields: HTTPHeaders) -> MockSession {
        let number = Locked(0)
        return MockSession { request in
            let number = number.withLock { number in
                number += 1
                return number
            }
            return HTTPResponse(.ok, headers: fields, body: HTTPBody("\(number)"), to: request)
        }
    }

    @Test func `a client with a cache serves what is fresh`() async throws {
        let mock = numbering(["Cache-Control": "max-age=60"])
        let client = client(mock)
        for _ in 1...3 { #expect(try await client.get("https://a.example/x").text() == "1") }
        let other = client.deriving { _ in }
        #expect(try await other.get("https://a.example/x").text() == "1", "they share it")
        #expect(mock.requests.count == 1)
        let response = try await client.get("https://a.example/x").response()
        #expect(response.timeline.description == "cache: hit; ttl=60")
        #expect(response.originalRequest.options.isEmpty)
    }

    @Test func `each hop of a redirect has an entry of its own`() async throws {
        let mock = MockSession { request in
            guard request.url.path == "/old" else {
                return HTTPResponse(
                    .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody("new"),
                    to: request)
            }
            return HTTPResponse(
                .movedPermanently,
                headers: [
                    "Location": "/new", "Cache-Control": "max-age=60",
                ], to: request)
        }
        let client = client(mock)
        #expect(try await client.get("https://a.example/old").text() == "new")
        #expect(try await client.get("https://a.example/new").text() == "new")
        let response = try await client.get("https://a.example/old").response()
        #expect(response.url.path == "/new" && response.history.count == 1)
        #expect(response.timeline.cacheStatuses.map(\.isHit) == [true, true])
        #expect(mock.requests.count == 2)
    }

    @Test func `a stale response takes the place of an error when the retries are used up`()
        async throws
    {
        let isDown = Locked(false)
        let mock = MockSession { request in
            if isDown.withLock({ $0 }) {
                return HTTPResponse(.serviceUnavailable, to: request)
            }
            return HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=1, stale-if-error=600"],
                body: HTTPBody("good"), to: request)
        }
        let brisk = BriskClock()
        let client = client(mock) {
            $0.retry = .standard
            $0.clock = brisk
        }
        #expect(try await client.get("https://a.example/x").text() == "good")
        try await brisk.sleep(for: .seconds(5))
        isDown.withLock { $0 = true }
        let response = try await client.get("https://a.example/x").response()
        #expect(try await response.text() == "good")
        #expect(response.timeline.cacheStatuses.last?.detail == "stale-if-error")
        #expect(mock.requests.count == 4, "one, and three attempts")
    }

    @Test func `the fields that preparation adds select the variant`() async throws {
        let mock = numbering(["Cache-Control": "max-age=60", "Vary": "Accept-Language"])
        for retry in [RetryPolicy.none, .standard] {
            let mock =
                retry.isActive
                ? numbering(
                    ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]) : mock
            let client = client(mock) {
                $0.retry = retry
                $0.headers = ["Accept-Language": "de"]
            }
            #expect(try await client.get("https://a.example/x").text() == "1")
            client.update { $0.headers = ["Accept-Language": "en"] }
            #expect(try await client.get("https://a.example/x").text() == "2")
            client.update { $0.headers = ["Accept-Language": "de"] }
            #expect(try await client.get("https://a.example/x").text() == "1")
            #expect(mock.requests.map { $0.headers[.acceptLanguage] } == ["de", "en"])
        }
    }

    @Test func `a precondition of the cache is in what is sent, with and without attempts`()
        async throws
    {
        for retry in [RetryPolicy.none, .standard] {
            let mock = MockSession { request in
                let isKnown = request.headers[.ifNoneMatch] == "\"1\""
                return HTTPResponse(
                    isKnown ? .notModified : .ok,
                    headers: ["ETag": "\"1\"", "Cache-Control": "no-cache"],
                    body: isKnown ? .empty : HTTPBody("body"), to: request)
            }
            let client = client(mock) {
                $0.retry = retry
                $0.headers = ["X-A": "1"]
            }
            for _ in 1...3 { #expect(try await client.get("https://a.example/x").text() == "body") }
            #expect(mock.requests.count == 3)
            #expect(mock.requests.allSatisfy { $0.headers[values: "X-A"] == ["1"] })
        }
    }

    // MARK: Users

    @Test func `credentials of the authentication keep responses out, unless it has one user`()
        async throws
    {
        let token = Locked("ann")
        let origin = try HTTPOrigin(host: "a.example")
        let cache = HTTPCache.inMemory
        let mock = numbering(["Cache-Control": "max-age=60"])
        func client(_ partition: String?) -> HTTPClient {
            self.client(mock, cache) {
                $0.authentication = [
                    BearerAuthentication(for: origin) { token.withLock { $0 } }
                ]
                $0.cachePartition = partition
            }
        }
        let several = client(nil)
        #expect(try await several.get("https://a.example/x").text() == "1")
        token.withLock { $0 = "bob" }
        #expect(try await several.get("https://a.example/x").text() == "2")
        let (bob, eve) = (client("bob"), client("eve"))
        #expect(try await bob.get("https://a.example/x").text() == "3")
        #expect(try await bob.get("https://a.example/x").text() == "3")
        token.withLock { $0 = "eve" }
        #expect(try await eve.get("https://a.example/x").text() == "4")
        #expect(try await bob.get("https://a.example/x").text() == "3")
        #expect(try await self.client(mock, cache).get("https://a.example/x").text() == "5")
        // A request's own credentials count beside the client's.
        let own = bob.get("https://a.example/x").with { request in
            var request = request
            request.headers["X-Api-Key"] = "k"
            return request
        }
        #expect(try await own.text() == "6")
        #expect(try await own.text() == "6")
    }

    @Test func `a request's own credentials count beside those of a client with one user`()
        async throws
    {
        let mock = numbering(["Cache-Control": "max-age=60"])
        let origin = try HTTPOrigin(host: "a.example")
        let client = client(mock) {
            $0.cachePartition = "app"
            $0.headers = ["X-Api-Key": "app"]
        }
        func send(_ token: String) async throws -> String {
            try await client.get("https://a.example/x").with { request in
                request.modify { request in
                    try request.authorize(.bearer(token), issuedBy: origin)
                }
            }.text()
        }
        #expect(try await send("ann") == "1")
        #expect(try await send("bob") == "2")
        #expect(try await send("ann") == "1")
        client.update { $0.headers["X-Api-Key"] = "app2" }
        #expect(try await send("ann") == "1", "the client's own key was renewed")
    }

    @Test func `a response without credentials is not given to a call that gets some below`()
        async throws
    {
        let token = Locked(String?.none)
        let origin = try HTTPOrigin(host: "a.example")
        let mock = numbering(["Cache-Control": "max-age=60"])
        let client = client(mock) {
            $0.authentication = [BearerAuthentication(for: origin) { token.withLock { $0 } }]
        }
        #expect(try await client.get("https://a.example/x").text() == "1")
        token.withLock { $0 = "ann" }
        let response = try await client.get("https://a.example/x").response()
        #expect(try await response.text() == "2")
        #expect(response.timeline.cacheStatuses.last?.detail == "credentials")
    }

    @Test func `a validator that asks for a retry does not get the stored response again`()
        async throws
    {
        let number = Locked(0)
        let mock = MockSession { request in
            let number = number.withLock { number in
                number += 1
                return number
            }
            return HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"],
                body: HTTPBody(number < 3 ? "pending" : "done"), to: request)
        }
        let untilDone = ClosureValidator(bodyLimit: 100) { response, _ in
            response.body.bytes == Data("done".utf8) ? .next : .retry(.immediate)
        }
        let client = HTTPClient(transport: mock, validators: [untilDone], cache: .inMemory) {
            $0.clock = BriskClock()
        }
        let call = client.get("https://a.example/x").with { $0.maxRetries(5) }
        #expect(try await call.text() == "done")
        #expect(try await client.get("https://a.example/x").text() == "done")
        #expect(mock.requests.count == 3)
    }

    @Test(.rows("S2-18"))
    func `the policy of the client and of a request is honoured`() async throws {
        let mock = numbering(["Cache-Control": "max-age=60"])
        let client = client(mock)
        #expect(try await client.get("https://a.example/x").text() == "1")
        let reload = client.get("https://a.example/x").with { $0.cachePolicy(.reload) }
        #expect(try await reload.text() == "2")
        #expect(try await client.get("https://a.example/x").text() == "2")
        client.update {
            $0.cachePolicy = .onlyStored
            $0.validators = []
        }
        let missing = try await client.get("https://a.example/y").response()
        #expect(missing.status == .gatewayTimeout && mock.requests.count == 2)
    }

    @Test func `coalescing and the cache work together`() async throws {
        let (asked, gate) = (Gate(), Gate())
        let mock = MockSession { request in
            asked.open()
            try await gate.wait()
            return HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody("one"), to: request)
        }
        let cache = HTTPCache.inMemory
        let client = client(mock, cache) { $0.coalescing = .useCurrentIfPossible }
        let tasks = (0..<5).map { _ in
            Task { try await client.get("https://a.example/x").text() }
        }
        try await asked.wait()
        while cache.waiterCount < 4 { await Task.yield() }
        gate.open()
        for task in tasks { #expect(try await task.value == "one") }
        #expect(mock.requests.count == 1 && cache.statistics.hits == 4)
    }
}
