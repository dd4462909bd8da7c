import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPPipelineTests {
    private let url = "https://h/"

    private struct User: Codable, Equatable, Sendable { var name: String }

    @Test(.rows("S3-1"))
    func `building a pipeline sends nothing, its value one request`() async throws {
        let origin = PipelineOrigin(.status(.ok, #"{"name":"ada"}"#))
        let pipeline = origin.pipeline(for: url)
            .validate { _, _ in .valid }
            .allowed(statusCode: 200)
            .retryDecision { _, _ in .retry }
            .decode(type: User.self)
            .map(\.decoded.name)
            .retry(2)
        #expect(origin.sends == 0)
        #expect(try await pipeline.value() == "ada")
        #expect(origin.sends == 1)
    }

    @Test(.rows("S3-1"))
    func `a value is the bytes and the response`() async throws {
        let origin = PipelineOrigin(.status(.created, "hello"))
        let (data, response) = try await origin.pipeline(for: url).value()
        #expect(data == Data("hello".utf8))
        #expect(response.status == .created)
    }

    @Test func `an invalid request fails the value, and nothing is sent`() async throws {
        let origin = PipelineOrigin(.status(.ok))
        let failure = try await origin.failure(of: origin.pipeline(for: "not a URL"))
        guard case .exchange(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == .invalidRequest)
        #expect(origin.sends == 0)
    }

    @Test func `a session begins the call of its pipelines`() async throws {
        let origin = PipelineOrigin(.status(.ok))
        _ = try await origin.pipeline(for: url).value()
        #expect(origin.mock.requests[0].call?.observer is PipelineOrigin.Rulings)
    }

    @Test func `through a client, a call begins on its base, with its observer and its rules`()
        async throws
    {
        let mock = MockSession { request in
            HTTPResponse(request.url.path() == "/v2/a" ? .ok : .notFound, to: request)
        }
        let retryDecisions = PipelineOrigin.Rulings()
        let client = try HTTPClient(baseURL: "https://h/v2", transport: mock) {
            $0.observer = retryDecisions
            $0.query = [URLQueryItem(name: "key", value: "1")]
        }
        let url = try #require(URL(string: "a"))
        let missing = try #require(URL(string: "b"))
        #expect(try await client.pipeline(for: url).retry(1).value().response.status == .ok)
        #expect(mock.requests.map(\.url.absoluteString) == ["https://h/v2/a?key=1"])
        let outcome = try await client.pipeline(for: missing).retry(1).outcome()
        guard case .failure(.invalid(_, _, let head)) = outcome else {
            Issue.record("the client's validators have not judged")
            return
        }
        #expect(head.status == .notFound)
        #expect(mock.requests.count == 3)
        #expect(retryDecisions.all.count == 2)
    }

    @Test func `a client shares requests that are identical after preparation`() async throws {
        let held = HeldSession()
        let client = try HTTPClient(baseURL: "https://h", transport: held)
        let pipeline = client.pipeline(for: url, coalescing: .dropIfDuplicated)
        async let first = pipeline.value()
        try await held.asked.wait()
        let error = await #expect(throws: HTTPError.self) { try await pipeline.value() }
        #expect(error?.code == .droppedAsDuplicate)
        held.answer.open()
        #expect(try await first.response.status == .ok)
    }

    @Test(.rows("S3-2"))
    func `a reply that is not HTTP is distinguished from other failures`() {
        let error = HTTPError(.protocolViolation, "gibberish")
        guard case .notHTTP(let inside) = HTTPPipelineFailure(error) else {
            Issue.record("\(HTTPPipelineFailure(error))")
            return
        }
        #expect(inside.code == .protocolViolation)
    }

    @Test(.rows("S3-3"))
    func `a failed exchange keeps its error, a foreign one too`() async throws {
        let origin = PipelineOrigin(.failure(.connectionLost))
        let error = await #expect(throws: HTTPError.self) {
            try await origin.pipeline(for: url).value()
        }
        #expect(error?.code == .connectionLost)
        guard case .exchange = try await origin.failure(of: origin.pipeline(for: url)) else {
            Issue.record("no failed exchange")
            return
        }
        let foreign = MockSession { _ in throw PipelineMistake() }
        guard case .failure(.other(let mistake)) = try await foreign.pipeline(for: url).outcome()
        else {
            Issue.record("no foreign error")
            return
        }
        #expect(mistake as? PipelineMistake == PipelineMistake())
    }

    @Test(.rows("S3-5"))
    func `decoding gives the value with the response`() async throws {
        let origin = PipelineOrigin(.status(.ok, #"{"name":"ada"}"#))
        let (user, response) = try await origin.pipeline(for: url).decode(type: User.self).value()
        #expect(user == User(name: "ada"))
        #expect(response.status == .ok)
    }

    @Test(.rows("S3-5"))
    func `bytes that cannot be decoded are in the failure in full`() async throws {
        let text = String(repeating: "no JSON ", count: 2000)
        let origin = PipelineOrigin(.status(.accepted, text))
        let failure = try await origin.failure(
            of: origin.pipeline(for: url).decode(type: User.self))
        guard case .decoding(let data, let head, let thrown) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(data == Data(text.utf8))
        #expect(head.status == .accepted)
        #expect(thrown is DecodingError)
    }

    @Test(.rows("S3-5"))
    func `any decoder decodes, and other failures pass it unchanged`() async throws {
        let origin = PipelineOrigin(.status(.ok, "a,b"), .failure(.timedOut))
        let pipeline = origin.pipeline(for: url).decode { data in
            String(decoding: data, as: UTF8.self).split(separator: ",").map(String.init)
        }
        #expect(try await pipeline.value().decoded == ["a", "b"])
        guard case .exchange(let error) = try await origin.failure(of: pipeline) else {
            Issue.record("no failed exchange")
            return
        }
        #expect(error.code == .timedOut)
    }

    @Test(.rows("S3-6"))
    func `identical calls under way share one request if they ask for it`() async throws {
        let held = HeldSession()
        let coalescing = Coalescing(.alwaysCreateNew)
        let session = held.with(coalescing)
        let pipeline = session.pipeline(for: url, coalescing: .useCurrentIfPossible)
        async let first = pipeline.value()
        try await held.asked.wait()
        async let second = pipeline.value()
        while coalescing.joined < 2 {
            try Task.checkCancellation()
            await Task.yield()
        }
        held.answer.open()
        #expect(try await [first.data, second.data] == [Data("done".utf8), Data("done".utf8)])
        #expect(held.requests == 1)
    }

    @Test(.rows("S3-6"))
    func `a duplicate that is to be dropped fails at once, the other is not disturbed`()
        async throws
    {
        let held = HeldSession()
        let session = held.with(Coalescing(.alwaysCreateNew))
        async let first = session.pipeline(for: url).value()
        try await held.asked.wait()
        let dropped = session.pipeline(for: url, coalescing: .dropIfDuplicated)
        let error = await #expect(throws: HTTPError.self) { try await dropped.value() }
        #expect(error?.code == .droppedAsDuplicate)
        held.answer.open()
        #expect(try await first.data == Data("done".utf8))
    }

    @Test(.rows("S3-7"))
    func `calls that adapters make different are not identical`() async throws {
        let held = HeldSession()
        let session = held.with(Coalescing(.alwaysCreateNew))
        let tokens = ["a", "b"].map { token in
            session.pipeline(for: url, coalescing: .useCurrentIfPossible)
                .adapt { $0.header(.authorization, token) }
        }
        held.answer.open()
        for pipeline in tokens { _ = try await pipeline.value() }
        async let first = tokens[0].value()
        async let second = tokens[1].value()
        _ = try await (first, second)
        #expect(held.requests == 4)
    }

    @Test(.rows("S3-6"))
    func `a session that cannot share refuses to, but sends requests that are not shared`()
        async throws
    {
        let origin = PipelineOrigin(.status(.ok))
        let error = await #expect(throws: HTTPError.self) {
            try await origin.pipeline(for: url, coalescing: .useCurrentIfPossible).value()
        }
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("Coalescing") == true)
        #expect(origin.sends == 0)
        _ = try await origin.pipeline(for: url, coalescing: .alwaysCreateNew).value()
        #expect(origin.sends == 1)
    }

    @Test(.rows("S3-8"))
    func `a completed response is not shared with later calls`() async throws {
        let held = HeldSession()
        held.answer.open()
        let coalescing = Coalescing(.useCurrentIfPossible)
        let pipeline = held.with(coalescing).pipeline(for: url)
        _ = try await pipeline.value()
        _ = try await pipeline.value()
        #expect(held.requests == 2)
        #expect(coalescing.count == 0)
    }

    @Test(.rows("S3-9", "B-12"))
    func `cancelling the caller cancels the request`() async throws {
        let held = HeldSession()
        let pipeline = held.pipeline(for: url).retry(3)
        let caller = Task { try await pipeline.value() }
        try await held.asked.wait()
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(held.cancelled.isOpen)
        #expect(held.requests == 1)
    }

    @Test(.rows("S3-9"))
    func `one of two that share may leave, the last one ends the request`() async throws {
        let held = HeldSession()
        let coalescing = Coalescing(.useCurrentIfPossible)
        let pipeline = held.with(coalescing).pipeline(for: url)
        let first = Task { try await pipeline.value().data }
        let second = Task { try await pipeline.value().data }
        while coalescing.joined < 2 {
            try Task.checkCancellation()
            await Task.yield()
        }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(!held.cancelled.isOpen)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        try await held.cancelled.wait()
    }

    @Test(.rows("S3-9"))
    func `cancellation is thrown, it is no outcome`() async throws {
        let held = HeldSession()
        let pipeline = held.pipeline(for: url).retryDecision { _, _ in .retry }
        let caller = Task { try await pipeline.outcome() }
        try await held.asked.wait()
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test(.rows("S3-21"))
    func `values are mapped, and a mapping that throws is thrown as it is`() async throws {
        let origin = PipelineOrigin(.status(.ok, "7"))
        let number = origin.pipeline(for: url).map {
            Int(String(decoding: $0.data, as: UTF8.self)) ?? 0
        }
        #expect(try await number.value() == 7)
        #expect(try await number.map { $0 + 1 }.map { $0 * 2 }.value() == 16)
        let throwing = number.map { (_: Int) -> Int in throw PipelineMistake() }
        await #expect(throws: PipelineMistake()) { try await throwing.value() }
    }

    @Test(.rows("S3-22"))
    func `each value is a separate call, of one pipeline or of copies`() async throws {
        let origin = PipelineOrigin(.status(.ok))
        let pipeline = origin.pipeline(for: url)
        let longer = pipeline.allowed(statusCode: 200)
        async let first = pipeline.value()
        async let second = pipeline.value()
        async let third = longer.value()
        _ = try await (first, second, third)
        #expect(origin.sends == 3)
        #expect(Set(origin.mock.requests.compactMap { $0.call?.id }).count == 3)
    }

    @Test(.rows("S3-22"))
    func `a request that has a call begins another`() async throws {
        let origin = PipelineOrigin(.status(.ok))
        let request = try HTTPRequest(.get, url).beginningCall()
        _ = try await origin.pipeline(for: request).value()
        #expect(origin.mock.requests[0].call?.id != request.call?.id)
    }

    @Test(.rows("S3-23"))
    func `pipelines work over any session`() async throws {
        let sessions: [any HTTPSession] = [
            MockSession { HTTPResponse(.ok, to: $0) },
            MockSession { HTTPResponse(.ok, to: $0) }.with(Coalescing(), Retry(.none)),
            MiddlewareSession(MockSession { HTTPResponse(.ok, to: $0) }),
        ]
        for session in sessions {
            #expect(try await session.pipeline(for: url).value().response.status == .ok)
        }
    }
}
