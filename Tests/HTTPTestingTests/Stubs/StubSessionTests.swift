import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct StubSessionTests {
    private func get(_ url: String, _ session: StubSession) async throws -> String {
        try await session.response(String.self, for: url)
    }

    private func failure(
        _ session: some HTTPSession, _ request: any HTTPRequestConvertible
    ) async -> HTTPError? {
        await #expect(throws: HTTPError.self) { try await session.response(for: request) }
    }

    // MARK: Choosing

    @Test(.rows("B-17"))
    func `the first stub that matches answers`() async throws {
        let session = StubSession(
            Stub(.get, "https://h/a", answers: .text("one")),
            Stub(.get, "https://h/{any}", answers: .text("two")),
            Stub(answers: .text("three")))
        #expect(try await get("https://h/a", session) == "one")
        #expect(try await get("https://h/b", session) == "two")
        #expect(try await get("https://h/b/c", session) == "three")
        #expect(session.calls.map(\.stub) == [0, 1, 2])
        for call in session.calls {
            let (asked, sent) = (call.request, call.request.request)
            #expect(asked.method == sent.method && asked.url == sent.url)
            #expect(asked.headers == sent.headers)
        }
        try session.assertAllUsed()
    }

    @Test(.rows("B-17"))
    func `answers are given in turn, the last one again and again`() async throws {
        let session = StubSession(
            Stub(.get, "/a", answers: .text("1"), .text("2"), .text("3")))
        var answers: [String] = []
        for _ in 1...5 { answers.append(try await get("https://h/a", session)) }
        #expect(answers == ["1", "2", "3", "3", "3"])
    }

    @Test(.rows("B-17"))
    func `a stub beyond its limit leaves the request to the next`() async throws {
        let session = StubSession(
            Stub(.get, "/a", answers: .text("1"), .text("2")).limited(to: 1),
            Stub(.get, "/a", answers: .text("next")).limited(to: 1))
        #expect(try await get("https://h/a", session) == "1")
        #expect(try await get("https://h/a", session) == "next")
        let error = await failure(session, "https://h/a")
        #expect(error?.code == .notStubbed)
        #expect(
            error?.message.hasSuffix("stub 1 of 2, GET /a: it has reached its limit of 1") == true)
    }

    @Test(.rows("B-17"))
    func `a stub added later stands behind the others`() async throws {
        let session = StubSession()
        #expect(
            await failure(session, "https://h/a")?.message
                == "no stub answers GET https://h/a: there are none")
        session.append(Stub(.get, "/a", answers: .text("1")))
        #expect(try await get("https://h/a", session) == "1")
    }

    @Test(.rows("B-17"))
    func `requests that no stub answers go to the fallback, bodies and all`() async throws {
        let mock = MockSession { request in
            HTTPResponse(
                .accepted, body: HTTPBody(try await request.body.collect()), to: request)
        }
        let session = StubSession([Stub(.get, "/a")], fallback: mock)
        let body = HTTPBody(
            AsyncStream<Data> {
                $0.yield(Data("x".utf8)); $0.finish()
            })
        let response = try await session.response(
            for: try HTTPRequest(.post, "https://h/a", body: body))
        #expect(response.status == .accepted)
        #expect(try await response.text() == "x")
        #expect(session.calls.map(\.stub) == [nil])
    }

    // MARK: Explaining

    @Test(.rows("B-17"))
    func `an unhandled request is an error that names the nearest stub and why not`()
        async throws
    {
        let session = StubSession(
            Stub(.put, "https://other/", answers: .text("far")),
            Stub(
                .post, "https://h/users/{id}", .header("Accept", "text/html"),
                .json(["name": "Ada", "tags": ["a", "b"]])))
        let request = try HTTPRequest(.post, "https://h/users/7", headers: ["Accept": "text/plain"])
            .json(HTTPJSON.object(["name": "Bob", "tags": ["a"]]))
        let error = await failure(session, request)
        #expect(error?.code == .notStubbed && error?.mayHaveReachedServer == false)
        #expect(
            error?.message == """
                no stub answers POST https://h/users/7; the nearest is stub 2 of 2, POST \
                https://h/users/{id} Accept: "text/html" this JSON body: the field Accept is \
                "text/plain", not "text/html", body.name is "Bob", not "Ada", body.tags[1] is \
                missing, but was expected to be "b"
                """)
    }

    @Test func `an explanation holds no secret`() async throws {
        let session = StubSession(
            Stub(
                .post, "https://h/a", .header(.authorization, "Bearer hunter2"),
                .query("api_key", "hunter2"), .json(["password": "hunter2", "n": 1])))
        let request = try HTTPRequest(
            .post, "https://h/a?api_key=hunter3",
            headers: [.authorization: "Bearer hunter3"]
        ).json(HTTPJSON.object(["password": "hunter3", "n": 1]))
        let error = await failure(session, request)
        let message = try #require(error?.message)
        #expect(!message.contains("hunter"))
        for part in ["Authorization", "api_key", "body.password"] {
            #expect(message.contains(part))
        }
    }

    @Test func `a body that is not the expected one is shown without its secrets`() async throws {
        let form = "application/x-www-form-urlencoded"
        let session = StubSession(Stub(.post, "/a", .body("user=me&password=hunter2")))
        func message(_ body: String) async throws -> String? {
            let request = try HTTPRequest(
                .post, "https://h/a", headers: [.contentType: form], body: HTTPBody(body))
            return await failure(session, request)?.message
        }
        let other = try await message("user=it&password=hunter3")
        #expect(other?.contains(#"is "user=it&password=redacted" from byte 0 of 25"#) == true)
        let secret = try await message("user=me&password=hunter3")
        #expect(secret?.hasSuffix("the body differs") == true)
    }

    @Test(.rows("B-17"))
    func `a matcher may ask the session, and a stub pass a request on`() async throws {
        let other = MockSession { HTTPResponse(.ok, body: HTTPBody("other"), to: $0) }
        let asked = Asked()
        let session = StubSession(
            Stub(.custom("the first") { _ in asked.count == 0 }, answers: .passed(to: other)))
        asked.session.withLock { $0 = session }
        #expect(try await get("https://h/", session) == "other")
        #expect(await failure(session, "https://h/")?.code == .notStubbed)
        asked.session.withLock { $0 = nil }
    }

    private final class Asked: Sendable {
        let session = Locked<StubSession?>(nil)
        var count: Int { session.withLock { $0 }?.calls.count ?? 0 }
    }

    @Test(.rows("B-17"))
    func `unused stubs and answers are listed`() async throws {
        let session = StubSession(
            Stub(.get, "/used", answers: .text("")),
            Stub(.get, "/half", answers: .text(""), .text("")),
            Stub(.delete, "/never"), Stub(.get, "/few").limited(to: 3),
            Stub(.get, "/x").limited(to: 0))
        for path in ["used", "half", "few"] { _ = try await get("https://h/\(path)", session) }
        let error = #expect(throws: HTTPError.self) { try session.assertAllUsed() }
        #expect(error?.code == .notAllUsed)
        #expect(
            error?.message
                == "not all stubs were used: GET /half (1 of 2 times); DELETE /never; "
                + "GET /few (1 of 3 times)")
    }

    // MARK: Answers

    @Test(.rows("B-17"))
    func `a dynamic answer knows the variables, the query and the body`() async throws {
        let session = StubSession(
            Stub(.put, "https://h/{kind}/{id}{?page}") { asked in
                let answer = [asked["kind"], asked["id"], asked["page"], asked.query("page")]
                return HTTPResponse(
                    .ok, body: HTTPBody("\(answer.compactMap(\.self)) \(asked.text)"),
                    to: asked.request)
            })
        let request = try HTTPRequest(.put, "https://h/a%20b/7?page=2", body: HTTPBody("text"))
        #expect(
            try await session.response(String.self, for: request)
                == #"["a b", "7", "2", "2"] text"#)
    }

    @Test(.rows("B-17"))
    func `canned answers are what they say`() async throws {
        let session = StubSession(
            Stub(.get, "/json", answers: .json(["b": 1, "a": []], status: .created)),
            Stub(.get, "/redirect", answers: .redirect(to: "/json")),
            Stub(.post, "/echo", answers: .echo),
            Stub(.get, "/failure", answers: .failure(HTTPError(.connectionLost, "gone"))))
        let json = try await session.response(for: "https://h/json")
        #expect(json.status == .created && json.headers[.contentType] == "application/json")
        #expect(try await json.text() == #"{"b":1,"a":[]}"#)
        let redirect = try await session.response(for: "https://h/redirect")
        #expect(redirect.status == .found && redirect.headers[.location] == "/json")
        let echo = try await session.response(
            for: try HTTPRequest(
                .post, "https://h/echo", headers: ["X": "1"], body: HTTPBody("body")))
        #expect(echo.headers["X"] == "1")
        #expect(try await echo.text() == "body")
        #expect(await failure(session, "https://h/failure")?.code == .connectionLost)
    }

    @Test(.rows("B-17"))
    func `a delay passes on the clock that the test holds`() async throws {
        let clock = HTTPTestClock()
        let session = StubSession(
            Stub(
                .get, "/a", answers: .text("late").delayed(by: .seconds(1)).delayed(by: .seconds(2))
            ),
            clock: clock)
        let task = Task { try await get("https://h/a", session) }
        try await clock.waitForSleepers(1)
        #expect(clock.sleeps == [.seconds(3)])
        clock.advance(by: .seconds(3))
        #expect(try await task.value == "late")
    }

    @Test(.rows("B-17"))
    func `a delayed answer ends with the task that waits for it`() async throws {
        let clock = HTTPTestClock()
        let session = StubSession(
            Stub(.get, "/a", answers: .text("late").delayed(by: .seconds(1))), clock: clock)
        let task = Task { try await get("https://h/a", session) }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test(.rows("B-17"))
    func `a paced body comes in pieces, each in its time, behind its head`() async throws {
        let clock = HTTPTestClock()
        let session = StubSession(
            Stub(.get, "/a", answers: .text("abcde").paced(bytesPerSecond: 20)),
            Stub(.get, "/empty", answers: .text("").paced(bytesPerSecond: 20)), clock: clock)
        let response = try await session.response(for: "https://h/a")
        #expect(response.body.length == 5 && clock.sleeperCount == 0)
        let reader = Task {
            var pieces: [String] = []
            for try await piece in response.body {
                pieces.append(String(decoding: piece, as: UTF8.self))
            }
            return pieces
        }
        for delay in [100, 100, 50] {
            try await clock.waitForSleepers(1)
            #expect(clock.nextDeadline == clock.now + .milliseconds(delay))
            clock.advance(by: .milliseconds(delay))
        }
        #expect(try await reader.value == ["ab", "cd", "e"])
        #expect(try await session.response(String.self, for: "https://h/empty") == "")
    }

    // MARK: As a transport

    @Test
    func `what no transport would send is refused, and a broken body is its sender's failure`()
        async throws
    {
        struct Broken: Error {}
        enum Pin: HTTPTransportOption { static let defaultValue = 0 }
        let session = StubSession(Stub(answers: .text("")))
        #expect(
            await failure(session, try HTTPRequest(.get, "/relative"))?.code == .invalidRequest)
        var pinned = try HTTPRequest(.get, "https://h/")
        pinned[Pin.self] = 1
        let error = await failure(session, pinned)
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("StubSession") == true)
        let body = HTTPBody(AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Broken()) })
        let broken = await failure(session, try HTTPRequest(.post, "https://h/", body: body))
        #expect(broken?.code == .requestBodyFailed && broken?.underlyingError is Broken)
        #expect(session.calls.isEmpty)
        let sent = HTTPBody(AsyncStream<Data> { $0.finish() })
        let request = try HTTPRequest(.post, "https://h/", body: sent)
        _ = try await session.response(for: request)
        #expect(!request.body.canBeSent)
    }

    @Test func `many tasks get each its own answer`() async throws {
        let session = StubSession(
            Stub(.get, "/{n}") { HTTPResponse(.ok, body: HTTPBody($0["n"] ?? ""), to: $0.request) })
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask { try await get("https://h/\(number)", session) == "\(number)" }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(session.calls.count == 100)
    }
}
