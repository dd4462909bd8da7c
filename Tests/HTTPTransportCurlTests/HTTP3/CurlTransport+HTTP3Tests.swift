import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation
import PortableLibc

/// Requests that ask for HTTP/3, against nginx.
@Suite(.enabled(if: HTTP3Requirement.isMet, HTTP3Requirement.comment), .timeLimit(.minutes(5)))
struct CurlTransportHTTP3Tests {
    private static func request(
        _ method: HTTPMethod = .get, _ url: String, body: HTTPBody? = nil
    ) throws -> HTTPRequest {
        try HTTP3Requirement.request(method, url, body: body)
    }

    private static func stream(_ pieces: [Data]) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }
    }

    // MARK: Requests and responses

    @Test func `a request gets HTTP 3, and the next one its connection`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        for number in 0..<3 {
            let response = try await session.response(for: Self.request(.get, server.url()))
            #expect(try await response.text() == "hello")
            #expect(response.head.version == .http3)
            let exchange = try #require(response.timeline.exchanges.first)
            #expect(exchange.version == .http3)
            #expect(exchange.versionChoices == [.requested(.http3)])
            #expect(exchange.isConnectionReused == (number > 0))
            #expect(exchange.remoteHost == "127.0.0.1")
            #expect(exchange.remotePort == Int(server.port))
        }
        #expect(try await server.log(of: 3).map(\.version) == ["HTTP/3.0", "HTTP/3.0", "HTTP/3.0"])
        #expect(await session.statistics().openSockets == 1)
    }

    @Test func `requests for other versions use other connections`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        for version in [HTTPVersion.http3, nil, .http2, .http3, .http1_1, .http3] {
            var request = try HTTPRequest(.get, server.url())
            request.version = version
            let response = try await session.response(for: request)
            #expect(try await response.text() == "hello")
            #expect(response.head.version == version ?? .http2)
        }
        #expect(await session.statistics().openSockets == 3)
    }

    @Test(arguments: [0, 10, 100 << 10, 3 << 20])
    func `a body of any kind arrives whole`(count: Int) async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        let bytes = Data(repeating: 7, count: count)
        let file = FileManager.default.temporaryDirectory
            .appending(path: "http3-\(UUID().uuidString)")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pieces = stride(from: 0, to: count, by: 50_000).map {
            bytes[$0..<min($0 + 50_000, count)]
        }
        let bodies = [
            HTTPBody(bytes), try HTTPBody(file: file.path),
            HTTPBody(Self.stream(pieces), length: Int64(count)), HTTPBody(Self.stream(pieces)),
        ]
        for body in bodies {
            let request = try Self.request(.put, server.url("/up"), body: body)
            let response = try await session.response(for: request)
            #expect(response.status == .ok)
            let text = try await response.text()
            #expect(text == "\(count)" || text.isEmpty && count == 0)
            #expect(response.head.version == .http3)
        }
    }

    @Test func `a response is delivered in each way`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        let whole = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1 << 30)] {
            var request = try Self.request(.get, server.url("/big"))
            request.delivery = delivery
            let response = try await session.response(for: request)
            #expect(response.body.length == 1 << 20)
            #expect(try await response.data() == whole)
        }
        let head = try await session.response(for: Self.request(.head, server.url("/big")))
        #expect(head.headers[.contentLength] == "\(1 << 20)")
        #expect(try await head.data().isEmpty)
        var range = try Self.request(.get, server.url("/big"))
        try range.headers.set(.range, "bytes=10-19")
        let part = try await session.response(for: range)
        #expect(part.status == .partialContent)
        #expect(try await part.data().count == 10)
        let path = FileManager.default.temporaryDirectory
            .appending(path: "http3-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let file = try await session.response(for: Self.request(.get, server.url("/big")))
        #expect(try await file.body.write(toDescriptor: descriptor, at: 0) == 1 << 20)
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
    }

    @Test(arguments: [HTTPDelivery.streamed, .buffered(upTo: 1 << 30)])
    func `what is coded is decoded, and has its limits`(delivery: HTTPDelivery) async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        try server.serveGzip(try CodingBomb.harmless(1 << 20, .low))
        var request = try Self.request(.get, server.url("/gzip"))
        request.delivery = delivery
        let response = try await session.response(for: request)
        #expect(try await response.body.collect(upTo: 4 << 20).count >= 1 << 20)
        #expect(response.headers[.contentEncoding] == nil)
    }

    // MARK: Trust

    @Test func `a certificate is refused for its reason`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        for (name, reason) in [("127.0.0.1", "authority"), ("other.test", "names other hosts")] {
            let session =
                name == "127.0.0.1"
                ? CurlTransport()
                : try await TestAuthority.transport {
                    $0.addresses = [name: [try #require(IPAddress("127.0.0.1"))]]
                }
            let error = await #expect(throws: HTTPError.self) {
                _ = try await session.response(
                    for: Self.request(.get, "https://\(name):\(server.port)/"))
            }
            #expect(error?.code == .serverNotTrusted)
            #expect(error?.phase == .securing)
            #expect(error?.mayHaveReachedServer == false)
            #expect(error?.message.contains(reason) == true, "\(error as Any)")
        }
        #expect(try server.log().isEmpty)
    }

    @Test func `pins and identities hold`() async throws {
        let authority = try await TestAuthority.shared
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        func settings() -> TLSSettings {
            var settings = TLSSettings()
            settings.trust = .only(.file(authority.root.certificate))
            return settings
        }
        for (pin, holds) in [
            (try authority.server.pin(), true), (try authority.client.pin(), false),
        ] {
            var request = try Self.request(.get, server.url())
            var pinned = settings()
            pinned.publicKeyPins = ["127.0.0.1": [try #require(PublicKeyPin(pin))]]
            request[TLSSettings.self] = pinned
            do {
                #expect(try await session.response(for: request).text() == "hello")
                #expect(holds)
            } catch let error as HTTPError {
                #expect(error.code == .serverNotTrusted)
                #expect(!holds)
            }
        }
        for hasIdentity in [false, true] {
            var request = try Self.request(.get, server.url("/client"))
            var own = settings()
            if hasIdentity {
                own.identity = .files(
                    certificate: authority.client.certificate, key: authority.client.key)
            }
            request[TLSSettings.self] = own
            let text = try await session.response(for: request).text()
            #expect(text == (hasIdentity ? "SUCCESS " : "NONE "))
        }
    }

    @Test func `no address is used that the policy forbids`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport { $0.addressPolicy = .publicOnly }
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: Self.request(.get, server.url()))
        }
        #expect(error?.code == .addressBlocked)
        // Nor one that another request has connected to.
        let open = try await TestAuthority.transport()
        _ = try await open.response(for: Self.request(.get, server.url())).text()
        var request = try Self.request(.get, server.url())
        request[AddressPolicy.self] = .publicOnly
        let restricted = request
        let second = await #expect(throws: HTTPError.self) {
            _ = try await open.response(for: restricted)
        }
        #expect(second?.code == .addressBlocked)
    }

    // MARK: Refusals

    @Test func `what HTTP 3 cannot do is refused before anything is sent`() async throws {
        let session = try await TestAuthority.transport()
        let url = "https://127.0.0.1:9/"
        let origin = try HTTPOrigin(url)
        let changes: [(String, (inout HTTPRequest) throws -> Void)] = [
            ("proxy", { $0[ProxySettings.self] = .server(try ProxyServer("http://127.0.0.1:9")) }),
            ("Unix socket", { $0[UnixSocket.self] = try UnixSocket("/tmp/none", for: origin) }),
            (
                "TLS 1.3",
                { request in
                    var settings = TLSSettings()
                    settings.maximumVersion = .tls1_2
                    request[TLSSettings.self] = settings
                }
            ),
            ("https", { $0.url = try #require(URL(string: "http://127.0.0.1:9/")) }),
        ]
        for (word, change) in changes {
            var request = try Self.request(.get, url)
            try change(&request)
            let changed = request
            let error = await #expect(throws: HTTPError.self) {
                _ = try await session.response(for: changed)
            }
            #expect(error?.code == .unsupportedOption)
            #expect(error?.message.contains(word) == true, "\(error as Any)")
        }
        #expect(await session.statistics().openSockets == 0)
    }

    @Test(arguments: [true, false])
    func `a server without HTTP 3 is not connected to another way`(rejects: Bool) async throws {
        let silent = try rejects ? nil : DatagramRelay()
        let server = try await NginxServer.start()
        let session = try await TestAuthority.transport()
        var request = try Self.request(
            .post, "https://127.0.0.1:\(silent?.port ?? server.port)/", body: HTTPBody("x"))
        if !rejects { request.timeouts.connect = .after(.milliseconds(300)) }
        let asked = request
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: asked)
        }
        #expect(error?.code == (rejects ? .cannotConnect : .timedOut), "\(error as Any)")
        #expect(error?.isRetryable == true)
        #expect(error?.mayHaveReachedServer == false)
        #expect(try server.log().isEmpty)
    }

    // MARK: Size and pace

    /// A tenth of 200 MiB each way, unless counts are full.
    private static let size = TestCounts.scaled(200) << 20

    @Test func `a slow reader gets all of a large body`() async throws {
        let server = try await NginxServer.startWithHTTP3 { $0.forwards = true }
        let origin = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n"),
                .generate(Self.size),
            ]
        })
        let session = try await TestAuthority.transport()
        var request = try Self.request(.get, server.url("/large"))
        try request.headers.set("X-Port", "\(origin.port)")
        var check = PatternCheck()
        var pauses = 0
        let before = OwnProcess.resident
        var largest = before
        for try await piece in try await session.response(for: request).body {
            check.add(piece)
            guard check.count / (4 << 20) > pauses else { continue }
            pauses += 1
            try await Task.sleep(for: .milliseconds(50))
            largest = max(largest, OwnProcess.resident)
        }
        #expect(check.mismatch == nil)
        #expect(check.count == Self.size)
        Self.report((before, largest), "read slowly")
    }

    /// - Parameter sizes: The resident size of the process before, and at most, in KiB. Tests that
    ///   run at the same time count, too.
    private static func report(_ sizes: (before: Int, most: Int), _ what: String) {
        guard TestCounts.isFull else { return }
        let growth = sizes.most - sizes.before
        print(
            "FIGURE | memory while \(size >> 20) MiB are \(what): at most, growth | "
                + "\(sizes.most >> 10) MiB, \(growth >> 10) MiB | growth of 32 MiB | "
                + (growth <= 32 << 10 ? "pass" : "fail"))
    }

    @Test func `a slow producer sends all of a large body`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        let sent = Locked(0)
        let size = Self.size
        let before = OwnProcess.resident
        let largest = Locked(before)
        let pieces = AsyncStream<Data>(unfolding: {
            let start = sent.withLock { $0 }
            guard start < size else { return nil }
            if start % (4 << 20) == 0 {
                try? await Task.sleep(for: .milliseconds(50))
                largest.withLock { $0 = max($0, OwnProcess.resident) }
            }
            sent.withLock { $0 += 256 << 10 }
            return PatternCheck.bytes(start..<start + (256 << 10))
        })
        let request = try Self.request(
            .put, server.url("/up"), body: HTTPBody(pieces, length: Int64(size)))
        let response = try await session.response(for: request)
        #expect(try await response.text() == "\(size)")
        let entry = try #require(try await server.log(of: 1).first)
        #expect(entry.version == "HTTP/3.0")
        #expect(entry.length >= size)
        Self.report((before, largest.withLock { $0 }), "produced slowly")
    }

    // MARK: Pauses and ends

    @Test(arguments: [true, false])
    func `a reader that stops beyond the server's limit keeps its connection`(keepsAlive: Bool)
        async throws
    {
        try await patiently(from: .seconds(3)) { limit in
            let server = try await NginxServer.startWithHTTP3 {
                $0.idleLimit = Int(limit / .seconds(1))
            }
            let session = try await TestAuthority.transport {
                $0.keepAliveInterval = keepsAlive ? .milliseconds(300) : .seconds(100)
            }
            let response = try await session.response(for: Self.request(.get, server.url("/huge")))
            var iterator = response.body.makeAsyncIterator()
            var count = try #require(try await iterator.next()).count
            try await Task.sleep(for: limit * 2)
            var failure: (any Error)?
            do {
                while let piece = try await iterator.next() { count += piece.count }
            } catch {
                failure = error
            }
            // This process sent nothing for as long as the limit.
            if keepsAlive, let failure { throw TooSoon(failure) }
            // Without it, the connection ends: the test would otherwise prove nothing.
            #expect((failure as? HTTPError)?.code == (keepsAlive ? nil : .bodyIncomplete))
            #expect((count == 16 << 20) == keepsAlive)
        }
    }

    @Test func `a server that stops in the middle of a body cuts it`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        let response = try await session.response(for: Self.request(.get, server.url("/huge")))
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        server.stop()
        let error = await #expect(throws: HTTPError.self) {
            while try await iterator.next() != nil {}
        }
        #expect(error?.code == .bodyIncomplete)
        #expect(error?.response?.version == .http3)
    }

    /// The new server knows nothing of the connection, and says so in packets that could come from
    /// any host.
    @Test func `a connection that the server has lost is replaced`() async throws {
        var server = try await NginxServer.startWithHTTP3()
        let port = server.port
        let session = try await TestAuthority.transport { $0.unacknowledgedTimeout = .seconds(2) }
        #expect(try await session.response(for: Self.request(.get, server.url())).text() == "hello")
        server.stop()
        server = try await NginxServer.startWithHTTP3 { $0.port = port }
        let response = try await session.response(for: Self.request(.get, server.url()))
        #expect(try await response.text() == "hello")
        #expect(response.timeline.exchanges.first?.silentResends == 1)
        #expect(response.timeline.exchanges.first?.isConnectionReused == false)
        func post() async throws -> String {
            let request = try Self.request(.post, server.url("/up"), body: HTTPBody("x"))
            return try await session.response(for: request).text()
        }
        #expect(try await post() == "1")
        server.stop()
        server = try await NginxServer.startWithHTTP3 { $0.port = port }
        // Nothing tells whether the first server has acted on it.
        let error = await #expect(throws: HTTPError.self) { _ = try await post() }
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveReachedServer == true)
        #expect(try await post() == "1")
        #expect(try await session.response(for: Self.request(.get, server.url())).text() == "hello")
    }

    /// None of them lives long enough to be sent again.
    @Test(arguments: [HTTPMethod.get, .post])
    func `requests with little time leave a connection that the server has lost`(
        method: HTTPMethod
    ) async throws {
        var server = try await NginxServer.startWithHTTP3()
        let port = server.port
        let session = try await TestAuthority.transport()
        let body = method == .post ? HTTPBody("x") : nil
        func text(limit: Duration?) async throws -> String {
            var request = try Self.request(
                method, server.url(body == nil ? "/" : "/up"), body: body)
            if let limit { request.timeouts.total = .after(limit) }
            return try await session.response(for: request).text()
        }
        _ = try await text(limit: nil)
        server.stop()
        server = try await NginxServer.startWithHTTP3 { $0.port = port }
        let start = ContinuousClock.now
        var failures = 0
        while true {
            do {
                _ = try await text(limit: .milliseconds(400))
                break
            } catch let error as HTTPError where error.code == .timedOut {
                failures += 1
            }
        }
        #expect(failures > 0)
        // The server's connection would be kept for 75 s.
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `a request with little time is sent again in time`() async throws {
        var server = try await NginxServer.startWithHTTP3()
        let port = server.port
        let session = try await TestAuthority.transport()
        #expect(try await session.response(for: Self.request(.get, server.url())).text() == "hello")
        server.stop()
        server = try await NginxServer.startWithHTTP3 { $0.port = port }
        var request = try Self.request(.get, server.url())
        request.timeouts.total = .after(.seconds(5))
        let response = try await session.response(for: request)
        #expect(try await response.text() == "hello")
        #expect(response.timeline.exchanges.first?.silentResends == 1)
    }

    /// A body that is given up ends the connection, which then carries nothing else.
    @Test func `a cancelled upload leaves other requests alone`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        let download = try await session.response(for: Self.request(.get, server.url("/huge")))
        for round in 0..<20 {
            let body = HTTPBody(Data(repeating: 7, count: round % 2 == 0 ? 1000 : 4 << 20))
            let upload = Task {
                let request = try Self.request(.post, server.url("/up"), body: body)
                return try await session.response(for: request).text()
            }
            for _ in 0..<round { await Task.yield() }
            upload.cancel()
            _ = try? await upload.value
        }
        #expect(try await download.body.collect(upTo: 32 << 20).count == 16 << 20)
        let request = try Self.request(.post, server.url("/up"), body: HTTPBody("last"))
        let first = try await session.response(for: request)
        #expect(try await first.text() == "4")
        let second = try await session.response(for: request)
        #expect(try await second.text() == "4")
        #expect(second.timeline.exchanges.first?.isConnectionReused == true)
    }

    @Test func `a connection over which nothing comes any more is replaced`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let relay = try DatagramRelay(to: server.port)
        let session = try await TestAuthority.transport { $0.unacknowledgedTimeout = .seconds(2) }
        let url = "https://127.0.0.1:\(relay.port)/"
        #expect(try await session.response(for: Self.request(.get, url)).text() == "hello")
        let post = try Self.request(.post, url, body: HTTPBody("x"))
        _ = try await session.response(for: post).text()
        relay.drops = true
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: post)
        }
        #expect(error?.code == .connectionLost)
        relay.drops = false
        #expect(try await session.response(for: Self.request(.get, url)).text() == "hello")
        relay.drops = true
        // It is sent again, which takes a connection.
        var request = try Self.request(.get, url)
        request.timeouts.connect = .after(.milliseconds(500))
        let repeated = request
        let second = await #expect(throws: HTTPError.self) {
            _ = try await session.response(for: repeated)
        }
        #expect(second?.code == .timedOut)
        #expect(second?.timer?.name == .connect)
        relay.drops = false
        #expect(try await session.response(for: Self.request(.get, url)).text() == "hello")
    }

    /// libcurl sends one of the requests again by itself, and fails the others.
    @Test(
        .enabled(if: CaddyServer.isAvailable, "Caddy is not installed"),
        arguments: [HTTPMethod.get, .put, .post])
    func `requests under way survive a server that ends its connections, if they may be repeated`(
        method: HTTPMethod
    ) async throws {
        let server = try await CaddyServer.start(forwards: true)
        let gate = LoopbackGate()
        let origin = try LoopbackServer(script: { _ in
            [.pause(until: gate), .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
        })
        let session = try await TestAuthority.transport()
        let count = 8
        let outcomes = await withTaskGroup(of: String.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        var request = try HTTP3Requirement.request(
                            method, server.url + "\(number)",
                            body: method == .get ? nil : HTTPBody("body"))
                        request.headers["X-Port"] = "\(origin.port)"
                        return try await session.response(for: request).text()
                    } catch {
                        return (error as? HTTPError).map { "\($0.code)" } ?? "\(error)"
                    }
                }
            }
            group.addTask {
                do {
                    try await origin.waitUntil { $0.connections.accepted >= count }
                    try await server.reload()
                    gate.open()
                    return "loaded"
                } catch { return "\(error)" }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.contains("loaded"))
        if method.isIdempotent {
            #expect(outcomes.filter { $0 == "ok" }.count == count, "\(outcomes)")
            // Caddy may send some that come again over connections that it has.
            #expect(origin.connections.accepted > count + 1)
        } else {
            // A POST may have been processed, and is not repeated.
            #expect(origin.connections.accepted == count)
            let known = ["loaded", "ok", "\(HTTPError.Code.connectionLost)"]
            #expect(Set(outcomes).isSubset(of: known), "\(outcomes)")
        }
    }

    @Test func `a slow response is waited for`() async throws {
        let server = try await NginxServer.startWithHTTP3 { $0.forwards = true }
        let session = try await TestAuthority.transport { $0.unacknowledgedTimeout = .seconds(2) }
        let slow = try LoopbackServer(script: { _ in
            [
                .pause(.seconds(4)), .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow"),
            ]
        })
        for method in [HTTPMethod.get, .post] {
            var request = try Self.request(method, server.url("/slow"))
            try request.headers.set("X-Port", "\(slow.port)")
            let response = try await session.response(for: request)
            #expect(try await response.text() == "slow")
            #expect(response.timeline.exchanges.first?.silentResends == 0)
        }
    }

    /// Go's server gives packets another ID of the connection once the handshake is over.
    @Test(
        .enabled(if: CaddyServer.isAvailable, "Caddy is not installed"),
        arguments: [HTTPMethod.get, .post])
    func `a slow response is waited for beside others, whatever IDs their packets have`(
        method: HTTPMethod
    ) async throws {
        let server = try await CaddyServer.start(forwards: true)
        let session = try await TestAuthority.transport { $0.unacknowledgedTimeout = .seconds(2) }
        let busy = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n"),
                .drip(Array(repeating: Array("x".utf8), count: 50), every: .milliseconds(100)),
            ]
        })
        let slow = try LoopbackServer(script: { _ in
            [.pause(.seconds(4)), .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow")]
        })
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (other, text) in [(busy, String(repeating: "x", count: 50)), (slow, "slow")] {
                group.addTask {
                    var request = try Self.request(method, server.url)
                    try request.headers.set("X-Port", "\(other.port)")
                    let response = try await session.response(for: request)
                    #expect(try await response.text() == text)
                    return response.timeline.exchanges.first?.silentResends ?? -1
                }
            }
            for try await resends in group { #expect(resends == 0) }
        }
    }

    @Test func `cancelled responses leave the connection to others`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        for _ in 0..<20 {
            let response = try await session.response(for: Self.request(.get, server.url("/huge")))
            var iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() != nil)
            response.body.abandon()
        }
        let data = try await session.response(for: Self.request(.get, server.url("/big"))).data()
        #expect(data.count == 1 << 20)
        #expect(await session.statistics().total.opened == 1)
    }

    @Test func `hundreds of requests share a few connections`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        let count = TestCounts.scaled(5000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let isUpload = number % 5 == 0
                    let request = try Self.request(
                        isUpload ? .post : .get, server.url(isUpload ? "/up" : "/"),
                        body: isUpload ? HTTPBody(Data(repeating: 1, count: 1000)) : nil)
                    let response = try await session.response(for: request)
                    #expect(try await response.text() == (isUpload ? "1000" : "hello"))
                }
            }
            try await group.waitForAll()
        }
        let log = try await server.log(of: count)
        #expect(log.allSatisfy { $0.version == "HTTP/3.0" })
        // Each body has a connection for itself. Of the others, another one is opened while the
        // server has not yet granted new streams for ended ones.
        let most = CurlConfiguration().maximumConnectionsPerOrigin
        #expect(await session.statistics().total.opened <= most + 4)
    }

    @Test func `idle connections are closed without a further request`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport { $0.idleConnectionTimeout = .seconds(1) }
        _ = try await session.response(for: Self.request(.get, server.url())).text()
        #expect(await session.statistics().total.opened == 1)
        while await session.statistics().openSockets > 0 {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `a session that is closed closes its connections`() async throws {
        let server = try await NginxServer.startWithHTTP3()
        let session = try await TestAuthority.transport()
        let response = try await session.response(for: Self.request(.get, server.url("/huge")))
        await session.close(grace: .zero)
        let error = await #expect(throws: HTTPError.self) { _ = try await response.data() }
        #expect(error?.code == .sessionClosed)
        #expect(await session.statistics().openSockets == 0)
    }
}
