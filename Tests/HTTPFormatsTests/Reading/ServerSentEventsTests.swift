import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ServerSentEventsTests {
    /// The outcome of a stream: its events, the error that ended it, and the state for a
    /// reconnection.
    private struct Outcome: Equatable {
        var events: [ServerSentEvent] = []
        var error: HTTPError.Code?
        var lastEventID = ""
        var reconnectionTime: Duration?
    }

    private func read(
        _ pieces: [Data], after lastEventID: String = "", limit: Int = 1000
    ) -> Outcome {
        var parser = ServerSentEventParser(lastEventID: lastEventID, upTo: limit)
        var outcome = Outcome()
        do throws(HTTPError) {
            for piece in pieces {
                parser.append(piece)
                while let event = try parser.next() { outcome.events.append(event) }
            }
        } catch {
            outcome.error = error.code
        }
        outcome.lastEventID = parser.lastEventID
        outcome.reconnectionTime = parser.reconnectionTime
        return outcome
    }

    @Test(
        arguments: [
            ("data: a\n\n", [.init(data: "a")]), ("data: a\n", []),
            ("data: a\n\r", [.init(data: "a")]),
            ("data:a\rdata:  b\r\r", [.init(data: "a\n b")]),
            ("event: e\ndata\n\ndata: x\n\n", [.init(type: "e", data: ""), .init(data: "x")]),
            ("event: e\n\ndata: x\n\n", [.init(data: "x")]),
            ("datas: a\ndat: b\n: c\nevents: d\nDATA: e\n\n", []),
            (
                "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
                [
                    .init(data: "a", lastEventID: "1"), .init(data: "b", lastEventID: "1"),
                    .init(data: "c"),
                ]
            ),
            ("\u{FEFF}data: a\r\n\r\n\r\n", [.init(data: "a")]),
            ("data: é😀\n\n", [.init(data: "é😀")]), ("data: a:b\n\n", [.init(data: "a:b")]),
        ] as [(String, [ServerSentEvent])])
    func `events are dispatched at blank lines, however the stream is cut`(
        text: String, events: [ServerSentEvent]
    ) {
        for pieces in Cuts.all(Data(text.utf8)) {
            #expect(read(pieces).events == events, "\(pieces)")
        }
    }

    @Test(
        arguments: [
            ("id: 7\n", "0", nil), ("id: 7\n\n", "7", nil), ("id: a\0b\n\n", "0", nil),
            ("id\n\n", "", nil), ("retry: 1500\n", "0", .milliseconds(1500)),
            ("retry: 5\nretry: -1\nretry: 1.5\nretry:\nretry: 6x\n", "0", .milliseconds(5)),
            ("retry: 007\n", "0", .milliseconds(7)), ("retry:  8\n", "0", nil),
            ("retry: 99999999999999999999\n", "0", .milliseconds(Int64.max)),
        ] as [(String, String, Duration?)])
    func `identifier and reconnection time are there for a reconnection`(
        text: String, id: String, time: Duration?
    ) {
        for pieces in Cuts.all(Data(text.utf8)) {
            let outcome = read(pieces, after: "0")
            #expect(outcome.lastEventID == id && outcome.reconnectionTime == time, "\(pieces)")
            #expect(outcome.events.isEmpty && outcome.error == nil)
        }
    }

    @Test(
        arguments: [
            ("data:345\n\n", [.init(data: "345")], nil), ("data: 345\n\n", [], .bodyTooLarge),
            ("data:1\ndata:23\ndata:456\n\n", [.init(data: "1\n23\n456")], nil),
            ("data:1\ndata:23\ndata:456\ndata\n\n", [], .bodyTooLarge),
            ("data:1\n\ndata:2345678", [.init(data: "1")], .bodyTooLarge),
            (":2345678\ndata:1\n\n", [.init(data: "1")], nil),
            ("data:1\n\n:23456789\n", [.init(data: "1")], .bodyTooLarge),
        ] as [(String, [ServerSentEvent], HTTPError.Code?)])
    func `a line or an event beyond the limit is an error, wherever it is cut`(
        text: String, events: [ServerSentEvent], error: HTTPError.Code?
    ) {
        for pieces in Cuts.all(Data(text.utf8)) {
            let outcome = read(pieces, limit: 8)
            #expect(outcome.events == events && outcome.error == error, "\(pieces)")
        }
    }

    /// Interprets a whole stream as the standard says it, without a limit (HTML Standard §9.2.6).
    private func interpret(_ bytes: [UInt8]) -> Outcome {
        var text = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        if text.first == "\u{FEFF}" { text.removeFirst() }
        var lines = [""]
        while let scalar = text.popFirst() {
            switch scalar {
            case "\r", "\n":
                if scalar == "\r", text.first == "\n" { text.removeFirst() }
                lines.append("")
            default: lines[lines.count - 1].unicodeScalars.append(scalar)
            }
        }
        var outcome = Outcome()
        var (type, data) = ("", "")
        var id: String?
        for line in lines.dropLast() {  // the last one has no end
            if line.isEmpty {
                outcome.lastEventID = id ?? outcome.lastEventID
                if !data.isEmpty {
                    outcome.events.append(
                        ServerSentEvent(
                            type: type.isEmpty ? "message" : type,
                            data: String(data.unicodeScalars.dropLast()),
                            lastEventID: outcome.lastEventID))
                }
                (type, data) = ("", "")
            }
            let scalars = line.unicodeScalars
            let colon = scalars.firstIndex(of: ":") ?? scalars.endIndex
            var value = scalars[colon...].dropFirst()
            if value.first == " " { value.removeFirst() }
            switch String(scalars[..<colon]) {
            case "data": data += String(value) + "\n"
            case "event": type = String(value)
            case "id": if !value.contains("\0") { id = String(value) }
            case "retry":
                if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
                    outcome.reconnectionTime = .milliseconds(Int64(String(value)) ?? .max)
                }
            default: break
            }
        }
        return outcome
    }

    @Test func `a stream of any bytes follows the standard, however it is cut`() {
        let tokens = [
            "data", "data:", "data: ", "data:  x", "event", "event: e", "id", "id: 7", "id: \0",
            "retry", "retry: 15", "retry:x", ":", " ", "\0", "x", "é", "datas", "dat", "eventing",
            "\u{FEFF}", "a text of more than 15 bytes",
        ].map { Array($0.utf8) }
        let ends: [[UInt8]] = [
            [0x0A], [0x0D], [0x0D, 0x0A], [0x0A, 0x0A], [0x0D, 0x0A, 0x0D, 0x0A],
        ]
        let broken: [[UInt8]] = [[0xFF], [0xC3], [0xF0, 0x9F]]
        var random = SeededRandom(14)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...20, using: &random)).flatMap { _ in
                switch Int.random(in: 0...9, using: &random) {
                case 0: broken.randomElement(using: &random) ?? []
                case 1...4: ends.randomElement(using: &random) ?? []
                default: tokens.randomElement(using: &random) ?? []
                }
            }
            let expected = interpret(bytes)
            let lengths = (0..<4).map { _ in Int.random(in: 1...30, using: &random) }
            let cuts = [
                [Data(bytes)], Cuts.pieces(of: Data(bytes), lengths: [1]),
                Cuts.pieces(of: Data(bytes), lengths: lengths),
            ]
            for pieces in cuts { #expect(read(pieces) == expected, "\(pieces.map(Array.init))") }
        }
    }

    @Test func `what is not UTF-8 is replaced`() {
        for pieces in Cuts.all(Data("data: ".utf8) + Data([0xC3, 0x28, 0xFF]) + Data("\n\n".utf8)) {
            #expect(read(pieces).events == [ServerSentEvent(data: "\u{FFFD}(\u{FFFD}")])
        }
    }

    @Test func `a body is read as events, as they arrive`() async throws {
        let source = ScriptedBodySource(["retry: 20\nid: 1\nda", "ta: a\n\ndata: b\n", "\nid: 2\n"])
        let body = HTTPBody(source: source)
        let ends = BodyEnds(body)
        var events = body.serverSentEvents(after: "0").makeAsyncIterator()
        #expect(events.lastEventID == "0" && events.reconnectionTime == nil)
        #expect(try await events.next() == ServerSentEvent(data: "a", lastEventID: "1"))
        #expect(source.reads == 2 && events.reconnectionTime == .milliseconds(20))
        #expect(try await events.next() == ServerSentEvent(data: "b", lastEventID: "1"))
        for _ in 0..<2 { #expect(try await events.next() == nil) }
        #expect(events.lastEventID == "1" && ends.list == ["complete"])
    }

    @Test func `a failure comes after the events before it, and keeps the state`() async throws {
        let body = HTTPBody(source: ScriptedBodySource(["id: 1\ndata: a\n\ndata: b", .fail]))
        var events = body.serverSentEvents.makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        await #expect(throws: ScriptedBodySource.Failure.self) { try await events.next() }
        #expect(try await events.next() == nil)
        #expect(events.lastEventID == "1")
    }

    @Test(
        arguments: [
            ("data: a\n\ndata: [DONE]\n\ndata: b\n\n", "[DONE]", ["a"]),
            ("data: [DONE]\r\n\r\n", "[DONE]", []),
            ("data: a\n\nevent: end\nid: 7\ndata:[DONE]\n\nid: 8\n\n", "[DONE]", ["a"]),
            ("data: [DONE] \n\ndata: [DONE]x\n\ndata: x\n\n", "x", ["[DONE] ", "[DONE]x"]),
            ("data: a\n\ndata: a\ndata: b\n\ndata: c\n\n", "a\nb", ["a"]),
            ("data: a\n\ndata\n\ndata: b\n\n", "", ["a"]),
            ("data: a\n\n: [DONE]\n\ndata: \u{1E9B}\n\ndata: z\n\n", "z", ["a", "\u{1E9B}"]),
        ])
    func `an event with the data that ends the events ends them, however the stream is cut`(
        text: String, end: String, data: [String]
    ) async throws {
        for pieces in Cuts.all(Data(text.utf8)) {
            let source = ScriptedBodySource(pieces.map { .piece($0) } + [.fail])
            let body = HTTPBody(source: source)
            let ends = BodyEnds(body)
            var events = body.serverSentEvents(endingAt: end).makeAsyncIterator()
            var read: [String] = []
            while let event = try await events.next() { read.append(event.data) }
            #expect(read == data, "\(pieces)")
            #expect(try await events.next() == nil && source.discards == 1)
            #expect(ends.list == ["abandoned"], "the rest is discarded once")
            if text.contains("id: 7") { #expect(events.lastEventID == "7") }
        }
    }

    @Test func `the rest of the body is not waited for`() async throws {
        let (reached, never) = (Gate(), Gate())
        let source = ScriptedBodySource([
            "data: a\n\ndata: [DONE]\n\n", .stall(reached: reached, until: never),
        ])
        let events = HTTPBody(source: source).serverSentEvents(endingAt: "[DONE]")
        var read: [String] = []
        for try await event in events { read.append(event.data) }
        #expect(read == ["a"] && source.reads == 1)
    }

    @Test(
        arguments: [
            "data: [DONE]", "data: [DONE]\n", "data:[DONE]\r", "data: [DONE]\r\n",
            "data: a\n\ndata: [DONE]", "data: a\n\nevent: end\ndata: [DONE]\nid: 7",
        ])
    func `at the end of a body, the event that ends the events needs no blank line`(
        text: String
    ) async throws {
        for pieces in Cuts.all(Data(text.utf8)) {
            let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
            var events = body.serverSentEvents(endingAt: "[DONE]").makeAsyncIterator()
            var read: [String] = []
            while let event = try await events.next() { read.append(event.data) }
            #expect(read == (text.hasPrefix("data: a") ? ["a"] : []), "\(pieces)")
            #expect(events.isAtEnd)
            #expect(try await events.next() == nil)
        }
    }

    @Test func `a body that breaks after its last event's data is broken`() async throws {
        let body = HTTPBody(
            source: ScriptedBodySource([.piece(Data("data: [DONE]\n".utf8)), .fail]))
        var events = body.serverSentEvents(endingAt: "[DONE]").makeAsyncIterator()
        await #expect(throws: (any Error).self) { while try await events.next() != nil {} }
        #expect(!events.isAtEnd)
    }

    @Test(
        arguments: [
            "", "data: a\n\n", "data: [DONE", "data: a\ndata: [DONE]", ": [DONE]",
            "data: [DONE]\ndata", "data: [DONE]x",
        ])
    func `a body that ends before its last event is not complete`(text: String) async throws {
        let body = HTTPBody(source: ScriptedBodySource([.piece(Data(text.utf8))]))
        var events = body.serverSentEvents(endingAt: "[DONE]").makeAsyncIterator()
        let error = await #expect(throws: HTTPError.self) {
            while try await events.next() != nil {}
        }
        #expect(error?.code == .bodyIncomplete && error?.isRetryable == true)
        #expect(error?.message.contains("[DONE]") == true)
        #expect(try await events.next() == nil)
    }

    @Test func `a response that is no event stream says so and is left unread`() throws {
        let request = try HTTPRequest(.get, "https://h/")
        let body = HTTPBody(source: ScriptedBodySource(["data: a\n\n"]))
        let response = HTTPResponse(
            .ok, headers: ["Content-Type": "text/html"], body: body, to: request)
        let error = #expect(throws: HTTPError.self) { try response.serverSentEvents() }
        #expect(error?.code == .decodingFailed && error?.response?.status == .ok)
        #expect(body.canBeSent)
    }
}
