import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPRequestTests {
    private enum Color: HTTPRequestOption { static let defaultValue = "red" }

    // MARK: A value

    @Test(.rows("S4-1"))
    func `changing a copy leaves the original as it was`() throws {
        let original = try HTTPRequest(
            .post, "https://h/", headers: ["a": "1"], body: HTTPBody("x"))
        var copy = original
        copy.method = .put
        copy.headers["a"] = "2"
        copy.body = .empty
        copy[Color.self] = "blue"
        copy.delivery = .buffered(upTo: 1)
        #expect(original.method == .post)
        #expect(original.headers == ["a": "1"])
        #expect(original.body.bytes == Data("x".utf8))
        #expect(original[Color.self] == "red")
        #expect(original.delivery == .streamed)
    }

    @Test(.rows("S4-1"))
    func `an id is stable over copies and unique otherwise`() async throws {
        let request = try HTTPRequest(.get, "https://h/")
        var copy = request
        copy.method = .head
        #expect(copy.id == request.id)
        #expect(try copy.beginningCall().endingCall().id == request.id)
        let ids = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 {
                group.addTask { try (0..<250).map { _ in try HTTPRequest(.get, "https://h/").id } }
            }
            return try await group.reduce(into: [request.id]) { $0 += $1 }
        }
        #expect(Set(ids).count == 1001)
    }

    @Test(arguments: ["https://again/K", "https://again/a?b=c", "https://again/a#b"])
    func `a URL that was used before makes the same request`(url: String) throws {
        for _ in 0..<3 {
            let request = try HTTPRequest(.get, url)
            #expect(request.url == URL(string: url))
            #expect(try request.checkedTarget().origin == HTTPOrigin(url))
        }
    }

    @Test func `a text that is equal to a URL, but for its bytes, is no URL`() throws {
        _ = try HTTPRequest(.get, "https://again/K")
        #expect("\u{212A}" == "K")
        #expect(throws: HTTPError.self) { try HTTPRequest(.get, "https://again/\u{212A}") }
    }

    @Test func `the base of a URL does not pass to another request`() throws {
        let url = try #require(URL(string: "based", relativeTo: URL(string: "https://again/")))
        let request = try HTTPRequest(.get, url).beginningCall()
        #expect(request.url.baseURL != nil)
        #expect(try HTTPRequest(.get, "https://again/based").url.baseURL == nil)
    }

    @Test func `a request begins as a GET without fields, streamed, at standard limits`() throws {
        let request = try HTTPRequest(.get, "https://h/")
        #expect(request.method == .get && request.headers.isEmpty && request.body.isEmpty)
        #expect(request.deadline == nil && request.timeLeft == nil && request.version == nil)
        #expect(request.timeouts == HTTPTimeouts() && request.timeouts.connect == .standard)
        #expect(request.options.isEmpty && request.call == nil)
    }

    // MARK: What may be sent

    struct Bad: Sendable, CustomTestStringConvertible {
        var part: String
        var change: @Sendable (inout HTTPRequest) -> Void
        init(_ part: String, _ change: @escaping @Sendable (inout HTTPRequest) -> Void) {
            (self.part, self.change) = (part, change)
        }
        var testDescription: String { part }
    }

    @Test(arguments: [
        Bad("CONNECT") { $0.method = .connect },
        Bad("TRACE") { ($0.method, $0.body) = (.trace, HTTPBody("x")) },
        Bad("TRACE") {
            ($0.method, $0.body) = (.trace, HTTPBody(source: ScriptedBodySource(["x"])))
        },
        Bad("is not a method") { $0.method = "" },
        Bad("Content-Length") { $0.headers["content-length"] = "0" },
        Bad("Transfer-Encoding") { $0.headers["TRANSFER-encoding"] = "chunked" },
        Bad("Connection") { $0.headers[.connection] = "close" },
        Bad("Keep-Alive") { $0.headers["keep-alive"] = "1" },
        Bad("Upgrade") { $0.headers[.upgrade] = "h2c" },
        Bad("TE") { $0.headers[.te] = "trailers" },
        Bad("Trailer") { $0.headers[.trailer] = "x" },
        Bad("Expect") { $0.headers[.expect] = "100-continue" },
        Bad("Proxy-Connection") { $0.headers["Proxy-Connection"] = "keep-alive" },
        Bad("HTTP2-Settings") { $0.headers["HTTP2-Settings"] = "AA" },
        Bad("Host occurs twice") { $0.headers[values: .host] = ["a", "b"] },
        Bad("Bad Name") { $0.headers["Bad Name"] = "x" },
        Bad("Alt-Used occurs twice") { $0.headers[values: "Alt-Used"] = ["a", "b"] },
        Bad("Max-Forwards") { $0.headers["Max-Forwards"] = "-1" },
        Bad("Max-Forwards") { $0.headers["Max-Forwards"] = "1.5" },
        Bad("Max-Forwards") { $0.headers["Max-Forwards"] = "" },
        Bad("Max-Forwards occurs twice") { $0.headers[values: "Max-Forwards"] = ["1", "2"] },
        Bad("connect limit of 0 s is not positive") { $0.timeouts.connect = .after(.zero) },
        Bad("TLS limit of 0 s is not positive") { $0.timeouts.tls = .after(.zero) },
        Bad("response head limit of -1.5 s is not positive") {
            $0.timeouts.responseHead = .after(.milliseconds(-1500))
        },
        Bad("not positive") { $0.timeouts.idle = .seconds(-1) },
        Bad("not positive") { $0.timeouts.idle = .seconds(.nan) },
        Bad("not positive") { $0.timeouts.total = .milliseconds(0) },
        Bad("negative") { $0.body = HTTPBody(source: ScriptedBodySource(["x"]), length: -1) },
        Bad("negative") { $0.body = HTTPBody(length: -1) { ScriptedBodySource(["x"]) } },
    ])
    func `a request that no transport would send is refused, naming the part`(bad: Bad) throws {
        var request = try HTTPRequest(.get, "https://h/")
        bad.change(&request)
        let error = #expect(throws: HTTPError.self) { try request.checkedTarget() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(bad.part) == true, "\(error?.message ?? "")")
        #expect(error?.phase == .preparing)
        #expect(error?.mayHaveReachedServer == false)
    }

    private static let noPlaces = [
        "", "a b", "a\tb", "b\u{fc}cher.example", "\u{2028}", "user@a", "user:pass@a", "a/b", "a?b",
        "a#b", "a,b", "a;b", "a\\b", "http://a", "//a", "a:b", "a:-1", "a:0", "a:65536", "a:1:2",
        ":80", "[", "[]", "[::1", "::1", "[::1%25eth0]", "[a]", "%61", "a..b", ".a", "1.2.3",
        "a\"b",
    ]

    @Test(arguments: [HTTPHeaderName.host, "Alt-Used"], noPlaces)
    func `a field that names a server names a host and a port, or is refused`(
        name: HTTPHeaderName, value: String
    ) throws {
        var request = try HTTPRequest(.get, "https://h/")
        request.headers[name] = value
        let error = #expect(throws: HTTPError.self) { try request.checkedTarget() }
        #expect(error?.code == .invalidRequest && error?.phase == .preparing)
        #expect(error?.message.contains(name.spelling) == true, "\(error?.message ?? "")")
        // A password may be in it.
        #expect(error?.message.contains("pass") == false, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        "a", "A.example", "a.example.", "a:80", "a:", "a_b", "xn--bcher-kva.example:8443",
        "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:65535", "docker",
    ])
    func `a field that names a server may name any`(value: String) throws {
        var request = try HTTPRequest(.get, "https://h/")
        request.headers[.host] = value
        request.headers["Alt-Used"] = value
        #expect(try request.checkedTarget().url == "https://h/")
    }

    @Test(arguments: [
        Bad("a Host of its own") { $0.headers[.host] = "virtual.example" },
        Bad("Max-Forwards") { $0.headers["Max-Forwards"] = "0010" },
        Bad("GET with a body") { $0.body = HTTPBody("x") },
        Bad("TRACE without") { $0.method = .trace },
        Bad("no limits") {
            $0.timeouts = HTTPTimeouts(connect: .never, idle: .never, total: .never)
        },
        Bad("infinite limits") { $0.timeouts.total = .seconds(.infinity) },
        Bad("a tiny limit") { $0.timeouts.total = .after(.nanoseconds(1)) },
        Bad("one-shot body") { $0.body = HTTPBody(source: ScriptedBodySource(["x"])) },
    ])
    func `a request that may be sent is not refused`(good: Bad) throws {
        var request = try HTTPRequest(.get, "https://h:8443/a?b")
        good.change(&request)
        let target = try request.checkedTarget()
        #expect(target.url == "https://h:8443/a?b")
    }

    /// The target is read once: from the text, or when the call begins.
    @Test(arguments: [false, true])
    func `what a URL was read as does not outlive a change of it`(hasBegun: Bool) throws {
        for first in [
            try HTTPRequest(.get, "http://a/1"), HTTPRequest(.get, try URL(strictly: "http://a/1")),
        ] {
            var request = hasBegun ? try first.beginningCall() : first
            let before = request
            #expect(try request.checkedTarget().url == "http://a/1")
            request.url = try URL(strictly: "https://b:8443/2?x#y")
            #expect(try request.checkedTarget().url == "https://b:8443/2?x")
            #expect(try request.origin().description == "https://b:8443")
            #expect(try before.checkedTarget().url == "http://a/1")
            request.url = try URL(strictly: "//b/2")
            #expect(throws: HTTPError.self) { try request.checkedTarget() }
            #expect(throws: HTTPError.self) { try request.origin() }
            request.url = try URL(strictly: "http://u:p@b/")
            #expect(throws: HTTPError.self) { try request.checkedTarget() }
            #expect(try request.origin().description == "http://b")
            #expect(request.call?.origin.description == (hasBegun ? "http://a" : nil))
        }
    }

    @Test func `a relative URL may be set, and is refused when sent`() throws {
        let request = try HTTPRequest(.get, "1?x")
        #expect(request.url.absoluteString == "1?x")
        #expect(throws: HTTPError.self) { try request.checkedTarget() }
        #expect(throws: HTTPError.self) { try request.beginningCall() }
    }

    @Test func `a body that was read is not sent again`() async throws {
        let body = HTTPBody(source: ScriptedBodySource(["x"]))
        let request = try HTTPRequest(.post, "https://h/", body: body)
        #expect(try request.checkedTarget().originForm == "/")
        _ = try await body.collect()
        let error = #expect(throws: HTTPError.self) { try request.checkedTarget() }
        #expect(error?.code == .bodyAlreadyRead)
    }

    // MARK: Time and calls

    @Test func `time left is read on the call's clock and never negative`() throws {
        let clock = HTTPTestClock()
        clock.advance(by: .seconds(100))
        var request = try HTTPRequest(.get, "https://h/")
        request.deadline = clock.now + .seconds(5)
        request = try request.beginningCall(clock: clock)
        #expect(request.timeLeft == .seconds(5))
        clock.advance(by: .seconds(3))
        #expect(request.timeLeft == .seconds(2))
        clock.advance(by: .seconds(3))
        #expect(request.timeLeft == .zero)
        #expect(request.call?.deadline == request.deadline)
    }

    @Test func `a deadline in some time is on the real clock`() throws {
        let before = HTTPSystemClock().now
        let request = try HTTPRequest(.get, "https://h/").deadline(in: .seconds(60))
        let after = HTTPSystemClock().now
        let deadline = try #require(request.deadline)
        #expect(before + .seconds(60) <= deadline && deadline <= after + .seconds(60))
        let left = try #require(request.timeLeft)
        #expect(left > .seconds(30) && left <= .seconds(60))
    }

    @Test func `a call is begun once, ended on request, and bound to the first origin`() throws {
        let request = try HTTPRequest(.get, "https://h/")
        var begun = try request.beginningCall()
        let call = try #require(begun.call)
        #expect(request.call == nil)
        begun.url = try URL(strictly: "http://other/")
        #expect(try begun.beginningCall().call === call)
        #expect(call.origin.description == "https://h")
        #expect(begun.endingCall().call == nil)
        #expect(try begun.endingCall().beginningCall().call?.id != call.id)
        #expect(throws: HTTPError.self) { try HTTPRequest(.get, "/relative").beginningCall() }
    }
}
