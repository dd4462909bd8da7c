import HTTPCaching
import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPCacheCollapsingTests {
    /// An origin that answers when the gate is open.
    private func held(
        _ fields: HTTPHeaders, _ asked: Gate, _ open: Gate
    ) -> CachedOrigin {
        CachedOrigin { request, number in
            asked.open()
            try await open.wait()
            return HTTPResponse(.ok, headers: fields, body: HTTPBody("\(number)"), to: request)
        }
    }

    @Test func `requests at the same time are sent once if the response may be stored`()
        async throws
    {
        let (asked, open) = (Gate(), Gate())
        let origin = held(["Cache-Control": "max-age=60"], asked, open)
        let tasks = (0..<20).map { _ in Task { try await origin.send() } }
        try await asked.wait()
        while origin.cache.waiterCount < 19 { await Task.yield() }
        open.open()
        var collapsed = 0
        for task in tasks {
            let reply = try await task.value
            #expect(reply.body == "1")
            if reply.cacheStatus.last?.isCollapsed == true { collapsed += 1 }
        }
        #expect(collapsed == 19 && origin.count == 1)
        #expect(origin.cache.statistics.hits == 19)
        #expect(origin.cache.statistics.collapsed == 19)
    }

    @Test func `a response that is not stored is never shared`() async throws {
        let (asked, open) = (Gate(), Gate())
        let origin = held(["Cache-Control": "no-store"], asked, open)
        let tasks = (0..<10).map { _ in Task { try await origin.send() } }
        try await asked.wait()
        open.open()
        var bodies: Set<String> = []
        for task in tasks { bodies.insert(try await task.value.body) }
        #expect(bodies.count == 10 && origin.count == 10)
    }

    @Test func `when the leading caller is cancelled, a waiting one leads`() async throws {
        let (asked, open) = (Gate(), Gate())
        let origin = held(["Cache-Control": "max-age=60"], asked, open)
        let leader = Task { try await origin.send() }
        try await asked.wait()
        let others = (0..<5).map { _ in Task { try await origin.send() } }
        while origin.cache.waiterCount < 5 { await Task.yield() }
        leader.cancel()
        await #expect(throws: CancellationError.self) { try await leader.value }
        while origin.count < 2 { await Task.yield() }
        open.open()
        for task in others { #expect(try await task.value.body == "2") }
        #expect(origin.count == 2)
    }

    @Test func `a waiting caller leaves at its deadline`() async throws {
        let (asked, open) = (Gate(), Gate())
        let origin = held(["Cache-Control": "max-age=60"], asked, open)
        let leader = Task { try await origin.send() }
        try await asked.wait()
        let waiting = Task {
            var request = try HTTPRequest(.get, "https://a.example/x")
            request.deadline = origin.clock.now + .seconds(3)
            return try await origin.session.response(
                for: request.beginningCall(clock: origin.clock))
        }
        try await origin.clock.waitForSleepers(1)
        origin.clock.advance(by: .seconds(3))
        let error = await #expect(throws: HTTPError.self) { _ = try await waiting.value }
        #expect(error?.code == .timedOut)
        open.open()
        #expect(try await leader.value.body == "1")
    }

    @Test func `the next burst for a response that is not stored does not wait`() async throws {
        let origin = CachedOrigin(["Cache-Control": "no-store"])
        try await origin.send()
        let (asked, open) = (Gate(), Gate())
        origin.answering { request, number in
            asked.open()
            try await open.wait()
            return HTTPResponse(
                .ok, headers: ["Cache-Control": "no-store"], body: HTTPBody("\(number)"),
                to: request)
        }
        let tasks = (0..<5).map { _ in Task { try await origin.send() } }
        while origin.count < 6 { await Task.yield() }
        open.open()
        for task in tasks { _ = try await task.value }
        #expect(origin.count == 6)
    }

    @Test func `a request within the request that leads does not wait for it`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=60"])
        let session = origin.mock.with(origin.cache, Nesting(origin: origin))
        let response = try await session.response(for: origin.request())
        #expect(try await response.body.collect().count == 1)
        #expect(origin.count == 2)
    }

    /// Asks for the same URL through the same cache before each exchange.
    private struct Nesting: HTTPClientMiddleware {
        let origin: CachedOrigin

        func intercept(
            _ request: HTTPRequest, next: any HTTPSession
        ) async throws -> HTTPResponse {
            _ = try await origin.send()
            return try await next.response(for: request)
        }
    }

    @Test func `requests that fail do not take others with them`() async throws {
        let (asked, open) = (Gate(), Gate())
        let origin = CachedOrigin { request, number in
            guard number == 1 else {
                return HTTPResponse(
                    .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody("\(number)"),
                    to: request)
            }
            asked.open()
            try await open.wait()
            throw HTTPError(.connectionLost, "lost")
        }
        let leader = Task { try await origin.send() }
        try await asked.wait()
        let other = Task { try await origin.send() }
        while origin.cache.waiterCount < 1 { await Task.yield() }
        open.open()
        await #expect(throws: HTTPError.self) { try await leader.value }
        #expect(try await other.value.body == "2")
    }

    @Test(arguments: ["memory", "disk"])
    func `64 tasks on 8 keys get responses of their key, user and time`(kind: String) async throws {
        let folder = try DownloadFolder()
        let store: any HTTPCacheStore =
            kind == "memory"
            ? HTTPMemoryCacheStore(limit: 1 << 20)
            : try HTTPDiskCacheStore(folder: folder.file("cache"), limit: 1 << 20)
        let origin = CachedOrigin(store: store) { request, number in
            let user = request.headers[.authorization] ?? ""
            let controls = [
                "max-age=1", "max-age=60", "no-store", "max-age=1, stale-while-revalidate=60",
            ]
            return HTTPResponse(
                .ok,
                headers: [
                    "Cache-Control": .init(controls[number % controls.count]),
                    "ETag": .init("\"\(number % 3)\""),
                ], body: HTTPBody("\(request.url.path) \(user)"), to: request)
        }
        let rounds = TestCounts.isFull ? 200 : 20
        try await withThrowingTaskGroup { group in
            for task in 0..<64 {
                group.addTask {
                    var random = SeededRandom(UInt64(task))
                    for _ in 0..<rounds {
                        let path = "/\(Int.random(in: 0..<8, using: &random))"
                        let user = ["", "ann"][Int.random(in: 0..<2, using: &random)]
                        let method: HTTPMethod =
                            Int.random(in: 0..<20, using: &random) == 0 ? .post : .get
                        let reply = try await origin.send(
                            method, "https://a.example\(path)",
                            user.isEmpty ? [:] : ["Authorization": .init(user)])
                        #expect(reply.body == "\(path) \(user)")
                        origin.clock.advance(by: .milliseconds(50))
                    }
                }
            }
            try await group.waitForAll()
        }
        while origin.cache.revalidationCount > 0 { await Task.yield() }
        #expect(origin.cache.waiterCount == 0)
        let numbers = origin.cache.statistics
        #expect(numbers.hits > 0 && numbers.storeFailures == 0)
        let counted =
            numbers.hits + numbers.staleHits + numbers.revalidated + numbers.misses
            + numbers.bypassed
        #expect(counted == 64 * rounds)
    }

    @Test func `another partition does not wait`() async throws {
        let (asked, open) = (Gate(), Gate())
        let origin = held(["Cache-Control": "max-age=60"], asked, open)
        let tasks = ["a", "b"].map { user in
            Task {
                try await origin.send(
                    .get, "https://a.example/x", ["Authorization": "Bearer \(user)"])
            }
        }
        while origin.count < 2 { await Task.yield() }
        open.open()
        var bodies: Set<String> = []
        for task in tasks { bodies.insert(try await task.value.body) }
        #expect(bodies == ["1", "2"])
    }
}
