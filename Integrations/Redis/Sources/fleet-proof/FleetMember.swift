import Foundation
import HTTPClientKit
import HTTPRedis
import Synchronization

/// A process of the fleet: 64 tasks that call the origin until the time is over.
struct FleetMember {
    /// The settings, as JSON in the first argument.
    struct Settings: Codable, Sendable {
        var origin: String
        var socket: String
        var seconds: Double
        /// The calls per second of the whole fleet.
        var rate: Int
        var lease: Int
        var processes: Int
        var tasks = 64
    }

    /// The results, as JSON on the standard output.
    struct Report: Codable, Sendable {
        var calls = 0
        var failures: [String: Int] = [:]
        /// The seconds that the longest call took.
        var longest = 0.0
        var storeFailures = 0
    }

    private let settings: Settings

    init(_ arguments: [String]) throws {
        settings = try JSONDecoder().decode(
            Settings.self, from: Data((arguments.first ?? "").utf8))
    }

    func run() async throws {
        let redis = try HTTPRedis(HTTPRedisConfiguration(unixSocket: settings.socket))
        let share = max(1, settings.rate / settings.processes)
        let rate = RateLimit(
            .tokenBucket(settings.rate, per: .seconds(1), burst: max(1, settings.rate / 20)),
            sharing: RateLimit.Sharing(
                redis.rates, lease: settings.lease,
                whenStoreFails: .limitLocally(to: .tokenBucket(share, per: .seconds(1), burst: 1))))
        let tokenURL = "\(settings.origin)/token"
        let authentication = try RefreshingAuthentication(
            for: HTTPOrigin(settings.origin), sharing: HTTPCredentialSharing(redis.credentials())
        ) { _, session in
            struct Token: Decodable { var access_token: String }
            let token = try await session.response(
                Token.self, for: HTTPRequest(.post, tokenURL))
            return try .bearer(token.access_token)
        }
        let client = try HTTPClient(baseURL: settings.origin) {
            $0.validators = []
            $0.retry = .standard
            $0.authentication = [authentication]
            $0.originPause = OriginPause(store: redis.pauses)
            $0.rateLimits = [rate]
            $0.circuitBreaker = CircuitBreaker()
        }

        let end = ContinuousClock.now + .seconds(settings.seconds)
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<settings.tasks {
                group.addTask {
                    while ContinuousClock.now < end {
                        let start = ContinuousClock.now
                        var failure: String?
                        do {
                            let status = try await client.get("/work").response().status
                            if status != .ok { failure = "\(status.code)" }
                        } catch {
                            failure = HTTPError.typeName(of: error)
                        }
                        let seconds = (ContinuousClock.now - start) / .seconds(1)
                        tally.add(failure, seconds)
                    }
                }
            }
        }
        var report = tally.report
        report.storeFailures = rate.statistics.storeFailures
        FileHandle.standardOutput.write(try JSONEncoder().encode(report))
    }

    /// The results of all tasks.
    private final class Tally: Sendable {
        private let state = Mutex(Report())

        var report: Report { state.withLock { $0 } }

        func add(_ failure: String?, _ seconds: Double) {
            state.withLock { report in
                report.calls += 1
                if let failure { report.failures[failure, default: 0] += 1 }
                report.longest = max(report.longest, seconds)
            }
        }
    }
}
