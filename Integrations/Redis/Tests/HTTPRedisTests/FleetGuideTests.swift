import Foundation
import HTTPClientKit
import HTTPRedis
import HTTPTesting
import RedisServers
import Testing

/// The client of one process of the fleet, and what it shares with the others.
struct FleetClient {
    let client: HTTPClient
    let redis: HTTPRedis

    init(_ configuration: HTTPRedisConfiguration, apiKeys: OAuthClientCredentials) throws {
        let redis = try HTTPRedis(configuration)
        let tokens = try RefreshingAuthentication(
            for: HTTPOrigin("https://api.example.com"), clientCredentials: apiKeys,
            sharing: HTTPCredentialSharing(redis.credentials()))
        client = try HTTPClient(baseURL: "https://api.example.com") {
            $0.deadline = .seconds(20)
            $0.retry = .standard
            $0.retryBudget = RetryBudget(minimum: 1)  // of each process
            $0.authentication = [tokens]
            $0.cache = HTTPCache(store: redis.responses())
            $0.cachePartition = "service"
            $0.circuitBreaker = CircuitBreaker()
            $0.originPause = OriginPause(store: redis.pauses)
            $0.rateLimits = [
                RateLimit(
                    .tokenBucket(400, per: .seconds(1), burst: 20),
                    sharing: RateLimit.Sharing(
                        redis.rates, lease: 10,
                        whenStoreFails: .limitLocally(to: .tokenBucket(10, per: .seconds(1)))))
            ]
            $0.concurrencyLimit = ConcurrencyLimit(
                adaptive: AdaptiveLimit(), timeout: .seconds(5))
            $0.interceptors = [TracePropagation()]
        }
        self.redis = redis
    }

    /// Ends the process without losing calls: first the client, then what it uses.
    func drain() async {
        await client.close(grace: .seconds(10))
        redis.close()
    }
}

@Suite(.timeLimit(.minutes(2)), .enabled(if: RedisServer.isExpected))
struct FleetGuideTests {
    @Test func `all code of the page is compiled here`() throws {
        let file = #filePath
        let root = try #require(file.firstRange(of: "/Integrations/")).lowerBound
        let page = try String(
            contentsOfFile: "\(file[..<root])/Docs/Guides/Fleet.md", encoding: .utf8)
        let source = try String(contentsOfFile: file, encoding: .utf8).filter { !$0.isWhitespace }
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().map { block in
            block.components(separatedBy: "\n```")[0].split(separator: "\n")
                .filter { !$0.hasPrefix("import ") }.joined().filter { !$0.isWhitespace }
        }
        #expect(blocks.count == 2)
        for block in blocks { #expect(source.contains(block)) }
    }

    @Test func `two processes share a token, a response and a limit`() async throws {
        let server = try RedisServer(#require(RedisServer.program))
        let origin = MockSession { request in
            let isToken = request.url.path == "/token"
            let body =
                isToken ? #"{"access_token": "t", "token_type": "Bearer"}"# : "feed"
            return HTTPResponse(
                .ok,
                headers: [
                    "Content-Type": isToken ? "application/json" : "text/plain",
                    "Cache-Control": isToken ? "no-store" : "max-age=60",
                ], body: HTTPBody(body), to: request)
        }
        for _ in 0..<2 {
            let keys = try OAuthClientCredentials(
                tokenEndpoint: "https://api.example.com/token", clientID: "id",
                clientSecret: "secret")
            var configuration = HTTPRedisConfiguration(unixSocket: server.socket)
            configuration.timeout = .seconds(5)
            let member = try FleetClient(configuration, apiKeys: keys)
            let client = HTTPClient(member.client.configuration, transport: origin)
            #expect(try await client.get("feed").text() == "feed")
            await member.drain()
        }
        #expect(origin.requests.map(\.url.path) == ["/token", "/feed"])
    }

    @Test func `credentials can be sealed`() async throws {
        struct Key {
            func seal(_ bytes: [UInt8]) throws -> [UInt8] { bytes.reversed() }
            func open(_ bytes: [UInt8]) throws -> [UInt8] { bytes.reversed() }
        }
        let server = try RedisServer(#require(RedisServer.program))
        let redis = try HTTPRedis(HTTPRedisConfiguration(unixSocket: server.socket))
        let key = Key()
        let store = redis.credentials(
            sealing: { try key.seal($0) }, opening: { try key.open($0) })
        let lease = try #require(try await store.lease("k", for: .seconds(10)))
        _ = try await store.store(.bearer("token"), for: "k", lease: lease)
        #expect(try await store.credential(for: "k") == HTTPCredential(.bearer("token")))
    }
}
