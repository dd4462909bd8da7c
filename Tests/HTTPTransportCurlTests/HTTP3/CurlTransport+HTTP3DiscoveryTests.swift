import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

/// HTTP/3 that servers announce (RFC 7838), against nginx.
@Suite(.enabled(if: HTTP3Requirement.isMet, HTTP3Requirement.comment), .timeLimit(.minutes(5)))
struct CurlTransportHTTP3DiscoveryTests {
    private static func server(
        announcing alternative: String? = "h3=\":PORT\"; ma=3600",
        _ change: (inout NginxServer.Options) -> Void = { _ in }
    ) async throws -> NginxServer {
        try await NginxServer.startWithHTTP3(announcing: alternative, change)
    }

    private static func transport(
        _ change: (inout CurlConfiguration) throws -> Void = { _ in }
    ) async throws -> CurlTransport {
        try await TestAuthority.transport {
            $0.http3 = .whenAnnounced
            try change(&$0)
        }
    }

    private struct Answer {
        var text: String
        var version: HTTPVersion?
        var choices: [HTTPVersionChoice]

        init(_ response: HTTPResponse) async throws {
            text = try await response.text()
            version = response.head.version
            choices = response.timeline.exchanges.first?.versionChoices ?? []
        }
    }

    private static func answer(
        _ session: CurlTransport, _ request: HTTPRequest
    ) async throws -> Answer {
        try await Answer(try await session.response(for: request))
    }

    private static func answer(_ session: CurlTransport, _ url: String) async throws -> Answer {
        try await answer(session, try HTTPRequest(.get, url))
    }

    /// Sends requests until one goes over HTTP/3, and returns its answer.
    @discardableResult
    private static func found(_ session: CurlTransport, _ url: String) async throws -> Answer {
        while true {
            try Task.checkCancellation()
            let answer = try await answer(session, url)
            if answer.version == .http3 { return answer }
            await Task.yield()
        }
    }

    /// Sends requests until HTTP/3 has failed, which none of them notices.
    private static func failed(_ session: CurlTransport, _ url: String) async throws {
        while true {
            try Task.checkCancellation()
            let answer = try await answer(session, url)
            #expect(answer.version == .http2)
            if case .passedOver(.http3, let reason) = answer.choices.first,
                reason.contains("failed")
            {
                return
            }
            await Task.yield()
        }
    }

    private struct ChoiceLog: HTTPObserver {
        let record = Record<String>()

        func observe(_ event: HTTPEvent) {
            switch event.kind {
            case .versionChosen(let choice): record.add("\(choice)")
            case .sending: record.add("sending")
            case .sent: record.add("sent")
            default: break
            }
        }
    }

    // MARK: Finding

    @Test func `what is announced is opened, and then used`() async throws {
        let server = try await Self.server()
        let session = try await Self.transport()
        let first = try await Self.answer(session, server.url())
        #expect(first.version == .http2)
        #expect(first.choices.isEmpty)
        let second = try await Self.answer(session, server.url())
        #expect(second.version == .http2)
        #expect(second.choices == [.passedOver(.http3, reason: "it is being opened")])
        let found = try await Self.found(session, server.url("/client"))
        #expect(found.choices == [.announced(.http3, host: "127.0.0.1", port: Int(server.port))])
        // RFC 7838 §5.
        #expect(found.text == "NONE 127.0.0.1:\(server.port)")
        // Opening it was no exchange.
        let statistics = await session.statistics()
        #expect(statistics.total.opened == 2)
        #expect(statistics.total.active == 0)
        let log = try await server.log(of: statistics.total.ended)
        #expect(log.count == statistics.total.ended)
    }

    @Test func `nothing is opened unless it is wanted`() async throws {
        let server = try await Self.server()
        let plain = try CurlTransport(await TestAuthority.trusting())
        for _ in 0..<5 {
            let answer = try await Self.answer(plain, server.url())
            #expect(answer.version == .http2)
            #expect(answer.choices.isEmpty)
        }
        #expect(await plain.statistics().total.opened == 1)
        let session = try await Self.transport()
        for version in [HTTPVersion.http1_1, .http2, .http1_1, .http2] {
            var request = try HTTPRequest(.get, server.url())
            request.version = version
            let answer = try await Self.answer(session, request)
            #expect(answer.version == version)
            #expect(answer.choices == [.requested(version)])
        }
        #expect(await session.statistics().total.opened == 2)
    }

    @Test func `requests that HTTP 3 cannot carry go on without it`() async throws {
        let server = try await Self.server()
        let session = try await Self.transport()
        try await Self.found(session, server.url())
        var trailing = try HTTPRequest(.post, server.url("/up"), body: HTTPBody("x"))
        trailing[RequestTrailers.self] = RequestTrailers(["X-Sum"]) { ["X-Sum": "1"] }
        #expect(try await Self.answer(session, trailing).version == .http1_1)
        var elsewhere = try HTTPRequest(.get, server.url())
        elsewhere[ConnectTarget.self] = try ConnectTarget("127.0.0.1:\(server.port)")
        #expect(try await Self.answer(session, elsewhere).version == .http2)
        var old = try HTTPRequest(.get, server.url())
        var settings = TLSSettings()
        settings.trust = .only(.file(try await TestAuthority.shared.root.certificate))
        settings.maximumVersion = .tls1_2
        old[TLSSettings.self] = settings
        for _ in 0..<3 { #expect(try await Self.answer(session, old).version == .http2) }
        #expect(try await Self.answer(session, server.url()).version == .http3)
    }

    @Test func `what was announced to a stranger is not believed`() async throws {
        let server = try await Self.server()
        let session = try await Self.transport()
        var settings = TLSSettings()
        settings.certificateVerification = .unsafeNone
        for _ in 0..<5 {
            var request = try HTTPRequest(.get, server.url())
            request[TLSSettings.self] = settings
            #expect(try await Self.answer(session, request).version == .http2)
        }
        #expect(await session.statistics().total.opened == 1)
    }

    /// The reason is `LibraryDefect.fatalCancellation`.
    @Test func `bodies of any kind keep to other versions`() async throws {
        let server = try await Self.server()
        let session = try await Self.transport()
        try await Self.found(session, server.url())
        let bytes = Data(repeating: 7, count: 300 << 10)
        let stream = AsyncStream { continuation in
            continuation.yield(bytes)
            continuation.finish()
        }
        for body in [HTTPBody(bytes), HTTPBody(stream)] {
            let answer = try await Self.answer(
                session, try HTTPRequest(.post, server.url("/up"), body: body))
            #expect(answer.version == .http2)
            #expect(answer.text == "\(bytes.count)")
            #expect(
                answer.choices == [
                    .passedOver(
                        .http3,
                        reason: "libcurl cannot safely cancel a request with a body over it")
                ])
        }
        #expect(try await Self.answer(session, server.url()).version == .http3)
    }

    @Test func `an observer learns what was tried`() async throws {
        let server = try await Self.server()
        let session = try await Self.transport()
        try await Self.found(session, server.url())
        let log = ChoiceLog()
        let response = try await session.response(
            for: HTTPRequest(.get, server.url("/misdirected")).beginningCall(observer: log))
        #expect(try await response.text() == "directed")
        #expect(response.head.version == .http2)
        #expect(
            log.record.entries == [
                "HTTP/3 was announced for 127.0.0.1:\(server.port)", "sending", "sent",
                "HTTP/3 failed: the service does not respond for this origin (421)",
            ])
        #expect(response.timeline.description.contains("HTTP/3 failed"))
        #expect(response.timeline.waterfall().contains("HTTP/3 was announced"))
        let next = try await Self.answer(session, server.url())
        #expect(next.version == .http2)
        #expect("\(next.choices)".contains("rests"))
    }

    // MARK: Attacks

    /// None of these may move a request.
    @Test(arguments: [
        "clear", "h3=\":PORT\"; ma=0", "h2=\":PORT\"", "h3-29=\":PORT\"", "h3=\"evil\"",
    ])
    func `nothing is opened for what is no service`(text: String) async throws {
        let server = try await Self.server(announcing: text)
        let session = try await Self.transport()
        for _ in 0..<5 { #expect(try await Self.answer(session, server.url()).version == .http2) }
        #expect(await session.statistics().total.opened == 1)
    }

    @Test func `an announcement over plain HTTP moves nothing`() async throws {
        let evil = try await Self.server()
        let plain = try LoopbackServer(script: { _ in
            [
                .send(
                    "HTTP/1.1 200 OK\r\nAlt-Svc: h3=\":\(evil.port)\"\r\n"
                        + "Content-Length: 2\r\n\r\nok"
                )
            ]
        })
        let session = try await Self.transport()
        for _ in 0..<5 {
            #expect(try await Self.answer(session, plain.url).text == "ok")
        }
        #expect(try evil.log().isEmpty)
        #expect(await session.statistics().total.opened == 1)
    }

    /// The announced server has a certificate of the same authority, for another name.
    @Test(arguments: ["another host", "another port"])
    func `nothing moves to a server whose certificate does not fit`(place: String) async throws {
        let authority = try await TestAuthority.shared
        let certificate = try await ServerProcess.onThread {
            try authority.issue("evil-\(UUID().uuidString)", "DNS:evil.test")
        }
        let evil = try await Self.server { $0.certificate = certificate }
        let host = place == "another host" ? "evil.test" : ""
        let server = try await Self.server(announcing: "h3=\"\(host):\(evil.port)\"")
        let session = try await Self.transport {
            $0.addresses = ["evil.test": [try #require(IPAddress("127.0.0.1"))]]
        }
        try await Self.failed(session, server.url())
        #expect(try evil.log().isEmpty)
    }

    /// A load balancer may really be elsewhere.
    @Test(arguments: ["another host", "another port"])
    func `requests move to a server whose certificate fits`(place: String) async throws {
        let other = try await Self.server()
        let host = place == "another host" ? "other.test" : ""
        let server = try await Self.server(announcing: "h3=\"\(host):\(other.port)\"") {
            $0.speaksHTTP3 = false
        }
        let session = try await Self.transport {
            $0.addresses = ["other.test": [try #require(IPAddress("127.0.0.1"))]]
        }
        let found = try await Self.found(session, server.url("/client"))
        let name = host.isEmpty ? "127.0.0.1" : host
        #expect(found.choices == [.announced(.http3, host: name, port: Int(other.port))])
        #expect(found.text == "NONE \(name):\(other.port)")
        #expect(try await other.log(of: 1).map(\.version) == ["HTTP/3.0"])
    }

    /// Sends requests until one is passed over because its policy forbids the service's address.
    private static func forbidden(_ session: CurlTransport, _ request: HTTPRequest) async throws {
        while true {
            try Task.checkCancellation()
            let answer = try await answer(session, request)
            #expect(answer.version == .http2)
            if case .passedOver(.http3, let reason) = answer.choices.first,
                reason.contains("may not be connected to")
            {
                return
            }
            await Task.yield()
        }
    }

    @Test func `a service of a server that may not be connected to is not used`() async throws {
        let other = try await Self.server()
        let server = try await Self.server(announcing: "h3=\"[::1]:\(other.port)\"") {
            $0.speaksHTTP3 = false
        }
        let session = try await Self.transport {
            $0.addressPolicy.denied = [try #require(AddressRange("::/0"))]
        }
        try await Self.forbidden(session, try HTTPRequest(.get, server.url()))
    }

    @Test func `a policy that forbids the service leaves it to other requests`() async throws {
        let other = try await Self.server(announcing: nil)
        let server = try await Self.server(announcing: "h3=\"localhost:\(other.port)\"") {
            $0.speaksHTTP3 = false
        }
        let session = try await Self.transport {
            // The certificate names both.
            $0.addresses = ["localhost": [try #require(IPAddress("127.0.0.1"))]]
        }
        var policy = AddressPolicy.any
        policy.ports = [Int(server.port)]
        var request = try HTTPRequest(.get, server.url())
        request[AddressPolicy.self] = policy
        try await Self.forbidden(session, request)
        #expect(try other.log().isEmpty)
        let found = try await Self.found(session, server.url())
        #expect(found.choices == [.announced(.http3, host: "localhost", port: Int(other.port))])
        // Neither a kept connection is used, nor is its use by others ended.
        #expect(try await Self.answer(session, request).version == .http2)
        #expect(try await Self.answer(session, server.url()).version == .http3)
    }

    @Test func `no service is opened where the policy of the request forbids it`() async throws {
        let relay = try DatagramRelay(host: 2)
        let server = try await Self.server(announcing: "h3=\"localhost:\(relay.port)\"") {
            $0.speaksHTTP3 = false
        }
        let session = try await Self.transport {
            $0.addresses = ["localhost": [try #require(IPAddress("127.0.0.2"))]]
        }
        var request = try HTTPRequest(.get, server.url())
        var policy = AddressPolicy.any
        policy.denied = [try #require(AddressRange("127.0.0.2/32"))]
        request[AddressPolicy.self] = policy
        try await Self.forbidden(session, request)
        #expect(relay.received == 0)
    }

    // MARK: Failures

    @Test(arguments: UDPObstacle.available)
    func `no request notices HTTP 3 that cannot be opened`(obstacle: UDPObstacle) async throws {
        let relay = try DatagramRelay()
        if obstacle == .closedPort { relay.close() }
        let server = try await Self.server(
            announcing: obstacle.isFirewall ? "h3=\":PORT\"" : "h3=\":\(relay.port)\"")
        if obstacle.isFirewall { try await obstacle.block(server.port) }
        let session = try await Self.transport { $0.timeouts.connect = .after(.seconds(2)) }
        try await Self.failed(session, server.url())
        #expect(relay.received > 0 || obstacle != .silentRelay)
        let statistics = await session.statistics()
        #expect(statistics.total.opened <= 2)
    }

    @Test(arguments: UDPObstacle.available)
    func `an exchange that HTTP 3 fails goes on without it`(obstacle: UDPObstacle) async throws {
        let origin = try await Self.server(announcing: nil)
        let relay = try DatagramRelay(to: origin.port)
        let server = try await Self.server(
            announcing: obstacle.isFirewall ? "h3=\":PORT\"" : "h3=\":\(relay.port)\"")
        let session = try await Self.transport { $0.idleConnectionTimeout = .seconds(1) }
        try await Self.found(session, server.url())
        // Its connections are gone, and no new one can be opened.
        while await session.statistics().openSockets > 0 {
            try await Task.sleep(for: .milliseconds(20))
        }
        switch obstacle {
        case .silentRelay: relay.drops = true
        case .closedPort: relay.close()
        case .droppingFirewall, .rejectingFirewall: try await obstacle.block(server.port)
        }
        let stream = AsyncStream { continuation in
            continuation.yield(Data("hello".utf8))
            continuation.finish()
        }
        let count = 50
        let failures = Record<Void>()
        let times = Record<Duration>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let body: HTTPBody? =
                        number == 0 ? HTTPBody(stream) : number % 2 == 0 ? HTTPBody("hello") : nil
                    var request = try HTTPRequest(
                        body == nil ? .get : .post, server.url(body == nil ? "/" : "/up"))
                    if let body { request.body = body }
                    let start = ContinuousClock.now
                    let answer = try await Self.answer(session, request)
                    times.add(ContinuousClock.now - start)
                    #expect(answer.version == .http2)
                    #expect(answer.text == (body == nil ? "hello" : "5"))
                    switch answer.choices.last {
                    case .failed(.http3, _): failures.add(())
                    // It began after others had failed.
                    case .passedOver(.http3, _): break
                    default: Issue.record("\(answer.choices)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(!failures.entries.isEmpty)
        #expect(times.entries.count == count)
        let longest = try #require(times.entries.max())
        #expect(longest < .seconds(5))
        // The bound is for a machine at rest.
        print(
            "FIGURE | \(obstacle.rawValue): failed requests of \(count), longest in ms | 0, "
                + "\(Int(longest / .milliseconds(1))) | 0, below 400 | "
                + (longest < .milliseconds(400) ? "pass" : "fail"))
        #expect(try await Self.answer(session, server.url()).version == .http2)
    }

    /// Half of its time is left for HTTP/2.
    @Test func `an exchange with little time goes on in time`() async throws {
        let origin = try await Self.server(announcing: nil)
        let relay = try DatagramRelay(to: origin.port)
        let server = try await Self.server(announcing: "h3=\":\(relay.port)\"")
        try await patiently(from: .milliseconds(500)) { limit in
            relay.drops = false
            let session = try await Self.transport { $0.idleConnectionTimeout = .seconds(1) }
            try await Self.found(session, server.url())
            while await session.statistics().openSockets > 0 {
                try await Task.sleep(for: .milliseconds(20))
            }
            relay.drops = true
            for _ in 0..<10 {
                var request = try HTTPRequest(.get, server.url())
                request.timeouts.total = .after(limit)
                do {
                    #expect(try await Self.answer(session, request).version == .http2)
                } catch let error as HTTPError where error.timer?.name == .total {
                    throw TooSoon(error)
                }
            }
        }
    }

    /// libcurl makes another connection for a request that it has written over one that has ended.
    @Test(arguments: ["closes", "drops"])
    func `an exchange over a kept connection that is lost goes on without it`(
        relayed: String
    ) async throws {
        let origin = try await Self.server(announcing: nil)
        let relay = try DatagramRelay(to: origin.port)
        let server = try await Self.server(announcing: "h3=\":\(relay.port)\"")
        let session = try await Self.transport()
        try await Self.found(session, server.url())
        if relayed == "closes" { relay.close() } else { relay.drops = true }
        let answer = try await Self.answer(session, server.url())
        #expect(answer.version == .http2)
        #expect(answer.text == "hello")
        let next = try await Self.answer(session, server.url())
        #expect(next.version == .http2)
    }

    @Test func `a certificate that does not fit any more fails the exchange`() async throws {
        let authority = try await TestAuthority.shared
        let certificate = try await ServerProcess.onThread {
            try authority.issue("late-\(UUID().uuidString)", "DNS:late.test")
        }
        let other = try await Self.server(announcing: nil)
        let server = try await Self.server(announcing: "h3=\":\(other.port)\"") {
            $0.speaksHTTP3 = false
        }
        let session = try await Self.transport { $0.idleConnectionTimeout = .seconds(1) }
        try await Self.found(session, server.url())
        while await session.statistics().openSockets > 0 {
            try await Task.sleep(for: .milliseconds(20))
        }
        other.stop()
        let evil = try await Self.server(announcing: nil) {
            $0.port = other.port
            $0.certificate = certificate
        }
        let error = await #expect(throws: HTTPError.self) {
            _ = try await Self.answer(session, server.url())
        }
        #expect(error?.code == .serverNotTrusted)
        #expect(try evil.log().isEmpty)
        // It rests, like after any failure.
        #expect(try await Self.answer(session, server.url()).version == .http2)
    }

    @Test func `closing does not wait for HTTP 3 that is being opened`() async throws {
        let relay = try DatagramRelay()
        let server = try await Self.server(announcing: "h3=\":\(relay.port)\"")
        let session = try await Self.transport { $0.timeouts.connect = .after(.seconds(600)) }
        while relay.received == 0 { _ = try await Self.answer(session, server.url()) }
        let start = ContinuousClock.now
        await session.close(grace: .seconds(600))
        // Far less than either limit.
        #expect(ContinuousClock.now - start < .seconds(60))
    }
}
