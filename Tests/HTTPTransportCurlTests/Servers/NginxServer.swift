import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// nginx over TLS: HTTP/1.1 and HTTP/2, each request a line in its log.
///
/// `/` returns `hello`, `/up` accepts a body, `/big` has 1 MiB of `x`, `/huge` has 16 MiB of zeros,
/// and `/gzip` has the bytes of ``serveGzip(_:)``.
final class NginxServer: Sendable {
    struct Entry: Hashable, Sendable {
        var connection: Int
        var version: String
        var method: String
        var path: String
        /// Head and body, as received.
        var length: Int
    }

    static var isAvailable: Bool {
        TestAuthority.isAvailable && ServerProcess.has("nginx")
    }

    let port: UInt16
    private let process: ServerProcess
    private let folder: String

    static func start() async throws -> NginxServer {
        let authority = try await TestAuthority.shared
        return try await ServerProcess.onThread { try NginxServer(authority) }
    }

    private init(_ authority: TestAuthority) throws {
        let folder = authority.path("nginx-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
            .write(to: URL(filePath: "\(folder)/big"))
        try Data().write(to: URL(filePath: "\(folder)/huge"))
        guard unsafe truncate("\(folder)/huge", 16 << 20) == 0 else { throw SystemError(errno) }
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/\($0);"
        }.joined(separator: "\n")
        func configuration(_ port: UInt16) -> String {
            """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            error_log \(folder)/error;
            events { worker_connections 1000; }
            http {
                \(temporary)
                log_format entries
                    '$connection $server_protocol $request_method $uri $request_length';
                access_log \(folder)/log entries;
                client_max_body_size 1g;
                keepalive_requests 100000000;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_protocols TLSv1.2 TLSv1.3;
                    ssl_certificate \(authority.server.certificate);
                    ssl_certificate_key \(authority.server.key);
                    ssl_client_certificate \(authority.root.certificate);
                    ssl_verify_client optional;
                    location = / { return 200 "hello"; }
                    location = /up {
                        client_body_buffer_size 1m;
                        proxy_pass http://unix:\(folder)/inner;
                    }
                    location = /deny { return 413 "too much"; }
                    location = /big { root \(folder); }
                    location = /huge { root \(folder); }
                    location = /gzip { root \(folder); add_header Content-Encoding gzip; }
                }
                server {
                    listen unix:\(folder)/inner;
                    location / { return 200 "$http_content_length"; }
                }
            }

            """
        }
        (process, port) = try ServerProcess.onFreePort { port in
            try? FileManager.default.removeItem(atPath: "\(folder)/inner")
            try configuration(port).write(
                toFile: "\(folder)/conf", atomically: false, encoding: .utf8)
            return try ServerProcess(
                "nginx", ["-p", folder, "-c", "\(folder)/conf", "-e", "\(folder)/error"])
        }
    }

    func url(_ target: String = "/") -> String { "https://127.0.0.1:\(port)\(target)" }

    func serveGzip(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: "\(folder)/gzip"))
    }

    /// The path of the Unix socket that returns the length of the content, without TLS.
    var socketPath: String { "\(folder)/inner" }

    /// Waits until the log has `count` entries, and returns them. nginx writes an entry after the
    /// response, so the last one may be missing when its client already has the response.
    func log(of count: Int) async throws -> [Entry] {
        var entries = try log()
        while entries.count < count {
            try Task.checkCancellation()
            await Task.yield()
            entries = try log()
        }
        return entries
    }

    /// Returns the entries of the responses so far. The last one may be missing.
    func log() throws -> [Entry] {
        let text = try String(contentsOfFile: "\(folder)/log", encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 5, words[1] != "HTTP/1.0", let connection = Int(words[0]),
                let length = Int(words[4])
            else { return nil }
            return Entry(
                connection: connection, version: words[1], method: words[2], path: words[3],
                length: length)
        }
    }
}

/// `nghttpd`: HTTP/2 over TLS and nothing else.
final class NGHTTPServer: Sendable {
    static var isAvailable: Bool {
        TestAuthority.isAvailable && ServerProcess.has("nghttpd")
    }

    let port: UInt16
    private let process: ServerProcess

    static func start(_ arguments: [String] = []) async throws -> NGHTTPServer {
        let authority = try await TestAuthority.shared
        return try await ServerProcess.onThread { try NGHTTPServer(authority, arguments) }
    }

    private init(_ authority: TestAuthority, _ arguments: [String]) throws {
        let folder = authority.path("nghttpd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("hello".utf8).write(to: URL(filePath: "\(folder)/hello"))
        process = try ServerProcess(
            "nghttpd",
            ["-a", "127.0.0.1", "-d", folder] + arguments
                + ["0", authority.server.key, authority.server.certificate])
        port = try process.listeningPort()
    }

    func url(_ target: String) -> String { "https://127.0.0.1:\(port)\(target)" }
}
