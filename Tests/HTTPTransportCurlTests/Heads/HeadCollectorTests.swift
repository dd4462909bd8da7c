import HTTPCore
import TestSupport
import Testing

@testable import HTTPTransportCurl

@Suite struct HeadCollectorTests {
    /// The kind of a violation, without its message.
    enum Refusal { case malformed, tooLarge }

    /// Feeds `lines`, each with `end` behind it, and returns what came of it.
    private static func collect(
        _ lines: [String], end: String = "\r\n"
    ) throws(HeadCollector.Violation) -> (collector: HeadCollector, events: [HeadCollector.Event]) {
        var collector = HeadCollector()
        var events: [HeadCollector.Event] = []
        for line in lines {
            let bytes = Array((line + end).utf8)
            let event = try collector.receive(bytes.span)
            if event != .none { events.append(event) }
        }
        return (collector, events)
    }

    private static func refusal(_ lines: [String], end: String = "\r\n") -> Refusal? {
        do throws(HeadCollector.Violation) {
            _ = try collect(lines, end: end)
            return nil
        } catch {
            return switch error {
            case .malformed: .malformed
            case .tooLarge: .tooLarge
            }
        }
    }

    // MARK: Status lines

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200, HTTPVersion.http1_1), ("HTTP/1.1 200 ", 200, .http1_1),
        ("HTTP/1.1 200", 200, .http1_1), ("HTTP/1.0 404 Not Found", 404, .http1_0),
        ("HTTP/2 200 ", 200, .http2), ("HTTP/2 418", 418, .http2), ("HTTP/2.0 200", 200, .http2),
        ("HTTP/3 204 ", 204, .http3), ("HTTP/1.1 999 é ü", 999, .http1_1),
        ("HTTP/1.1 600 \ttabs\tand  blanks ", 600, .http1_1),
        ("HTTP/1.1 299 200 OK", 299, .http1_1),
    ])
    func `a status line gives status and version`(
        line: String, code: Int, version: HTTPVersion
    ) throws {
        let (collector, events) = try Self.collect([line, ""])
        #expect(events == [.head])
        #expect(collector.status?.code == code)
        #expect(collector.version == version)
    }

    @Test(arguments: [
        "HTTP/", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 2", "HTTP/1.1 20", "HTTP/1.1 2000 OK",
        "HTTP/1.1 20 OK", "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 2x0 OK",
        "HTTP/1.1 -20 OK", "HTTP/1.1 +20 OK", "HTTP/1.1 099 OK", "HTTP/1.1 000 OK",
        "HTTP/1.1 200OK", "HTTP/1.1 200\tOK", "HTTP/1 200 OK", "HTTP/1. 200 OK", "HTTP/1.2 200 OK",
        "HTTP/11 200 OK", "HTTP/1.10 200 OK", "HTTP/0.9 200 OK", "HTTP/4 200 OK", "HTTP/x 200 OK",
        "http/1.1 200 OK", "ICY 200 OK", "200 OK", " HTTP/1.1 200 OK", "",
        "HTTP/1.1 200 O\u{1}K", "HTTP/1.1 200 O\u{0}K", "HTTP/1.1 200 O\rK",
    ])
    func `what is no status line is refused`(line: String) {
        #expect(Self.refusal([line, ""]) == .malformed)
    }

    // MARK: Interim responses

    @Test func `interim responses come before the head and leave nothing in it`() throws {
        let (collector, events) = try Self.collect([
            "HTTP/1.1 100 Continue", "X-Interim: 1", "Content-Length: 7", "",
            "HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/1.1 200 OK", "X: 2", "",
        ])
        #expect(events == [.informational, .informational, .head])
        #expect(collector.headers.map(\.name) == ["X"])
        #expect(collector.contentLength == nil)
        #expect(collector.status == .ok)
    }

    @Test(arguments: [(20, Refusal?.none), (21, .tooLarge), (200, .tooLarge)])
    func `twenty interim responses are enough`(count: Int, refusal: Refusal?) {
        let interims = (0..<count).flatMap { _ in ["HTTP/1.1 102 Processing", ""] }
        #expect(Self.refusal(interims + ["HTTP/1.1 200 OK", ""]) == refusal)
    }

    @Test func `an unrequested switch of protocols is refused`() {
        #expect(Self.refusal(["HTTP/1.1 101 Switching Protocols", "Upgrade: x", ""]) == .malformed)
    }

    @Test func `a field after an interim response and before a status line is refused`() {
        #expect(Self.refusal(["HTTP/1.1 100 Continue", "", "X: 1"]) == .malformed)
    }

    @Test func `a second status line inside a head is refused`() {
        let lines = ["HTTP/1.1 200 OK", "X: 1", "HTTP/1.1 404 Not Found", "Y: 1", ""]
        #expect(Self.refusal(lines) == .malformed)
    }

    // MARK: Fields

    @Test(arguments: [
        ("X: 1", "1"), ("X:1", "1"), ("X:  \t 1 \t", "1"), ("X:", ""), ("X: ", ""),
        ("X: a:b;c", "a:b;c"), ("X: \u{e9}", "\u{e9}"), ("x: 1", "1"), ("X: a\tb", "a\tb"),
    ])
    func `a field loses the blanks around its value and nothing else`(
        line: String, value: String
    ) throws {
        let (collector, _) = try Self.collect(["HTTP/1.1 200 OK", line, ""])
        #expect(collector.headers[values: "X"] == [value])
    }

    @Test(arguments: [
        "X : 1", "X\t: 1", ": 1", ":", "no colon", "X y: 1", "X(: 1", "X: a\u{0}b", "X: a\rb",
        "X: a\u{7f}b", "\u{e9}: 1", "X: a\u{1}",
    ])
    func `what is no field is refused`(line: String) {
        #expect(Self.refusal(["HTTP/1.1 200 OK", line, ""]) == .malformed)
    }

    @Test(arguments: [
        (["X: a", " b"], "a b"), (["X: a", "\tb"], "a b"), (["X: a", "  \t b  "], "a b"),
        (["X:", " b"], "b"), (["X: a", " ", " b"], "a b"), (["X: a", " b", "\tc"], "a b c"),
    ])
    func `folded lines are joined by one space`(lines: [String], value: String) throws {
        let (collector, _) = try Self.collect(["HTTP/1.1 200 OK"] + lines + ["Y: 1", ""])
        #expect(collector.headers["X"] == value)
        #expect(collector.headers["Y"] == "1")
    }

    @Test(arguments: [
        ["Transfer-Encoding: gzip"], ["Transfer-Encoding: gzip, chunked"],
        ["Transfer-Encoding: chunked, chunked"], ["Transfer-Encoding: chunked, identity"],
        ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], ["Transfer-Encoding:"],
        ["Transfer-Encoding: xchunked"], ["Transfer-Encoding: chunked;q=1"],
    ])
    func `an unrequested transfer coding is refused`(lines: [String]) {
        #expect(Self.refusal(["HTTP/1.1 200 OK"] + lines + [""]) == .malformed)
        #expect(Self.refusal(["HTTP/1.1 200 OK", "transfer-encoding: CHUNKED", ""]) == nil)
    }

    @Test(arguments: [
        ["Transfer-Encoding:", " chunked"], ["Transfer-Encoding: chunked", "\tabc"],
        ["content-length: 1", " 2"],
    ])
    func `a folded field that frames the body is refused`(lines: [String]) {
        #expect(Self.refusal(["HTTP/1.1 200 OK"] + lines + [""]) == .malformed)
    }

    @Test(arguments: [[" folded"], ["X: a", " b\rc"], ["X: a", " b\u{0}"]])
    func `a fold without a field, or with control characters, is refused`(lines: [String]) {
        #expect(Self.refusal(["HTTP/1.1 200 OK"] + lines + [""]) == .malformed)
    }

    @Test(arguments: ["\r\n", "\n"])
    func `lines may end in LF alone`(end: String) throws {
        let (collector, events) = try Self.collect(
            ["HTTP/1.1 200 OK", "X: 1", "Content-Length: 3", ""], end: end)
        #expect(events == [.head])
        #expect(collector.headers["X"] == "1")
        #expect(collector.contentLength == 3)
    }

    @Test(arguments: ["", "\r"], [0, 1, 2, 3, 5])
    func `a line without its end is refused, wherever it is`(end: String, position: Int) throws {
        let lines = ["HTTP/1.1 200 OK", "X: 1", "", "Y: 1", "Z: 1", ""]
        var (collector, _) = try Self.collect(Array(lines.prefix(position)))
        let cut = Array((lines[position] + end).utf8)
        #expect(throws: HeadCollector.Violation.self) {
            _ = try collector.receive(cut.span)
        }
    }

    @Test func `repeated fields stay apart, in order and spelling`() throws {
        let (collector, _) = try Self.collect(
            ["HTTP/1.1 200 OK", "Set-Cookie: a=1", "x: y", "SET-COOKIE: b=2", ""])
        #expect(collector.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(collector.headers.map(\.name.spelling) == ["Set-Cookie", "x", "SET-COOKIE"])
    }

    // MARK: Content-Length

    @Test(
        arguments: [
            ([], nil), (["5"], 5), (["0"], 0), (["007"], 7), (["5", "5"], 5), (["5, 5"], 5),
            (["5,5"], 5), (["5 , 5"], 5), (["5", "5, 5"], 5), (["9223372036854775807"], Int64.max),
        ] as [([String], Int64?)])
    func `one length, however often, is the length`(values: [String], length: Int64?) throws {
        let lines = values.map { "Content-Length: \($0)" }
        let (collector, events) = try Self.collect(["HTTP/1.1 200 OK"] + lines + [""])
        #expect(events == [.head])
        #expect(collector.contentLength == length)
    }

    @Test(arguments: [
        ["5,6"], ["5", "6"], ["5, 6"], ["+5"], ["-1"], ["5x"], ["0x5"], ["5.0"], [""], [","],
        ["5,"], [",5"], ["5 5"], ["9223372036854775808"], ["99999999999999999999"], ["5", ""],
        ["٣"],
    ])
    func `what is not one length is refused`(values: [String]) {
        let lines = values.map { "Content-Length: \($0)" }
        #expect(Self.refusal(["HTTP/1.1 200 OK"] + lines + [""]) == .malformed)
    }

    @Test(arguments: ["chunked", "gzip, chunked", "identity", ""])
    func `Content-Length beside Transfer-Encoding is refused`(coding: String) {
        let lines = ["HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: \(coding)", ""]
        #expect(Self.refusal(lines) == .malformed)
    }

    // MARK: Trailers

    @Test func `fields after the head are trailers`() throws {
        let (collector, events) = try Self.collect(
            ["HTTP/1.1 200 OK", "X: 1", "", "X-Sum: 2", "X-Sum: 3", " 4"])
        #expect(events == [.head])
        #expect(collector.headers.count == 1)
        #expect(collector.trailers?[values: "X-Sum"] == ["2", "3 4"])
    }

    @Test func `without trailers there are none`() throws {
        #expect(try Self.collect(["HTTP/1.1 200 OK", ""]).collector.trailers == nil)
    }

    @Test(arguments: ["HTTP/1.1 200 OK", "no colon", "X : 1", " folded"])
    func `what is no field is refused in trailers, too`(line: String) {
        #expect(Self.refusal(["HTTP/1.1 200 OK", "", line]) == .malformed)
    }

    @Test func `trailers cannot change the head`() throws {
        let (collector, _) = try Self.collect(
            ["HTTP/1.1 200 OK", "", "Content-Length: 5", "X: 1"])
        #expect(collector.contentLength == nil)
        #expect(collector.headers.isEmpty)
    }

    // MARK: Limits

    @Test(arguments: [(0, Refusal?.none), (1, .tooLarge)])
    func `a line is as long as the limit at most`(excess: Int, refusal: Refusal?) {
        let line = "X: " + String(repeating: "x", count: HeadCollector.lineLimit - 5 + excess)
        #expect(Self.refusal(["HTTP/1.1 200 OK", line, ""]) == refusal)
    }

    @Test(arguments: [(0, Refusal?.none), (1, .tooLarge)])
    func `a section is as long as the limit at most`(excess: Int, refusal: Refusal?) {
        // 17 for the status line, 2 for the empty line.
        let line = "X: " + String(repeating: "x", count: 1024 - 5)
        let count = HeadCollector.sectionLimit / 1024 - 1
        let last = "X: " + String(repeating: "x", count: 1024 - 17 - 2 - 5 + excess)
        let lines = ["HTTP/1.1 200 OK"] + Array(repeating: line, count: count) + [last, ""]
        #expect(Self.refusal(lines) == refusal)
    }

    @Test func `each section has its own limit`() {
        let line = "X: " + String(repeating: "x", count: 60_000)
        let large = Array(repeating: line, count: 4)
        let lines = ["HTTP/1.1 103 Early Hints"] + large + ["", "HTTP/1.1 200 OK"] + large + [""]
        #expect(Self.refusal(lines + large) == nil)
        #expect(Self.refusal(lines + large + [line]) == .tooLarge)
    }

    @Test func `a large interim response does not count against the next status line`() {
        let line = "X: " + String(repeating: "x", count: 60_000)
        // With its status line and its end, the head has all but a few bytes of the limit.
        let used = 26 + 4 * 60_005 + 2
        let last = "X: " + String(repeating: "x", count: HeadCollector.sectionLimit - used - 5)
        let lines = ["HTTP/1.1 103 Early Hints"] + Array(repeating: line, count: 4) + [last, ""]
        #expect(Self.refusal(lines) == nil)
        #expect(Self.refusal(lines + ["HTTP/1.1 200 OK", ""]) == nil)
    }

    @Test(arguments: [(1000, Refusal?.none), (1001, .tooLarge)])
    func `a thousand fields are enough`(count: Int, refusal: Refusal?) {
        let fields = Array(repeating: "X: 1", count: count)
        #expect(Self.refusal(["HTTP/1.1 200 OK"] + fields + [""]) == refusal)
        #expect(Self.refusal(["HTTP/1.1 200 OK", ""] + fields) == refusal)
    }

    // MARK: Decoding

    @Test func `a decoded head says nothing about the coded form`() throws {
        var (collector, _) = try Self.collect(
            ["HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 9", "X: 1", ""])
        collector.removeCodedForm()
        #expect(collector.headers.map(\.name) == ["X"])
        #expect(collector.contentLength == 9, "the framing stays known")
    }

    @Test func `errors say what is wrong and repeat nothing of the response`() throws {
        let violation = #expect(throws: HeadCollector.Violation.self) {
            try Self.collect(["HTTP/1.1 200 OK", "Set-Cookie : hunter2", ""])
        }
        let error = try #require(violation).error
        #expect(error.code == .protocolViolation)
        #expect(error.phase == .waiting)
        #expect(error.mayHaveReachedServer)
        #expect(!error.description.contains("hunter2"))
        #expect(HeadCollector.Violation.tooLarge("x").error.code == .headersTooLarge)
    }

    // MARK: A head at once

    /// Lines that heads are made of: what is usual, and what needs care.
    private static let pieces = [
        "HTTP/1.1 200 OK", "HTTP/1.0 404 Not Found", "HTTP/2 204 ", "HTTP/1.1 100 Continue",
        "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 2x0 OK", "HTTP/1.1 304", "no status line",
        "Content-Type: text/plain", "Content-Length: 5", "content-length: 5", "Content-Length: 6",
        "Content-Length: 5, 5", "Content-Length: -5", "Content-Length:", "Content-Length: 0005",
        "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked", "Set-Cookie: a=b; Path=/", "X-Empty:", "X-Blank: \t ",
        "X-Tab:\ta\tb\t", " folded", "\tfolded", "", "no colon", ": no name", "X Y: blank",
        "X-Control: a\u{1}b", "X-Delete: \u{7F}", "X-Latin: \u{E9}", "X-Return: a\rb",
        "X-Long: \(String(repeating: "x", count: 300))", "Keep-Alive: timeout=5",
        "Content-Encoding: gzip", "Connection: close",
    ]

    @Test func `a head at once is what its lines are one by one, or is not taken`() throws {
        var random = SeededRandom(1)
        var taken = 0
        for _ in 0..<TestCounts.scaled(50_000) {
            let count = Int.random(in: 0..<8, using: &random)
            var lines = ["HTTP/1.1 200 OK"]
            if Int.random(in: 0..<4, using: &random) == 0 { lines = [] }
            for _ in 0..<count {
                lines.append(try #require(Self.pieces.randomElement(using: &random)))
            }
            var text = lines.map { $0 + "\r\n" }.joined()
            // Some heads have other line ends.
            if Int.random(in: 0..<10, using: &random) == 0 { text.replace("\r\n", with: "\n") }
            var bytes = Array(text.utf8)
            if Int.random(in: 0..<10, using: &random) == 0,
                let index = bytes.indices.randomElement()
            {
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            if try Self.isTaken(bytes) { taken += 1 }
        }
        #expect(taken > TestCounts.scaled(5_000))
    }

    /// Returns `true` if the head is taken at once. It then is what its lines are one by one.
    private static func isTaken(_ head: [UInt8]) throws -> Bool {
        var atOnce = HeadCollector()
        let isTaken = atOnce.receive(head: head.span)
        var careful = HeadCollector()
        var events: [HeadCollector.Event] = []
        var isRefused = false
        for line in head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .dropLast(head.last == UInt8(ascii: "\n") ? 1 : 0).map({ Array($0) + [10] })
            + [[13, 10]]
        {
            do throws(HeadCollector.Violation) {
                events.append(try careful.receive(line.span))
            } catch {
                isRefused = true
                break
            }
        }
        guard isTaken else {
            #expect(atOnce == HeadCollector(), "a head that was not taken has left a trace")
            return false
        }
        let text = String(decoding: head, as: UTF8.self)
        #expect(!isRefused, "\(text)")
        #expect(events.last == .head && events.dropLast().allSatisfy { $0 == .none }, "\(text)")
        #expect(atOnce == careful, "\(text)")
        #expect(atOnce.headers.map(\.name.spelling) == careful.headers.map(\.name.spelling))
        #expect(atOnce.headers.map(\.value) == careful.headers.map(\.value))
        #expect(atOnce.headers.byteCount == careful.headers.byteCount)
        return true
    }

    @Test func `what is usual is taken at once`() {
        let head = """
            HTTP/1.1 200 OK\r
            Server: nginx/1.22.1\r
            Date: Mon, 23 Nov 2026 14:17:32 GMT\r
            Content-Type: text/plain\r
            Transfer-Encoding: chunked\r
            Connection: keep-alive\r

            """
        var collector = HeadCollector()
        let isTaken = collector.receive(head: Array(head.utf8).span)
        #expect(isTaken)
        #expect(collector.headers.count == 5)
        #expect(collector.isChunked)
    }

    @Test func `trailers follow a head that was taken at once`() throws {
        var collector = HeadCollector()
        let isTaken = collector.receive(head: Array("HTTP/1.1 200 OK\r\nA: b\r\n".utf8).span)
        #expect(isTaken)
        for line in ["X-Sum: 1\r\n", "\r\n"] {
            let event = try collector.receive(Array(line.utf8).span)
            #expect(event == .none)
        }
        #expect(collector.trailers?["X-Sum"] == "1")
    }
}
