import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct MultipartReaderTests {
    struct Part: Equatable, Sendable {
        var fields: [String] = []
        var text: String
    }

    enum Outcome: Equatable, Sendable {
        case parts([Part])
        case failure(HTTPError.Code)
    }

    /// Parses the pieces of a body, wherever its bytes are cut.
    static func parse(_ pieces: [Data], boundary: String = "B", headLimit: Int = 100) -> Outcome {
        var parser = MultipartParser(boundary: boundary, headLimit: headLimit)
        var parts: [Part] = []
        var isInPart = false
        do throws(HTTPError) {
            for piece in pieces {
                parser.append(piece)
                while let event = try parser.next() {
                    switch event {
                    case .head(let headers):
                        #expect(!isInPart)
                        isInPart = true
                        parts.append(
                            Part(fields: headers.map { "\($0.name): \($0.value)" }, text: ""))
                    case .bytes(let bytes):
                        #expect(isInPart && !bytes.isEmpty)
                        parts[parts.count - 1].text += String(decoding: bytes, as: UTF8.self)
                    case .end:
                        #expect(isInPart)
                        isInPart = false
                    }
                }
            }
            try parser.finish()
        } catch {
            return .failure(error.code)
        }
        #expect(!isInPart)
        return .parts(parts)
    }

    @Test(
        arguments: [
            ("--B\r\n\r\na\r\n--B--", .parts([Part(text: "a")])),
            ("--B\r\n\r\n\r\n--B--", .parts([Part(text: "")])),
            // The blank line's CRLF is also the delimiter's.
            ("--B\r\n\r\n--B--", .parts([Part(text: "")])),
            (
                "--B\r\nA: b\r\n\r\n--B\r\n\r\n--B--",
                .parts([Part(fields: ["A: b"], text: ""), Part(text: "")])
            ),
            (
                "x\r\n--B \t \r\nA: b\r\n\r\n\r\n\r\n--B--epilogue\r\n--B\r\n",
                .parts([Part(fields: ["A: b"], text: "\r\n")])
            ),
            (
                "x--B\r\n--B\r\n\r\na--B\r\n--Ba\r\n\n--B\n\r\n--B--",
                .parts([Part(text: "a--B\r\n--Ba\r\n\n--B\n")])
            ),
            (
                "--B\r\n\r\n\r\n--B-\r\n--B x\r\n--B \r\r\n--B--",
                .parts([Part(text: "\r\n--B-\r\n--B x\r\n--B \r")])
            ),
            (
                "--B\r\nA: b\r\n c\r\nA:\td\r\n\r\n\r\r\r\n--B--",
                .parts([Part(fields: ["A: b c", "A: d"], text: "\r\r")])
            ),
            ("--B--\r\n", .parts([])),
            ("", .failure(.bodyIncomplete)), ("--B", .failure(.bodyIncomplete)),
            ("--B-", .failure(.bodyIncomplete)),
            ("--B\r\n", .failure(.bodyIncomplete)),
            ("--B\r\n\r\na\r\n--B\r\n", .failure(.bodyIncomplete)),
            ("--B\r\n\r\na\r\n--B", .failure(.bodyIncomplete)),
            ("--B\n\na\n--B--", .failure(.bodyIncomplete)),
            ("--B\r\nno colon\r\n\r\na\r\n--B--", .failure(.decodingFailed)),
            ("--B\r\n folded\r\n\r\na\r\n--B--", .failure(.decodingFailed)),
            ("--B\r\nA: b\n\r\na\r\n--B--", .failure(.decodingFailed)),
            ("--B\r\nA: \0\r\n\r\na\r\n--B--", .failure(.decodingFailed)),
            ("--B\r\n--B--", .failure(.bodyIncomplete)),
            ("--B\r\n--B--\r\n", .failure(.decodingFailed)),
        ] as [(String, Outcome)])
    func `parts lie between delimiters, however the body is cut`(text: String, outcome: Outcome) {
        for pieces in Cuts.all(Data(text.utf8)) {
            #expect(
                Self.parse(pieces) == outcome,
                "\(pieces.map { String(decoding: $0, as: UTF8.self) })")
        }
    }

    @Test func `the head of a part and the padding of a delimiter have a limit`() {
        // 98 bytes, and 2 for the blank line.
        let field = "A: " + String(repeating: "b", count: 93) + "\r\n"
        for pieces in Cuts.all(Data("--B\r\n\(field)\r\na\r\n--B--".utf8)) {
            #expect(Self.parse(pieces, headLimit: 99) == .failure(.bodyTooLarge))
            #expect(Self.parse(pieces, headLimit: 100) != .failure(.bodyTooLarge))
        }
        let endless = Data("--B\r\nA: ".utf8) + Data(repeating: 0x61, count: 200)
        #expect(Self.parse([endless]) == .failure(.bodyTooLarge))
        let blanks = Data("--B".utf8) + Data(repeating: 0x20, count: 1025)
        #expect(Self.parse(Cuts.pieces(of: blanks, lengths: [7])) == .failure(.bodyTooLarge))
    }

    @Test func `bytes that only begin like a delimiter are passed on, and never held back`()
        throws
    {
        var parser = MultipartParser(boundary: "boundary")
        parser.append(Data("--boundary\r\n\r\n".utf8))
        #expect(try parser.next() == .head([:]))
        let lure = Data(String(repeating: "\r\n--boundar", count: 20_000).utf8)
        var count = 0
        for piece in Cuts.pieces(of: lure, lengths: [1000]) {
            parser.append(piece)
            while case .bytes(let bytes) = try? parser.next() { count += bytes.count }
        }
        #expect(count > lure.count - 20)
    }

    // MARK: Over a body

    private let text =
        "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n"
        + "--B\r\nContent-Disposition: form-data; name=\"f%22\"; filename=\"C:\\x;y%0D%0A.txt\"\r\n"
        + "Content-Type: text/plain\r\n\r\ntwo\r\nlines\r\n--B--\r\n"

    private func response(_ body: HTTPBody, type: String) throws -> HTTPResponse {
        HTTPResponse(
            .ok, headers: HTTPHeaders { $0[.contentType] = type }, body: body,
            to: try HTTPRequest(.get, "https://h/"))
    }

    @Test(
        arguments: [
            "multipart/form-data; boundary=B", "multipart/mixed;boundary=\"B\"; x=y",
            "Multipart/Mixed; charset=\"a;boundary=C\"; BOUNDARY = B",
        ])
    func `a response gives its parts with names and bodies`(type: String) async throws {
        for pieces in Cuts.all(Data(text.utf8)) {
            let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
            let ends = BodyEnds(body)
            var read: [String] = []
            for try await part in try response(body, type: type).parts {
                let text = String(decoding: try await part.body.collect(), as: UTF8.self)
                read.append("\(part.name ?? "-") \(part.filename ?? "-") \(text)")
            }
            #expect(read == ["a - one", "f\" C:\\x;y\r\n.txt two\r\nlines"])
            #expect(ends.list == ["complete"])
        }
    }

    @Test(arguments: [
        "text/plain; boundary=B", "multipart/mixed", "multipart/mixed; boundary=\"\"", "",
    ])
    func `without a boundary there are no parts, and the body is left unread`(type: String) throws {
        let body = HTTPBody(source: ScriptedBodySource(["x"]))
        let response = try response(body, type: type)
        let error = #expect(throws: HTTPError.self) { try response.parts }
        #expect(error?.code == .decodingFailed && body.canBeSent)
    }

    @Test func `asking for the next part passes over the rest of the one before`() async throws {
        let pieces = Cuts.pieces(of: Data(text.utf8), lengths: [5])
        let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
        var parts = body.parts(boundary: "B").makeAsyncIterator()
        let first = try #require(try await parts.next())
        let second = try #require(try await parts.next())
        #expect(second.headers[.contentType] == "text/plain")
        let error = await #expect(throws: HTTPError.self) { try await first.body.collect() }
        #expect(error?.code == .bodyAlreadyRead)
        #expect(try await second.body.collect() == Data("two\r\nlines".utf8))
        for _ in 0..<2 { #expect(try await parts.next() == nil) }
    }

    @Test func `a part's bytes come before the part has ended`() async throws {
        let source = ScriptedBodySource(["--B\r\n\r\nab", "cd", "\r\n--B--"])
        var parts = HTTPBody(source: source).parts(boundary: "B").makeAsyncIterator()
        let part = try #require(try await parts.next())
        var bytes = part.body.makeAsyncIterator()
        #expect(try await bytes.next() == Data("ab".utf8))
        #expect(source.reads == 1)
        #expect(try await bytes.next() == Data("cd".utf8))
        #expect(try await bytes.next() == nil)
    }

    @Test func `a body that breaks off fails the part and every part after`() async throws {
        for steps in [["--B\r\n\r\nab"], ["--B\r\n\r\nab", .fail]] as [[ScriptedBodySource.Step]] {
            var parts = HTTPBody(source: ScriptedBodySource(steps)).parts(boundary: "B")
                .makeAsyncIterator()
            let part = try #require(try await parts.next())
            let isCut = steps.count == 1
            for _ in 0..<2 {
                await #expect {
                    _ = try await part.body.collect()
                } throws: {
                    isCut
                        ? ($0 as? HTTPError)?.code == .bodyIncomplete
                        : $0 is ScriptedBodySource.Failure
                }
            }
            await #expect(throws: (any Error).self) { try await parts.next() }
        }
    }

    /// A source whose wait ends when it is abandoned. Sources must do so; a scripted one does not.
    private struct Interruptible: AsyncSequence, AsyncIteratorProtocol {
        let source: ScriptedBodySource

        func next() async throws -> Data? { try await source.next() }
        func makeAsyncIterator() -> Self { self }
    }

    @Test func `abandoning a part ends its reader's wait`() async throws {
        let reached = Gate()
        let source = ScriptedBodySource([
            "--B\r\n\r\nab", .stall(reached: reached, until: Gate()), "\r\n--B--",
        ])
        var parts = HTTPBody(Interruptible(source: source)).parts(boundary: "B")
            .makeAsyncIterator()
        let part = try #require(try await parts.next())
        let reader = Task { try await part.body.collect() }
        try await reached.wait()
        part.body.abandon()
        let error = await #expect(throws: HTTPError.self) { try await reader.value }
        #expect(error?.code == .bodyAlreadyRead)
    }

    @Test func `dropping parts and iterator gives the body up`() async throws {
        let source = ScriptedBodySource(["--B\r\n\r\nab", "cd"])
        let body = HTTPBody(source: source)
        let ends = BodyEnds(body)
        var part: MultipartPart?
        do {
            var parts = body.parts(boundary: "B").makeAsyncIterator()
            part = try await parts.next()
        }
        #expect(ends.list == [] && part != nil)
        part = nil
        #expect(ends.list == ["abandoned"])
    }
}
