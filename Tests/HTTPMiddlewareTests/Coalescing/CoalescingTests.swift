import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CoalescingTests {
    /// A server whose responses wait for their signal.
    private final class Server: Sendable {
        private struct State {
            var waiting: [CheckedContinuation<Void, Never>] = []
            var cancelled = 0
            var isAnswering = false
        }
        private let state = Locked(State())

        var session: MockSession {
            MockSession { request in
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        let isWaiting = self.state.withLock { state in
                            if !state.isAnswering { state.waiting.append(continuation) }
                            return !state.isAnswering
                        }
                        if !isWaiting { continuation.resume() }
                    }
                } onCancel: {
                    self.state.withLock { $0.cancelled += 1 }
                    self.answer()
                }
                try Task.checkCancellation()
                return HTTPResponse(.ok, body: HTTPBody(request.url.absoluteString), to: request)
            }
        }
        var waiting: Int { state.withLock { $0.waiting.count } }
        var cancelled: Int { state.withLock { $0.cancelled } }
        /// Responds at once from now on.
        func answerNewcomers() { state.withLock { $0.isAnswering = true } }
        func answer() {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            waiting.forEach { $0.resume() }
        }
    }

    private let server = Server()

    private func get(_ url: String = "http://h/a") throws -> HTTPRequest {
        try HTTPRequest(.get, url).delivery(.buffered(upTo: 1 << 20))
    }

    private struct NeverCame: Error {}

    /// - Throws: after a minute, so that a missing event is a failure.
    private func until(_ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard ContinuousClock.now < end else { throw NeverCame() }
            await Task.yield()
        }
    }

    // MARK: Joining

    @Test(.rows("S3-6"))
    func `identical requests are sent once, and all get the response`() async throws {
        let mock = server.session
        let layer = Coalescing()
        let session = mock.with(layer)
        let tasks = try (0..<10).map { _ in
            let request = try get()
            return Task { try await session.response(for: request).text() }
        }
        try await until { server.waiting == 1 && layer.joined == 10 }
        server.answer()
        for task in tasks { #expect(try await task.value == "http://h/a") }
        #expect(mock.requests.count == 1)
        #expect(layer.count == 0)
    }

    // MARK: Lifetime

    @Test(.rows("S3-8"))
    func `a response is not kept for later callers`() async throws {
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("x"), to: $0) }
        let session = mock.with(Coalescing())
        for _ in 0..<2 { _ = try await session.response(for: get()) }
        #expect(mock.requests.count == 2)
    }

    @Test(.rows("S3-8"))
    func `a failure is shared, and the next request is sent`() async throws {
        struct Failure: Error {}
        let mock = MockSession { _ in throw Failure() }
        let session = mock.with(Coalescing())
        for _ in 0..<2 {
            await #expect(throws: Failure.self) { try await session.response(for: get()) }
        }
        #expect(mock.requests.count == 2)
    }

    // MARK: Identity

    @Test(.rows("S3-7"))
    func `requests that may get different responses are not shared`() async throws {
        let mock = server.session
        let layer = Coalescing()
        let session = mock.with(layer)
        let requests = try [
            get(), get("http://h/b"), get().header(.authorization, "Bearer a"),
            get().header(.authorization, "Bearer b"), get().text("body"), get().method(.post),
            get().method(.post), get().delivery(.streamed), get().delivery(.streamed),
            get().delivery(.buffered(upTo: 99)), get().version(.http1_1),
            get().timeout(.seconds(9)),
            // The same URL in another call's chain: its credentials may be different.
            HTTPRequest(.get, "http://home/").delivery(.buffered(upTo: 1 << 20)).beginningCall()
                .route("http://h/a"),
        ]
        let tasks = requests.map { request in
            Task { try await session.response(for: request) }
        }
        try await until { server.waiting == requests.count }
        server.answer()
        for task in tasks { _ = try await task.value }
        #expect(mock.requests.count == requests.count)
    }

    // MARK: Dropping and sending

    @Test(.rows("S3-6"))
    func `a duplicate can be dropped; the one under way is not disturbed`() async throws {
        let mock = server.session
        let session = mock.with(Coalescing(.dropIfDuplicated))
        let first = Task { try await session.response(for: get()) }
        try await until { server.waiting == 1 }
        // A request that is not dropped fails here, rather than wait for a response that never
        // comes.
        server.answerNewcomers()
        let error = await #expect(throws: HTTPError.self) { try await session.response(for: get()) }
        #expect(error?.code == .droppedAsDuplicate)
        server.answer()
        #expect(try await first.value.status == .ok)
        #expect(mock.requests.count == 1)
    }

    @Test(.rows("S3-6"), arguments: [HTTPMethod.post, .put, .patch, .delete])
    func `a request's own mode holds for every method and body in memory`(
        method: HTTPMethod
    ) async throws {
        let mock = server.session
        let layer = Coalescing()
        let session = mock.with(layer)
        let form = try get().method(method).text("a=1")
        let first = Task {
            try await session.response(for: form.coalescing(.dropIfDuplicated))
        }
        try await until { server.waiting == 1 }
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: form.coalescing(.dropIfDuplicated))
        }
        #expect(error?.code == .droppedAsDuplicate)
        let joining = Task {
            try await session.response(for: form.coalescing(.useCurrentIfPossible)).text()
        }
        try await until { layer.joined == 2 }
        // A request without a mode is sent, and so is one with other content.
        let others = try [
            form, form.text("a=2").coalescing(.dropIfDuplicated),
            form.header("X-Key", "2").coalescing(.useCurrentIfPossible),
            form.route("http://h/b").coalescing(.dropIfDuplicated),
        ].map { request in Task { try await session.response(for: request) } }
        try await until { server.waiting == 5 }
        server.answer()
        for task in others + [first] { #expect(try await task.value.status == .ok) }
        #expect(try await joining.value == "http://h/a")
        #expect(mock.requests.count == 5)
        // After the end, the same form is a new request.
        async let again = session.response(for: form.coalescing(.dropIfDuplicated))
        try await until { server.waiting == 1 }
        server.answer()
        #expect(try await again.status == .ok)
    }

    private enum Wired: HTTPTransportOption {
        static var defaultValue: Bool { false }
    }

    @Test(.rows("S3-6"), arguments: [CoalescingMode.useCurrentIfPossible, .dropIfDuplicated])
    func `a request that cannot be coalesced is refused, and nothing is sent`(
        handling: CoalescingMode
    ) async throws {
        let mock = MockSession(honouring: [Wired.self]) { HTTPResponse(.ok, to: $0) }
        let session = mock.with(Coalescing())
        var requests = [
            "streamed": try get().delivery(.streamed),
            "once": try HTTPRequest(
                .post, "http://h/a", body: HTTPBody(AsyncStream { $0.finish() })
            )
            .delivery(.buffered(upTo: 9)),
            "again": try get(), "option": try get(),
        ]
        requests["again"]?.body = HTTPBody(length: nil) { throw CancellationError() }
        requests["option"]?[Wired.self] = true
        for (name, request) in requests {
            let error = await #expect(throws: HTTPError.self, "\(name)") {
                try await session.response(for: request.coalescing(handling))
            }
            #expect(error?.code == .unsupportedOption, "\(name)")
            #expect(error?.message.contains("coalescing") == true, "\(name)")
        }
        #expect(mock.requests.isEmpty)
        // Requests that are always sent, and requests without a mode, are left alone.
        for request in requests.values where request.body.canBeSent {
            _ = try await session.response(for: request)
            _ = try await session.response(for: request.coalescing(.alwaysCreateNew))
        }
        #expect(mock.requests.count == 8)
    }

    private enum Colour: HTTPRequestOption {
        static var defaultValue: String { "" }
    }

    @Test func `each has its own original request, with its own options`() async throws {
        let mock = server.session
        let layer = Coalescing()
        let session = mock.with(layer, Signing())
        var tasks: [(HTTPRequest, Task<HTTPResponse, any Error>)] = []
        for colour in ["red", "green", "blue"] {
            var request = try get().timeout(.seconds(9))
            request[Colour.self] = colour
            request.deadline = HTTPSystemClock().now + .seconds(tasks.count + 60)
            let asked = request
            tasks.append((asked, Task { try await session.response(for: asked) }))
        }
        try await until { server.waiting == 1 && layer.joined == 3 }
        server.answer()
        for (request, task) in tasks {
            let original = try await task.value.originalRequest
            #expect(original.id == request.id)
            #expect(original[Colour.self] == request[Colour.self])
            #expect(original.deadline == request.deadline)
            #expect(original.headers["X-Signed"] == "1")
        }
        #expect(mock.requests.count == 1)
    }

    private struct Signing: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws { request.headers["X-Signed"] = "1" }
    }

    @Test(.rows("S3-6"))
    func `without a coalescing layer, a request that asks for one is refused`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        for handling in [CoalescingMode.useCurrentIfPossible, .dropIfDuplicated] {
            let request = try get().coalescing(handling)
            let error = await #expect(throws: HTTPError.self) {
                try await mock.response(for: request)
            }
            #expect(error?.code == .unsupportedOption)
            #expect(error?.message.contains("Coalescing") == true)
            _ = try await mock.with(Coalescing()).response(for: request)
            _ = try await mock.with(Coalescing()).response(for: request.method(.post))
            var silent = request
            silent.coalescing = nil
            _ = try await mock.response(for: silent)
        }
        _ = try await mock.response(for: get().coalescing(.alwaysCreateNew))
        #expect(mock.requests.count == 7)
    }

    @Test(.rows("S3-6"))
    func `a request that is always sent can be joined by the next`() async throws {
        let mock = server.session
        let layer = Coalescing()
        let session = mock.with(layer)
        let first = Task {
            try await session.response(for: get().coalescing(.alwaysCreateNew))
        }
        try await until { server.waiting == 1 }
        let second = Task {
            try await session.response(for: get().coalescing(.alwaysCreateNew))
        }
        try await until { server.waiting == 2 }
        let third = Task { try await session.response(for: get()) }
        try await until { layer.joined == 2 }
        server.answer()
        for task in [first, second, third] { _ = try await task.value }
        #expect(mock.requests.count == 2)
    }

    // MARK: Leaving

    @Test(.rows("S3-9"))
    func `a caller that leaves disturbs no other, and the last one cancels`() async throws {
        let mock = server.session
        let layer = Coalescing()
        let session = mock.with(layer)
        let tasks = try (0..<2).map { _ in
            let request = try get()
            return Task { try await session.response(for: request) }
        }
        try await until { server.waiting == 1 && layer.joined == 2 }
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        #expect(server.cancelled == 0)
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        try await until { server.cancelled == 1 }
        #expect(layer.count == 0)
    }

    @Test func `each waits with its own deadline`() async throws {
        let clock = HTTPTestClock()
        let layer = Coalescing()
        let session = server.session.with(layer)
        var hasty = try get()
        hasty.deadline = clock.now + .seconds(1)
        hasty = try hasty.beginningCall(clock: clock)
        let patient = try get().beginningCall(clock: clock)
        let tasks = [hasty, patient].map { request in
            Task { try await session.response(for: request) }
        }
        try await until { server.waiting == 1 && layer.joined == 2 }
        // The limit of the shared request, and the deadline of the hasty call.
        try await until { clock.sleeperCount >= 2 }
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: HTTPError.self) { try await tasks[0].value }
        #expect(error?.timer?.name == .deadline)
        server.answer()
        #expect(try await tasks[1].value.status == .ok)
    }
}
