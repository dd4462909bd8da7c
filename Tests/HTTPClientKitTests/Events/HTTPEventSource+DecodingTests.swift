import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPEventSourceDecodingTests {
    private struct Word: Decodable, Sendable { var text: String }

    /// Responds with the streams in order, and then with 204.
    private func server(_ streams: [String]) -> MockSession {
        let rest = Locked(streams[...])
        return MockSession { request in
            guard let text = rest.withLock({ $0.popFirst() }) else {
                return HTTPResponse(.noContent, to: request)
            }
            return HTTPResponse(
                .ok, headers: [.contentType: "text/event-stream"], body: HTTPBody(text),
                to: request)
        }
    }

    private var options: HTTPEventSourceOptions {
        var options = HTTPEventSourceOptions()
        options.clock = BriskClock()
        return options
    }

    @Test func `values continue over connections, until the event that ends them`() async throws {
        let session = server([
            "id: 1\ndata: {\"text\":\"a\"}\n\n", "event: ping\ndata: x\n\n",
            "data: {\"text\":\"b\"}\n\ndata: [DONE]\n\ndata: x\n\n",
        ])
        let words = try session.events(
            of: Word.self, types: ["message"], from: "https://h/", endingAt: "[DONE]",
            options: options)
        #expect(session.requests.isEmpty, "nothing is sent yet")
        var iterator = words.makeAsyncIterator()
        #expect(try await iterator.next()?.text == "a")
        #expect(try await iterator.next()?.text == "b")
        for _ in 0..<2 { #expect(try await iterator.next() == nil) }
        #expect(session.requests.map { $0.headers[.lastEventID] } == [nil, "1", "1"])
    }

    @Test func `an event that is no value ends all, and is counted over the connections`()
        async throws
    {
        let session = server([
            "data: {\"text\":\"a\"}\n\n",
            "data: {\"text\":\"b\"}\n\nevent: secretless\ndata: {\"text\":[\"secret\"]}\n\n",
            "data: {\"text\":\"c\"}\n\n",
        ])
        var words = try session.events(of: Word.self, from: "https://h/", options: options)
            .makeAsyncIterator()
        var read: [String] = []
        let error = await #expect(throws: HTTPError.self) {
            while let word = try await words.next() { read.append(word.text) }
        }
        #expect(read == ["a", "b"])
        #expect(error?.code == .decodingFailed)
        #expect(error?.message.hasPrefix(#"event 3 of type "secretless""#) == true)
        #expect(error?.description.contains("[\"secret") == false)
        #expect(try await words.next() == nil, "an error is the end")
        #expect(session.requests.count == 2)
    }

    @Test func `a caller's decoder decodes`() async throws {
        struct Name: Decodable, Sendable { var firstName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let session = server(["data: {\"first_name\":\"Ada\"}\n\n"])
        var names: [String] = []
        for try await name in try session.events(
            of: Name.self, from: HTTPRequest(.post, "https://h/"), decoder: decoder)
        {
            names.append(name.firstName)
        }
        #expect(names == ["Ada"])
    }

    @Test func `an invalid request is an error before anything is sent`() {
        let session = server([])
        #expect(throws: HTTPError.self) {
            try session.events(of: Word.self, from: "https://h/ /")
        }
        #expect(session.requests.isEmpty)
    }

    @Test(arguments: ClientWire.allCases)
    func `over a real connection, an event that is no value gives it up`(
        wire: ClientWire
    ) async throws {
        let gate = LoopbackGate()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        let server = try LoopbackServer(script: { _ in
            [
                .send(head + "\r\ndata: {\"text\":\"a\"}\n\ndata: x\n\n"), .pause(until: gate),
                .stall,
            ]
        })
        var read: [String] = []
        let transport = try wire.transport()
        let error = await #expect(throws: HTTPError.self) {
            for try await word in try transport.events(of: Word.self, from: server.url("/")) {
                read.append(word.text)
            }
        }
        #expect(read == ["a"] && error?.code == .decodingFailed)
        try await server.waitUntil { $0.connections.open == 0 }
        #expect(server.log.count == 1)
    }
}
