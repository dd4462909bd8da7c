import HTTPCaching
import HTTPCore
import HTTPTesting
import Testing
import PortableFoundation

@Suite struct HTTPCacheTests {
    private let minute: HTTPHeaders = ["Cache-Control": "max-age=60"]

    // MARK: Freshness

    @Test func `a fresh response is served without the origin, with its age`() async throws {
        let origin = CachedOrigin(minute)
        let first = try await origin.send()
        #expect(first.forward == .uriMiss && first.cacheStatus.last?.isStored == true)
        origin.clock.advance(by: .seconds(59))
        let second = try await origin.send()
        #expect(second.isHit && second.body == "1" && second.headers[.age] == "59")
        #expect(second.cacheStatus.last?.timeToLive == .seconds(1))
        #expect(second.headers["Cache-Status"] == "swift-http-session; hit; ttl=1")
        #expect(origin.count == 1)
        origin.clock.advance(by: .seconds(1))
        let third = try await origin.send()
        #expect(third.forward == .stale && third.body == "2")
        #expect(origin.cache.statistics.hits == 1 && origin.cache.statistics.misses == 2)
    }

    @Test func `a response without freshness and precondition is not stored`() async throws {
        let origin = CachedOrigin([:])
        #expect(try await origin.send().detail == "no-freshness")
        #expect(try await origin.send().body == "2")
    }

    @Test func `an old response is fresh for a tenth of its age`() async throws {
        let origin = CachedOrigin(["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"])  // 1,000 s
        try await origin.send()
        origin.clock.advance(by: .seconds(99))
        #expect(try await origin.send().isHit)
        origin.clock.advance(by: .seconds(1))
        #expect(try await origin.send().forward == .stale)
    }

    // MARK: Revalidation

    @Test func `a stale response is revalidated, and a 304 renews it`() async throws {
        let origin = CachedOrigin { request, number in
            let fields: HTTPHeaders = [
                "ETag": "\"v1\"", "Cache-Control": "max-age=10", "X-Number": "\(number)",
            ]
            guard request.headers[.ifNoneMatch] == "\"v1\"" else {
                return HTTPResponse(.ok, headers: fields, body: HTTPBody("body"), to: request)
            }
            return HTTPResponse(.notModified, headers: fields, to: request)
        }
        try await origin.send()
        origin.clock.advance(by: .seconds(20))
        let renewed = try await origin.send()
        #expect(renewed.status == 200 && renewed.body == "body")
        #expect(renewed.headers["X-Number"] == "2")
        #expect(renewed.cacheStatus.last?.forwardStatus == .notModified)
        origin.clock.advance(by: .seconds(9))
        let hit = try await origin.send()
        #expect(hit.isHit && hit.headers["X-Number"] == "2" && hit.headers[.age] == "9")
        #expect(origin.count == 2 && origin.cache.statistics.revalidated == 1)
    }

    @Test func `a 304 for another entity tag is not believed`() async throws {
        let origin = CachedOrigin { request, _ in
            guard request.headers.contains(.ifNoneMatch) else {
                return HTTPResponse(
                    .ok, headers: ["ETag": "\"new\""], body: HTTPBody("whole"), to: request)
            }
            return HTTPResponse(.notModified, headers: ["ETag": "\"other\""], to: request)
        }
        try await origin.send()
        let second = try await origin.send()
        #expect(second.status == 200 && second.body == "whole")
        #expect(origin.count == 3)
        #expect(!origin.requests[2].headers.contains(.ifNoneMatch))
    }

    @Test func `an error after a 304 that was of no use says that there was a response`()
        async throws
    {
        let origin = CachedOrigin { request, number in
            switch number {
            case 1: return HTTPResponse(.ok, headers: ["ETag": "\"new\""], to: request)
            case 2: return HTTPResponse(.notModified, headers: ["ETag": "\"other\""], to: request)
            default: throw HTTPError(.cannotConnect, "refused", phase: .connecting)
            }
        }
        try await origin.send()
        let error = await #expect(throws: HTTPError.self) { try await origin.send() }
        #expect(origin.count == 3 && error?.code == .cannotConnect)
        #expect(error?.mayHaveReachedServer == true)
    }

    @Test func `the caller's preconditions and ranges pass by`() async throws {
        let origin = CachedOrigin(minute)
        try await origin.send()
        for fields: HTTPHeaders in [
            ["If-None-Match": "\"x\""], ["Range": "bytes=0-1, 3-4"], ["If-Modified-Since": "x"],
            ["Cache-Control": "no-store"],
        ] {
            #expect(try await origin.send(.get, "https://a.example/x", fields).forward == .bypass)
        }
        #expect(origin.count == 5)
        #expect(try await origin.send().body == "1")
    }

    // MARK: Directives of the request

    @Test func `a policy of the request is honoured`() async throws {
        let origin = CachedOrigin(minute)
        func send(_ policy: HTTPCachePolicy) async throws -> HTTPResponse {
            try await origin.session.response(for: origin.request().cachePolicy(policy))
        }
        let missing = try await send(.onlyStored)
        #expect(missing.status == .gatewayTimeout && origin.count == 0)
        try await origin.send()
        #expect(try await send(.onlyStored).status == .ok)
        #expect(try await send(.useProtocol).headers[.age] == "0")
        #expect(try await send(.reload).headers[.age] == nil)
        #expect(origin.requests.last?.headers[.cacheControl] == "no-cache")
        origin.clock.advance(by: .seconds(1_000))
        #expect(try await send(.preferStored).headers[.age] == "1000")
        #expect(try await send(.noStore).headers[.age] == nil)
        #expect(origin.count == 3)
    }

    @Test(arguments: [
        ("max-age=5", false), ("max-age=10", true), ("min-fresh=50", true),
        ("min-fresh=51", false), ("no-cache", false), ("max-age=5, max-stale=5", true),
    ])
    func `directives of the request are honoured at an age of 10 of 60 seconds`(
        directives: String, isHit: Bool
    ) async throws {
        let origin = CachedOrigin(minute)
        try await origin.send()
        origin.clock.advance(by: .seconds(10))
        let reply = try await origin.send(
            .get, "https://a.example/x", ["Cache-Control": .init(directives)])
        #expect(reply.isHit == isHit)
    }

    @Test(arguments: [
        ("only-if-cached", 200), ("only-if-cached, max-age=5", 504),
        ("only-if-cached, min-fresh=55", 504), ("only-if-cached, max-age=10", 200),
    ])
    func `only-if-cached keeps to the other limits`(directives: String, status: Int) async throws {
        let origin = CachedOrigin(minute)
        try await origin.send()
        origin.clock.advance(by: .seconds(10))
        let fields: HTTPHeaders = ["Cache-Control": .init(directives)]
        #expect(try await origin.send(.get, "https://a.example/x", fields).status == status)
        #expect(origin.count == 1)
    }

    @Test func `only-if-cached sends nothing, whatever the request`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-while-revalidate=600"])
        try await origin.send()
        origin.clock.advance(by: .seconds(20))
        let only: HTTPHeaders = ["Cache-Control": "only-if-cached"]
        #expect(try await origin.send(.get, "https://a.example/x", only).status == 504)
        #expect(try await origin.send(.post, "https://a.example/x", only).status == 504)
        var conditional = only
        conditional[.ifNoneMatch] = "\"1\""
        let reply = try await origin.send(.get, "https://a.example/x", conditional)
        #expect(reply.status == 504 && !reply.isHit && reply.forward == nil)
        let stale: HTTPHeaders = ["Cache-Control": "only-if-cached, max-stale=5"]
        #expect(try await origin.send(.get, "https://a.example/x", stale).status == 504)
        let staler: HTTPHeaders = ["Cache-Control": "only-if-cached, max-stale=15"]
        #expect(try await origin.send(.get, "https://a.example/x", staler).status == 200)
        #expect(origin.count == 1 && origin.cache.revalidationCount == 0)
    }

    @Test func `a call that asks again gets a response that was made after the first`()
        async throws
    {
        let origin = CachedOrigin(minute)
        let request = try origin.request()
        for expected in ["1", "2"] {
            let response = try await origin.session.response(for: request)
            #expect(try await response.body.collect() == Data(expected.utf8))
        }
        #expect(try await origin.send().body == "2")
    }

    @Test func `the limit of a buffered delivery holds for a hit`() async throws {
        let origin = CachedOrigin { request, _ in
            HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody("0123456789"),
                to: request)
        }
        try await origin.send()
        let request = try origin.request().delivery(.buffered(upTo: 5))
        let error = await #expect(throws: HTTPError.self) {
            _ = try await origin.session.attempt(request).get()
        }
        #expect(error?.code == .bodyTooLarge && origin.count == 1)
    }

    @Test func `an immutable response is not revalidated while it is fresh`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=60, immutable"])
        try await origin.send()
        origin.clock.advance(by: .seconds(59))
        let young: HTTPHeaders = ["Cache-Control": "max-age=0"]
        #expect(try await origin.send(.get, "https://a.example/x", young).isHit)
        let reload: HTTPHeaders = ["Cache-Control": "no-cache"]
        #expect(try await origin.send(.get, "https://a.example/x", reload).body == "2")
        origin.clock.advance(by: .seconds(60))
        #expect(try await origin.send(.get, "https://a.example/x", young).forward == .stale)
    }

    // MARK: Variants

    @Test func `variants are stored side by side`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=60", "Vary": "Accept-Language"])
        func send(_ language: String?) async throws -> CachedOrigin.Reply {
            try await origin.send(
                .get, "https://a.example/x", language.map { ["Accept-Language": $0] } ?? [:])
        }
        #expect(try await send("de").forward == .uriMiss)
        #expect(try await send("en").forward == .varyMiss)
        #expect(try await send(nil).forward == .varyMiss)
        #expect(try await send("DE").body == "1")
        #expect(try await send("en").body == "2")
        #expect(try await send(nil).body == "3")
        #expect(try await send("").body == "4")
    }

    // MARK: Invalidation

    @Test(arguments: [HTTPMethod.post, .put, .delete, .patch, HTTPMethod("M-SEARCH")])
    func `an unsafe method invalidates what it may have changed`(method: HTTPMethod) async throws {
        let origin = CachedOrigin { request, number in
            HTTPResponse(
                .ok,
                headers: [
                    "Cache-Control": "max-age=60", "Location": "/l",
                    "Content-Location": "https://other.example/y",
                ], body: HTTPBody("\(number)"), to: request)
        }
        let urls = ["https://a.example/x", "https://a.example/l", "https://other.example/y"]
        for url in urls { try await origin.send(.get, url) }
        try await origin.send(method)
        #expect(try await origin.send(.get, urls[0]).body == "5")
        #expect(try await origin.send(.get, urls[1]).body == "6")
        #expect(try await origin.send(.get, urls[2]).body == "3", "another origin has no say")
    }

    @Test func `an unsafe method invalidates for requests with other secrets, too`() async throws {
        let origin = CachedOrigin(minute)
        let cookie: HTTPHeaders = ["Cookie": "s=1"]
        try await origin.send(.get, "https://a.example/x", cookie)
        origin.clock.advance(by: .seconds(1))
        var post = cookie
        post["X-CSRF-Token"] = "t"
        try await origin.send(.post, "https://a.example/x", post)
        #expect(try await origin.send(.get, "https://a.example/x", cookie).body == "3")
        #expect(try await origin.send(.get, "https://a.example/x", cookie).body == "3")
    }

    @Test func `a failed unsafe method invalidates nothing`() async throws {
        let origin = CachedOrigin(minute)
        try await origin.send()
        origin.answering(.internalServerError, [:])
        try await origin.send(.post)
        #expect(try await origin.send().body == "1")
    }

    /// The server may have done what it was asked for, unless it certainly got no request.
    @Test(
        arguments: [
            (HTTPError(.connectionLost, "", phase: .waiting), true),
            (HTTPError(.timedOut, "", phase: .receiving), true),
            (HTTPError(.connectionLost, ""), true), (CancellationError(), true), (Failure(), true),
            (HTTPError(.cannotConnect, "", phase: .connecting), false),
            (HTTPError(.queueTimedOut, "", phase: .queued), false),
        ] as [(any Error, Bool)])
    func `an unsafe method without a response invalidates if it may have reached a server`(
        error: any Error, isInvalidated: Bool
    ) async throws {
        let origin = CachedOrigin(minute)
        try await origin.send()
        origin.clock.advance(by: .seconds(1))
        origin.answering { request, number in
            if request.method == .post { throw error }
            return HTTPResponse(.ok, body: HTTPBody("\(number)"), to: request)
        }
        await #expect(throws: (any Error).self) { try await origin.send(.post) }
        #expect(try await origin.send().body == (isInvalidated ? "3" : "1"))
    }

    private struct Failure: Error {}

    @Test func `a response requested before an invalidation is not stored after it`() async throws {
        let origin = CachedOrigin(minute)
        let (asked, open) = (Gate(), Gate())
        origin.answering { request, number in
            if request.method == .get, number == 1 {
                asked.open()
                try await open.wait()
            }
            return HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody("\(number)"),
                to: request)
        }
        async let early = origin.send()
        try await asked.wait()
        try await origin.send(.post)
        open.open()
        #expect(try await early.body == "1")
        #expect(try await origin.send().body == "3")
    }

    // MARK: HEAD

    @Test func `HEAD is served from a stored GET, and updates it`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=60", "ETag": "\"1\""])
        try await origin.send()
        let head = try await origin.send(.head)
        #expect(head.isHit && head.body.isEmpty)
        origin.clock.advance(by: .seconds(100))
        origin.answering(.ok, ["Cache-Control": "max-age=600", "ETag": "\"1\""])
        #expect(try await origin.send(.head).forward == .stale)
        #expect(try await origin.send().body == "1", "the HEAD response has renewed it")
        origin.clock.advance(by: .seconds(1_000))
        origin.answering(.ok, ["Cache-Control": "max-age=600", "ETag": "\"2\""])
        try await origin.send(.head)
        #expect(try await origin.send().forward == .uriMiss, "it was removed")
    }

    @Test(arguments: [
        ("ETag", "\"2\""), ("Last-Modified", "Sun, 06 Nov 1994 07:00:00 GMT"),
        ("Content-Length", "2"),
    ])
    func `a HEAD response that differs in one field removes the stored one`(
        name: String, value: String
    ) async throws {
        var fields: HTTPHeaders = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "1",
            "Last-Modified": "Sun, 06 Nov 1994 06:00:00 GMT",
        ]
        let origin = CachedOrigin(fields)
        try await origin.send()
        origin.clock.advance(by: .seconds(100))
        try await origin.send(.head)
        #expect(try await origin.send().isHit, "with the same fields it is renewed")
        origin.clock.advance(by: .seconds(100))
        try fields.set(HTTPHeaderName(name), value)
        origin.answering(.ok, fields)
        try await origin.send(.head)
        #expect(try await origin.send().forward == .uriMiss)
    }

    @Test func `HEAD without a tag or a date, or with no-store, renews nothing`() async throws {
        for (stored, head): (HTTPHeaders, HTTPHeaders) in [
            ([:], [:]), (["ETag": "\"1\""], [:]),
            (["ETag": "\"1\""], ["ETag": "\"1\"", "Cache-Control": "no-store"]),
        ] {
            var fields = stored
            fields[.cacheControl] = "max-age=10"
            let origin = CachedOrigin(fields)
            try await origin.send()
            origin.clock.advance(by: .seconds(20))
            var update: HTTPHeaders = ["Cache-Control": "max-age=600"]
            for field in head { update[field.name] = field.value }
            origin.answering(.ok, update)
            try await origin.send(.head)
            #expect(try await origin.send().body == "3")
        }
    }

    // MARK: What is told

    @Test func `events, timeline and statistics tell the same`() async throws {
        let origin = CachedOrigin(minute)
        let seen = CacheEvents()
        for _ in 1...2 {
            let request = try HTTPRequest(.get, "https://a.example/x")
                .beginningCall(observer: seen, clock: origin.clock)
            let response = try await origin.session.response(for: request)
            #expect(response.timeline.cacheStatuses == [seen.all.last])
            await response.discard()
        }
        #expect(seen.all.map(\.isHit) == [false, true])
        let numbers = origin.cache.statistics
        #expect(numbers.hits == 1 && numbers.misses == 1 && numbers.stored == 1)
        #expect(numbers.bytesStored == 1 && numbers.bytesServed == 1)
    }
}

final class CacheEvents: HTTPObserver {
    private let kept = Locked([HTTPCacheStatus]())

    var all: [HTTPCacheStatus] { kept.withLock { $0 } }

    func observe(_ event: HTTPEvent) {
        guard case .layer(let status as HTTPCacheStatus) = event.kind else { return }
        kept.withLock { $0.append(status) }
    }
}
