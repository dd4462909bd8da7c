import HTTPCore
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPBodyFileTests {
    // MARK: Files

    @Test(
        .rows("S1-24"),
        arguments: [
            (nil, "abcdef"), (0..<6, "abcdef"), (2..<4, "cd"), (0..<0, ""), (6..<6, ""),
            (5..<6, "f"),
        ] as [(Range<Int64>?, String)])
    func `a range of a file is a body`(range: Range<Int64>?, text: String) async throws {
        let file = try TemporaryFile("abcdef")
        let body = try HTTPBody(file: file.path, range: range)
        #expect(body.length == Int64(text.count))
        #expect(body.replay == .always && body.bytes == nil && body.trailers == nil)
        #expect(try await body.collect() == Data(text.utf8))
    }

    @Test(
        .rows("S1-24"),
        arguments: [(0..<7, "0..<7"), (6..<7, "6..<7"), (-1..<2, "-1..<2"), (7..<7, "7..<7")]
            as [(Range<Int64>, String)])
    func `a range outside the file is refused`(range: Range<Int64>, text: String) throws {
        let file = try TemporaryFile("abcdef")
        let error = #expect(throws: HTTPError.self) { try HTTPBody(file: file.path, range: range) }
        #expect(error?.code == .invalidRequest)
        #expect(
            error?.message.contains("6 bytes") == true && error?.message.contains(text) == true)
    }

    @Test(
        .rows("S1-24"),
        arguments: [
            ("/nowhere/at/all", "No such file"), ("/dev/null", "not a regular file"),
            ("/", "not a regular file"), ("", "No such file"), ("/etc/passwd\0.txt", "NUL"),
        ])
    func `what is no readable regular file is refused at once`(path: String, reason: String) {
        let error = #expect(throws: HTTPError.self) { try HTTPBody(file: path) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(.rows("S1-24"))
    func `a long file comes in order and in pieces`() async throws {
        let text = (0..<60_000).map { "line \($0)\n" }.joined()
        let file = try TemporaryFile(text)
        var whole = Data()
        var pieces = 0
        for try await piece in try HTTPBody(file: file.path) {
            whole += piece
            pieces += 1
        }
        #expect(whole == Data(text.utf8))
        #expect(pieces > 1)
    }

    @Test(.rows("S1-24"))
    func `a file that shrank or went away fails the send, and says so`() async throws {
        let file = try TemporaryFile("abcdef")
        let body = try HTTPBody(file: file.path)
        try file.write("abc")
        let shrunk = await #expect(throws: HTTPError.self) { try await body.collect() }
        #expect(shrunk?.code == .requestBodyFailed)
        #expect(shrunk?.message.contains("shorter") == true)
        try file.write("")
        let emptied = await #expect(throws: HTTPError.self) { for try await _ in body {} }
        #expect(emptied?.code == .requestBodyFailed)
        try FileManager.default.removeItem(atPath: file.path)
        let gone = await #expect(throws: HTTPError.self) { try await body.collect() }
        #expect(gone?.code == .requestBodyFailed)
        #expect(gone?.underlyingError as? SystemError == SystemError(2))
        // A replayable body stores no failure, because the file may come back.
        try file.write("ABCDEFGH")
        #expect(try await body.collect() == Data("ABCDEF".utf8))
    }

    @Test(.rows("S1-24"))
    func `several readers of a file do not disturb each other`() async throws {
        let text = String(repeating: "0123456789", count: 80_000)
        let body = try HTTPBody(file: TemporaryFile.shared(text).path)
        var first = body.makeAsyncIterator()
        var second = body.makeAsyncIterator()
        let a = try await first.next()
        let b = try await second.next()
        #expect(a == b && a?.isEmpty == false)
        #expect(try await body.collect() == Data(text.utf8))
        var rest = try #require(a)
        while let piece = try await first.next() { rest += piece }
        #expect(rest == Data(text.utf8))
        #expect(try await first.next() == nil)
    }
}
