import HTTPCore
import HTTPTesting
import Testing

/// Tests that send 300 requests of every kind at once and cancel each at a random moment.
///
/// Each runs in a separate process with a time limit, because URLSession on Linux can hang or end
/// its process.
extension VerificationTests {
    @Test(arguments: ["curl-probe", "urlsession-probe"])
    func `300 requests cancelled at random moments leave nothing behind`(
        program: String
    ) async throws {
        let isCurl = program == "curl-probe"
        let runs =
            Counts.isFull ? (isCurl || !Counts.sanitizer.isEmpty ? 20 : 100) : isCurl ? 2 : 5
        let server = try await RunningServer()
        var tally = StormTally()
        for seed in 1...runs {
            let process = try ChildProcess(
                program, ["storm", server.url, "300", "\(seed)"],
                environment: ["SWIFT_BACKTRACE": StormTally.backtrace])
            let verdict = try await tally.count(process.end(within: .seconds(120)))
            #expect(verdict == .clean, "seed \(seed): \(tally.last)")
        }
        #expect(tally.cancelled > runs, "a storm in which nothing is cancelled tests nothing")
        let transport = isCurl ? "CurlTransport" : "URLSessionTransport"
        figure(
            "300 requests cancelled at random, over \(transport)\(Counts.sanitizer)",
            "\(tally), of \(runs) runs", "\(runs) clean", tally.clean == runs)
    }

    /// Measures `URLSession.data(for:)` for comparison. It cancels inside the cancellation handler,
    /// and hangs there (corelibs issue 5412). The transport avoids this.
    @Test(.enabled(if: Counts.isFull && Counts.sanitizer.isEmpty, "a figure, not a promise"))
    func `what URLSession itself makes of the storm is shown beside`() async throws {
        let server = try await RunningServer()
        let runs = 20
        var tally = StormTally()
        for seed in 1...runs {
            let process = try ChildProcess(
                "urlsession-probe", ["bare-storm", server.url, "300", "\(seed)"],
                environment: ["SWIFT_BACKTRACE": StormTally.backtrace])
            let verdict = try await tally.count(process.end(within: .seconds(20)))
            #expect(verdict != .unclean, "seed \(seed): \(tally.last)")
        }
        figure(
            "300 requests cancelled at random, over URLSession.data(for:)",
            "\(tally), of \(runs) runs", "shown beside", true)
    }

    /// Triggers a known trap of URLSession: the connection ends inside the header section.
    @Test(.enabled(if: Counts.sanitizer.isEmpty, "a sanitizer has its own way of ending"))
    func `a trap is told from a clean end, with the top of its stack`() async throws {
        let server = try LoopbackServer(
            scripts: [[.awaitHead, .send("HTTP/1.1 200 OK\r\nX-A: 1"), .close]])
        let process = try ChildProcess(
            "urlsession-probe", ["fail", server.url("/"), "0"],
            environment: ["SWIFT_BACKTRACE": StormTally.backtrace])
        var tally = StormTally()
        let verdict = try await tally.count(process.end(within: .seconds(120)))
        #expect(verdict == .trapped)
        #expect("\(tally)".hasPrefix("0 clean, 0 hung, 1 trapped (1 × "), "\(tally)")
    }
}

/// The numbers of storms by how they ended.
struct StormTally: CustomStringConvertible {
    enum Verdict { case clean, unclean, hung, trapped }

    /// The settings that make the runtime print backtraces to the output that the test reads.
    static let backtrace =
        "enable=yes,output-to=stdout,color=no,interactive=no,threads=crashed,registers=none,"
        + "images=none,limit=24,preset=friendly"

    private(set) var clean = 0
    private(set) var cancelled = 0
    /// The output of the last storm.
    private(set) var last = ""
    private var hung = 0
    private var unclean = 0
    /// The top of each stack, with the number of its occurrences.
    private var stacks: [String: Int] = [:]

    mutating func count(_ end: ChildProcess.End) -> Verdict {
        last = "\(end)"
        switch end {
        case .overran:
            hung += 1
            return .hung
        case .signalled(let signal, let output):
            let frames = Self.frames(in: output).prefix(4).joined(separator: " < ")
            stacks[frames.isEmpty ? "signal \(signal)" : frames, default: 0] += 1
            return .trapped
        case .exited(let code, let output):
            let values = ChildProcess.values(in: output)
            cancelled += Int(values["cancelled"] ?? "") ?? 0
            let isClean =
                code == 0 && values["failed"] == "0" && values["leaked_descriptors"] == "0"
                && values["leaked_handles"] == "0"
            if isClean { clean += 1 } else { unclean += 1 }
            return isClean ? .clean : .unclean
        }
    }

    /// Returns the functions of the thread that ended the process, from the innermost, except those
    /// by which Swift ends it.
    ///
    /// A line is `3 0x00007f… function + 12 in library at file`, with marks in brackets.
    private static func frames(in output: String) -> [String] {
        output.split(separator: "\n").compactMap { line -> String? in
            let line = line.drop { $0 == " " }
            guard line.first?.isNumber == true, let address = line.firstRange(of: " 0x")
            else { return nil }
            let call = line[address.upperBound...].drop { $0 != " " }.dropFirst()
            let end = call.firstRange(of: " + ") ?? call.firstRange(of: " in ")
            let name = String(call[..<(end?.lowerBound ?? call.endIndex)])
            return name.hasPrefix("_assertionFailure") || name.hasPrefix("_fatalError") ? nil : name
        }
    }

    var description: String {
        let trapped = stacks.values.reduce(0, +)
        let tops = stacks.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        return "\(clean) clean, \(hung) hung, \(trapped) trapped"
            + (tops.isEmpty ? "" : " (\(tops.joined(separator: "; ")))")
            + (unclean == 0 ? "" : ", \(unclean) with failures or leaks")
            + ", \(cancelled) requests cancelled"
    }
}
