import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RedirectsTests {
    /// Responds by path: with a status and a `Location`, or with the final 200.
    private func session(
        _ places: [String: (status: Int, headers: HTTPHeaders)]
    ) -> MockSession {
        MockSession { request in
            guard let place = places[request.url.path()],
                let status = HTTPStatus(code: place.status)
            else { return HTTPResponse(.ok, body: HTTPBody("end"), to: request) }
            return HTTPResponse(status, headers: place.headers, body: HTTPBody("go"), to: request)
        }
    }

    // MARK: Following

    @Test(.rows("B-6"))
    func `a redirect is followed, and its head is in the history`() async throws {
        let mock = session(["/a": (302, [.location: "/b?c#d"]), "/b": (307, [.location: "/e"])])
        let response = try await mock.with(Redirects()).response(for: "http://h/a#f")
        #expect(try await response.text() == "end")
        #expect(response.url.absoluteString == "http://h/e#d")
        #expect(response.history.map(\.status.code) == [302, 307])
        #expect(response.history.map(\.url.absoluteString) == ["http://h/a#f", "http://h/b?c#d"])
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "http://h/a#f", "http://h/b?c#d", "http://h/e#d",
            ])
        #expect(Set(mock.requests.map(\.call?.id)).count == 1)
    }

    // MARK: The original request

    @Test(.rows("S4-12"))
    func `the original request is the first that was sent`() async throws {
        let mock = session(["/a": (303, [.location: "/b"])])
        let request = try HTTPRequest(.post, "http://h/a", body: HTTPBody("x"))
        let response = try await mock.with(Redirects(), UserAgent("mine/1.0"))
            .response(for: request)
        #expect(mock.requests.map(\.method) == [.post, .get])
        #expect(response.url.absoluteString == "http://h/b")
        let original = response.originalRequest
        #expect(original.id == request.id)
        #expect(original.method == .post)
        #expect(original.url == request.url)
        #expect(original.headers[.userAgent] == "mine/1.0")
        #expect(try await original.body.collect() == Data("x".utf8))
    }

    // MARK: Following

    @Test(.rows("B-6"))
    func `without the layer nothing is followed`() async throws {
        let response = try await session(["/a": (302, [.location: "/b"])]).response(
            for: "http://h/a")
        #expect(response.status == .found)
    }

    @Test(.rows("B-6"))
    func `secrets stay in their origin and do not come back`() async throws {
        let mock = session([
            "/a": (302, [.location: "/b"]), "/b": (302, [.location: "http://other/c"]),
            "/c": (302, [.location: "http://h/d"]),
        ])
        var request = try HTTPRequest(
            .get, "http://h/a",
            headers: [
                "Authorization": "Bearer x", "Cookie": "a=b", "X-Api-Key": "k", "X-Keep": "1",
                "X-Mine": "m", "Host": "h", "Origin": "http://h", "WWW-Authenticate": "Basic",
            ])
        request.headers.setSensitive("X-Mine")
        _ = try await mock.with(Redirects()).response(for: request)
        let names = mock.requests.map { $0.headers.map(\.name.spelling) }
        #expect(names[0] == names[1])
        #expect(names[1].count == 8)
        #expect(names[2] == ["X-Keep"])
        #expect(names[3] == ["X-Keep"])
    }

    @Test(.rows("B-6"), arguments: ["http://h:81/b", "https://h/b", "http://i/b"])
    func `scheme, host and port make an origin`(location: String) async throws {
        let mock = session(["/a": (302, [.location: location])])
        let request = try HTTPRequest(.get, "http://h/a", headers: ["Authorization": "Bearer x"])
        _ = try await mock.with(Redirects()).response(for: request)
        #expect(mock.requests[1].headers[.authorization] == nil)
    }

    /// An option of a transport, some values of which are for one origin alone.
    private enum Wiring: HTTPTransportOption {
        static var defaultValue: String? { nil }
        static func isBoundToOrigin(_ value: String?) -> Bool { value == "bound" }
    }

    @Test(arguments: [
        RedirectMode.follow, .followWithOriginalSettings,
        .followCustom {
            var next = $0.request
            next.url = $0.location
            return next
        },
    ])
    func `an option that is bound to its origin does not leave it, and does not come back`(
        mode: RedirectMode
    ) async throws {
        for (value, seen) in [
            ("bound", ["bound", "bound", nil, nil]), ("free", ["free", "free", "free", "free"]),
        ] {
            let mock = MockSession(honouring: [Wiring.self]) { request in
                let places = [
                    "/a": "/b", "/b": "http://other/c", "/c": "http://home/d",
                ]
                guard let place = places[request.url.path()] else {
                    return HTTPResponse(.ok, to: request)
                }
                return HTTPResponse(.found, headers: [.location: place], to: request)
            }
            var request = try HTTPRequest(.get, "http://home/a").redirects(mode)
            request[Wiring.self] = value
            _ = try await mock.with(Redirects()).response(for: request)
            #expect(mock.requests.map { $0[Wiring.self] } == seen)
            #expect(request[Wiring.self] == value)
        }
    }

    @Test(.rows("B-6"))
    func `https does not lead to http unless that is allowed`() async throws {
        let mock = session(["/a": (302, [.location: "http://h/b"])])
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(Redirects()).response(for: "https://h/a")
        }
        #expect(error?.code == .redirectRefused)
        #expect(error?.response?.status == .found)
        #expect(mock.requests.count == 1)
        let allowed = try await mock.with(Redirects(allowsDowngrade: true)).response(
            for: "https://h/a")
        #expect(allowed.status == .ok)
    }

    @Test(.rows("B-6"))
    func `a closure does not lead from https to http either`() async throws {
        let mock = session(["/a": (302, [.location: "https://h/b"])])
        let request = try HTTPRequest(.get, "https://h/a").redirects(
            .followCustom { try $0.next().route("http://h/b") })
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(Redirects()).response(for: request)
        }
        #expect(error?.code == .redirectRefused && mock.requests.count == 1)
    }

    @Test func `a call that is cancelled between two hops sends nothing more`() async throws {
        /// Does not check for cancellation. So it must not be called by a task that was cancelled.
        final class Deaf: HTTPSession {
            let asked = Locked(0)
            func response(for request: HTTPRequest) async throws -> HTTPResponse {
                asked.withLock { $0 += 1 }
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return HTTPResponse(
                    request.url.path == "/a" ? .found : .ok, headers: [.location: "/b"],
                    to: request)
            }
        }
        let deaf = Deaf()
        let task = Task { try await deaf.with(Redirects()).response(for: "http://h/a") }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(deaf.asked.withLock { $0 } == 1)
    }

    @Test func `user information of a Location is not used`() async throws {
        let mock = session(["/a": (302, [.location: "http://user:pass@h/b"])])
        let response = try await mock.with(Redirects()).response(for: "http://h/a")
        #expect(response.url.absoluteString == "http://h/b")
    }

    @Test func `what no URL may hold is percent-encoded`() async throws {
        let mock = session(["/a": (302, [.location: "/b c?[d]|%zz%20\"é"])])
        let response = try await mock.with(Redirects()).response(for: "http://h/a")
        #expect(response.url.absoluteString == "http://h/b%20c?%5Bd%5D%7C%25zz%20%22%C3%A9")
        let literal = session(["/a": (302, [.location: "http://[::1]/b c"])])
        let other = try await literal.with(Redirects()).response(for: "http://h/a")
        #expect(other.url.absoluteString == "http://[::1]/b%20c")
    }

    @Test func `a path that begins with two slashes stays a path`() async throws {
        let mock = session(["/a": (302, [.location: "HTTP://H:80//x/../y"])])
        let response = try await mock.with(Redirects()).response(for: "http://h/a")
        #expect(response.url.absoluteString == "http://h//y")
    }

    // MARK: Bodies

    @Test(.rows("B-6"))
    func `a body that can be sent again is, one that cannot fails the call`() async throws {
        let mock = session(["/a": (307, [.location: "/b"])])
        let request = try HTTPRequest(.put, "http://h/a")
        _ = try await mock.with(Redirects()).response(for: request.text("x"))
        #expect(try await mock.requests[1].body.collect() == Data("x".utf8))
        #expect(mock.requests[1].headers[.contentType] == "text/plain; charset=utf-8")

        let reading = MockSession { request in
            _ = try await request.body.collect()
            return HTTPResponse(.temporaryRedirect, headers: [.location: "/b"], to: request)
        }
        let once = request.stream(once: AsyncStream<Data> { $0.finish() })
        let error = await #expect(throws: HTTPError.self) {
            try await reading.with(Redirects()).response(for: once)
        }
        #expect(error?.code == .redirectRefused)
        #expect(error?.response?.status == .temporaryRedirect)
    }

    @Test(.rows("B-6"))
    func `a rewrite to GET drops the body and all that described it`() async throws {
        let mock = session(["/a": (303, [.location: "/b"])])
        let request = try HTTPRequest(
            .post, "http://h/a", headers: ["Content-Language": "de", "X-Keep": "1"]
        ).json(["a": 1])
        _ = try await mock.with(Redirects()).response(for: request)
        #expect(mock.requests[1].method == .get)
        #expect(mock.requests[1].body.isEmpty)
        #expect(mock.requests[1].headers == ["X-Keep": "1"])
    }

    /// The next method for each status and method (RFC 9110 §15.4, Fetch §4.4).
    @Test(
        .rows("B-6"),
        arguments: [
            (301, ["GET", "HEAD", "GET", "PUT", "DELETE", "QUERY"]),
            (302, ["GET", "HEAD", "GET", "PUT", "DELETE", "QUERY"]),
            (303, ["GET", "HEAD", "GET", "GET", "GET", "GET"]),
            (307, ["GET", "HEAD", "POST", "PUT", "DELETE", "QUERY"]),
            (308, ["GET", "HEAD", "POST", "PUT", "DELETE", "QUERY"]),
        ])
    func `the status decides the next method, and HEAD stays HEAD`(status: Int, next: [String])
        async throws
    {
        let first = ["GET", "HEAD", "POST", "PUT", "DELETE", "QUERY"]
        for (sent, expected) in zip(first, next) {
            let mock = session(["/a": (status, [.location: "/b"])])
            var request = try HTTPRequest(HTTPMethod(sent), "http://h/a")
            if sent == "POST" || sent == "PUT" || sent == "QUERY" { request = request.text("x") }
            _ = try await mock.with(Redirects()).response(for: request)
            #expect(mock.requests.map(\.method.rawValue) == [sent, expected], "\(status)")
            let keepsBody = sent == expected && !request.body.isEmpty
            #expect(mock.requests.last?.body.isEmpty == !keepsBody, "\(status) after \(sent)")
        }
    }

    // MARK: Limits

    @Test(
        .rows("B-6"),
        arguments: [
            ["/a": "/a"], ["/a": "/b", "/b": "/a#x"], ["/a": "/b", "/b": "/b"], ["/a": "#x"],
        ])
    func `a redirect to where the call has been is followed like any other, up to the limit`(
        places: [String: String]
    ) async throws {
        let circle = session(places.mapValues { (302, [.location: $0]) })
        let error = await #expect(throws: HTTPError.self) {
            try await circle.with(Redirects(limit: 5)).response(for: "http://h/a")
        }
        #expect(error?.code == .tooManyRedirects)
        #expect(error?.message.contains("leads back to http://h/") == true)
        #expect(circle.requests.count == 6)
        // The server may respond differently there.
        let count = Locked(0)
        let patient = MockSession { request in
            let isLast = count.withLock { count in
                count += 1
                return count == 4
            }
            let location = places[request.url.path()] ?? "/a"
            return HTTPResponse(
                isLast ? .ok : .found, headers: isLast ? [:] : [.location: location], to: request)
        }
        let response = try await patient.with(Redirects()).response(for: "http://h/a")
        #expect(response.status == .ok && response.history.count == 3)
    }

    @Test(.rows("B-6"))
    func `a limit is kept`() async throws {
        let long = MockSession { request in
            HTTPResponse(.found, headers: [.location: "\(request.url.path())x"], to: request)
        }
        for limit in [0, 3] {
            let limited = await #expect(throws: HTTPError.self) {
                try await long.with(Redirects(limit: limit)).response(for: "http://h/a")
            }
            #expect(limited?.code == .tooManyRedirects)
            #expect(limited?.message.contains("leads back") == false)
        }
        #expect(long.requests.count == 1 + 4)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `an empty Location is no redirect`(status: Int) async throws {
        let mock = session(["/a": (status, [.location: ""])])
        let response = try await mock.with(Redirects()).response(for: "http://h/a")
        #expect(response.status.code == status && response.history.isEmpty)
        #expect(try await response.text() == "go")
        #expect(mock.requests.count == 1)
    }

    @Test(arguments: [
        ("http://bücher.example/b", "http://xn--bcher-kva.example/b"),
        ("//b%C3%BCcher.example", "http://xn--bcher-kva.example"),
        ("http://BÜCHER.example:80/é", "http://xn--bcher-kva.example/%C3%A9"),
    ])
    func `an international host in a Location is mapped`(
        location: String, expected: String
    ) async throws {
        let mock = session(["/a": (302, [.location: location])])
        let response = try await mock.with(Redirects()).response(
            for: HTTPRequest(.get, "http://h/a").header(.authorization, "Bearer t"))
        #expect(response.url.absoluteString == expected)
        // It is another origin.
        #expect(mock.requests.last?.headers.contains(.authorization) == false)
    }

    @Test func `a server that sets a cookie may send the client where it has been`() async throws {
        let answers = Locked<[HTTPHeaders?]>([[.location: "/a", .setCookie: "a=b"], nil])
        let mock = MockSession { request in
            guard let headers = answers.withLock({ $0.removeFirst() }) else {
                return HTTPResponse(.ok, to: request)
            }
            return HTTPResponse(.found, headers: headers, to: request)
        }
        #expect(try await mock.with(Redirects()).response(for: "http://h/a").status == .ok)
    }

    @Test func `Retry-After is waited for, up to a limit`() async throws {
        let clock = HTTPTestClock()
        let mock = session(["/a": (302, [.location: "/b", .retryAfter: "30"])])
        let request = try HTTPRequest(.get, "http://h/a").beginningCall(clock: clock)
        async let response = mock.with(Redirects()).response(for: request)
        try await clock.waitForSleepers(1)
        #expect(mock.requests.count == 1)
        clock.advance(by: .seconds(30))
        #expect(try await response.status == .ok)

        let refused = try await mock.with(Redirects(longestWait: .seconds(29)))
            .response(for: HTTPRequest(.get, "http://h/a").beginningCall(clock: clock))
        #expect(refused.status == .found)
    }

    @Test func `Retry-After of all hops together is waited for up to the limit`() async throws {
        let clock = HTTPTestClock()
        let places: [String: (status: Int, headers: HTTPHeaders)] = [
            "/0": (302, [.location: "/1", .retryAfter: "30"]),
            "/1": (302, [.location: "/2", .retryAfter: "30"]),
            "/2": (302, [.location: "/3"]),
            "/3": (302, [.location: "/4", .retryAfter: "1"]),
        ]
        let mock = session(places)
        let request = try HTTPRequest(.get, "http://h/0").beginningCall(clock: clock)
        async let response = mock.with(Redirects()).response(for: request)
        for _ in 0..<2 {
            try await clock.waitForSleepers(1)
            clock.advance(by: .seconds(30))
        }
        #expect(try await response.url.path() == "/3")
        #expect(try await response.status == .found)
        #expect(clock.now.sinceStart == .seconds(60))
        #expect(mock.requests.count == 4)
        // Another call has the whole limit.
        let next = try HTTPRequest(.get, "http://h/3").beginningCall(clock: clock)
        async let other = mock.with(Redirects()).response(for: next)
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        #expect(try await other.status == .ok)
    }

    @Test(arguments: [
        ("/x#a#b", "http://h/x#a%23b"), ("/x#", "http://h/x#"), ("#a#b#c", "http://h/a#a%23b%23c"),
        ("/x?q#a %23#", "http://h/x?q#a%20%23%23"), ("//o/##", "http://o/#%23"),
        ("/x[#[#", "http://h/x%5B#%5B%23"),
    ])
    func `a second number sign is percent-encoded, like all that no URL may contain`(
        location: String, expected: String
    ) async throws {
        let mock = session(["/a": (302, [.location: location])])
        let hop = try Redirection(
            try await mock.response(for: "http://h/a").head, to: HTTPRequest(.get, "http://h/a"))
        #expect(hop?.location.absoluteString == expected)
    }

    @Test(.rows("B-6"))
    func `modes: fail, return, original settings, and a closure's own`() async throws {
        let mock = session(["/a": (302, [.location: "/b"])])
        let client = mock.with(Redirects())
        let request = try HTTPRequest(.post, "http://h/a").text("x")
        #expect(try await client.response(for: request.redirects(.manual)).status == .found)
        let error = await #expect(throws: HTTPError.self) {
            try await client.response(for: request.redirects(.error))
        }
        #expect(error?.code == .redirectRefused)
        _ = try await client.response(for: request.redirects(.followWithOriginalSettings))
        #expect(mock.requests.last?.method == .post)
        #expect(try await mock.requests.last?.body.collect() == Data("x".utf8))

        let custom = request.redirects(
            .followCustom { redirection in
                #expect(redirection.index == 0 && redirection.isRewrittenToGet)
                return redirection.next().header("X-Own", "1")
            })
        _ = try await client.response(for: custom)
        #expect(mock.requests.last?.headers["X-Own"] == "1")
        let stopped = request.redirects(.followCustom { _ in nil })
        #expect(try await client.response(for: stopped).status == .found)
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            try await client.response(for: request.redirects(.followCustom { _ in throw Stop() }))
        }
    }

    @Test func `a redirect's body is gone before the next request is sent`() async throws {
        let ended = Locked(0)
        let mock = MockSession { request in
            guard request.url.path() == "/a" else {
                #expect(ended.withLock { $0 } == 1)
                return HTTPResponse(.ok, to: request)
            }
            let body = HTTPBody(AsyncStream<Data> { $0.yield(Data("x".utf8)) })
            body.whenEnded { _ in ended.withLock { $0 += 1 } }
            return HTTPResponse(.found, headers: [.location: "/b"], body: body, to: request)
        }
        _ = try await mock.with(Redirects()).response(for: "http://h/a")
        #expect(mock.requests.count == 2)
    }
}
