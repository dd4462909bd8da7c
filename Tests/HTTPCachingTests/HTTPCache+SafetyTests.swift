import HTTPCaching
import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPCacheSafetyTests {
    private let minute: HTTPHeaders = ["Cache-Control": "max-age=60"]

    // MARK: Partitions

    @Test(arguments: ["Authorization", "Cookie", "X-Api-Key"] as [HTTPHeaderName])
    func `a user never gets another user's response`(name: HTTPHeaderName) async throws {
        let origin = CachedOrigin(minute)
        func send(_ secret: String?) async throws -> String {
            try await origin.send(
                .get, "https://a.example/x", secret.map { [name: $0] } ?? [:]
            ).body
        }
        #expect(try await send("one") == "1")
        #expect(try await send("two") == "2")
        #expect(try await send(nil) == "3")
        #expect(try await send("one") == "1")
        #expect(try await send("two") == "2")
        #expect(try await send(nil) == "3")
        #expect(origin.count == 3)
    }

    @Test func `a named partition takes the place of the credentials`() async throws {
        let origin = CachedOrigin(minute)
        func send(_ token: String, as user: String) async throws -> String {
            let request = try origin.request(
                .get, "https://a.example/x", ["Authorization": .init(token)]
            ).cachePartition(user)
            return try await String(
                decoding: origin.session.response(for: request).body.collect(), as: UTF8.self)
        }
        #expect(try await send("Bearer 1", as: "ann") == "1")
        #expect(try await send("Bearer 2", as: "ann") == "1", "the token was refreshed")
        #expect(try await send("Bearer 2", as: "bob") == "2")
    }

    @Test func `credentials that a layer below adds keep the response out`() async throws {
        let origin = CachedOrigin(minute)
        let session = origin.mock.with(origin.cache, Signing(secret: "s"))
        for expected in ["1", "2"] {
            let response = try await session.response(for: origin.request())
            #expect(try await response.body.collect() == Data(expected.utf8))
            #expect(response.timeline.cacheStatuses.last?.detail == "credentials")
        }
        for _ in 1...2 {
            let response = try await session.response(
                for: origin.request().cachePartition("ann"))
            #expect(try await response.body.collect() == Data("3".utf8))
        }
    }

    @Test func `no credential reaches a store`() async throws {
        let seen = Locked([String]())
        let store = HookedStore { _, key, response in
            let fields = response.map { response in
                response.headers.indices.map { index in
                    response.headers.withBytes(at: index) {
                        String(decoding: $0 + $1, as: UTF8.self)
                    }
                }
            }
            seen.withLock { $0 += ["\(key as Any)", response?.variant ?? ""] + (fields ?? []) }
        }
        let origin = CachedOrigin(
            ["Cache-Control": "max-age=60", "Vary": "Authorization", "Set-Cookie": "id=hush-1"],
            store: store)
        let fields: HTTPHeaders = ["Authorization": "Bearer hush-2", "Cookie": "a=hush-3"]
        try await origin.send(.get, "https://a.example/x", fields)
        #expect(try await origin.send(.get, "https://a.example/x", fields).isHit)
        let texts = seen.withLock { $0 }
        #expect(texts.count > 8 && !texts.contains { $0.contains("hush") })
    }

    // MARK: What is not stored

    @Test func `a stored response sets no cookie again`() async throws {
        let origin = CachedOrigin([
            "Cache-Control": "max-age=60", "Set-Cookie": "a=b", "Connection": "X-Hop, close",
            "X-Hop": "1", "Keep-Alive": "timeout=5",
        ])
        let first = try await origin.send()
        #expect(first.headers[.setCookie] == "a=b" && first.headers["X-Hop"] == "1")
        let second = try await origin.send()
        #expect(second.isHit)
        for name: HTTPHeaderName in [.setCookie, .connection, .keepAlive, "X-Hop"] {
            #expect(!second.headers.contains(name))
        }
    }

    @Test func `the response of another URL is not stored for this one`() async throws {
        let origin = CachedOrigin { request, number in
            let other = try HTTPRequest("https://other.example/y")
            return HTTPResponse(
                HTTPResponse.Head(
                    status: .ok, headers: ["Cache-Control": "max-age=60"], url: other.url),
                body: HTTPBody("\(number)"), to: request)
        }
        #expect(try await origin.send().detail == "redirected")
        #expect(try await origin.send().body == "2")
    }

    @Test func `a body that ends early is not stored`() async throws {
        let origin = CachedOrigin { request, number in
            let source = ScriptedBody([.bytes("he"), number == 1 ? .failure : .bytes("llo")])
            return HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody(source: source),
                to: request)
        }
        await #expect(throws: (any Error).self) { try await origin.send() }
        let second = try await origin.send()
        #expect(second.forward == .uriMiss && second.body == "hello")
        #expect(try await origin.send().body == "hello")
        #expect(origin.count == 2)
    }

    @Test func `a body that is abandoned or discarded is not stored`() async throws {
        let origin = CachedOrigin { request, _ in
            HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"],
                body: HTTPBody(source: ScriptedBody([.bytes("a"), .bytes("b")]), length: 2),
                to: request)
        }
        let abandoned = try await origin.session.response(for: origin.request())
        abandoned.body.abandon()
        let discarded = try await origin.session.response(for: origin.request())
        await discarded.discard()
        let part = try await origin.session.response(for: origin.request())
        var iterator = part.body.makeAsyncIterator()
        _ = try await iterator.next()
        await part.discard()
        #expect(try await origin.send().forward == .uriMiss)
        #expect(try await origin.send().isHit)
        #expect(origin.count == 4)
    }

    // MARK: Layers below

    @Test func `a field that selects the response and is changed below keeps it out`() async throws
    {
        let origin = CachedOrigin(["Cache-Control": "max-age=60", "Vary": "X-Tenant"])
        let session = origin.mock.with(origin.cache, Tenant())
        for _ in 1...2 {
            let response = try await session.response(for: origin.request())
            #expect(response.timeline.cacheStatuses.last?.detail == "vary")
        }
        #expect(origin.count == 2)
    }

    private struct Tenant: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws {
            request.headers["X-Tenant"] = "a"
        }
    }

    @Test func `the cache sees what modify changes, and each attempt is changed again`()
        async throws
    {
        let count = Locked(0)
        let origin = CachedOrigin(["Cache-Control": "max-age=60", "Vary": "X-Tenant"])
        func send(_ tenant: String) async throws -> String {
            let request = try HTTPRequest("https://a.example/x").modify { request in
                count.withLock { $0 += 1 }
                request.headers["X-Tenant"] = tenant
            }.beginningCall(clock: origin.clock)
            let response = try await origin.session.response(for: request)
            return String(decoding: try await response.body.collect(), as: UTF8.self)
        }
        #expect(try await send("a") == "1")
        #expect(try await send("b") == "2")
        #expect(try await send("a") == "1")
        #expect(count.withLock { $0 } == 5, "twice for a miss, once for a hit")
    }

    // MARK: 304

    @Test func `a 304 with other selecting fields is for its request alone`() async throws {
        for vary in ["Accept-Language", "*"] {
            let origin = CachedOrigin(["ETag": "\"1\""])
            try await origin.send()
            origin.answering { request, number in
                let isConditional = request.headers.contains(.ifNoneMatch)
                return HTTPResponse(
                    isConditional ? .notModified : .ok,
                    headers: [
                        "ETag": "\"1\"", "Vary": .init(vary), "Cache-Control": "max-age=600",
                    ], body: isConditional ? .empty : HTTPBody("\(number)"), to: request)
            }
            let german: HTTPHeaders = ["Accept-Language": "de"]
            #expect(try await origin.send(.get, "https://a.example/x", german).body == "1")
            let french: HTTPHeaders = ["Accept-Language": "fr"]
            #expect(try await origin.send(.get, "https://a.example/x", french).body == "3")
        }
    }

    @Test(
        arguments: [
            (["Last-Modified": "Sun, 06 Nov 1994 08:00:00 GMT"], ["ETag": "\"new\""]),
            (
                ["Last-Modified": "Sun, 06 Nov 1994 08:00:00 GMT"],
                ["Last-Modified": "Sun, 06 Nov 1994 08:00:01 GMT"]
            ),
            (["ETag": "\"1\""], ["ETag": "\"2\""]),
        ] as [(HTTPHeaders, HTTPHeaders)])
    func `a 304 about other bytes confirms nothing`(stored: HTTPHeaders, update: HTTPHeaders)
        async throws
    {
        var fields = stored
        fields[.cacheControl] = "no-cache"
        let origin = CachedOrigin(fields)
        try await origin.send()
        origin.answering { request, number in
            let isConditional =
                request.headers.contains(.ifNoneMatch)
                || request.headers.contains(.ifModifiedSince)
            return HTTPResponse(
                isConditional ? .notModified : .ok, headers: update,
                body: isConditional ? .empty : HTTPBody("\(number)"), to: request)
        }
        #expect(try await origin.send().body == "3")
    }

    @Test func `a weak tag does not become a strong one`() async throws {
        let origin = CachedOrigin(["ETag": "W/\"1\"", "Cache-Control": "no-cache"])
        try await origin.send()
        origin.answering(.notModified, ["ETag": "\"1\""])
        #expect(try await origin.send().headers[.eTag] == "W/\"1\"")
    }

    @Test func `a store that fails costs no call`() async throws {
        let origin = CachedOrigin(
            minute,
            store: HookedStore { _, _, _ in
                throw HTTPError(.internalFailure, "the store is full")
            })
        #expect(try await origin.send().body == "1")
        #expect(try await origin.send().body == "2")
        #expect(origin.cache.statistics.storeFailures >= 4)
        #expect(origin.cache.statistics.lastStoreFailure?.contains("full") == true)
    }

    @Test func `a response that the store fails to remove is not used`() async throws {
        let fails = Locked(true)
        let store = HookedStore { operation, _, _ in
            if operation == .remove, fails.withLock({ $0 }) {
                throw HTTPError(.internalFailure, "read only")
            }
        }
        let origin = CachedOrigin(minute, store: store)
        try await origin.send()
        origin.clock.advance(by: .seconds(1))
        try await origin.send(.post)
        origin.clock.advance(by: .seconds(1))
        #expect(try await origin.send().body == "3")
        #expect(try await origin.send().body == "3")
    }

    @Test func `a response whose body is gone is asked for again`() async throws {
        let store = HookedStore { operation, _, _ in
            if operation == .body { throw HTTPError(.internalFailure, "lost") }
        }
        let origin = CachedOrigin(minute, store: store)
        try await origin.send()
        #expect(try await origin.send().body == "2")
        origin.clock.advance(by: .seconds(100))
        origin.answering { request, number in
            let isConditional = request.headers.contains(.ifNoneMatch)
            return HTTPResponse(
                isConditional ? .notModified : .ok,
                headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""],
                body: isConditional ? .empty : HTTPBody("\(number)"), to: request)
        }
        #expect(try await origin.send().body == "3")
        origin.clock.advance(by: .seconds(100))
        #expect(try await origin.send().body == "5", "the 304 was for nothing")
    }
}

// MARK: - Helpers

private struct Signing: HTTPRequestInterceptor {
    let secret: String
    func process(request: inout HTTPRequest) async throws {
        request.headers[.authorization] = "Bearer \(secret)"
    }
}

/// A body of pieces, the last of which may be a failure.
final class ScriptedBody: HTTPBodySource {
    enum Step: Sendable {
        case bytes(String)
        case failure
    }

    private let steps: Locked<[Step]>

    init(_ steps: [Step]) { self.steps = Locked(steps) }

    func next() async throws -> Data? {
        switch steps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        case .bytes(let text): return Data(text.utf8)
        case .failure: throw HTTPError(.bodyIncomplete, "cut")
        case nil: return nil
        }
    }

    func abandon() {}
}
