import Foundation
import HTTPCaching
import HTTPClientKit
import HTTPRedis
import HTTPTesting
import RedisServers
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .enabled(if: RedisServer.isExpected))
struct RedisStoresTests {
    private let server: RedisServer

    init() throws { server = try RedisServer(#require(RedisServer.program)) }

    /// The stores as another process has them.
    private func redis(_ namespace: String = "http") throws -> HTTPRedis {
        var configuration = HTTPRedisConfiguration(unixSocket: server.socket)
        configuration.timeout = .seconds(5)
        configuration.namespace = namespace
        return try HTTPRedis(configuration)
    }

    private func question(
        _ rate: HTTPRate, _ units: ClosedRange<Int> = 1...1, patience: Duration = .zero
    ) -> HTTPRateRequest {
        HTTPRateRequest(
            key: "k", rate: rate, units: units, patience: patience,
            now: HTTPInstant(sinceStart: .zero))
    }

    // MARK: Rates

    private static let rates: [HTTPRate] = [
        .tokenBucket(10, per: .seconds(100), burst: 10), .slidingWindow(10, per: .seconds(100)),
    ]

    @Test(arguments: rates) func `units are counted for all processes together`(
        rate: HTTPRate
    ) async throws {
        let stores = try (0..<3).map { _ in try redis().rates }
        let granted = try await withThrowingTaskGroup(of: Int.self) { group in
            for store in stores {
                for _ in 0..<20 {
                    group.addTask {
                        let admission = try await store.admit(question(rate))
                        if case .admitted(let units, .zero) = admission { return units }
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(granted == 10)
    }

    @Test(arguments: rates) func `as many as are available are taken, and given back`(
        rate: HTTPRate
    ) async throws {
        let store = try redis().rates
        #expect(try await store.admit(question(rate, 1...4)) == .admitted(units: 4, after: .zero))
        #expect(try await store.admit(question(rate, 1...40)) == .admitted(units: 6, after: .zero))
        guard case .refused(let wait) = try await store.admit(question(rate)) else {
            throw CancellationError()
        }
        #expect(wait > .seconds(5) && wait < .seconds(103))
        try await store.refund(3, of: question(rate))
        #expect(try await store.admit(question(rate, 1...40)) == .admitted(units: 3, after: .zero))
    }

    @Test func `units are promised one after the other`() async throws {
        let store = try redis().rates
        let rate = HTTPRate.tokenBucket(10, per: .seconds(100), burst: 1)
        var waits: [Duration] = []
        for _ in 0..<3 {
            if case .admitted(1, let wait) = try await store.admit(
                question(rate, patience: .seconds(99)))
            {
                waits.append(wait)
            }
        }
        #expect(waits.count == 3)
        #expect(waits[0] == .zero && waits[1] > .seconds(9) && waits[1] <= .seconds(10))
        #expect(waits[2] > .seconds(19) && waits[2] <= .seconds(20))
    }

    @Test func `more than a window holds is spread over several`() async throws {
        let store = try redis().rates
        let rate = HTTPRate.slidingWindow(10, per: .seconds(64))
        #expect(
            try await store.admit(question(rate, 25...25)) == .admitted(units: 25, after: .zero))
        guard
            case .admitted(5, let wait) = try await store.admit(
                question(rate, 5...5, patience: .seconds(999)))
        else { throw CancellationError() }
        #expect(wait > .seconds(128) && wait <= .seconds(130))
    }

    @Test(arguments: rates) func `the server decides as the store in memory does`(
        rate: HTTPRate
    ) async throws {
        // The period is long, so that time plays no part between two questions.
        let rate: HTTPRate =
            if case .slidingWindow = rate.law {
                .slidingWindow(50, per: .seconds(1_000_000))
            } else {
                .tokenBucket(50, per: .seconds(1_000_000), burst: 20)
            }
        let (here, there) = (HTTPMemoryRateStore(), try redis().rates)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let least = Int.random(in: 1...60, using: &random)
            let question = question(
                rate, least...(least + Int.random(in: 0...9, using: &random)),
                patience: .seconds(Double.random(in: 0...3_000_000, using: &random)))
            if Bool.random(using: &random) {
                await here.refund(least, of: question)
                try await there.refund(least, of: question)
            }
            let pair = (await here.admit(question), try await there.admit(question))
            switch pair {
            case (.admitted(let a, let first), .admitted(let b, let second)):
                #expect(a == b)
                #expect(abs((first - second) / .seconds(1)) < 20_000)
                // Steps of the window begin at other times here and there.
                if case .tokenBucket = rate.law {
                    #expect(abs((first - second) / .seconds(1)) < 60)
                }
            case (.refused, .refused): break
            default:
                // At the edge of patience, a step may decide otherwise; the states then differ.
                if case .tokenBucket = rate.law { Issue.record("\(pair)") }
                return
            }
        }
    }

    // MARK: Pauses

    @Test func `a pause reaches the other processes within a tenth of a second`() async throws {
        let listener = try redis().pauses.announcements()
        let other = try redis().pauses
        // The first one may come before the subscription; it is then among those under way.
        let reading = Task {
            var seen: [String] = []
            for await pause in listener {
                if !seen.contains(pause.key) { seen.append(pause.key) }
                if seen.count == 2 { break }
            }
            return (seen, ContinuousClock.now)
        }
        try await other.announce(HTTPPause(key: "a", timeLeft: .seconds(30)))
        try await Task.sleep(for: .milliseconds(300))
        let start = ContinuousClock.now
        try await other.announce(HTTPPause(key: "b b", timeLeft: .seconds(30)))
        let (seen, end) = await reading.value
        #expect(seen == ["a", "b b"])
        #expect(end - start < .milliseconds(100))
    }

    @Test func `the longer of two pauses stays, whichever comes first`() async throws {
        let pauses = try redis().pauses
        for (key, seconds) in [("down", [60, 5]), ("up", [5, 60])] {
            for length in seconds {
                try await pauses.announce(HTTPPause(key: key, timeLeft: .seconds(length)))
            }
        }
        var left: [String: Duration] = [:]
        for await pause in try redis().pauses.announcements() {
            left[pause.key] = pause.timeLeft
            if left.count == 2 { break }
        }
        for key in ["down", "up"] {
            #expect(left[key, default: .zero] > .seconds(50), "\(key): \(left)")
        }
    }

    @Test func `a process that comes later learns of pauses under way`() async throws {
        try await redis().pauses.announce(HTTPPause(key: "a", timeLeft: .seconds(30)))
        for await pause in try redis().pauses.announcements() {
            #expect(pause.key == "a")
            #expect(pause.timeLeft > .seconds(25) && pause.timeLeft <= .seconds(30))
            break
        }
    }

    @Test func `a listener whose connection was lost goes on`() async throws {
        let listener = try redis().pauses.announcements()
        let other = try redis()
        try await other.pauses.announce(HTTPPause(key: "before", timeLeft: .seconds(30)))
        var iterator = listener.makeAsyncIterator()
        #expect(await iterator.next()?.key == "before")
        server.kill()
        try server.start()
        while (try? await other.ping()) == nil { try await Task.sleep(for: .milliseconds(5)) }
        try await other.pauses.announce(HTTPPause(key: "after", timeLeft: .seconds(30)))
        while let pause = await iterator.next(), pause.key != "after" {}
    }

    // MARK: Credentials

    @Test func `a credential is kept as it was`() async throws {
        let store = try redis().credentials()
        let expiry = Date(timeIntervalSince1970: 4_000_000_000)
        let credentials: [HTTPCredential] = [
            try .bearer("token", expiry: expiry, refreshToken: "next"),
            HTTPCredential(try .basic(user: "u", password: "p")),
            HTTPCredential(try .apiKey("key", in: "X-Key")),
        ]
        for (index, credential) in credentials.enumerated() {
            let lease = try #require(try await store.lease("\(index)", for: .seconds(10)))
            #expect(try await store.store(credential, for: "\(index)", lease: lease))
            let other = try redis().credentials()
            let stored = try await other.credential(for: "\(index)")
            #expect(stored == credential)
        }
    }

    @Test func `a lease is held by one process, and ends by itself`() async throws {
        let (first, second) = (try redis().credentials(), try redis().credentials())
        let lease = try #require(try await first.lease("k", for: .milliseconds(200)))
        #expect(try await second.lease("k", for: .seconds(9)) == nil)
        var other: String?
        while other == nil { other = try await second.lease("k", for: .seconds(9)) }
        #expect(try await first.store(.bearer("x"), for: "k", lease: lease) == false)
        try await first.release(lease, of: "k")
        #expect(try await first.lease("k", for: .seconds(9)) == nil)
        try await second.release(#require(other), of: "k")
        #expect(try await first.lease("k", for: .seconds(9)) != nil)
    }

    @Test func `a credential can be sealed`() async throws {
        let flip: @Sendable ([UInt8]) -> [UInt8] = { $0.map { $0 ^ 0xFF } }
        let store = try redis().credentials(sealing: flip, opening: flip)
        let lease = try #require(try await store.lease("k", for: .seconds(10)))
        _ = try await store.store(.bearer("token"), for: "k", lease: lease)
        #expect(try await store.credential(for: "k") == HTTPCredential(.bearer("token")))
        #expect(try await redis().credentials().credential(for: "k") == nil)
    }

    @Test func `one process of a fleet refreshes for all`() async throws {
        let origin = MockSession { HTTPResponse(.ok, to: $0) }
        let refreshes = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                let authentication = try RefreshingAuthentication(
                    for: HTTPOrigin("https://h"),
                    sharing: HTTPCredentialSharing(redis().credentials(), timeout: .seconds(5))
                ) { _, _ in
                    await refreshes.add()
                    try await Task.sleep(for: .milliseconds(100))
                    return try .bearer("new")
                }
                let session = origin.with(authentication)
                for _ in 0..<8 {
                    group.addTask {
                        _ = try await session.response(for: HTTPRequest(.get, "https://h/"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await refreshes.count == 1)
        #expect(origin.requests.allSatisfy { $0.headers[.authorization] == "Bearer new" })
    }

    // MARK: Responses

    private func caching(
        _ redis: HTTPRedis, _ origin: MockSession, limit: Int = 1 << 20
    ) -> any HTTPSession {
        origin.with(HTTPCache(store: redis.responses(responseLimit: limit)))
    }

    private func origin(_ headers: HTTPHeaders = [:], _ body: String = "done") -> MockSession {
        MockSession { request in
            var headers = headers
            if headers[.cacheControl] == nil { headers[.cacheControl] = "max-age=60" }
            return HTTPResponse(
                .ok, headers: headers, body: HTTPBody("\(body) \(request.headers[.accept] ?? "")"),
                to: request)
        }
    }

    private func text(
        _ session: any HTTPSession, _ url: String = "http://h/", accept: String? = nil
    ) async throws -> String {
        var request = try HTTPRequest(.get, url)
        request.headers[.accept] = accept
        return try await session.response(for: request).text()
    }

    @Test func `a response is used by another process`() async throws {
        let origin = origin(["Content-Type": "text/plain", "X-Note": "a, b"])
        _ = try await text(caching(redis(), origin))
        let response = try await caching(redis(), origin).response(
            for: HTTPRequest(.get, "http://h/"))
        #expect(try await response.text() == "done ")
        #expect(response.headers["X-Note"] == "a, b")
        #expect(origin.requests.count == 1)
        _ = try await text(caching(redis("other"), origin))
        #expect(origin.requests.count == 2)
    }

    @Test func `variants are kept side by side`() async throws {
        let origin = origin(["Vary": "Accept"])
        let session = try caching(redis(), origin)
        for _ in 0..<2 {
            #expect(try await text(session, accept: "a/a") == "done a/a")
            #expect(try await text(session, accept: "b/b") == "done b/b")
        }
        #expect(origin.requests.count == 2)
        for number in 0..<30 { _ = try await text(session, accept: "a/\(number)") }
        let store = try redis().responses()
        let key = HTTPCacheKey(partition: "", url: "http://h/")
        #expect(try await store.responses(for: key).count == 16)
    }

    @Test func `a response that is too large is passed on and not stored`() async throws {
        let origin = origin([:], String(repeating: "x", count: 2000))
        let session = try caching(redis(), origin, limit: 1000)
        for _ in 0..<2 { #expect(try await text(session).count > 2000) }
        #expect(origin.requests.count == 2)
    }

    @Test func `responses are removed, one key or all`() async throws {
        let origin = origin()
        let redis = try redis()
        let session = caching(redis, origin)
        for path in ["a", "b"] { _ = try await text(session, "http://h/\(path)") }
        let store = redis.responses()
        try await store.remove(HTTPCacheKey(partition: "", url: "http://h/a"))
        for path in ["a", "b"] { _ = try await text(session, "http://h/\(path)") }
        #expect(origin.requests.count == 3)
        try await store.removeAll()
        for path in ["a", "b"] { _ = try await text(session, "http://h/\(path)") }
        #expect(origin.requests.count == 5)
    }

    /// `SCAN` takes patterns, and a namespace may hold what has a meaning there.
    @Test(arguments: [("a*", "abc"), ("a?", "ab"), ("[ab]", "a"), ("a\\*", "a\\b"), ("n", "nn")])
    func `removing all responses leaves those of other namespaces`(
        own: String, other: String
    ) async throws {
        let origin = origin()
        let (one, two) = (try redis(own), try redis(other))
        for redis in [one, two] { _ = try await text(caching(redis, origin)) }
        try await one.responses().removeAll()
        _ = try await text(caching(two, origin))
        #expect(origin.requests.count == 2, "the other's response is still there")
        _ = try await text(caching(one, origin))
        #expect(origin.requests.count == 3)
    }

    @Test func `a server that is gone is a cache that has nothing`() async throws {
        let origin = origin()
        var configuration = HTTPRedisConfiguration(unixSocket: server.socket)
        configuration.timeout = .milliseconds(50)
        let session = caching(try HTTPRedis(configuration), origin)
        _ = try await text(session)
        server.kill()
        #expect(try await text(session) == "done ")
        try server.start()
    }

    // MARK: Keys

    @Test func `every key has the namespace and an expiry`() async throws {
        let redis = try redis("ns")
        for rate in Self.rates {
            _ = try await redis.rates.admit(question(rate, 2...2))
            // A key must not outlive its use because it is changed later.
            try await redis.rates.refund(1, of: question(rate))
        }
        for _ in 0..<2 {
            try await redis.pauses.announce(HTTPPause(key: "a", timeLeft: .seconds(30)))
        }
        let credentials = redis.credentials()
        let lease = try #require(try await credentials.lease("k", for: .seconds(10)))
        _ = try await credentials.store(.bearer("x"), for: "k", lease: lease)
        _ = try await credentials.lease("k", for: .seconds(10))
        _ = try await text(caching(redis, origin()))
        let keys = try await server.keys()
        #expect(keys.count == 7)
        #expect(keys.allSatisfy { $0.name.hasPrefix("ns:") && $0.milliseconds > 0 })
    }
}

private actor Counter {
    private(set) var count = 0
    func add() { count += 1 }
}
