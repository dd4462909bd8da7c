import HTTPClientKit
import Testing

@testable import fetch

@Suite struct WriteOutTests {
    private func report(failure: FetchFailure? = nil) throws -> TransferReport {
        var first = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .seconds(5)))
        first.lastByte = .milliseconds(100)
        var last = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .seconds(6)))
        last.connected = .milliseconds(20)
        last.firstByte = .milliseconds(30)
        last.lastByte = .milliseconds(500)
        last.responseBodyBytes = 3000
        last.remoteHost = "::1"
        let headers: HTTPHeaders = ["Content-Type": "text/plain", "X": "a\"b", "x": "2"]
        let request = try HTTPRequest("http://h/b")
        return TransferReport(
            url: "http://h/a", method: "GET",
            head: HTTPResponse(.ok, headers: headers, to: request).head, redirects: 1,
            timeline: HTTPTimeline(exchanges: [first, last]), elapsed: .seconds(9),
            fileName: nil, failure: failure)
    }

    @Test(arguments: [
        ("%{http_code}\\n\\t\\x%%%", "200\n\t\\x%%"),
        ("%{url} %{url_effective} %{num_redirects}", "http://h/a http://h/b 1"),
        ("%{time_redirect} %{time_namelookup} %{time_connect}", "1.000000 1.000000 1.020000"),
        ("%{time_appconnect} %{time_pretransfer}", "0.000000 1.020000"),
        ("%{time_starttransfer} %{time_total}", "1.030000 1.500000"),
        ("%{size_download} %{speed_download} %{remote_ip}", "3000 2000 ::1"),
        ("%header{content-type} %header{none}.", "text/plain ."),
        ("%{header_json}", "{\"content-type\":[\"text/plain\"],\n\"x\":[\"a\\\"b\",\"2\"]}"),
        ("a%{onerror}b", "a"), ("%{", "%{"), ("%header{", "%header{"), ("\\", "\\"),
    ])
    func `variables have the values of the timeline and the response`(
        format: String, text: String
    ) throws {
        #expect(try WriteOut(format).text(of: report()).output == text)
    }

    @Test func `values are escaped for a terminal, the format is not`() throws {
        let request = try HTTPRequest("http://h/b")
        let report = TransferReport(
            url: "http://h/a", method: "GET",
            head: HTTPResponse(.found, headers: ["Location": "\u{9B}2J\u{202E}"], to: request).head,
            redirects: 0, timeline: HTTPTimeline(exchanges: []), elapsed: .zero, fileName: nil,
            failure: nil)
        let format = WriteOut(
            "\u{1B}[1m%{redirect_url}\u{1B}[0m%header{location}%{stderr}%{redirect_url}\u{1B}[m")
        let raw = format.text(of: report)
        #expect(raw.output == "\u{1B}[1m\u{9B}2J\u{202E}\u{1B}[0m\u{9B}2J\u{202E}")
        #expect(raw.error == "\u{9B}2J\u{202E}\u{1B}[m")
        let shown = format.text(of: report, escaping: (true, true))
        #expect(shown.output == "\u{1B}[1m\\u{9B}2J\\u{202E}\u{1B}[0m\\u{9B}2J\\u{202E}")
        #expect(shown.error == "\\u{9B}2J\\u{202E}\u{1B}[m")
        for text in [WriteOut("%{json}").text(of: report).output, report.fieldsJSON] {
            #expect(text.contains(#"\u009b2J\u202e"#) && !text.contains("\u{9B}"))
        }
    }

    @Test func `a failure has its own text, and text can go to standard error`() throws {
        let failure = FetchFailure(HTTPError(.cannotConnect, "no"))
        let texts = try WriteOut("%{stderr}%{exitcode}%{onerror} %{errormsg}%{stdout}!")
            .text(of: report(failure: failure))
        #expect(texts.error == "7 cannotConnect: no" && texts.output == "!")
    }

    @Test func `all variables are JSON`() throws {
        let text = try WriteOut("%{json}").text(of: report()).output
        let json = try HTTPJSON(parsing: text)
        #expect(json.object?.count == TransferReport.Variable.allCases.count)
        #expect(text.contains("\"time_total\":1.500000"))
    }

    @Test func `a call without a response has a report, too`() throws {
        let report = TransferReport(
            url: "http://h/", method: "GET", head: nil, redirects: 0,
            timeline: HTTPTimeline(exchanges: []), elapsed: .milliseconds(7), fileName: nil,
            failure: nil)
        let text = WriteOut("%{http_code} %{time_total} %{time_connect} %{http_version}")
            .text(of: report).output
        #expect(text == "000 0.007000 0.000000 0")
        #expect(try HTTPJSON(parsing: report.json).object != nil)
        #expect(report.fieldsJSON == "{}")
    }

    @Test(arguments: ["nonsense", "", "size_header"])
    func `an unknown variable is a warning and no text, as with curl`(name: String) throws {
        let texts = try WriteOut("a%{\(name)}b%{http_code}").text(of: report())
        #expect(texts.output == "ab200")
        #expect(texts.error == "fetch: unknown --write-out variable: \"\(name)\"\n")
    }
}
