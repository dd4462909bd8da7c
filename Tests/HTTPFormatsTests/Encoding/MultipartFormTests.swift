import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct MultipartFormTests {
    private let request: HTTPRequest

    init() throws { request = try HTTPRequest(.post, "https://h/") }

    private func text(_ body: HTTPBody) async throws -> String {
        String(decoding: try await body.collect(), as: UTF8.self)
    }

    private func part(_ fields: String, _ text: String) -> String {
        "--B\r\nContent-Disposition: form-data; \(fields)\r\n\r\n\(text)\r\n"
    }

    // MARK: The wire format

    @Test(.rows("S1-22", "S1-23"))
    func `every kind of part is written to the byte, with the exact length`() async throws {
        let file = try TemporaryFile("from a file", named: ".TXT")
        var form = try MultipartForm(boundary: "B")
        form.add("a\nb", name: "text")
        try form.add(Data("a\nb".utf8), name: "data")
        try form.add(
            Data("{}".utf8), name: "json", filename: "x.json", contentType: "application/json")
        try form.add(file: file.path, name: "file")
        try form.add(file: file.path, name: "named", filename: "n.unknown")
        try form.add(
            HTTPBody(length: 3) { ScriptedBodySource(["a", "bc"]) }, name: "body",
            headers: ["Content-Type": "a/b", "X-Y": "z"])
        let filename = try #require(file.path.split(separator: "/").last)
        let expected =
            part("name=\"text\"", "a\r\nb") + part("name=\"data\"", "a\nb")
            + part("name=\"json\"; filename=\"x.json\"\r\nContent-Type: application/json", "{}")
            + part(
                "name=\"file\"; filename=\"\(filename)\"\r\nContent-Type: text/plain", "from a file"
            )
            + part(
                "name=\"named\"; filename=\"n.unknown\"\r\nContent-Type: application/octet-stream",
                "from a file")
            + part("name=\"body\"\r\nContent-Type: a/b\r\nX-Y: z", "abc") + "--B--\r\n"
        let body = form.body
        #expect(body.length == Int64(expected.utf8.count) && form.length == body.length)
        #expect(body.replay == .always)
        for _ in 0..<2 { #expect(try await text(body) == expected) }
    }

    @Test(
        .rows("S1-23"),
        arguments: [
            ("a\"b", "a%22b", "a%22b"), ("a\r\nX: y", "a%0D%0AX: y", "a%0D%0AX: y"),
            ("a\nb", "a%0D%0Ab", "a%0Ab"), ("a\rb", "a%0D%0Ab", "a%0Db"),
            ("é%22\\", "é%22\\", "é%22\\"),
        ])
    func `no name can break out of its line`(name: String, asName: String, asFilename: String)
        async throws
    {
        var form = try MultipartForm(boundary: "B")
        try form.add(Data(), name: name, filename: name)
        let expected =
            part(
                "name=\"\(asName)\"; filename=\"\(asFilename)\"\r\n"
                    + "Content-Type: application/octet-stream",
                "") + "--B--\r\n"
        #expect(try await text(form.body) == expected)
    }

    /// Browsers escape line ends and quotation marks in names, and nothing else (HTML Standard
    /// §4.10.21.8): more would be another name to the reader of the form. Our reader refuses such a
    /// part: its fields are `HTTPHeaders`, which hold no control characters.
    @Test(.rows("S1-23"))
    func `a control character that ends no line stands in a name as it is`() async throws {
        let controls = (UInt8(0)...0x1F).filter { $0 != 0x0A && $0 != 0x0D } + [0x7F]
        for control in controls {
            let name = "a\(Character(UnicodeScalar(control)))b"
            var form = try MultipartForm(boundary: "B")
            try form.add(Data(), name: name, filename: name)
            #expect(
                try await text(form.body).contains("name=\"\(name)\"; filename=\"\(name)\"\r\n"))
            var names: [String?] = []
            do {
                for try await part in form.body.parts(boundary: "B") {
                    names += [part.name, part.filename]
                }
                #expect(control == 0x09 && names == [name, name])
            } catch let error as HTTPError {
                #expect(control != 0x09 && error.code == .decodingFailed && names.isEmpty)
            }
        }
    }

    @Test(.rows("S1-23"))
    func `an empty form is its closing delimiter, and parses as no parts`() async throws {
        let body = try MultipartForm(boundary: "B").body
        #expect(try await text(body) == "--B--\r\n")
        for try await _ in body.parts(boundary: "B") { Issue.record("a part of an empty form") }
    }

    @Test(.rows("S1-23"))
    func `what is written is what is read`() async throws {
        var form = MultipartForm()
        form.add("v", name: "n\"\r\nx")
        try form.add(Data(repeating: 0x0D, count: 70_000), name: "big", filename: "f")
        var parts: [String] = []
        for try await part in form.body.parts(boundary: form.boundary) {
            let count = try await part.body.collect().count
            parts.append("\(part.name ?? "-") \(part.filename ?? "-") \(count)")
        }
        #expect(parts == ["n\"\r\nx - 1", "big f 70000"])
    }

    @Test(.rows("S1-23"))
    func `random boundaries are tokens and differ`() {
        let boundaries = (0..<100).map { _ in MultipartForm().boundary }
        #expect(Set(boundaries).count == 100)
        #expect(boundaries.allSatisfy { $0.isToken && (15...70).contains($0.utf8.count) })
    }

    @Test(arguments: ["", "a ", "a\"b", "a\\b", "a\r\nb", "é", String(repeating: "a", count: 71)])
    func `what is no boundary is refused`(boundary: String) {
        let error = #expect(throws: HTTPError.self) { try MultipartForm(boundary: boundary) }
        #expect(error?.code == .invalidRequest)
    }

    // MARK: Parts

    @Test(.rows("S1-22"))
    func `bad parts are refused when they are added`() throws {
        var form = MultipartForm()
        let calls: [(inout MultipartForm) throws -> Void] = [
            { try $0.add(file: "/nowhere/at/all", name: "n") },
            { try $0.add(file: "/", name: "n") },
            { try $0.add(Data(), name: "n", contentType: "a/b\r\nX: y") },
            { try $0.add(.empty, name: "n", headers: ["Content-Disposition": "x"]) },
            { try $0.add(.empty, name: "n", headers: ["X\r\n": "x"]) },
        ]
        for call in calls {
            let error = #expect(throws: HTTPError.self) { try call(&form) }
            #expect(error?.code == .invalidRequest)
        }
        #expect(form.length == Int64("--\(form.boundary)--\r\n".utf8.count))
    }

    // MARK: Streams

    @Test(.rows("S1-22"))
    func `a stream makes the form one-shot, an unknown length its length unknown`()
        async throws
    {
        var form = try MultipartForm(boundary: "B")
        try form.add(HTTPBody(source: ScriptedBodySource(["a", "b"]), length: 2), name: "n")
        let expected = part("name=\"n\"", "ab") + "--B--\r\n"
        let body = form.body
        #expect(body.replay == .once && body.length == Int64(expected.utf8.count))
        #expect(try await text(body) == expected && !body.canBeSent)

        var unknown = try MultipartForm(boundary: "B")
        try unknown.add(HTTPBody(length: nil) { ScriptedBodySource(["ab"]) }, name: "n")
        #expect(unknown.length == nil && unknown.body.replay == .always)
        for _ in 0..<2 { #expect(try await text(unknown.body) == expected) }
    }

    @Test(arguments: [["a"], ["ab", "c"], []] as [[String]])
    func `a part of another length than it said fails the send`(pieces: [String]) async throws {
        var form = MultipartForm()
        let source = ScriptedBodySource(pieces.map { .piece(Data($0.utf8)) })
        try form.add(HTTPBody(source: source, length: 2), name: "n")
        try form.add(HTTPBody(source: ScriptedBodySource(["abc"]), length: 3), name: "m")
        let error = await #expect(throws: HTTPError.self) { try await form.body.collect() }
        #expect(error?.code == .requestBodyFailed && error?.message.contains("2 bytes") == true)
    }

    @Test func `a part that is longer than it said is read no further than the surplus`()
        async throws
    {
        // A file that another program keeps writing, or an endless stream, must not be read
        // further.
        let source = ScriptedBodySource(["ab", "c", "d", .fail])
        var form = MultipartForm()
        try form.add(HTTPBody(source: source, length: 2), name: "n")
        var sent = Data()
        let error = await #expect(throws: HTTPError.self) {
            for try await piece in form.body { sent.append(piece) }
        }
        #expect(error?.code == .requestBodyFailed && source.reads == 2)
        #expect(String(decoding: sent, as: UTF8.self).hasSuffix("\r\n\r\nab"))
    }

    @Test(.rows("S1-40"))
    func `a file is opened when its turn comes, and streamed`() async throws {
        let file = try TemporaryFile(String(repeating: "x", count: 1_000_000))
        var form = MultipartForm()
        try form.add(file: file.path, name: "f")
        var largest = 0
        var count = 0
        for try await piece in form.body {
            largest = max(largest, piece.count)
            count += piece.count
        }
        #expect(Int64(count) == form.length && largest <= 256 << 10)
        try FileManager.default.removeItem(atPath: file.path)
        var iterator = form.body.makeAsyncIterator()
        let framing = try await iterator.next()
        #expect(framing?.starts(with: Data("--".utf8)) == true)
        let error = await #expect(throws: HTTPError.self) { try await iterator.next() }
        #expect(error?.code == .requestBodyFailed)
    }

    // MARK: Requests

    @Test(
        .rows("S1-23"),
        arguments: [
            (nil, "multipart/form-data; boundary=B", "B"),
            ("multipart/form-data", "multipart/form-data; boundary=B", "B"),
            ("multipart/form-data;", "multipart/form-data; boundary=B", "B"),
            ("multipart/related; x=y", "multipart/related; x=y; boundary=B", "B"),
            (
                "multipart/form-data; boundary=\"C D\"", "multipart/form-data; boundary=\"C D\"",
                "C D"
            ),
            ("multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=B", "B"),
            ("text/plain", "text/plain", "B"),
        ] as [(String?, String, String)])
    func `the content type gets the boundary that the body has`(
        old: String?, new: String, boundary: String
    ) async throws {
        var original = request
        original.headers[.contentType] = old
        let changed = try original.multipart(boundary: "B") { $0.add("v", name: "n") }
        #expect(changed.headers[values: .contentType] == [new])
        #expect(try await text(changed.body).hasPrefix("--\(boundary)\r\n"))
        #expect(original.headers[.contentType] == old && original.body.isEmpty)
    }

    @Test(.rows("S1-23"))
    func `a boundary that is no token is quoted`() throws {
        let form = try MultipartForm(boundary: "a b")
        #expect(
            request.multipart(form).headers[.contentType] == "multipart/form-data; boundary=\"a b\""
        )
    }
}
