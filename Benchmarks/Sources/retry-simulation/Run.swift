import Foundation
import HTTPCore
import HTTPRetry

/// What clients do about failures.
struct Strategy: Sendable {
    var name: String
    var colour: String
    /// Called once per client.
    var layer: @Sendable (_ client: Int) -> Retry
}

/// One strategy in one scenario, as it came out.
struct Run {
    var strategy: Strategy
    /// By second: requests that reached the origin.
    var arrivals: [Int]
    /// By second: requests that were answered within their client's patience.
    var answered: [Int]
    /// By second of their end: calls, and those of them that succeeded.
    var calls: [Int]
    var successes: [Int]

    @Simulation static func simulate(_ strategy: Strategy, _ scenario: Scenario) async -> Run {
        let clock = SimulationClock(awake: scenario.clients, end: scenario.length)
        let origin = OverloadedOrigin(scenario, clock)
        let tally = Tally(seconds: Int(scenario.length) + 1)
        // Those that are asleep at the end stay so.
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

    /// Requests that reached the origin, all in all.
    var total: Int { arrivals.reduce(0, +) }

    /// The most in ten seconds, per second.
    func peak(_ scenario: Scenario) -> Double {
        stride(from: 0, to: scenario.length - 10, by: 1)
            .map { mean(arrivals, from: $0, to: $0 + 10) }.max() ?? 0
    }

    /// Of calls that ended while capacity was lost, the part that succeeded.
    func successDuringLoss(_ scenario: Scenario) -> Double {
        mean(successes, from: scenario.lossBegins + 5, to: scenario.lossEnds)
            / max(1, mean(calls, from: scenario.lossBegins + 5, to: scenario.lossEnds))
    }

    /// Seconds from the return of capacity until 99 of 100 calls succeed for 5 s on end; `nil` if
    /// that does not come.
    func recovery(_ scenario: Scenario) -> Double? {
        stride(from: scenario.lossEnds, to: scenario.length - 5, by: 1).first { start in
            (0..<5).allSatisfy { offset in
                let second = Int(start) + offset
                return Double(successes[second]) >= 0.99 * Double(calls[second])
            }
        }.map { $0 - scenario.lossEnds }
    }
}
