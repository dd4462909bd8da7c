import HTTPCore

/// TLS in front of a server that speaks none: `openssl s_server`, whose input and output are a
/// connection to that server. For one connection.
final class TLSFront: Sendable {
    let port: UInt16
    private let process: ServerProcess

    static func start(
        _ certificate: TestAuthority.Certificate, before port: UInt16
    ) async throws -> TLSFront {
        try await ServerProcess.onThread { try TLSFront(certificate, port) }
    }

    private init(_ certificate: TestAuthority.Certificate, _ port: UInt16) throws {
        guard let server = RawConnection(port: port) else {
            throw ServerProcess.Failure(description: "nobody listens on \(port)")
        }
        process = try ServerProcess(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:0", "-quiet", "-naccept", "1",
                "-cert", certificate.certificate, "-key", certificate.key,
            ], joinedTo: server)
        self.port = try process.listeningPort()
    }
}
