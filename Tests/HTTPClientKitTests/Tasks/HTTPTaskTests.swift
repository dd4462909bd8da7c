import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPTaskTests {
    private let request: HTTPRequest

    init() throws { request = try HTTPRequest(.get, "https://h/") }

    private func answering(
        _ text: String, _ status: HTTPStatus = .ok
    ) -> MockSession {
        MockSession { HTTPResponse(status, body: HTTPBody(text), to: $0) }
    }

    private struct User: Codable, Equatable { var name: String }

    @Test(.rows("S1-26"))
    func `a request runs in a session and returns a value`() async throws {
        let session = answering(#"{"name":"ada"}"#)
        #expect(try await request.run(in: session).value.status == .ok)
        #expect(try await request.run(String.self, in: session).value == #"{"name":"ada"}"#)
        #expect(try await request.run(User.self, in: session).value == User(name: "ada"))
        #expect(session.requests.count == 3)
    }

    @Test(.rows("S1-26"))
    func `a task is sent once, however often it is run and awaited`() async throws {
        let session = answering("x")
        let task = HTTPTask(String.self, for: request, in: session)
        task.run().run()
        async let first = task.value
        async let second = task.value
        #expect(try await [first, second, task.value] == ["x", "x", "x"])
        task.run()
        #expect(session.requests.count == 1)
    }

    @Test(.rows("S1-26"))
    func `a client's base and rules hold for tasks`() async throws {
        let session = MockSession { request in
            HTTPResponse(request.url.path() == "/v2/a" ? .ok : .notFound, to: request)
        }
        let client = try HTTPClient(baseURL: "https://h/v2", transport: session)
        let relative = { (text: String) in HTTPRequest(.get, try #require(URL(string: text))) }
        #expect(try await relative("a").run(in: client).value.status == .ok)
        let error = await #expect(throws: HTTPError.self) {
            try await relative("b").run(in: client).value
        }
        #expect(error?.code == .unexpectedStatus)
    }

    @Test(.rows("S1-26"))
    func `a request runs in the shared client by default`() async throws {
        let refused = HTTPRequest(.get, try #require(URL(string: "ftp://h/")))
        let error = await #expect(throws: HTTPError.self) { try await refused.run().value }
        #expect(error?.code == .invalidRequest)
    }

    @Test(.rows("S1-26"))
    func `each run of a request is a separate task`() async throws {
        let session = answering("x")
        #expect(try await request.run(in: session).value.status == .ok)
        #expect(try await request.run(in: session).value.status == .ok)
        #expect(session.requests.count == 2)
    }

    @Test(.rows("S1-26"))
    func `a task continues when its handle is released`() async throws {
        let session = HeldSession()
        let results = Record<String>()
        request.run(String.self, in: session).onResult { results.add((try? $0.get()) ?? "") }
        try await session.asked.wait()
        session.answer.open()
        try await results.wait(for: 1)
        #expect(results.entries == ["done"])
    }

    @Test func `a request that cannot be sent is the task's failure`() async throws {
        let task = request.method("NOT A METHOD").run(in: answering("x"))
        await #expect(throws: HTTPError.self) { try await task.value }
        #expect(task.state == .finished)
    }

    @Test(.rows("S1-28"))
    func `a task is pending, executing, finished`() async throws {
        let session = HeldSession()
        let task = HTTPTask(for: request, in: session)
        #expect(task.state == .pending)
        #expect(task.result == nil)
        task.run()
        #expect(task.state == .executing)
        try await session.asked.wait()
        session.answer.open()
        _ = try await task.value
        #expect(task.state == .finished)
        #expect(try task.result?.get().status == .ok)
        #expect(try task.response?.get().status == .ok)
    }

    @Test(.rows("S1-34"))
    func `awaiting a pending task runs it`() async throws {
        #expect(try await HTTPTask(String.self, for: request, in: answering("x")).value == "x")
    }

    @Test(.rows("S1-29"))
    func `cancelling notifies each waiter once, before the transport has stopped`()
        async throws
    {
        let session = HeldSession(heedingCancellation: false)
        let told = Record<String>()
        let task = request.run(String.self, in: session)
            .onResult { told.add("result cancelled \($0.isCancelled)") }
            .onResponse { told.add("response cancelled \($0.isCancelled)") }
        let waiter = Task { try await task.value }
        try await session.asked.wait()
        task.cancel()
        #expect(task.state == .cancelled)
        await #expect(throws: CancellationError.self) { try await waiter.value }
        try await told.wait(for: 2)
        task.onResult { told.add("late cancelled \($0.isCancelled)") }
        try await told.wait(for: 3)
        session.answer.open()  // too late
        await #expect(throws: CancellationError.self) { try await task.value }
        task.cancel()
        #expect(
            told.entries == [
                "result cancelled true", "response cancelled true", "late cancelled true",
            ])
    }

    @Test(.rows("S1-29", "B-12"))
    func `cancelling cancels the exchange`() async throws {
        let session = HeldSession()
        let task = request.run(in: session)
        try await session.asked.wait()
        task.cancel()
        try await session.cancelled.wait()
        #expect(task.state == .cancelled)
    }

    @Test(.rows("S1-29"))
    func `cancelled before its start, a task is never sent`() async throws {
        let session = answering("x")
        let task = HTTPTask(for: request, in: session)
        task.cancel()
        task.run()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(session.requests.isEmpty)
    }

    @Test(.rows("S1-29"))
    func `cancelling what has finished changes nothing`() async throws {
        let task = request.run(String.self, in: answering("x"))
        #expect(try await task.value == "x")
        task.cancel()
        #expect(task.state == .finished)
        #expect(try await task.value == "x")
    }

    @Test(.rows("S1-29"))
    func `cancelling a waiter ends its wait, not the task`() async throws {
        let session = HeldSession()
        let task = request.run(String.self, in: session)
        try await session.asked.wait()
        let waiter = Task { try await task.value }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        #expect(task.state == .executing)
        session.answer.open()
        #expect(try await task.value == "done")
    }

    @Test(.rows("S1-29"))
    func `where cancelling races with finishing, all see the same one end`() async throws {
        let session = answering("x")
        for _ in 0..<200 {
            let seen = Record<Bool>()
            let task = HTTPTask(String.self, for: request, in: session)
            for _ in 0..<3 { task.onResult { seen.add($0.isCancelled) } }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { task.run() }
                group.addTask { task.cancel() }
                group.addTask { seen.add(await Task { try await task.value }.result.isCancelled) }
            }
            try await seen.wait(for: 4)
            let isCancelled = task.state == .cancelled
            #expect(task.state.isOver)
            #expect(seen.entries == Array(repeating: isCancelled, count: 4))
        }
    }

    @Test(.rows("S1-30"))
    func `cancelling for resume data always returns`() async throws {
        let pending = HTTPTask(for: request, in: answering("x"))
        #expect(await pending.cancelProducingResumeData() == nil)

        let session = HeldSession(heedingCancellation: false)
        let executing = request.run(in: session)
        try await session.asked.wait()
        #expect(await executing.cancelProducingResumeData() == nil)
        session.answer.open()

        let finished = request.run(in: answering("x"))
        _ = try await finished.value
        #expect(await finished.cancelProducingResumeData() == nil)
        #expect(finished.state == .finished)

        let answers = Record<Data?>()
        for task in [pending, executing, finished] {
            task.cancel(producingResumeData: { answers.add($0) })
        }
        try await answers.wait(for: 3)
        #expect(answers.entries == [nil, nil, nil])
    }

    @Test(.rows("S1-30"))
    func `resumable work is asked for its data after it has ended`() async throws {
        let (started, ended) = (Gate(), Gate())
        let request = request
        let task = HTTPTask<String>(
            HTTPTask.Work(
                exchange: { _ in
                    started.open()
                    try? await Gate().wait()
                    ended.open()
                    return HTTPResponse(.ok, to: request)
                },
                convert: { try await $0.text() },
                resumeData: { ended.isOpen ? Data("at 7".utf8) : nil }))
        task.run()
        try await started.wait()
        #expect(await task.cancelProducingResumeData() == Data("at 7".utf8))
        #expect(await task.cancelProducingResumeData() == Data("at 7".utf8))
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(.rows("S1-32", "S1-33"))
    func `observers of all kinds are called in the order they were added`() async throws {
        let session = HeldSession()
        let told = Record<String>()
        let task = request.run(String.self, in: session)
            .onResult { _ in told.add("a") }
            .onResponse { _ in told.add("b") }
            .onResult { _ in told.add("c") }
        try await session.asked.wait()
        session.answer.open()
        _ = try await task.value
        task.onResponse { _ in told.add("d") }.onResult { _ in told.add("e") }
        try await told.wait(for: 5)
        #expect(told.entries == ["a", "b", "c", "d", "e"])
    }

    @Test(.rows("S1-33"))
    func `a late observer is called, and no other one again`() async throws {
        let told = Record<String>()
        let task = request.run(String.self, in: answering("x")).onResult { _ in told.add("early") }
        try await told.wait(for: 1)
        task.onResult { told.add("late \((try? $0.get()) ?? "")") }
        try await told.wait(for: 2)
        #expect(told.entries == ["early", "late x"])
    }

    @Test(.rows("S1-33"))
    func `observers added by many tasks while one finishes are called once each`()
        async throws
    {
        for round in 0..<30 {
            let session = HeldSession()
            let told = Record<Int>()
            let task = request.run(String.self, in: session)
            try await session.asked.wait()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        if number == round % 20 { session.answer.open() }
                        task.onResult { _ in told.add(number) }
                        task.onResponse { _ in told.add(100 + number) }
                    }
                }
            }
            try await told.wait(for: 40)
            _ = try await task.value
            #expect(told.entries.sorted() == Array(0..<20) + Array(100..<120))
        }
    }

    @MainActor private final class Screen {
        var lines: [String] = []
        let shown = Gate()

        func watch(_ task: HTTPTask<String>) {
            // No `await`, no `Sendable`: these closures run on the actor of this method.
            task.onResult { result in
                self.lines.append((try? result.get()) ?? "")
                self.shown.open()
            }
        }
    }

    @Test(.rows("S1-33"))
    func `an observer runs on the actor that it was written on`() async throws {
        let screen = Screen()
        await screen.watch(request.run(String.self, in: answering("x")))
        try await screen.shown.wait()
        #expect(await screen.lines == ["x"])
    }

    private actor Counter {
        var count = 0
        let counted = Gate()

        func watch(_ task: HTTPTask<String>) {
            task.onResponse { _ in
                self.count += 1
                self.counted.open()
            }
        }
    }

    @Test(.rows("S1-33"))
    func `an actor's observer changes the actor`() async throws {
        let counter = Counter()
        await counter.watch(request.run(String.self, in: answering("x")))
        try await counter.counted.wait()
        #expect(await counter.count == 1)
    }

    @Test(.rows("S1-33"))
    func `a closure may ask for the main actor from anywhere`() async throws {
        let isMain = Record<Bool>()
        request.run(in: answering("x")).onResult { @MainActor _ in
            MainActor.assertIsolated()
            isMain.add(true)
        }
        try await isMain.wait(for: 1)
    }

    @Test(.rows("S1-35"))
    func `the raw response has head, bytes, request and timeline, also where decoding fails`()
        async throws
    {
        let responses = Record<HTTPOutcome>()
        let task = request.run(User.self, in: answering("no JSON", .accepted))
            .onResponse { responses.add($0) }
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.code == .decodingFailed)
        try await responses.wait(for: 1)
        let response = try #require(try responses.entries.first?.get())
        #expect(response.status == .accepted)
        #expect(response.body.bytes == Data("no JSON".utf8))
        #expect(response.originalRequest.url == request.url)
        #expect(response.originalRequest.curlCommand().contains("https://h/"))
        #expect(try task.response?.get().status == .accepted)
    }

    @Test(.rows("S1-35"))
    func `the raw response of a failure is its error`() async throws {
        let session = MockSession { _ in
            throw HTTPError(.connectionLost, "gone", mayHaveReachedServer: true)
        }
        let codes = Record<HTTPError.Code?>()
        request.run(User.self, in: session)
            .onResponse { outcome in
                guard case .failure(let error) = outcome else { return }
                codes.add((error as? HTTPError)?.code)
            }
            .onResult { result in
                guard case .failure(let error) = result else { return }
                codes.add((error as? HTTPError)?.code)
            }
        try await codes.wait(for: 2)
        #expect(codes.entries == [.connectionLost, .connectionLost])
    }

    @Test(.rows("S1-35"))
    func `a body of many pieces arrives whole`() async throws {
        let pieces = (0..<3000).map { Data(repeating: UInt8($0 % 251), count: 1 + $0 % 97) }
        let session = MockSession { request in
            HTTPResponse(
                .ok, body: HTTPBody(source: HeldBody(pieces.map { (nil, $0) })), to: request)
        }
        let whole = pieces.reduce(into: Data()) { $0.append($1) }
        #expect(whole.count > 64 << 10)
        #expect(try await request.run(Data.self, in: session).value == whole)
    }

    private struct Checked: HTTPResponseConvertible {
        struct Empty: Error {}
        var text: String

        static func convert(from response: HTTPResponse) async throws -> Checked {
            let text = try await response.text()
            guard !text.isEmpty else { throw Empty() }
            return Checked(text: text)
        }
    }

    @Test(.rows("S1-36"))
    func `responses are checked by the session's validators, then by the type`() async throws {
        let judged = Record<String>()
        let first = ClosureValidator { response, _ in
            judged.add("first")
            return response.status == .notFound ? .invalid("not there") : .next
        }
        let second = ClosureValidator { _, _ in
            judged.add("second")
            return .next
        }
        let validation = Validation([first, second])

        let refused = request.run(Checked.self, in: answering("x", .notFound).with(validation))
        let error = await #expect(throws: HTTPError.self) { try await refused.value }
        #expect(error?.message == "not there")
        #expect(judged.entries == ["first"])

        let empty = request.run(Checked.self, in: answering("").with(validation))
        await #expect(throws: Checked.Empty.self) { try await empty.value }
        #expect(try empty.response?.get().status == .ok)
        #expect(judged.entries == ["first", "first", "second"])

        let good = request.run(Checked.self, in: answering("x").with(validation))
        #expect(try await good.value.text == "x")
    }
}
