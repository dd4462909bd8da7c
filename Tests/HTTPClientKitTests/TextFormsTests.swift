import HTTPTesting
import HTTPTransportURLSession
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

/// Every text that a program may print or log, with text of a server or a caller in each place that
/// can hold it.
@Suite struct TextFormsTests {
    /// A terminal's command by ESC and by C1, NEL, the separators, marks of direction, an invisible
    /// tag, and a delete.
    private static let marks =
        "\u{1B}]0;x\u{7}\u{9B}2J\u{85}\u{2028}\u{2029}\u{202E}\u{2066}\u{200F}\u{FEFF}"
        + "\u{E0041}\u{7F}"
    /// The marks with what no field can hold.
    private static let nasty = "a\(marks)\r\n17.2 <-- 200 OK\rb"
    /// The marks that the value of a field can hold.
    private static let inField = "a\u{9B}2J\u{85}\u{2028}\u{2029}\u{202E}\u{2066}\u{200F}\u{FEFF}b"

    private static func error(_ text: String) throws -> HTTPError {
        HTTPError(HTTPError.Code(rawValue: text), text).noting(text)
            .ending(try HTTPRequest(HTTPMethod(text), "https://h/a"))
    }

    private static func exchange() -> HTTPTimeline.Exchange {
        var exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .zero))
        exchange.remoteHost = "/tmp/\(nasty)"
        exchange.versionChoices = [
            .failed(.http3, reason: nasty), .passedOver(.http3, reason: nasty),
            .announced(.http3, host: nasty, port: 1),
        ]
        return exchange
    }

    private static func timeline() -> HTTPTimeline {
        HTTPTimeline(
            exchanges: [exchange()], layerEvents: [HTTPCacheStatus(detail: nasty)])
    }

    private static func headers() -> HTTPHeaders { ["X-A": "1", "X-B": inField] }

    private static func forms() throws -> [(name: String, text: String)] {
        let request = try HTTPRequest(HTTPMethod(nasty), "https://h/a?b#c")
        let head = HTTPResponse.Head(status: .ok, headers: headers(), url: request.url)
        let error = try error(nasty)
        var cookie = ""
        if let made = try? HTTPCookieJar.Cookie("n", "v", domain: "h.example", path: "/\(inField)")
        {
            cookie = made.description
        }
        let retry = HTTPRetryEvent(
            .policy, .refused(.init(rawValue: nasty)), attempt: 1, cause: nasty)
        var forms: [(String, String)] = [
            ("HTTPHeaders", "\(headers())"), ("HTTPHeaders in a list", "\([headers()])"),
            ("HTTPHeaders.Field", headers().map { "\($0)" }.joined()),
            ("HTTPHeaderName", "\(HTTPHeaderName(nasty))"), ("HTTPMethod", "\(HTTPMethod(nasty))"),
            ("HTTPRequest", "\(request)"), ("HTTPResponse.Head", "\(head)"),
            ("HTTPError", "\(error)"), ("HTTPError.message", error.message),
            ("HTTPError.Code", "\(error.code)"),
            ("HTTPError.localizedDescription", error.errorDescription ?? ""),
            ("HTTPTimeline", "\(timeline())"), ("HTTPRetryEvent", "\(retry)"),
            ("HTTPCacheStatus", "\(HTTPCacheStatus(detail: nasty))"),
            ("HTTPJSON", "\(HTTPJSON.object([nasty: .string(nasty)]))"),
            (
                "HTTPPipelineFailure.dropped",
                "\(HTTPPipelineFailure.dropped(reason: nasty, original: .exchange(error)))"
            ),
            (
                "HTTPPipelineFailure.invalid",
                "\(HTTPPipelineFailure.invalid(reason: nasty, Data(), head))"
            ),
            ("HTTPCookieJar.Cookie", cookie),
            ("LoopbackError", "\(LoopbackError.cannotListen(reason: nasty))"),
            ("HTTPRoute", "\(HTTPRoute(verbatim: "https://h/\(nasty)"))"),
        ]
        forms += exchange().versionChoices.map { ("HTTPVersionChoice", "\($0)") }
        for (name, value) in [("HTTPError", error as Any), ("HTTPHeaders", headers())] {
            var text = ""
            dump(value, to: &text)
            forms.append(("dump of \(name)", text.replacing("\n", with: " ")))
        }
        return forms
    }

    /// Returns the characters of a text that a terminal, or a reader of lines, would obey.
    private func obeyed(_ text: String, lines: Bool = false) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: !(lines && (scalar == "\n" || scalar == "\t"))
            case .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }

    @Test func `no description breaks a line, controls a terminal or reorders text`() throws {
        for (name, text) in try Self.forms() {
            let lines = name.hasPrefix("HTTPHeaders")
            #expect(obeyed(text, lines: lines).isEmpty, "\(name): \(text.logSafe)")
            #expect(!text.isEmpty, "\(name)")
        }
    }

    @Test func `a waterfall has its own lines only`() {
        let drawing = Self.timeline().waterfall()
        #expect(obeyed(drawing, lines: true).isEmpty)
        #expect(!drawing.contains("\n17.2"))
    }

    @Test func `a log record begins no other record, and its one-line forms are one line`()
        async throws
    {
        let records = Record<HTTPLogRecord>()
        let body = "1.1 <-- 200 OK\n2.1 --> GET https://h/ \(Self.inField)\r\n3.1 x\ry"
        let session = MockSession { request in
            HTTPResponse(
                .ok, headers: ["Content-Type": "text/plain", "X-B": Self.inField],
                body: HTTPBody(body), to: request)
        }.with(HTTPLogging(records: .body) { records.add($0) })
        let request = try HTTPRequest(.post, "https://h/", headers: Self.headers()).text(body)
        _ = try await session.response(for: request)
        var entries = records.entries
        #expect(entries.count == 3)
        var changed = entries[0]
        changed.url = Self.nasty
        changed.error = Self.nasty
        changed.method = HTTPMethod(Self.nasty)
        changed.body = Self.nasty
        entries.append(changed)
        for event in [HTTPLogRecord.Event.failed, .ended] {
            changed.event = event
            entries.append(changed)
        }
        for record in entries {
            #expect(obeyed(record.description, lines: true).isEmpty)
            for line in record.description.split(separator: "\n").dropFirst() {
                #expect(line.hasPrefix("  "), "\(line)")
            }
            #expect(obeyed(record.logfmt).isEmpty)
            #expect(obeyed(record.json).isEmpty)
            #expect(try HTTPJSON(parsing: Data(record.json.utf8))["body"]?.string == record.body)
        }
    }

    @Test func `a curl command shows no such character and sends each`() throws {
        let body = "x\u{2028}\u{202E}\u{FEFF}'\r\n\ty"
        let request = try HTTPRequest(.post, "https://h/", headers: Self.headers()).text(body)
        let command = request.curlCommand()
        #expect(obeyed(command, lines: true).isEmpty, "\(command.logSafe)")
        let steering = try HTTPRequest(.post, "https://h/").text(Self.nasty).curlCommand()
        #expect(obeyed(steering, lines: true).isEmpty)
        let script = try TemporaryFile(
            "curl() { for word; do printf '%s\\0' \"$word\"; done; }\n\(command)\n")
        let output = try TemporaryFile("")
        #expect(try ChildCommand.run(["/bin/sh", script.path], writingTo: output.path) == 0)
        let words = try output.text().split(separator: "\0").map(String.init)
        #expect(words.contains("X-B: \(Self.inField)"))
        #expect(words.last == body)
    }

    @Test func `JSON that is shown is the same JSON`() throws {
        let json = HTTPJSON.object([Self.nasty: .array([.string(Self.nasty), 1, .null])])
        #expect(try HTTPJSON(parsing: Data("\(json)".utf8)) == json)
        #expect("\(json)".contains(#"\u009b2J\u0085\u2028\u2029\u202e"#))
    }

    /// A description that a program sends must not be changed.
    @Test func `a value of a field is described as it is sent`() throws {
        let type = try #require(MediaType("text/plain; a=\"\u{9B}2J\""))
        #expect(MediaType(type.description) == type)
        #expect(type.description.contains("\u{9B}2J"))
    }
}
