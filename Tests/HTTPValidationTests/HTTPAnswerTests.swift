import HTTPCore
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPAnswerTests {
    struct User: Decodable, Equatable { let name: String }
    struct Problem: Decodable, Error, Equatable { let reason: String }
    /// No `Error`.
    struct Fault: Decodable, Equatable { let reason: String }
    struct Nothing: Decodable {}

    private let user = #"{"name": "Ada"}"#
    private let problem = #"{"reason": "gone"}"#

    private func answer<Success: Decodable & Sendable, Failure: Decodable & Sendable>(
        _ session: any HTTPSession, _ success: Success.Type = User.self,
        _ error: Failure.Type = Problem.self
    ) async throws -> HTTPAnswer<Success, Failure> {
        await session.answer(success, orError: error, for: try HTTPRequest.test())
    }

    private func thrown(_ session: any HTTPSession) async throws -> HTTPError {
        try await failure {
            try await session.response(
                User.self, orError: Problem.self, for: try HTTPRequest.test())
        }
    }

    // MARK: Success

    @Test(.rows("S2-8", "S2-13"))
    func `a body of the success type is a success`() async throws {
        let session = MockSession.answering(.ok, user)
        guard case .success(let value) = try await answer(session) else { throw NoError() }
        #expect(value == User(name: "Ada"))
        #expect(
            try await session.response(
                User.self, orError: Problem.self, for: HTTPRequest.test()
            ).name == "Ada")
    }

    @Test(.rows("S2-8", "S2-13"))
    func `success wins where both types would do`() async throws {
        let both = MockSession.answering(.ok, #"{"name": "Ada", "reason": "gone"}"#)
        guard case .success = try await answer(both) else { throw NoError() }
    }

    @Test(.rows("S2-8"))
    func `a String is text, and text that is none is left to the error type`() async throws {
        let text = try await answer(MockSession.answering(.ok, "plain"), String.self)
        #expect(try text.get() == "plain")
        let bytes = MockSession {
            HTTPResponse(.ok, body: HTTPBody(Data([0x61, 0x80])), to: $0)
        }
        guard case .failure(let error) = try await answer(bytes, String.self) else {
            throw NoError()
        }
        #expect((error as? HTTPError)?.code == .decodingFailed)
    }

    @Test func `the request is buffered, so that its body is part of the attempt`() async throws {
        let session = MockSession.answering(.ok, user)
        _ = try await answer(session)
        #expect(session.requests.first?.delivery == .buffered(upTo: HTTPBody.defaultLimit))
    }

    // MARK: The order of fallbacks

    @Test(.rows("S2-9", "S2-12"))
    func `a success status with a body of the error type throws that error, inside`()
        async throws
    {
        let session = MockSession.answering(.ok, problem)
        guard case .errorResponse(let value, let error) = try await answer(session) else {
            throw NoError()
        }
        #expect(value == Problem(reason: "gone"))
        #expect(error.code == .errorResponse)
        #expect(error.underlyingError as? Problem == Problem(reason: "gone"))
        #expect(error.response?.status == .ok)
        #expect(error.bodyPrefix == Data(problem.utf8))
        #expect(try await thrown(session).underlyingError is Problem)
    }

    @Test(.rows("S2-12"))
    func `an error type that is no Error is thrown inside one`() async throws {
        let session = MockSession.answering(.ok, problem)
        guard case .errorResponse(_, let error) = try await answer(session, User.self, Fault.self)
        else { throw NoError() }
        let inside = error.underlyingError as? HTTPErrorResponse<Fault>
        #expect(inside?.value == Fault(reason: "gone"))
    }

    @Test(.rows("S2-9", "S2-12"))
    func `a body of neither type keeps both errors, the status and all bytes`()
        async throws
    {
        let body = #"{"else": "s3cret"}"#
        let error = try await thrown(MockSession.answering(.created, body))
        #expect(error.code == .decodingFailed)
        let failures = try #require(error.underlyingError as? HTTPDecodingFailures)
        #expect(failures.success is DecodingError)
        #expect(failures.errorResponse is DecodingError)
        #expect(failures.status == .created)
        #expect(failures.body == Data(body.utf8))
        #expect(!"\(error) \(failures)".contains("s3cret"))
    }

    @Test(.rows("S2-9"))
    func `an error type without members takes any JSON, and nothing else`() async throws {
        for (body, isTaken) in [("{}", true), ("[1]", true), ("nonsense", false)] {
            let answer = try await answer(
                MockSession.answering(.ok, body), User.self, Nothing.self)
            if case .errorResponse = answer { #expect(isTaken) } else { #expect(!isTaken) }
        }
    }

    // MARK: Other statuses

    @Test(.rows("S2-10"), arguments: [HTTPStatus.notModified, .notFound, .internalServerError])
    func `any other status is only decoded as the error type`(status: HTTPStatus) async throws {
        for validators in [[], [HTTPDefaultValidator()]] as [[any HTTPValidator]] {
            let session = MockSession.answering(status, problem).with(Validation(validators))
            guard case .errorResponse(let value, let error) = try await answer(session) else {
                throw NoError()
            }
            #expect(value == Problem(reason: "gone"))
            #expect(error.code == .unexpectedStatus)
            #expect(error.response?.status == status)
            #expect(error.underlyingError is Problem)
        }
    }

    @Test(.rows("S1-8", "S2-10"), arguments: [HTTPStatus.notFound, .internalServerError])
    func `an error status is no success, though its body would make one`(
        status: HTTPStatus
    ) async throws {
        for validators in [[], [HTTPDefaultValidator()]] as [[any HTTPValidator]] {
            let session = MockSession.answering(status, user).with(Validation(validators))
            let error = try await thrown(session)
            #expect(error.code == .unexpectedStatus)
            let failures = try #require(error.underlyingError as? HTTPDecodingFailures)
            #expect(failures.success == nil)
            #expect(failures.body == Data(user.utf8))
        }
    }

    @Test(.rows("S2-10"))
    func `a long error body is decoded whole, through validation too`() async throws {
        let long = #"{"reason": ""# + String(repeating: "x", count: 100_000) + #""}"#
        let session = MockSession.answering(.badRequest, long).with(Validation())
        guard case .errorResponse(let value, _) = try await answer(session) else {
            throw NoError()
        }
        #expect(value.reason.count == 100_000)
    }

    @Test func `the last response of a call that was sent again is decoded`() async throws {
        let session = MockSession.answering(.tooManyRequests, problem).with(Validation())
        let clock = HTTPTestClock()
        let request = try HTTPRequest.test(clock: clock) { $0.maxRetries = 1 }
        let answer = try await onTestTime(clock) {
            await session.answer(User.self, orError: Problem.self, for: request)
        }
        guard case .errorResponse(let value, let error) = answer else { throw NoError() }
        #expect(value.reason == "gone")
        #expect(error.code == .unexpectedStatus)
    }

    // MARK: No response

    @Test(.rows("S1-8", "S2-11"))
    func `a failure is itself, whatever the types`() async throws {
        let session = MockSession { _ in
            throw HTTPError(.cannotConnect, "refused", underlyingError: MyError())
        }
        let error = try await thrown(session)
        #expect(error.code == .cannotConnect)
        #expect(error.underlyingError is MyError)
    }

    @Test func `what validators do not accept of a success is not decoded`() async throws {
        let session = MockSession.answering(.ok, user).with(
            Validation([ClosureValidator { _, _ in .invalid("not today") }]))
        let error = try await thrown(session)
        #expect(error.code == .validationFailed)
    }

    @Test func `cancellation is a failure, and thrown`() async throws {
        let session = MockSession { _ in throw CancellationError() }
        guard case .failure(let error) = try await answer(session) else { throw NoError() }
        #expect(error is CancellationError)
    }
}
