import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPSessionTests {
    private struct User: Codable, Equatable, Sendable { var name: String }

    /// A type that is both decodable and convertible. Its own conversion is used.
    private struct Shout: Codable, Equatable, HTTPResponseConvertible {
        var text: String
        static func convert(from response: HTTPResponse) async throws -> Shout {
            Shout(text: try await response.text().uppercased())
        }
    }

    private struct Ticket: HTTPRequestConvertible {
        var number: Int
        var httpRequest: HTTPRequest {
            get throws { try HTTPRequest(.delete, "https://h/tickets/\(number)") }
        }
    }

    private func answering(_ text: String) -> MockSession {
        MockSession { HTTPResponse(.ok, body: HTTPBody(text), to: $0) }
    }

    // MARK: What goes in

    @Test(.rows("S1-1", "S4-3"))
    func `anything that can be turned into a request is answered`() async throws {
        let mock = answering("")
        let request = try HTTPRequest(.head, "https://h/request")
        _ = try await mock.response(for: request)
        _ = try await mock.response(for: request as any HTTPRequestConvertible)
        _ = try await mock.response(for: "https://h/text")
        _ = try await mock.response(for: URL(strictly: "https://h/url"))
        _ = try await mock.response(for: Ticket(number: 7))
        #expect(
            mock.requests.map(\.description) == [
                "HEAD https://h/request", "HEAD https://h/request", "GET https://h/text",
                "GET https://h/url", "DELETE https://h/tickets/7",
            ])
        #expect(mock.requests[1].id == request.id)
    }

    @Test(.rows("S4-3"), arguments: ["http://a b/", "", "/relative", "ftp://h/"])
    func `what cannot be sent throws before a session is asked`(text: String) async throws {
        let mock = answering("")
        let error = await #expect(throws: HTTPError.self) { try await mock.response(for: text) }
        #expect(error?.code == .invalidRequest)
        #expect(mock.requests.isEmpty)
    }

    // MARK: What comes out

    @Test(.rows("S1-2", "S1-6", "S4-4"))
    func `types that say how they are made win over JSON`() async throws {
        let mock = answering(#"{"name":"Ann"}"#)
        let text = try await mock.response(String.self, for: "https://h/")
        #expect(text == #"{"name":"Ann"}"#)
        #expect(try await mock.response(Data.self, for: "https://h/") == Data(text.utf8))
        #expect(try await mock.response(Shout.self, for: "https://h/").text == text.uppercased())
        #expect(try await mock.response(HTTPResponse.self, for: "https://h/").status == .ok)
        #expect(try await mock.response(User.self, for: "https://h/") == User(name: "Ann"))
        #expect(try await answering("[1,2]").response([Int].self, for: "https://h/") == [1, 2])
        #expect(try await answering("\"a\"").response(String.self, for: "https://h/") == "\"a\"")
    }

    // MARK: JSON

    @Test(.rows("S1-7"))
    func `JSON is decoded by a decoder of the caller's`() async throws {
        struct Event: Decodable, Equatable { var at: Date }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let mock = answering(#"{"at":5}"#)
        let event = try await mock.response(Event.self, decoder: decoder, for: "https://h/")
        #expect(event == Event(at: Date(timeIntervalSince1970: 5)))
        #expect(mock.requests.map(\.delivery) == [.buffered(upTo: HTTPBody.defaultLimit)])
    }

    @Test(.rows("S1-7"))
    func `what is no such JSON is a decoding failure`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await answering("nonsense").response(User.self, for: "https://h/")
        }
        #expect(error?.code == .decodingFailed)
    }

    // MARK: Delivery

    @Test(.rows("S4-6"))
    func `conveniences ask for a whole body, unless the caller said how`() async throws {
        let mock = answering("{}")
        struct Empty: Decodable, Sendable {}
        var request = try HTTPRequest(.get, "https://h/")
        _ = try await mock.response(for: request)
        _ = try await mock.response(String.self, for: request)
        _ = try await mock.response(Empty.self, for: request)
        request.delivery = .buffered(upTo: 5)
        _ = try await mock.response(String.self, for: request)
        _ = try await mock.response(Empty.self, for: request)
        try await mock.withResponse(for: request) { _ in }
        #expect(
            mock.requests.map(\.delivery) == [
                .streamed, .buffered(upTo: HTTPBody.defaultLimit),
                .buffered(upTo: HTTPBody.defaultLimit), .buffered(upTo: 5), .buffered(upTo: 5),
                .buffered(upTo: 5),
            ])
    }

    @Test(.rows("S4-6"))
    func `a limit that the caller raised holds to the end`() async throws {
        let text = String(repeating: "x", count: HTTPBody.defaultLimit + 1)
        let mock = answering(text)
        var request = try HTTPRequest(.get, "https://h/")
        let error = await #expect(throws: HTTPError.self) {
            try await mock.response(Data.self, for: request)
        }
        #expect(error?.code == .bodyTooLarge)
        request.delivery = .buffered(upTo: text.utf8.count)
        #expect(try await mock.response(Data.self, for: request).count == text.utf8.count)
    }

    // MARK: Lending

    @Test func `what a reader leaves is discarded before the response is given back`() async throws
    {
        let reached = Gate()
        let until = Gate()
        let source = ScriptedBodySource(
            ["a", "b"],
            discarding: {
                reached.open(); try? await until.wait()
            })
        let body = HTTPBody(source: source)
        let ends = BodyEnds(body)
        let mock = MockSession { HTTPResponse(.ok, body: body, to: $0) }
        let hasReturned = Gate()
        let lending = Task {
            let status = try await mock.withResponse(for: "https://h/") { $0.status }
            hasReturned.open()
            return status
        }
        try await reached.wait()
        #expect(ends.list.isEmpty && !hasReturned.isOpen)
        until.open()
        #expect(try await lending.value == .ok)
        #expect(ends.list == ["abandoned"])
    }

    @Test func `an unread body is discarded on return, and not merely cut`() async throws {
        let source = ScriptedBodySource(["a"])
        let body = HTTPBody(source: source)
        let mock = MockSession { HTTPResponse(.ok, body: body, to: $0) }
        let status = try await mock.withResponse(for: "https://h/") { $0.status }
        #expect(status == .ok && source.discards == 1 && source.reads == 0)
    }

    @Test func `a body is abandoned at once when the reader throws`() async throws {
        let source = ScriptedBodySource(["a"])
        let body = HTTPBody(source: source)
        let mock = MockSession { HTTPResponse(.ok, body: body, to: $0) }
        await #expect(throws: ScriptedBodySource.Failure.self) {
            try await mock.withResponse(for: "https://h/") { _ in throw ScriptedBodySource.Failure()
            }
        }
        #expect(source.discards == 0 && source.abandons == 1)
        #expect(BodyEnds(body).list == ["abandoned"])
    }

    @Test func `a body read to its end is neither`() async throws {
        let source = ScriptedBodySource(["a"])
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody(source: source), to: $0) }
        let text = try await mock.withResponse(for: "https://h/") { try await $0.text() }
        #expect(text == "a" && source.discards == 0 && source.abandons == 0)
    }

    // MARK: The seam itself

    @Test(
        .rows("S4-5"),
        .enabled(
            if: SwiftCompiler.isAvailable,
            "needs swiftc in PATH and HTTPCore.swiftmodule in the folder of the test's binary"))
    func `an empty conformance does not compile`() throws {
        let compiler = try #require(SwiftCompiler())
        let empty = try compiler.typecheck("import HTTPCore\nstruct S: HTTPSession {}")
        #expect(!empty.isAccepted)
        #expect(empty.output.contains("does not conform to protocol 'HTTPSession'"))
        // The control: with its one requirement the same text compiles.
        let whole = try compiler.typecheck(
            """
            import HTTPCore
            struct S: HTTPSession {
                func response(for request: HTTPRequest) async throws -> HTTPResponse {
                    HTTPResponse(.ok, to: request)
                }
            }
            """)
        #expect(whole.isAccepted, "\(whole.output)")
    }
}
