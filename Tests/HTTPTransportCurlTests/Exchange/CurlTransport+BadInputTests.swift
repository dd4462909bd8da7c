import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

/// Requests that are refused before anything is sent.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportBadInputTests {
    private static let secret = "hunter2"

    /// A way to make a request wrong, and what the error must name.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code = HTTPError.Code.invalidRequest
        var names: String
        var make: @Sendable (inout HTTPRequest) throws -> Void

        init(
            _ description: String, _ code: HTTPError.Code = .invalidRequest, names: String,
            _ make: @escaping @Sendable (inout HTTPRequest) throws -> Void
        ) {
            (testDescription, self.code, self.names, self.make) = (description, code, names, make)
        }
    }

    private static let mistakes: [Mistake] = [
        Mistake("CR in a value", names: "X-Key") { $0.headers["X-Key"] = "\(secret)\r" },
        Mistake("LF in a value", names: "X-Key") { $0.headers["X-Key"] = "\(secret)\nY: 1" },
        Mistake("CRLF in a value", names: "X-Key") { $0.headers["X-Key"] = "\(secret)\r\nY: 1" },
        Mistake("NUL in a value", names: "X-Key") { $0.headers["X-Key"] = "\(secret)\u{0}" },
        Mistake("DEL in a value", names: "X-Key") { $0.headers["X-Key"] = "\(secret)\u{7F}" },
        Mistake("a blank before a value", names: "X-Key") { $0.headers["X-Key"] = " \(secret)" },
        Mistake("a blank in a name", names: "X Key") { $0.headers["X Key"] = secret },
        Mistake("a colon in a name", names: "X:Key") { $0.headers["X:Key"] = secret },
        Mistake("a semicolon in a name", names: "X;Key") { $0.headers["X;Key"] = "" },
        Mistake("CRLF in a name", names: "X") { $0.headers["X\r\nY"] = secret },
        Mistake("an empty name", names: "field") { $0.headers[""] = secret },
        Mistake("Content-Length", names: "Content-Length") { $0.headers[.contentLength] = "5" },
        Mistake("Transfer-Encoding", names: "Transfer-Encoding") {
            $0.headers[.transferEncoding] = "chunked"
        },
        Mistake("Connection", names: "Connection") { $0.headers[.connection] = "close" },
        Mistake("Expect", names: "Expect") { $0.headers["expect"] = "100-continue" },
        Mistake("Upgrade", names: "Upgrade") { $0.headers[.upgrade] = "websocket" },
        Mistake("TE", names: "TE") { $0.headers[.te] = "trailers" },
        Mistake("Host twice", names: "Host") { $0.headers[values: .host] = ["a", "b"] },
        Mistake("CR in a method", names: "method") { $0.method = "GET\r\nX: 1" },
        Mistake("a blank in a method", names: "method") { $0.method = "GET /" },
        Mistake("an empty method", names: "method") { $0.method = "" },
        Mistake("CONNECT", names: "CONNECT") { $0.method = .connect },
        Mistake("TRACE with a body", names: "TRACE") {
            ($0.method, $0.body) = (.trace, HTTPBody(secret))
        },
        Mistake("HEAD with a body", .unsupportedOption, names: "HEAD") {
            ($0.method, $0.body) = (.head, HTTPBody(secret))
        },
        Mistake("HEAD with a stream", .unsupportedOption, names: "HEAD") {
            ($0.method, $0.body) = (.head, HTTPBody(AsyncStream { $0.finish() }))
        },
        Mistake("a negative length", names: "length") {
            ($0.method, $0.body) = (.post, HTTPBody(AsyncStream { $0.finish() }, length: -2))
        },
        Mistake("user information", names: "user information") {
            $0.url = try url($0, "http://me:\(secret)@127.0.0.1:PORT/")
        },
        Mistake("a relative URL", names: "URL") { $0.url = try URL(strictly: "/?\(secret)") },
        Mistake("a scheme-relative URL", names: "URL") {
            $0.url = try url($0, "//127.0.0.1:PORT/")
        },
        Mistake("another scheme", names: "ftp") { $0.url = try url($0, "ftp://127.0.0.1:PORT/") },
        Mistake("file", names: "file") { $0.url = try URL(strictly: "file:///etc/passwd") },
        Mistake("port 0", names: "port") { $0.url = try URL(strictly: "http://127.0.0.1:0/") },
        Mistake("a port beyond 65535", names: "port") {
            $0.url = try URL(strictly: "http://127.0.0.1:65536/")
        },
        Mistake("no host", names: "host") { $0.url = try URL(strictly: "http:///x") },
        Mistake("HTTP/2 without TLS", .unsupportedOption, names: "HTTP/2") { $0.version = .http2 },
        Mistake("HTTP/1.0", .unsupportedOption, names: "HTTP/1.0") { $0.version = .http1_0 },
        Mistake("HTTP/3", .unsupportedOption, names: "HTTP/3") { $0.version = .http3 },
        Mistake("no time", names: "total limit") { $0.timeouts.total = .milliseconds(0) },
        Mistake("negative time", names: "idle limit") { $0.timeouts.idle = .milliseconds(-5) },
        Mistake("an unknown option", .unsupportedOption, names: "Frobnication") {
            $0[Frobnication.self] = 7
        },
    ]

    enum Frobnication: HTTPTransportOption {
        static var defaultValue: Int { 0 }
    }

    private static func url(_ request: HTTPRequest, _ text: String) throws -> URL {
        let port = try HTTPOrigin(request.url).port
        return try URL(strictly: text.replacing("PORT", with: "\(port)"))
    }

    @Test(arguments: mistakes)
    func `a wrong request is refused by name and nothing is sent`(mistake: Mistake) async throws {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.get, server.url("/"))
        try mistake.make(&request)
        let session = CurlTransport()
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.code == mistake.code)
        #expect(error?.message.contains(mistake.names) == true, "\(error?.message ?? "")")
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.isRetryable == false)
        let shown = "\(error as Any)" + (error?.debugDescription ?? "") + "\(request)"
        #expect(!shown.contains(Self.secret))
        #expect(server.connections.accepted == 0)
        #expect(server.log.isEmpty)
        // The session is none the worse for it.
        #expect(try await session.response(for: server.url("/")).status == .ok)
    }

    @Test(arguments: [
        "http://a b/", "http://127.0.0.1/a b", "http://127.0.0.1/%zz", "http://127.0.0.1/%2",
        "/a%2Fb/../c?x=%zz", "http://127.0.0.1/\u{e9}", "http://127.0.0.1/a\r\nX: 1", "",
        "http://127.0.0.1/\u{0}", "http://[::1/", "http://[::g]/", "http://127.0.0.1:x/", "http:",
        "http://127.0.0.1/?a|b", "http://127.0.0.1/a\\b", "http://a\u{0}b/", "127.0.0.1",
        "http://127.0.0.1:99999999999999999999/", "javascript:alert(1)", "http://ex%61mple/",
        "http://127.0.0.1/<>",
    ])
    func `a string that is no URL is refused`(text: String) async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await CurlTransport().response(for: text)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(arguments: ["/no/such/file", "/", "/tmp", ""])
    func `a missing upload file is refused`(path: String) {
        let error = #expect(throws: HTTPError.self) { try HTTPBody(file: path) }
        #expect(error?.message.isEmpty == false)
    }

    @Test(arguments: ["/no/such/bundle.pem", "/tmp", ""])
    func `a bundle that cannot be read is refused`(path: String) {
        var configuration = CurlConfiguration()
        configuration.tls.trust = .only(.file(path))
        let error = #expect(throws: HTTPError.self) { try CurlTransport(configuration) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("certificate authority") == true)
    }

    @Test(arguments: [
        (0, 10, 5, "maximumConnectionsPerOrigin"), (-1, 10, 5, "maximumConnectionsPerOrigin"),
        (1, 0, 0, "Water"), (1, 10, 10, "Water"), (1, 10, -1, "Water"), (1, -5, -6, "Water"),
        (1, 10, 11, "Water"),
    ])
    func `a setting that is out of range is refused by name`(
        connections: Int, high: Int, low: Int, name: String
    ) {
        var configuration = CurlConfiguration()
        configuration.maximumConnectionsPerOrigin = connections
        (configuration.highWater, configuration.lowWater) = (high, low)
        let error = #expect(throws: HTTPError.self) { try CurlTransport(configuration) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(name) == true)
    }

    @Test func `a limit of no time is refused in a configuration, too`() {
        for timeouts in [
            HTTPTimeouts(connect: .milliseconds(0)), HTTPTimeouts(idle: .milliseconds(-1)),
            HTTPTimeouts(total: .seconds(-.infinity)), HTTPTimeouts(tls: .seconds(0)),
            HTTPTimeouts(responseHead: .seconds(.nan)),
        ] {
            var configuration = CurlConfiguration()
            configuration.timeouts = timeouts
            #expect(throws: HTTPError.self) { try CurlTransport(configuration) }
        }
    }
}
