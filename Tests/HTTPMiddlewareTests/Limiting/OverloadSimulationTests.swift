import HTTPCore
import TestSupport
import Testing
@testable import HTTPMiddleware
import PortableFoundation

/// The strategies side by side; prints the table of Docs/Performance.md.
@Suite(.timeLimit(.minutes(5))) struct OverloadSimulationTests {
    private static let circuit = CircuitMachine.Limits(
        failureRate: 0.5, slowRate: 0.8, window: .seconds(10), minimum: 20, openTime: .seconds(5),
        longestOpenTime: .seconds(60), probes: 3, probeTime: .seconds(10))

    private typealias Strategy = OverloadSimulation.Strategy

    private static let strategies = [
        Strategy(name: "no limit"),
        Strategy(name: "32 at a time in each process", concurrency: 32),
        Strategy(name: "4 at a time in each process", concurrency: 4),
        Strategy(name: "4 at a time, waiting as long as the call", concurrency: 4, queueTimeout: 1),
        Strategy(name: "adaptive", adaptive: AdaptiveLimit()),
        Strategy(name: "circuit breaker", circuit: circuit),
        Strategy(
            name: "adaptive, with circuit breaker", adaptive: AdaptiveLimit(), circuit: circuit),
        Strategy(name: "shared rate of 900 a second", rate: 900),
        Strategy(name: "adaptive, with shared rate", adaptive: AdaptiveLimit(), rate: 900),
    ]

    @Test func `an adaptive limit keeps an overloaded origin at work, and is fair`() throws {
        var scenario = OverloadSimulation()
        // The same load on a tenth of the origin.
        if !TestCounts.isFull {
            scenario.clients /= 10
            scenario.processes /= 10
            scenario.capacity /= 10
        }
        var results: [String: OverloadSimulation.Result] = [:]
        var table = [
            "| limits | requests | peak, per s | successes meanwhile, per s | fairness "
                + "| recovered after |",
            "|---|---|---|---|---|---|",
        ]
        for strategy in Self.strategies {
            let result = try scenario.run(strategy)
            results[strategy.name] = result
            let recovery =
                result.recovery(scenario).map { "\(Int($0)) s" } ?? "not within 120 s"
            table.append(
                "| \(strategy.name) | \(result.arrivals.reduce(0, +)) "
                    + "| \(Int(result.peak(scenario))) "
                    + "| \(Int(result.goodput(scenario))) "
                    + "| \(Double(Int(result.fairness * 1000)) / 1000) | \(recovery) |")
        }
        print(table.joined(separator: "\n"))

        let half = scenario.capacity / 2
        let adaptive = try #require(results["adaptive"])
        #expect(adaptive.goodput(scenario) > 0.85 * half)
        #expect(adaptive.fairness > 0.9)
        #expect(adaptive.recovery(scenario).map { $0 <= 10 } == true)
        let unlimited = try #require(results["no limit"])
        #expect(unlimited.goodput(scenario) < 0.5 * half)
    }

    @Test func `the same seed gives the same run`() throws {
        var scenario = OverloadSimulation()
        (scenario.clients, scenario.processes, scenario.capacity) = (500, 2, 50)
        let strategy = Self.strategies[5]
        #expect(try scenario.run(strategy).arrivals == scenario.run(strategy).arrivals)
        #expect(try scenario.run(strategy, seed: 2).arrivals != scenario.run(strategy).arrivals)
    }
}
