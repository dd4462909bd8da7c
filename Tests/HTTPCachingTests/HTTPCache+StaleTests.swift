import HTTPCaching
import HTTPCore
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPCacheStaleTests {
    private func failing(_ number: Int) -> HTTPError {
        HTTPError(.cannotConnect, "no connection \(number)")
    }

    // MARK: stale-if-error

    @Test func `a stale response takes the place of an error, for as long as it may`() async throws
    {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-if-error=60"])
        try await origin.send()
        origin.answering { _, number in throw HTTPError(.cannotConnect, "no connection \(number)") }
        origin.clock.advance(by: .seconds(70))
        let stale = try await origin.send()
        #expect(
            stale.body == "1" && stale.detail == "stale-if-error" && stale.headers[.age] == "70")
        origin.clock.advance(by: .milliseconds(1))
        await #expect(throws: HTTPError.self) { try await origin.send() }
        #expect(origin.cache.statistics.staleHits == 1)
    }

    @Test(arguments: [500, 502, 503, 504, 501, 404])
    func `a server error is replaced, another status is not`(code: Int) async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-if-error=60"])
        try await origin.send()
        origin.clock.advance(by: .seconds(20))
        origin.answering(try #require(HTTPStatus(code: code)), [:])
        let reply = try await origin.send()
        #expect(reply.status == ([500, 502, 503, 504].contains(code) ? 200 : code))
    }

    @Test(arguments: [
        "max-age=10", "max-age=10, stale-if-error=60, must-revalidate",
        "max-age=10, stale-if-error=60, no-cache",
    ])
    func `a stale response is not used without permission`(control: String) async throws {
        let origin = CachedOrigin(["Cache-Control": .init(control), "ETag": "\"1\""])
        try await origin.send()
        origin.clock.advance(by: .seconds(20))
        origin.answering(.serviceUnavailable, [:])
        #expect(try await origin.send().status == 503)
        #expect(
            try await origin.send(.get, "https://a.example/x", ["Cache-Control": "no-cache"])
                .status == 503)
    }

    @Test func `a fresh response does not replace an error without permission`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=600"])
        try await origin.send()
        origin.answering(.serviceUnavailable, [:])
        let young: HTTPHeaders = ["Cache-Control": "max-age=0"]
        origin.clock.advance(by: .seconds(1))
        #expect(try await origin.send(.get, "https://a.example/x", young).status == 503)
        let permitted: HTTPHeaders = ["Cache-Control": "max-age=0, stale-if-error=60"]
        #expect(try await origin.send(.get, "https://a.example/x", permitted).status == 200)
    }

    @Test(arguments: [
        (HTTPError.Code.connectionLost, true), (.timedOut, true), (.invalidRequest, false),
        (.serverNotTrusted, false), (.refreshFailed, false), (.bodyTooLarge, false),
    ])
    func `an error of the program or of a login is not hidden`(code: HTTPError.Code, isHidden: Bool)
        async throws
    {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-if-error=60"])
        try await origin.send()
        origin.clock.advance(by: .seconds(20))
        origin.answering { _, _ in throw HTTPError(code, "test") }
        let status = try? await origin.send().status
        #expect((status == 200) == isHidden)
    }

    @Test func `the request can give the permission`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=10"])
        try await origin.send()
        origin.clock.advance(by: .seconds(20))
        origin.answering(.serviceUnavailable, [:])
        let fields: HTTPHeaders = ["Cache-Control": "stale-if-error=10"]
        #expect(try await origin.send(.get, "https://a.example/x", fields).status == 200)
    }

    // MARK: stale-while-revalidate

    @Test func `a stale response is served while one task revalidates it`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-while-revalidate=60"])
        try await origin.send()
        let (asked, open) = (Gate(), Gate())
        origin.answering { request, number in
            asked.open()
            try await open.wait()
            return HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=10"], body: HTTPBody("\(number)"),
                to: request)
        }
        origin.clock.advance(by: .seconds(20))
        for _ in 1...5 {
            let reply = try await origin.send()
            #expect(reply.body == "1" && reply.detail == "stale-while-revalidate")
        }
        try await asked.wait()
        #expect(origin.count == 2 && origin.cache.statistics.backgroundRevalidations == 1)
        open.open()
        while origin.cache.statistics.stored < 2 { await Task.yield() }
        #expect(try await origin.send().body == "2")
        #expect(origin.count == 2)
    }

    @Test func `a revalidation in the background that hangs makes no request wait`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-while-revalidate=60"])
        try await origin.send()
        let (asked, open) = (Gate(), Gate())
        origin.answering { request, number in
            if number == 2 {
                asked.open()
                try await open.wait()
            }
            return HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=10"], body: HTTPBody("\(number)"),
                to: request)
        }
        origin.clock.advance(by: .seconds(20))
        #expect(try await origin.send().body == "1")
        try await asked.wait()
        origin.clock.advance(by: .seconds(60))
        #expect(try await origin.send().body == "3")
        let limits = origin.requests[1].timeouts
        #expect(limits.connect == .after(.seconds(10)) && limits.idle == .after(.seconds(60)))
        open.open()
    }

    @Test func `a revalidation in the background does not count as a request`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-while-revalidate=60"])
        try await origin.send()
        origin.clock.advance(by: .seconds(20))
        try await origin.send()
        while origin.cache.revalidationCount > 0 { await Task.yield() }
        let numbers = origin.cache.statistics
        #expect(numbers.misses == 1 && numbers.staleHits == 1 && numbers.hits == 0)
        #expect(numbers.stored == 2 && numbers.bytesServed == 1)
    }

    @Test func `the window of stale-while-revalidate ends`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-while-revalidate=60"])
        try await origin.send()
        origin.clock.advance(by: .seconds(70))
        #expect(try await origin.send().body == "2")
    }

    @Test func `a revalidation in the background outlives its caller`() async throws {
        let origin = CachedOrigin(["Cache-Control": "max-age=10, stale-while-revalidate=60"])
        try await origin.send()
        origin.clock.advance(by: .seconds(20))
        let task = Task {
            try await HTTPDeadline.within(.seconds(1), clock: origin.clock) {
                _ = try await origin.send()
            }
        }
        try await task.value
        task.cancel()
        while origin.cache.statistics.stored < 2 { await Task.yield() }
        #expect(try await origin.send().body == "2")
    }
}
