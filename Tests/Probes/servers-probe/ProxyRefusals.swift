import HTTPClientKit
import HTTPTransportCurl

/// Proxies that refuse: the error has the status of the proxy, or names the reason of SOCKS.
struct ProxyRefusals {
    private struct Case: Sendable {
        var what: String
        var proxy: String
        var user = ""
        var server: String
        var expected: String
        var isExpected: @Sendable (Outcome) -> Bool
    }

    private static let cases: [Case] = [
        Case(
            what: "squid, a tunnel", proxy: "squid.open", server: "nginx", expected: "200",
            isExpected: { $0.status == 200 }),
        Case(
            what: "squid, a tunnel with a password", proxy: "squid.basic", user: "alice:s3cret@",
            server: "nginx", expected: "200", isExpected: { $0.status == 200 }),
        Case(
            what: "squid, a request with a password", proxy: "squid.basic", user: "alice:s3cret@",
            server: "origin", expected: "200", isExpected: { $0.status == 200 }),
        Case(
            what: "squid, a tunnel that it forbids", proxy: "squid.closed", server: "nginx",
            expected: "proxyFailed, final, 403", isExpected: { isRefused($0, 403) }),
        Case(
            what: "squid, a request that it forbids", proxy: "squid.closed", server: "origin",
            expected: "403", isExpected: { $0.status == 403 }),
        Case(
            what: "squid, a tunnel without a password", proxy: "squid.basic", server: "nginx",
            expected: "proxyFailed, final, 407", isExpected: { isRefused($0, 407) }),
        Case(
            what: "squid, a tunnel with a wrong password", proxy: "squid.basic",
            user: "alice:wrong@", server: "nginx", expected: "proxyFailed, final, 407",
            isExpected: { isRefused($0, 407) }),
        // Credentials for proxies go as Basic.
        Case(
            what: "squid, a tunnel for which it asks for Digest", proxy: "squid.digest",
            user: "alice:s3cret@", server: "nginx", expected: "proxyFailed, final, 407",
            isExpected: { isRefused($0, 407) }),
        Case(
            what: "squid, a request with a wrong password", proxy: "squid.basic",
            user: "alice:wrong@", server: "origin", expected: "407",
            isExpected: { $0.status == 407 }),
        Case(
            what: "squid, a tunnel to nowhere", proxy: "squid.open", server: "nowhere",
            expected: "proxyFailed, 503",
            isExpected: { $0.error?.code == .proxyFailed && $0.error?.status?.code == 503 }),
        Case(
            what: "Dante, a tunnel", proxy: "dante", server: "nginx", expected: "200",
            isExpected: { $0.status == 200 }),
        Case(
            what: "Dante, a wrong password", proxy: "dante.login", user: "alice:wrong@",
            server: "nginx", expected: "proxyFailed, final, about the password",
            isExpected: { isNamed($0, ["password", "credentials", "authenti"]) }),
        Case(
            what: "Dante, no password", proxy: "dante.login", server: "nginx",
            expected: "proxyFailed, final, about the method",
            isExpected: { isNamed($0, ["password", "credentials", "authenti", "method"]) }),
        Case(
            what: "Dante, a place that its rules block", proxy: "dante.rules", server: "nginx",
            expected: "proxyFailed, final, not allowed",
            isExpected: { isNamed($0, ["allow", "rule", "forbid"]) }),
    ]

    static func run(_ report: inout Report) async throws {
        for one in cases {
            guard let proxy = report.servers.url(one.proxy),
                let server = report.servers.url(one.server)
            else {
                report.skip(one.what)
                continue
            }
            let parts = proxy.split(separator: "/", omittingEmptySubsequences: false)
            let place = try ProxyServer("\(parts[0])//\(one.user)\(parts[2])")
            let transport = try report.servers.transport { $0.proxies = .server(place) }
            var tally = Tally()
            for _ in 0..<4 {
                var request = try HTTPRequest(server + "/hello")
                request.timeouts.total = .after(.seconds(30))
                let outcome = await Outcome.of(request, over: transport)
                tally.note(outcome, one.isExpected(outcome))
            }
            await transport.close(grace: .zero)
            report.row(one.what, tally, expecting: one.expected)
        }
    }

    private static func isRefused(_ outcome: Outcome, _ status: Int) -> Bool {
        guard let error = outcome.error else { return false }
        return error.code == .proxyFailed && !error.isRetryable && error.status?.code == status
    }

    private static func isNamed(_ outcome: Outcome, _ words: [String]) -> Bool {
        guard let error = outcome.error, error.code == .proxyFailed, !error.isRetryable else {
            return false
        }
        return words.contains { error.message.lowercased().contains($0) }
    }
}
