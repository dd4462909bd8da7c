import HTTPFormats

#if os(Linux)
    import HTTPClientKit
    import HTTPTesting
    import HTTPTransportCurl
    import Testing

    import PortableFoundation

    /// Tests the binding of `CurlTransport` options to the origin that they were set for.
    @Suite(.timeLimit(.minutes(5))) struct HTTPClientOriginBoundOptionsTests {
        @Test
        func `an identity and disabled verification are for one origin, other settings for all`() {
            var settings = TLSSettings()
            settings.minimumVersion = .tls1_3
            #expect(!TLSSettings.isBoundToOrigin(settings) && !TLSSettings.isBoundToOrigin(nil))
            var known = settings
            known.identity = .files(certificate: "c", key: "k")
            #expect(TLSSettings.isBoundToOrigin(known))
            settings.certificateVerification = .unsafeNone
            #expect(TLSSettings.isBoundToOrigin(settings))
        }

        /// Redirects from one origin to another and back.
        private func origin() -> MockSession {
            MockSession(honouring: [TLSSettings.self, ConnectTarget.self]) { request in
                let place =
                    switch request.url.path {
                    case "/a": "https://other/b"
                    case "/b": "https://home/c"
                    default: ""
                    }
                return place.isEmpty
                    ? HTTPResponse(.ok, to: request)
                    : HTTPResponse(.temporaryRedirect, headers: [.location: place], to: request)
            }
        }

        @Test(arguments: [nil, "https://other"])
        func `a client's redirect leaves them behind, also where secrets may go`(
            trusted: String?
        ) async throws {
            let mock = origin()
            let client = HTTPClient(transport: mock) {
                $0.trustedOrigins = Set([trusted].compactMap { try? HTTPOrigin($0 ?? "") })
            }
            var request = try HTTPRequest(.get, "https://home/a")
            var settings = TLSSettings()
            settings.certificateVerification = .unsafeNone
            request[TLSSettings.self] = settings
            request[ConnectTarget.self] = try ConnectTarget("canary:8443")
            _ = try await client.response(for: request)
            #expect(mock.requests.count == 3)
            #expect(
                mock.requests.map { $0[TLSSettings.self] == settings } == [true, false, false])
            #expect(
                mock.requests.map { $0[ConnectTarget.self]?.host } == ["canary", nil, nil])
        }

        @Test func `over a connection, a redirect connects to the host of its URL`() async throws {
            let goal = try LoopbackServer { _ in .ok("goal") }
            let canary = try LoopbackServer { request in
                request.target == "/a"
                    ? LoopbackResponse(
                        status: 302, fields: [("Location", "http://127.0.0.1:\(goal.port)/b")])
                    : .ok("canary")
            }
            let client = HTTPClient(transport: CurlTransport())
            var request = try HTTPRequest(.get, "http://home.test/a")
            request[ConnectTarget.self] = try ConnectTarget("127.0.0.1:\(canary.port)")
            #expect(try await client.response(for: request).text() == "goal")
            #expect(canary.log.count == 1 && goal.log.count == 1)
        }
    }
#endif
