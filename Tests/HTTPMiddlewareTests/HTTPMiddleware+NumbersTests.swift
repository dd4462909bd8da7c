import HTTPCore
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

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
        // Without a limit, a circle is followed for as long as the server keeps it up.
        let hops = Locked(0)
        let circle = MockSession { request in
            let isOver = hops.withLock { hops in
                hops += 1
                return hops > 100
            }
            guard !isOver else { return HTTPResponse(.ok, to: request) }
            return HTTPResponse(.found, headers: [.location: "/"], to: request)
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

    // MARK: Limits

    @Test(arguments: Extremes.counts)
    func `rates, queues and leases are of any number`(count: Int) async throws {
        for period in Extremes.durations {
            let rates: [HTTPRate] = [
                .tokenBucket(count, per: period), .tokenBucket(1, per: period, burst: count),
                .slidingWindow(count, per: period),
            ]
            for rate in rates {
                try await send(RateLimit(rate, queue: count), to: slow)
                try await send(RateLimit(nil, bytes: rate), to: slow)
                try await send(
                    RateLimit(
                        rate,
                        sharing: RateLimit.Sharing(
                            HTTPMemoryRateStore(), lease: count, leaseTime: period)),
                    to: slow)
                let store = HTTPMemoryRateStore()
                for now in Extremes.durations {
                    let most = max(count, 1)
                    let request = HTTPRateRequest(
                        key: "k", rate: rate, units: min(count, 1)...most, patience: period,
                        now: HTTPInstant(sinceStart: now))
                    _ = await store.admit(request)
                    await store.refund(count, of: request)
                }
            }
        }
    }

    @Test(arguments: Extremes.durations)
    func `limits, leases and pauses last for any time`(duration: Duration) async throws {
        let rate = HTTPRate.tokenBucket(1, burst: 1)
        let server = MockSession { request in
            HTTPResponse(
                .tooManyRequests,
                headers: ["Retry-After": "1", "RateLimit": "\"a\";r=0;t=9"], to: request)
        }
        try await send(RateLimit(rate, timeout: duration), to: slow, deadline: duration)
        try await send(RateLimit(nil, longestReset: duration), to: server)
        let sharing = RateLimit.Sharing(
            HTTPMemoryRateStore(), lease: 3, leaseTime: duration, timeout: duration)
        try await send(RateLimit(rate, sharing: sharing), to: slow)
        try await send(OriginPause(limit: duration, timeout: duration), to: server)
        try await send(
            CircuitBreaker(
                slowAfter: duration, window: duration, minimum: 1, openTime: duration,
                longestOpenTime: duration), to: server)
        let shared = HTTPCredentialSharing(
            HTTPMemoryCredentialStore(clock: clock), leaseTime: duration, patience: duration,
            timeout: duration)
        try await send(
            RefreshingAuthentication(
                for: HTTPOrigin("https://h"), sharing: shared,
                obtaining: { _, _ in try .bearer("new") }), to: slow)
    }

    @Test(arguments: Extremes.factors)
    func `rates of failures, spreads and factors are of any number`(factor: Double) async throws {
        let server = MockSession { request in
            HTTPResponse(.serviceUnavailable, headers: ["Retry-After": "1"], to: request)
        }
        try await send(
            CircuitBreaker(
                failureRate: factor, slowRate: factor, slowAfter: .zero, minimum: 1,
                jitter: factor), to: server)
        let pause = OriginPause(spread: factor)
        try await send(pause, to: server)
        _ = pause.underWay(on: clock)
        for count in Extremes.counts {
            let adaptive = AdaptiveLimit(
                initial: count, bounds: min(count, 1)...max(count, 1), tolerance: factor,
                backoff: factor)
            try await send(ConcurrencyLimit(adaptive: adaptive, total: count, queue: 3), to: server)
            try await send(CircuitBreaker(minimum: count, probes: count), to: server)
        }
    }

    @Test func `a store may decide anything`() async throws {
        for units in [Int.min, -1, 0, 1, 2, 1 << 41, .max] {
            for wait in Extremes.durations {
                for decision in [
                    HTTPRateAdmission.admitted(units: units, after: wait),
                    .refused(retryAfter: wait),
                ] {
                    for lease in [0, 5, Int.max] {
                        let sharing = RateLimit.Sharing(
                            AnyStore(decision: decision), lease: lease, whenStoreFails: .admit)
                        try await send(
                            RateLimit(
                                .tokenBucket(2), bytes: .tokenBucket(1), timeout: .seconds(5),
                                sharing: sharing), to: slow)
                    }
                }
            }
        }
    }

    private struct AnyStore: HTTPRateStore {
        let decision: HTTPRateAdmission

        func admit(_ request: HTTPRateRequest) async throws -> HTTPRateAdmission { decision }
        func refund(_ units: Int, of request: HTTPRateRequest) async throws {}
    }

    @Test func `other processes may announce any pause`() async throws {
        for key in TextInputs.keys {
            let store = HTTPMemoryPauseStore()
            let pause = OriginPause(
                timeout: .zero, key: .custom { _ in key }, store: store, clock: clock)
            for duration in Extremes.durations {
                await store.announce(HTTPPause(key: "pause:\(key)", timeLeft: duration))
            }
            while pause.statistics.announced == 0 { await Task.yield() }
            let underWay = pause.underWay(on: clock)
            #expect(underWay.keys.map { Array($0.utf8) } == [Array(key.utf8)])
            #expect(underWay.values.allSatisfy { $0 <= .seconds(300) })
        }
    }

    /// Keys that a program may choose, such as the names of accounts.
    private enum TextInputs {
        static let keys = [
            "", "a", "\u{301}", "\u{301}a", "e\u{301}", "\u{200D}x", "\u{1F1E6}\u{1F1E7}", "\r\n",
            "\n", ":", "::", "pause:", "\u{0}", "\u{FE0F}\u{20E3}", "\u{1F3FD}",
        ]
    }

    @Test func `the paused keys are those of the program, whatever they begin with`() async throws {
        let server = MockSession { request in
            HTTPResponse(.serviceUnavailable, headers: ["Retry-After": "9"], to: request)
        }
        for name in ["pause", "", "e", "\u{301}", "\r"] {
            let pause = OriginPause(timeout: .zero, name: name, key: .custom { $0.tenant })
            for key in TextInputs.keys {
                let request = try HTTPRequest(.get, "https://h/").tenant(key)
                    .beginningCall(clock: clock)
                _ = try await server.with(pause).response(for: request)
            }
            let found = Set(pause.underWay(on: clock).keys.map { Array($0.utf8) })
            #expect(found == Set(TextInputs.keys.map { Array($0.utf8) }))
        }
    }

    @Test func `a server may report any limit`() async throws {
        let numbers = [
            "-9223372036854775809", "-1", "0", "1", "9223372036854775807", "9223372036854775808",
            "18446744073709551616", "999999999999999", "1800000000000000", "1e400", "nan", ".",
            String(repeating: "9", count: 400),
        ]
        for left in numbers {
            for reset in numbers {
                let fields: [HTTPHeaders] = [
                    ["X-RateLimit-Remaining": left, "X-RateLimit-Reset": reset],
                    ["RateLimit-Remaining": left, "RateLimit-Reset-After": reset],
                    ["RateLimit": "\"a\";r=\(left);t=\(reset)"],
                    ["RateLimit": "remaining=\(left), reset=\(reset), limit=\(left)"],
                    [
                        "RateLimit": "\"a\";r=\(left)",
                        "RateLimit-Policy": "\"a\";q=\(left);w=\(reset);qu=\"content-bytes\"",
                    ],
                ]
                for headers in fields {
                    let server = MockSession { request in
                        HTTPResponse(.ok, headers: headers, body: HTTPBody("text"), to: request)
                    }
                    try await send(
                        RateLimit(.tokenBucket(9), bytes: .tokenBucket(9), timeout: .seconds(1e6)),
                        to: server)
                }
            }
        }
    }

    @Test(arguments: Extremes.durations)
    func `a credential has any life`(duration: Duration) async throws {
        for life in ["-1", "0", "1", "0.1", "9223372036854775808", "1e300", "\"99\"", "null"] {
            let server = MockSession { request in
                HTTPResponse(
                    .ok,
                    body: HTTPBody(
                        "{\"access_token\":\"t\",\"token_type\":\"bearer\","
                            + "\"expires_in\":\(life)}"),
                    to: request)
            }
            let credentials = try OAuthClientCredentials(
                tokenEndpoint: "https://login/", clientID: "a", clientSecret: "b")
            try await send(
                RefreshingAuthentication(
                    for: HTTPOrigin("https://h"), clientCredentials: credentials, leeway: duration,
                    timeout: duration), to: server)
        }
    }
}
