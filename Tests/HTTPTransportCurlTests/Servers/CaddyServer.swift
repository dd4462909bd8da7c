import HTTPCore
import HTTPFormats
import HTTPTransportCurl
import PortableFoundation

/// Caddy, and so Go's HTTP/2 and HTTP/3 over TLS.
///
/// Answers with the protocol and the content of the request. On demand, all requests go instead to
/// the port of this machine that their field `X-Port` names, over HTTP/1.1.
final class CaddyServer: Sendable {
    static var isAvailable: Bool { TestAuthority.isAvailable && ServerProcess.has("caddy") }

    let port: UInt16
    private let process: ServerProcess
    /// The socket of the administration, and the configuration.
    private let control: (socket: String, configuration: String)

    private static let answering = """
        {"handler": "static_response", "body": "{http.request.proto} {http.request.body}"}
        """

    /// Caddy holds pieces back if there is no interval, and goes on after its client has left if
    /// the interval is negative.
    private static let forwarding = """
        {"handler": "reverse_proxy",
         "upstreams": [{"dial": "127.0.0.1:{http.request.header.X-Port}"}],
         "flush_interval": 1000000,
         "transport": {"protocol": "http", "compression": false},
         "headers": {"request": {
           "set": {"Host": ["127.0.0.1:{http.request.header.X-Port}"]},
           "delete": ["X-Port", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host",
             "Via"]}}}
        """

    static func start(forwards: Bool = false) async throws -> CaddyServer {
        let authority = try await TestAuthority.shared
        return try await ServerProcess.onThread { try CaddyServer(authority, forwards: forwards) }
    }

    private init(_ authority: TestAuthority, forwards: Bool) throws {
        let folder = authority.path("caddy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let socket =
            FileManager.default.temporaryDirectory.path
            + "/\(UUID().uuidString.prefix(8)).caddy"
        let file = "\(folder)/configuration"
        (process, port) = try ServerProcess.onFreePort(speaksQUIC: true) { port in
            // No authority, certificates or state of its own.
            let configuration = """
                {
                  "admin": {"listen": "unix/\(socket)", "origins": ["127.0.0.1"],
                    "config": {"persist": false}},
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
                      "routes": [
                        {"match": [{"path": ["/pulse"]}], "terminal": true,
                         "handle": [{"handler": "static_response"}]},
                        {"handle": [\(forwards ? Self.forwarding : Self.answering)]}]}}}}
                }
                """
            try configuration.write(toFile: file, atomically: false, encoding: .utf8)
            return try ServerProcess("caddy", ["run", "--config", file])
        }
        control = (socket, try String(contentsOfFile: file, encoding: .utf8))
    }

    deinit { try? FileManager.default.removeItem(atPath: control.socket) }

    /// Loads the configuration anew, which ends the connections of QUIC.
    func reload() async throws {
        var request = try HTTPRequest(.post, "http://127.0.0.1/load")
        request[UnixSocket.self] = try UnixSocket(
            control.socket, for: HTTPOrigin("http://127.0.0.1"))
        request.headers[.contentType] = "application/json"
        // Otherwise, Caddy does nothing if nothing has changed.
        request.headers["Cache-Control"] = "must-revalidate"
        request.body = HTTPBody(control.configuration)
        let session = CurlTransport()
        let response = try await session.response(for: request)
        guard response.status.isSuccessful else {
            throw HTTPError(
                .internalFailure,
                "Caddy does not load its configuration: \(response.status) "
                    + (try await response.text()))
        }
    }

    var url: String { "https://127.0.0.1:\(port)/" }
}
