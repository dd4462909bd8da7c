import HTTPClientKit

/// Bodies that end in the middle: never complete, always with the same code; and the next request
/// is answered.
struct CutBodies {
    private struct Case {
        var server: String
        var version: HTTPVersion
        /// The last words of `/cut/`.
        var ends: [String]
    }

    private static let cases = [
        Case(server: "nginx", version: .http2, ends: ["chunked", "length", "reset"]),
        Case(server: "nginx", version: .http1_1, ends: ["chunked", "length", "reset"]),
        Case(server: "apache", version: .http2, ends: ["chunked", "length", "reset"]),
        Case(server: "apache", version: .http1_1, ends: ["chunked", "length", "reset"]),
        // Caddy and haproxy end a chunked body that was cut behind them as if it were complete.
        Case(server: "haproxy", version: .http2, ends: ["length"]),
        Case(server: "haproxy", version: .http1_1, ends: ["chunked", "length", "reset"]),
        Case(server: "caddy", version: .http2, ends: ["length"]),
        Case(server: "caddy", version: .http1_1, ends: ["length"]),
        Case(server: "varnish", version: .http1_1, ends: ["chunked", "length", "reset"]),
        Case(server: "node", version: .http2, ends: ["internal", "cancel", "destroy", "length"]),
        Case(server: "node", version: .http1_1, ends: ["chunked", "length"]),
        Case(server: "node.plain", version: .http1_1, ends: ["chunked", "length"]),
        Case(server: "go", version: .http2, ends: ["abort", "length"]),
        Case(server: "go", version: .http1_1, ends: ["abort", "length"]),
    ]

    /// Ends that not every library tells from the end of the body.
    private static let untold: [(what: String, server: String, version: HTTPVersion, end: String)] =
        [
            ("RST_STREAM with NO_ERROR", "node", .http2, "no-error"),
            ("TLS without close_notify", "node", .http1_1, "close"),
        ]

    static func run(_ report: inout Report) async throws {
        for one in cases {
            guard let url = report.servers.url(one.server) else {
                report.skip("bodies that \(one.server) cuts")
                continue
            }
            var tally = Tally()
            for end in one.ends {
                tally += try await cut(url, one.version, end, report)
            }
            report.row(
                "bodies that end in the middle, \(one.server), \(one.version)", tally,
                expecting: "bodyIncomplete")
        }
        for one in untold {
            guard let url = report.servers.url(one.server) else { continue }
            let tally = try await cut(url, one.version, one.end, report)
            report.besides(
                "bodies that end with \(one.what), \(one.server), \(one.version)",
                "\(tally.figure) bodyIncomplete", "not every library reports it", tally.isExcused)
            tally.printOthers()
        }
    }

    private static func cut(
        _ url: String, _ version: HTTPVersion, _ end: String, _ report: Report
    ) async throws -> Tally {
        var tally = Tally()
        let transport = try report.servers.transport()
        for _ in 0..<report.repetitions {
            for target in ["/cut/\(end)", "/hello"] {
                var request = try HTTPRequest(url + target)
                request.version = version
                request.timeouts.total = .after(.seconds(30))
                let outcome = await Outcome.of(request, over: transport)
                let isExpected =
                    target == "/hello"
                    ? outcome.status == 200 : outcome.error?.code == .bodyIncomplete
                // Where the library does not tell, all that came before the end is delivered.
                tally.note(
                    outcome, isExpected, about: target,
                    isExcused: outcome.status == 200 && outcome.text.utf8.count == 12288)
            }
        }
        await transport.close(grace: .zero)
        return tally
    }
}
