import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing
import PortableFoundation

/// The bytes on the wire for a request.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportRequestTests {
    /// A transport that adds no `Accept-Encoding`.
    private static func plain() throws -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.decodesContent = false
        return try CurlTransport(configuration)
    }

    /// The bytes that a server sees for `request`.
    private static func bytes(
        _ server: LoopbackServer, of request: HTTPRequest, _ session: CurlTransport
    ) async throws -> String {
        let before = server.snapshot.requestCount
        await (try session.response(for: request)).discard()
        #expect(server.snapshot.requestCount == before + 1)
        return String(decoding: try #require(server.log.last).bytes, as: UTF8.self)
    }

    // MARK: Methods and framing

    @Test(
        .rows("S2-5"),
        arguments: [
            ("GET", nil, ""), ("HEAD", nil, ""), ("DELETE", nil, ""), ("OPTIONS", nil, ""),
            ("TRACE", nil, ""), ("PURGE", nil, ""), ("get", nil, ""), ("M-SEARCH", nil, ""),
            ("POST", nil, "Content-Length: 0\r\n"), ("PUT", nil, "Content-Length: 0\r\n"),
            ("PATCH", nil, "Content-Length: 0\r\n"), ("QUERY", nil, "Content-Length: 0\r\n"),
            ("GET", "hello", "Content-Length: 5\r\n"), ("POST", "hello", "Content-Length: 5\r\n"),
            ("PUT", "hello", "Content-Length: 5\r\n"), ("PATCH", "hello", "Content-Length: 5\r\n"),
            ("DELETE", "hello", "Content-Length: 5\r\n"),
            ("QUERY", "hello", "Content-Length: 5\r\n"),
            ("OPTIONS", "hello", "Content-Length: 5\r\n"),
            ("BREW", "hello", "Content-Length: 5\r\n"),
        ] as [(String, String?, String)])
    func `a request is its line, Host, its framing and nothing else`(
        method: String, body: String?, framing: String
    ) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = try Self.plain()
        var request = try HTTPRequest(HTTPMethod(method), server.url("/x?y"))
        if let body { request.body = HTTPBody(body) }
        let bytes = try await Self.bytes(server, of: request, session)
        #expect(
            bytes == "\(method) /x?y HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(framing)\r\n"
                + (body ?? ""))
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "BREW"])
    func `a body of unknown length is chunked`(method: String) async throws {
        let server = try LoopbackServer { .echo($0) }
        let session = try Self.plain()
        let body = HTTPBody(length: nil) {
            AsyncStream { continuation in
                continuation.yield(Data("hel".utf8))
                continuation.yield(Data("lo".utf8))
                continuation.finish()
            }
        }
        let request = try HTTPRequest(HTTPMethod(method), server.url("/"), body: body)
        let text = try await session.response(for: request).text()
        #expect(text == "hello")
        let log = try #require(server.log.first?.request)
        #expect(
            String(decoding: log.head, as: UTF8.self)
                == "\(method) / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
    }

    @Test func `decoding asks for what the library can decode`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        _ = try await CurlTransport().response(for: server.url("/")).data()
        let coding = try #require(try await server.nextRequest()["Accept-Encoding"])
        #expect(coding.contains("gzip") && coding.contains("deflate"))
    }

    // MARK: Fields

    @Test(arguments: [
        "", "a", "a  b", "a\tb", "\"q\"", "a;b", "a:b", ":", ";", "a,b", "\u{e9}\u{20ac}\u{1F980}",
        String(repeating: "x", count: 20_000), "\\", "%00", "{}[]|^`",
    ])
    func `a value arrives byte by byte`(value: String) async throws {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.get, server.url("/"))
        try request.headers.append("X-Value", value)
        let bytes = try await Self.bytes(server, of: request, try Self.plain())
        let line = value.isEmpty ? "X-Value:" : "X-Value: \(value)"
        #expect(bytes.contains("\r\n\(line)\r\n"))
    }

    @Test(arguments: [
        "Accept", "Accept-Language", "Authorization", "Cookie", "Content-Type", "User-Agent",
        "Referer", "Origin", "Date", "If-None-Match", "If-Modified-Since", "Cache-Control",
        "Accept-Encoding", "Range", "Via", "Content-Encoding", "Forwarded",
    ])
    func `a field that libcurl knows is sent as it is`(name: String) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        for (method, body) in [(HTTPMethod.get, HTTPBody.empty), (.post, HTTPBody("hello"))] {
            for value in ["", "some; value, \"here\""] {
                var request = try HTTPRequest(method, server.url("/"), body: body)
                try request.headers.append(HTTPHeaderName(name), value)
                await (try session.response(for: request)).discard()
                let fields = try #require(server.log.last?.request?.fields)
                let found = fields.filter { $0.name.lowercased() == name.lowercased() }
                #expect(found.map(\.value) == [value], "\(method)")
            }
        }
    }

    @Test func `fields keep their order, spelling and number`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.get, server.url("/"))
        for number in 0..<100 {
            try request.headers.append(number % 3 == 0 ? "X-THREE" : "x-Any", "\(number)")
        }
        try request.headers.append("Cookie", "a=1")
        try request.headers.append("Cookie", "b=2")
        let bytes = try await Self.bytes(server, of: request, try Self.plain())
        let lines = request.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        #expect(bytes.contains(lines))
    }

    @Test func `repeated fields of a response stay apart, with all their bytes`() async throws {
        let head =
            Array("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nX-Empty:\r\nX-Latin: ".utf8) + [
                0xE9, 0xFF,
            ]
            + Array("\r\nX-UTF: \u{e9}\r\nX-A: 3\r\nContent-Length: 0\r\n\r\n".utf8)
        let server = try LoopbackServer(script: { _ in [.send(head)] })
        let response = try await CurlTransport().response(for: server.url("/"))
        #expect(response.headers[values: "X-A"] == ["1", "2", "3"])
        #expect(response.headers["X-Empty"] == "")
        #expect(response.headers.bytes(of: "X-Latin") == [0xE9, 0xFF])
        #expect(response.headers["X-UTF"] == "\u{e9}")
    }

    @Test func `a received value that is not UTF-8 is sent on with the same bytes`() async throws {
        let head =
            Array("HTTP/1.1 200 OK\r\nX-Latin: ".utf8) + [0x61, 0xE9, 0xFF]
            + Array("\r\nContent-Length: 0\r\n\r\n".utf8)
        let server = try LoopbackServer(script: { _ in [.send(head)] })
        let session = CurlTransport()
        let headers = try await session.response(for: server.url("/")).headers
        var request = try HTTPRequest(.get, server.url("/"), headers: headers)
        request.headers.remove(.contentLength)
        await (try session.response(for: request)).discard()
        let bytes = try #require(server.log.last).bytes
        let line = Array("\r\nX-Latin: ".utf8) + [0x61, 0xE9, 0xFF, 13, 10]
        #expect(bytes.indices.contains { bytes[$0...].starts(with: line) })
    }

    @Test func `Host can be given`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        var request = try HTTPRequest(.get, server.url("/"))
        request.headers[.host] = "other.test:81"
        let bytes = try await Self.bytes(server, of: request, try Self.plain())
        #expect(bytes == "GET / HTTP/1.1\r\nHost: other.test:81\r\n\r\n")
    }

    // MARK: Targets

    @Test(arguments: [
        ("", "/"), ("/", "/"), ("?", "/?"), ("?a", "/?a"), ("/?", "/?"), ("//x", "//x"),
        ("/a/../b", "/a/../b"), ("/a/./b/.", "/a/./b/."), ("/..", "/.."), ("/a%2Fb", "/a%2Fb"),
        ("/a%2fb%41", "/a%2fb%41"), ("/;p=1", "/;p=1"), ("/a?b?c/d", "/a?b?c/d"),
        ("/a#fragment", "/a"), ("/a?b#c", "/a?b"), ("#", "/"), ("/a?%23", "/a?%23"),
        ("/a+b%20c?d+e%20f", "/a+b%20c?d+e%20f"), ("/~!$&'()*,=:@", "/~!$&'()*,=:@"),
        ("/a?b=c&b=&=&&", "/a?b=c&b=&=&&"), ("/%00", "/%00"), ("/%F0%9F%A6%80", "/%F0%9F%A6%80"),
    ])
    func `a target is sent as it was written`(written: String, sent: String) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let request = try HTTPRequest(.get, server.url + written)
        let bytes = try await Self.bytes(server, of: request, try Self.plain())
        #expect(bytes.hasPrefix("GET \(sent) HTTP/1.1\r\n"))
    }

    @Test func `a long target arrives whole`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let target = "/" + String(repeating: "a/", count: 15_000) + "?b"
        let bytes = try await Self.bytes(
            server, of: try HTTPRequest(.get, server.url(target)), try Self.plain())
        #expect(bytes.hasPrefix("GET \(target) HTTP/1.1\r\n"))
    }

    @Test(.enabled(if: (try? ipv6Server()) != nil, "this machine has no ::1"))
    func `an IPv6 literal is a host`() async throws {
        let server = try Self.ipv6Server()
        let response = try await CurlTransport().response(for: server.url("/"))
        #expect(try await response.text() == "six")
        #expect(try await server.nextRequest()["Host"] == "[::1]:\(server.port)")
        #expect(response.timeline.exchanges.first?.remoteAddress == "[::1]:\(server.port)")
    }

    private static func ipv6Server() throws -> LoopbackServer {
        var options = LoopbackOptions()
        options.host = "::1"
        return try LoopbackServer(options, respond: { _ in .ok("six") })
    }
}
