import ArgumentParser
import TransportChoice

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends the same requests over both transports and compares what came of them.
///
/// Each transport runs in a process of its own, so that one that hangs or crashes costs a row and
/// not the tour.
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

    @Option(help: "Seconds after which a step that has said nothing counts as hung.")
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

    /// In the child: runs the steps, and prints each result as one line of JSON.
    private func runSteps(over transport: TransportName) async throws {
        let visit = Visit(
            session: try transport.makeSession(), base: base, transport: transport.rawValue)
        for step in TourStep.all.dropFirst(from) {
            let line = try JSONEncoder().encode(await step.run(visit))
            print(String(decoding: line, as: UTF8.self))
            StandardStreams.flush()
        }
    }

    /// In the parent: collects the results of both children, and prints them side by side.
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

    /// One result per step, and one for the end of the process.
    private func results(of transport: TransportName) throws -> [StepResult] {
        var results: [StepResult] = []
        while true {
            // A child that hung or crashed is replaced by one that goes on with the next step.
            let child = try ChildProcess(arguments: [
                "--base", base, "--child", transport.rawValue, "--from", "\(results.count)",
            ])
            var isWell = true
            while isWell {
                switch child.nextLine(within: stepLimit) {
                case .line(let line) where results.count < TourStep.all.count:
                    results.append(try JSONDecoder().decode(StepResult.self, from: line))
                case .line: break  // more results than steps: nothing that a child of ours prints
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
