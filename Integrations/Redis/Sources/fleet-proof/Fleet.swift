import Foundation
import RedisServers
import Synchronization

/// A server of Redis, an origin, and the processes that use both.
final class Fleet {
    let origin: FleetOrigin
    let redis: RedisServer
    private let settings: FleetMember.Settings
    private var members: [(process: Process, output: Pipe)] = []
    /// The time at which the processes were started, on the origin's clock.
    private(set) var start = 0.0

    init(
        seconds: Double, rate: Int = 400, lease: Int = 0, processes: Int = 8,
        redisArguments: [String] = []
    ) throws {
        guard let program = RedisServer.program else {
            throw CocoaError(
                .executableNotLoadable,
                userInfo: [NSLocalizedDescriptionKey: "redis-server is missing: install it"])
        }
        origin = try FleetOrigin()
        redis = try RedisServer(program, arguments: redisArguments)
        settings = FleetMember.Settings(
            origin: origin.url, socket: redis.socket, seconds: seconds, rate: rate, lease: lease,
            processes: processes)
        let json = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        start = origin.now
        for _ in 0..<processes {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["--member", json]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            members.append((process, output))
        }
    }

    /// Waits until so many seconds after the start.
    func wait(until seconds: Double) async throws {
        let left = start + seconds - origin.now
        if left > 0 { try await Task.sleep(for: .seconds(left)) }
    }

    /// Ends one of the processes at once. It reports nothing.
    func killMember() {
        let (process, _) = members.removeFirst()
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for the end of all processes and returns their results.
    ///
    /// - Throws: an error if one has not ended half a minute after its time: it hangs.
    func reports() async throws -> [FleetMember.Report] {
        let limit = start + settings.seconds + 90
        while members.contains(where: { $0.process.isRunning }) {
            guard origin.now < limit else {
                for member in members { kill(member.process.processIdentifier, SIGKILL) }
                throw CocoaError(
                    .userCancelled, userInfo: [NSLocalizedDescriptionKey: "a process hangs"])
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return try members.map { member in
            let data = member.output.fileHandleForReading.readDataToEndOfFile()
            return try JSONDecoder().decode(FleetMember.Report.self, from: data)
        }
    }
}

extension [FleetMember.Report] {
    var calls: Int { reduce(0) { $0 + $1.calls } }
    var longest: Double { map(\.longest).max() ?? 0 }
    var failures: [String: Int] {
        reduce(into: [:]) { $0.merge($1.failures, uniquingKeysWith: +) }
    }

    /// The finding that no call was lost.
    func losesNone(of what: String) -> Finding {
        Finding(
            promised: "\(what) loses no call of the others",
            seen:
                "\(failures.values.reduce(0, +)) of \(calls) calls failed \(failures); "
                + "the longest took \(longest.shown()) s", holds: failures.isEmpty && calls > 0)
    }
}
