#if os(Linux)
    import HTTPClientKit
    import HTTPTesting
    import HTTPTransportCurl
    import HTTPTransportCurl
    import TestSupport
    import Testing

    import PortableFoundation

    /// The code of Docs/Guides/Connections.md, word for word.
    @Suite(.timeLimit(.minutes(5))) struct ConnectionsGuideTests {
        private func trust() throws -> CurlTransport {
            var configuration = CurlConfiguration()
            configuration.tls.trust = .systemAnd(.file("/etc/my-program/company.pem"))
            configuration.tls.minimumVersion = .tls1_3
            let session = try CurlTransport(configuration)
            return session
        }

        private func identify(_ request: inout HTTPRequest, _ passphrase: String) {
            var settings = TLSSettings()
            settings.identity = .files(
                certificate: "client.pem", key: "client.key", passphrase: passphrase)
            request[TLSSettings.self] = settings
        }

        private func enterCompany(
            _ configuration: inout CurlConfiguration, _ base: URL
        ) throws -> HTTPClient {
            configuration.tls.trust = .systemAnd(.file("/etc/my-program/company.pem"))
            configuration.tls.identity = .files(certificate: "client.pem", key: "client.key")
            configuration.proxies = .server(try ProxyServer("http://proxy.example.com:3128"))
            let client = HTTPClient(baseURL: base, transport: try CurlTransport(configuration))
            return client
        }

        private func pin(_ configuration: inout CurlConfiguration) {
            let pins = ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
            configuration.tls.publicKeyPins["api.example.com"] = Set(
                pins.compactMap { PublicKeyPin($0) })
        }

        private func askEnvironment(
            _ configuration: inout CurlConfiguration, _ request: inout HTTPRequest
        ) throws {
            configuration.proxies = try .environment()
            request[ProxySettings.self] = ProxySettings.none
        }

        private func name(_ configuration: inout CurlConfiguration) throws {
            let proxy = try ProxyServer("socks5h://user:secret@proxy.example.com:1080")
            configuration.proxies = .server(proxy)
        }

        private func trustProxy() throws -> ProxyServer {
            var proxy = try ProxyServer("https://proxy.example.com")
            proxy.tls = TLSSettings()
            proxy.tls?.trust = .only(.file("proxy-authority.pem"))
            return proxy
        }

        private func socket() throws -> HTTPRequest {
            var request = try HTTPRequest(.get, "http://docker.internal/v1.43/info")
            request[UnixSocket.self] = try UnixSocket(
                "/var/run/docker.sock", for: HTTPOrigin("http://docker.internal/"))
            return request
        }

        private func target(_ request: inout HTTPRequest) throws {
            request[ConnectTarget.self] = try ConnectTarget("canary.example.com:8443")
        }

        private func restrict(_ configuration: inout CurlConfiguration) {
            configuration.addressPolicy = .publicOnly
            configuration.addressPolicy.ports = [80, 443]
        }

        private func list(_ configuration: inout CurlConfiguration) {
            let known = ["192.0.2.7", "2001:db8::7"].compactMap { IPAddress($0) }
            configuration.addresses = ["api.example.com": known]
            configuration.addressFamily = .ipv4
        }

        private func discover(_ configuration: inout CurlConfiguration, _ registry: HTTPClient) {
            configuration.resolver = { host, port in
                let records = try await registry.get("services/\(host)").json([String].self)
                return HostAddresses(
                    records.compactMap { IPAddress($0) }, lifetime: .seconds(10))
            }
        }

        private func askOverHTTPS(_ configuration: inout CurlConfiguration, _ dns: HTTPClient) {
            struct Answer: Decodable {
                struct Record: Decodable { var type: Int, TTL: Int, data: String }
                var Answer: [Record]?
            }
            configuration.resolver = { host, _ in
                let answer = try await dns.get("dns-query").query("name", host).query("type", "A")
                    .json(Answer.self)
                let records = (answer.Answer ?? []).filter { $0.type == 1 }
                return HostAddresses(
                    records.compactMap { IPAddress($0.data) },
                    lifetime: .seconds(records.map(\.TTL).min() ?? 0))
            }
        }

        private func count(_ configuration: inout CurlConfiguration) {
            configuration.maximumConnectionsPerOrigin = 16
            configuration.maximumConnections = 200
            configuration.maximumWaitingPerOrigin = 1000
            configuration.queueTimeout = .seconds(5)
        }

        private func age(_ configuration: inout CurlConfiguration) {
            configuration.idleConnectionTimeout = .seconds(30)
            configuration.connectionLifetime = .seconds(300)
            configuration.maximumRequestsPerConnection = 1000
            configuration.unacknowledgedTimeout = .seconds(20)
        }

        private func close(_ request: inout HTTPRequest) {
            request[ConnectionClose.self] = true
        }

        private func open(_ session: any HTTPSession) async throws {
            try await session.response(for: HTTPRequest(.head, "https://api.example.com/"))
                .discard()
        }

        @Test func `the page's code is compiled, and its settings are accepted`() async throws {
            #expect(try GuidePage("Connections").untested.isEmpty)
            var configuration = CurlConfiguration()
            pin(&configuration)
            restrict(&configuration)
            list(&configuration)
            count(&configuration)
            age(&configuration)
            try name(&configuration)
            var request = try socket()
            try askEnvironment(&configuration, &request)
            try target(&request)
            close(&request)
            identify(&request, "secret")
            #expect(request[ConnectionClose.self] && request[ConnectTarget.self] != nil)
            try await CurlTransport(configuration).close()
            let error = #expect(throws: HTTPError.self) { try trust() }
            #expect(error?.message.contains("company.pem") == true)
        }

        @Test func `a response that is discarded leaves its connection to the next request`()
            async throws
        {
            let methods = Record<HTTPMethod>()
            try await open(
                MockSession { request in
                    methods.add(request.method)
                    return HTTPResponse(.ok, to: request)
                })
            #expect(methods.entries == [.head])
        }

        @Test(arguments: [false, true])
        func `the page's resolvers find a server`(isOverHTTPS: Bool) async throws {
            let server = try LoopbackServer { request in
                switch request.path {
                case "/services/service.test": .json(#"["127.0.0.1"]"#)
                case "/dns-query":
                    .json(
                        """
                        {"Answer": [{"type": 5, "TTL": 1, "data": "other.test."},
                            {"type": 1, "TTL": 60, "data": "127.0.0.1"}]}
                        """)
                default: .ok("\(request.target) \(request["Host"] ?? "")")
                }
            }
            let registry = try HTTPClient(baseURL: server.url, transport: CurlTransport())
            var configuration = CurlConfiguration()
            // The resolver's task may have to wait for other tests.
            configuration.timeouts.connect = .after(.seconds(120))
            if isOverHTTPS {
                askOverHTTPS(&configuration, registry)
            } else {
                discover(&configuration, registry)
            }
            let session = try CurlTransport(configuration)
            let host = "service.test:\(server.port)"
            #expect(try await session.response(for: "http://\(host)/x").text() == "/x \(host)")
            let query =
                isOverHTTPS ? "/dns-query?name=service.test&type=A" : "/services/service.test"
            #expect(server.log.first?.request?.target == query)
        }
    }
#endif
