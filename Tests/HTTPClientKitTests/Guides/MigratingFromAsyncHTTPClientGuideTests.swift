import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private struct User: Codable {
    var id: Int
    var name: String
}

private final class Logger: Sendable {
    let texts = Locked([String]())
    func debug(_ text: String) { texts.withLock { $0.append(text) } }
}

/// The code of Docs/Guides/MigratingFromAsyncHTTPClient.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct MigratingFromAsyncHTTPClientGuideTests {
    private let service = MockSession.userService

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://api.example.com/", transport: service) }
    }

    @Test func `a GET, decoded`() async throws {
        let client = try client
        let user = try await client.get("users/1").limit(1024 * 1024).json(User.self)
        #expect(user.name == "Ada")
        #expect(try service.last.url.absoluteString == "https://api.example.com/users/1")
    }

    @Test func `a POST of JSON`() async throws {
        let client = try client
        let user = User(id: 2, name: "Grace")
        let response = try await client.post("users", json: user).response()
        #expect(response.status == .ok)
        #expect(try await service.lastBody == #"{"id":2,"name":"Grace"}"#)
        #expect(try service.last.headers[.contentType] == "application/json")
    }

    @Test func `header fields`() async throws {
        let client = try client
        let request = try HTTPRequest(.get, "users/1").header(.accept, "application/json").headers {
            try $0.append("X-Tag", "a")
            try $0.append("X-Tag", "b")
        }
        let response = try await request.fetch(client)
        let type = response.headers[.contentType]
        #expect(response.status == .ok && type == nil)
        #expect(try service.last.headers[values: "X-Tag"] == ["a", "b"])
        #expect(try service.last.headers[.accept] == "application/json")
    }

    @Test func `query parameters`() async throws {
        let client = try client
        let found = try await client.get("search", query: ["q": "a b"]).data()
        #expect(found == Data("[]".utf8))
        #expect(try service.last.url.query() == "q=a%20b")
    }

    @Test func `a status without an error`() async throws {
        let client = try client
        var isMissing = false
        let plain = client.deriving { $0.validators = [] }
        let response = try await plain.get("users/7").response()
        if response.status == .notFound { isMissing = true }
        #expect(isMissing && service.requests.count == 1)
    }

    @Test func `a deadline`() async throws {
        let client = try client
        let body = try await client.get("users/1").deadline(in: .seconds(5)).data()
        #expect(!body.isEmpty)
        #expect(try service.last.call?.deadline != nil)
    }

    @Test func `time limits of a client`() async throws {
        let client = try client
        client.update { $0.timeouts = HTTPTimeouts(connect: .seconds(1), idle: .seconds(5)) }
        let body = try await client.get("users/1").data()
        #expect(!body.isEmpty)
        #expect(try service.last.timeouts.connect == .after(.seconds(1)))
        #expect(try service.last.timeouts.idle == .after(.seconds(5)))
    }

    @Test func `errors`() async throws {
        let service = MockSession.silentService
        let clock = BriskClock()
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service) {
            $0.clock = clock
        }
        var outcome = ""
        do {
            try await client.get("users/1").deadline(in: .seconds(5)).response()
        } catch let error as HTTPError where error.timer?.name == .connect {
            outcome = "cannot connect"
        } catch let error as HTTPError where error.innermostCode == .timedOut {
            outcome = "too slow"
        }
        #expect(outcome == "too slow")
    }

    @Test func `reading a body as it arrives`() async throws {
        let client = try client
        var count = 0
        try await client.get("log").withResponse { response in
            for try await piece in response.body { count += piece.count }
        }
        #expect(count == 9)
    }

    @Test func `sending a body as it is made`() async throws {
        let server = try LoopbackServer { _ in .ok("stored") }
        let client = try HTTPClient(baseURL: server.url)
        let pieces = AsyncStream<Data> { pieces in
            pieces.yield(Data("one ".utf8))
            pieces.yield(Data("two".utf8))
            pieces.finish()
        }
        let answer = try await client.put("log", .body(HTTPBody(pieces, length: 7))).text()
        #expect(answer == "stored" && server.log.first?.request?.text == "one two")
        #expect(server.log.first?.request?["Content-Length"] == "7")
    }

    @Test func `a file, with progress`() async throws {
        let client = try client
        let (folder, bar) = (try DownloadFolder(), ProgressBar())
        let path = folder.file()
        let download = try await client.get("image.iso")
            .onProgress { bar.show($0.fraction) }
            .download(to: path)
        #expect(try folder.bytes().count == Int(download.length) && bar.last == 1)
    }

    @Test func `redirects`() async throws {
        let service = MockSession.redirectService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.redirects.limit = 3 }
        let followed = try await client.get("old").response()
        let manual = try await client.get("old").redirects(.manual).response()
        #expect(followed.history.map(\.status) == [.found] && followed.url.path() == "/new")
        #expect(manual.status == .found && service.requests.count == 3)
    }

    @Test func `a password`() async throws {
        let service = MockSession.passwordService
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        let (api, secret) = (try HTTPOrigin("https://api.example.com"), "hunter2")
        let password = PasswordCredentials(user: "me", password: secret, for: api)
        let basic = try BasicAuthentication(password)
        client.update { $0.authentication = [basic] }
        let account = try await client.get("account").text()
        #expect(account == "yours" && service.requests.count == 1)
        #expect(try service.last.headers[.authorization] == "Basic bWU6aHVudGVyMg==")
    }

    @Test func `trying again`() async throws {
        let service = MockSession.failing(times: 2)
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        client.update { $0.clock = BriskClock() }
        client.update { $0.retry = .standard }
        let body = try await client.get("users/1").data()
        #expect(!body.isEmpty && service.requests.count == 3)
    }

    #if os(Linux)
        @Test func `a proxy`() async throws {
            let server = try LoopbackServer { _ in .ok("through the proxy") }
            let proxyURL = server.url
            var configuration = CurlConfiguration()
            configuration.proxies = .server(try ProxyServer(proxyURL))
            let client = try HTTPClient(
                baseURL: "http://api.example.com/", transport: CurlTransport(configuration))
            let text = try await client.get("users/1").text()
            #expect(text == "through the proxy")
            #expect(server.log.first?.request?.target == "http://api.example.com/users/1")
            await client.close()
        }
    #endif

    #if os(Linux)
        @Test func `certificate authorities`() async throws {
            let server = try LoopbackServer { _ in .ok("trusted") }
            let (base, path) = (server.url, "/etc/ssl/certs/ca-certificates.crt")
            var configuration = CurlConfiguration()
            configuration.tls.trust = .systemAnd(.file(path))
            let client = try HTTPClient(baseURL: base, transport: CurlTransport(configuration))
            let text = try await client.get("users/1").text()
            // The server has no TLS: authorities are tested with the transport.
            #expect(text == "trusted" && configuration.tls.trust == .systemAnd(.file(path)))
            await client.close()
        }
    #endif

    #if os(Linux)
        @Test func `the pool of connections`() async throws {
            let server = try LoopbackServer { _ in .ok("pooled") }
            let base = server.url
            var configuration = CurlConfiguration()
            configuration.maximumConnectionsPerOrigin = 2
            configuration.idleConnectionTimeout = .seconds(30)
            configuration.maximumRequestsPerConnection = 1000
            let client = try HTTPClient(baseURL: base, transport: CurlTransport(configuration))
            let first = try await client.get("users/1").text()
            let second = try await client.get("users/2").text()
            #expect(first == "pooled" && second == "pooled" && server.connections.accepted == 1)
            await client.close()
        }
    #endif

    #if os(Linux)
        @Test func `a Unix socket`() async throws {
            let service = MockSession(honouring: [UnixSocket.self]) { request in
                HTTPResponse(.ok, body: HTTPBody("info"), to: request)
            }
            let client = HTTPClient(transport: service)
            let engine = try HTTPOrigin("http://docker")
            let socket = try UnixSocket("/var/run/docker.sock", for: engine)
            let info = try await client.get("http://docker/info")
                .option(UnixSocket.self, socket)
                .text()
            #expect(info == "info")
            #expect(try service.last[UnixSocket.self] == socket)
        }
    #endif

    @Test func `a logger`() async throws {
        let client = try client
        let logger = Logger()
        client.update { $0.logging = HTTPLogging(.headers) { logger.debug($0) } }
        let user = try await client.get("users/1").json(User.self)
        #expect(user.id == 1)
        #expect(
            logger.texts.withLock { $0.first?.contains("GET https://api.example.com/users/1") }
                == true)
    }

    @Test func `the end`() async throws {
        let server = try LoopbackServer { _ in .ok("done") }
        let base = server.url
        let client = try HTTPClient(baseURL: base, transport: CurlTransport())
        let text = try await client.get("users/1").text()
        await client.close()
        #expect(text == "done" && server.log.count == 1)
        await #expect(throws: HTTPError.self) { try await client.get("users/1").response() }
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("MigratingFromAsyncHTTPClient")
        #expect(page.pairCount == 20 && page.blocks.count == 20)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
