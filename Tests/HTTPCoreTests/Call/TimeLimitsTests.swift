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
        (.idle, .seconds(2), true), (.total, .seconds(3), true), (.deadline, .seconds(4), false),
    ])
    func `the error names the timer with its limit`(
        name: HTTPError.Timer.Name, limit: Duration, isRetryable: Bool
    ) throws {
        var limits = TimeLimits(try Self.request(), session: HTTPTimeouts())
        (limits.connect, limits.idle) = (.seconds(1), .seconds(2))
        (limits.total, limits.deadline) = (.seconds(3), .seconds(4))
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
