import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPLogRecordTests {
    private let log = Record<HTTPLogRecord>()
    private let clock = HTTPTestClock()

    private func request(
        _ url: String = "http://h/a?token=Hidden"
    ) throws -> HTTPRequest {
        try HTTPRequest(
            .post, url,
            headers: ["Authorization": "Hidden", "X-A": "1", "X-B": "a \"b\" = \u{202E}c"]
        ).text("ping").beginningCall(clock: clock)
    }

    private func session(
        _ level: HTTPLogging.Level, body: HTTPBody = HTTPBody("pong"), failing: (any Error)? = nil
    ) -> any HTTPSession {
        MockSession { request in
            clock.advance(by: .microseconds(12_345))
            if let failing { throw failing }
            return HTTPResponse(
                .notFound, headers: ["Set-Cookie": "Hidden", "Content-Type": "text/plain"],
                body: body, to: request)
        }.with(HTTPLogging(records: level) { log.add($0) })
    }

    private func lines(_ line: (HTTPLogRecord) -> String) -> [String] {
        log.entries.map { record in
            let numbered = record.callID
            return line(record).replacing("call=\(numbered) ", with: "call=N ")
                .replacing("\"call\":\(numbered),", with: "\"call\":N,")
        }
    }

    // MARK: Values

    @Test(.rows("B-10"))
    func `the records of an exchange have its values and no secrets`() async throws {
        let request = try request()
        _ = try await session(.basic).response(for: request)
        let records = log.entries
        #expect(records.map(\.event) == [.request, .response, .ended])
        #expect(records.allSatisfy { $0.callID == request.call?.id && $0.exchange == 1 })
        #expect(records.allSatisfy { $0.method == .post && $0.url == "http://h/a?…" })
        #expect(records.map(\.status) == [nil, .notFound, .notFound])
        #expect(
            records.map(\.duration) == [nil, .microseconds(12_345), .microseconds(12_345)])
        #expect(records.map(\.bodyBytes) == [4, nil, 4])
        #expect(records.map(\.bodyEnd) == [nil, nil, .complete])
        #expect(records.allSatisfy { $0.headers == nil && $0.body == nil && !$0.isFailure })
    }

    @Test(.rows("B-10"))
    func `a failure is named by its type, and an unknown error by nothing else`() async throws {
        struct Secret: Error { let text = "Hidden" }
        let errors: [(any Error, String)] = [
            (HTTPError(.connectionLost, "the connection was lost"), "connectionLost"),
            (CancellationError(), "cancelled"), (Secret(), "Secret"),
        ]
        for (error, name) in errors {
            _ = try? await session(.basic, failing: error).response(for: request())
            let record = try #require(log.entries.last)
            #expect(record.event == .failed && record.isFailure)
            #expect(record.errorType == name)
            #expect(record.error?.contains("Hidden") == false)
            #expect(record.status == nil && record.duration == .microseconds(12_345))
        }
    }

    @Test(.rows("B-10"))
    func `a body that is given up, or fails, is the record's end`() async throws {
        let open = HTTPBody(AsyncStream<Data> { _ in })
        await (try session(.basic, body: open).response(for: request())).discard()
        #expect(log.entries.last?.bodyEnd == .abandoned)
        #expect(log.entries.last?.isFailure == false)

        let failing = HTTPBody(
            AsyncThrowingStream<Data, any Error> {
                $0.yield(Data("po".utf8))
                $0.finish(throwing: HTTPError(.bodyIncomplete, "the body ended early"))
            })
        let response = try await session(.basic, body: failing).response(for: request())
        await #expect(throws: HTTPError.self) { try await response.data() }
        let record = try #require(log.entries.last)
        #expect(record.bodyEnd == .failed && record.isFailure)
        #expect(record.errorType == "bodyIncomplete")
        #expect(record.bodyBytes == 2)
        #expect(record.status == .notFound)
    }

    // MARK: Lines

    @Test(.rows("B-10"))
    func `logfmt has a pair for each value`() async throws {
        _ = try await session(.body).response(for: request())
        #expect(
            lines(\.logfmt) == [
                #"event=request call=N exchange=1 method=POST url=http://h/a?… body_bytes=4 "#
                    + #"header.authorization=<redacted> header.x-a=1 "#
                    + #"header.x-b="a \"b\" = \u202ec" "#
                    + #"header.content-type="text/plain; charset=utf-8" body=ping"#,
                #"event=response call=N exchange=1 method=POST url=http://h/a?… status=404 "#
                    + #"duration_ms=12.345 header.set-cookie=<redacted> "#
                    + #"header.content-type=text/plain"#,
                #"event=ended call=N exchange=1 method=POST url=http://h/a?… status=404 "#
                    + #"duration_ms=12.345 body_bytes=4 body_end=complete body=pong"#,
            ])
    }

    @Test(.rows("B-10"))
    func `JSON is an object on one line that a parser reads`() async throws {
        let odd = "\u{1F600}\u{2028}\n\t\\\u{E0001}\"end"
        _ = try await session(.body, body: HTTPBody(odd)).response(for: request())
        let texts = lines(\.json)
        #expect(
            texts[1] == #"{"event":"response","call":N,"exchange":1,"method":"POST","#
                + #""url":"http://h/a?…","status":404,"duration_ms":12.345,"#
                + #""headers":[["set-cookie","<redacted>"],["content-type","text/plain"]]}"#)
        for record in log.entries {
            let text = record.json
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
            let json = try HTTPJSON(parsing: Data(text.utf8))
            #expect(json["event"]?.string == record.event.rawValue)
            #expect(json["body"]?.string == record.body)
            #expect(json["headers"]?.array?.count == record.headers?.count)
            #expect(!text.contains("Hidden") && !record.logfmt.contains("Hidden"))
            #expect(!record.description.contains("Hidden") && !"\(record)".contains("Hidden"))
        }
    }

    /// A reader of pairs: names, `=`, and values that are plain or JSON strings.
    @Test(.rows("B-10"))
    func `values of any text stay apart in a line`() async throws {
        var random = SeededRandom(21)
        let scalars = Array("ab =\"\\\n\t\u{0}\u{9B}\u{2028}\u{202E}é\u{1F600}".unicodeScalars)
        for _ in 0..<300 {
            var value = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                value.append(scalars.randomElement(using: &random) ?? "a")
            }
            let text = String(value)
            _ = try await session(.body, body: HTTPBody("<\(text)>")).response(for: request())
            let record = try #require(log.entries.last)
            let line = record.logfmt
            #expect(!line.contains { $0.isNewline })
            let pair = try #require(line.split(separator: " body=", maxSplits: 1).last)
            let shown = try #require(record.body)
            if pair.first == "\"" {
                #expect(try HTTPJSON(parsing: Data(pair.utf8)).string == shown)
            } else {
                #expect(String(pair) == shown)
            }
        }
    }
}
