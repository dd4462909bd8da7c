import HTTPTesting
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPPagesTests {
    /// Responds to each URL with its `Link` field in `links`, and with the URL as content.
    private func server(_ links: [String: String]) -> MockSession {
        MockSession(honouring: [Wiring.self]) { request in
            let url = request.url.absoluteString
            var headers: HTTPHeaders = [:]
            headers[.link] = links[url]
            return HTTPResponse(.ok, headers: headers, body: HTTPBody("[\"\(url)\"]"), to: request)
        }
    }

    private func urls(_ pages: HTTPPages) async throws -> [String] {
        var urls: [String] = []
        for try await page in pages { urls.append(page.url.absoluteString) }
        return urls
    }

    @Test func `pages follow each other by their links`() async throws {
        let session = server([
            "https://h/a?p=1": #"<?p=2>; rel=next, <?p=9>; rel="last""#,
            "https://h/a?p=2": #"<https://h/a?p=1>; rel=prev, </b>; rel="NEXT last""#,
        ])
        let first = try HTTPRequest("https://h/a?p=1").header(.authorization, "Bearer t")
        let pages = try session.pages(of: first)
        #expect(session.requests.isEmpty)
        #expect(try await urls(pages) == ["https://h/a?p=1", "https://h/a?p=2", "https://h/b"])
        #expect(session.requests.allSatisfy { $0.headers[.authorization] == "Bearer t" })
        #expect(
            session.requests.allSatisfy { $0.delivery == .buffered(upTo: HTTPBody.defaultLimit) })
        #expect(session.requests.allSatisfy { $0.call == nil }, "each page is a separate call")
    }

    @Test func `pages are decoded as they come`() async throws {
        let session = server(["https://h/1": "</2>; rel=next"])
        var items: [String] = []
        for try await page in try session.pages([String].self, of: "https://h/1") { items += page }
        #expect(items == ["https://h/1", "https://h/2"])
    }

    @Test func `a link with an anchor elsewhere does not apply to this page`() async throws {
        let session = server([
            "https://h/1": "</x>; rel=next; anchor=\"/other\", </2>; rel=next; anchor=\"\""
        ])
        #expect(try await urls(session.pages(of: "https://h/1")) == ["https://h/1", "https://h/2"])
    }

    @Test func `leaving the loop asks for no further page`() async throws {
        let session = server(["https://h/1": "</2>; rel=next"])
        for try await _ in try session.pages(of: "https://h/1") { break }
        #expect(session.requests.count == 1)
    }

    @Test func `pages beyond the limit are an error, not a short list`() async throws {
        let session = server([
            "https://h/1": "</2>; rel=next", "https://h/2": "</3>; rel=next",
            "https://h/3": "</4>; rel=next",
        ])
        let error = await #expect(throws: HTTPError.self) {
            try await urls(session.pages(of: "https://h/1", limit: 3))
        }
        #expect(error?.code == .tooManyPages)
        #expect(session.requests.count == 3)
        let enough = server(["https://h/1": "</2>; rel=next"])
        #expect(try await urls(enough.pages(of: "https://h/1", limit: 2)).count == 2)
    }

    @Test(arguments: ["</1>", "<#top>", "<>", "<https://H:443/1>"])
    func `a circle is an error`(target: String) async throws {
        let session = server([
            "https://h/1": "</2>; rel=next", "https://h/2": "\(target); rel=next",
        ])
        let error = await #expect(throws: HTTPError.self) {
            try await urls(session.pages(of: "https://h/1", limit: 10))
        }
        #expect(error?.code == .tooManyPages)
        #expect(session.requests.count <= 3)
    }

    @Test(arguments: [
        "/b c", "?p[1]=2", "b|c", "/é", "//h2/[x]", "http://[::1]/a[1]", "https://bücher.example/2",
        "//b%C3%BCcher.example/", "HTTPS://u:p@H:443/2", "/%zz", "/2#a#b", ":b", "\"<", "/a//../b",
        "http://[", "ftp://h/", "//h:port/",
    ])
    func `a page is found where a redirect would lead`(target: String) async throws {
        let home = "https://h/1"
        let redirecting = MockSession { request in
            request.url.absoluteString == home
                ? HTTPResponse(.found, headers: [.location: target], to: request)
                : HTTPResponse(.ok, to: request)
        }
        let redirected = try? await redirecting.with(Redirects(allowsDowngrade: true))
            .response(for: home).url.absoluteString
        let linking = server([home: "<\(target)>; rel=next"])
        let pages = try linking.pages(of: home)
        let found: String?
        do {
            found = try await urls(pages).last
        } catch let error as HTTPError where error.code == .redirectRefused {
            #expect(redirected?.hasPrefix("http:") == true)  // pages allow no downgrade
            return
        } catch {
            found = nil
        }
        #expect(found?.withoutPageFragment == redirected?.withoutPageFragment)
    }

    @Test func `after an error there is no further page`() async throws {
        let session = server(["https://h/1": "<http://[>; rel=next"])
        var pages = try session.pages(of: "https://h/1").makeAsyncIterator()
        #expect(try await pages.next() != nil)
        do {
            _ = try await pages.next()
            Issue.record("a link to nowhere is an error")
        } catch let error as HTTPError {
            #expect(error.code == .invalidRequest)
        }
        #expect(try await pages.next() == nil)
        #expect(session.requests.count == 1)
    }

    @Test
    func `secrets stay at their origin, also those that layers below add, and come back with it`()
        async throws
    {
        let mock = server([
            "https://h/1": "<https://user:pw@other/2#x>; rel=next",
            "https://other/2": "<https://h/3>; rel=next",
        ])
        let session = mock.with(
            DefaultHeaders(["X-Api-Key": "k", "X-Plain": "p"]), BearerEverywhere(), OriginGuard())
        let first = try HTTPRequest("https://h/1").header(.cookie, "c=1").header("X-Mine", "m")
        _ = try await urls(session.pages(of: first))
        let sent = mock.requests.map(\.headers)
        #expect(sent.map { $0[.cookie] } == ["c=1", nil, "c=1"])
        #expect(sent.map { $0["X-Api-Key"] } == ["k", nil, "k"])
        #expect(sent.map { $0[.authorization] } == ["Bearer t", nil, "Bearer t"])
        #expect(sent.map { $0["X-Mine"] } == ["m", "m", "m"])
        #expect(sent.map { $0["X-Plain"] } == ["p", "p", "p"])
    }

    @Test func `without any layer below, the request's own secrets stay at their origin`()
        async throws
    {
        let mock = server([
            "https://h/1": "<https://other/2>; rel=next",
            "https://other/2": "<https://h/3>; rel=next",
        ])
        var first = try HTTPRequest("https://h/1").header(.authorization, "Bearer t")
            .header("X-Mine", "m").header("X-Plain", "p")
        first.headers.setSensitive("X-Mine")
        _ = try await urls(mock.pages(of: first))
        let sent = mock.requests.map(\.headers)
        #expect(sent.map { $0[.authorization] } == ["Bearer t", nil, "Bearer t"])
        #expect(sent.map { $0["X-Mine"] } == ["m", nil, "m"])
        #expect(sent.map { $0["X-Plain"] } == ["p", "p", "p"])
    }

    @Test(arguments: ["bound", "free"])
    func `a page at another origin gets exactly what a redirect there gets`(
        wiring: String
    ) async throws {
        var first = try HTTPRequest("https://h/1")
        for name in Self.fieldsOfAllKinds { first = first.header(name, "v") }
        first[Wiring.self] = wiring
        let pages = server([
            "https://h/1": "<https://other/2>; rel=next",
            "https://other/2": "<https://h/3>; rel=next",
        ])
        _ = try await urls(pages.pages(of: first))
        let redirects = MockSession(honouring: [Wiring.self]) { request in
            let isFirst = request.url.host() == "h"
            return HTTPResponse(
                isFirst ? .found : .ok, headers: isFirst ? [.location: "https://other/2"] : [:],
                to: request)
        }
        _ = try await redirects.with(Redirects()).response(for: first)
        let sent = [pages, redirects].map { $0.requests[1] }
        #expect(sent[0].headers.map(\.name) == sent[1].headers.map(\.name))
        #expect(sent[0].headers.map(\.name) == [.accept, "X-Plain"])
        let kept = wiring == "free" ? wiring : nil
        #expect(sent.map { $0[Wiring.self] } == [kept, kept])
        #expect(pages.requests[2][Wiring.self] == wiring, "it is back at its origin")
    }

    /// An option that says how an origin is reached.
    private enum Wiring: HTTPTransportOption {
        static var defaultValue: String? { nil }
        static func isBoundToOrigin(_ value: String?) -> Bool { value == "bound" }
    }

    private static let fieldsOfAllKinds: [HTTPHeaderName] = [
        .authorization, .cookie, .proxyAuthorization, "X-Api-Key", .host, .origin,
        .wwwAuthenticate, .accept, "X-Plain",
    ]

    /// A careless layer that signs every request.
    private struct BearerEverywhere: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws {
            request.headers[.authorization] = "Bearer t"
        }
    }

    @Test func `a page by http after https is refused`() async throws {
        let session = server(["https://h/1": "<http://h/2>; rel=next"])
        let error = await #expect(throws: HTTPError.self) {
            try await urls(session.pages(of: "https://h/1"))
        }
        #expect(error?.code == .redirectRefused)
        #expect(session.requests.count == 1)
    }

    @Test func `the next page is relative to the URL of the response`() async throws {
        let session = MockSession { request in
            if request.url.path() == "/first" {
                return HTTPResponse(.found, headers: [.location: "/moved/1"], to: request)
            }
            let isFirst = request.url.path() == "/moved/1"
            return HTTPResponse(
                .ok, headers: isFirst ? [.link: "<2>; rel=next"] : [:], to: request)
        }.with(Redirects())
        #expect(
            try await urls(session.pages(of: "https://h/first"))
                == ["https://h/moved/1", "https://h/moved/2"])
    }

    @Test func `a first page may be relative to a client's base`() async throws {
        let base = try URL(strictly: "https://h/v1/")
        let mock = server([
            "https://h/v1/a": "<a?p=2>; rel=next",
            "https://h/v1/a?p=2": "<https://other/>; rel=next",
        ])
        let session = try mock.with(BaseURL(base), OriginGuard())
        let first = try HTTPRequest("a").header(.authorization, "Bearer t")
        #expect(
            try await urls(session.pages(of: first))
                == ["https://h/v1/a", "https://h/v1/a?p=2", "https://other/"])
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t", nil])
    }

    @Test func `a client's secrets do not follow to another origin`() async throws {
        let mock = server([
            "https://h/v1/a": "<https://other/b>; rel=next",
            "https://other/b": "<https://h/v1/c>; rel=next",
        ])
        let client = try HTTPClient(
            baseURL: "https://h/v1", transport: mock, headers: ["X-Api-Key": "k"],
            authentication: [BearerEverywhere()])
        #expect(try await urls(client.pages(of: "a")).count == 3)
        #expect(mock.requests.map { $0.headers["X-Api-Key"] } == ["k", nil, "k"])
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer t", nil, "Bearer t"])
    }

    @Test
    func `a page at another origin is a separate call that the session begins`()
        async throws
    {
        let mock = server([
            "https://h/v1/a": "<https://other/b>; rel=next",
            "https://other/b": "<https://other/c>; rel=next",
        ])
        let clock = HTTPTestClock()
        let retryDecisions = PipelineOrigin.Rulings()
        let client = try HTTPClient(baseURL: "https://h/v1", transport: mock) {
            $0.observer = retryDecisions
            $0.clock = clock
        }
        // Also through layers of the caller, which see no call that the client could not begin.
        for session in [client, try client.with(UserAgent("pages/1"))] as [any HTTPSession] {
            #expect(try await urls(session.pages(of: "a")).count == 3)
        }
        let calls = mock.requests.compactMap(\.call)
        #expect(Set(calls.map(\.id)).count == 6)
        #expect(calls.allSatisfy { $0.observer is PipelineOrigin.Rulings })
        #expect(calls.allSatisfy { $0.clock is HTTPTestClock })
        #expect(calls.allSatisfy { $0.origin.description == "https://h" })
    }

    @Test func `pages of a request in a call keep to its clock and observer`() async throws {
        let mock = server(["https://h/1": "<https://other/2>; rel=next"])
        let first = try HTTPRequest("https://h/1").beginningCall(
            observer: PipelineOrigin.Rulings(), clock: HTTPTestClock())
        _ = try await urls(mock.pages(of: first))
        let call = try #require(mock.requests.last?.call)
        #expect(call.observer is PipelineOrigin.Rulings && call.clock is HTTPTestClock)
        #expect(call.origin.description == "https://h")
        #expect(call.id != first.call?.id)
    }

    @Test(arguments: ClientWire.allCases)
    func `secrets stay with their server, and pages continue at another`(
        wire: ClientWire
    ) async throws {
        let other = try LoopbackServer { _ in .ok("[2]") }
        let server = try LoopbackServer { request in
            var response = LoopbackResponse.ok("[1]")
            response.fields.append(("Link", "<\(other.url("/2"))>; rel=next"))
            return response
        }
        let client = HTTPClient(
            baseURL: try URL(strictly: server.url("/")), transport: try wire.transport(),
            headers: ["X-Api-Key": "k", "X-Plain": "p"], authentication: [BearerEverywhere()])
        let first = try HTTPRequest("1").header(.cookie, "c=1")
        var items: [Int] = []
        for try await page in try client.pages([Int].self, of: first) { items += page }
        #expect(items == [1, 2])
        for name in ["X-Api-Key", "Authorization", "Cookie"] {
            #expect(server.log.first?.request?[name] != nil)
            #expect(other.log.first?.request?[name] == nil)
        }
        #expect(other.log.first?.request?["X-Plain"] == "p")
    }

    @Test(arguments: ClientWire.allCases)
    func `over a real connection, one is enough`(wire: ClientWire) async throws {
        let server = try LoopbackServer { request in
            var response = LoopbackResponse.ok("[\(request.query("p") ?? "1")]")
            let page = Int(request.query("p") ?? "1") ?? 1
            if page < 4 { response.fields.append(("Link", "</?p=\(page + 1)>; rel=next")) }
            return response
        }
        var items: [Int] = []
        for try await page in try wire.transport().pages([Int].self, of: server.url("/")) {
            items += page
        }
        #expect(items == [1, 2, 3, 4])
        #expect(server.connections.accepted == 1)
    }
}

extension String {
    fileprivate var withoutPageFragment: Substring { prefix { $0 != "#" } }
}
