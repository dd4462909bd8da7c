import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The code of Docs/Guides/Streams.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct StreamsGuideTests {
    private let service = MockSession { request in
        func response(_ type: String, _ text: String) -> HTTPResponse {
            HTTPResponse(.ok, headers: [.contentType: type], body: HTTPBody(text), to: request)
        }
        return switch request.url.path() {
        case "/log": response("text/plain", "a\nb\n")
        case "/readings": response("application/x-ndjson", "{\"value\":1}\n{\"value\":2}\n")
        case "/journal":
            response(
                "application/json-seq", "\u{1E}{\"value\":1}\n\u{1E}{\"val\u{1E}{\"value\":2}\n")
        case "/events":
            response("text/event-stream", "id: 8\ndata: a\n\nevent: goodbye\ndata: b\n\n")
        case "/v1/chat/completions":
            response(
                "text/event-stream",
                #"data: {"choices":[{"delta":{"role":"assistant"}}]}"# + "\n\n"
                    + #"data: {"choices":[{"delta":{"content":"A "}}]}"# + "\n\n"
                    + #"data: {"choices":[{"delta":{"content":"protocol."}}]}"# + "\n\n"
                    + "data: [DONE]\n\n")
        default:
            response(
                "text/event-stream",
                "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: content_block_delta\n"
                    + #"data: {"delta":{"text":"A protocol."}}"# + "\n\n"
                    + "event: error\ndata: {\"message\":\"busy\"}\n\n")
        }
    }

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://api.example.com/", transport: service) }
    }

    private struct Reading: Decodable {
        var value: Int
    }

    @Test func `lines`() async throws {
        let client = try client
        for try await line in client.get("log").lines { print(line) }
        #expect(service.requests.count == 1)
    }

    @Test func `JSON lines`() async throws {
        let client = try client
        let sum = try await client.get("readings").withResponse { response in
            var sum = 0
            for try await reading in response.jsonLines(of: Reading.self) { sum += reading.value }
            return sum
        }
        #expect(sum == 3)
    }

    @Test func `JSON in loops`() async throws {
        let client = try client
        var sum = 0
        for try await reading in client.get("readings").jsonLines(of: Reading.self) {
            sum += reading.value
        }
        let journal = client.get("journal").jsonSequence(of: Reading.self, skippingMalformed: true)
        for try await reading in journal { sum += reading.value }
        #expect(sum == 6)
    }

    @Test func `events`() async throws {
        let client = try client
        for try await event in try client.events(from: "events") {
            print(event.type, event.data)
            if event.type == "goodbye" { break }
        }
        #expect(service.requests.count == 1)
    }

    @Test func `events after a restart`() async throws {
        var lastEventID = "7"
        let service = MockSession { request in
            guard request.headers[.lastEventID] == "7" else {
                return HTTPResponse(.noContent, to: request)
            }
            return HTTPResponse(
                .ok, headers: [.contentType: "text/event-stream"],
                body: HTTPBody("retry: 0\nid: 8\ndata: a\n\n"), to: request)
        }
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: service)
        var options = HTTPEventSourceOptions()
        options.lastEventID = lastEventID
        for try await event in try client.events(from: "events", options: options) {
            print(event.data)
            lastEventID = event.lastEventID
        }
        #expect(service.requests.map { $0.headers[.lastEventID] } == ["7", "8"])
    }

    private struct Question: Encodable {
        struct Message: Encodable { var role = "user", content: String }
        var model = "small", messages: [Message], stream = true
    }

    private let question = Question(messages: [.init(content: "What is HTTP?")])

    struct Chunk: Decodable {
        struct Choice: Decodable { var delta: Delta }
        struct Delta: Decodable { var content: String? }
        var choices: [Choice]
    }

    @Test func `a chat`() async throws {
        let client = try client
        let request = client.post("v1/chat/completions", json: question)
        var answer = ""
        for try await chunk in try request.events(of: Chunk.self, endingAt: "[DONE]") {
            answer += chunk.choices.first?.delta.content ?? ""
        }
        #expect(answer == "A protocol.")
        #expect(service.requests.map(\.method) == [.post])
    }

    @Test func `the page shows the error of an event that is not decoded`() async throws {
        let client = HTTPClient(
            transport: MockSession { request in
                HTTPResponse(
                    .ok, headers: [.contentType: "text/event-stream"],
                    body: HTTPBody("data: {\"choices\":[]}\n\nevent: x\ndata\n\ndata: {}\n\n"),
                    to: request)
            })
        let events = try client.events(
            of: Chunk.self, types: ["message"], from: HTTPRequest(.post, "https://h/"))
        let error = await #expect(throws: HTTPError.self) { for try await _ in events {} }
        let words = try GuidePage("Streams").text.split(whereSeparator: \.isWhitespace)
        #expect(words.joined(separator: " ").contains(try #require(error?.message)))
    }

    private struct Block: Decodable {
        struct Delta: Decodable { var text: String }
        var delta: Delta
    }

    private struct ModelError: Error, Decodable {
        var message: String
    }

    @Test func `events of several types`() async throws {
        let client = try client
        var answer = ""
        await #expect(throws: ModelError.self) {
            let request = client.post("v1/messages", json: question)
            for try await event in try request.events() {
                switch event.type {
                case "content_block_delta": answer += try event.json(Block.self).delta.text
                case "error": throw try event.json(ModelError.self)
                default: break
                }
            }
        }
        #expect(answer == "A protocol.")
    }

    @Test func `events of one type`() async throws {
        let client = try client
        let request = client.post("v1/messages", json: question)
        var answer = ""
        let blocks = try request.events(of: Block.self, types: ["content_block_delta"])
        for try await block in blocks { answer += block.delta.text }
        #expect(answer == "A protocol.")
    }

    @Test func `cancelling`() async throws {
        let client = try client
        let reading = Task {
            for try await event in try client.events(from: "events") {
                print(event.data)
            }
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func `time limits`() async throws {
        let client = try client
        let limited = client.post("v1/chat/completions", json: question)
            .timeouts(HTTPTimeouts(responseHead: .seconds(60), idle: .seconds(30)))
            .deadline(in: .seconds(300))
        let chunks = try limited.events(of: Chunk.self, endingAt: "[DONE]")
        for try await _ in chunks {}
        let sent = try #require(service.requests.first)
        #expect(sent.deadline != nil && sent.timeouts.idle == .seconds(30))
        #expect(sent.timeouts.responseHead == .seconds(60))
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Streams")
        #expect(page.blocks.count == 12)
        #expect(page.untested == [])
    }
}
