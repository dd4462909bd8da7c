import HTTPClientKit
import HTTPTransportCurl

/// Connections that a relay forwards no more although TCP goes on acknowledging: after a request
/// that has timed out, the next one is answered over another connection.
struct DeadConnections {
    private static let limit = Duration.seconds(1)

    static func run(_ report: inout Report) async throws {
        for (name, version) in [
            ("relay.nginx", HTTPVersion.http2), ("relay.nginx.http1", .http1_1),
        ] {
            guard let url = report.servers.url(name) else {
                report.skip(name)
                continue
            }
            let relay = Relay(servers: report.servers, name: name, url: url)
            try await oneByOne(relay, version, &report)
            try await atOnce(relay, version, &report)
            try await retried(relay, version, &report)
        }
    }

    private struct Relay: Sendable {
        let servers: RealServers
        let name: String
        let url: String

        func request(_ limit: Duration) throws -> HTTPRequest {
            var request = try HTTPRequest(url + "/hello")
            request.timeouts.total = .after(limit)
            return request
        }

        /// Returns clients with a warm connection each, of which the relay then forwards nothing.
        func stalled(
            _ count: Int, _ version: HTTPVersion, _ tally: inout Tally,
            _ makeSession: (CurlTransport) -> any HTTPSession
        ) async throws -> [(transport: CurlTransport, session: any HTTPSession)] {
            var clients: [(transport: CurlTransport, session: any HTTPSession)] = []
            for _ in 0..<count {
                let transport = try servers.transport()
                let warm = await Outcome.of(try request(.seconds(30)), over: transport)
                if warm.version != version { tally.note(warm, false, about: "the first request") }
                clients.append((transport, makeSession(transport)))
            }
            let reply = try await servers.control(
                "relays.control", "/stall?relay=\(servers.port(name))")
            if (reply.connections ?? 0) < count {
                tally.note(.other("\(reply.connections ?? 0) connections were stalled"), false)
            }
            return clients
        }
    }

    /// A request that times out, and then another one, over many clients.
    private static func oneByOne(
        _ relay: Relay, _ version: HTTPVersion, _ report: inout Report
    ) async throws {
        var tally = Tally()
        let clients = try await relay.stalled(report.repetitions, version, &tally) { $0 }
        tally += try await withThrowingTaskGroup(of: Tally.self) { group in
            for client in clients {
                group.addTask {
                    var tally = Tally()
                    let first = await Outcome.of(try relay.request(limit), over: client.session)
                    if first.error?.code != .timedOut {
                        tally.note(first, false, about: "on the dead connection")
                    }
                    let next = await Outcome.of(
                        try relay.request(.seconds(10)), over: client.session)
                    tally.note(next, next.status == 200, about: "after the time-out")
                    return tally
                }
            }
            return try await group.reduce(into: Tally()) { $0 += $1 }
        }
        for client in clients { await client.transport.close(grace: .zero) }
        report.row(
            "the request after one that timed out on a dead connection, \(version)", tally,
            expecting: "all answered")
    }

    /// Twenty requests that time out together, and then twenty others.
    private static func atOnce(
        _ relay: Relay, _ version: HTTPVersion, _ report: inout Report
    ) async throws {
        var tally = Tally()
        let clients = try await relay.stalled(1, version, &tally) { $0 }
        for (limit, isDead) in [(limit, true), (.seconds(10), false)] {
            tally += try await withThrowingTaskGroup(of: Tally.self) { group in
                for client in clients {
                    for _ in 0..<20 {
                        group.addTask {
                            var tally = Tally()
                            let outcome = await Outcome.of(
                                try relay.request(limit), over: client.session)
                            // Over HTTP/1.1, the others have connections of their own.
                            if !isDead { tally.note(outcome, outcome.status == 200) }
                            return tally
                        }
                    }
                }
                return try await group.reduce(into: Tally()) { $0 += $1 }
            }
        }
        for client in clients { await client.transport.close(grace: .zero) }
        report.row(
            "20 requests after 20 that timed out on a dead connection, \(version)", tally,
            expecting: "all answered")
    }

    /// A call whose policy repeats it after the time-out.
    private static func retried(
        _ relay: Relay, _ version: HTTPVersion, _ report: inout Report
    ) async throws {
        var tally = Tally()
        let clients = try await relay.stalled(report.repetitions, version, &tally) {
            HTTPClient(transport: $0, retry: .standard)
        }
        tally += try await withThrowingTaskGroup(of: Tally.self) { group in
            for client in clients {
                group.addTask {
                    var tally = Tally()
                    let outcome = await Outcome.of(try relay.request(limit), over: client.session)
                    tally.note(outcome, outcome.status == 200)
                    return tally
                }
            }
            return try await group.reduce(into: Tally()) { $0 += $1 }
        }
        for client in clients { await client.transport.close(grace: .zero) }
        report.row(
            "calls with retries that begin on a dead connection, \(version)", tally,
            expecting: "all answered")
    }
}
