import HTTPClientKit

/// Servers of HTTP/2 that allow few streams at a time, before an origin that takes 50 ms: a cold
/// client sends many requests at once, none is lost, and no POST is processed twice.
struct FewStreams {
    static func run(_ report: inout Report) async throws {
        let count = report.isFull ? 400 : 100
        // Over both servers, some 100 runs.
        let runs = report.isFull ? 7 : 2
        for server in ["nginx", "haproxy"] {
            for streams in [1, 2, 10, 32] {
                let name = "\(server).streams.\(streams)"
                guard let url = report.servers.url(name) else {
                    report.skip(name)
                    continue
                }
                for method in [HTTPMethod.get, .post] {
                    var tally = Tally()
                    var repeated = 0
                    for number in 0..<runs {
                        let run = "\(UInt64.random(in: 0 ... .max))-"
                        let outcomes = try await burst(
                            url, method, count, run, number % 2 == 0 ? .http2 : nil,
                            report.servers)
                        tally += outcomes
                        let reply = try await report.servers.control(
                            "origin.control", "/count?run=\(run)")
                        repeated += reply.repeated ?? 0
                        // The origin counts what it has processed, or this proves nothing.
                        if (reply.seen ?? 0) < outcomes.expected {
                            tally.note(.other("the origin saw \(reply.seen ?? 0)"), false)
                        }
                    }
                    // A GET may be sent again.
                    let isOnce = method == .get || repeated == 0
                    report.row(
                        "\(count) \(method) at once, \(server) with "
                            + "\(streams) streams, \(runs) cold clients",
                        "\(tally.count - tally.expected) lost, \(repeated) processed twice",
                        method == .get ? "0 lost" : "0 lost, 0 processed twice",
                        tally.isMet && isOnce)
                    tally.printOthers()
                }
            }
        }
    }

    private static func burst(
        _ url: String, _ method: HTTPMethod, _ count: Int, _ run: String, _ asked: HTTPVersion?,
        _ servers: RealServers
    ) async throws -> Tally {
        let transport = try servers.transport()
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for number in 0..<count {
                let id = "\(run)\(number)"
                var request = try HTTPRequest(method, url + "/slow", headers: ["X-Request": id])
                if method == .post { request.body = HTTPBody("body of \(id)") }
                request.version = asked
                request.timeouts.total = .after(.seconds(120))
                group.addTask { [request] in
                    let outcome = await Outcome.of(request, over: transport)
                    var tally = Tally()
                    tally.note(
                        outcome, outcome.status == 200 && outcome.text == id,
                        about: asked.map { "\($0) asked for" } ?? "by default")
                    return tally
                }
            }
            return try await group.reduce(into: Tally()) { $0 += $1 }
        }
        await transport.close(grace: .zero)
        return tally
    }
}
