import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The text of an error names its request, whichever layer has made the error.
@Suite(.timeLimit(.minutes(5))) struct HTTPErrorNamingTests {
    /// A way in which a call fails, and the URL of the request that failed.
    struct Failure: Sendable, CustomTestStringConvertible {
        let name: String
        var url = "http://h/a"
        let run: @Sendable (HTTPRequest) async throws -> Void

        var testDescription: String { name }
    }

    private static func answering(
        _ status: HTTPStatus = .ok, headers: HTTPHeaders = [:], _ text: String = ""
    ) -> MockSession {
        MockSession { HTTPResponse(status, headers: headers, body: HTTPBody(text), to: $0) }
    }

    private static let broken = MockSession { _ in
        throw HTTPError(.connectionLost, "lost", isRetryable: true)
    }

    private struct Anonymous: HTTPSession {
        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            throw HTTPError(.connectionLost, "lost")
        }
    }

    private static func client(
        _ transport: any HTTPSession, configure: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) -> HTTPClient {
        HTTPClient(transport: transport, configure: configure)
    }

    private static let failures: [Failure] = [
        Failure(name: "a mock") { _ = try await broken.response(for: $0) },
        Failure(name: "a session of another module") {
            _ = try await client(Anonymous()).response(for: $0)
        },
        Failure(name: "a middleware around it") {
            _ = try await Anonymous().with(UserAgent("a")).response(for: $0)
        },
        Failure(name: "a simulated fault") { request in
            var plan = FaultPlan(seed: 1)
            plan.unsent = 1
            let session = FaultSession(answering(), plan)
            _ = try await session.response(for: request)
        },
        Failure(name: "a status") { _ = try await client(answering(.notFound)).response(for: $0) },
        Failure(name: "a decoder") {
            _ = try await client(answering(.ok, "x")).response(for: $0).json(Int.self)
        },
        Failure(name: "an empty body") {
            _ = try await client(answering()).response(for: $0).json(Int.self)
        },
        Failure(name: "a charset") {
            let session = MockSession {
                HTTPResponse(
                    .ok, headers: [.contentType: "text/plain; charset=x"],
                    body: HTTPBody(Data([0x78, 0xFF])), to: $0)
            }
            _ = try await client(session).response(for: $0).text()
        },
        Failure(name: "a limit on the body") {
            _ = try await client(answering(.ok, "long")).response(for: $0).data(upTo: 1)
        },
        Failure(name: "a limit on a buffered body") {
            _ = try await client(answering(.ok, "long"))
                .response(for: $0.delivery(.buffered(upTo: 1)))
        },
        Failure(name: "an event stream") {
            _ = try await answering(.ok, "{}").response(for: $0).serverSentEvents()
        },
        Failure(name: "parts") { _ = try await answering(.ok, "{}").response(for: $0).parts },
        Failure(name: "retries") { request in
            _ = try await client(broken) { $0.retry = .standard }
                .response(for: request.maxRetries(1))
        },
        Failure(name: "a redirect that is refused") {
            _ = try await client(answering(.found, headers: [.location: "/b"]))
                .response(for: $0.redirects(.error))
        },
        Failure(name: "redirects without an end", url: "http://h/b") {
            let session = answering(.temporaryRedirect, headers: [.location: "/b"])
            _ = try await client(session).response(for: $0)
        },
        Failure(name: "an error after a redirect", url: "http://h/b") {
            let session = MockSession { request in
                request.url.path == "/b"
                    ? HTTPResponse(.notFound, to: request)
                    : HTTPResponse(.temporaryRedirect, headers: [.location: "/b"], to: request)
            }
            _ = try await client(session).response(for: $0)
        },
        Failure(name: "a rate") { request in
            let session = answering().with(
                RateLimit(.tokenBucket(1, per: .seconds(9), burst: 1), timeout: .zero))
            for _ in 0..<2 { _ = try await session.response(for: request) }
        },
        Failure(name: "a pause") { request in
            let session = answering(.serviceUnavailable, headers: [.retryAfter: "9"])
                .with(OriginPause(timeout: .zero))
            for _ in 0..<2 { _ = try await session.response(for: request) }
        },
        Failure(name: "a circuit") { request in
            let session = answering(.internalServerError).with(CircuitBreaker(minimum: 1))
            for _ in 0..<2 { _ = try await session.response(for: request) }
        },
        Failure(name: "a deadline") {
            var request = $0
            request.deadline = HTTPSystemClock().now
            _ = try await client(answering()).response(for: request)
        },
        Failure(name: "a closed client") {
            let client = client(answering())
            await client.close()
            _ = try await client.response(for: $0)
        },
        Failure(name: "a preparation") {
            struct Unknown: Error {}
            _ = try await client(answering()).response(for: $0.modify { _ in throw Unknown() })
        },
        Failure(name: "a password that is withheld") {
            let origin = try HTTPOrigin("http://h")
            let session = answering(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=a"])
                .with(
                    ChallengeAuthentication(
                        PasswordCredentials(user: "u", password: "p", for: origin)))
            _ = try await session.response(for: $0)
        },
        Failure(name: "a refresh") {
            struct Unknown: Error {}
            let session = answering().with(
                RefreshingAuthentication(for: try HTTPOrigin("http://h")) { _, _ in
                    throw Unknown()
                })
            _ = try await session.response(for: $0)
        },
        Failure(name: "a type that was not asked for") {
            let session = answering(headers: [.contentType: "text/html"], "<p>").with(
                AcceptContentType())
            _ = try await session.response(for: $0)
        },
        Failure(name: "a type that was not asked for, of a stream") {
            let session = streaming(["<p>"], headers: [.contentType: "text/html"])
                .with(AcceptContentType())
            _ = try await session.response(for: $0)
        },
        Failure(name: "a type that a validator does not accept") {
            let session = streaming(["<p>"], headers: [.contentType: "text/html"])
            _ = try await client(session) {
                $0.validators = [ContentTypeValidator(MediaRange(.json))]
            }
            .response(for: $0)
        },
        Failure(name: "a body that breaks off") {
            _ = try await client(half).response(for: $0).data()
        },
        Failure(name: "a buffered body that breaks off") {
            _ = try await client(half).response(for: $0.delivery(.buffered(upTo: 99)))
        },
        Failure(name: "a stream that is too long") {
            _ = try await client(streaming(["long", "er"])).response(for: $0).data(upTo: 5)
        },
        Failure(name: "a first piece that is too long") {
            _ = try await client(streaming(["long"])).response(for: $0).data(upTo: 1)
        },
        Failure(name: "a body that has been read") {
            let response = try await client(streaming(["x"])).response(for: $0)
            for try await _ in response.body {}
            _ = try await response.data()
        },
        Failure(name: "a digest that differs") {
            let session = streaming(["x"], headers: ["Content-Digest": "sha-256=:AAAA:"])
            _ = try await client(session.with(DigestFields())).response(for: $0).data()
        },
        Failure(name: "a verdict of a validator's own") {
            _ = try await client(answering(.ok, "x")) { $0.validators = [Refusing()] }
                .response(for: $0)
        },
        Failure(name: "a verdict on a failure") {
            _ = try await client(broken) { $0.validators = [Refusing()] }.response(for: $0)
        },
        Failure(name: "a validator that throws") {
            _ = try await client(answering(.ok, "x")) { $0.validators = [Throwing()] }
                .response(for: $0)
        },
        Failure(name: "a retry that is not made") {
            _ = try await client(answering(.serviceUnavailable, "later")) { $0.retry = .standard }
                .response(for: $0.maxRetries(0))
        },
        Failure(name: "a 407 without a proxy") {
            let session = answering(.proxyAuthenticationRequired, "proxy").with(
                ProxyAuthentication(
                    PasswordCredentials(user: "u", password: "p", for: try HTTPOrigin("http://p"))))
            _ = try await session.response(for: $0)
        },
        Failure(name: "a retry that is dropped") {
            _ = try await client(answering(.badGateway, "later")).pipeline(for: $0)
                .retryDecision { (_: RetryAttempt) in .dropWithReason("enough") }.value()
        },
        Failure(name: "a retry whose decision fails") {
            _ = try await client(answering(.badGateway, "later")).pipeline(for: $0)
                .retryDecision { (_: RetryAttempt) in throw Throwing.Own() }.value()
        },
        Failure(name: "a retry whose work fails") {
            let retry = HTTPRetryStrategy.after(try HTTPRequest("http://h/token")) { _, _ in
                throw Throwing.Own()
            }
            _ = try await client(answering(.ok, "again")) {
                $0.validators = [ClosureValidator { _, _ in .retry(retry) }]
            }
            .response(for: $0.maxRetries(1))
        },
        Failure(name: "a refresh after a refusal") {
            let session = answering(.unauthorized, "refused").with(
                RefreshingAuthentication(
                    for: try HTTPOrigin("http://h"), credential: try .bearer("old")
                ) { _, _ in throw Throwing.Own() })
            _ = try await session.response(for: $0)
        },
        Failure(name: "a file that breaks off") { _ = try await downloading(half, $0) },
        Failure(name: "one of several ranges that breaks off") {
            let session = MockSession { request in
                HTTPResponse(
                    .ok, headers: [.acceptRanges: "bytes", .eTag: "\"a\""],
                    body: HTTPBody(source: Half(), length: 2 << 20), to: request)
            }
            _ = try await downloading(session, $0) { $0.maxConcurrentRanges = 2 }
        },
        Failure(name: "a file that the disk refuses") {
            let request = $0
            _ = try await answering(.ok, "file").download(request, to: "/dev/null/x")
        },
        Failure(name: "a file with another digest") {
            _ = try await downloading(answering(.ok, "file"), $0) {
                $0.sha256 = String(repeating: "0", count: 64)
            }
        },
        Failure(name: "a file with another digest for a layer below") {
            let headers: HTTPHeaders = ["Content-Digest": "sha-256=:AAAA:"]
            let session = streaming(["file"], headers: headers).with(DigestFields())
            _ = try await downloading(session, $0)
        },
        Failure(name: "a file with more bytes than announced") {
            let session = MockSession {
                let source = ScriptedBodySource(["fi", "le"])
                return HTTPResponse(.ok, body: HTTPBody(source: source, length: 3), to: $0)
            }
            _ = try await downloading(session, $0)
        },
        Failure(name: "a file that is longer than its limit") {
            _ = try await downloading(streaming(["fi", "le"]), $0.delivery(.buffered(upTo: 3)))
        },
        Failure(name: "lines that break off") {
            for try await _ in try await client(half).response(for: $0).lines() {}
        },
        Failure(name: "a line that is too long") {
            let response = try await client(streaming(["long"])).response(for: $0)
            for try await _ in response.lines(upTo: 1) {}
        },
        Failure(name: "a line that is no JSON") {
            let response = try await client(streaming(["x\n"])).response(for: $0)
            for try await _ in response.jsonLines(of: Int.self) {}
        },
        Failure(name: "a text of a sequence that is no JSON") {
            let response = try await client(streaming(["\u{1E}x\n"])).response(for: $0)
            for try await _ in response.jsonSequence(of: Int.self) {}
        },
        Failure(name: "an event that is too long") {
            let session = streaming(
                ["data: x\n\n"], headers: [.contentType: "text/event-stream"])
            let response = try await client(session).response(for: $0)
            for try await _ in try response.serverSentEvents(upTo: 1) {}
        },
        Failure(name: "an event that is no value") {
            let session = streaming(
                ["data: x\n\n"], headers: [.contentType: "text/event-stream"])
            let response = try await client(session).response(for: $0)
            for try await _ in try response.serverSentEvents(of: Int.self) {}
        },
        Failure(name: "parts that break off") {
            let session = streaming(
                ["--b\r\n\r\nx"], headers: [.contentType: "multipart/mixed; boundary=b"])
            let response = try await client(session).response(for: $0)
            for try await part in try response.parts { _ = try await part.body.collect() }
        },
        Failure(name: "an event of a source that is no value") {
            let session = streaming(
                ["data: x\n\n"], headers: [.contentType: "text/event-stream"])
            for try await _ in try client(session).events(of: Int.self, from: $0) {}
        },
        Failure(name: "an option that no transport honours") {
            var request = $0
            request[Unhonoured.self] = true
            _ = try await client(answering()).response(for: request)
        },
    ]

    /// A body that breaks off.
    private final class Half: HTTPBodySource {
        private let isRead = Locked(false)
        private let text: String

        init(_ text: String = "half") { self.text = text }

        func next() async throws -> Data? {
            let isFirst = isRead.withLock { isRead in
                defer { isRead = true }
                return !isRead
            }
            if isFirst { return Data(text.utf8) }
            throw HTTPError(.bodyIncomplete, "broken off", isRetryable: true)
        }

        func abandon() {}
    }

    private static let half = MockSession {
        HTTPResponse(.ok, body: HTTPBody(source: Half()), to: $0)
    }

    private static func streaming(
        _ steps: [ScriptedBodySource.Step], headers: HTTPHeaders = [:]
    ) -> MockSession {
        MockSession {
            HTTPResponse(
                .ok, headers: headers, body: HTTPBody(source: ScriptedBodySource(steps)), to: $0)
        }
    }

    private static func downloading(
        _ session: any HTTPSession, _ request: HTTPRequest,
        configure: (inout HTTPDownloadOptions) -> Void = { _ in }
    ) async throws {
        let folder = try DownloadFolder()
        var options = HTTPDownloadOptions()
        options.maxResumptions = 0
        configure(&options)
        _ = try await session.download(request, to: folder.file(), options: options)
    }

    private struct Refusing: HTTPValidator {
        func verdict(
            on outcome: HTTPOutcome, of attempt: RetryAttempt
        ) async throws -> HTTPVerdict { .invalid("never") }
    }

    private struct Throwing: HTTPValidator {
        struct Own: Error {}
        func verdict(
            on outcome: HTTPOutcome, of attempt: RetryAttempt
        ) async throws -> HTTPVerdict { throw Own() }
    }

    private enum Unhonoured: HTTPTransportOption {
        static var defaultValue: Bool { false }
    }

    @Test(arguments: failures, [HTTPMethod.get, .delete, "PURGE"])
    func `an error names the method and the URL, once`(
        _ failure: Failure, method: HTTPMethod
    ) async throws {
        let request = try HTTPRequest(method, "http://h/a?secret#x")
        let error = await #expect(throws: HTTPError.self) { try await failure.run(request) }
        let text = try #require(error).description
        let pieces = text.components(separatedBy: "; \(method) \(failure.url)")
        #expect(pieces.count == 2, "\(text)")
        #expect(error?.method == method)
        #expect(!text.contains("secret"))
    }

    /// README.md and ErrorHandling.md.
    @Test(arguments: failures)
    func `an error has the phase and, with a response, the beginning of its body`(
        _ failure: Failure
    ) async throws {
        let request = try HTTPRequest(.get, "http://h/a")
        let error = await #expect(throws: HTTPError.self) { try await failure.run(request) }
        #expect(error?.phase != nil, "\(String(describing: error))")
        guard error?.response != nil else { return }
        #expect(error?.phase == .receiving)
        // The program has read the bytes itself.
        guard error?.code != .bodyAlreadyRead else { return }
        #expect(error?.bodyPrefix != nil, "\(String(describing: error))")
    }

    /// ErrorHandling.md.
    @Test func `an error keeps 64 KiB of a refused body, and 4 KiB of a broken one`() async throws {
        let long = String(repeating: "x", count: 100_000)
        let broken = MockSession {
            HTTPResponse(.ok, body: HTTPBody(source: Half(long)), to: $0)
        }
        for (session, count) in [
            (Self.answering(.notFound, long), 64 << 10),
            (broken, 4 << 10),
        ] {
            let error = await #expect(throws: HTTPError.self) {
                try await Self.client(session).response(for: "http://h/a").data()
            }
            #expect(error?.bodyPrefix?.count == count)
        }
    }

    @Test func `a method that a redirect has changed is the one that failed`() async throws {
        let session = MockSession { request in
            request.method == .post
                ? HTTPResponse(.seeOther, headers: [.location: "/b"], to: request)
                : HTTPResponse(.notFound, to: request)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPClient(transport: session).response(for: HTTPRequest(.post, "http://h/a"))
        }
        #expect(error?.description.contains("; GET http://h/b") == true)
    }

    // MARK: Over the wire

    /// The steps of a server on a connection, after the head of a request.
    static let faults: [(name: String, script: LoopbackScript)] = [
        ("nothing", []), ("a reset", [.reset]), ("no HTTP", [.send("hello\r\n\r\n")]),
        ("half a body", [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .close]),
        ("half a head", [.send("HTTP/1.1 200 OK\r\nA:"), .close]),
        ("a wrong chunk", [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n")]),
    ]

    /// The ends of a body after some of its bytes, with the code that each of them is.
    private static let ends: [(HTTPError.Code, LoopbackScript)] = [
        (
            .bodyIncomplete,
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .close]
        ),
        (
            .timedOut,
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .stall]
        ),
        (
            .bodyTooLarge,
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf 6789 1234 67890"), .stall]
        ),
    ]

    @Test(arguments: ClientWire.allCases, [HTTPDelivery.streamed, .buffered(upTo: 10)])
    func `an error in a body has the head, and the bytes that had come`(
        wire: ClientWire, delivery: HTTPDelivery
    ) async throws {
        let transport = try wire.transport()
        for (code, script) in Self.ends {
            let server = try LoopbackServer(scripts: [[.awaitHead] + script])
            var request = try HTTPRequest(.get, server.url("/a")).delivery(delivery)
            // Long enough for the head to arrive on a machine that is busy.
            request.timeouts.idle = .after(.seconds(2))
            let sent = request
            let error = await #expect(throws: HTTPError.self) {
                _ = try await transport.response(for: sent).data(upTo: 10)
            }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(error?.phase == .receiving && error?.status == .ok, "\(code)")
            // A length beyond the limit ends the exchange before a byte of the body is kept.
            guard code != .bodyTooLarge else { continue }
            // URLSession may report the failure before the bytes are read.
            if wire.rawValue == "urlSession", error?.bodyPrefix == nil { continue }
            #expect(error?.bodyPrefix == Data("half".utf8), "\(code)")
        }
    }

    @Test(arguments: ClientWire.allCases)
    func `an error of decoding has the bytes that were decoded before`(
        wire: ClientWire
    ) async throws {
        let transport = try wire.transport()
        // A gzip member with a stored block of 5 bytes, then a block of no type.
        let gzip: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
            + [UInt8](repeating: 0xFF, count: 64)
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 1000)] {
            let head =
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count)\r\n\r\n"
            let server = try LoopbackServer(
                scripts: [[.awaitHead, .send(head), .send(gzip), .stall]])
            let error = await #expect(throws: HTTPError.self) {
                _ = try await transport.response(
                    for: HTTPRequest(.get, server.url("/a")).delivery(delivery)
                ).data()
            }
            #expect(error?.code == .contentDecodingFailed, "\(String(describing: error))")
            #expect(error?.phase == .receiving && error?.status == .ok)
            #expect([nil, Data("hello".utf8)].contains(error?.bodyPrefix))
        }
    }

    @Test(arguments: ClientWire.allCases, ["GET", "DELETE", "PURGE"])
    func `an error of a transport names the method and the URL`(
        wire: ClientWire, method: String
    ) async throws {
        let transport = try wire.transport()
        // What is no HTTP ends a process with URLSession on Linux.
        let isSafe = { wire.rawValue != "urlSession" || ["a reset", "half a body"].contains($0) }
        for fault in Self.faults where isSafe(fault.name) {
            let server = try LoopbackServer(scripts: [[.awaitHead] + fault.script])
            let request = try HTTPRequest(HTTPMethod(method), server.url("/a?secret"))
            for delivery in [HTTPDelivery.streamed, .buffered(upTo: 99)] {
                let error = await #expect(throws: HTTPError.self) {
                    _ = try await transport.response(for: request.delivery(delivery)).data()
                }
                let text = error?.description ?? ""
                #expect(text.contains("; \(method) \(server.url("/a"))"), "\(fault.name): \(text)")
                #expect(error?.phase != nil, "\(fault.name): \(text)")
                if fault.name == "half a body" {
                    #expect([nil, Data("half".utf8)].contains(error?.bodyPrefix))
                    #expect(error?.response?.status == .ok && error?.code == .bodyIncomplete)
                }
                #expect(!text.contains("secret"))
            }
        }
        let closed = try LoopbackServer()
        closed.stop()
        let error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: HTTPRequest(HTTPMethod(method), closed.url("/a")))
        }
        #expect(error?.description.contains("; \(method) \(closed.url("/a"))") == true)
    }
}
