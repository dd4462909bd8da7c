import HTTPClientKit

/// Large header sections: delivered, or refused for good.
struct LargeHeads {
    static func run(_ report: inout Report) async throws {
        guard let url = report.servers.url("node") else {
            report.skip("large header sections of node")
            return
        }
        for version in [HTTPVersion.http2, .http1_1] {
            for (bytes, mayBeRefused) in [(60_000, false), (200_000, true), (2_000_000, true)] {
                var tally = Tally()
                let transport = try report.servers.transport()
                for _ in 0..<4 {
                    for target in ["/head/\(bytes)", "/hello"] {
                        var request = try HTTPRequest(url + target)
                        request.version = version
                        request.timeouts.total = .after(.seconds(30))
                        let outcome = await Outcome.of(request, over: transport)
                        var isExpected = outcome.status == 200
                        if target != "/hello", case .answered(let head, _) = outcome {
                            let fillers = head.headers.filter {
                                $0.name.spelling.hasPrefix("x-filler")
                            }
                            isExpected = fillers.reduce(0) { $0 + $1.value.utf8.count } == bytes
                        } else if target != "/hello", mayBeRefused, let error = outcome.error {
                            isExpected = error.code == .headersTooLarge && !error.isRetryable
                        }
                        tally.note(outcome, isExpected, about: target)
                    }
                }
                await transport.close(grace: .zero)
                report.row(
                    "a header section of \(bytes / 1000) kB, node, \(version)", tally,
                    expecting: mayBeRefused ? "complete, or headersTooLarge, final" : "complete")
            }
        }
    }
}
