import Testing

@testable import HTTPTesting

@Suite struct LoopbackRequestParserTests {
    private func parser(contentLimit: Int = 1 << 20, loggedContentLimit: Int = 1 << 20)
        -> LoopbackRequestParser
    {
        LoopbackRequestParser(contentLimit: contentLimit, loggedContentLimit: loggedContentLimit)
    }

    /// Feeds `text` in pieces of `size` bytes, and returns what the parser did not take.
    private func feed(_ text: String, to parser: inout LoopbackRequestParser, size: Int = .max)
        -> String
    {
        var rest: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            rest += parser.receive(bytes.prefix(size))
            bytes = bytes.dropFirst(size)
        }
        return String(decoding: rest, as: UTF8.self)
    }

    @Test func `a head keeps order, spelling and bytes`() throws {
        let text = "GET /a?b=1 HTTP/1.1\r\nhOST:  x \t\r\nX-a: 1\r\nX-A:\r\n\r\n"
        var parser = parser()
        #expect(feed(text, to: &parser) == "")
        let request = try #require(parser.request)
        #expect(request.method == "GET")
        #expect(request.target == "/a?b=1")
        #expect(request.version == "HTTP/1.1")
        #expect(request.fields.map(\.name) == ["hOST", "X-a", "X-A"])
        #expect(request.fields.map(\.value) == ["x", "1", ""])
        #expect(request["x-a"] == "1")
        #expect(request.path == "/a")
        #expect(request.query("b") == "1")
        #expect(request.head == Array(text.utf8))
        #expect(request.isComplete && request.content == [])
    }

    static let complete = [
        (raw: "GET / HTTP/1.1\r\n\r\n", content: ""),
        (raw: "\r\nGET / HTTP/1.1\r\n\r\n", content: ""),
        (raw: "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", content: "hello"),
        (
            raw: "POST / HTTP/1.1\r\nContent-Length: 5\r\ncontent-length: 5\r\n\r\nhello",
            content: "hello"
        ),
        (
            raw: """
            POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0A;x=y\r\n\
            0123456789\r\n0\r\n\r\n
            """,
            content: "abc0123456789"
        ),
        (
            raw: """
            POST / HTTP/1.1\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n1\r\na\r\n00\r\nT: v\
            \r\n\r\n
            """,
            content: "a"
        ),
    ]

    @Test(arguments: complete, [1, 2, 3, 7, 1000])
    func `a request ends where its framing says, in pieces of any size`(
        _ example: (raw: String, content: String), size: Int
    ) throws {
        var parser = parser()
        #expect(feed(example.raw + "GET /next", to: &parser, size: size) == "GET /next")
        #expect(parser.isComplete)
        #expect(parser.request?.text == example.content)
        #expect(parser.contentCount == example.content.utf8.count)
        #expect(parser.bytes == Array(example.raw.utf8))
        #expect(parser.byteCount == example.raw.utf8.count)
    }

    @Test func `trailers are fields of their own`() throws {
        var parser = parser()
        _ = feed(
            "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: 1\r\nB: 2\r\n\r\n",
            to: &parser)
        let request = try #require(parser.request)
        #expect(request.trailers.map(\.name) == ["A", "B"])
        #expect(request.trailers.map(\.value) == ["1", "2"])
        #expect(request.fields.count == 1)
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", LoopbackRequestParser.Failure.requestLine),
        ("GET  / HTTP/1.1\r\n\r\n", .requestLine),
        ("G T / HTTP/1.1\r\n\r\n", .requestLine),
        ("GET / FTP/1.1\r\n\r\n", .requestLine),
        ("GET / HTTP/1.1\nA: b\r\n\r\n", .requestLine),
        ("GET / HTTP/1.1\r\nA b\r\n\r\n", .field),
        ("GET / HTTP/1.1\r\nA : b\r\n\r\n", .field),
        ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", .field),
        ("GET / HTTP/1.1\r\n: b\r\n\r\n", .field),
        ("GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", .length),
        ("GET / HTTP/1.1\r\nContent-Length:\r\n\r\n", .length),
        ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", .length),
        ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .length),
        (
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            .transferCoding
        ),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", .transferCoding),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", .chunk),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", .chunk),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", .chunk),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\n", .chunk),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .chunk),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT\r\n", .field),
    ])
    func `a malformed request is a failure, and its bytes are kept`(
        raw: String, failure: LoopbackRequestParser.Failure
    ) {
        var parser = parser()
        #expect(feed(raw, to: &parser, size: 4) == "")
        #expect(parser.failure == failure)
        #expect(!parser.isComplete)
        #expect(parser.bytes == Array(raw.utf8))
    }

    @Test func `a head without an end fails at the limit`() {
        var parser = parser()
        let line = [UInt8](repeating: 65, count: LoopbackRequestParser.headLimit)
        _ = parser.receive(line[...])
        #expect(parser.failure == nil)
        _ = parser.receive([65])
        #expect(parser.failure == .headTooLong)
    }

    @Test func `content beyond the limits is counted, not kept`() throws {
        let head = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        var parser = parser(contentLimit: 4, loggedContentLimit: 6)
        _ = feed(head + "4\r\nabcd\r\n", to: &parser)
        #expect(!parser.exceeds(4))
        _ = feed("1\r\ne\r\n0\r\n\r\n", to: &parser)
        #expect(parser.exceeds(4))
        let request = try #require(parser.request)
        #expect(request.isComplete)
        #expect(request.content == nil)
        #expect(request.contentCount == 5)
        #expect(parser.bytes == Array((head + "4\r\nabc").utf8))
        #expect(parser.byteCount == head.utf8.count + 9 + 6 + 5)
    }

    @Test func `a declared length is known to be too long before the content comes`() {
        var parser = parser(contentLimit: 4)
        _ = feed("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\n", to: &parser)
        #expect(parser.exceeds(4))
        #expect(!parser.exceeds(5))
        #expect(!parser.isComplete)
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "x, Close", false),
        ("HTTP/1.0", "", false), ("HTTP/1.0", "Keep-Alive", true),
    ])
    func `the version and the Connection field say if the connection is kept`(
        version: String, connection: String, isKept: Bool
    ) {
        var parser = parser()
        _ = feed("GET / \(version)\r\nConnection: \(connection)\r\n\r\n", to: &parser)
        #expect(parser.request?.keepsConnection == isKept)
    }
}
