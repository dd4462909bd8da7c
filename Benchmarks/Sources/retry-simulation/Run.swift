import Foundation
import HTTPCore
import HTTPRetry

/// The clients' reaction to failures.
struct Strategy: Sendable {
    var name: String
    var colour: String
    /// Creates the retry layer; called once per client.
    var layer: @Sendable (_ client: Int) -> Retry
}

/// The result of one strategy in one scenario.
struct Run {
    var strategy: Strategy
    /// The number of requests that reached the origin, per second.
    var arrivals: [Int]
    /// The number of requests with a response within their client's patience, per second.
    var answered: [Int]
    /// The number of calls that ended in each second, and of those that succeeded.
    var calls: [Int]
    var successes: [Int]

    @Simulation static func simulate(_ strategy: Strategy, _ scenario: Scenario) async -> Run {
        let clock = SimulationClock(awake: scenario.clients, end: scenario.length)
        let origin = OverloadedOrigin(scenario, clock)
        let tally = Tally(seconds: Int(scenario.length) + 1)
        // Clients that are asleep at the end stay asleep.
        let clients = (0..<scenario.clients).map { number in
            Task { @Simulation in
                var random = SplitMix64(state: scenario.seed &* 1_000_003 &+ UInt64(number))
                let session = OriginSession(origin: origin).with(strategy.layer(number))
                while !clock.isOver {
                    let pause = -log(1 - Double.random(in: 0..<1, using: &random)) * scenario.pause
                    await clock.sleep(for: pause)
                    if clock.isOver { break }
                    let isSuccess: Bool
                    do {
                        let request = try HTTPRequest(.get, "http://origin/")
                            .beginningCall(clock: clock)
                        isSuccess = try await session.response(for: request).status == .ok
                    } catch {
                        isSuccess = false
                    }
                    tally.count(clock.seconds, isSuccess)
                }
                clock.leave()
            }
        }
        for client in clients { await client.value }
        return Run(
            strategy: strategy, arrivals: origin.seconds.map(\.arrivals),
            answered: origin.seconds.map(\.answered), calls: tally.calls,
            successes: tally.successes)
    }

    @Simulation private final class Tally {
        var calls: [Int]
        var successes: [Int]

        init(seconds: Int) {
            calls = Array(repeating: 0, count: seconds)
            successes = calls
        }

        func count(_ instant: Double, _ isSuccess: Bool) {
            let second = Int(instant)
            guard calls.indices.contains(second) else { return }
            calls[second] += 1
            if isSuccess { successes[second] += 1 }
        }
    }
}

extension Run {
    private func mean(_ values: [Int], from start: Double, to end: Double) -> Double {
        let slice = values[Int(start)..<Int(end)]
        return Double(slice.reduce(0, +)) / Double(slice.count)
    }

    /// The total number of requests that reached the origin.
    var total: Int { arrivals.reduce(0, +) }

    /// Returns the highest rate of requests per second over ten seconds.
    func peak(_ scenario: Scenario) -> Double {
        stride(from: 0, to: scenario.length - 10, by: 1)
            .map { mean(arrivals, from: $0, to: $0 + 10) }.max() ?? 0
    }

    /// Returns the share of successes among the calls that ended while capacity was lost.
    func successDuringLoss(_ scenario: Scenario) -> Double {
        mean(successes, from: scenario.lossBegins + 5, to: scenario.lossEnds)
            / max(1, mean(calls, from: scenario.lossBegins + 5, to: scenario.lossEnds))
    }

    /// Returns the seconds from the return of capacity until 99 % of the calls succeed for 5 s in a
    /// row; `nil` if that never happens.
    func recovery(_ scenario: Scenario) -> Double? {
        stride(from: scenario.lossEnds, to: scenario.length - 5, by: 1).first { start in
            (0..<5).allSatisfy { offset in
                let second = Int(start) + offset
                return Double(successes[second]) >= 0.99 * Double(calls[second])
            }
        }.map { $0 - scenario.lossEnds }
    }
}
