import Foundation
import RedisServers

/// A part of the proof.
struct Scenario: Sendable {
    var name: String
    var run: @Sendable () async throws -> [Finding]

    static func all(seconds: Double) -> [Scenario] {
        [
            Scenario(name: "limit") { try await limit(seconds, lease: 0) },
            Scenario(name: "limit with leases") { try await limit(seconds, lease: 10) },
            Scenario(name: "cost") { try await Cost.run() },
            Scenario(name: "pause") { try await pause() },
            Scenario(name: "redis killed") { try await redisKilled() },
            Scenario(name: "process killed") { try await processKilled() },
            Scenario(name: "client pause") { try await clientPause() },
            Scenario(name: "disk full") { try await diskFull() },
        ]
    }

    /// The limit of the fleet over a time, and one token for all.
    private static func limit(_ seconds: Double, lease: Int) async throws -> [Finding] {
        let rate = 400
        let fleet = try Fleet(seconds: seconds + 4, rate: rate, lease: lease)
        let reports = try await fleet.reports()
        // From the second second on: the burst at the beginning is over.
        let count = fleet.origin.arrivals(
            from: fleet.start + 2, to: fleet.start + 2 + seconds
        ).count
        let error = Double(count) / (Double(rate) * seconds) * 100 - 100
        return [
            Finding(
                promised: "\(rate) requests a second over \(Int(seconds)) s, within 2 %",
                seen: "\(count) requests, \(error.shown(2)) %", holds: abs(error) <= 2),
            Finding(
                promised: "one token for all", seen: "\(fleet.origin.tokens) fetched",
                holds: fleet.origin.tokens == 1),
            reports.losesNone(of: "the limit"),
        ]
    }

    /// A refusal that one process sees.
    private static func pause() async throws -> [Finding] {
        let fleet = try Fleet(seconds: 8)
        try await fleet.wait(until: 3)
        fleet.origin.refuseNext(retryAfter: 3)
        let reports = try await fleet.reports()
        guard let time = fleet.origin.refusedAt else {
            return [Finding(promised: "a refusal", seen: "none", holds: false)]
        }
        let after = fleet.origin.arrivals(from: time, to: time + 3)
        let last = ((after.last ?? time) - time) * 1000
        let resumed = fleet.origin.arrivals(from: time + 3, to: time + 4).count
        return [
            Finding(
                promised: "a 429 seen by one pauses all within 100 ms",
                seen: "\(after.count - 1) requests after it, the last \(last.shown()) ms after it; "
                    + "\(resumed) in the second after the pause",
                holds: last <= 100 && resumed > 0),
            reports.losesNone(of: "the pause"),
        ]
    }

    private static func redisKilled() async throws -> [Finding] {
        let fleet = try Fleet(seconds: 12)
        try await fleet.wait(until: 3)
        fleet.redis.kill()
        try await fleet.wait(until: 6)
        let without = fleet.origin.arrivals(from: fleet.start + 3.5, to: fleet.start + 6).count
        try fleet.redis.start()
        let reports = try await fleet.reports()
        let after = fleet.origin.arrivals(from: fleet.start + 9, to: fleet.start + 11).count
        return [
            reports.losesNone(of: "kill -9 of Redis"),
            Finding(
                promised: "each process goes on with its share, and then with the whole again",
                seen: "\((Double(without) / 2.5).shown(0)) requests a second without Redis, "
                    + "\(after / 2) a second after its return",
                holds: without > 500 && without < 1300 && after > 700 && after < 900),
        ]
    }

    private static func processKilled() async throws -> [Finding] {
        let fleet = try Fleet(seconds: 8, lease: 10)
        try await fleet.wait(until: 3)
        fleet.killMember()
        let reports = try await fleet.reports()
        let after = fleet.origin.arrivals(from: fleet.start + 5, to: fleet.start + 7).count
        return [
            reports.losesNone(of: "kill -9 of a process"),
            Finding(
                promised: "the others have its part of the limit",
                seen: "\(after / 2) requests a second", holds: after > 760 && after < 840),
        ]
    }

    private static func clientPause() async throws -> [Finding] {
        let fleet = try Fleet(seconds: 9)
        try await fleet.wait(until: 3)
        try fleet.redis.command("CLIENT", "PAUSE", "2000", "ALL")
        let reports = try await fleet.reports()
        let during = fleet.origin.arrivals(from: fleet.start + 3.5, to: fleet.start + 5).count
        return [
            reports.losesNone(of: "CLIENT PAUSE of two seconds"),
            Finding(
                promised: "requests go on meanwhile",
                seen: "\((Double(during) / 1.5).shown(0)) requests a second", holds: during > 200),
        ]
    }

    /// Redis cannot write its log, and refuses every write: on a file system that is full or, if
    /// this process may not mount one, with no memory left.
    private static func diskFull() async throws -> [Finding] {
        let disk = SmallDisk()
        let arguments = disk.map { ["--appendonly", "yes", "--dir", $0.path] } ?? []
        let fleet = try Fleet(seconds: 9, redisArguments: arguments)
        try await fleet.wait(until: 3)
        if let disk {
            try disk.fill()
        } else {
            try fleet.redis.command("CONFIG", "SET", "maxmemory", "1")
        }
        try await fleet.wait(until: 6)
        let refusal = (try? fleet.redis.command("SET", "x", "1")) ?? "refused"
        let during = fleet.origin.arrivals(from: fleet.start + 3.5, to: fleet.start + 6).count
        if let disk {
            disk.clear()
        } else {
            try fleet.redis.command("CONFIG", "SET", "maxmemory", "0")
        }
        let reports = try await fleet.reports()
        return [
            reports.losesNone(of: disk == nil ? "a Redis without memory" : "a full disk"),
            Finding(
                promised: "requests go on while Redis refuses writes",
                seen: "a write: \(refusal); \((Double(during) / 2.5).shown(0)) requests a second",
                holds: during > 500 && refusal == "refused"),
        ]
    }
}
