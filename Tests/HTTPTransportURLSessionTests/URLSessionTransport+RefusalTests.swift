import Foundation
import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportURLSession

private enum UnknownOption: HTTPTransportOption { static let defaultValue = 0 }
private enum LayerOption: HTTPRequestOption { static let defaultValue = 0 }

@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var code: HTTPError.Code
        var make: @Sendable (String) throws -> HTTPRequest
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "GET with content", code: .unsupportedOption) {
            try HTTPRequest(.get, $0, body: HTTPBody("x"))
        },
        Case(name: "HEAD with content", code: .unsupportedOption) {
            try HTTPRequest(.head, $0, body: HTTPBody("x"))
        },
        Case(name: "GET with a stream of unknown length", code: .unsupportedOption) {
            try HTTPRequest(.get, $0, body: HTTPBody(AsyncStream<Data> { $0.finish() }))
        },
        Case(name: "pinned version", code: .unsupportedOption) {
            var request = try HTTPRequest(.get, $0)
            request.version = .http2
            return request
        },
        Case(name: "foreign transport option", code: .unsupportedOption) {
            var request = try HTTPRequest(.get, $0)
            request[UnknownOption.self] = 1
            return request
        },
        Case(name: "method in small letters", code: .unsupportedOption) {
            try HTTPRequest("get", $0)
        },
        Case(name: "method that is no token", code: .invalidRequest) {
            try HTTPRequest("GET ", $0)
        },
        Case(name: "refused field", code: .invalidRequest) {
            try HTTPRequest(.get, $0, headers: ["X-A": "a\r\nX-B: b"])
        },
        Case(name: "framing field", code: .invalidRequest) {
            try HTTPRequest(.get, $0, headers: [.contentLength: "1"])
        },
        Case(name: "CONNECT", code: .invalidRequest) { try HTTPRequest(.connect, $0) },
        Case(name: "user information", code: .invalidRequest) {
            try HTTPRequest(.get, $0.replacing("://", with: "://a:b@"))
        },
        Case(name: "no scheme that we speak", code: .invalidRequest) {
            try HTTPRequest(.get, $0.replacing("http:", with: "ftp:"))
        },
        Case(name: "limit of TLS", code: .unsupportedOption) {
            var request = try HTTPRequest(.get, $0)
            request.timeouts.tls = .seconds(60)
            return request
        },
        Case(name: "limit of nothing", code: .invalidRequest) {
            var request = try HTTPRequest(.get, $0)
            request.timeouts.idle = .after(.zero)
            return request
        },
    ]

    // MARK: Unsupported requests

    @Test(.rows("S3-2", "B-14"), arguments: cases)
    func `what cannot be sent as it is fails before anything is sent`(_ row: Case) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let transport = URLSessionTransport()
        let request = try row.make(server.url("/"))
        let error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: request)
        }
        #expect(error?.code == row.code)
        #expect(error?.mayHaveReachedServer == false)
        await transport.close()
        #expect(server.snapshot.requestCount == 0)
        #expect(server.connections.accepted == 0)
    }

    @Test func `a configuration with a limit of TLS is refused, and one with none passes`() throws {
        var configuration = URLSessionTransportConfiguration()
        configuration.timeouts.tls = .seconds(60)
        let error = #expect(throws: HTTPError.self) { try URLSessionTransport(configuration) }
        #expect(error?.code == .unsupportedOption)
        configuration.timeouts.tls = .never
        _ = try URLSessionTransport(configuration)
    }

    // MARK: Options of layers

    @Test(.rows("B-5"))
    func `options of layers pass`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.get, server.url("/"))
        request[LayerOption.self] = 1
        #expect(try await URLSessionTransport().response(for: request).status == .ok)
    }

    @Test func `a body that was read is refused`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let body = HTTPBody(AsyncStream<Data> { $0.finish() })
        _ = try await body.collect()
        let request = try HTTPRequest(.post, server.url("/"), body: body)
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().response(for: request)
        }
        #expect(error?.code == .bodyAlreadyRead)
        #expect(server.snapshot.requestCount == 0)
    }
}
