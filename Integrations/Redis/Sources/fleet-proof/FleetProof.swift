import Foundation

/// Proves that the processes of a fleet share their limits: `fleet-proof [SCENARIO…]`, with
/// `--seconds N` for the length of the longest scenario, 60 by default.
///
/// Starts a server of Redis, an origin, and eight processes of 64 tasks each, all on this machine.
/// Prints a table, and exits with 1 if a figure is not the one that was promised.
@main
enum FleetProof {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--member" {
            return try await FleetMember(Array(arguments.dropFirst())).run()
        }
        var seconds = 60.0
        if let place = arguments.firstIndex(of: "--seconds"), place + 1 < arguments.count {
            seconds = Double(arguments[place + 1]) ?? seconds
            arguments.removeSubrange(place...(place + 1))
        }
        let chosen = Scenario.all(seconds: seconds)
            .filter { arguments.isEmpty || arguments.contains($0.name) }
        guard !chosen.isEmpty else {
            print("no such scenario; there are: \(Scenario.all(seconds: 1).map(\.name))")
            exit(2)
        }
        print("| scenario | promised | seen | |")
        print("|---|---|---|---|")
        var hasFailed = false
        for scenario in chosen {
            let findings: [Finding]
            do {
                findings = try await scenario.run()
            } catch {
                findings = [Finding(promised: "ends", seen: "\(error)", holds: false)]
            }
            for finding in findings {
                hasFailed = hasFailed || !finding.holds
                print(
                    "| \(scenario.name) | \(finding.promised) | \(finding.seen) "
                        + "| \(finding.holds ? "holds" : "**fails**") |")
            }
        }
        exit(hasFailed ? 1 : 0)
    }
}

/// One line of the table.
struct Finding: Sendable {
    var promised: String
    var seen: String
    var holds: Bool
}

extension Double {
    /// The number with so many decimals.
    func shown(_ decimals: Int = 1) -> String { String(format: "%.\(decimals)f", self) }
}
