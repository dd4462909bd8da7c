import HTTPCore
import HTTPFormats
import HTTPTesting
import HTTPTransportCurl
import Testing
import PortableFoundation

/// The results of responses.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportResponseTests {
    /// Returns a server that sends `text` unchanged, and keeps the connection.
    private static func server(_ text: String, then: LoopbackScript = []) throws -> LoopbackServer {
        try LoopbackServer(script: { _ in [.send(text)] + then })
    }

    // MARK: Status

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200), ("HTTP/1.1 200", 200), ("HTTP/1.1 200 ", 200),
        ("HTTP/1.1 200 Ça va  bien", 200), ("HTTP/1.1 299 x", 299), ("HTTP/1.1 300 x", 300),
        ("HTTP/1.1 301 x", 301), ("HTTP/1.1 404 200 OK", 404), ("HTTP/1.1 599 x", 599),
        ("HTTP/1.1 600 x", 600), ("HTTP/1.1 999 x", 999), ("HTTP/1.0 200 OK", 200),
        ("HTTP/1.1 401 x", 401), ("HTTP/1.1 407 x", 407), ("HTTP/1.1 417 x", 417),
        ("HTTP/1.1 408 x", 408), ("HTTP/1.1 425 x", 425),
    ])
    func `a status is kept as it is`(line: String, code: Int) async throws {
        let server = try Self.server("\(line)\r\nContent-Length: 4\r\n\r\nbody")
        let response = try await CurlTransport().response(for: server.url("/"))
        #expect(response.status.code == code)
        #expect(try await response.text() == "body")
    }

    @Test(arguments: [
        "HTTP/1.1 099 x", "HTTP/1.1 1000 x", "HTTP/1.1 20 x", "HTTP/1.1 2 x", "HTTP/1.1 abc x",
        "HTTP/1.1 x", "HTTP/1.2 200 OK", "HTTP/9.9 200 OK", "HTTP/2 200 OK", "HTTP/3 200 OK",
        "HTTP/0.9 200 OK", "ICY 200 OK", "RTSP/1.0 200 OK", "http/1.1 200 OK", "hello", "<html>",
        "\u{0}\u{1}", "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 200OK", "HTTP/1.1 -200 x",
        "HTTP/1.1 0x1 x", "HTTP", "SSH-2.0-OpenSSH_9.2", "+OK", "220 mail ready",
        "HTTP/1.1 101 Switching Protocols",
    ])
    func `what does not start like HTTP is refused and the next request is fine`(
        line: String
    ) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        server.enqueue([.send("\(line)\r\nContent-Length: 4\r\n\r\nbody"), .close])
        let session = CurlTransport()
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: server.url("/"))
        }
        #expect(error?.code == .protocolViolation, "\(String(describing: error))")
        #expect(error?.mayHaveReachedServer == true)
        #expect(try await session.response(for: server.url("/")).text() == "fine")
        #expect(server.connections.accepted == 2)
    }

    /// Older versions of libcurl remember the last field of an exchange that is over (curl #11103).
    @Test func `a head that begins with a folded line touches nothing of the response before`()
        async throws
    {
        let server = try LoopbackServer { request in
            request.target == "/folded" ? .status(500) : .ok("fine")
        }
        let session = CurlTransport()
        for _ in 0..<20 {
            let good = try await session.response(for: server.url("/"))
            #expect(try await good.text() == "fine")
            server.enqueue([
                .send("HTTP/1.1 200 OK\r\n folded: line\r\nContent-Length: 2\r\n\r\nok"), .close,
            ])
            // Taken or refused, as the version of libcurl has it.
            if let folded = try? await session.response(for: server.url("/folded")) {
                #expect(folded.status == .ok)
                _ = try? await folded.text()
            }
        }
    }

    @Test func `interim responses are passed over`() async throws {
        let server = try Self.server(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                + "HTTP/1.1 199 Odd\r\n\r\nHTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 2\r\n\r\nok")
        let response = try await CurlTransport().response(for: server.url("/"))
        #expect(response.status == .ok)
        #expect(response.headers[values: "Link"] == [])
        #expect(try await response.text() == "ok")
    }

    @Test func `endless interim responses are cut`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let interims = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 30)
        server.enqueue([.send(interims + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")])
        let session = CurlTransport()
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: server.url("/"))
        }
        #expect(error?.code == .headersTooLarge)
        #expect(try await session.response(for: server.url("/")).text() == "fine")
    }

    // MARK: Without content

    @Test(arguments: [
        ("HEAD", "200 OK", "Content-Length: 1000\r\n"), ("HEAD", "200 OK", ""),
        ("HEAD", "200 OK", "Transfer-Encoding: chunked\r\n"),
        ("HEAD", "404 x", "Content-Length: 9\r\n"),
        ("HEAD", "200 OK", "Content-Length: 20\r\nContent-Encoding: gzip\r\n"),
        ("GET", "204 No Content", "Content-Length: 1000\r\n"), ("GET", "204 No Content", ""),
        ("GET", "304 Not Modified", "Content-Length: 1000\r\n"), ("GET", "304 x", ""),
        ("GET", "304 Not Modified", "Content-Length: 20\r\nContent-Encoding: gzip\r\n"),
        ("GET", "205 Reset Content", "Content-Length: 0\r\n"), ("POST", "204 x", ""),
    ])
    func `a response without content ends at its head and keeps the connection`(
        method: String, status: String, fields: String
    ) async throws {
        let server = try Self.server("HTTP/1.1 \(status)\r\n\(fields)X: 1\r\n\r\n")
        let session = CurlTransport()
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 10), .streamed] {
            var request = try HTTPRequest(HTTPMethod(method), server.url("/"))
            request.delivery = delivery
            let response = try await session.response(for: request)
            #expect(response.headers["X"] == "1")
            #expect(try await response.data() == Data())
            if fields.contains("gzip") { #expect(response.headers[.contentEncoding] == "gzip") }
        }
        #expect(server.connections.accepted == 1)
    }

    @Test func `what follows the end of a response is never the next response`() async throws {
        let server = try LoopbackServer { _ in .ok("good") }
        let session = CurlTransport()
        for (method, head) in [
            ("GET", "Content-Length: 2\r\n\r\nok"), ("HEAD", "Content-Length: 2\r\n\r\n"),
        ] {
            server.enqueue([
                .send(
                    "HTTP/1.1 200 OK\r\n\(head)HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
            ])
            let request = try HTTPRequest(HTTPMethod(method), server.url("/"))
            let first = try await session.response(for: request).text()
            #expect(first == (method == "GET" ? "ok" : ""))
            #expect(try await session.response(for: server.url("/")).text() == "good")
        }
    }

    // MARK: Framing

    @Test func `chunks are joined and trailers come at the end`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(script: { _ in
            [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"),
                .send("3;ext=\"a\"\r\nabc\r\n"), .pause(until: gate),
                .send("A\r\n0123456789\r\n00\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n"),
            ]
        })
        let session = CurlTransport()
        let response = try await session.response(for: server.url("/"))
        #expect(response.trailers == nil)
        var bytes = Data()
        for try await piece in response.body {
            bytes += piece
            if bytes == Data("abc".utf8) {
                #expect(response.trailers == nil)
                gate.open()
            }
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "abc0123456789")
        #expect(response.trailers?[values: "X-Sum"] == ["1", "2"])
        #expect(response.headers["X-Sum"] == nil)
        _ = try await session.response(for: server.url("/")).text()
        #expect(server.connections.accepted == 1)
    }

    @Test func `trailers come with a buffered body`() async throws {
        let server = try Self.server(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n")
        var request = try HTTPRequest(.get, server.url("/"))
        request.delivery = .buffered(upTo: 100)
        let response = try await CurlTransport().response(for: request)
        #expect(response.trailers?["X-Sum"] == "7")
        #expect(try await response.text() == "ok")
    }

    @Test func `a body without length ends with its connection`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(content: .generated(count: 300_000), framing: .untilClose)
        }
        let session = CurlTransport()
        for _ in 0..<2 {
            let response = try await session.response(for: server.url("/"))
            let body = try await response.data()
            #expect(body.count == 300_000)
            #expect(LoopbackPattern.firstMismatch(in: body) == nil)
        }
        #expect(server.connections.accepted == 2)
    }

    @Test(arguments: [
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "Content-Length: 5, 6\r\n\r\nhello!", "Content-Length: +5\r\n\r\nhello",
        "Content-Length: -1\r\n\r\nhello", "Content-Length: 5x\r\n\r\nhello",
        "Content-Length:\r\n\r\nhello", "Content-Length: 9223372036854775808\r\n\r\nhello",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "X : 1\r\nContent-Length: 5\r\n\r\nhello", ": 1\r\nContent-Length: 5\r\n\r\nhello",
        "nocolon\r\nContent-Length: 5\r\n\r\nhello", "X: a\rb\r\nContent-Length: 5\r\n\r\nhello",
        "X: a\u{0}b\r\nContent-Length: 5\r\n\r\nhello", " fold\r\nContent-Length: 5\r\n\r\nhello",
        "X: 1\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    ])
    func `a head that cannot be trusted is refused and the next request is fine`(
        rest: String
    ) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 100)] {
            server.enqueue([.send("HTTP/1.1 200 OK\r\n\(rest)")])
            var request = try HTTPRequest(.get, server.url("/"))
            request.delivery = delivery
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: request).data()
            }
            #expect(error?.code == .protocolViolation, "\(String(describing: error))")
            #expect(try await session.response(for: server.url("/")).text() == "fine")
        }
        // Each refused one lost its connection.
        #expect(server.connections.accepted == 3)
    }

    @Test(arguments: ["5, 5", "5\r\nContent-Length: 5", "005", "5 , 5"])
    func `the same length several times is one length`(value: String) async throws {
        let server = try Self.server("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nhello")
        let response = try await CurlTransport().response(for: server.url("/"))
        #expect(try await response.text() == "hello")
    }

    @Test(arguments: [
        "x\r\nhello", "-5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n",
        "fffffffffffffffff\r\nhello", "5\r\nhelloX\r\n0\r\n\r\n", "\r\nhello",
    ])
    func `a chunk size that is none is refused and the next request is fine`(
        content: String
    ) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        for delivery in [HTTPDelivery.streamed, .buffered(upTo: 100)] {
            server.enqueue([
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(content)")
            ])
            var request = try HTTPRequest(.get, server.url("/"))
            request.delivery = delivery
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: request).data()
            }
            #expect(error?.code == .protocolViolation, "\(String(describing: error))")
            #expect(error?.response?.status == .ok)
            #expect(try await session.response(for: server.url("/")).text() == "fine")
        }
        #expect(server.connections.accepted == 3)
    }

    @Test func `three hundred KiB of head are refused and the next request is fine`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        for filler in ["x", "xyz: "] {
            let line = "X: " + String(repeating: filler, count: 900 / filler.count) + "\r\n"
            let head = String(repeating: line, count: 340)
            server.enqueue([.send("HTTP/1.1 200 OK\r\n\(head)Content-Length: 0\r\n\r\n")])
            let error = await #expect(throws: HTTPError.self) {
                try await session.response(for: server.url("/"))
            }
            #expect(error?.code == .headersTooLarge)
            #expect(try await session.response(for: server.url("/")).text() == "fine")
        }
        server.enqueue([.send("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 300 << 10))])
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: server.url("/"))
        }
        #expect(error?.code == .headersTooLarge)
        #expect(try await session.response(for: server.url("/")).text() == "fine")
    }

    @Test func `two hundred KiB of head are taken`() async throws {
        var response = LoopbackResponse.ok("fine")
        response.fields = (0..<200).map { ("X-\($0)", String(repeating: "x", count: 1000)) }
        let server = try LoopbackServer { [response] _ in response }
        let answer = try await CurlTransport().response(for: server.url("/"))
        #expect(answer.headers.filter { $0.value.utf8.count == 1000 }.count == 200)
        #expect(try await answer.text() == "fine")
    }

    // MARK: Broken off

    @Test(arguments: [
        "", "H", "HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: 1\r\n",
    ])
    func `a connection that ends before the head is complete is lost`(sent: String) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        for ending in [LoopbackScript.Step.close, .reset] {
            for delivery in [HTTPDelivery.streamed, .buffered(upTo: 100)] {
                server.enqueue([.send(sent), ending])
                // On a kept connection, libcurl would send the request anew.
                let session = CurlTransport()
                var request = try HTTPRequest(.get, server.url("/"))
                request.delivery = delivery
                let error = await #expect(throws: HTTPError.self) {
                    try await session.response(for: request)
                }
                #expect(error?.code == .connectionLost)
                #expect(error?.isRetryable == true)
                #expect(error?.mayHaveReachedServer == true)
                #expect(error?.response == nil)
                #expect(try await session.response(for: server.url("/")).text() == "fine")
            }
        }
    }

    @Test(arguments: [
        "Content-Length: 10\r\n\r\n", "Content-Length: 10\r\n\r\nhalf",
        "Transfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: 1\r\n",
    ])
    func `a body that is cut short is incomplete and the next request is fine`(
        rest: String
    ) async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        for (isReset, ending) in [(false, LoopbackScript.Step.close), (true, .reset)] {
            for delivery in [HTTPDelivery.streamed, .buffered(upTo: 100)] {
                server.enqueue([.send("HTTP/1.1 200 OK\r\nX: 1\r\n\(rest)"), ending])
                var request = try HTTPRequest(.get, server.url("/"))
                request.delivery = delivery
                let error = await #expect(throws: HTTPError.self) {
                    try await session.response(for: request).data()
                }
                // A reset may also overtake the head.
                let isEarly = isReset && error?.code == .connectionLost
                #expect(error?.code == .bodyIncomplete || isEarly, "\(delivery)")
                if !isEarly { #expect(error?.response?.headers["X"] == "1") }
                #expect(error?.isRetryable == true)
                #expect(try await session.response(for: server.url("/")).text() == "fine")
            }
        }
    }
}
