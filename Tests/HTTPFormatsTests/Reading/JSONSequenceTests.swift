import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct JSONSequenceTests {
    struct Row: Codable, Sendable, Equatable { var id: Int }

    /// The texts of a sequence, and the code of the error that ended it, if there was one.
    private func read(
        _ pieces: [Data], upTo limit: Int = 1000, skippingMalformed: Bool = false
    ) async -> [String] {
        let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
        var texts: [String] = []
        do {
            let values = body.jsonSequence(
                of: HTTPJSON.self, upTo: limit, skippingMalformed: skippingMalformed)
            for try await value in values { texts.append(value.description) }
        } catch {
            texts.append("\((error as? HTTPError)?.code.rawValue ?? "\(error)")")
        }
        return texts
    }

    private let failed = HTTPError.Code.decodingFailed.rawValue

    @Test(
        arguments: [
            ("", []), ("\u{1E}1\n", ["1"]), ("\u{1E}1\n\u{1E}[2]\n", ["1", "[2]"]),
            // Several RS in a row, also at either end.
            ("\u{1E}\u{1E}\u{1E}1\n\u{1E}\u{1E}2\n\u{1E}", ["1", "2"]), ("\u{1E}", []),
            // A text may span lines and have white space on both sides.
            ("\u{1E}\n {\n\"a\":\n[1,\n2]\n}\n\n \u{1E}3\n", [#"{"a":[1,2]}"#, "3"]),
            ("\u{1E}1\r\n\u{1E}\"a\"\r\n", ["1", "\"a\""]),
            // Brackets, quotation marks and line feeds of strings are no ends.
            ("\u{1E}" + #"["]","\"","\\","{\n"]"# + "\n", [#"["]","\"","\\","{\n"]"#]),
            // Only what shows its own end may lack the LF.
            ("\u{1E}\"a\"\u{1E}[1]\u{1E}{}", ["\"a\"", "[1]", "{}"]),
            ("\u{1E}1 \u{1E}true\t\u{1E}null\r", ["1", "true", "null"]),
            ("\u{FEFF}\u{1E}1\n", ["1"]), ("\u{1E}\u{FEFF}1\n", ["1"]),
            ("\u{1E}12345678901234567890\n", ["12345678901234567890"]),
        ] as [(String, [String])])
    func `a text is a value, however the sequence is cut`(
        text: String, values: [String]
    ) async {
        for pieces in Cuts.all(Data(text.utf8)) {
            #expect(await read(pieces) == values, "\(pieces.map(Array.init))")
            #expect(await read(pieces, skippingMalformed: true) == values)
        }
    }

    @Test(
        arguments: [
            // A number or a word without white space after it may be the start of a longer one.
            ("\u{1E}[]\n\u{1E}123\u{1E}4\n", ["[]"], ["[]", "4"]), ("\u{1E}1", [], []),
            ("\u{1E}-1", [], []), ("\u{1E}true", [], []), ("\u{1E}false\u{1E}", [], []),
            ("\u{1E}null", [], []), ("\u{1E}\u{FEFF}1", [], []), ("\u{1E}\n1", [], []),
            // A text that was cut off.
            ("\u{1E}{\"a\":\u{1E}2\n", [], ["2"]), ("\u{1E}1\n\u{1E}[1,", ["1"], ["1"]),
            ("\u{1E}\"a\n\u{1E}2\n", [], ["2"]), ("\u{1E}\"\\\u{1E}2\n", [], ["2"]),
            // No JSON.
            ("\u{1E}x\n\u{1E}2\n", [], ["2"]), ("\u{1E}\n\u{1E}2\n", [], ["2"]),
            ("\u{1E}]\n\u{1E}2\n", [], ["2"]), ("\u{1E}{} {}\n\u{1E}2\n", [], ["2"]),
            ("\u{1E}tr\nue\n\u{1E}2\n", [], ["2"]),
            // Bytes that belong to no text.
            ("1\n\u{1E}2\n", [], ["2"]), ("\n\u{1E}2\n", [], ["2"]), ("\u{FEFF}1", [], []),
            ("\u{1E}1\n2\n\u{1E}3\n", ["1"], ["1", "3"]), ("{}\n", [], []),
            ("\u{1E}{}\n \n}x\n\u{1E}3\n", ["{}"], ["{}", "3"]),
        ] as [(String, [String], [String])])
    func `what is no text ends the reading, or is skipped up to the next RS`(
        text: String, before: [String], skipping: [String]
    ) async {
        for pieces in Cuts.all(Data(text.utf8)) {
            #expect(await read(pieces) == before + [failed], "\(pieces.map(Array.init))")
            #expect(await read(pieces, skippingMalformed: true) == skipping)
        }
    }

    @Test(arguments: [[0xEF], [0xEF, 0xBB], [0xFF, 0x1E]] as [[UInt8]])
    func `the start of a byte order mark is no text`(bytes: [UInt8]) async {
        for pieces in Cuts.all(Data(bytes)) {
            #expect(await read(pieces) == [failed])
            #expect(await read(pieces, skippingMalformed: true).isEmpty)
        }
    }

    @Test(
        arguments: [
            ("[]\n", "does not begin with RS"), ("\u{1E}1\n\u{1E}secret\n", "text 2"),
            ("\u{1E}1\n\u{1E}2", "text 2"), ("\u{1E}1\nsecret", "text 1"),
            ("\u{1E}1\n\u{1E}{\"id\":\"secret\"}\n", "text 2 of the JSON sequence"),
        ])
    func `an error names the text, but not its bytes`(text: String, place: String) async throws {
        let body = HTTPBody(source: ScriptedBodySource([.piece(Data(text.utf8)), "\u{1E}3\n"]))
        let ends = BodyEnds(body)
        var numbers = body.jsonSequence(of: Int.self).makeAsyncIterator()
        let error = await #expect(throws: HTTPError.self) {
            while try await numbers.next() != nil {}
        }
        #expect(error?.code == .decodingFailed && error?.message.contains(place) == true)
        #expect(error?.description.contains("secret") == false)
        #expect(try await numbers.next() == nil, "an error is the end")
        #expect(ends.list == ["abandoned"])
    }

    @Test func `JSON of another type is never skipped`() async throws {
        let body = HTTPBody("\u{1E}x\n\u{1E}{\"id\":1}\n\u{1E}{\"id\":\"1\"}\n\u{1E}{\"id\":2}\n")
        var rows: [Row] = []
        let error = await #expect(throws: HTTPError.self) {
            for try await row in body.jsonSequence(of: Row.self, skippingMalformed: true) {
                rows.append(row)
            }
        }
        #expect(rows == [Row(id: 1)])
        #expect(error?.message.contains("text 3 of the JSON sequence") == true)
        #expect(error?.message.contains("\"id\" is not of type") == true)
    }

    @Test func `a null is a value`() async throws {
        var rows: [Row?] = []
        for try await row in HTTPBody("\u{1E}null\n\u{1E}{\"id\":1}\n").jsonSequence(of: Row?.self)
        {
            rows.append(row)
        }
        #expect(rows == [nil, Row(id: 1)])
    }

    @Test func `a response's sequence takes the caller's decoder`() async throws {
        struct Name: Decodable, Sendable { var firstName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let response = HTTPResponse(
            .ok, body: HTTPBody("\u{1E}{\"first_name\":\"Ada\"}\n"),
            to: try HTTPRequest(.get, "https://h/"))
        var names: [String] = []
        for try await name in response.jsonSequence(of: Name.self, decoder: decoder) {
            names.append(name.firstName)
        }
        #expect(names == ["Ada"])
    }

    @Test func `a text is returned at its LF, before the next one begins`() async throws {
        let source = ScriptedBodySource(["\u{1E}[1,", "2]\n", "\u{1E}3\n"])
        var values = HTTPBody(source: source).jsonSequence(of: HTTPJSON.self).makeAsyncIterator()
        #expect(try await values.next()?.description == "[1,2]")
        #expect(source.reads == 2)
        #expect(try await values.next()?.description == "3")
        for _ in 0..<2 { #expect(try await values.next() == nil) }
    }

    @Test(
        arguments: [
            ("\u{1E}[10]\n\u{1E}[2]\n", ["[10]", "[2]"]),
            ("\u{1E}[2]\n\u{1E}[100]\n", ["[2]", "bodyTooLarge"]),
            ("\u{1E}[100]", ["bodyTooLarge"]),
            ("\u{1E}\"ab\"\u{1E}\"abc\"", ["\"ab\"", "bodyTooLarge"]),
            ("\u{1E}1\n            \u{1E}2\n", ["1", "2"]),
            ("\u{1E}     1\n", ["bodyTooLarge"]),
        ])
    func `a text beyond the limit is an error, wherever it is cut`(
        text: String, values: [String]
    ) async {
        for pieces in Cuts.all(Data(text.utf8)) {
            #expect(await read(pieces, upTo: 4) == values, "\(pieces.map(Array.init))")
        }
    }

    @Test func `skipped bytes have no limit`() async {
        let text = "\u{1E}1\n" + String(repeating: "x", count: 100) + "\u{1E}2\n"
        for pieces in Cuts.all(Data(text.utf8)) {
            #expect(await read(pieces, upTo: 4, skippingMalformed: true) == ["1", "2"])
        }
    }

    /// Reads a whole sequence in the simplest way: the text after an RS is the shortest part up to
    /// an LF that is JSON, or else all up to the next RS (RFC 7464 §2.1, §2.4). A flaw is `nil`.
    private func interpret(_ bytes: [UInt8]) -> [String?] {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let parts = bytes.split(separator: 0x1E, omittingEmptySubsequences: false)
        var values: [String?] = parts[0].isEmpty ? [] : [nil]
        for part in parts.dropFirst() where !part.isEmpty {
            let end = part.indices.first { index in
                part[index] == 0x0A && (try? HTTPJSON(parsing: part[..<index])) != nil
            }
            if let end {
                values.append((try? HTTPJSON(parsing: part[..<end]))?.description)
                if !part[end...].allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
                    values.append(nil)
                }
            } else if let value = try? HTTPJSON(parsing: part) {
                let isOpenEnded =
                    switch value {
                    case .null, .bool, .number: ![0x20, 0x09, 0x0D].contains(part.last)
                    default: false
                    }
                values.append(isOpenEnded ? nil : value.description)
            } else {
                values.append(nil)
            }
        }
        return values
    }

    @Test func `a sequence of any bytes follows the RFC, however it is cut`() async {
        let tokens = [
            "\u{1E}", "\u{1E}", "\u{1E}", "\n", "\n", "\n", " ", "\r", "\t", "{", "}", "[", "]",
            ",", ":", "\"", "\\", "\"a\"", "{\"a\":", "{}", "[]", "[1,", "1", "-2.5e3", "true",
            "false", "null", "tr", "é",
        ].map { Array($0.utf8) }
        let texts = [
            "\u{1E}{\"a\":[1,\n\"]\\\"\"]}\n", "\u{1E}1\n", "\u{1E}\u{1E}null\r\n \n",
            "\u{1E}\"\\n\"",
        ].map { Array($0.utf8) }
        var random = SeededRandom(7464)
        var flaws = 0
        for _ in 0..<3000 {
            let wholeTexts = Int.random(in: 0...100, using: &random)
            let bytes = (0..<Int.random(in: 0...14, using: &random)).flatMap { _ -> [UInt8] in
                switch Int.random(in: 0..<100, using: &random) {
                case ..<wholeTexts: texts.randomElement(using: &random) ?? []
                case 99: [0xFF]
                default: tokens.randomElement(using: &random) ?? []
                }
            }
            let expected = interpret(bytes)
            let untilFlaw = expected.prefix { $0 != nil }.compactMap(\.self)
            let hasFlaw = untilFlaw.count < expected.count
            flaws += hasFlaw ? 1 : 0
            let lengths = (0..<4).map { _ in Int.random(in: 1...9, using: &random) }
            let cuts = [
                [Data(bytes)], Cuts.pieces(of: Data(bytes), lengths: [1]),
                Cuts.pieces(of: Data(bytes), lengths: lengths),
            ]
            for pieces in cuts {
                #expect(
                    await read(pieces) == untilFlaw + (hasFlaw ? [failed] : []),
                    "\(pieces.map(Array.init))")
                #expect(
                    await read(pieces, skippingMalformed: true) == expected.compactMap(\.self),
                    "\(pieces.map(Array.init))")
            }
        }
        #expect((300...2700).contains(flaws), "the streams are all alike")
    }
}
