import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@Suite struct TimeLimitsTests {
    private static func request(_ timeouts: HTTPTimeouts = HTTPTimeouts()) throws -> HTTPRequest {
        var request = try HTTPRequest(.get, "http://host.test/")
        request.timeouts = timeouts
        return request
    }

    // MARK: Whose word counts

    @Test(.rows("S1-10"))
    func `without a word there are ten seconds to connect and sixty of idleness`() throws {
        let limits = TimeLimits(try Self.request(), session: HTTPTimeouts())
        #expect(limits.connect == .seconds(10))
        #expect(limits.idle == .seconds(60))
        #expect(limits.tls == nil && limits.responseHead == nil)
        #expect(limits.total == nil)
        #expect(limits.deadline == nil)
    }

    @Test(
        .rows("S1-10"),
        arguments: [
            (
                HTTPTimeouts.Limit.standard, HTTPTimeouts.Limit.standard,
                Duration?.some(.seconds(60))
            ),
            (.standard, .after(.seconds(3)), .seconds(3)), (.standard, .never, nil),
            (.after(.seconds(2)), .after(.seconds(3)), .seconds(2)),
            (.after(.seconds(2)), .never, .seconds(2)), (.never, .after(.seconds(3)), nil),
            (.never, .standard, nil),
        ])
    func `the request's word comes before the configuration's`(
        own: HTTPTimeouts.Limit, configured: HTTPTimeouts.Limit, limit: Duration?
    ) throws {
        let limits = TimeLimits(
            try Self.request(HTTPTimeouts(idle: own)), session: HTTPTimeouts(idle: configured))
        #expect(limits.idle == limit)
    }

    @Test func `the limits of phases have no standard, and a deadline turns off configured ones`()
        throws
    {
        let own = HTTPTimeouts(tls: .seconds(1), responseHead: .never)
        let configured = HTTPTimeouts(tls: .seconds(3), responseHead: .seconds(4))
        var limits = TimeLimits(try Self.request(), session: configured)
        #expect(limits.tls == .seconds(3) && limits.responseHead == .seconds(4))
        limits = TimeLimits(try Self.request(own), session: configured)
        #expect(limits.tls == .seconds(1) && limits.responseHead == nil)
        limits = TimeLimits(own, session: configured, timeLeft: .seconds(9))
        #expect(limits.tls == .seconds(1) && limits.responseHead == nil)
        limits = TimeLimits(HTTPTimeouts(), session: configured, timeLeft: .seconds(9))
        #expect(limits.tls == nil && limits.responseHead == nil)
    }

    // MARK: Errors

    @Test func `the error of a deadline names the time that was set`() async throws {
        let clock = HTTPTestClock()
        func limit(_ request: HTTPRequest, later: Duration = .seconds(1)) throws -> Duration? {
            let request = try request.beginningCall(clock: clock)
            clock.advance(by: later)
            let limits = TimeLimits(request, session: HTTPTimeouts())
            let error = limits.timedOut(.deadline, phase: .waiting, mayHaveReachedServer: true)
            #expect(request.call?.deadlineError(phase: .waiting).timer == error.timer)
            return error.timer?.limit
        }
        var relative = try Self.request()
        relative.setDeadline(in: .seconds(5), on: clock)
        #expect(try limit(relative) == .seconds(5))
        #expect(try limit(relative, later: .seconds(60)) == .seconds(5))
        var absolute = try Self.request()
        absolute.deadline = clock.now + .seconds(7)
        clock.advance(by: .seconds(3))
        #expect(try limit(absolute) == .seconds(4), "counted from the call's beginning")
        absolute.deadline = clock.now + .seconds(-1)
        #expect(try limit(absolute) == .zero)
        try await HTTPDeadline.within(.seconds(8), clock: clock) { () async throws in
            #expect(try limit(Self.request()) == .seconds(8))
            relative.setDeadline(in: .seconds(2), on: clock)
            #expect(try limit(relative) == .seconds(2))
            relative.setDeadline(in: .seconds(20), on: clock)
            #expect(try limit(relative) == .seconds(8))
        }
    }

    @Test func `a deadline of its own within a call names its own time`() throws {
        let clock = HTTPTestClock()
        var first = try Self.request()
        first.setDeadline(in: .seconds(60), on: clock)
        let call = try #require(try first.beginningCall(clock: clock).call)
        var short = try Self.request()
        short.setDeadline(in: .seconds(10), on: clock)
        func limit(_ request: HTTPRequest) -> Duration? {
            TimeLimits(request.joining(call), session: HTTPTimeouts())
                .timedOut(.deadline, phase: .waiting, mayHaveReachedServer: true).timer?.limit
        }
        #expect(limit(short) == .seconds(10))
        #expect(limit(try Self.request()) == .seconds(60))
        short.deadline = call.deadline
        #expect(limit(short) == .seconds(60))
        clock.advance(by: .seconds(50))
        short.setDeadline(in: .seconds(20), on: clock)
        #expect(limit(short) == .seconds(60), "the call's own is earlier")
    }

    @Test(
        arguments: [
            (.connect, "within 10 s", "timeouts.connect"), (.tls, "within 10 s", "timeouts.tls"),
            (.responseHead, "within 10 s", "timeouts.responseHead"),
            (.idle, "for 10 s", "timeouts.idle"), (.total, "within 10 s", "timeouts.total"),
            (.deadline, "of 10 s", "timeline"),
        ] as [(HTTPError.Timer.Name, String, String)])
    func `each error says how long it was, and what to do`(
        name: HTTPError.Timer.Name, time: String, advice: String
    ) throws {
        let all = HTTPTimeouts.Limit.seconds(10)
        let limits = TimeLimits(
            HTTPTimeouts(connect: all, tls: all, responseHead: all, idle: all, total: all),
            session: HTTPTimeouts(), timeLeft: .seconds(10))
        let error = limits.timedOut(name, phase: .waiting, mayHaveReachedServer: true)
        #expect(error.message.contains(time) && error.message.contains(advice))
        #expect(error.description.contains("; \(name) limit of 10 s; "))
        #expect(!error.message.contains("seconds"))
    }

    @Test(.rows("S1-10"))
    func `a deadline switches off standard limits and no others`() throws {
        let clock = HTTPTestClock()
        var request = try Self.request(HTTPTimeouts(idle: .after(.seconds(7)), total: .never))
        request.deadline = clock.now + .seconds(100)
        request = try request.beginningCall(clock: clock)
        let limits = TimeLimits(
            request,
            session: HTTPTimeouts(connect: .after(.seconds(3)), total: .after(.seconds(9))))
        #expect(limits.deadline == .seconds(100))
        #expect(limits.connect == nil, "the configuration only says what standard means")
        #expect(limits.idle == .seconds(7))
        #expect(limits.total == nil)
    }

    @Test func `a deadline that has passed leaves nothing`() throws {
        let clock = HTTPTestClock()
        var request = try Self.request()
        request.deadline = clock.now + .seconds(-5)
        request = try request.beginningCall(clock: clock)
        #expect(TimeLimits(request, session: HTTPTimeouts()).deadline == .zero)
    }

    @Test(arguments: [
        (HTTPError.Timer.Name.connect, Duration.seconds(1), true),
        (.tls, .seconds(5), true), (.responseHead, .seconds(6), true), (.idle, .seconds(2), true),
        (.total, .seconds(3), true), (.deadline, .seconds(4), false),
    ])
    func `the error names the timer with its limit`(
        name: HTTPError.Timer.Name, limit: Duration, isRetryable: Bool
    ) throws {
        var limits = TimeLimits(try Self.request(), session: HTTPTimeouts())
        (limits.connect, limits.idle) = (.seconds(1), .seconds(2))
        (limits.total, limits.deadline) = (.seconds(3), .seconds(4))
        (limits.tls, limits.responseHead) = (.seconds(5), .seconds(6))
        let error = limits.timedOut(name, phase: .sending, mayHaveReachedServer: true)
        #expect(error.code == .timedOut)
        #expect(error.timer == HTTPError.Timer(name, limit))
        #expect(error.phase == .sending)
        #expect(error.isRetryable == isRetryable)
        #expect(error.mayHaveReachedServer)
    }

    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1500), 1_500_000_000),
            (.nanoseconds(-1), -1), (.seconds(9_223_372_036), 9_223_372_036_000_000_000),
            (.seconds(9_223_372_037), Int64.max), (.seconds(Int64.max), .max),
            (.seconds(Int64.min), .min), (.seconds(-9_223_372_037), .min),
            (Duration(secondsComponent: 1, attosecondsComponent: 999_999_999), 1_000_000_001),
        ] as [(Duration, Int64)])
    func `nanoseconds saturate`(duration: Duration, nanoseconds: Int64) {
        #expect(duration.nanoseconds == nanoseconds)
    }
}
