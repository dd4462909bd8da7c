import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The code of Docs/Guides/Caching.md, word for word.
@Suite struct CachingGuideTests {
    private func clients() throws {
        let memory = HTTPClient(cache: .inMemory)
        let disk = try HTTPClient(cache: .disk(at: "/var/cache/my-daemon", limit: 256 << 20))
        _ = (memory, disk)
    }

    private func middleware(_ transport: any HTTPSession) -> any HTTPSession {
        let cache = HTTPCache.inMemory(limit: 64 << 20)
        let session = transport.with(Redirects(), cache, Retry(.standard))
        return session
    }

    private func policies(_ client: HTTPClient) async throws -> (String, HTTPResponse) {
        let latest = try await client.get("report").with { $0.cachePolicy(.reload) }.text()
        let offline = try await client.get("report").with { $0.cachePolicy(.onlyStored) }.response()
        return (latest, offline)
    }

    private func partitions(
        _ bearer: BearerAuthentication, _ cache: HTTPCache
    ) throws -> (HTTPRequest, HTTPClient) {
        let request = try HTTPRequest("https://api.example.com/inbox").cachePartition("user-17")
        let inbox = HTTPClient(authentication: [bearer], cache: cache) {
            $0.cachePartition = "user-17"
        }
        return (request, inbox)
    }

    private func see(_ client: HTTPClient) async throws {
        let response = try await client.get("report").response()
        for status in response.timeline.cacheStatuses { print(status) }
        // fwd=uri-miss; fwd-status=200; ttl=60; stored
        // hit; ttl=42
        // fwd=stale; fwd-status=304; ttl=60
        // fwd=uri-miss; fwd-status=200; detail=no-store
    }

    @Test func `the page's code is compiled, and runs`() async throws {
        #expect(try GuidePage("Caching").untested.isEmpty)
        let mock = MockSession { request in
            HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody("text"), to: request)
        }
        let client = HTTPClient(
            baseURL: try HTTPRequest("https://a.example/").url, transport: mock, cache: .inMemory)
        let (latest, offline) = try await policies(client)
        #expect(latest == "text" && offline.status == .ok)
        try await see(client)
        #expect(mock.requests.count == 1)
        let response = try await middleware(mock).response(for: "https://a.example/")
        #expect(response.headers["Cache-Status"] != nil)
        let origin = try HTTPOrigin(host: "api.example.com")
        let (request, inbox) = try partitions(
            BearerAuthentication(for: origin) { "t" }, .inMemory)
        #expect(request.cachePartition == inbox.configuration.cachePartition)
    }

    @Test func `a request that is sent and one that is served are shown as on the page`()
        async throws
    {
        let mock = MockSession { request in
            HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody("text"), to: request)
        }
        let clock = HTTPTestClock()
        let client = HTTPClient(transport: mock, cache: .inMemory) { $0.clock = clock }
        let page = try GuidePage("Caching").text
        var shown: [String] = []
        for _ in 1...2 {
            let response = try await client.get("https://a.example/").response()
            shown += response.timeline.cacheStatuses.map(\.description)
            clock.advance(by: .seconds(18))
        }
        #expect(shown.allSatisfy { page.contains("// \($0)\n") }, "\(shown)")
    }
}
