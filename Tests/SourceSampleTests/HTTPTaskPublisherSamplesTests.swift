import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The samples of HTTPTaskPublisher's README, with a client in place of the `URLSession`.
@Suite(.timeLimit(.minutes(5))) struct HTTPTaskPublisherSamplesTests {
    private struct MyObject: Codable, Equatable, Sendable {
        var payloads: [String]
    }

    private let myRequest: HTTPRequest
    private let clock = BriskClock()

    init() throws { myRequest = try HTTPRequest("https://h/objects") }

    private func client(_ transport: any HTTPSession) -> HTTPClient {
        HTTPClient(transport: transport, validators: []) { $0.clock = clock }
    }

    /// Responds in order, and repeats the last response for ever.
    private func answering(_ answers: (HTTPStatus, String)...) -> MockSession {
        let rest = Locked(answers)
        return MockSession { request in
            let (status, body) = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return HTTPResponse(status, body: HTTPBody(body), to: request)
        }
    }

    // MARK: Basic usage

    @Test(.rows("S3-1"))
    func `nothing is sent before the value is requested, which is data and response`()
        async throws
    {
        let mock = answering((.ok, "hello"))
        let task = client(mock).pipeline(for: myRequest)
        #expect(mock.requests.isEmpty)
        let (data, response) = try await task.value()
        #expect(data == Data("hello".utf8))
        #expect(response.status == .ok)
        #expect(mock.requests.map(\.url.absoluteString) == ["https://h/objects"])
    }

    // MARK: Decoding

    @Test(.rows("S3-5"))
    func `data is decoded, with the response`() async throws {
        let mock = answering((.ok, #"{"payloads":["a"]}"#))
        let (decoded, response) = try await client(mock).pipeline(for: myRequest)
            .decode(type: MyObject.self, decoder: JSONDecoder())
            .value()
        #expect(decoded == MyObject(payloads: ["a"]))
        #expect(response.status == .ok)
    }

    @Test(.rows("S3-5"))
    func `data that is something else is in the failure`() async throws {
        let mock = answering((.ok, "[]"))
        let outcome = try await client(mock).pipeline(for: myRequest)
            .decode(type: MyObject.self, decoder: JSONDecoder())
            .outcome()
        guard case .failure(.decoding(let data, let head, let thrown)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(data == Data("[]".utf8))
        #expect(head.status == .ok)
        #expect(thrown is DecodingError)
    }

    // MARK: Duplicates

    @Test(.rows("S3-6", "S3-8"))
    func `a duplicate shares the response under way, is dropped, or is sent`()
        async throws
    {
        let held = HeldSession()
        let coalescing = Coalescing(.alwaysCreateNew)
        let session = held.with(coalescing)
        async let first = session.pipeline(for: myRequest).value()
        try await held.asked.wait()
        async let joining = session.pipeline(
            for: myRequest, coalescing: .useCurrentIfPossible
        ).value()
        while coalescing.joined < 2 {
            try Task.checkCancellation()
            await Task.yield()
        }
        let dropped = await #expect(throws: HTTPError.self) {
            try await session.pipeline(for: myRequest, coalescing: .dropIfDuplicated).value()
        }
        #expect(dropped?.code == .droppedAsDuplicate)
        held.answer.open()
        #expect(try await first.data == Data("done".utf8))
        #expect(try await joining.data == Data("done".utf8))
        #expect(held.requests == 1)
        _ = try await session.pipeline(for: myRequest, coalescing: .alwaysCreateNew).value()
        #expect(held.requests == 2)
    }

    // MARK: Validation

    @Test(.rows("S3-10"))
    func `a closure refuses a response with a reason`() async throws {
        let mock = answering((.ok, "hello"))
        let outcome = try await client(mock).pipeline(for: myRequest)
            .validate { data, response in
                .invalid(reason: "\(data.count) bytes of a \(response.status.code)")
            }
            .outcome()
        guard case .failure(.invalid(let reason, let data, let head)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason == "5 bytes of a 200")
        #expect(data == Data("hello".utf8))
        #expect(head.status == .ok)
    }

    // MARK: Statuses

    @Test(.rows("S3-11"), arguments: [(200, "oooo"), (201, "-ooo"), (250, "-o--"), (404, "----")])
    func `status codes are allowed in four forms`(code: Int, allowed: String) async throws {
        let mock = answering((try #require(HTTPStatus(code: code)), ""))
        let task = client(mock).pipeline(for: myRequest)
        let forms = [
            task.allowed(statusCode: 200),
            task.allowed(statusCodes: 200..<300),
            task.allowed(statusCodes: 200, 201),
            task.allowed(statusCodes: [200, 201]),
        ]
        var found = ""
        for form in forms {
            switch try await form.outcome() {
            case .success: found += "o"
            case .failure(let failure):
                #expect(failure.status?.code == code)
                found += "-"
            }
        }
        #expect(found == allowed)
    }

    private struct MyValidator: HTTPValidator {
        func verdict(
            on outcome: HTTPOutcome, of attempt: RetryAttempt
        ) async throws -> HTTPVerdict {
            guard case .success(let response) = outcome else { return .next }
            return response.headers.contains("X-Signature") ? .next : .invalid("no signature")
        }
    }

    // MARK: Validators

    @Test(.rows("S3-12"))
    func `an object refuses a response with a reason`() async throws {
        let mock = answering((.ok, ""))
        let error = await #expect(throws: HTTPError.self) {
            try await client(mock).pipeline(for: myRequest).validate(using: MyValidator()).value()
        }
        #expect(error?.code == .validationFailed)
        #expect(error?.message == "no signature")
    }

    // MARK: Decisions

    @Test(.rows("S3-14", "S3-15"))
    func `a closure decides about a failure`() async throws {
        let mock = answering(
            (.serviceUnavailable, ""), (.serviceUnavailable, ""), (.notFound, ""))
        let outcome = try await client(mock).pipeline(for: myRequest)
            .allowed(statusCode: 200)
            .retryDecision { failure, request in
                guard failure.status == .serviceUnavailable else {
                    return .dropWithReason("\(request.url.path) is gone")
                }
                return .retry
            }
            .outcome()
        guard case .failure(.dropped(let reason, .invalid(_, _, let head))) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason == "/objects is gone")
        #expect(head.status == .notFound)
        #expect(mock.requests.count == 3)
        #expect(clock.waits == [.seconds(0.1), .seconds(0.1)])
    }

    private struct MyRetrier: RetryDeciding {
        let refreshToken: @Sendable () async throws -> String

        func decision(about attempt: RetryAttempt) async throws -> RetryDecision {
            guard attempt.failure?.status == .unauthorized else { return .drop }
            let token = try await refreshToken()
            return .retryWithRequest(attempt.request.header(.authorization, "Bearer \(token)"))
        }
    }

    // MARK: Retriers

    @Test(.rows("S3-15", "S3-16"))
    func `an object refreshes the token and retries with a new request`() async throws {
        let mock = answering((.unauthorized, ""), (.ok, ""))
        let (_, response) = try await client(mock).pipeline(for: myRequest)
            .allowed(statusCode: 200)
            .retrier(using: MyRetrier { "fresh" })
            .value()
        #expect(response.status == .ok)
        #expect(mock.requests.map { $0.headers[.authorization] } == [nil, "Bearer fresh"])
    }

    @Test(.rows("S3-15", "S3-16"))
    func `an object drops a failure that a token does not fix`() async throws {
        let mock = answering((.forbidden, ""))
        let outcome = try await client(mock).pipeline(for: myRequest)
            .allowed(statusCode: 200)
            .retrier(using: MyRetrier { "fresh" })
            .outcome()
        guard case .failure(.invalid(_, _, let head)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(head.status == .forbidden)
        #expect(mock.requests.count == 1)
    }

    private struct NoToken: Error {}

    // MARK: Retriers that throw

    @Test(.rows("S3-4", "S3-17"))
    func `an object that throws has failed the retry`() async throws {
        let mock = answering((.unauthorized, ""))
        let outcome = try await client(mock).pipeline(for: myRequest)
            .allowed(statusCode: 200)
            .retrier(using: MyRetrier { throw NoToken() })
            .outcome()
        guard case .failure(.retrying(let thrown, let original)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(thrown is NoToken)
        #expect(original.status == .unauthorized)
    }

    // MARK: Adapting

    private struct MyAdapter: HTTPRequestInterceptor {
        let refreshToken: @Sendable () async throws -> String

        func process(request: inout HTTPRequest) async throws {
            try request.headers.set(.bearer(try await refreshToken()))
        }
    }

    @Test(.rows("S3-20"))
    func `an adapter changes the request before each attempt`() async throws {
        let mock = answering((.serviceUnavailable, ""), (.ok, ""))
        let count = Locked(0)
        let adapter = MyAdapter {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return "token\(number)"
        }
        _ = try await client(mock).pipeline(for: myRequest, adapter: adapter)
            .allowed(statusCode: 200)
            .retry(1)
            .value()
        let tokens = mock.requests.map { $0.headers[.authorization] }
        #expect(tokens == ["Bearer token1", "Bearer token2"])
    }

    // MARK: Adapters that throw

    @Test(.rows("S3-4", "S3-20"))
    func `an adapter that throws has failed before anything is sent`() async throws {
        let mock = answering((.ok, ""))
        let adapter = MyAdapter { throw NoToken() }
        let outcome = try await client(mock).pipeline(for: myRequest, adapter: adapter).outcome()
        guard case .failure(.adapting(let request, let thrown)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(request.url == myRequest.url)
        #expect(thrown is NoToken)
        #expect(mock.requests.isEmpty)
    }

    // MARK: Operators

    @Test(.rows("S3-21"))
    func `two retries and a mapping need no Combine`() async throws {
        let mock = answering((.ok, ""), (.ok, "[]"), (.ok, #"{"payloads":["a","b"]}"#))
        let payloads = try await client(mock).pipeline(for: myRequest)
            .decode(type: MyObject.self)
            .retry(2)
            .map { $0.decoded.payloads }
            .value()
        #expect(payloads == ["a", "b"])
        #expect(mock.requests.count == 3)
    }
}
