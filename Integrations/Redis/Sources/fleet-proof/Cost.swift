import Foundation
import HTTPClientKit
import HTTPRedis
import HTTPTesting
import RedisServers

/// The cost of a decision of a rate: in this process, with Redis, and with leases of Redis.
enum Cost {
    private static let rate = HTTPRate.tokenBucket(10_000_000, per: .seconds(1))

    static func run() async throws -> [Finding] {
        guard let program = RedisServer.program else { return [] }
        let server = try RedisServer(program)
        let redis = try HTTPRedis(HTTPRedisConfiguration(unixSocket: server.socket))
        func shared(lease: Int) -> RateLimit {
            RateLimit(
                rate, sharing: RateLimit.Sharing(redis.rates, lease: lease, timeout: .seconds(5)))
        }
        let plain = try await seconds(nil, tasks: 1, count: 100_000)
        var findings: [Finding] = []
        for (name, limit, tasks, count) in [
            ("in this process", RateLimit(rate), 1, 100_000),
            ("with Redis, one task", shared(lease: 0), 1, 20_000),
            ("with Redis, 64 tasks", shared(lease: 0), 64, 100_000),
            ("with a lease of 100, one task", shared(lease: 100), 1, 100_000),
            ("with a lease of 100, 64 tasks", shared(lease: 100), 64, 100_000),
        ] {
            let each = (try await seconds(limit, tasks: tasks, count: count) - plain) * 1e6
            findings.append(
                Finding(
                    promised: "a decision \(name)", seen: "\(each.shown(2)) µs",
                    holds: limit.statistics.storeFailures == 0))
        }
        return findings
    }

    /// Returns the seconds for each request through a limit to a session that answers at once.
    private static func seconds(_ limit: RateLimit?, tasks: Int, count: Int) async throws -> Double
    {
        let session: any HTTPSession = limit.map { Immediate().with($0) } ?? Immediate()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    for _ in 0..<count / tasks {
                        let request = try HTTPRequest(.get, "http://h/").beginningCall()
                        _ = try await session.response(for: request)
                    }
                }
            }
            try await group.waitForAll()
        }
        return (ContinuousClock.now - start) / .seconds(1) / Double(count / tasks * tasks)
    }

    private struct Immediate: HTTPSession {
        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(.ok, to: request)
        }
    }
}
