import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CurlTransportHTTP2Tests {
    @Suite(.enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
    struct OverNginx {
        @Test func `over TLS the best version that both sides speak is spoken`() async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            let response = try await session.response(for: server.url())
            #expect(try await response.text() == "hello")
            #expect(response.head.version == .http2)
            let exchange = try #require(response.timeline.exchanges.first)
            #expect(exchange.version == .http2)
            #expect(exchange.tlsVersion == "TLSv1.3")
            #expect(try await server.log(of: 1).map(\.version) == ["HTTP/2.0"])
        }

        @Test(
            arguments: [HTTPVersion.http1_1, .http2],
            [HTTPDelivery.streamed, .buffered(upTo: 1 << 30)])
        func `what compresses well arrives whole over TLS`(
            version: HTTPVersion, delivery: HTTPDelivery
        ) async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            for ratio in CodingBomb.Ratio.allCases {
                let size = 16 << 20
                try server.serveGzip(try CodingBomb.harmless(size, ratio))
                var request = try HTTPRequest(.get, server.url("/gzip"))
                request.version = version
                request.delivery = delivery
                var count = 0
                for try await piece in try await session.response(for: request).body {
                    count += piece.count
                }
                #expect((size...size + 5000).contains(count), "\(ratio)")
            }
        }

        // MARK: The version of a request

        @Test(.rows("B-5"), arguments: [HTTPVersion.http1_1, .http2])
        func `a request gets the version that it insists on`(version: HTTPVersion) async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            var request = try HTTPRequest(.get, server.url())
            // A first connection, of whichever version the two choose.
            _ = try await session.response(for: request).text()
            request.version = version
            for _ in 0..<2 {
                let response = try await session.response(for: request)
                #expect(try await response.text() == "hello")
                #expect(response.head.version == version)
            }
            let wire = version == .http2 ? "HTTP/2.0" : "HTTP/1.1"
            #expect(try await server.log(of: 3).map(\.version) == ["HTTP/2.0", wire, wire])
        }

        @Test func `a connection of HTTP 1 alone serves no request for HTTP 2`() async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            for versions in [[HTTPVersion.http1_1, .http2], [.http1_1, nil, .http2]] {
                for version in versions {
                    var request = try HTTPRequest(.get, server.url())
                    request.version = version
                    let response = try await session.response(for: request)
                    #expect(try await response.text() == "hello")
                    #expect(response.head.version == version ?? .http2)
                }
            }
            #expect(await session.statistics().openSockets == 2)
        }

        @Test func `mixed, HTTP 1 opens as many connections as it may and HTTP 2 one`() async throws
        {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport { $0.maximumConnectionsPerOrigin = 3 }
            _ = try await session.response(for: server.url()).text()
            for _ in 0..<5 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<60 {
                        group.addTask {
                            var request = try HTTPRequest(.get, server.url())
                            request.version = number % 2 == 0 ? .http1_1 : .http2
                            _ = try await session.response(for: request).text()
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let log = try server.log()
            for (version, limit) in [("HTTP/1.1", 3), ("HTTP/2.0", 1)] {
                let connections = Set(log.filter { $0.version == version }.map(\.connection))
                #expect(connections.count <= limit, "\(version)")
            }
        }

        // MARK: Connections

        @Test func `a burst to a server not known yet shares one connection`() async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<200 {
                    group.addTask { try await session.response(for: server.url()).text() }
                }
                for try await text in group { #expect(text == "hello") }
            }
            let log = try await server.log(of: 200)
            #expect(log.count == 200)
            #expect(Set(log.map(\.connection)).count == 1)
        }

        /// libcurl may leave what TLS has read to a transfer that is over by then. No other limit
        /// wakes it earlier than that of idle requests, which then fail.
        private static func slowToConnect() async throws -> CurlTransport {
            try await TestAuthority.transport { $0.timeouts.connect = .after(.seconds(600)) }
        }

        @Test func `no response of a burst waits unread`() async throws {
            let server = try await NginxServer.start()
            for _ in 0..<(TestCounts.isFull ? 400 : 10) {
                let session = try await Self.slowToConnect()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let stream = AsyncStream { continuation in
                                continuation.yield(Data("hello".utf8))
                                continuation.finish()
                            }
                            let body: HTTPBody? =
                                number == 0
                                ? HTTPBody(stream) : number % 2 == 0 ? HTTPBody("hello") : nil
                            var request = try HTTPRequest(
                                body == nil ? .get : .post, server.url(body == nil ? "/" : "/up"))
                            if let body { request.body = body }
                            let text = try await session.response(for: request).text()
                            #expect(text == (body == nil ? "hello" : "5"))
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        @Test func `readers that stop hold up no response of a burst`() async throws {
            let server = try await NginxServer.start()
            for _ in 0..<(TestCounts.isFull ? 200 : 4) {
                let session = try await Self.slowToConnect()
                let unread = Record<HTTPResponse>()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            let isLarge = number % 4 == 3
                            let response = try await session.response(
                                for: HTTPRequest(.get, server.url(isLarge ? "/huge" : "/")))
                            guard !isLarge else { return unread.add(response) }
                            #expect(try await response.text() == "hello")
                        }
                    }
                    try await group.waitForAll()
                }
                for response in unread.entries { response.body.abandon() }
            }
        }

        /// The number of connections does not limit the streams of one.
        @Test(.timeLimit(.minutes(5)))
        func `requests that wait start once the server has shown to speak HTTP 2`() async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport { $0.maximumConnectionsPerOrigin = 2 }
            for _ in 0..<3 {
                let unread = Record<HTTPResponse>()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            let request = try HTTPRequest(.get, server.url("/huge"))
                            unread.add(try await session.response(for: request))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(unread.entries.count == 20)
                for response in unread.entries { response.body.abandon() }
            }
        }

        @Test func `a burst over HTTP 1 opens as many connections as it may`() async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport { $0.maximumConnectionsPerOrigin = 3 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        var request = try HTTPRequest(.get, server.url())
                        request.version = .http1_1
                        _ = try await session.response(for: request).text()
                    }
                }
                try await group.waitForAll()
            }
            let log = try await server.log(of: 60)
            #expect(log.count == 60)
            #expect(Set(log.map(\.connection)).count <= 3)
        }

        @Test func `a cancelled stream leaves its connection to the others`() async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            for _ in 0..<20 {
                let response = try await session.response(for: server.url("/big"))
                var iterator = response.body.makeAsyncIterator()
                #expect(try await iterator.next() != nil)
                response.body.abandon()
            }
            let data = try await session.response(for: server.url("/big")).data()
            #expect(data == Data(repeating: UInt8(ascii: "x"), count: 1 << 20))
            #expect(Set(try server.log().map(\.connection)).count == 1)
        }

        @Test(arguments: [10, 100 << 10, 3 << 20])
        func `an upload arrives whole, over HTTP 2 where the library can`(count: Int) async throws {
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            let body = HTTPBody(Data(repeating: 7, count: count))
            let request = try HTTPRequest(.post, server.url("/up"), body: body)
            let response = try await session.response(for: request)
            #expect(response.status == .ok)
            #expect(try await response.text() == "\(count)")
            let uploads = try CurlLibrary.loaded.get().uploadsOverHTTP2
            #expect(response.head.version == (uploads ? .http2 : .http1_1))
        }

        /// A difference in any of the settings prevents sharing.
        @Test(arguments: ["pins", "identity", "suites", "latest", "trust", "unsafe"])
        func `requests with different TLS settings share no connection`(difference: String)
            async throws
        {
            let authority = try await TestAuthority.shared
            let server = try await NginxServer.start()
            let session = try await TestAuthority.transport()
            var settings = TLSSettings()
            settings.trust = .only(.file(authority.root.certificate))
            switch difference {
            case "pins":
                let pin = try #require(PublicKeyPin(try authority.server.pin()))
                settings.publicKeyPins = ["127.0.0.1": [pin]]
            case "identity":
                settings.identity = .files(
                    certificate: authority.client.certificate, key: authority.client.key)
            case "suites": settings.cipherSuites = "ECDHE-ECDSA-AES128-GCM-SHA256"
            case "latest": settings.maximumVersion = .tls1_2
            case "trust":
                settings.trust = .only(
                    .pem(try Data(contentsOf: URL(filePath: authority.root.certificate))))
            default: settings.certificateVerification = .unsafeNone
            }
            let plain = try HTTPRequest(.get, server.url())
            var other = plain
            other[TLSSettings.self] = settings
            for request in [plain, other, plain, other] {
                _ = try await session.response(for: request).text()
            }
            let connections = try await server.log(of: 4).map(\.connection)
            #expect(connections.count == 4)
            #expect(connections[0] == connections[2])
            #expect(connections[1] == connections[3])
            #expect(connections[0] != connections[1])
        }
    }

    @Test(.enabled(if: NGHTTPServer.isAvailable, "nghttpd or openssl is not installed"))
    func `trailers of HTTP 2 are there when the body has ended`() async throws {
        let server = try await NGHTTPServer.start([
            "--no-content-length", "--trailer", "x-check: sum",
        ])
        let response = try await TestAuthority.transport().response(for: server.url("/hello"))
        #expect(response.head.version == .http2)
        #expect(try await response.text() == "hello")
        #expect(response.body.trailers?["x-check"] == "sum")
    }

    @Test(
        .enabled(if: NGHTTPServer.isAvailable, "nghttpd or openssl is not installed"),
        arguments: [10, 60_000, 1 << 20])
    func `what is uploaded over HTTP 2 comes back whole`(count: Int) async throws {
        let server = try await NGHTTPServer.start(["--echo-upload"])
        let bytes = PatternCheck.bytes(0..<count)
        let pieces = AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: count, by: 10_000) {
                continuation.yield(bytes[start..<min(count, start + 10_000)])
            }
            continuation.finish()
        }
        let session = try await TestAuthority.transport()
        for body in [HTTPBody(bytes), HTTPBody(pieces)] {
            var request = try HTTPRequest(.post, server.url("/echo"), body: body)
            request.version = .http2
            let response = try await session.response(for: request)
            #expect(response.head.version == .http2)
            #expect(try await response.data() == bytes)
        }
    }

    @Test(.enabled(if: CaddyServer.isAvailable, "caddy or openssl is not installed"))
    func `a server of another make is spoken to over HTTP 2, on one connection`() async throws {
        let server = try await CaddyServer.start()
        let session = try await TestAuthority.transport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let text = String(repeating: "x", count: number * 100)
                    var request = try HTTPRequest(.post, server.url, body: HTTPBody(text))
                    request.version = .http2
                    let answer = try await session.response(for: request).text()
                    #expect(answer == "HTTP/2.0 \(text)")
                }
            }
            try await group.waitForAll()
        }
        #expect(await session.statistics().openSockets == 1)
    }

    @Test(.enabled(if: NGHTTPServer.isAvailable, "nghttpd or openssl is not installed"))
    func `an HTTP 1 request to a server of HTTP 2 alone fails before anything is sent`()
        async throws
    {
        let server = try await NGHTTPServer.start()
        var request = try HTTPRequest(.get, server.url("/hello"))
        request.version = .http1_1
        let pinned = request
        let session = try await TestAuthority.transport()
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: pinned)
        }
        #expect(error?.phase != .receiving)
        #expect(error?.code != .internalFailure)
    }

    @Test(.enabled(if: TestAuthority.isAvailable, "openssl is not installed"))
    func `a server without HTTP 2 sees nothing of a request that insists on it`() async throws {
        let server = try await TLSServer.start(try await TestAuthority.shared.server)
        var request = try HTTPRequest(.post, server.url, body: HTTPBody("secret"))
        request.version = .http2
        let pinned = request
        let session = try await TestAuthority.transport()
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: pinned)
        }
        #expect(error?.code == .versionNotSpoken)
        #expect(error?.phase == .securing)
        #expect(error?.mayHaveReachedServer == false)
        // It has served no client yet, and still can.
        let answered = try await session.response(for: server.url)
        #expect(answered.head.version != .http2)
        await answered.discard()
    }

    @Test(.enabled(if: (try? CurlLibrary.loaded.get().speaksHTTP3) == false, "it has HTTP 3"))
    func `HTTP 3 is refused by a library that has none, by name`() async throws {
        var request = try HTTPRequest(.get, "https://127.0.0.1:9/")
        request.version = .http3
        let pinned = request
        let error = await #expect(throws: HTTPError.self) {
            _ = try await CurlTransport().response(for: pinned)
        }
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("HTTP/3") == true)
    }
}
