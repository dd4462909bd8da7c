import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPRetry
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct RetryPolicyTests {
    private func attempt(_ method: HTTPMethod, _ end: RetryAttempt.End) throws -> RetryAttempt {
        RetryAttempt(try HTTPRequest(method, "https://h/"), maxRetries: 2, end: end)
    }

    private func status(_ code: Int) throws -> RetryAttempt.End {
        let url = try HTTPRequest(.get, "https://h/").url
        return .response(HTTPResponse.Head(status: try #require(HTTPStatus(code: code)), url: url))
    }

    private func retries(_ policy: RetryPolicy, _ attempt: RetryAttempt) async throws -> Bool {
        if case .retry = try await policy.decision(about: attempt) { true } else { false }
    }

    @Test(arguments: 100...599)
    func `standard retries 408, 425, 429, 500, 502, 503 and 504 and no other status`(
        code: Int
    ) async throws {
        let isListed = [408, 425, 429, 500, 502, 503, 504].contains(code)
        #expect(try await retries(.standard, attempt(.get, status(code))) == isListed)
    }

    @Test(
        arguments: [.get, .head, .options, .trace, .put, .delete, .query] as [HTTPMethod])
    func `standard retries idempotent methods`(method: HTTPMethod) async throws {
        #expect(try await retries(.standard, attempt(method, status(503))))
    }

    @Test(arguments: [.post, .patch, "CUSTOM", "get"] as [HTTPMethod])
    func `standard retries any other method with an idempotency key only`(
        method: HTTPMethod
    ) async throws {
        var attempt = try attempt(method, status(503))
        #expect(try await !retries(.standard, attempt))
        attempt.request = attempt.request.idempotencyKey("7")
        #expect(try await retries(.standard, attempt))
        var trusting = RetryPolicy.standard
        trusting.idempotencyKey = nil
        #expect(try await !retries(trusting, attempt))
    }

    @Test func `an idempotency key is new for each request, and stays for its attempts`() throws {
        let request = try HTTPRequest(.post, "https://h/")
        let a = request.idempotencyKey(), b = request.idempotencyKey()
        #expect(a.headers[.idempotencyKey] != nil)
        #expect(a.headers[.idempotencyKey] != b.headers[.idempotencyKey])
        #expect(request.headers[.idempotencyKey] == nil)
    }

    @Test(
        arguments: [
            .nameNotResolved, .cannotConnect, .connectionLost, .bodyIncomplete, .timedOut,
            .digestMismatch, .tlsFailed, .proxyFailed,
        ] as [HTTPError.Code])
    func `standard retries failures of the connection`(code: HTTPError.Code) async throws {
        let error = HTTPError(code, "", phase: .connecting, isRetryable: true)
        for method in [HTTPMethod.get, .post] {
            #expect(try await retries(.standard, attempt(method, .failure(error))))
        }
    }

    @Test(
        arguments: [
            .invalidRequest, .unsupportedOption, .tlsFailed, .proxyFailed, .serverNotTrusted,
            .protocolViolation, .bodyTooLarge, .bodyAlreadyRead, .decodingFailed, .sessionClosed,
            .internalFailure,
        ] as [HTTPError.Code])
    func `standard does not retry what would end the same way`(code: HTTPError.Code) async throws {
        #expect(try await !retries(.standard, attempt(.get, .failure(HTTPError(code, "")))))
    }

    @Test(arguments: [404, 503])
    func `an error for a response is retried by the status of that response`(
        code: Int
    ) async throws {
        let url = try HTTPRequest(.get, "https://h/").url
        let head = HTTPResponse.Head(status: try #require(HTTPStatus(code: code)), url: url)
        let refused = HTTPError(
            HTTPError.Code(rawValue: "unexpectedStatus"), "", mayHaveReachedServer: true,
            response: head)
        #expect(try await retries(.standard, attempt(.get, .failure(refused))) == (code == 503))
        #expect(try await !retries(.standard, attempt(.post, .failure(refused))))
        #expect(try await !retries(.none, attempt(.get, .failure(refused))))
        let late = HTTPError(
            .timedOut, "", timer: HTTPError.Timer(.deadline, .seconds(1)), response: head)
        #expect(try await !retries(.standard, attempt(.get, .failure(late))))
    }

    @Test func `a deadline is never retried, nor is a foreign error type`() async throws {
        let timer = HTTPError.Timer(.deadline, .seconds(1))
        let error = HTTPError(.timedOut, "", timer: timer)
        #expect(try await !retries(.standard, attempt(.get, .failure(error))))
        struct Foreign: Error {}
        #expect(try await !retries(.standard, attempt(.get, .failure(Foreign()))))
    }

    @Test func `a post that found no connection is retried, one that may have arrived is not`()
        async throws
    {
        #expect(try await retries(.standard, attempt(.post, .failure(HTTPError.refused))))
        #expect(try await !retries(.standard, attempt(.post, .failure(HTTPError.lost))))
        let late = HTTPError(.cannotConnect, "", mayHaveReachedServer: true)
        #expect(try await !retries(.standard, attempt(.post, .failure(late))))
    }

    @Test func `policies compose: unless takes away, also adds`() async throws {
        let calm = RetryPolicy.standard.unless { $0.response?.status == .tooManyRequests }
        #expect(try await !retries(calm, attempt(.get, status(429))))
        #expect(try await retries(calm, attempt(.get, status(503))))
        let eager = RetryPolicy.standard.also { $0.response?.status == .conflict }
        #expect(try await retries(eager, attempt(.get, status(409))))
        #expect(try await !retries(eager, attempt(.post, status(409))))
        #expect(try await !retries(eager.unless { _ in true }, attempt(.get, status(409))))
        #expect(try await retries(.none.also { _ in true }, attempt(.get, status(200))) == false)
    }

    @Test func `none sends nothing again`() async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        let response = try await mock.with(Retry(.none)).response(for: "https://h/")
        #expect(response.status == .serviceUnavailable && mock.hits == 1)
    }

    private func deciding(
        _ mock: MockSession, maxRetries: Int = 10, delay: Duration = .zero,
        clock: HTTPTestClock = HTTPTestClock(),
        _ decide: @escaping @Sendable (RetryAttempt) async throws -> RetryDecision
    ) async throws -> HTTPResponse {
        let policy = RetryPolicy.deciding(maxRetries: maxRetries, delay: delay, decide)
        let session = mock.with(Retry(policy, budget: nil))
        return try await onVirtualTime(clock) {
            try await session.response(
                for: HTTPRequest.test(.post, clock: clock) { $0.isRepeatable = true })
        }
    }

    @Test(.rows("S3-14"))
    func `the closure is asked about failures with error, request and index`() async throws {
        let seen = Journal<(HTTPError.Code?, HTTPMethod, Int)>()
        let mock = MockSession.answering(
            { _ in throw HTTPError.refused }, { _ in throw HTTPError.lost },
            { HTTPResponse(.ok, to: $0) })
        let response = try await deciding(mock) { attempt in
            seen.add(
                ((attempt.error as? HTTPError)?.code, attempt.request.method, attempt.index))
            return .retry
        }
        #expect(response.status == .ok && mock.hits == 3)
        #expect(seen.entries.map(\.0) == [.cannotConnect, .connectionLost])
        #expect(seen.entries.map(\.1) == [.post, .post] && seen.entries.map(\.2) == [0, 1])
    }

    @Test(.rows("S3-14"))
    func `the closure is never asked about a response, whatever its status`() async throws {
        let mock = MockSession.statuses(.internalServerError)
        let response = try await deciding(mock) { _ in
            Issue.record("asked")
            return .retry
        }
        #expect(response.status == .internalServerError && mock.hits == 1)
    }

    @Test(.rows("S3-15"))
    func `drop fails with the failure itself`() async throws {
        let mock = MockSession.answering({ _ in throw HTTPError.refused })
        let error = await #expect(throws: HTTPError.self) {
            try await deciding(mock) { _ in .drop }
        }
        #expect(error?.code == .cannotConnect && error?.underlyingError == nil && mock.hits == 1)
    }

    @Test(.rows("S3-15"))
    func `drop with a reason fails with the reason, the failure inside`() async throws {
        let mock = MockSession.answering({ _ in throw HTTPError.refused })
        let error = await #expect(throws: HTTPError.self) {
            try await deciding(mock) { _ in .dropWithReason("not on a Sunday") }
        }
        #expect(error?.code == .retryDropped && error?.message == "not on a Sunday")
        #expect((error?.underlyingError as? HTTPError)?.code == .cannotConnect && mock.hits == 1)
    }

    @Test(.rows("S3-15"))
    func `a new request takes the original's place for all attempts that follow`()
        async throws
    {
        let mock = MockSession.answering(
            { _ in throw HTTPError.refused }, { _ in throw HTTPError.refused },
            { HTTPResponse(.ok, to: $0) })
        _ = try await deciding(mock) { attempt in
            guard attempt.index == 0 else { return .retry }
            return .retryWithRequest(try HTTPRequest(.put, "https://other.test/"))
        }
        #expect(mock.requests.map(\.method) == [.post, .put, .put])
        #expect(mock.requests.map { $0.url.host() } == ["origin.test", "other.test", "other.test"])
        #expect(Set(mock.requests.map { $0.call?.id }).count == 1)  // one call, counted as one
    }

    @Test(.rows("S3-17"))
    func `what the closure throws is told apart from the failure, and holds both`()
        async throws
    {
        struct Broken: Error {}
        let mock = MockSession.answering({ _ in throw HTTPError.refused })
        let error = await #expect(throws: HTTPError.self) {
            try await deciding(mock) { _ in throw Broken() }
        }
        #expect(error?.code == .retryFailed && mock.hits == 1)
        let inside = try #require(error?.underlyingError as? RetryFailure)
        #expect(inside.thrown is Broken)
        #expect((inside.original.error as? HTTPError)?.code == .cannotConnect)
    }

    @Test(.rows("S3-18"))
    func `a closure that always retries ends after ten retries with the last failure`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = MockSession.answering({ _ in throw HTTPError.refused })
        let session = mock.with(Retry(.deciding { _ in .retry }, budget: nil))
        let error = await #expect(throws: HTTPError.self) {
            try await onVirtualTime(clock) {
                try await session.response(for: HTTPRequest.test(clock: clock))
            }
        }
        #expect(error?.code == .cannotConnect && mock.hits == 11)
        #expect(error?.message == "after 11 attempts: refused")
        #expect(clock.sleeps == Array(repeating: .seconds(0.1), count: 10))
    }

    @Test(.rows("S3-16"))
    func `its delay can be set to nothing`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession.answering(
            { _ in throw HTTPError.refused }, { HTTPResponse(.ok, to: $0) })
        _ = try await deciding(mock, delay: .zero, clock: clock) { _ in .retry }
        #expect(clock.sleeps == [] && mock.hits == 2)
    }

    @Test(.rows("S3-16"))
    func `an object decides as a closure does`() async throws {
        struct Once: RetryDeciding {
            func decision(about attempt: RetryAttempt) async throws -> RetryDecision {
                attempt.index == 0 ? .retry : .drop
            }
        }
        let mock = MockSession.answering({ _ in throw HTTPError.refused })
        let session = mock.with(Retry(.deciding(delay: .zero, by: Once())))
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: "https://h/")
        }
        #expect(error?.code == .cannotConnect && mock.hits == 2)
    }

    @Test(.rows("S3-15"))
    func `an outer middleware does not retry what the closure has dropped`() async throws {
        let retryDecisions = DecisionLog()
        let mock = MockSession.answering({ _ in throw HTTPError.refused })
        let session = mock.with(Asking(.immediate), Retry(.deciding { _ in .drop }))
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(
                for: HTTPRequest.test(clock: HTTPTestClock(), observer: retryDecisions))
        }
        #expect(error?.code == .cannotConnect && mock.hits == 1)
        #expect(retryDecisions.refusals == [.dropped, .dropped])
    }
}
