import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Caddy, and so Go's HTTP/2 over TLS: answers with the protocol and the content of the request.
final class CaddyServer: Sendable {
    static var isAvailable: Bool { TestAuthority.isAvailable && ServerProcess.has("caddy") }

    let port: UInt16
    private let process: ServerProcess

    static func start() async throws -> CaddyServer {
        let authority = try await TestAuthority.shared
        return try await ServerProcess.onThread { try CaddyServer(authority) }
    }

    private init(_ authority: TestAuthority) throws {
        let folder = authority.path("caddy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        (process, port) = try ServerProcess.onFreePort { port in
            // No administration, authority, certificates or state of its own.
            let configuration = """
                {
                  "admin": {"disabled": true, "config": {"persist": false}},
                  "storage": {"module": "file_system", "root": "\(folder)"},
                  "apps": {
                    "pki": {"certificate_authorities": {"local": {"install_trust": false}}},
                    "tls": {"certificates": {"load_files": [{
                      "certificate": "\(authority.server.certificate)",
                      "key": "\(authority.server.key)"}]}},
                    "http": {"servers": {"test": {
                      "listen": ["127.0.0.1:\(port)"],
                      "automatic_https": {"disable": true},
                      "tls_connection_policies": [{}],
                      "routes": [{"handle": [{"handler": "static_response",
                        "body": "{http.request.proto} {http.request.body}"}]}]}}}}
                }
                """
            let file = "\(folder)/configuration"
            try configuration.write(toFile: file, atomically: false, encoding: .utf8)
            return try ServerProcess("caddy", ["run", "--config", file])
        }
    }

    var url: String { "https://127.0.0.1:\(port)/" }
}
