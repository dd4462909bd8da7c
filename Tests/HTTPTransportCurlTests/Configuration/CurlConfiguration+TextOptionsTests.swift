import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

/// Text in the transport's own options and settings, with what ends a line or a C string in it.
@Suite(.timeLimit(.minutes(5))) struct CurlConfigurationTextOptionsTests {
    private static let lineEnds = ["a\r\nInjected: 1", "a\rInjected: 1", "a\nInjected: 1"]
    private static let controls = lineEnds + ["a\u{0}b", "a\u{7F}b"]

    struct Input: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var texts: [String]
        var names: String
        /// Changes settings and request, which goes to the server at the URL.
        var put: @Sendable (String, inout CurlConfiguration, inout HTTPRequest) throws -> Void

        init(
            _ description: String, _ texts: [String], names: String,
            _ put:
                @escaping @Sendable (String, inout CurlConfiguration, inout HTTPRequest) throws
                -> Void
        ) {
            (testDescription, self.texts, self.names, self.put) = (description, texts, names, put)
        }
    }

    private static func proxy(
        _ request: HTTPRequest, _ scheme: String, user: String, password: String
    ) throws -> ProxyServer {
        var proxy = try ProxyServer("\(scheme)://127.0.0.1:\(HTTPOrigin(request.url).port)")
        proxy.credentials = ProxyServer.Credentials(user: user, password: password)
        return proxy
    }

    static let inputs: [Input] = [
        Input(
            "the name of a trailer", controls + ["", "a b", "a:b", "a,b", "é"], names: "trailer"
        ) { text, _, request in
            request[RequestTrailers.self] = RequestTrailers([HTTPHeaderName(text)]) { [:] }
        },
        Input(
            "the second name of a trailer", controls + ["", "a b", "a:b", "a,b", "é"],
            names: "trailer"
        ) { text, _, request in
            request[RequestTrailers.self] = RequestTrailers(["X-Sum", HTTPHeaderName(text)]) {
                ["X-Sum": "1"]
            }
        },
        Input("a user at a proxy, in a request", controls + ["a:b"], names: "proxy") {
            text, _, request in
            request[ProxySettings.self] = .server(
                try proxy(request, "http", user: text, password: "p"))
        },
        Input("a password at a proxy, in a request", controls, names: "proxy") {
            text, _, request in
            request[ProxySettings.self] = .server(
                try proxy(request, "http", user: "u", password: text))
        },
        Input("a user at a proxy, in the settings", controls + ["a:b"], names: "proxy") {
            text, configuration, request in
            configuration.proxies = .server(try proxy(request, "http", user: text, password: "p"))
        },
        Input("a password at a proxy, in the settings", controls, names: "proxy") {
            text, configuration, request in
            configuration.proxies.http = try proxy(request, "https", user: "u", password: text)
        },
        Input(
            "a user at a SOCKS proxy", controls + [String(repeating: "u", count: 256)],
            names: "proxy"
        ) { text, _, request in
            request[ProxySettings.self] = .server(
                try proxy(request, "socks5", user: text, password: "p"))
        },
        Input(
            "a password at a SOCKS proxy", controls + [String(repeating: "p", count: 256)],
            names: "proxy"
        ) { text, _, request in
            request[ProxySettings.self] = .server(
                try proxy(request, "socks5h", user: "u", password: text))
        },
        Input("a proxy", controls + ["a b"], names: "proxy") { text, configuration, _ in
            configuration.proxies = .server(try ProxyServer("http://" + text))
        },
        Input("a proxy of the environment", controls + ["a b"], names: "proxy") {
            text, configuration, _ in
            configuration.proxies = try ProxySettings(environment: ["http_proxy": text])
        },
        Input("credentials in a proxy's URL", controls, names: "proxy") {
            text, configuration, _ in
            configuration.proxies = .server(try ProxyServer("http://\(text):p@h:1"))
        },
        Input("a connect target", controls + ["a b:1", "h:1/x", "h"], names: "host:port") {
            text, _, request in
            request[ConnectTarget.self] = try ConnectTarget(text)
        },
        Input("a Unix socket", ["a\u{0}b", "", "@"], names: "socket") { text, _, request in
            request[UnixSocket.self] = try UnixSocket(text, for: HTTPOrigin(request.url))
        },
        Input("cipher suites", controls + ["a b", ""], names: "cipherSuites") {
            text, configuration, _ in
            configuration.tls.cipherSuites = text
        },
        Input("cipher suites of TLS 1.3", controls + ["a b", ""], names: "cipherSuites1_3") {
            text, configuration, _ in
            configuration.tls.cipherSuites1_3 = text
        },
        Input("a key log", ["/dev/null\u{0}b", "\u{0}", ""], names: "keyLogFile") {
            text, configuration, _ in
            configuration.tls.keyLogFile = text
        },
        Input("a file of authorities", ["/etc/passwd\u{0}b"], names: "authority") {
            text, configuration, _ in
            configuration.tls.trust = .only(.file(text))
        },
        Input("a file of more authorities", ["/etc/passwd\u{0}b"], names: "authority") {
            text, configuration, _ in
            configuration.tls.trust = .systemAnd(.file(text))
        },
        Input("a directory of authorities", ["/etc\u{0}b", "/etc:/tmp"], names: "authority") {
            text, configuration, _ in
            configuration.tls.trust = .only(.directory(text))
        },
        Input("an identity's certificate", ["/etc/passwd\u{0}b"], names: "identity") {
            text, configuration, _ in
            configuration.tls.identity = .files(certificate: text, key: "/etc/passwd")
        },
        Input("an identity's key", ["/etc/passwd\u{0}b"], names: "identity") {
            text, configuration, _ in
            configuration.tls.identity = .files(certificate: "/etc/passwd", key: text)
        },
        Input("an identity's passphrase", ["a\u{0}b"], names: "passphrase") {
            text, configuration, _ in
            configuration.tls.identity = .files(
                certificate: "/etc/passwd", key: "/etc/passwd", passphrase: text)
        },
        Input("a pinned host", controls + ["a b", "", "a:1"], names: "pin") {
            text, configuration, _ in
            let pin = try #require(
                PublicKeyPin("sha256/" + String(repeating: "A", count: 43) + "="))
            configuration.tls.publicKeyPins = [text: [pin]]
        },
        Input("the host of an address", controls + ["a b", "", "A"], names: "addresses") {
            text, configuration, _ in
            configuration.addresses = [text: [try #require(IPAddress("127.0.0.1"))]]
        },
    ]

    @Test(arguments: inputs)
    func `what is none is refused by name, and no byte is sent`(input: Input) async throws {
        let server = try LoopbackServer { _ in .ok() }
        for text in input.texts {
            let error = await #expect(throws: HTTPError.self, "\(text.debugDescription)") {
                var configuration = CurlConfiguration()
                var request = try HTTPRequest(.post, server.url("/"), body: HTTPBody("body"))
                try input.put(text, &configuration, &request)
                _ = try await CurlTransport(configuration).response(for: request)
            }
            #expect(error?.code == .invalidRequest, "\(text.debugDescription)")
            #expect(error?.message.contains(input.names) == true, "\(error as Any)")
            #expect(error?.mayHaveReachedServer == false)
            let shown = "\(error as Any)" + (error?.debugDescription ?? "")
            #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        }
        #expect(server.connections.accepted == 0)
    }

    /// Names that are announced and fields that come late: what is refused then ends the request.
    @Test(arguments: controls)
    func `a trailer's value ends the request, and no line of the message`(text: String) async throws
    {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.post, server.url("/"), body: HTTPBody("body"))
        request[RequestTrailers.self] = RequestTrailers(["X-Sum"]) { ["X-Sum": text] }
        let error = await #expect(throws: HTTPError.self) {
            _ = try await CurlTransport().response(for: request)
        }
        #expect(error?.code == .requestBodyFailed)
        try await server.waitUntil { $0.connections.open == 0 }
        for exchange in server.log {
            #expect(exchange.request?.isComplete != true)
            #expect(exchange.request?.trailers.isEmpty != false)
        }
    }

    @Test(arguments: controls + ["a b", ""])
    func `a value that is none is not made`(text: String) {
        #expect(IPAddress(text) == nil && AddressRange(text) == nil && PublicKeyPin(text) == nil)
        if !text.isEmpty { #expect(ProxyExceptions(text) == nil || !text.utf8.contains(0)) }
    }
}
