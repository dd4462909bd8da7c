import Testing

@testable import HTTPTesting

@Suite(.timeLimit(.minutes(5))) struct LoopbackRoutesTests {
    /// Returns the whole response to a request for `target` on a connection of its own.
    private func answer(
        _ target: String, method: String = "GET", content: String? = nil, fields: String = ""
    ) throws -> (head: String, content: String) {
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        let client = try RawClient(port: server.port)
        let length =
            content.map { "Content-Length: \($0.utf8.count)\r\nContent-Type: a/b\r\n" } ?? ""
        try client.send(
            "\(method) \(target) HTTP/1.1\r\nConnection: close\r\n\(fields)\(length)\r\n"
                + (content ?? ""))
        let bytes = try client.receiveAll()
        let text = String(decoding: bytes, as: UTF8.self)
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
    }

    @Test(arguments: [
        ("/status/204", "HTTP/1.1 204 No Content", ""),
        ("/status/418", "HTTP/1.1 418 ", ""),
        ("/status/99", "HTTP/1.1 400 Bad Request", ""),
        ("/bytes/x", "HTTP/1.1 400 Bad Request", ""),
        ("/bytes/-1", "HTTP/1.1 400 Bad Request", ""),
        ("/nowhere", "HTTP/1.1 404 Not Found", ""),
        ("/delay/1", "HTTP/1.1 200 OK", ""),
        ("/cut?length=9&sent=3", "HTTP/1.1 200 OK", "\u{0}\u{1F}>"),
        (
            "/drip?pieces=2&every=1&size=2", "HTTP/1.1 200 OK",
            "2\r\n\u{0}\u{1F}\r\n2\r\n>]\r\n0\r\n\r\n"
        ),
        ("/bytes/3", "HTTP/1.1 200 OK", "\u{0}\u{1F}>"),
        ("/bytes/3?chunked=1", "HTTP/1.1 200 OK", "3\r\n\u{0}\u{1F}>\r\n0\r\n\r\n"),
    ])
    func `a route answers as documented`(target: String, line: String, content: String) throws {
        let answer = try answer(target)
        #expect(answer.head.prefix { $0 != "\r\n" } == line)
        #expect(answer.content == content)
    }

    @Test(arguments: [
        ("", "200 OK", "\u{0}\u{1F}>"),
        ("Range: bytes=1-\r\n", "206 Partial Content", "\u{1F}>"),
        ("Range: bytes=0-0\r\nIf-Range: \"3\"\r\n", "206 Partial Content", "\u{0}"),
        ("Range: bytes=1-\r\nIf-Range: \"4\"\r\n", "200 OK", "\u{0}\u{1F}>"),
        ("Range: bytes=3-\r\n", "416 Range Not Satisfiable", ""),
    ])
    func `a file has ranges`(fields: String, line: String, content: String) throws {
        let answer = try answer("/file/3", fields: fields)
        #expect(answer.head.prefix { $0 != "\r\n" } == "HTTP/1.1 \(line)")
        #expect(answer.head.contains("\r\nETag: \"3\""))
        #expect(answer.content == content)
    }

    @Test func `echo answers the content and its type, count its length`() throws {
        let echo = try answer("/echo", method: "POST", content: "héllo")
        #expect(echo.content == "héllo")
        #expect(echo.head.contains("\r\nContent-Type: a/b\r\n"))
        #expect(try answer("/count", method: "PUT", content: "héllo").content == "6")
    }

    @Test func `get describes the request in JSON`() throws {
        #expect(
            try answer("/get?\"q\"").content
                == #"{"method": "GET", "target": "/get?\"q\"", "#
                + #""fields": [["Connection", "close"]], "contentCount": 0}"#)
    }

    @Test(arguments: [("/redirect/2", "/redirect/1"), ("/redirect/1", "/get")])
    func `redirections count down to get`(target: String, location: String) throws {
        let head = try answer(target).head
        #expect(head.hasPrefix("HTTP/1.1 302 Found\r\nLocation: \(location)\r\n"))
    }

    @Test(arguments: [12, 999, 1000, 1999, 2001, 100_000])
    func `filler fields have the size that was asked for`(size: Int) throws {
        let small = try answer("/headers?size=0").head.utf8.count
        #expect(try answer("/headers?size=\(size)").head.utf8.count - small == size)
    }

    @Test func `the answer to HEAD has the fields and no content`() throws {
        let answer = try answer("/bytes/1000", method: "HEAD")
        #expect(answer.head.contains("\r\nContent-Length: 1000"))
        #expect(answer.content == "")
    }
}
