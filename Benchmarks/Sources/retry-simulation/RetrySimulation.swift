import Foundation
import HTTPCore
import HTTPRetry

/// Simulates the effect of retries: `retry-simulation [FOLDER]`.
///
/// In virtual time, 10,000 clients use one origin that loses half its capacity for a minute. Prints
/// a table, and writes charts to the folder.
@main
enum RetrySimulation {
    static func main() async throws {
        let scenario = Scenario()
        let shared = RetryBudget()
        let strategies = [
            Strategy(name: "no retry", colour: "#555555") { _ in Retry(.none) },
            Strategy(name: "naive, 3 at once", colour: "#d62728") { _ in
                Retry(naive, budget: nil)
            },
            Strategy(name: "standard, one budget", colour: "#1f77b4") { client in
                Retry(standard(client), budget: shared)
            },
            Strategy(name: "standard, 10,000 budgets", colour: "#2ca02c") { client in
                Retry(standard(client))
            },
        ]
        var runs: [Run] = []
        for strategy in strategies { runs.append(await Run.simulate(strategy, scenario)) }

        print(
            "| clients | requests | peak, per s | calls that succeed meanwhile | recovered after |")
        print("|---|---|---|---|---|")
        let base = runs[0]
        for run in runs {
            let share = run.peak(scenario) / base.peak(scenario) * 100 - 100
            let recovery = run.recovery(scenario).map { "\(Int($0)) s" } ?? "not within 120 s"
            print(
                "| \(run.strategy.name) | \(run.total) "
                    + "| \(Int(run.peak(scenario))) (+\(Int(share.rounded())) %) "
                    + "| \((run.successDuringLoss(scenario) * 100).shown) % | \(recovery) |")
        }
        guard CommandLine.arguments.count > 1 else { return }
        let folder = URL(filePath: CommandLine.arguments[1])
        let shaded = (scenario.lossBegins, scenario.lossEnds, "half the capacity")
        try Chart(
            title: "Requests per second that reach the origin",
            curves: runs.map { ($0.strategy.name, $0.strategy.colour, $0.arrivals) }, shaded: shaded
        ).svg.write(to: folder.appending(path: "retry-load.svg"), atomically: true, encoding: .utf8)
        try Chart(
            title: "Calls per second that succeed",
            curves: runs.map { ($0.strategy.name, $0.strategy.colour, $0.successes) },
            shaded: shaded
        ).svg.write(
            to: folder.appending(path: "retry-success.svg"), atomically: true, encoding: .utf8)
    }

    /// A policy of three immediate retries, without regard to other clients.
    private static var naive: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.maxRetries = 3
        policy.backoff = .constant(.zero)
        return policy
    }

    private static func standard(_ client: Int) -> RetryPolicy {
        var policy = RetryPolicy.standard
        policy.backoff = Backoff(seed: UInt64(client))
        return policy
    }
}
