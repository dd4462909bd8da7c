import HTTPClientKit
import HTTPTransportCurl

/// Handshakes that a server refuses: the error says why, and is final.
struct TLSRefusals {
    private struct Case {
        var what: String
        var server: String
        /// Words in lower case, one of which is in the error's message.
        var reasons: [String]
        var code = HTTPError.Code.tlsFailed
        var host = "127.0.0.1"
        var change: (inout TLSSettings) -> Void = { _ in }
    }

    static func run(_ report: inout Report) async throws {
        for one in cases(report.servers) {
            guard report.servers.url(one.server) != nil else {
                report.skip(one.what)
                continue
            }
            var tally = Tally()
            var sentences: Set<String> = []
            for number in 0..<report.repetitions {
                let outcome = try await outcome(
                    "https://\(one.host):\(report.servers.port(one.server))/", number,
                    report.servers, one.change)
                guard let error = outcome.error else {
                    tally.note(outcome, false)
                    continue
                }
                let text = error.message.lowercased().split(separator: "_").joined(separator: " ")
                sentences.insert(error.message)
                tally.note(
                    outcome,
                    error.code == one.code && !error.isRetryable
                        && one.reasons.contains { text.contains($0) })
            }
            report.row(one.what, tally, expecting: "\(one.code), final, with its reason")
            for sentence in sentences where tally.isMet { print("    \(sentence)") }
        }
        try await accepted(&report)
    }

    /// Sends a GET or a POST over a connection of its own.
    private static func outcome(
        _ url: String, _ number: Int, _ servers: RealServers, _ change: (inout TLSSettings) -> Void
    ) async throws -> Outcome {
        let transport = try servers.transport {
            $0.addressFamily = .ipv4
            change(&$0.tls)
        }
        var request = try HTTPRequest(
            number % 2 == 0 ? .get : .post, url, body: HTTPBody(number % 2 == 0 ? "" : "content"))
        request.timeouts.total = .after(.seconds(30))
        let outcome = await Outcome.of(request, over: transport)
        await transport.close(grace: .zero)
        return outcome
    }

    private static func cases(_ servers: RealServers) -> [Case] {
        let stranger = ClientIdentity.files(
            certificate: servers.certificate("stranger.pem"),
            key: servers.certificate("stranger.key"))
        var cases: [Case] = []
        for server in ["haproxy", "apache", "openssl"] {
            for version in ["tls1.2", "tls1.3"] {
                cases.append(
                    Case(
                        what: "no client certificate, \(server), \(version)",
                        server: "\(server).clients.\(version)",
                        reasons: ["certificate", "handshake failure"]))
                cases.append(
                    Case(
                        what: "a client certificate of an unknown authority, \(server), \(version)",
                        server: "\(server).clients.\(version)",
                        reasons: ["unknown ca", "unknown authority"],
                        change: { $0.identity = stranger }))
            }
        }
        for server in ["nginx", "openssl"] {
            cases.append(
                Case(
                    what: "TLS 1.3 for TLS 1.2 only, \(server)", server: "\(server).tls1.2",
                    reasons: ["version"], change: { $0.minimumVersion = .tls1_3 }))
            cases.append(
                Case(
                    what: "TLS 1.2 for TLS 1.3 only, \(server)", server: "\(server).tls1.3",
                    reasons: ["version"], change: { $0.maximumVersion = .tls1_2 }))
        }
        cases += [
            Case(
                what: "no cipher in common, openssl", server: "openssl.cipher",
                reasons: ["handshake failure", "cipher"],
                change: {
                    $0.maximumVersion = .tls1_2
                    $0.cipherSuites = "ECDHE-ECDSA-AES256-GCM-SHA384"
                }),
            Case(
                what: "a name that the server does not know, openssl", server: "openssl.name",
                reasons: ["unrecognized name", "name"], host: "localhost"),
            Case(
                what: "HTTP without TLS on the port, the origin", server: "origin",
                reasons: ["wrong version number", "without tls", "plain", "not tls", "no tls"]),
            Case(
                what: "an authority that the client does not trust, nginx", server: "nginx",
                reasons: ["certificate"], code: .serverNotTrusted,
                change: { [path = servers.certificate("strangers.pem")] in
                    $0.trust = .only(.file(path))
                }),
            Case(
                what: "a client's key for another certificate, haproxy",
                server: "haproxy.clients.tls1.3", reasons: ["key"],
                change: {
                    $0.identity = .files(
                        certificate: servers.certificate("client.pem"),
                        key: servers.certificate("stranger.key"))
                }),
        ]
        return cases
    }

    /// The same servers with the right certificate, and nginx, which refuses with a response.
    private static func accepted(_ report: inout Report) async throws {
        let identity = ClientIdentity.files(
            certificate: report.servers.certificate("client.pem"),
            key: report.servers.certificate("client.key"))
        for server in ["nginx", "haproxy", "apache", "openssl"] {
            for version in ["tls1.2", "tls1.3"] {
                guard let url = report.servers.url("\(server).clients.\(version)") else { continue }
                // Apache has no page there.
                let statuses = [200, server == "apache" ? 404 : 200]
                let outcome = try await outcome(url + "/", 0, report.servers) {
                    $0.identity = identity
                }
                var tally = Tally()
                tally.note(outcome, outcome.status.map(statuses.contains) == true)
                if server == "nginx" {
                    let refused = try await Self.outcome(url + "/", 0, report.servers) { _ in }
                    tally.note(refused, refused.status == 400)
                }
                report.row(
                    "the right client certificate, \(server), \(version)", tally,
                    expecting: "accepted")
            }
        }
    }
}
