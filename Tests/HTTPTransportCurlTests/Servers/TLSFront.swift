import HTTPCore

/// TLS in front of a server without TLS: `openssl s_server`, whose input and output are a
/// connection to that server. It serves one connection, or several after one another, which that
/// server then sees as one.
final class TLSFront: Sendable {
    let port: UInt16
    private let process: ServerProcess

    static func start(
        _ certificate: TestAuthority.Certificate, before port: UInt16, connections: Int = 1,
        _ arguments: [String] = []
    ) async throws -> TLSFront {
        try await ServerProcess.onThread {
            try TLSFront(certificate, port, connections, arguments)
        }
    }

    private init(
        _ certificate: TestAuthority.Certificate, _ port: UInt16, _ connections: Int,
        _ arguments: [String]
    ) throws {
        guard let server = RawConnection(port: port) else {
            throw ServerProcess.Failure(description: "nothing listens on \(port)")
        }
        process = try ServerProcess(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:0", "-quiet", "-naccept",
                "\(connections)", "-cert", certificate.certificate, "-key", certificate.key,
            ] + arguments, joinedTo: server)
        self.port = try process.listeningPort()
    }
}
