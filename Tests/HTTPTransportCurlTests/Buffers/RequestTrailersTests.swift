import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RequestTrailersTests {
    private static func request(
        _ server: LoopbackServer, _ body: HTTPBody, _ trailers: RequestTrailers
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(.put, server.url("/"), body: body)
        request[RequestTrailers.self] = trailers
        return request
    }

    @Test(arguments: [1, 5, 200_000])
    func `fields follow the body, and are announced before it`(count: Int) async throws {
        let server = try LoopbackServer { .ok("\($0.contentCount)") }
        let request = try Self.request(
            server, HTTPBody(Data(repeating: 7, count: count)),
            RequestTrailers(["X-Sum", "X-More"]) { ["X-Sum": "abc", "X-More": "x: y"] })
        #expect(try await CurlTransport().response(for: request).text() == "\(count)")
        let got = try #require(server.log.first?.request)
        #expect(got["Trailer"] == "X-Sum, X-More")
        #expect(got["Transfer-Encoding"] == "chunked")
        #expect(got["Content-Length"] == nil)
        #expect(got.trailers.map { "\($0.name): \($0.value)" } == ["X-Sum: abc", "X-More: x: y"])
    }

    @Test func `they are made once the body is produced`() async throws {
        let server = try LoopbackServer { .ok("\($0.contentCount)") }
        let produced = Locked(0)
        let body = HTTPBody(length: nil) {
            AsyncStream<Data> {
                produced.withLock { count in
                    count += 1
                    return count <= 3 ? Data("abc".utf8) : nil
                }
            }
        }
        let request = try Self.request(
            server, body,
            RequestTrailers(["X-Pieces"]) { ["X-Pieces": "\(produced.withLock { $0 } - 1)"] })
        #expect(try await CurlTransport().response(for: request).text() == "9")
        #expect(server.log.first?.request?.trailers.first?.value == "3")
    }

    @Test func `trailers that fail, or were not announced, fail the request`() async throws {
        struct Broken: Error {}
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        for trailers in [
            RequestTrailers(["X-Sum"]) { throw Broken() },
            RequestTrailers(["X-Sum"]) { ["X-Other": "1"] },
        ] {
            let request = try Self.request(server, HTTPBody("hello"), trailers)
            let error = await #expect(throws: HTTPError.self) {
                _ = try await session.response(for: request)
            }
            #expect(error?.code == .requestBodyFailed)
        }
        #expect(try await session.response(for: server.url).status == .ok)
    }

    @Test(arguments: [HTTPHeaderName.contentLength, "authorization", "HOST", .trailer])
    func `what cannot come after a body is refused`(name: HTTPHeaderName) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let request = try Self.request(
            server, HTTPBody("x"), RequestTrailers([name]) { [:] })
        let error = await #expect(throws: HTTPError.self) {
            _ = try await CurlTransport().response(for: request)
        }
        #expect(error?.code == .invalidRequest)
        #expect(server.connections.accepted == 0)
    }

    @Test func `no body, no names and HTTP 2 are refused`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var requests = [
            try Self.request(server, .empty, RequestTrailers(["X"]) { [:] }),
            try Self.request(server, HTTPBody("x"), RequestTrailers([]) { [:] }),
            try Self.request(server, HTTPBody("x"), RequestTrailers(["X"]) { [:] }),
        ]
        requests[2].version = .http2
        for request in requests {
            let error = await #expect(throws: HTTPError.self) {
                _ = try await CurlTransport().response(for: request)
            }
            #expect([.invalidRequest, .unsupportedOption].contains(error?.code))
        }
        #expect(server.connections.accepted == 0)
    }
}
