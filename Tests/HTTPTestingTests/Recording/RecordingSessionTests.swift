import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RecordingSessionTests {
    private struct Broken: Error {}

    private func stream(_ pieces: String..., failing: Bool = false) -> HTTPBody {
        HTTPBody(
            AsyncThrowingStream<Data, any Error> { continuation in
                for piece in pieces { continuation.yield(Data(piece.utf8)) }
                continuation.finish(throwing: failing ? Broken() : nil)
            })
    }

    private func recorded(_ session: RecordingSession) throws -> Recording.Response {
        let exchange = try #require(session.recording.exchanges.first)
        guard case .response(let response) = exchange.outcome else { throw Broken() }
        return response
    }

    @Test func `secrets do not reach the recording, wherever they lie`() async throws {
        let secret = "hunter2"
        let mock = MockSession { request in
            HTTPResponse(
                .ok,
                headers: [
                    "Content-Type": "application/json", "Content-Length": "27",
                    "Set-Cookie": "id=\(secret)", "X-Own": secret,
                    "Location": "https://h/?token=\(secret)&a=1",
                ],
                body: HTTPBody(#"{"access_token": "\#(secret)"}"#), to: request)
        }
        let session = RecordingSession(mock, redacting: Redaction(fields: ["x-own"]))
        var request = try HTTPRequest(.post, "https://h/?api_key=\(secret)&b=2")
        try request.headers.set(.authorization, "Bearer \(secret)")
        try request.headers.set("X-Marked", secret)
        request.headers.setSensitive("X-Marked")
        try request.headers.set(.contentType, "application/x-www-form-urlencoded")
        request.body = HTTPBody("client_secret=\(secret)&n=1")
        let response = try await session.response(for: request)
        #expect(try await response.text().contains(secret))

        let text = String(decoding: session.recording.serialized(), as: UTF8.self)
        #expect(!text.contains(secret))
        for shown in [
            "https://h/?api_key=redacted&b=2", "Authorization: <redacted>", "X-Marked: <redacted>",
            "client_secret=redacted&n=1", "Set-Cookie: <redacted>", "X-Own: <redacted>",
            "https://h/?token=redacted&a=1", "Content-Length: 27",
        ] {
            #expect(text.contains(shown), "\(shown)")
        }
    }

    @Test func `a body passes through as it comes, and is kept with its trailers`() async throws {
        let mock = MockSession { request in
            HTTPResponse(.ok, body: self.stream("a", "b"), to: request)
        }
        let session = RecordingSession(mock)
        let response = try await session.response(for: "https://h/")
        #expect(session.recording.exchanges.isEmpty)
        var pieces: [String] = []
        for try await piece in response.body {
            pieces.append(String(decoding: piece, as: UTF8.self))
        }
        #expect(pieces == ["a", "b"])
        let recorded = try recorded(session)
        #expect(recorded.body == Data("ab".utf8) && recorded.failure == nil)
    }

    @Test func `a body that broke, or was given up, is kept as far as it came`() async throws {
        let mock = MockSession { request in
            HTTPResponse(.ok, body: self.stream("a", failing: true), to: request)
        }
        let session = RecordingSession(mock)
        let response = try await session.response(for: "https://h/")
        await #expect(throws: Broken.self) { try await response.data() }
        #expect(try recorded(session).body == Data("a".utf8))
        #expect(try recorded(session).failure?.code == "connectionLost")

        let left = RecordingSession(
            MockSession { HTTPResponse(.ok, body: self.stream("a", "b"), to: $0) })
        try await left.withResponse(for: "https://h/") { response in
            for try await _ in response.body { break }
        }
        #expect(try recorded(left).body == Data("a".utf8))
        #expect(try recorded(left).failure?.code == "bodyIncomplete")
    }

    @Test func `a one-shot request body is sent and recorded`() async throws {
        let mock = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody(try await request.body.collect()), to: request)
        }
        let session = RecordingSession(mock)
        let request = try HTTPRequest(.post, "https://h/", body: stream("a", "b"))
        #expect(try await session.response(for: request).text() == "ab")
        #expect(session.recording.exchanges.first?.request.body == Data("ab".utf8))
        let again = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(again?.code == .bodyAlreadyRead)
        #expect(session.recording.exchanges.count == 1)
    }

    @Test func `a failure is recorded, a cancellation is not`() async throws {
        let session = RecordingSession(
            MockSession { request in
                if request.url.path() == "/c" { throw CancellationError() }
                throw HTTPError(.timedOut, "too late", mayHaveReachedServer: true)
            })
        for path in ["a", "c"] {
            _ = try? await session.response(for: "https://h/\(path)")
        }
        var failure = Recording.Failure(code: "timedOut", message: "too late")
        failure.phase = .sending
        #expect(session.recording.exchanges.map(\.outcome) == [.failure(failure)])
    }
}

@Suite(.timeLimit(.minutes(5))) struct ReplaySessionTests {
    private func recording(
        redacting: Redaction = Redaction(), _ requests: [HTTPRequest]
    ) async throws -> Recording {
        let counter = MockSession { HTTPResponse(.ok, to: $0) }
        let session = RecordingSession(
            MockSession { request in
                _ = try await counter.response(for: "https://count/")
                return HTTPResponse(
                    .ok, headers: ["Set-Cookie": "s", "X": "1"],
                    body: HTTPBody("answer \(counter.requests.count)"), to: request)
            }, redacting: redacting)
        for request in requests { _ = try await session.response(for: request) }
        return session.recording
    }

    private func miss(
        _ session: some HTTPSession, _ request: any HTTPRequestConvertible
    ) async -> String? {
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request)
        }
        #expect(error?.code == .notStubbed)
        return error?.message
    }

    @Test func `each exchange answers once, equal ones in the order of the recording`() async throws
    {
        let a = try HTTPRequest(.get, "https://h/a")
        let b = try HTTPRequest(.get, "https://h/b")
        let recording = try await recording([a, b, a])
        let session = ReplaySession(recording)
        #expect(try await session.response(String.self, for: b) == "answer 2")
        let unused = #expect(throws: HTTPError.self) { try session.assertAllUsed() }
        #expect(
            unused?.message
                == "not all recorded exchanges were requested: GET https://h/a; GET https://h/a")
        let response = try await session.response(for: a)
        #expect(try await response.text() == "answer 1")
        #expect(response.headers["X"] == "1" && !response.headers.contains(.setCookie))
        #expect(try await session.response(String.self, for: a) == "answer 3")
        try session.assertAllUsed()
        #expect(
            await miss(session, a)
                == "no recorded exchange answers GET https://h/a: it was recorded 2 times and has "
                + "been requested more often"
        )
        var rules = ReplayRules()
        rules.repeatsLast = true
        let repeating = ReplaySession(recording, rules: rules)
        var answers: [String] = []
        for _ in 1...3 { answers.append(try await repeating.response(String.self, for: a)) }
        #expect(answers == ["answer 1", "answer 3", "answer 3"])
    }

    @Test func `a miss says how the nearest exchange differs`() async throws {
        let post = try HTTPRequest(.post, "https://h/a?page=1&b=2")
            .json(HTTPJSON.object(["user": ["name": "Ada", "age": 36]]))
        let session = ReplaySession(
            try await recording([try HTTPRequest(.get, "https://other/"), post]))
        let other = try HTTPRequest(.post, "https://h/a?page=2&c=3")
            .json(HTTPJSON.object(["user": ["name": "Bob", "age": 36]]))
        #expect(
            await miss(session, other) == """
                no recorded exchange answers POST https://h/a?page=2&c=3; the nearest is POST \
                https://h/a?page=1&b=2: the query's "page" is "2", not "1", the query's "b" is \
                missing, but was expected to be "2", the query's "c" is "3", which was not \
                expected, body.user.name is "Bob", not "Ada"
                """)
        #expect(
            await miss(session, try HTTPRequest(.get, "https://other/x"))
                == "no recorded exchange answers GET https://other/x; the nearest is GET "
                + "https://other/: the URL is https://other/x, not https://other/")
        #expect(
            await miss(ReplaySession(Recording()), "https://h/")
                == "no recorded exchange answers GET https://h/: the recording is empty")
    }

    @Test func `a request matches though its secrets are others, and a miss does not show them`()
        async throws
    {
        func request(_ secret: String, n: Int) throws -> HTTPRequest {
            try HTTPRequest(
                .post, "https://h/?key=\(secret)", headers: [.authorization: secret]
            ).json(
                HTTPJSON.object(["password": .string(secret), "n": .number(HTTPJSON.Number(n))]))
        }
        let recording = try await recording([request("hunter2", n: 1)])
        #expect(
            try await ReplaySession(recording).response(
                String.self, for: request("hunter3", n: 1)) == "answer 1")
        let message = await miss(ReplaySession(recording), try request("hunter3", n: 2))
        #expect(message?.hasSuffix(": body.n is 2, not 1") == true)
        #expect(message?.contains("hunter") == false)
    }

    @Test func `rules say what does not matter, and what does`() async throws {
        let request = try HTTPRequest(
            .post, "https://h/?a=1&nonce=5", headers: ["Accept": "a", "B": "1"],
            body: HTTPBody("x"))
        let recording = try await recording([request])
        var other = request
        other.url = try #require(URL(string: "https://h/?a=1&nonce=6"))
        #expect(await miss(ReplaySession(recording), other) != nil)
        var rules = ReplayRules()
        rules.ignoredQueryKeys = ["nonce"]
        #expect(
            try await ReplaySession(recording, rules: rules).response(for: other).status == .ok)
        other.body = HTTPBody("y")
        #expect(
            await miss(ReplaySession(recording, rules: rules), other)?.hasSuffix(
                #"body is "y" from byte 0 of 1, not "x" from byte 0 of 1"#) == true)
        rules.ignoresBody = true
        rules.comparedFields = ["accept"]
        try other.headers.set("B", "2")
        #expect(
            try await ReplaySession(recording, rules: rules).response(for: other).status == .ok)
        try other.headers.set("Accept", "b")
        #expect(
            await miss(ReplaySession(recording, rules: rules), other)?.hasSuffix(
                #"the field accept is "b", not "a""#) == true)
    }

    @Test func `failures and broken bodies are replayed as such`() async throws {
        var broken = Recording.Response(status: 200)
        broken.body = Data("ab".utf8)
        broken.failure = Recording.Failure(code: "bodyIncomplete", message: "cut")
        var recording = Recording()
        recording.append(
            Recording.Exchange(Recording.Request("GET", "https://h/a"), .response(broken)))
        recording.append(
            Recording.Exchange(
                Recording.Request("GET", "https://h/b"),
                .failure(Recording.Failure(code: "timedOut", message: "late"))))
        let session = ReplaySession(recording)
        let response = try await session.response(for: "https://h/a")
        var received = Data()
        let cut = await #expect(throws: HTTPError.self) {
            for try await piece in response.body { received += piece }
        }
        #expect(cut?.code == .bodyIncomplete && received == Data("ab".utf8))
        let late = await #expect(throws: HTTPError.self) {
            try await session.response(for: "https://h/b")
        }
        #expect(late?.code == .timedOut && late?.message == "late")
    }

    @Test func `all that code may ask a failure for comes back`() async throws {
        let failures = [
            HTTPError(
                .timedOut, "late", phase: .waiting,
                timer: HTTPError.Timer(.responseHead, .milliseconds(1500)), isRetryable: true,
                mayHaveReachedServer: true),
            HTTPError(.cannotConnect, "refused", phase: .connecting, isRetryable: true),
            HTTPError(.protocolViolation, "no HTTP", mayHaveReachedServer: true),
        ]
        let recorder = RecordingSession(
            MockSession { request in
                let number = Int(request.url.lastPathComponent)
                if let number, number < 3 { throw failures[number] }
                let body = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: failures[0]) }
                return HTTPResponse(.ok, body: HTTPBody(body), to: request)
            })
        func errors(_ session: any HTTPSession) async -> [HTTPError?] {
            var errors: [HTTPError?] = []
            for number in 0..<4 {
                errors.append(
                    await #expect(throws: HTTPError.self) {
                        try await session.response(for: "https://h/\(number)").data()
                    })
            }
            return errors
        }
        let live = await errors(recorder)
        let file = recorder.recording.serialized()
        let replayed = await errors(ReplaySession(try Recording(parsing: file)))
        #expect(live.count == 4)
        for (was, error) in zip(live, replayed) {
            #expect(error?.code == was?.code && error?.phase == was?.phase)
            #expect(error?.timer == was?.timer && error?.isRetryable == was?.isRetryable)
            #expect(error?.mayHaveReachedServer == was?.mayHaveReachedServer)
        }
    }

    @Test func `trailers come back`() async throws {
        let mock = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody(Data("x".utf8), trailers: ["T": "1"]), to: request)
        }
        let recorder = RecordingSession(mock)
        _ = try await recorder.response(for: "https://h/")
        let response = try await ReplaySession(recorder.recording).response(for: "https://h/")
        _ = try await response.data()
        #expect(response.trailers?["T"] == "1")
    }
}

@Suite(.timeLimit(.minutes(5))) struct RecordingModeTests {
    private let file: RecordingFile

    init() {
        file = RecordingFile(
            FileManager.default.temporaryDirectory
                .appending(path: "mode-\(UInt64.random(in: 0 ... .max)).json").path())
    }

    private func remove() { try? FileManager.default.removeItem(atPath: file.path) }

    private func answering(_ text: String) -> MockSession {
        MockSession { HTTPResponse(.ok, body: HTTPBody(text), to: $0) }
    }

    @Test
    func `record writes, replay sends nothing, update sends what is missing and drops the rest`()
        async throws
    {
        defer { remove() }
        func ask(_ mode: RecordingMode, _ mock: MockSession, _ paths: String...) async throws
            -> [String]
        {
            try await file.run(mode, over: mock) { session in
                var answers: [String] = []
                for path in paths {
                    answers.append(
                        try await session.response(String.self, for: "https://h/\(path)"))
                }
                return answers
            }
        }
        #expect(try await ask(.record, answering("1"), "a", "b") == ["1", "1"])
        let unasked = answering("2")
        #expect(try await ask(.replay, unasked, "b", "a") == ["1", "1"])
        await #expect(throws: HTTPError.self) { try await ask(.replay, unasked, "c") }
        #expect(unasked.requests.isEmpty)
        let update = answering("3")
        #expect(try await ask(.update, update, "b", "c") == ["1", "3"])
        #expect(update.requests.count == 1)
        #expect(try file.read().exchanges.map(\.request.url) == ["https://h/b", "https://h/c"])
        #expect(try await ask(.replay, unasked, "c", "b") == ["3", "1"])
        #expect(try await ask(.record, answering("4"), "a") == ["4"])
        #expect(try file.read().exchanges.count == 1)
    }

    @Test func `a response that is still being read is not left out in silence`() async throws {
        defer { remove() }
        let mock = MockSession { request in
            let body = AsyncStream<Data> { $0.yield(Data("a".utf8)) }
            return HTTPResponse(.ok, body: HTTPBody(body), to: request)
        }
        for mode in [RecordingMode.record, .update] {
            let kept = Locked<HTTPResponse?>(nil)
            let error = await #expect(throws: HTTPError.self) {
                try await file.run(mode, over: mock) { session in
                    let response = try await session.response(for: "https://h/a?key=1")
                    kept.withLock { $0 = response }
                }
            }
            #expect(error?.code == .fileNotWritten && !file.exists)
            #expect(error?.message.hasSuffix("GET https://h/a?key=redacted") == true)
            kept.withLock { $0 = nil }
        }
        try await file.run(.record, over: mock) { session in
            _ = try await session.response(for: "https://h/")
        }
        #expect(try file.read().exchanges.count == 1)
    }

    @Test func `a test that fails writes nothing`() async throws {
        defer { remove() }
        struct Failure: Error {}
        for mode in [RecordingMode.record, .update] {
            await #expect(throws: Failure.self) {
                try await file.run(mode, over: answering("1")) { session in
                    _ = try await session.response(for: "https://h/")
                    throw Failure()
                }
            }
            #expect(!file.exists)
        }
        let missing = await #expect(throws: HTTPError.self) {
            try await file.run(.replay, over: answering("")) { _ in }
        }
        #expect(missing?.code == .decodingFailed)
    }
}
