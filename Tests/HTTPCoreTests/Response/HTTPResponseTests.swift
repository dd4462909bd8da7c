import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPResponseTests {
    private struct User: Codable, Equatable { var name: String }

    private func response(
        _ text: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:],
        delivery: HTTPDelivery = .streamed, url: String = "https://h/a?token=hunter2"
    ) throws -> HTTPResponse {
        var request = try HTTPRequest(.get, url)
        request.delivery = delivery
        return HTTPResponse(
            status, headers: headers,
            body: HTTPBody(source: ScriptedBodySource([.piece(Data(text.utf8))])),
            to: request)
    }

    // MARK: A value

    @Test(.rows("S4-2"))
    func `conveniences reach into the head`() throws {
        var response = try response("", headers: ["a": "1"])
        #expect(response.status == .ok && response.headers == ["a": "1"])
        #expect(response.url.absoluteString == "https://h/a?token=hunter2")
        response.status = .notFound
        response.headers["a"] = "2"
        #expect(response.head.status == .notFound && response.head.headers["a"] == "2")
        #expect("\(response)" == "404 Not Found from https://h/a?…")
        #expect("\(response.head)" == "404 Not Found from https://h/a?…")
    }

    // MARK: Reading

    @Test(.rows("S1-7"))
    func `data, text and JSON read the same body, in any order`() async throws {
        let response = try response(#"{"name":"Ann"}"#)
        #expect(try await response.text() == #"{"name":"Ann"}"#)
        #expect(try await response.json(User.self) == User(name: "Ann"))
        let inferred: User = try await response.json()
        #expect(inferred == User(name: "Ann"))
        #expect(try await response.data() == Data(#"{"name":"Ann"}"#.utf8))
    }

    @Test(.rows("S1-7", "S3-5"))
    func `a body that does not decode is an error with the head, and without bytes`()
        async throws
    {
        let secret = "hunter2"
        let response = try response(
            #"{"name":42,"password":"\#(secret)"}"#, status: .badRequest,
            headers: ["Set-Cookie": secret, "Content-Type": "text/html\u{9B}31m"])
        let error = await #expect(throws: HTTPError.self) { try await response.json(User.self) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.underlyingError is DecodingError)
        #expect(error?.response?.status == .badRequest)
        #expect(error?.message.contains("400") == true && error?.message.contains("User") == true)
        #expect(error?.mayHaveReachedServer == true)
        #expect(error?.description.contains("\u{9B}") == false)
        var dumped = ""
        dump(error, to: &dumped)
        for text in [error?.description ?? "", String(reflecting: error), dumped] {
            #expect(!text.contains(secret) && !text.contains("42"))
        }
    }

    @Test func `an error of decoding keeps the beginning of the body, and shows none of it`()
        async throws
    {
        let page = "<html>hunter2" + String(repeating: "x", count: 100_000)
        let response = try response(page, headers: ["Content-Type": "text/html"])
        let error = await #expect(throws: HTTPError.self) { try await response.json(User.self) }
        #expect(error?.bodyPrefix == Data(page.utf8.prefix(64 << 10)))
        for limit in [Int.min, 0, 7, 70_000, Int.max] {
            var request = try HTTPRequest(.get, "https://h/")
            request.errorBodyLimit = limit
            let limited = HTTPResponse(.ok, body: HTTPBody(page), to: request)
            let error = await #expect(throws: HTTPError.self) { try await limited.json(User.self) }
            #expect(error?.bodyPrefix == Data(page.utf8.prefix(max(0, limit))))
        }
        #expect(error?.response?.headers.contentType?.essence == "text/html")
        #expect(error?.url == "https://h/a?…")
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error as Any)", String(reflecting: error), error?.message ?? "", dumped] {
            #expect(!text.contains("<html>"))
        }
        let short = try self.response("[]")
        let ofShort = await #expect(throws: HTTPError.self) { try await short.json(User.self) }
        #expect(ofShort?.bodyPrefix == Data("[]".utf8))
        let ofText = await #expect(throws: HTTPError.self) {
            try await HTTPResponse(
                .ok, body: HTTPBody(Data([0x61, 0xFF])), to: try HTTPRequest(.get, "https://h/")
            ).text()
        }
        #expect(ofText?.bodyPrefix == Data([0x61, 0xFF]))
    }

    @Test(arguments: [
        ("{}", "\"[0].name\" is missing"), ("null", "\"[0]\" is null, not"),
        ("{\"name\":null}", "\"[0].name\" is null, not String"),
        ("{\"name\":424242}", "\"[0].name\" is not of type String"),
        ("{\"name\":hunter2}", "the whole value is malformed"),
    ])
    func `an error of decoding says where and of what kind, never what was there`(
        element: String, place: String
    ) async throws {
        struct Named: Decodable, Sendable { var name: String }
        let response = try response("[\(element)]")
        let error = await #expect(throws: HTTPError.self) { try await response.json([Named].self) }
        #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("424242") == false)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test(.rows("S1-7", "S3-5"))
    func `any decoder may read the body, and its error comes with what JSON's would`()
        async throws
    {
        struct Refusal: Error {}
        let response = try response("a,b", headers: ["Content-Type": "text/csv"])
        let cells = try await response.decoded { bytes in bytes.split(separator: 0x2C).count }
        #expect(cells == 2)
        let error = await #expect(throws: HTTPError.self) {
            try await response.decoded { _ -> User in throw Refusal() }
        }
        #expect(error?.code == .decodingFailed && error?.underlyingError is Refusal)
        #expect(error?.bodyPrefix == Data("a,b".utf8) && error?.status == .ok)
        #expect(error?.message.contains("User") == true)
        let beyond = await #expect(throws: HTTPError.self) {
            try await response.decoded(upTo: 2) { $0 }
        }
        #expect(beyond?.code == .bodyTooLarge)
    }

    // MARK: JSON of any shape

    @Test(.rows("B-8"))
    func `JSON of any shape is read into a value of JSON, or of Any`() async throws {
        let json = try await response(#"{"b":[1,null],"a":"x"}"#).json(HTTPJSON.self)
        #expect(json["a"]?.string == "x" && json["b"]?[0]?.int == 1 && json["b"]?[1] == .null)
        let any = try #require(json.anyValue as? [String: Any])
        #expect(any["a"] as? String == "x")
    }

    // MARK: Text

    @Test(
        .rows("S4-16"),
        arguments: [
            ("text/plain; charset=latin1", .windows1252),
            ("text/plain;charset=\"UTF-16LE\"", .utf16LE),
            ("text/plain; charset=klingon", nil), ("text/plain", nil), ("nonsense", nil),
            (nil, nil),
        ] as [(String?, HTTPCharset.Encoding?)])
    func `the text's encoding is the one that the type names, if any is known by that name`(
        contentType: String?, charset: HTTPCharset.Encoding?
    ) async throws {
        var response = try response("a")
        response.headers[.contentType] = contentType
        #expect(response.textEncoding?.encoding == charset)
        #expect(try await response.data() == Data("a".utf8))
    }

    @Test(.rows("S4-16"))
    func `bytes that are not UTF-8 are no text`() async throws {
        let request = try HTTPRequest(.get, "https://h/")
        let response = HTTPResponse(.ok, body: HTTPBody(Data([0x61, 0xFF])), to: request)
        let error = await #expect(throws: HTTPError.self) { try await response.text() }
        #expect(error?.code == .decodingFailed && error?.response?.status == .ok)
        #expect(error?.url == "https://h/")
    }

    // MARK: Limits

    @Test func `the limit is the caller's, else the request's, else 16 MiB`() async throws {
        let large = String(repeating: "x", count: HTTPBody.defaultLimit + 1)
        let beyond = await #expect(throws: HTTPError.self) { try await response(large).data() }
        #expect(beyond?.code == .bodyTooLarge)
        #expect(try await response(large).data(upTo: .max).count == large.count)
        #expect(
            try await response(large, delivery: .buffered(upTo: .max)).text().count == large.count)

        let small = await #expect(throws: HTTPError.self) {
            try await response("abc", delivery: .buffered(upTo: 2)).text()
        }
        #expect(small?.code == .bodyTooLarge)
        let explicit = await #expect(throws: HTTPError.self) {
            try await response(#"{"name":""}"#).json(User.self, upTo: 3)
        }
        #expect(explicit?.code == .bodyTooLarge)
    }

    @Test func `buffering reads to the end and keeps the trailers`() async throws {
        let request = try HTTPRequest(.get, "https://h/")
        let source = ScriptedBodySource(["a", "b"], trailers: ["t": "1"])
        let response = HTTPResponse(.ok, body: HTTPBody(source: source), to: request)
        #expect(response.trailers == nil)
        let buffered = try await response.buffered()
        #expect(buffered.body.bytes == Data("ab".utf8) && buffered.trailers == ["t": "1"])
        for _ in 0..<2 {
            var whole = Data()
            for try await piece in buffered.body { whole += piece }
            #expect(whole == Data("ab".utf8))
        }
        #expect(try await buffered.buffered().trailers == ["t": "1"])
    }

    @Test(arguments: [true, false])
    func `buffering holds to its limit, also for a body in memory`(inMemory: Bool) async throws {
        let body = inMemory ? HTTPBody("abc") : HTTPBody(source: ScriptedBodySource(["abc"]))
        let response = HTTPResponse(.ok, body: body, to: try HTTPRequest(.get, "https://h/"))
        let error = await #expect(throws: HTTPError.self) { try await response.buffered(upTo: 2) }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func `a body cut short fails buffering`() async throws {
        let body = HTTPBody(source: ScriptedBodySource(["a", .fail]))
        let response = HTTPResponse(.ok, body: body, to: try HTTPRequest(.get, "https://h/"))
        await #expect(throws: ScriptedBodySource.Failure.self) { try await response.buffered() }
    }

    // MARK: The request it answers

    @Test(.rows("S4-12"), arguments: [(64 << 10, true), (64 << 10 + 1, false)])
    func `the original request keeps a small body and no call`(count: Int, isKept: Bool) throws {
        let body = HTTPBody(Data(count: count))
        let request = try HTTPRequest(.post, "https://h/", body: body).beginningCall()
        let original = HTTPResponse(.ok, to: request).originalRequest
        #expect(original.body.bytes?.count == (isKept ? count : 0))
        #expect(original.call == nil && request.call != nil)
        #expect(original.id == request.id)
    }

    @Test(.rows("S4-12"))
    func `the original request keeps no stream alive`() throws {
        let source = ScriptedBodySource(["a"])
        var request: HTTPRequest? = try HTTPRequest(
            .post, "https://h/", body: HTTPBody(source: source))
        let response = try HTTPResponse(.ok, to: #require(request))
        request = nil
        #expect(source.abandons == 1)
        #expect(response.originalRequest.body.bytes == Data())
    }

    @Test(.rows("S4-2"))
    func `a head is kept without holding the body`() throws {
        let source = ScriptedBodySource(["a"])
        var response: HTTPResponse? = try HTTPResponse(
            .ok, body: HTTPBody(source: source), to: HTTPRequest(.get, "https://h/"))
        let head = response?.head
        response = nil
        #expect(source.abandons == 1 && head?.status == .ok)
    }

    // MARK: Its end

    enum Ending: CaseIterable { case read, discarded, abandoned, dropped, failed, inMemory }

    /// An end in short, with the number of bytes that the exchange's record then has.
    private struct End: Equatable {
        var name: String
        var bytes: Int64?

        init(_ name: String, bytes: Int64?) { (self.name, self.bytes) = (name, bytes) }

        init(_ end: HTTPBodyEnd, _ exchange: HTTPTimeline.Exchange?) {
            name =
                switch end {
                case .complete: "complete"
                case .abandoned: "abandoned"
                case .failed: "failed"
                }
            bytes = exchange?.responseBodyBytes
        }
    }

    @Test(arguments: Ending.allCases)
    func `its end is told once, with its exchange, and without holding the body`(
        ending: Ending
    ) async throws {
        let record = ExchangeRecord()
        let ends = Locked([End]())
        weak var alive: ScriptedBodySource?
        do {
            let request = try HTTPRequest(.get, "https://h/").beginningCall()
            let source = ScriptedBodySource(ending == .failed ? ["abc", .fail] : ["abc"])
            alive = source
            let response = HTTPResponse(
                HTTPResponse.Head(status: .ok, url: request.url),
                body: ending == .inMemory ? HTTPBody("abc") : HTTPBody(source: source),
                to: request, timeline: record)
            // The numbers are those at the end, not those at the time of registering.
            response.whenEnded { end, exchange in
                ends.withLock { $0.append(End(end, exchange)) }
            }
            #expect(ends.withLock { $0.count } == (ending == .inMemory ? 1 : 0))
            record.update { $0.responseBodyBytes = 3 }
            switch ending {
            case .read, .inMemory: #expect(try await response.text() == "abc")
            case .discarded: await response.discard()
            case .abandoned: response.body.abandon()
            case .failed:
                await #expect(throws: ScriptedBodySource.Failure.self) {
                    try await response.data()
                }
            case .dropped: break
            }
            if ending != .dropped {
                await response.discard()
                response.body.abandon()
            }
        }
        let expected =
            switch ending {
            case .read: End("complete", bytes: 3)
            case .inMemory: End("complete", bytes: 0)
            case .discarded, .abandoned, .dropped: End("abandoned", bytes: 3)
            case .failed: End("failed", bytes: 3)
            }
        #expect(ends.withLock { $0 } == [expected])
        #expect(alive == nil)
    }

    @Test func `a handler that comes after the end runs at once`() async throws {
        let record = ExchangeRecord()
        let request = try HTTPRequest(.get, "https://h/")
        let response = HTTPResponse(
            HTTPResponse.Head(status: .ok, url: request.url),
            body: HTTPBody(source: ScriptedBodySource(["abc"])), to: request, timeline: record)
        _ = try await response.data()
        record.update { $0.responseBodyBytes = 3 }
        for count in 1...2 {
            let ends = Locked([End]())
            for _ in 0..<count {
                response.whenEnded { end, exchange in
                    ends.withLock { $0.append(End(end, exchange)) }
                }
            }
            #expect(
                ends.withLock { $0 } == Array(repeating: End("complete", bytes: 3), count: count))
        }
    }

    @Test func `a response without a transport ends without an exchange`() throws {
        let ends = Locked([End]())
        HTTPResponse(.ok, to: try HTTPRequest(.get, "https://h/").beginningCall())
            .whenEnded { end, exchange in ends.withLock { $0.append(End(end, exchange)) } }
        #expect(ends.withLock { $0 } == [End("complete", bytes: nil)])
    }

    // MARK: Extras

    @Test(.rows("S0-8", "S0-9"))
    func `extras travel with the response`() throws {
        enum Note: HTTPRequestOption { static let defaultValue = "" }
        var response = try response("")
        #expect(response[Note.self] == "")
        response[Note.self] = "from the cache"
        #expect(response[Note.self] == "from the cache")
    }

    // MARK: Timeline

    @Test(.rows("B-15"))
    func `the timeline is the call's, or the one exchange's, as it is now`() throws {
        let record = GrowingRecord()
        let single = HTTPResponse(
            HTTPResponse.Head(status: .ok, url: try URL(strictly: "https://h/")),
            to: try HTTPRequest(.get, "https://h/"), timeline: record)
        #expect(single.timeline.exchanges.map(\.responseBodyBytes) == [0])
        record.receive(5)
        #expect(single.timeline.exchanges.map(\.responseBodyBytes) == [5])

        let request = try HTTPRequest(.get, "https://h/").beginningCall()
        #expect(request.call?.beginSend(GrowingRecord()) == 1)
        #expect(request.call?.beginSend(record) == 2)
        let second = HTTPResponse(
            HTTPResponse.Head(status: .ok, url: request.url), to: request, timeline: record)
        #expect(second.timeline.exchanges.map(\.responseBodyBytes) == [0, 5])
        #expect(
            HTTPResponse(.ok, to: try HTTPRequest(.get, "https://h/")).timeline.exchanges.isEmpty)
    }
}

/// A record that a transport continues to write.
final class GrowingRecord: HTTPTimelineRecord {
    private let state = Locked(HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .zero)))
    var exchange: HTTPTimeline.Exchange { state.withLock { $0 } }
    func receive(_ count: Int64) { state.withLock { $0.responseBodyBytes += count } }
}
