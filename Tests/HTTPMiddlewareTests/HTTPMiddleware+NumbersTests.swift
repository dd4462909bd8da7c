import HTTPCore
import HTTPMiddleware
import HTTPTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Uses every public number of the target at the edges of its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPMiddlewareNumbersTests {
    private let clock = HTTPTestClock()

    /// Sends three requests at once through `layer`, whatever becomes of them.
    private func send(
        _ layer: any HTTPClientMiddleware, to session: any HTTPSession, deadline: Duration? = nil
    ) async throws {
        let request = try HTTPRequest(.get, "https://h/")
        try await Extremes.run(on: clock) { [clock] in
            await withDiscardingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask {
                        var request = request
                        request.deadline = deadline.map { clock.now + $0 }
                        guard let own = try? request.beginningCall(clock: clock) else { return }
                        _ = try? await session.with(layer).response(for: own).data()
                    }
                }
            }
        }
    }

    private var slow: MockSession {
        MockSession { [clock] request in
            try await clock.sleep(for: .seconds(1))
            return HTTPResponse(.ok, body: HTTPBody("text"), to: request)
        }
    }

    @Test(arguments: Extremes.durations)
    func `permits, shared answers and logs last for any time`(duration: Duration) async throws {
        for deadline in [nil, duration] {
            try await send(
                ConcurrencyLimit(perOrigin: 1, total: 1, timeout: duration), to: slow,
                deadline: deadline)
            try await send(Coalescing(limit: duration), to: slow, deadline: deadline)
        }
        let long = MockSession { [clock] request in
            try await clock.sleep(for: duration)
            return HTTPResponse(.ok, body: HTTPBody("text"), to: request)
        }
        for level in [HTTPLogging.Level.none, .basic, .headers, .body] {
            try await send(HTTPLogging(level) { _ in }, to: long)
        }
    }

    @Test(arguments: Extremes.counts)
    func `permits, logs and hops count to any number`(count: Int) async throws {
        try await send(ConcurrencyLimit(perOrigin: count, total: count, queue: count), to: slow)
        try await send(ConcurrencyLimit(perOrigin: 1, total: 1, queue: count), to: slow)
        try await send(HTTPLogging(.body, bodyLimit: count) { _ in }, to: slow)
        let circle = MockSession { request in
            HTTPResponse(.found, headers: [.location: "/"], to: request)
        }
        try await send(Redirects(limit: count), to: circle)
        let request = try HTTPRequest(.get, "https://h/")
        let head = HTTPResponse(.found, headers: [.location: "/x"], to: request).head
        _ = try Redirection(head, to: request, index: count)
        let file = NetrcFile("/no/such/file", ports: [count])
        #expect(try file.credentials(for: HTTPOrigin("https://h:444")) == nil)
    }

    @Test(arguments: Extremes.durations)
    func `a redirect waits for any time`(longest: Duration) async throws {
        for wait in ["0", "1", "2147483648", "99999999999999999999", "-1"] {
            let count = Locked(0)
            let session = MockSession { request in
                let isFirst = count.withLock { count in
                    count += 1
                    return count % 2 == 1
                }
                guard isFirst else { return HTTPResponse(.ok, to: request) }
                return HTTPResponse(
                    .found, headers: [.location: "/x", .retryAfter: wait], to: request)
            }
            try await send(Redirects(longestWait: longest), to: session)
        }
    }

    @Test(arguments: Extremes.durations)
    func `a refresh has any leeway, window and time`(duration: Duration) async throws {
        let origin = try HTTPOrigin("https://h")
        for count in Extremes.counts {
            for expiry in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .nan)] {
                let authentication = RefreshingAuthentication(
                    for: origin, credential: try .bearer("old", expiry: expiry), leeway: duration,
                    window: RefreshWindow(limit: count, within: duration), timeout: duration,
                    obtaining: { _, _ in try .bearer("new", expiry: expiry) })
                try await send(authentication, to: slow)
            }
        }
    }
}
