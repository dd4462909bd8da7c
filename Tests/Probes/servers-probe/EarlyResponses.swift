import HTTPClientKit
import HTTPTransportCurl

/// Responses that come before the server has read the request's body (RFC 9113 §8.1): each request
/// gets its status.
struct EarlyResponses {
    /// A server with the statuses that it answers at once, each at `/early/STATUS` unless
    /// `targets` has another place.
    private struct Server {
        var name: String
        var statuses: [Int]
        var targets: [Int: (server: String, target: String)] = [:]
    }

    private static let servers = [
        Server(name: "nginx", statuses: [200, 303, 401, 403, 404, 413, 429]),
        Server(name: "apache", statuses: [303, 401, 403, 404, 429]),
        Server(name: "haproxy", statuses: [200, 303, 401, 403, 404, 413, 429]),
        Server(name: "lighttpd", statuses: [303, 401, 403, 404]),
        Server(name: "caddy", statuses: [200, 303, 401, 403, 404, 413, 429]),
        Server(
            name: "registry", statuses: [401, 404],
            targets: [
                401: ("registry.login", "/v2/app/blobs/uploads/"),
                404: ("registry", "/v2/none"),
            ]),
        Server(name: "node", statuses: [200, 303, 401, 403, 404, 413, 429]),
        Server(name: "go", statuses: [200, 303, 401, 403, 404, 413, 429]),
    ]

    private struct Body {
        var name: String
        var length: Int
        var isStreamed = false

        /// `true` if it counts as an upload (``CurlLibrary/uploadsOverHTTP2``).
        var isUpload: Bool { isStreamed || length > 64 << 10 }

        var content: HTTPBody {
            guard isStreamed else { return HTTPBody(Data(repeating: 0x62, count: length)) }
            return HTTPBody(
                AsyncStream { continuation in
                    for _ in 0..<10 {
                        continuation.yield(Data(repeating: 0x62, count: length / 10))
                    }
                    continuation.finish()
                })
        }
    }

    private static let bodies = [
        Body(name: "10 B", length: 10), Body(name: "1 kB", length: 1000),
        Body(name: "60 kB", length: 60_000), Body(name: "64 KiB + 1 B", length: 64 << 10 | 1),
        Body(name: "1 MiB", length: 1 << 20),
        Body(name: "a stream of 100 kB", length: 100_000, isStreamed: true),
    ]

    static func run(_ report: inout Report) async throws {
        for server in servers {
            guard report.servers.url(server.name) != nil else {
                report.skip("early responses of \(server.name)")
                continue
            }
            for asked in [nil, HTTPVersion.http2, .http1_1] {
                let tally = try await tally(server, asked, report)
                let versions = tally.versions.sorted { $0.key.rawValue < $1.key.rawValue }
                    .map { "\($0.value) over \($0.key)" }.joined(separator: ", ")
                let what =
                    "statuses before the body is read, \(server.name), "
                    + (asked.map { "\($0) asked for" } ?? "by default")
                if asked == .http2, !report.library.uploadsOverHTTP2 {
                    // On a busy machine, it may lose all.
                    report.besides(
                        what, "\(tally.figure) (\(versions))",
                        "this libcurl loses some over HTTP/2", tally.isWhollyExcused)
                } else {
                    report.row(what, "\(tally.figure) (\(versions))", "all", tally.isMet)
                }
                tally.printOthers()
            }
        }
    }

    /// Sends every body to every place, one after the other over a warm client.
    private static func tally(
        _ server: Server, _ asked: HTTPVersion?, _ report: Report
    ) async throws -> Tally {
        // Where it cannot, uploads over HTTP/2 may stall for as long as they have time.
        let mayUpload = asked != .http2 || report.library.uploadsOverHTTP2
        var tally = Tally()
        for status in server.statuses {
            let place = server.targets[status] ?? (server.name, "/early/\(status)")
            guard let url = report.servers.url(place.server) else { continue }
            for method in [HTTPMethod.post, .put] {
                for body in bodies where mayUpload || !body.isUpload {
                    // nginx ends a connection over which it has discarded some 8 MiB.
                    let transport = try report.servers.transport()
                    var warm = try HTTPRequest(url + "/hello")
                    warm.version = asked
                    let first = await Outcome.of(warm, over: transport)
                    if first.version != asked ?? .http2 { tally.note(first, false, about: "a GET") }
                    for _ in 0..<(report.isFull ? report.repetitions : 2) {
                        var request = try HTTPRequest(
                            method, url + place.target, body: body.content)
                        request.version = asked
                        request.timeouts.total = .after(.seconds(30))
                        let outcome = await Outcome.of(request, over: transport)
                        // lighttpd refuses content of unknown length for its own pages.
                        let isRefused = body.isStreamed && outcome.status == 411
                        tally.note(
                            outcome, outcome.status == status || isRefused,
                            about: "\(method) \(body.name) for \(status)",
                            isExcused: [.connectionLost, .bodyIncomplete].contains(
                                outcome.error?.code))
                    }
                    await transport.close(grace: .zero)
                }
            }
        }
        return tally
    }
}
