import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPPipelineOperatorsTests {
    private let url = "https://h/"

    private struct User: Codable, Sendable { var name: String }

    @Test func `a pipeline over a client may allow a status that the client refuses`()
        async throws
    {
        let mock = MockSession { request in
            HTTPResponse(.notFound, body: HTTPBody("none"), to: request)
        }
        let task = HTTPClient(transport: mock).pipeline(for: url)
        let (data, response) = try await task.allowed(statusCode: 404).value()
        #expect(response.status == .notFound && data == Data("none".utf8))
        #expect(try await task.allowed(statusCodes: 200, 404).value().response.status == .notFound)
        #expect(try await task.allowed(statusCodes: 400..<500).value().data.count == 4)
        for refusing in [
            task, task.allowed(statusCode: 200),
            task.allowed(statusCode: 200).allowed(statusCode: 404),
            task.validate { _, _ in .valid },
        ] {
            let error = await #expect(throws: HTTPError.self) { try await refusing.value() }
            #expect(error?.code == .unexpectedStatus && error?.status == .notFound)
        }
    }

    @Test func `an empty body cannot be decoded, which is a failure of decoding`() async throws {
        let origin = PipelineOrigin(.status(.ok))
        let failure = try await origin.failure(
            of: origin.pipeline(for: url).decode(type: User.self))
        guard case .decoding(let data, let head, _) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(data.isEmpty && head.status == .ok)
        let none = try await origin.pipeline(for: url).decode(type: User?.self).value()
        #expect(none.decoded == nil)
    }

    @Test(.rows("S3-18"))
    func `a number of retries has no limit below it`() async throws {
        let origin = PipelineOrigin(.failure(.connectionLost))
        _ = try await origin.failure(of: origin.pipeline(for: url).retry(40).retry(5))
        #expect(origin.sends == 46)
    }

    @Test(.rows("S3-10"))
    func `a closure validates bytes and response`() async throws {
        let origin = PipelineOrigin(.status(.ok, "bad"), .status(.ok, "good"))
        let pipeline = origin.pipeline(for: url).validate { data, response in
            #expect(response.status == .ok)
            return data == Data("good".utf8) ? .valid : .invalid(reason: "no good")
        }
        let failure = try await origin.failure(of: pipeline)
        guard case .invalid(let reason, let data, let head) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason == "no good")
        #expect(data == Data("bad".utf8))
        #expect(head.status == .ok)
        #expect(try await pipeline.value().data == Data("good".utf8))
    }

    @Test(.rows("S3-10"))
    func `failures pass a validator unchanged`() async throws {
        let origin = PipelineOrigin(.failure(.connectionLost))
        let pipeline = origin.pipeline(for: url).validate { _, _ in
            Issue.record("asked about a failure")
            return .valid
        }
        guard case .exchange = try await origin.failure(of: pipeline) else {
            Issue.record("no failed exchange")
            return
        }
    }

    @Test(.rows("S3-10"))
    func `verdicts of a closure compare`() {
        #expect(HTTPValidity.invalid(reason: "a") == .invalid(reason: "a"))
        #expect(HTTPValidity.invalid(reason: "a") != .valid)
    }

    private func isAllowed(
        _ code: Int,
        by rule: (HTTPPipeline<(data: Data, response: HTTPResponse)>) ->
            HTTPPipeline<(data: Data, response: HTTPResponse)>
    ) async throws -> Bool {
        let origin = PipelineOrigin(.status(try #require(HTTPStatus(code: code)), "body"))
        switch try await rule(origin.pipeline(for: url)).outcome() {
        case .success: return true
        case .failure(.invalid(let reason, let data, let head)):
            #expect(reason.hasPrefix("Unexpected status code: \(code)"))
            #expect(data == Data("body".utf8))
            #expect(head.status.code == code)
            return false
        case .failure(let failure): throw failure
        }
    }

    @Test(.rows("S3-11"), arguments: [200, 201, 204, 299, 300, 404])
    func `status codes are allowed one by one, by range, several, and by list`(code: Int)
        async throws
    {
        #expect(try await isAllowed(code) { $0.allowed(statusCode: 200) } == (code == 200))
        #expect(
            try await isAllowed(code) { $0.allowed(statusCodes: 200..<300) }
                == (200..<300).contains(code))
        #expect(
            try await isAllowed(code) { $0.allowed(statusCodes: 200...299) }
                == (200...299).contains(code))
        #expect(
            try await isAllowed(code) { $0.allowed(statusCodes: 200, 404) }
                == [200, 404].contains(code))
        #expect(
            try await isAllowed(code) { $0.allowed(statusCodes: [201, 300]) }
                == [201, 300].contains(code))
        #expect(try await isAllowed(code) { $0.allowed(statusCodes: 0..<Int.max) })
        #expect(try await !isAllowed(code) { $0.allowed(statusCodes: []) })
    }

    @Test(.rows("S3-12"))
    func `an object validates, and of several the first that objects decides`() async throws {
        let origin = PipelineOrigin(.status(.ok))
        let pipeline = origin.pipeline(for: url)
            .validate(using: ClosureValidator { _, _ in .next })
            .validate(using: ClosureValidator { _, _ in .invalid("first") })
            .validate(using: ClosureValidator { _, _ in .invalid("second") })
        guard case .invalid("first", _, _) = try await origin.failure(of: pipeline) else {
            Issue.record("not the first objection")
            return
        }
    }

    @Test(.rows("S3-13"), arguments: [404, 500])
    func `without validation every status is a success`(code: Int) async throws {
        let origin = PipelineOrigin(.status(try #require(HTTPStatus(code: code))))
        #expect(try await origin.pipeline(for: url).retry(3).value().response.status.code == code)
        #expect(origin.sends == 1)
    }

    @Test(.rows("S3-14"))
    func `a retrier receives failure, request and index`() async throws {
        let origin = PipelineOrigin(
            .failure(.timedOut), .failure(.connectionLost), .status(.ok))
        let told = Record<String>()
        let pipeline = origin.pipeline(for: url)
            .retryDecision { failure, request in
                guard case .exchange(let error) = failure else { return .drop }
                told.add("\(error.code) \(request.url.absoluteString)")
                return .retry
            }
        _ = try await origin.onTestTime { try await pipeline.value() }
        #expect(told.entries == ["timedOut https://h/", "connectionLost https://h/"])

        let other = PipelineOrigin(.failure(.timedOut), .failure(.timedOut), .status(.ok))
        let counting = other.pipeline(for: url).retryDecision { attempt in
            told.add("index \(attempt.index) of \(attempt.maxRetries)")
            return .retry
        }
        _ = try await other.onTestTime { try await counting.value() }
        #expect(told.entries.suffix(2) == ["index 0 of 10", "index 1 of 10"])
    }

    @Test(.rows("S3-15"))
    func `drop fails with the failure itself`() async throws {
        let origin = PipelineOrigin(.failure(.timedOut))
        let pipeline = origin.pipeline(for: url).retryDecision { _, _ in .drop }
        guard case .exchange(let error) = try await origin.failure(of: pipeline) else {
            Issue.record("wrapped")
            return
        }
        #expect(error.code == .timedOut)
        #expect(origin.sends == 1)
    }

    @Test(.rows("S3-15"))
    func `drop with a reason has the reason and the failure`() async throws {
        let origin = PipelineOrigin(.status(.notFound))
        let pipeline = origin.pipeline(for: url)
            .allowed(statusCode: 200)
            .retryDecision { _, _ in .dropWithReason("gave up") }
        let failure = try #require(try await origin.failure(of: pipeline))
        guard case .dropped("gave up", .invalid) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(failure.status == .notFound)
        guard case .invalid = failure.first else {
            Issue.record("not the first failure")
            return
        }
    }

    @Test(.rows("S3-15"))
    func `a new request takes the place of the original for all attempts that follow`()
        async throws
    {
        let origin = PipelineOrigin(.status(.unauthorized), .failure(.timedOut), .status(.ok))
        let seen = Record<String>()
        let pipeline = origin.pipeline(for: url)
            .allowed(statusCode: 200)
            .retryDecision { failure, request in
                seen.add(request.headers[.authorization] ?? "none")
                guard failure.status == .unauthorized else { return .retry }
                return .retryWithRequest(request.header(.authorization, "fresh"))
            }
        _ = try await origin.onTestTime { try await pipeline.value() }
        #expect(seen.entries == ["none", "fresh"])
        #expect(origin.mock.requests.map { $0.headers[.authorization] } == [nil, "fresh", "fresh"])
        #expect(Set(origin.mock.requests.compactMap { $0.call?.id }).count == 1)
    }

    @Test(.rows("S3-15"))
    func `a new request also has a whole response`() async throws {
        let origin = PipelineOrigin(.failure(.timedOut), .status(.ok, "x"))
        let pipeline = origin.pipeline(for: url).retryDecision { _, _ in
            .retryWithRequest(try HTTPRequest(.get, "https://other/"))
        }
        let value = try await origin.onTestTime { try await pipeline.value() }
        #expect(value.data == Data("x".utf8))
        #expect(value.response.url.absoluteString == "https://other/")
    }

    private struct Retrier: RetryDeciding {
        func decision(about attempt: RetryAttempt) async throws -> RetryDecision {
            attempt.failure?.status == .unauthorized ? .retry : .drop
        }
    }

    @Test(.rows("S3-16"))
    func `an object decides, after a tenth of a second`() async throws {
        let origin = PipelineOrigin(.status(.unauthorized), .status(.ok))
        let pipeline = origin.pipeline(for: url).allowed(statusCode: 200).retrier(using: Retrier())
        #expect(try await origin.onTestTime { try await pipeline.value() }.response.status == .ok)
        #expect(origin.clock.sleeps == [.seconds(0.1)])
    }

    @Test(.rows("S3-16"))
    func `a longer wait that the server asks for is waited`() async throws {
        let origin = PipelineOrigin(
            .status(.tooManyRequests, "", ["Retry-After": "7"]), .status(.ok))
        let pipeline = origin.pipeline(for: url).allowed(statusCode: 200).retry(1)
        _ = try await origin.onTestTime { try await pipeline.value() }
        #expect(origin.clock.sleeps == [.seconds(7)])
    }

    @Test(.rows("S3-17"))
    func `a retrier that throws has failed the retry, with both errors`() async throws {
        let origin = PipelineOrigin(.status(.unauthorized))
        let pipeline = origin.pipeline(for: url)
            .allowed(statusCode: 200)
            .retryDecision { _, _ in throw PipelineMistake() }
        let failure = try #require(try await origin.failure(of: pipeline))
        guard case .retrying(let thrown, .invalid) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(thrown as? PipelineMistake == PipelineMistake())
        #expect(failure.status == .unauthorized)
        #expect(origin.sends == 1)
    }

    @Test(.rows("S3-18"))
    func `a retrier that always retries ends with an error that says so`() async throws {
        let origin = PipelineOrigin(.failure(.timedOut))
        let pipeline = origin.pipeline(for: url).retryDecision(maxRetries: 4) { _, _ in .retry }
        let error = await #expect(throws: HTTPError.self) {
            try await origin.onTestTime { try await pipeline.value() }
        }
        #expect(error?.code == .timedOut)
        #expect(error?.message.hasPrefix("after 5 attempts: ") == true)
        #expect(origin.sends == 5)
        let failure = HTTPPipelineFailure(try #require(error))
        guard case .exchange = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(origin.retryDecisions.all.last?.outcome == .refused(.retriesUsedUp))
    }

    // MARK: Timeouts

    @Test(.rows("B-20"))
    func `the deadline of a value includes all attempts and waits`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession { HTTPResponse(.notFound, to: $0) }
        let client = HTTPClient(transport: mock, validators: []) { $0.clock = clock }
        let pipeline = client.pipeline(for: url).allowed(statusCode: 200)
            .retry(9, delay: .seconds(2))
        let call = Task {
            try await HTTPDeadline.within(.seconds(5), clock: clock) {
                try await pipeline.value()
            }
        }
        for _ in 1...2 {
            try await clock.waitForSleepers(2)  // the deadline, and the wait before a retry
            clock.advance(by: .seconds(2))
        }
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(mock.requests.count == 3, "at 0, 2 and 4 s")
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.message.contains("deadline") == true)

        let another = Task { try await pipeline.value() }
        for _ in 1...9 {
            try await clock.waitForSleepers(1)
            clock.advance(by: .seconds(2))
        }
        await #expect(throws: HTTPError.self) { try await another.value }
        #expect(mock.requests.count == 13, "a pipeline does not have its own deadline")
    }

    // MARK: Order

    @Test(.rows("S3-19"))
    func `a rule above a retry is retried, one below it is not`() async throws {
        let above = PipelineOrigin(.status(.notFound), .status(.ok))
        _ = try await above.pipeline(for: url).allowed(statusCode: 200).retry(1).value()
        #expect(above.sends == 2)

        let below = PipelineOrigin(.status(.notFound), .status(.ok))
        let pipeline = below.pipeline(for: url).retry(1).allowed(statusCode: 200)
        #expect(try await below.failure(of: pipeline)?.status == .notFound)
        #expect(below.sends == 1)
    }

    @Test(.rows("S3-19"))
    func `decoding above a retry is retried with a new request, below it not`() async throws {
        let above = PipelineOrigin(.status(.ok, "cut"), .status(.ok, #"{"name":"ada"}"#))
        let user = try await above.pipeline(for: url).decode(type: User.self).retry(1).value()
            .decoded
        #expect(user.name == "ada")
        #expect(above.sends == 2)

        let below = PipelineOrigin(.status(.ok, "cut"))
        let pipeline = below.pipeline(for: url).retry(1).decode(type: User.self)
        guard case .decoding = try await below.failure(of: pipeline) else {
            Issue.record("decoded")
            return
        }
        #expect(below.sends == 1)
    }

    @Test(.rows("S3-19"))
    func `a mapping above a retry is retried`() async throws {
        let origin = PipelineOrigin(.status(.ok, "a"), .status(.ok, "b"))
        let value = try await origin.pipeline(for: url)
            .map { value -> Data in
                guard value.data == Data("b".utf8) else { throw PipelineMistake() }
                return value.data
            }
            .retry(1).value()
        #expect(value == Data("b".utf8))
    }

    @Test(.rows("S3-19"))
    func `a retrier is never asked about a success`() async throws {
        let origin = PipelineOrigin(.status(.internalServerError))
        _ = try await origin.pipeline(for: url)
            .retryDecision { _, _ in
                Issue.record("asked")
                return .drop
            }.value()
    }

    // MARK: Adapters

    private final class Token: HTTPRequestInterceptor {
        let count = Locked(0)

        func process(request: inout HTTPRequest) async throws {
            let number = count.withLock { count in
                count += 1
                return count
            }
            try request.headers.append("X-Token", "t\(number)")
        }
    }

    @Test(.rows("S3-20"))
    func `an adapter runs before each attempt, from the original request`() async throws {
        let origin = PipelineOrigin(.failure(.timedOut), .failure(.timedOut), .status(.ok))
        _ = try await origin.pipeline(for: url, adapter: Token()).retry(2).value()
        #expect(
            origin.mock.requests.map { $0.headers[values: "X-Token"] } == [["t1"], ["t2"], ["t3"]])
    }

    @Test(.rows("S3-20"))
    func `below a retry, an adapter runs once`() async throws {
        let origin = PipelineOrigin(.failure(.timedOut), .failure(.timedOut), .status(.ok))
        _ = try await origin.pipeline(for: url).retry(2).adapt(using: Token()).value()
        #expect(
            origin.mock.requests.map { $0.headers[values: "X-Token"] } == [["t1"], ["t1"], ["t1"]])
    }

    @Test(.rows("S3-20"))
    func `of two adapters the lower is first, and the upper has the last word`() async throws {
        let origin = PipelineOrigin(.status(.ok))
        _ = try await origin.pipeline(for: url)
            .adapt { $0.header("X-Who", ($0.headers["X-Who"] ?? "") + ", upper") }  // prose: data
            .adapt { $0.header("X-Who", "lower") }  // prose: data
            .value()
        #expect(origin.mock.requests[0].headers["X-Who"] == "lower, upper")  // prose: data
    }

    @Test(.rows("S3-20"))
    func `an adapter that throws sends nothing, and its failure reaches the retrier`()
        async throws
    {
        let origin = PipelineOrigin(.status(.ok))
        let asked = Record<String>()
        let failing = origin.pipeline(for: url).adapt { _ in throw PipelineMistake() }
        let failure = try #require(try await origin.failure(of: failing))
        guard case .adapting(let request, let thrown) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(request.url.absoluteString == url)
        #expect(thrown as? PipelineMistake == PipelineMistake())
        let retried = failing.retryDecision { failure, _ in
            if case .adapting = failure { asked.add("adapting") }
            return .drop
        }
        _ = try await origin.failure(of: retried)
        #expect(asked.entries == ["adapting"])
        #expect(origin.sends == 0)
    }

    @Test(.rows("S3-20"))
    func `an adapter's failed refresh has the status that it failed with`() {
        let refused = HTTPError(
            .unexpectedStatus, "no", response: .init(status: .forbidden, url: URL(filePath: "/")))
        let failure = HTTPPipelineFailure.adapting(
            HTTPRequest(url: URL(filePath: "/")), thrown: refused)
        #expect(failure.status == .forbidden)
    }

    private final class Session: HTTPRequestInterceptor, RetryDeciding {
        let token = Locked("stale")

        func process(request: inout HTTPRequest) async throws {
            try request.headers.set(.authorization, token.withLock { $0 })
        }

        func decision(about attempt: RetryAttempt) async throws -> RetryDecision {
            guard attempt.failure?.status == .unauthorized else { return .drop }
            token.withLock { $0 = "fresh" }
            return .retry
        }
    }

    @Test(.rows("B-20"))
    func `an interceptor adapts and decides`() async throws {
        let origin = PipelineOrigin(.status(.unauthorized), .status(.ok))
        let pipeline = origin.pipeline(for: url).allowed(statusCode: 200).intercept(
            using: Session())
        _ = try await origin.onTestTime { try await pipeline.value() }
        #expect(origin.mock.requests.map { $0.headers[.authorization] } == ["stale", "fresh"])
    }

    // MARK: Retries

    @Test(.rows("S3-21"))
    func `retry(2) is three attempts, and then the last failure itself`() async throws {
        let origin = PipelineOrigin(
            .failure(.timedOut), .failure(.timedOut), .failure(.connectionLost))
        let error = await #expect(throws: HTTPError.self) {
            try await origin.pipeline(for: url).retry(2).value()
        }
        #expect(error?.code == .connectionLost)
        #expect(origin.sends == 3)
    }

    @Test(.rows("S3-21"), arguments: [-1, 0])
    func `no retries are one attempt`(count: Int) async throws {
        let origin = PipelineOrigin(.failure(.timedOut))
        await #expect(throws: HTTPError.self) {
            try await origin.pipeline(for: url).retry(count).value()
        }
        #expect(origin.sends == 1)
    }

    @Test(.rows("S3-21"))
    func `two retries add up, they do not multiply`() async throws {
        let origin = PipelineOrigin(.failure(.timedOut))
        await #expect(throws: HTTPError.self) {
            try await origin.pipeline(for: url).retry(2).retry(3).value()
        }
        #expect(origin.sends == 6)
    }

    @Test func `a retry below sends again what a retrier above drops`() async throws {
        let origin = PipelineOrigin(.failure(.timedOut), .status(.ok))
        _ = try await origin.pipeline(for: url).retryDecision { _, _ in .drop }.retry(1).value()
        #expect(origin.sends == 2)
    }

    @Test(.rows("S3-21"))
    func `each call has its own retries`() async throws {
        let origin = PipelineOrigin(
            .failure(.timedOut), .status(.ok), .failure(.timedOut), .status(.ok))
        let pipeline = origin.pipeline(for: url).retry(1)
        _ = try await pipeline.value()
        _ = try await pipeline.value()
        #expect(origin.sends == 4)
    }

    @Test func `a body that can be read once is not sent twice`() async throws {
        let session = MockSession { request in
            _ = try await request.body.collect()
            throw HTTPError(.connectionLost, "gone", mayHaveReachedServer: true)
        }
        let once = HTTPBody(
            AsyncStream {
                $0.yield(Data("x".utf8)); $0.finish()
            })
        let request = try HTTPRequest(.post, url, body: once).repeatable()
        let error = await #expect(throws: HTTPError.self) {
            try await session.pipeline(for: request).retry(2).value()
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("read once") == true)
        #expect(session.requests.count == 1)
    }

    @Test func `no retry outlives the call's deadline`() async throws {
        let origin = PipelineOrigin(.failure(.connectionLost))
        var request = try HTTPRequest(.get, url)
        request.deadline = origin.clock.now + .seconds(5)
        let pipeline = origin.pipeline(for: request).retry(3, delay: .seconds(10))
        let error = await #expect(throws: HTTPError.self) { try await pipeline.value() }
        #expect(error?.code == .connectionLost)
        #expect(origin.sends == 1)
    }

    @Test func `cancelled while it waits, a retry is not sent`() async throws {
        let origin = PipelineOrigin(.failure(.timedOut))
        let pipeline = origin.pipeline(for: url).retry(1, delay: .seconds(10))
        let caller = Task { try await pipeline.value() }
        try await origin.clock.waitForSleepers(1)
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(origin.sends == 1)
    }
}
