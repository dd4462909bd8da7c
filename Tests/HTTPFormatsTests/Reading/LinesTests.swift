import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

/// All ways to cut bytes in two, and some to cut them into many.
enum Cuts {
    static func all(_ bytes: Data) -> [[Data]] {
        var ways: [[Data]] = (0...bytes.count).map { place in
            [Data(bytes.prefix(place)), Data(bytes.dropFirst(place))]
        }
        for length in 1...3 { ways.append(pieces(of: bytes, lengths: [length])) }
        return ways
    }

    /// The lengths again and again until nothing is left.
    static func pieces(of bytes: Data, lengths: [Int]) -> [Data] {
        var rest = bytes[...]
        var pieces: [Data] = []
        var turn = 0
        while !rest.isEmpty {
            pieces.append(Data(rest.prefix(max(1, lengths[turn % lengths.count]))))
            rest = rest.dropFirst(max(1, lengths[turn % lengths.count]))
            turn += 1
        }
        return pieces
    }
}

@Suite(.timeLimit(.minutes(5))) struct LinesTests {
    /// The lines, and the error that ended them.
    private func split(
        _ pieces: [Data], ends: LineSplitter.LineEnds = .lineFeed, limit: Int = 100
    ) -> [String] {
        var splitter = LineSplitter(ends: ends, limit: limit)
        var lines: [String] = []
        func take(_ line: Range<Int>) {
            lines.append(String(decoding: splitter.bytes[line], as: UTF8.self))
        }
        do throws(HTTPError) {
            for piece in pieces {
                splitter.append(piece)
                while let line = try splitter.next() { take(line) }
            }
            if let line = try splitter.last() { take(line) }
        } catch {
            lines.append("\(error.code)")
        }
        return lines
    }

    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("\n", [""]), ("a\n", ["a"]), ("a\nb", ["a", "b"]),
            ("a\r\nb\r\n", ["a", "b"]), ("a\rb\n", ["a\rb"]), ("\r\n\r\n", ["", ""]),
            ("a\r\r\nb", ["a\r", "b"]), ("a\r", ["a\r"]), ("\n\r", ["", "\r"]),
            ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}", []),
            ("\u{FEFF}\u{FEFF}a", ["\u{FEFF}a"]), ("a\u{2028}b\u{85}c\n", ["a\u{2028}b\u{85}c"]),
            ("a\0b\n", ["a\0b"]), ("€\n😀", ["€", "😀"]),
        ] as [(String, [String])])
    func `lines end with LF or CRLF, however they are cut`(text: String, lines: [String]) {
        for pieces in Cuts.all(Data(text.utf8)) { #expect(split(pieces) == lines, "\(pieces)") }
    }

    @Test(
        arguments: [
            ("a\rb\nc\r\nd", ["a", "b", "c", "d"]), ("\r\r\n\n", ["", "", ""]),
            ("\u{FEFF}\r\na", ["", "a"]), ("\n\r", ["", ""]), ("a\r\n", ["a"]),
        ] as [(String, [String])])
    func `where any line end counts, CR is one, and CRLF is one and not two`(
        text: String, lines: [String]
    ) {
        for pieces in Cuts.all(Data(text.utf8)) {
            #expect(split(pieces, ends: .any) == lines, "\(pieces)")
        }
    }

    @Test(
        arguments: [
            ("abc\nabc\r\nabc", ["abc", "abc", "abc"]), ("ab\nabcd\n", ["ab", "bodyTooLarge"]),
            ("abcd", ["bodyTooLarge"]), ("abc\r", ["bodyTooLarge"]),
            ("abc\rd\n", ["bodyTooLarge"]), ("a\nabcdefghijkl", ["a", "bodyTooLarge"]),
        ] as [(String, [String])])
    func `a line beyond the limit is an error, wherever it is cut`(text: String, lines: [String]) {
        for pieces in Cuts.all(Data(text.utf8)) {
            #expect(split(pieces, limit: 3) == lines, "\(pieces)")
        }
    }

    /// The lines by the definition, from all bytes at once. `bodyTooLarge` takes the place of the
    /// first line that is too long.
    private func lines(
        of bytes: [UInt8], ends: LineSplitter.LineEnds, limit: Int
    ) -> [String] {
        var lines: [[UInt8]] = [[]]
        var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x0A:
                if ends == .lineFeed, lines.last?.last == 0x0D {
                    lines[lines.count - 1].removeLast()
                }
                lines.append([])
            case 0x0D where ends == .any:
                if rest.first == 0x0A { rest.removeFirst() }
                lines.append([])
            default: lines[lines.count - 1].append(byte)
            }
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        let fitting = lines.prefix { $0.count <= limit }
        return fitting.map { String(decoding: $0, as: UTF8.self) }
            + (fitting.count < lines.count ? ["bodyTooLarge"] : [])
    }

    @Test(arguments: [LineSplitter.LineEnds.lineFeed, .any])
    func `lines of any bytes follow the definition, however they are cut`(
        ends: LineSplitter.LineEnds
    ) {
        let pieces: [[UInt8]] = [
            [0x0A], [0x0D], [0x0D, 0x0A], [0x0A, 0x0A], [0xEF, 0xBB, 0xBF], [0xEF, 0xBB],
            [0x61], Array("0123456789".utf8), Array("é😀".utf8), [0xFF], [0xC3], [0],
        ]
        var random = SeededRandom(12)
        for _ in 0..<1500 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
                pieces.randomElement(using: &random) ?? []
            }
            let limit = Bool.random(using: &random) ? 1000 : Int.random(in: 0...12, using: &random)
            let lengths = (0..<4).map { _ in Int.random(in: 1...9, using: &random) }
            let cuts = [
                [Data(bytes)], Cuts.pieces(of: Data(bytes), lengths: [1]),
                Cuts.pieces(of: Data(bytes), lengths: lengths),
            ]
            for pieces in cuts {
                #expect(
                    split(pieces, ends: ends, limit: limit)
                        == lines(of: bytes, ends: ends, limit: limit), "\(pieces) \(limit)")
            }
        }
    }

    @Test func `a body of any bytes is read as the lines of the definition`() async throws {
        var random = SeededRandom(13)
        for _ in 0..<200 {
            let letters: [UInt8] = [0x0A, 0x0D, 0x61, 0x62, 0xC3, 0xA9, 0xFF]
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0
            }
            let lengths = (0..<4).map { _ in Int.random(in: 1...40, using: &random) }
            let pieces = Cuts.pieces(of: Data(bytes), lengths: lengths)
            let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
            let expected = lines(of: bytes, ends: .lineFeed, limit: 1000)
            // In a loop, and through a generic function, which cannot be inlined.
            var read: [String] = []
            if Bool.random(using: &random) {
                for try await line in body.lines { read.append(line) }
            } else {
                read = try await elements(of: body.lines)
            }
            #expect(read == expected, "\(pieces)")
        }
    }

    @inline(never) private func elements<Elements: AsyncSequence & Sendable>(
        of elements: Elements
    ) async throws -> [Elements.Element] {
        var list: [Elements.Element] = []
        for try await element in elements { list.append(element) }
        return list
    }

    @Test func `a broken mark at the start is part of the line`() {
        for pieces in Cuts.all(Data([0xEF, 0xBB, 0x0A, 0x61])) {
            #expect(split(pieces) == ["\u{FFFD}", "a"])
        }
    }

    @Test func `a line without an end holds one limit and one piece, in linear time`() {
        var splitter = LineSplitter(ends: .lineFeed, limit: 1 << 20)
        var held = 0
        let error = #expect(throws: HTTPError.self) {
            while true {
                splitter.append(Data(repeating: 0x61, count: 100))
                _ = try splitter.next()
                held = splitter.bytes.count
            }
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.contains("1048576 bytes") == true)
        #expect(held <= 1 << 20 && held > (1 << 20) - 100)
    }

    @Test func `a body is read as lines, and what is not UTF-8 is replaced`() async throws {
        let bytes = Data("\u{FEFF}één\r\n".utf8) + Data([0xFF, 0x0A]) + Data("last".utf8)
        for pieces in Cuts.all(bytes) {
            let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
            var lines: [String] = []
            for try await line in body.lines { lines.append(line) }
            #expect(lines == ["één", "\u{FFFD}", "last"])
        }
    }

    @Test func `lines come before the body has ended, and its failure after them`() async throws {
        let body = HTTPBody(source: ScriptedBodySource(["a\nb", .fail]))
        let ends = BodyEnds(body)
        var lines = body.lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        await #expect(throws: ScriptedBodySource.Failure.self) { try await lines.next() }
        #expect(try await lines.next() == nil)
        #expect(ends.list == ["failed Failure"])
    }

    @Test func `an over-long line and a broken loop give the body up`() async throws {
        let source = ScriptedBodySource(["aaa\nbbbb", "c"])
        let body = HTTPBody(source: source)
        let ends = BodyEnds(body)
        var read: [String] = []
        let error = await #expect(throws: HTTPError.self) {
            for try await line in body.lines(upTo: 3) { read.append(line) }
        }
        #expect(error?.code == .bodyTooLarge && read == ["aaa"])
        #expect(ends.list == ["abandoned"])
        let other = HTTPBody(source: ScriptedBodySource(["a\nb\n"]))
        let otherEnds = BodyEnds(other)
        for try await _ in other.lines { break }
        #expect(otherEnds.list == ["abandoned"])
    }

    @Test func `a replayable body gives its lines again, a stream once`() async throws {
        let body = HTTPBody("a\nb")
        for _ in 0..<2 {
            var lines: [String] = []
            for try await line in body.lines { lines.append(line) }
            #expect(lines == ["a", "b"])
        }
        let stream = HTTPBody(source: ScriptedBodySource(["a\n"]))
        for try await line in stream.lines { #expect(line == "a") }
        let error = await #expect(throws: HTTPError.self) { for try await _ in stream.lines {} }
        #expect(error?.code == .bodyAlreadyRead)
    }

    /// A source that records the isolation of each read.
    private final class IsolatedSource: HTTPBodySource {
        let isMain = Locked<[Bool]>([])

        func next() async throws -> Data? {
            // By identifiers: `#isolation === …` ends the optimizer of Swift 6.3.1.
            let isMain =
                #isolation.map { ObjectIdentifier($0) == ObjectIdentifier(MainActor.shared) }
                ?? false
            return self.isMain.withLock { list in
                list.append(isMain)
                return list.count < 3 ? Data("data: a\n\n".utf8) : nil
            }
        }

        func abandon() {}
    }

    @Test @MainActor func `a body is read in its reader's isolation, without hops`() async throws {
        func read<Elements: AsyncSequence>(_ read: (HTTPBody) -> Elements) async throws {
            let source = IsolatedSource()
            for try await _ in read(HTTPBody(source: source)) { MainActor.assertIsolated() }
            #expect(source.isMain.withLock { $0 } == [true, true, true], "\(Elements.self)")
        }
        try await read { $0 }
        try await read { $0.lines }
        try await read { $0.serverSentEvents }
        let source = IsolatedSource()
        for try await _ in HTTPBody(source: source).lines { MainActor.assertIsolated() }
        #expect(source.isMain.withLock { $0 } == [true, true, true])
    }
}
