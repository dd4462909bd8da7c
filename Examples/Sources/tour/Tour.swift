import ArgumentParser
import TransportChoice

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends the same requests over both transports and compares the results.
///
/// Each transport runs in a separate process, so that a hang or a crash costs one row and not the
/// whole tour.
@main
struct Tour: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Runs the same requests over both transports against a loopback server.",
        discussion: """
            Exits with 1 if the outcome of a step differs between the transports, or is not the \
            one that the step expects.
            """
    )

    @Option(help: "The URL of a loopback server, such as http://127.0.0.1:8080.")
    var base: String

    @Option(help: "Seconds after which a step without output counts as hung.")
    var stepLimit: Double = 60

    @Option(help: .private)
    var child: TransportName?

    @Option(help: .private)
    var from = 0

    func run() async throws {
        if let child {
            try await runSteps(over: child)
        } else {
            try compare()
        }
    }

    /// Runs the steps in the child, and prints each result as one line of JSON.
    private func runSteps(over transport: TransportName) async throws {
        let visit = Visit(
            session: try transport.makeSession(), base: base, transport: transport.rawValue)
        for step in TourStep.all.dropFirst(from) {
            let line = try JSONEncoder().encode(await step.run(visit))
            print(String(decoding: line, as: UTF8.self))
            StandardStreams.flush()
        }
    }

    /// Collects the results of both children in the parent, and prints them side by side.
    private func compare() throws {
        let columns = try TransportName.allCases.map { try results(of: $0) }
        var report = TourReport(transports: TransportName.allCases.map(\.rawValue))
        for (index, title) in (TourStep.all.map(\.title) + ["the process ends"]).enumerated() {
            let expected =
                index < TourStep.all.count ? TourStep.all[index].expected : StepResult.exited
            report.add(title, expected: expected, results: columns.map { $0[index] })
        }
        print(report)
        if !report.isGood { throw ExitCode(1) }
    }

    /// Returns one result per step, and one for the end of the process.
    private func results(of transport: TransportName) throws -> [StepResult] {
        var results: [StepResult] = []
        while true {
            // A child that hung or crashed is replaced by another that continues with the next
            // step.
            let child = try ChildProcess(arguments: [
                "--base", base, "--child", transport.rawValue, "--from", "\(results.count)",
            ])
            var isWell = true
            while isWell {
                switch child.nextLine(within: stepLimit) {
                case .line(let line) where results.count < TourStep.all.count:
                    results.append(try JSONDecoder().decode(StepResult.self, from: line))
                case .line: break  // more results than steps: no child prints that
                case .end:
                    results.append(StepResult(outcome: child.ending))
                    isWell = false
                case .silence:
                    child.kill()
                    results.append(StepResult(outcome: "hung for \(Int(stepLimit)) s"))
                    isWell = false
                }
            }
            if results.count > TourStep.all.count { return results }
        }
    }
}
