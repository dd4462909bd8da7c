import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct DecodedEventsTests {
    struct Word: Codable, Sendable, Equatable { var text: String }

    private let stream =
        "data: {\"text\":\"a\"}\n\nevent: word\ndata: {\"text\":\ndata: \"b\"}\n\n: c\n\n"
        + "event: ping\ndata: {}\n\ndata: {\"text\":\"d\"}\n\n"

    private func words(_ pieces: [Data], types: Set<String>?) async throws -> [String] {
        let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
        var words: [String] = []
        for try await word in body.serverSentEvents(of: Word.self, types: types) {
            words.append(word.text)
        }
        return words
    }

    @Test(
        arguments: [
            (["message", "word"], ["a", "b", "d"]), (["word"], ["b"]), (["other"], []), ([], []),
        ] as [(Set<String>, [String])])
    func `events of the types are values, other events are skipped, however they are cut`(
        types: Set<String>, expected: [String]
    ) async throws {
        for pieces in Cuts.all(Data(stream.utf8)) {
            #expect(try await words(pieces, types: types) == expected)
        }
    }

    @Test func `the first event that is no value ends the reading and is named, without its data`()
        async throws
    {
        let body = HTTPBody(
            source: ScriptedBodySource([
                .piece(Data(stream.utf8)), "event: word\ndata: {\"text\":[\"secret\"]}\n\n",
                "data: {\"text\":\"e\"}\n\n",
            ]))
        let ends = BodyEnds(body)
        var events = body.serverSentEvents(of: Word.self, types: ["message", "word"])
            .makeAsyncIterator()
        var words: [String] = []
        let error = await #expect(throws: HTTPError.self) {
            while let word = try await events.next() { words.append(word.text) }
        }
        #expect(words == ["a", "b", "d"])
        #expect(error?.code == .decodingFailed && error?.underlyingError is DecodingError)
        #expect(
            error?.message
                == #"event 5 of type "word" is not a valid Word: "text" is not of type String"#)
        #expect(error?.description.contains("secret") == false)
        #expect(try await events.next() == nil, "an error is the end")
        #expect(ends.list == ["abandoned"])
    }

    @Test func `the type in an error cannot forge a log`() async throws {
        let body = HTTPBody("event: a\u{1B}[2J\ndata: x\n\n")
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in body.serverSentEvents(of: Word.self) {}
        }
        #expect(error?.message.contains("\u{1B}") == false)
        #expect(error?.message.hasPrefix("event 1 of type") == true)
    }

    @Test(arguments: [
        "data: [DONE]\n\n", "data: [DONE]\n\ndata: x\n\nevent: y", "event: z\ndata: [DONE]\n\n",
    ])
    func `the event that ends the values is not decoded, nor is the rest`(end: String) async throws
    {
        for pieces in Cuts.all(Data(("data: {\"text\":\"a\"}\n\n" + end).utf8)) {
            let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
            var events = body.serverSentEvents(of: Word.self, endingAt: "[DONE]")
                .makeAsyncIterator()
            #expect(try await events.next() == Word(text: "a"))
            for _ in 0..<2 { #expect(try await events.next() == nil) }
        }
    }

    @Test func `a caller's decoder decodes, and numbers of any shape keep their digits`()
        async throws
    {
        struct Name: Decodable, Sendable { var firstName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = HTTPBody("data: {\"first_name\":\"Ada\"}\n\n")
        for try await name in body.serverSentEvents(of: Name.self, decoder: decoder) {
            #expect(name.firstName == "Ada")
        }
        let event = ServerSentEvent(data: "{\"first_name\":\"Ada\"}")
        #expect(try event.json(Name.self, decoder: decoder).firstName == "Ada")
        #expect(
            try ServerSentEvent(data: "12345678901234567890").json(HTTPJSON.self).description
                == "12345678901234567890")
    }

    @Test func `an event that is no value says so, without its data`() {
        let event = ServerSentEvent(type: "delta", data: #"{"text":["secret"]}"#)
        let error = #expect(throws: HTTPError.self) { try event.json(Word.self) }
        #expect(error?.code == .decodingFailed)
        #expect(
            error?.message
                == #"the data of an event of type "delta" is not a valid Word: "#
                + #""text" is not of type String"#)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `a response is read as values only if it is an event stream`() async throws {
        let request = try HTTPRequest(.get, "https://h/")
        func response(_ type: String) -> HTTPResponse {
            HTTPResponse(
                .ok, headers: [.contentType: type],
                body: HTTPBody("id: 1\ndata: {\"text\":\"a\"}\n\n"),
                to: request)
        }
        let error = #expect(throws: HTTPError.self) {
            try response("text/html").serverSentEvents(of: Word.self)
        }
        #expect(error?.code == .decodingFailed)
        var words: [Word] = []
        for try await word in try response("text/event-stream").serverSentEvents(of: Word.self) {
            words.append(word)
        }
        #expect(words == [Word(text: "a")])
    }
}
