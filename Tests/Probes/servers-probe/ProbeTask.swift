/// The tasks, by the names that the command line gives them.
enum ProbeTask: String, CaseIterable {
    case early, streams, dead, tls, proxies, policies, cut, heads

    func run(_ report: inout Report) async throws {
        switch self {
        case .early: try await EarlyResponses.run(&report)
        case .streams: try await FewStreams.run(&report)
        case .dead: try await DeadConnections.run(&report)
        case .tls: try await TLSRefusals.run(&report)
        case .proxies: try await ProxyRefusals.run(&report)
        case .policies: try await Policies.run(&report)
        case .cut: try await CutBodies.run(&report)
        case .heads: try await LargeHeads.run(&report)
        }
    }

    /// Runs tasks one after the other, and returns `false` if a figure fails.
    static func run(_ tasks: [ProbeTask], _ report: Report) async -> Bool {
        var report = report
        for reason in report.servers.missing { report.skip(reason) }
        for task in tasks {
            let start = ContinuousClock.now
            do {
                try await task.run(&report)
            } catch {
                report.row(task.rawValue, "\(error)", "no error", false)
            }
            print("\(task): \((ContinuousClock.now - start) / .seconds(1)) s")
        }
        return !report.hasFailed
    }
}
