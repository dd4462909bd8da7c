import HTTPClientKit
import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPResponseStreamTests {
    private struct Item: Codable, Sendable, Equatable { var id: Int }

    private let mock = MockSession { request in
        switch request.url.path {
        case "/missing": HTTPResponse(.notFound, body: HTTPBody("no"), to: request)
        case "/items":
            HTTPResponse(.ok, body: HTTPBody("{\"id\":1}\n{\"id\":2}\n"), to: request)
        case "/events":
            HTTPResponse(
                .ok, headers: [.contentType: "text/event-stream"],
                body: HTTPBody("data: a\n\ndata: b\n\n"), to: request)
        case "/texts":
            HTTPResponse(.ok, body: HTTPBody("\u{1E}{\"id\":3}\n"), to: request)
        case "/values":
            HTTPResponse(
                .ok, headers: [.contentType: "text/event-stream"],
                body: HTTPBody("data: {\"id\":4}\n\ndata: [DONE]\n\n"), to: request)
        case "/latin":
            HTTPResponse(
                .ok, headers: [.contentType: "text/plain; charset=iso-8859-1"],
                body: HTTPBody(Data([0xFC, 0x0A, 0xE9])), to: request)
        default: HTTPResponse(.ok, body: HTTPBody("a\nb\nc"), to: request)
        }
    }

    private var client: HTTPClient {
        get throws { try HTTPClient(baseURL: "https://h/", transport: mock) }
    }

    @Test func `lines are in the charset of the response`() async throws {
        var read: [String] = []
        for try await line in try client.get("latin").lines { read.append(line) }
        #expect(read == ["ü", "é"])
    }

    @Test func `each iteration sends the request and reads the body as it arrives`() async throws {
        let lines = try client.get("log").lines
        #expect(mock.requests.isEmpty)
        for _ in 0..<2 {
            var read: [String] = []
            for try await line in lines { read.append(line) }
            #expect(read == ["a", "b", "c"])
        }
        #expect(mock.requests.count == 2)
        #expect(mock.requests.allSatisfy { $0.delivery == .streamed })
        let items = try client.get("items").jsonLines(of: Item.self)
        #expect(try await items.reduce(into: []) { $0.append($1) } == [Item(id: 1), Item(id: 2)])
        var options = HTTPEventSourceOptions()
        options.reconnection = .never
        let events = try client.get("events").events(options: options)
        #expect(try await events.reduce(into: []) { $0.append($1.data) } == ["a", "b"])
        let texts = try client.get("texts").jsonSequence(of: Item.self)
        #expect(try await texts.reduce(into: []) { $0.append($1) } == [Item(id: 3)])
        let values = try client.post("values").events(of: Item.self, endingAt: "[DONE]")
        #expect(try await values.reduce(into: []) { $0.append($1) } == [Item(id: 4)])
    }

    @Test func `an error comes before the first element, and then the end`() async throws {
        var iterator = try client.get("missing").lines.makeAsyncIterator()
        let error = await #expect(throws: HTTPError.self) { try await iterator.next() }
        #expect(error?.code == .unexpectedStatus)
        #expect(try await iterator.next() == nil)
        var invalid = try client.get("https://a b/").lines.makeAsyncIterator()
        await #expect(throws: HTTPError.self) { try await invalid.next() }
        #expect(try await invalid.next() == nil)
        #expect(mock.requests.count == 1)
        var whole = try client.get("log").lines.makeAsyncIterator()
        while try await whole.next() != nil {}
        #expect(try await whole.next() == nil)
        #expect(mock.requests.count == 2)
    }

    @Test func `leaving the loop abandons the body`() async throws {
        let source = ScriptedBodySource(["a\nb\n", "c\n"])
        let body = HTTPBody(source: source)
        let ends = BodyEnds(body)
        let mock = MockSession { HTTPResponse(.ok, body: body, to: $0) }
        for try await line in mock.get("https://h/").lines {
            #expect(line == "a")
            break
        }
        #expect(ends.list == ["abandoned"] && source.reads == 1)
    }

    @Test func `progress is reported while the elements are read`() async throws {
        let reports = Locked<[Int64]>([])
        let lines = try client.get("log")
            .onProgress { report in reports.withLock { $0.append(report.bytes) } }.lines
        for try await _ in lines {}
        #expect(reports.withLock { $0 } == [5])
    }
}
