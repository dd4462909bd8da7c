import HTTPCore
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPErrorTests {
    @Test func `a description is one line of what is known`() throws {
        let bare = HTTPError(.cannotConnect, "no route to the server")
        #expect("\(bare)" == "cannotConnect: no route to the server")
        #expect(bare.attempt == nil && bare.url == nil && bare.timer == nil && !bare.isRetryable)

        let full = HTTPError(
            .timedOut, "no connection in time", phase: .connecting,
            timer: HTTPError.Timer(.connect, .seconds(10)), isRetryable: true
        ).ending(
            try URL(strictly: "https://h:8443/a/b?token=hunter2#hunter2"), attempt: 2,
            elapsed: .milliseconds(10_001))
        #expect(
            "\(full)"
                == "timedOut: no connection in time; connect limit of 10 s; "
                + "phase connecting; https://h:8443/a/b?…; attempt 2; after 10.001 s")
        #expect(String(reflecting: full) == full.description)
        #expect(full.code == .timedOut && full.isRetryable && full.url == "https://h:8443/a/b?…")
    }

    @Test func `an error names the method and the URL of its request`() throws {
        let request = try HTTPRequest(.post, "https://u:hunter2@h/a?hunter2")
        let error = HTTPError(.timedOut, "late").ending(request, attempt: 2)
        #expect("\(error)" == "timedOut: late; phase sending; POST https://h/a?…; attempt 2")
        #expect(error.method == .post)
        let odd = error.ending(request.url, method: HTTPMethod("A\n\u{1B}[2J"))
        #expect(
            "\(odd)"
                == #"timedOut: late; phase sending; "A\n\u{1B}[2J" https://h/a?…; attempt 2"#)
        // The method belongs to the URL.
        #expect(error.ending(request.url).method == .post)
        #expect(error.ending(try URL(strictly: "https://h/b")).method == nil)
    }

    @Test func `an error that names a request keeps it, and any other gets one`() throws {
        let first = try HTTPRequest(.put, "https://h/a")
        let other = try HTTPRequest(.get, "https://h/b")
        let error = HTTPError(.timedOut, "late")
        #expect(
            error.naming(first).naming(other).description
                == "timedOut: late; phase sending; PUT https://h/a")
        // An error that was given a URL alone gets the method of the request to it.
        #expect(error.ending(first.url).naming(first).method == .put)
        #expect(error.ending(first.url).naming(other).method == nil)
    }

    @Test func `an error for a response has its reasons`() throws {
        let request = try HTTPRequest(.delete, "https://h/a")
        var response = HTTPResponse(.unauthorized, to: request)
        response.handBack(because: "one")
        response.handBack(because: "two")
        response.handBack(because: "one")
        let error = HTTPError(.emptyResponse, "x").ending(response)
        #expect("\(error)" == "emptyResponse: x; one; two; phase receiving; DELETE https://h/a")
        #expect("\(error.ending(response))" == "\(error)")  // once
    }

    @Test func `no rendering shows a secret of the URL or the head`() throws {
        let url = try URL(strictly: "https://user:hunter2@h/?hunter2#hunter2")
        let head = HTTPResponse.Head(status: .ok, headers: ["Set-Cookie": "hunter2"], url: url)
        let error = HTTPError(.connectionLost, "the connection ended", underlyingError: Leaky())
            .ending(url, response: head)
        var dumped = ""
        dump(error, to: &dumped)
        dump([error as any Error], to: &dumped)
        for text in ["\(error)", String(reflecting: error), "\([error])", dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect(error.underlyingError is Leaky)
        #expect(error.response?.headers[.setCookie] == "hunter2")  // available by name
    }

    private struct Leaky: Error, CustomStringConvertible { var description: String { "hunter2" } }

    @Test func `an error costs one reference to throw`() {
        #expect(MemoryLayout<HTTPError>.size == MemoryLayout<Int>.size)
    }

    @Test func `naming the exchange keeps what was known and replaces nothing by nothing`() throws {
        let url = try URL(strictly: "https://h/")
        let head = HTTPResponse.Head(status: .ok, url: url)
        let original = HTTPError(
            .bodyIncomplete, "cut", phase: .receiving, mayHaveReachedServer: true)
        let first = original.ending(url, attempt: 1, elapsed: .seconds(1), response: head)
        let second = first.ending(try URL(strictly: "https://other/"))
        #expect(second.url == "https://other/")
        #expect(second.attempt == 1 && second.elapsed == .seconds(1) && second.response == head)
        #expect(
            second.phase == .receiving && second.mayHaveReachedServer && second.message == "cut")
        #expect(original.url == nil && original.attempt == nil)
        #expect(!"\(first)".contains("attempt"))  // the first one goes without saying
    }

    @Test func `a request that has a response has reached the server`() throws {
        let url = try URL(strictly: "https://h/")
        let head = HTTPResponse.Head(status: .ok, url: url)
        let error = HTTPError(.fileNotWritten, "no room")
        #expect(!error.ending(url).mayHaveReachedServer)
        #expect(error.ending(url, response: head).mayHaveReachedServer)
    }

    @Test func `an error from elsewhere is told where its exchange was`() {
        let error = HTTPError(
            .requestBodyFailed, "gone", phase: .receiving, isRetryable: true,
            mayHaveReachedServer: true, retryAfter: .seconds(1))
        let told = error.inPhase(.preparing, mayHaveReachedServer: false)
        #expect(told.phase == .preparing && !told.mayHaveReachedServer)
        #expect(told.code == error.code && told.message == "gone" && told.isRetryable)
        #expect(told.retryAfter == .seconds(1) && error.mayHaveReachedServer)
    }

    @Test func `an error keeps a bounded prefix of the body`() throws {
        let url = try URL(strictly: "https://h/")
        let body = Data(repeating: 0x61, count: 5000)
        #expect(HTTPError(.decodingFailed, "x").bodyPrefix == nil)
        let error = HTTPError(.decodingFailed, "x", body: body[100...])
        #expect(error.bodyPrefix?.count == 4096 && error.bodyPrefix?.startIndex == 0)
        #expect(error.ending(url).bodyPrefix == error.bodyPrefix)
        #expect(error.ending(url, body: Data([0x62])).bodyPrefix == Data([0x62]))
        #expect(!"\(error)".contains("aa"))
    }

    // MARK: What is found in it

    @Test(.rows("S3-4"))
    func `a status is found in the error, else in what it wraps`() throws {
        let url = try URL(strictly: "https://h/")
        let refusal = HTTPError(
            .decodingFailed, "x", response: HTTPResponse.Head(status: .forbidden, url: url))
        let wrapped = HTTPError(
            .timedOut, "y", underlyingError: HTTPError(.timedOut, "z", underlyingError: refusal))
        #expect(refusal.status == .forbidden && wrapped.status == .forbidden)
        let head = HTTPResponse.Head(status: .ok, url: url)
        #expect(wrapped.ending(url, response: head).status == .ok)
        #expect(HTTPError(.timedOut, "x", underlyingError: Leaky()).status == nil)
    }

    @Test(.rows("S0-40"))
    func `codes are open`() {
        let mine = HTTPError.Code(rawValue: "mine")
        #expect(mine != .timedOut && mine == HTTPError.Code(rawValue: "mine"))
        #expect("\(HTTPError(mine, "x"))" == "mine: x")
    }

    // MARK: What a log shows

    @Test(
        arguments: [
            (.zero, "0.0 ms"), (.microseconds(49), "0.0 ms"), (.microseconds(100), "0.1 ms"),
            (.microseconds(12_399), "12.3 ms"), (.seconds(61), "61000.0 ms"),
            (.microseconds(-1500), "-1.5 ms"), (.microseconds(-5), "0.0 ms"),
            (.seconds(Int64.max), "9223372036854775807000.0 ms"),
        ] as [(Duration, String)])
    func `durations read as milliseconds, whatever they are`(duration: Duration, text: String) {
        #expect(duration.milliseconds == text)
    }

    @Test(
        arguments: [
            ("https://u:p@h:1/a?q#f", "https://h:1/a?…"), ("https://h", "https://h"),
            ("/a/b?q", "/a/b?…"), ("a", "a"), ("//h/a", "//h/a"), ("user:pw@h/a", "user:…"),
            ("data:text/plain,x", "data:…"), ("mailto:a@b", "mailto:…"),
            ("https://h/#f", "https://h/"),
        ])
    func `a URL in a log has no user information, query or fragment`(
        text: String, expected: String
    ) throws {
        #expect(try URL(strictly: text).logSafe == expected)
    }

    @Test func `localizedDescription is the description`() {
        let error = HTTPError(
            .timedOut, "nothing came", phase: .waiting, timer: HTTPError.Timer(.idle, .seconds(1)))
        let errors: [any LocalizedError & CustomStringConvertible] = [error, SystemError(2)]
        for error in errors { #expect(error.errorDescription == error.description) }
        #expect(error.errorDescription?.hasPrefix("timedOut: nothing came; idle limit of") == true)
    }

    @Test func `an error is handled by its code`() {
        let error: any Error = HTTPError(.connectionLost, "gone")
        var handled = ""
        switch (error as? HTTPError)?.code {
        case .timedOut?: handled = "slow"
        case .connectionLost?, .cannotConnect?: handled = "gone"
        default: break
        }
        #expect(handled == "gone")
    }

    @Test func `an error has the name of its kind`() {
        struct Unknown: Error { let text = "Hidden" }
        let inner = HTTPError(.timedOut, "late")
        #expect(HTTPError.typeName(of: inner) == "timedOut")
        #expect(
            HTTPError.typeName(of: HTTPError(.connectionLost, "no", underlyingError: inner))
                == "connectionLost")
        #expect(HTTPError.typeName(of: CancellationError()) == "cancelled")
        #expect(HTTPError.typeName(of: Unknown()) == "Unknown")
    }
}
