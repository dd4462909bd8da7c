import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

#if os(Linux)
    @testable import HTTPTransportCurl
#endif

/// Every time that a server can ask for, in every layer that grants one: a wait, or the time for
/// which something that it has said holds. None is longer than its limit, whatever the server says.
@Suite(.timeLimit(.minutes(5))) struct ServerTimeLayersTests {
    /// A layer, what a server says to it, and the longest time for which it does so.
    struct Case: Sendable, CustomTestStringConvertible {
        let layer: String
        let limit: Duration
        /// The words of the server, and the expected time, which is at most the limit.
        let times: [(said: String, granted: Duration)]
        let measure: @Sendable (String, HTTPTestClock) async throws -> Duration

        var testDescription: String { layer }
    }

    private static let minute = Duration.seconds(60)
    private static let pause = Duration.seconds(300)
    private static let year = Duration.seconds(365 * 86_400)
    private static let decade = Duration.seconds(3650 * 86_400)

    /// The texts of `delta-seconds`, with the time that a layer with this limit grants.
    private static func seconds(
        _ limit: Int, isRefusedBeyond: Bool = false
    ) -> [(String, Duration)] {
        let beyond = isRefusedBeyond ? Duration.zero : .seconds(limit)
        return [
            ("0", .zero), ("1", .seconds(1)), ("\(limit - 1)", .seconds(limit - 1)),
            ("\(limit)", .seconds(limit)), ("\(limit + 1)", beyond), ("2147483647", beyond),
            ("2147483648", beyond), ("9223372036854775808", beyond),
            (String(repeating: "9", count: 400), beyond), ("-1", .zero),
        ]
    }

    /// Resets as services write them: seconds, or a date in any unit.
    private static var resets: [(String, Duration)] {
        let now = Int(HTTPTestClock.standardDate.timeIntervalSince1970)
        // The dates of the test clock have too few digits for most units.
        let later = 1_800_000_000
        return [
            ("0", .zero), ("10", .seconds(10)), ("299.5", .seconds(299.5)), ("300", pause),
            ("301", pause), ("999999999", pause), ("\(now)", pause), ("\(later)", pause),
            ("\(later)000", pause), ("\(later)000000", pause), ("\(later)000000000", pause),
            (String(repeating: "9", count: 400), pause), ("-1", .zero),
            ("-9223372036854775808", .zero), ("nan", .zero), ("1e999", .zero),
        ]
    }

    /// Runs `body`, and advances the clock to each next deadline, except to those of requests that
    /// would give up: they come first if another task is late to sleep.
    private static func advancing<Result: Sendable>(
        _ clock: HTTPTestClock, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let time = Task {
            while true {
                try await clock.waitForSleepers(1)
                if let next = clock.nextDeadline, next - clock.now < patient.scaled(by: 0.5) {
                    clock.advance(to: next)
                }
                await Task.yield()
            }
        }
        defer { time.cancel() }
        return try await body()
    }

    /// Returns the time until a second request is sent, after a first one whose response says
    /// something.
    private static func timeToSecond(
        _ clock: HTTPTestClock, _ headers: HTTPHeaders, status: HTTPStatus = .ok,
        over layer: any HTTPClientMiddleware
    ) async throws -> Duration {
        let count = Locked(0)
        let session = MockSession { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst
                ? HTTPResponse(status, headers: headers, to: request)
                : HTTPResponse(.ok, to: request)
        }.with(layer)
        return try await advancing(clock) {
            for _ in 0..<2 {
                let request = try HTTPRequest(.get, "http://h/").beginningCall(clock: clock)
                _ = try await session.response(for: request)
            }
            return clock.now.sinceStart
        }
    }

    /// Returns the time that one call takes whose first response says something.
    private static func timeOfCall(
        _ clock: HTTPTestClock, _ headers: HTTPHeaders, status: HTTPStatus, client: HTTPClient
    ) async throws -> Duration {
        try await advancing(clock) {
            _ = try? await client.get("http://h/").response()
            return clock.now.sinceStart
        }
    }

    private static func client(
        _ clock: HTTPTestClock, _ headers: HTTPHeaders, status: HTTPStatus,
        configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) -> HTTPClient {
        let count = Locked(0)
        let mock = MockSession { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst
                ? HTTPResponse(status, headers: headers, to: request)
                : HTTPResponse(.ok, to: request)
        }
        return HTTPClient(transport: mock) {
            $0.clock = clock
            configure(&$0)
        }
    }

    /// Returns the time for which `isStillValid` holds, looked for between zero and far beyond any
    /// limit.
    private static func validity(
        upTo candidates: [Duration], _ isStillValid: (Duration) async throws -> Bool
    ) async throws -> Duration {
        var longest = Duration.zero
        for time in candidates where try await isStillValid(time) { longest = max(longest, time) }
        return longest
    }

    private static let patient = Duration.seconds(1e15)

    static let cases: [Case] = {
        let cases: [Case] = [
            Case(layer: "RateLimit, X-RateLimit-Reset", limit: pause, times: resets) {
                try await timeToSecond(
                    $1, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": $0],
                    over: RateLimit(nil, timeout: patient))
            },
            Case(layer: "RateLimit, RateLimit-Reset-After", limit: pause, times: seconds(300)) {
                try await timeToSecond(
                    $1, ["RateLimit-Remaining": "0", "RateLimit-Reset-After": $0],
                    over: RateLimit(nil, timeout: patient))
            },
            Case(
                layer: "RateLimit, RateLimit", limit: pause,
                times: [
                    ("0", .zero), ("10", .seconds(10)), ("300", pause), ("301", pause),
                    ("999999999", pause), ("999999999999999", pause),
                ]
            ) {
                try await timeToSecond(
                    $1, ["RateLimit": "\"a\";r=0;t=\($0)"], over: RateLimit(nil, timeout: patient))
            },
            Case(
                layer: "RateLimit, RateLimit-Policy", limit: pause,
                times: [("10", .seconds(10)), ("999999999999999", pause)]
            ) {
                try await timeToSecond(
                    $1, ["RateLimit": "\"a\";r=0", "RateLimit-Policy": "\"a\";q=1;w=\($0)"],
                    over: RateLimit(nil, timeout: patient))
            },
            Case(
                layer: "RateLimit, with its own limit", limit: .seconds(20),
                times: [("19", .seconds(19)), ("999999999", .seconds(20))]
            ) {
                try await timeToSecond(
                    $1, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": $0],
                    over: RateLimit(nil, timeout: patient, longestReset: .seconds(20)))
            },
            Case(layer: "OriginPause, Retry-After", limit: pause, times: seconds(300)) {
                try await timeToSecond(
                    $1, [.retryAfter: $0], status: .serviceUnavailable,
                    over: OriginPause(timeout: patient, spread: 0))
            },
            Case(
                layer: "OriginPause, a date", limit: pause,
                times: [
                    ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)),
                    ("Fri, 31 Dec 9999 23:59:59 GMT", pause),
                    ("Sat, 01 Jan 0000 00:00:00 GMT", .zero),
                ]
            ) {
                try await timeToSecond(
                    $1, [.retryAfter: $0], status: .serviceUnavailable,
                    over: OriginPause(timeout: patient, spread: 0))
            },
            Case(
                layer: "Retry, Retry-After", limit: minute,
                times: seconds(60, isRefusedBeyond: true)
            ) { text, clock in
                var policy = RetryPolicy.standard
                policy.backoff = .constant(.zero)
                return try await timeOfCall(
                    clock, [:], status: .ok,
                    client: client(clock, [.retryAfter: text], status: .serviceUnavailable) {
                        $0.retry = policy
                    })
            },
            Case(
                layer: "HTTPDefaultValidator, Retry-After", limit: minute,
                times: [
                    ("0", .seconds(3)), ("10", .seconds(10)), ("60", minute), ("61", .zero),
                    ("2147483648", .zero), (String(repeating: "9", count: 400), .zero),
                ]
            ) { text, clock in
                let client = client(clock, [.retryAfter: text], status: .tooManyRequests)
                return try await advancing(clock) {
                    _ = try? await client.get("http://h/").maxRetries(1).response()
                    return clock.now.sinceStart
                }
            },
            Case(
                layer: "Redirects, Retry-After", limit: minute,
                times: seconds(60, isRefusedBeyond: true)
            ) { text, clock in
                try await timeOfCall(
                    clock, [:], status: .found,
                    client: client(clock, [.location: "/x", .retryAfter: text], status: .found))
            },
            Case(
                layer: "HTTPEventSource, retry", limit: minute,
                times: [
                    ("0", .seconds(0.5)), ("499", .seconds(0.5)), ("1500", .seconds(1.5)),
                    ("60000", minute), ("60001", minute), ("9223372036854775808", minute),
                    (String(repeating: "9", count: 400), minute), ("-1", .seconds(3)),
                    ("x", .seconds(3)),
                ]
            ) { text, clock in
                let count = Locked(0)
                let mock = MockSession { request in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    guard number == 1 else { return HTTPResponse(.noContent, to: request) }
                    return HTTPResponse(
                        .ok, headers: [.contentType: "text/event-stream"],
                        body: HTTPBody("retry: \(text)\n\n"), to: request)
                }
                return try await advancing(clock) {
                    var options = HTTPEventSourceOptions()
                    options.clock = clock
                    for try await _ in try mock.events(from: "http://h/", options: options) {}
                    return clock.now.sinceStart
                }
            },
            Case(
                layer: "HTTPEventSource, Retry-After", limit: minute,
                times: [
                    ("0", .seconds(3)), ("7", .seconds(7)), ("60", minute), ("61", minute),
                    (String(repeating: "9", count: 400), minute), ("x", .seconds(3)),
                ]
            ) { text, clock in
                let count = Locked(0)
                let mock = MockSession { request in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    switch number {
                    case 1:
                        return HTTPResponse(
                            .ok, headers: [.contentType: "text/event-stream"],
                            body: HTTPBody("data: a\n\n"), to: request)
                    case 2:
                        return HTTPResponse(
                            .serviceUnavailable, headers: [.retryAfter: text], to: request)
                    default: return HTTPResponse(.noContent, to: request)
                    }
                }
                return try await advancing(clock) {
                    var options = HTTPEventSourceOptions()
                    options.clock = clock
                    for try await _ in try mock.events(from: "http://h/", options: options) {}
                    // Without the wait after the stream.
                    return clock.now.sinceStart - .seconds(3)
                }
            },
            Case(layer: "HTTPCache, max-age", limit: year, times: lives) { text, clock in
                try await validity(upTo: candidates) { time in
                    try await isStillStored(["Cache-Control": "max-age=\(text)"], after: time)
                }
            },
            Case(
                layer: "HTTPCache, Expires", limit: year,
                times: [
                    ("Sun, 06 Nov 1994 08:49:38 GMT", .seconds(1)),
                    ("Fri, 31 Dec 9999 23:59:59 GMT", year),
                ]
            ) { text, clock in
                try await validity(upTo: candidates) { time in
                    try await isStillStored([.expires: text], after: time)
                }
            },
            Case(
                layer: "HTTPCache, stale-while-revalidate", limit: year,
                times: [("10", .seconds(9)), ("2147483648", year), ("99999999999", year)]
            ) { text, clock in
                // The time begins after that of freshness.
                try await validity(upTo: [.seconds(9), year - .seconds(1), year, year * 2]) {
                    try await isStillStored(
                        ["Cache-Control": "max-age=1, stale-while-revalidate=\(text)"],
                        after: $0 + .seconds(1))
                }
            },
            Case(
                layer: "OAuth, expires_in", limit: decade,
                times: [
                    ("10", .seconds(10)), ("315360000", decade), ("315360001", decade),
                    ("9223372036854775808", decade), ("1e300", decade),
                ]
            ) { text, clock in
                try await validity(upTo: [.seconds(10), decade, .seconds(1e9)]) { time in
                    try await isStillIssued(text, after: time)
                }
            },
            Case(
                layer: "Cookies, Max-Age", limit: .seconds(400 * 86_400),
                times: [
                    ("10", .seconds(10)), ("34560000", .seconds(400 * 86_400)),
                    ("34560001", .seconds(400 * 86_400)),
                    ("9223372036854775808", .seconds(400 * 86_400)), ("-1", .zero),
                ]
            ) { text, clock in
                let ends: [Duration] = [.seconds(10), .seconds(400 * 86_400), .seconds(1e9)]
                return try await validity(upTo: ends) { time in
                    let clock = HTTPTestClock()
                    let jar = HTTPCookieJar(clock: clock)
                    let request = try HTTPRequest(.get, "http://h/").beginningCall(clock: clock)
                    let session = MockSession {
                        HTTPResponse(.ok, headers: ["Set-Cookie": "a=b; Max-Age=\(text)"], to: $0)
                    }.with(Cookies(jar))
                    _ = try await session.response(for: request)
                    clock.advance(by: time - .milliseconds(1))
                    return try jar.cookies(for: URL(strictly: "http://h/")).count == 1
                }
            },
        ]
        #if os(Linux)
            return cases + curlCases
        #else
            return cases
        #endif
    }()

    #if os(Linux)
        private static let month = Duration.seconds(30 * 86_400)

        private static let curlCases: [Case] = [
            Case(
                layer: "HTTP/3, ma", limit: month,
                times: [
                    ("10", .seconds(10)), ("2592000", month), ("2592001", month),
                    ("2147483648", month), (String(repeating: "9", count: 400), month),
                ]
            ) { text, _ in
                try await validity(upTo: [.seconds(10), month, .seconds(1e9)]) { time in
                    var known = HTTP3Availability(try HTTPOrigin("https://h"))
                    known.announce("h3=\":443\"; ma=\(text)", age: .zero, at: 0)
                    return known.decide(at: time.nanoseconds - 1) != .unknown
                }
            },
            Case(
                layer: "Keep-Alive, timeout", limit: .seconds(118),
                times: [
                    ("0", .zero), ("1", .milliseconds(500)), ("2", .seconds(1)),
                    ("3", .milliseconds(1500)), ("5", .seconds(3)),
                    ("120", .seconds(118)), ("121", .seconds(118)),
                    ("9223372036854775807", .seconds(118)),
                    ("9223372036854775808", .seconds(118)), ("-5", .seconds(118)),
                    ("-9223372036854775808", .seconds(118)),
                ]
            ) { text, _ in
                let announced = AnnouncedIdleTimeout.seconds(in: "max=5, timeout=\(text)")
                return .nanoseconds(AnnouncedIdleTimeout.limit(announced, atMost: 118))
            },
        ]
    #endif

    private static let candidates: [Duration] = [
        .seconds(1), .seconds(10), year, year + .seconds(1), .seconds(400 * 86_400), .seconds(1e9),
    ]

    private static let lives: [(String, Duration)] = [
        ("10", .seconds(10)), ("31536000", year), ("31536001", year), ("2147483648", year),
        ("9223372036854775808", year),
    ]

    /// Returns whether a stored response is used a moment before `time` has passed.
    private static func isStillStored(
        _ headers: HTTPHeaders, after time: Duration
    ) async throws -> Bool {
        let clock = HTTPTestClock()
        let mock = MockSession { request in
            HTTPResponse(.ok, headers: headers, body: HTTPBody("x"), to: request)
        }
        let session = mock.with(HTTPCache.inMemory)
        func send() async throws {
            let request = try HTTPRequest(.get, "http://h/").delivery(.buffered(upTo: 10))
                .beginningCall(clock: clock)
            let response = try await session.response(for: request)
            let status = try #require(response.headers["Cache-Status"])
            isHit.withLock { $0 = status.contains("hit") }
        }
        let isHit = Locked(false)
        try await send()
        clock.advance(by: time - .milliseconds(1))
        try await send()
        return isHit.withLock { $0 }
    }

    /// Returns whether a token is used a moment before `time` has passed.
    private static func isStillIssued(
        _ life: String, after time: Duration
    ) async throws -> Bool {
        let clock = HTTPTestClock()
        let tokens = Locked(0)
        let session = MockSession { request in
            guard request.url.host() == "login" else { return HTTPResponse(.ok, to: request) }
            tokens.withLock { $0 += 1 }
            return HTTPResponse(
                .ok,
                body: HTTPBody(
                    "{\"access_token\":\"t\",\"token_type\":\"bearer\",\"expires_in\":\(life)}"),
                to: request)
        }.with(
            try RefreshingAuthentication(
                for: HTTPOrigin("https://h"),
                clientCredentials: OAuthClientCredentials(
                    tokenEndpoint: "https://login/", clientID: "a", clientSecret: "b"),
                leeway: .zero))
        for wait in [.zero, time - .milliseconds(1)] {
            clock.advance(by: wait)
            let request = try HTTPRequest(.get, "https://h/").beginningCall(clock: clock)
            _ = try await session.response(for: request)
        }
        return tokens.withLock { $0 } == 1
    }

    @Test(arguments: cases)
    func `a server gets no more time than the limit of the layer`(_ example: Case) async throws {
        for (said, granted) in example.times {
            let time = try await example.measure(said, HTTPTestClock())
            #expect(time == granted, "\(example.layer): \(said.prefix(30))")
            #expect(time <= example.limit)
        }
    }
}
