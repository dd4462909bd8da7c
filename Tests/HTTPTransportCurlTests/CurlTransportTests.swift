import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CurlTransportTests {
    // MARK: A session

    @Test(.rows("S4-7"))
    func `a GET is answered with status, fields and body`() async throws {
        let server = try LoopbackServer { request in
            var response = LoopbackResponse.ok("you want \(request.target)")
            response.fields.append((name: "Set-Cookie", value: "a=1"))
            response.fields.append((name: "Set-Cookie", value: "b=2"))
            return response
        }
        let session = CurlTransport()
        let response = try await session.response(for: server.url("/a?b=c%20d"))
        #expect(response.status == .ok)
        #expect(response.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(try await response.text() == "you want /a?b=c%20d")
        #expect(try await response.text() == "you want /a?b=c%20d")
        let exchange = try #require(response.timeline.exchanges.first)
        #expect(exchange.version == .http1_1)
        #expect(exchange.isConnectionReused == false)
        #expect(exchange.remoteAddress == "127.0.0.1:\(server.port)")
        #expect(exchange.lastByte != nil)
        await session.close()
    }

    @Test func `a request carries what was asked for and nothing else`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        var request = try HTTPRequest(.post, server.url("/x"), body: HTTPBody("hello"))
        request.headers["X-Empty"] = ""
        try request.headers.append("X-Two", "1")
        try request.headers.append("x-two", "2")
        _ = try await session.response(Data.self, for: request)
        let log = try #require(server.log.first)
        let text = String(decoding: log.bytes, as: UTF8.self)
        #expect(
            text == "POST /x HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
                + "Accept-Encoding: deflate, gzip, br, zstd\r\n"
                + "X-Empty:\r\nX-Two: 1\r\nx-two: 2\r\nContent-Length: 5\r\n\r\nhello")
    }
}
