import HTTPCore

/// A server with one queue. It works on requests in their order, even if the client has gone, and
/// refuses requests that would wait too long.
@Simulation final class OverloadedOrigin {
    struct Second {
        var arrivals = 0
        var answered = 0
    }

    private let clock: SimulationClock
    private let scenario: Scenario
    /// The time at which the whole queue will be done.
    private var free = 0.0
    private(set) var seconds: [Second]

    init(_ scenario: Scenario, _ clock: SimulationClock) {
        self.scenario = scenario
        self.clock = clock
        seconds = Array(repeating: Second(), count: Int(scenario.length) + 1)
    }

    func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let arrival = clock.seconds
        count(arrival) { $0.arrivals += 1 }
        let work = 1 / scenario.capacity(at: arrival)
        free = max(free, arrival)
        guard free - arrival <= scenario.queueLimit else {
            free += work * scenario.refusalCost
            await clock.sleep(for: scenario.latency)
            return HTTPResponse(.serviceUnavailable, to: request)
        }
        free += work
        let wait = free - arrival + scenario.latency
        guard wait <= scenario.patience else {
            await clock.sleep(for: scenario.patience)
            throw HTTPError(
                .timedOut, "the client stopped waiting", phase: .waiting, isRetryable: true,
                mayHaveReachedServer: true)
        }
        await clock.sleep(for: wait)
        count(clock.seconds) { $0.answered += 1 }
        return HTTPResponse(.ok, to: request)
    }

    private func count(_ instant: Double, _ change: (inout Second) -> Void) {
        let index = Int(instant)
        if seconds.indices.contains(index) { change(&seconds[index]) }
    }
}

/// A session that sends requests to the origin.
struct OriginSession: HTTPSession {
    let origin: OverloadedOrigin

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        try await origin.answer(request)
    }
}
