import HTTPClientKit
import HTTPTransportCurl

/// The servers that `Scripts/real-servers` has started, by name: those of `HTTP_REAL_SERVERS`.
struct RealServers: Sendable {
    private var addresses: [String: String] = [:]
    /// The servers that do not run, with the reasons.
    private(set) var missing: [String] = []

    init(_ lines: String) {
        for line in lines.split(separator: "\n") {
            guard let blank = line.firstIndex(of: " ") else { continue }
            let rest = String(line[line.index(after: blank)...])
            if line[..<blank] == "missing" {
                missing.append(rest)
            } else {
                addresses[String(line[..<blank])] = rest
            }
        }
    }

    /// Returns the URL of a server, without a slash at its end, or `nil` if it was not started.
    func url(_ name: String) -> String? { addresses[name] }

    /// Returns the path of a file in PEM.
    func certificate(_ name: String) -> String { "\(addresses["pki"] ?? "")/\(name)" }

    /// Returns the port of a server as text.
    func port(_ name: String) -> String {
        addresses[name]?.split(separator: ":").last.map(String.init) ?? ""
    }
}

extension RealServers {
    /// Returns a transport that trusts the authority of the servers.
    func transport(
        _ change: (inout CurlConfiguration) throws -> Void = { _ in }
    ) throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.tls.trust = .only(.file(certificate("root.pem")))
        // A handshake takes long where many programs share few processors.
        configuration.timeouts.connect = .after(.seconds(30))
        try change(&configuration)
        return try CurlTransport(configuration)
    }

    /// Returns a page of the control port of the origin or of the relays.
    func control(_ name: String, _ target: String) async throws -> ControlReply {
        guard let url = url(name) else {
            throw HTTPError(.invalidRequest, "\(name) was not started")
        }
        let transport = CurlTransport()
        let reply = try await transport.get(url + target).json(ControlReply.self)
        await transport.close(grace: .zero)
        return reply
    }
}

/// A reply of a control port. Each page has some of the members.
struct ControlReply: Decodable, Sendable {
    /// The number of requests that were processed, without repetitions.
    var seen: Int?
    /// The number of requests that were processed more than once.
    var repeated: Int?
    /// The number of connections.
    var connections: Int?
}
