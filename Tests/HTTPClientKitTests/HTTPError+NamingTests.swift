import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
            _ = try await client(answering(headers: [.contentType: "text/plain; charset=x"], "x"))
                .response(for: $0).text()
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
        Failure(name: "an option that no transport honours") {
            var request = $0
            request[Unhonoured.self] = true
            _ = try await client(answering()).response(for: request)
        },
    ]

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
