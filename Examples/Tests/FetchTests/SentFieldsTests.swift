import HTTPClientKit
import HTTPTesting
import Testing
import TransportChoice

@testable import fetch

@Suite(.timeLimit(.minutes(5))) struct SentFieldsTests {
    /// `-v` must show what the server gets, also the fields that the transport adds.
    @Test(arguments: [
        [], ["-d", "a=1"], ["-d", ""], ["-X", "POST"], ["-X", "DELETE"], ["-I"], ["--compressed"],
        ["--compressed", "-r", "0-1"], ["--compressed", "-H", "Accept-Encoding: gzip"],
        ["-H", "Host: other.example"], ["-H", "Accept:", "-A", ""], ["-F", "a=1"],
        ["-H", "X-Empty;", "-H", "X-A: 1", "-H", "X-A: 2"], ["-X", "QUERY", "-d", "a"],
    ])
    func `the lines are what the server gets`(arguments: [String]) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let command = try Fetch.command([server.url("/a"), "-o", "/dev/null", "-s"] + arguments)
        try await command.run()
        let received = try await server.nextRequest()
        let request = try command.request.makeRequest()
        let lines = SentFields(
            request, decodesContent: command.request.compressed, showsSecrets: true
        ).lines
        func comparable(_ lines: [String]) -> [String] {
            lines.map { line in
                // The boundary of a form is random.
                line.hasPrefix("Content-Type: multipart/") ? "form" : line
            }.filter { !(lines.contains { $0.contains("boundary=") } && $0.hasPrefix("Content-L")) }
                .sorted()
        }
        #expect(comparable(lines) == comparable(received.fields.map { "\($0.name): \($0.value)" }))
    }

    @Test func `a stream is sent in chunks`() async throws {
        var request = try HTTPRequest(.put, "http://h/")
        request.body = HTTPBody(source: StandardInput())
        let lines = SentFields(request, decodesContent: false).lines
        #expect(lines == ["Host: h", "Transfer-Encoding: chunked"])
    }

    @Test func `secrets are shown only if asked for`() throws {
        var request = try HTTPRequest("https://h:8443/")
        try request.headers.set(.authorization, "Bearer top")
        try request.headers.set(.cookie, "a=top")
        #expect(
            SentFields(request, decodesContent: false).lines == [
                "Host: h:8443", "Authorization: <redacted>", "Cookie: <redacted>",
            ])
        let lines = SentFields(request, decodesContent: false, showsSecrets: true).lines
        #expect(lines.last == "Cookie: a=top")
    }
}
