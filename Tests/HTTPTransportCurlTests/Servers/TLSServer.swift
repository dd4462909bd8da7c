import HTTPCore

/// `openssl s_server`: answers every request with a page that says how its connection is secured,
/// and closes the connection.
final class TLSServer: Sendable {
    let port: UInt16
    private let process: ServerProcess

    static func start(
        _ certificate: TestAuthority.Certificate, _ arguments: [String] = []
    ) async throws -> TLSServer {
        try await ServerProcess.onThread { try TLSServer(certificate, arguments) }
    }

    private init(_ certificate: TestAuthority.Certificate, _ arguments: [String]) throws {
        process = try ServerProcess(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate.certificate,
                "-key", certificate.key,
            ] + arguments)
        let lines = try process.lines { $0.hasPrefix("ACCEPT") }
        guard let port = lines.last?.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw ServerProcess.Failure(description: "openssl s_server: \(lines)")
        }
        self.port = port
    }

    var url: String { "https://127.0.0.1:\(port)/" }
}
