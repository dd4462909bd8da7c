import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct ExpectContinueTests {
    enum Kind: CaseIterable { case small, large, stream }

    private static func request(
        _ server: LoopbackServer, _ kind: Kind, patience: Duration, asked: Gate = Gate()
    ) throws -> HTTPRequest {
        let body: HTTPBody =
            switch kind {
            case .small: HTTPBody("hello")
            case .large: HTTPBody(Data(repeating: 7, count: 200_000))
            case .stream:
                HTTPBody(length: nil) {
                    asked.open()
                    return AsyncStream { continuation in
                        continuation.yield(Data("hello".utf8))
                        continuation.finish()
                    }
                }
            }
        var request = try HTTPRequest(.put, server.url("/"), body: body)
        request[ExpectContinue.self] = patience
        return request
    }

    private static var quiet: LoopbackOptions {
        var options = LoopbackOptions()
        options.waitsForContent = false
        return options
    }

    @Test(arguments: Kind.allCases)
    func `the body follows when the server says so`(kind: Kind) async throws {
        let server = try LoopbackServer { .ok("\($0.contentCount)") }
        let request = try Self.request(server, kind, patience: .seconds(30))
        let response = try await CurlTransport().response(for: request)
        #expect(try await response.text() == (kind == .large ? "200000" : "5"))
        #expect(server.log.first?.request?["Expect"] == "100-continue")
    }

    @Test(arguments: Kind.allCases, [413, 401, 200])
    func `a final answer instead means that the body stays here`(
        kind: Kind, status: Int
    ) async throws {
        let server = try LoopbackServer(Self.quiet) { _ in
            [
                .send(
                    "HTTP/1.1 \(status) No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"),
                .close,
            ]
        }
        let asked = Gate()
        let request = try Self.request(server, kind, patience: .seconds(30), asked: asked)
        let response = try await CurlTransport().response(for: request)
        #expect(response.status.code == status)
        #expect(try await response.text() == "no")
        let exchange = try #require(server.log.first)
        #expect(exchange.octetsReceived == exchange.request?.head.count)
        #expect(!asked.isOpen)
    }

    @Test(arguments: Kind.allCases)
    func `a server that says nothing gets the body after a while`(kind: Kind) async throws {
        let server = try LoopbackServer(Self.quiet) { _ in
            [.awaitContentEnd, .respond(.ok("got it"))]
        }
        let request = try Self.request(server, kind, patience: .milliseconds(50))
        #expect(try await CurlTransport().response(for: request).text() == "got it")
    }

    @Test func `nothing is expected where there is no body`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.get, server.url)
        request[ExpectContinue.self] = .seconds(1)
        _ = try await CurlTransport().response(for: request).text()
        #expect(server.log.first?.request?["Expect"] == nil)
    }
}
