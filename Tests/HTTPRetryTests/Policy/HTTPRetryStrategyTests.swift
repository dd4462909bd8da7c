import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPRetry

@Suite(.timeLimit(.minutes(5))) struct HTTPRetryStrategyTests {
    private func attempt(_ index: Int) throws -> RetryAttempt {
        let request = try HTTPRequest(.get, "https://h/")
        let head = HTTPResponse.Head(status: .serviceUnavailable, url: request.url)
        return RetryAttempt(request, index: index, maxRetries: 9, end: .response(head))
    }

    private func delays(_ strategy: HTTPRetryStrategy, _ indices: [Int]) throws -> [Double] {
        try indices.map { strategy.delay(for: try attempt($0)) / .seconds(1) }
    }

    @Test(.rows("S0-17"))
    func `immediate never waits, delayed waits the same each time`() throws {
        #expect(try delays(.immediate, [0, 1, 99]) == [0, 0, 0])
        #expect(try delays(.delayed(.seconds(3)), [0, 1, 99]) == [3, 3, 3])
    }

    @Test(.rows("S0-17"), arguments: [Duration.zero, .seconds(-3), .seconds(Int64.min)])
    func `a named delay of zero or less is no wait`(delay: Duration) throws {
        #expect(try delays(.delayed(delay), [0, 5]) == [0, 0])
    }

    @Test(.rows("S0-17"))
    func `a named delay is at most a day`() throws {
        #expect(try delays(.delayed(.seconds(Int64.max)), [0]) == [86_400])
        #expect(try delays(.afterTask(delay: .seconds(Int64.max), { _ in }), [0]) == [86_400])
    }

    @Test(.rows("S0-18"))
    func `exponential of base 2 waits 0.5, 1, 2, 4 …`() throws {
        #expect(try delays(.exponential(base: 2), [0, 1, 2, 3, 4, 5]) == [0.5, 1, 2, 4, 8, 16])
    }

    @Test(.rows("S0-18"))
    func `exponential of base 3 waits a third, 1, 3, 9 …`() throws {
        let delays = try delays(.exponential(base: 3), [0, 1, 2, 3])
        #expect(abs(delays[0] - 1 / 3.0) < 1e-9 && Array(delays[1...]) == [1, 3, 9])
    }

    @Test(.rows("S0-18"))
    func `fibonacci waits 0, 1, 1, 2, 3, 5, 8 …`() throws {
        #expect(try delays(.fibonacci, [0, 1, 2, 3, 4, 5, 6]) == [0, 1, 1, 2, 3, 5, 8])
    }

    @Test(.rows("S0-18"), arguments: [36, 37, 64, 1000, Int.max])
    func `growth ends at the cap`(index: Int) throws {
        #expect(try delays(.exponential(base: 2), [index]) == [300])
        #expect(try delays(.fibonacci, [index]) == [300])
    }

    @Test(.rows("S0-18"), arguments: [0, -1, .nan, -.infinity, -0.0] as [Double])
    func `a base that is not positive is no wait`(base: Double) throws {
        #expect(try delays(.exponential(base: base), [0, 1, 2, .max]) == [0, 0, 0, 0])
    }

    @Test(
        .rows("S0-18"),
        arguments: [.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.5, 1]
            as [Double],
        [Int.min, -1, 0, 1, 2, 37, .max])
    func `no base and no index traps`(base: Double, index: Int) throws {
        for strategy in [HTTPRetryStrategy.exponential(base: base), .fibonacci] {
            let delay = strategy.delay(for: try attempt(index))
            #expect(delay >= .zero && delay <= HTTPRetryStrategy.cap)
        }
    }

    @Test(
        .rows("S0-22"),
        arguments: [
            (2.5, 2.5), (-1, 0), (.nan, 0), (.infinity, 86_400), (-.infinity, 0),
            (.greatestFiniteMagnitude, 86_400), (0, 0),
        ] as [(Double, Double)])
    func `whatever a custom strategy answers is a wait between nothing and a day`(
        answer: Double, wait: Double
    ) throws {
        #expect(try delays(.custom { _ in answer }, [0]) == [wait])
    }

    @Test(.rows("S0-22"))
    func `a custom strategy sees index, request and how the attempt ended`() async throws {
        let clock = HTTPTestClock()
        let seen = Journal<(Int, HTTPMethod, HTTPStatus?)>()
        let mock = MockSession.statuses(.badGateway, .notFound, .ok)
        let session = mock.with(
            Asking(
                .custom { attempt in
                    seen.add((attempt.index, attempt.request.method, attempt.response?.status))
                    return Double(attempt.index + 1)
                }))
        let request = try HTTPRequest.test(clock: clock) { $0.maxRetries = 5 }
        let response = try await onVirtualTime(clock) { try await session.response(for: request) }
        #expect(response.status == .ok)
        #expect(seen.entries.map(\.0) == [0, 1] && seen.entries.map(\.1) == [.get, .get])
        #expect(seen.entries.map(\.2) == [.badGateway, .notFound])
        #expect(clock.sleeps == [.seconds(1), .seconds(2)])
    }
}
