import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPContentTests {
    private let request: HTTPRequest

    init() throws { request = try HTTPRequest(.post, "https://h/") }

    private struct Invoice: HTTPContent {
        var isBroken = false
        struct Broken: Error {}

        var fields: HTTPHeaders {
            [
                "Content-Type": "application/xml", "Content-Language": "de", "X-Part": "1",
                "X-Part": "2",
            ]
        }
        var body: HTTPBody {
            get throws { if isBroken { throw Broken() } else { HTTPBody("<invoice/>") } }
        }
    }

    private func text(_ request: HTTPRequest) async throws -> String {
        String(decoding: try await request.body.collect(), as: UTF8.self)
    }

    // MARK: Content of one's own

    @Test(.rows("B-3"))
    func `a type of one's own brings its bytes and fields`() async throws {
        let sent = try request.body(Invoice())
        #expect(try await text(sent) == "<invoice/>")
        #expect(sent.headers[.contentType] == "application/xml")
        #expect(sent.headers[.contentLanguage] == "de")
        #expect(sent.headers[values: "X-Part"] == ["1", "2"])
        #expect(request.headers.isEmpty && request.body.isEmpty)
    }

    @Test(.rows("S0-3", "B-3"))
    func `what the caller set stays, field by field`() throws {
        let sent = try request.header(.contentType, "text/xml").body(Invoice())
        #expect(sent.headers[values: .contentType] == ["text/xml"])
        #expect(sent.headers[.contentLanguage] == "de")
        let later = try request.body(Invoice()).header(.contentType, "text/xml")
        #expect(later.headers[values: .contentType] == ["text/xml"])
    }

    @Test(.rows("B-3"))
    func `what the content throws is thrown where the body is set`() {
        #expect(throws: Invoice.Broken.self) { try request.body(Invoice(isBroken: true)) }
    }

    @Test(.rows("B-3"))
    func `a field that the content may not send is refused when sent`() throws {
        struct Injection: HTTPContent {
            var fields: HTTPHeaders { ["Content-Type": "a/b\r\nX: y"] }
            var body: HTTPBody { HTTPBody("x") }
        }
        let sent = try request.body(Injection())
        #expect(sent.headers.refusedName == .contentType)
        #expect(throws: HTTPError.self) { try sent.checkedTarget() }
    }

    // MARK: Every kind of body

    @Test(.rows("S1-20", "B-3"))
    func `each body has its type, and only where the caller set none`() throws {
        let path = try TemporaryFile("abcdef")
        let made: [(HTTPRequest, String?)] = [
            (request.text("a"), "text/plain; charset=utf-8"),
            (request.text("a", contentType: .html), "text/html"),
            (request.data(Data([1])), nil),
            (request.data(Data([1]), contentType: .octetStream), "application/octet-stream"),
            (try request.file(path.path), nil),
            (try request.file(path.path, contentType: .plainText), "text/plain"),
            (try request.json(["a": 1]), "application/json"),
            (
                request.formURLEncoded(["a": 1]),
                "application/x-www-form-urlencoded"
            ),
            (request.stream(once: AsyncStream<Data> { $0.finish() }), nil),
            (
                request.stream(contentType: .json) { AsyncStream<Data> { $0.finish() } },
                "application/json"
            ),
        ]
        for (sent, type) in made { #expect(sent.headers[.contentType] == type) }
        let typed = request.header(.contentType, "a/b")
        #expect(typed.text("a").headers[values: .contentType] == ["a/b"])
        #expect(try typed.json(1).headers[values: .contentType] == ["a/b"])
        #expect(typed.formURLEncoded(["a": 1]).headers[values: .contentType] == ["a/b"])
    }

    @Test func `a body's fields leave with it`() throws {
        let sent = try request.body(Invoice()).text("a")
        #expect(sent.headers == [.contentType: "text/plain; charset=utf-8"])
        #expect(try request.json(1).data(Data()).headers.isEmpty)
        #expect(
            try request.json(1).multipart(MultipartForm()).headers[.contentType]?
                .hasPrefix("multipart/form-data; boundary=") == true)
        #expect(
            try request.multipart(MultipartForm()).json(1).headers[values: .contentType]
                == ["application/json"])
    }

    @Test func `a field that the caller has set since does not leave`() throws {
        let changed = try request.json(1).header(.contentType, "a/b").text("x")
        #expect(changed.headers[values: .contentType] == ["a/b"])
        // The same value, said by the caller.
        let said = try request.json(1).header(.contentType, "application/json").text("x")
        #expect(said.headers[values: .contentType] == ["application/json"])
        let added = try request.json(1).headers { try $0.append(.contentType, "a/b") }.text("x")
        #expect(added.headers[values: .contentType] == ["application/json", "a/b"])
        let removed = try request.json(1).header(.contentType, nil)
        #expect(removed.headers.isEmpty)
    }

    @Test func `a body set as a property leaves the headers alone`() throws {
        var sent = try request.json(1)
        sent.body = HTTPBody("packed")
        #expect(sent.headers[.contentType] == "application/json")
        #expect(sent.text("x").headers[.contentType] == "text/plain; charset=utf-8")
    }

    @Test(.rows("S1-24"))
    func `files and restartable streams are sent as often as asked, a stream once`()
        async throws
    {
        let file = try TemporaryFile("abcdef")
        let part = try request.file(file.path, range: 1..<4)
        #expect(part.body.length == 3)
        for _ in 0..<2 { #expect(try await text(part) == "bcd") }

        let restartable = request.stream(length: 2) {
            AsyncStream<Data> {
                $0.yield(Data("ab".utf8))
                $0.finish()
            }
        }
        for _ in 0..<2 { #expect(try await text(restartable) == "ab") }
        #expect(restartable.body.canBeSent)

        let once = request.stream(once: AsyncStream<Data> { $0.finish() })
        #expect(once.body.replay == .once)
    }

    @Test(.rows("S1-24"))
    func `a file that cannot be a body is refused where it is set`() throws {
        let file = try TemporaryFile("abc")
        for (path, range) in [
            ("/no/such/file", nil), ("/", nil), (file.path, 0..<4), ("a\0b", nil),
        ] as [(String, Range<Int64>?)] {
            let error = #expect(throws: HTTPError.self) { try request.file(path, range: range) }
            #expect(error?.code == .invalidRequest)
        }
    }
}
