import HTTPCore
import HTTPRetry
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Every public number of the target at the edges of its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPRetryNumbersTests {
    private let clock = HTTPTestClock()

    private static let failing = MockSession { unavailable(to: $0) }

    private static func unavailable(to request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(.serviceUnavailable, headers: [.retryAfter: "1"], to: request)
    }

    private func send(_ retry: Retry, _ change: @Sendable (inout HTTPRequest) -> Void = { _ in })
        async throws -> HTTPResponse?
    {
        let request = try HTTPRequest.test(clock: clock, change)
        return try await Extremes.run(on: clock) {
            try? await Self.failing.with(retry).response(for: request)
        }
    }

    @Test func `a backoff of any waits and any index answers within its cap`() {
        for base in Extremes.durations {
            for cap in Extremes.durations {
                for jitter in [Backoff.Jitter.none, .full] {
                    let backoff = Backoff(base: base, cap: cap, jitter: jitter, seed: 7)
                    for index in Extremes.counts + [2, 63, 64, 1000] {
                        #expect(backoff.delay(beforeRetry: index) >= .zero)
                        #expect(backoff.delay(beforeRetry: index) <= max(.zero, cap))
                        #expect(backoff.longestDelay(beforeRetry: index) <= max(.zero, cap))
                    }
                }
            }
            #expect(Backoff.constant(base).delay(beforeRetry: 1) == max(.zero, base))
        }
    }

    @Test(arguments: Extremes.counts)
    func `a strategy answers for any index`(index: Int) throws {
        let request = try HTTPRequest(.get, "https://h/")
        let attempt = RetryAttempt(
            request, index: index, maxRetries: index, end: .failure(CancellationError()))
        #expect(attempt.number >= index)
        var strategies: [HTTPRetryStrategy] = [.immediate, .fibonacci]
        for factor in Extremes.factors {
            strategies += [.exponential(base: factor), .custom { _ in factor }]
        }
        for duration in Extremes.durations {
            strategies += [.delayed(duration), .after(request, delay: duration)]
            strategies.append(.afterTask(delay: duration, { _ in }))
        }
        for strategy in strategies {
            #expect((.zero ... .seconds(86_400)).contains(strategy.delay(for: attempt)))
        }
    }

    @Test(arguments: Extremes.counts)
    func `any number of retries is the number, until there is an answer`(count: Int) async throws {
        let failures = 40
        for retryAfterLimit in Extremes.durations {
            let policy = RetryPolicy(
                methods: [.get], statuses: [.serviceUnavailable], errorCodes: [],
                maxRetries: count, backoff: .constant(.zero), retryAfterLimit: retryAfterLimit)
            let sends = Locked(0)
            let recovering = MockSession { request in
                let number = sends.withLock { sends in
                    sends += 1
                    return sends
                }
                return number > failures
                    ? HTTPResponse(.ok, to: request) : Self.unavailable(to: request)
            }
            let request = try HTTPRequest.test(clock: clock)
            let session = recovering.with(Retry(policy))
            let response = try await Extremes.run(on: clock) {
                try await session.response(for: request)
            }
            // Their Retry-After is 1 s.
            let retries = retryAfterLimit < .seconds(1) ? 0 : min(max(0, count), failures)
            #expect(sends.withLock { $0 } == 1 + retries)
            #expect(response.status == (retries == failures ? .ok : .serviceUnavailable))
            let unretried = try await send(Retry(.none)) { $0.maxRetries = count }
            #expect(unretried?.status == .serviceUnavailable)
        }
    }

    @Test(arguments: Extremes.durations)
    func `a retry, a second attempt and a deadline wait for any time`(duration: Duration)
        async throws
    {
        for hedging in [Hedging.after(duration), .afterObservedP95(initial: duration)] {
            var policy = RetryPolicy.standard
            policy.backoff = .constant(duration)
            _ = try await send(Retry(policy, hedging: hedging))
            _ = try await send(Retry(policy, hedging: hedging)) {
                $0.deadline = HTTPInstant(sinceStart: .zero) + duration
            }
            let slow = MockSession { [clock] request in
                try await clock.sleep(for: duration)
                return HTTPResponse(.ok, to: request)
            }
            let request = try HTTPRequest.test(clock: clock)
            let session = slow.with(Retry(policy, hedging: hedging))
            let response = try await Extremes.run(on: clock) {
                try await session.response(for: request)
            }
            #expect(response.status == .ok)
        }
        _ = try await send(Retry(.deciding(maxRetries: 3, delay: duration) { _ in .retry }))
    }

    @Test func `a budget of any numbers, at any time, has some left or none`() throws {
        let origin = try HTTPOrigin("https://h")
        for window in Extremes.durations {
            for minimum in Extremes.counts {
                for ratio in Extremes.factors {
                    let budget = RetryBudget(ratio: ratio, window: window, minimum: minimum)
                    for now in Extremes.durations {
                        let numbers = budget.numbers(for: origin, at: HTTPInstant(sinceStart: now))
                        #expect(numbers.left == max(0, minimum))
                    }
                }
            }
        }
    }

    @Test(arguments: Extremes.durations)
    func `a budget's window moves with any clock`(window: Duration) async throws {
        let budget = RetryBudget(ratio: .infinity, window: window, minimum: .max)
        for now in Extremes.durations {
            clock.advance(by: now)
            _ = try await send(Retry(.standard, budget: budget))
        }
    }
}
