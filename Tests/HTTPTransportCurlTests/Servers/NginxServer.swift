import HTTPCore
import PortableFoundation
import PortableLibc

/// nginx over TLS: HTTP/1.1 and HTTP/2, and HTTP/3 if it is asked for, each request a line in its
/// log.
///
/// `/` returns `hello`, `/up` accepts a body, `/big` has 1 MiB of `x`, `/huge` has 16 MiB of zeros,
/// `/gzip` has the bytes of ``serveGzip(_:)``, `/client` tells whether the client has a certificate
/// and what `Alt-Used` names, and `/misdirected` has the status 421 over HTTP/3. On demand,
/// all requests go instead to the port of this machine that their field `X-Port` names, over
/// HTTP/1.1.
final class NginxServer: Sendable {
    struct Options: Sendable {
        /// `true` to speak HTTP/3 as well, on the UDP port of the same number.
        var speaksHTTP3 = false
        /// The port, or `nil` for one that is free.
        var port: UInt16?
        /// The value of `Alt-Svc`. `PORT` stands for the port.
        var alternative: String?
        /// The seconds after which an idle connection is closed.
        var idleLimit = 75
        var certificate: TestAuthority.Certificate?
        /// `true` to forward all requests.
        var forwards = false
    }

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

    private static func locations(_ folder: String) -> String {
        """
        location = / { return 200 "hello"; }
        location = /up {
            client_body_buffer_size 1m;
            proxy_pass http://unix:\(folder)/inner;
        }
        location = /client { return 200 "$ssl_client_verify $http_alt_used"; }
        location = /misdirected {
            if ($server_protocol = HTTP/3.0) {
                add_header Content-Encoding "gzip, br" always;
                return 421;
            }
            return 200 "directed";
        }
        location = /deny { return 413 "too much"; }
        location = /big { root \(folder); }
        location = /huge { root \(folder); }
        location = /gzip { root \(folder); add_header Content-Encoding gzip; }
        """
    }

    private static let forwarding = """
        location = /pulse { return 204; }
        location / {
            proxy_pass http://127.0.0.1:$http_x_port;
            proxy_http_version 1.1;
            proxy_set_header X-Port "";
            proxy_set_header Host 127.0.0.1:$http_x_port;
            proxy_set_header Connection "";
            proxy_buffering off;
            proxy_request_buffering off;
        }
        """

    /// `true` if the nginx of this machine speaks HTTP/3.
    static let isAvailableWithHTTP3 =
        isAvailable
        && (try? ServerProcess.run("nginx", ["-V"]).contains { $0.contains("http_v3_module") })
            == true

    let port: UInt16
    private let process: ServerProcess
    private let folder: String

    static func start(_ options: Options = Options()) async throws -> NginxServer {
        let authority = try await TestAuthority.shared
        return try await ServerProcess.onThread { try NginxServer(authority, options) }
    }

    /// Starts one that speaks HTTP/3 as well.
    ///
    /// - Parameter alternative: The value of `Alt-Svc`.
    static func startWithHTTP3(
        announcing alternative: String? = nil, _ change: (inout Options) -> Void = { _ in }
    ) async throws -> NginxServer {
        var options = Options()
        options.speaksHTTP3 = true
        options.alternative = alternative
        change(&options)
        return try await start(options)
    }

    private init(_ authority: TestAuthority, _ options: Options) throws {
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
        let certificate = options.certificate ?? authority.server
        func configuration(_ port: UInt16) -> String {
            let listen =
                "listen 127.0.0.1:\(port) ssl http2;"
                + (options.speaksHTTP3 ? "listen 127.0.0.1:\(port) quic;" : "")
            let alternative =
                options.alternative.map {
                    $0.split(separator: "PORT", omittingEmptySubsequences: false)
                }
                .map { "add_header Alt-Svc '\($0.joined(separator: "\(port)"))' always;" } ?? ""
            return """
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
                    keepalive_timeout \(options.idleLimit);
                    server {
                        \(listen)
                        \(alternative)
                        ssl_protocols TLSv1.2 TLSv1.3;
                        ssl_certificate \(certificate.certificate);
                        ssl_certificate_key \(certificate.key);
                        ssl_client_certificate \(authority.root.certificate);
                        ssl_verify_client optional;
                        \(options.forwards ? Self.forwarding : Self.locations(folder))
                    }
                    server {
                        listen unix:\(folder)/inner;
                        access_log off;
                        location / { return 200 "$http_content_length"; }
                    }
                }

                """
        }
        func start(_ port: UInt16) throws -> ServerProcess {
            try? FileManager.default.removeItem(atPath: "\(folder)/inner")
            try configuration(port).write(
                toFile: "\(folder)/conf", atomically: false, encoding: .utf8)
            return try ServerProcess(
                "nginx", ["-p", folder, "-c", "\(folder)/conf", "-e", "\(folder)/error"])
        }
        if let port = options.port {
            process = try start(port)
            self.port = port
            try process.waitUntilListening(on: "\(folder)/inner")
            if options.speaksHTTP3 { try process.waitUntilBound(toUDP: port) }
        } else {
            (process, port) = try ServerProcess.onFreePort(
                speaksQUIC: options.speaksHTTP3, start)
        }
    }

    func url(_ target: String = "/") -> String { "https://127.0.0.1:\(port)\(target)" }

    func serveGzip(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: "\(folder)/gzip"))
    }

    /// Ends the server, by default at once, without a word to its clients.
    func stop(_ signal: Int32 = SIGKILL) { process.stop(signal) }

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
