import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPDefaultValidatorTests {
    private let clock = HTTPTestClock()

    // MARK: Statuses

    @Test(.rows("S0-25"), arguments: [200, 201, 204, 206, 299, 301, 302, 304, 307, 399])
    func `what is no error is a response`(code: Int) async throws {
        let status = try #require(HTTPStatus(code: code))
        let response = try await MockSession.answering(status)
            .validated(by: HTTPDefaultValidator())
        #expect(response.status == status)
    }

    @Test(.rows("S0-25"), arguments: [400, 404, 418, 429, 499, 500, 503, 599, 600, 999])
    func `4xx, 5xx and what no class covers are failures`(code: Int) async throws {
        let status = try #require(HTTPStatus(code: code))
        let mock = MockSession.answering(status, "why")
        let error = try await failure { try await mock.validated(by: HTTPDefaultValidator()) }
        #expect(error.code == .unexpectedStatus)
        #expect(error.response?.status == status)
        #expect(error.message == "Unexpected status code: \(code)")
        #expect(mock.hits == 1)
    }

    // MARK: Retriable statuses

    @Test(.rows("S0-26"))
    func `429 is sent again after three seconds, and no other status`() async throws {
        #expect(HTTPDefaultValidator().retriableStatuses == [.tooManyRequests: .seconds(3)])
        let mock = MockSession.playing(
            { HTTPResponse(.tooManyRequests, to: $0) }, { HTTPResponse(.ok, to: $0) })
        let response = try await mock.validated(by: HTTPDefaultValidator(), clock: clock) {
            $0.maxRetries = 1
        }
        #expect(response.status == .ok)
        #expect(clock.waits == [.seconds(3)])
    }

    @Test(.rows("S0-26"))
    func `the server's Retry-After counts if it is longer`() async throws {
        for (seconds, wait) in [("1", 3), ("7", 7)] {
            let clock = HTTPTestClock()
            let mock = MockSession.playing(
                { HTTPResponse(.tooManyRequests, headers: ["Retry-After": seconds], to: $0) },
                { HTTPResponse(.ok, to: $0) })
            try await mock.validated(by: HTTPDefaultValidator(), clock: clock) {
                $0.maxRetries = 1
            }
            #expect(clock.waits == [.seconds(wait)])
        }
    }

    @Test(.rows("S0-26"))
    func `the map is each validator's own, zero is at once`() async throws {
        var validator = HTTPDefaultValidator()
        validator.retriableStatuses = [.badGateway: .zero]
        let mock = MockSession.playing(
            { HTTPResponse(.badGateway, to: $0) }, { HTTPResponse(.tooManyRequests, to: $0) })
        let error = try await failure {
            try await mock.validated(by: validator, clock: clock) { $0.maxRetries = 5 }
        }
        #expect(error.response?.status == .tooManyRequests)
        #expect(mock.hits == 2)
        #expect(clock.waits.isEmpty)
    }

    @Test(.rows("S0-26"))
    func `a status that is no error is not looked up`() async throws {
        var validator = HTTPDefaultValidator()
        validator.retriableStatuses = [.ok: .zero]
        let mock = MockSession.answering()
        try await mock.validated(by: validator) { $0.maxRetries = 5 }
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-26"))
    func `a 429 for ever ends with the retries, and the response inside`() async throws {
        let mock = MockSession.answering(.tooManyRequests, "slow down")
        let error = try await failure {
            try await mock.validated(by: HTTPDefaultValidator(), clock: clock) {
                $0.maxRetries = 2
            }
        }
        #expect(error.code == .unexpectedStatus)
        #expect(error.response?.status == .tooManyRequests)
        #expect(error.bodyPrefix?.count == 9)
        #expect(mock.hits == 3)
    }

    // MARK: Retriable failures

    static let connectionFailures: [HTTPError.Code] = [
        .timedOut, .nameNotResolved, .cannotConnect, .connectionLost, .bodyIncomplete,
    ]

    @Test(.rows("S0-27"), arguments: connectionFailures)
    func `a connection that failed is tried again at once`(code: HTTPError.Code) async throws {
        let mock = MockSession.playing(
            { _ in throw HTTPError(code, "failed") }, { HTTPResponse(.ok, to: $0) })
        let response = try await mock.validated(by: HTTPDefaultValidator(), clock: clock) {
            $0.maxRetries = 1
        }
        #expect(response.status == .ok)
        #expect(clock.waits.isEmpty)
    }

    @Test(
        .rows("S0-27"),
        arguments: [
            HTTPError.Code.serverNotTrusted, .tlsFailed, .invalidRequest, .unsupportedOption,
            .protocolViolation, .sessionClosed,
        ])
    func `what would fail again is not`(code: HTTPError.Code) async throws {
        let mock = MockSession { _ in throw HTTPError(code, "failed") }
        let error = try await failure {
            try await mock.validated(by: HTTPDefaultValidator()) { $0.maxRetries = 5 }
        }
        #expect(error.code == code)
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-27"), arguments: connectionFailures)
    func `without retries a connection that failed is itself`(code: HTTPError.Code) async throws {
        let mock = MockSession { _ in throw HTTPError(code, "failed") }
        let error = try await failure { try await mock.validated(by: HTTPDefaultValidator()) }
        #expect(error.code == code)
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-27"))
    func `the call's own deadline is no connection that failed`() async throws {
        let mock = MockSession { _ in
            throw HTTPError(.timedOut, "late", timer: HTTPError.Timer(.deadline, .seconds(1)))
        }
        let error = try await failure {
            try await mock.validated(by: HTTPDefaultValidator()) { $0.maxRetries = 5 }
        }
        #expect(error.code == .timedOut)
        #expect(mock.hits == 1)
    }

    // MARK: Empty responses

    private var demanding: HTTPDefaultValidator {
        var validator = HTTPDefaultValidator()
        validator.allowsEmptyResponses = false
        return validator
    }

    @Test(.rows("S0-28"))
    func `empty responses are allowed unless told`() async throws {
        #expect(HTTPDefaultValidator().allowsEmptyResponses)
        try await MockSession.answering().validated(by: HTTPDefaultValidator())
        let error = try await failure {
            try await MockSession.answering().validated(by: demanding)
        }
        #expect(error.code == .emptyResponse)
        #expect(error.response?.status == .ok)
    }

    @Test(.rows("S0-28"))
    func `an error status is not hidden by an empty body`() async throws {
        let error = try await failure {
            try await MockSession.answering(.internalServerError).validated(by: demanding)
        }
        #expect(error.code == .unexpectedStatus)
    }

    @Test(
        .rows("S0-28"),
        arguments: [HTTPStatus.switchingProtocols, .noContent, .resetContent, .notModified])
    func `a status that has no content is exempt`(status: HTTPStatus) async throws {
        let response = try await MockSession.answering(status).validated(by: demanding)
        #expect(response.status == status)
    }

    @Test(.rows("S0-28"))
    func `an answer to HEAD is exempt`() async throws {
        try await MockSession.answering().validated(by: demanding) { $0.method = .head }
    }

    @Test(.rows("S0-28"))
    func `a body of unknown length is looked at, and then whole`() async throws {
        let full = MockSession { request in
            HTTPResponse(.ok, body: HTTPBody(source: Pieces("ab", "cd")), to: request)
        }
        let response = try await full.validated(by: demanding)
        #expect(try await response.text() == "abcd")
        let empty = MockSession { HTTPResponse(.ok, body: HTTPBody(source: Pieces()), to: $0) }
        let error = try await failure { try await empty.validated(by: demanding) }
        #expect(error.code == .emptyResponse)
    }

    @Test func `a body that was looked at and dropped is given up`() async throws {
        let pieces = Pieces("ab", end: .never)
        let mock = MockSession {
            HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0)
        }
        do { _ = try await mock.validated(by: demanding) }
        #expect(pieces.givenUp > 0)
    }

    @Test func `a body that breaks before its first byte is that failure`() async throws {
        let mock = MockSession {
            let pieces = Pieces(end: .broken(HTTPError(.bodyIncomplete, "cut")))
            return HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0)
        }
        let error = try await failure { try await mock.validated(by: demanding) }
        #expect(error.code == .bodyIncomplete)
    }

    // MARK: Rules of the caller's own

    @Test(.rows("S0-29"))
    func `a rule goes before the others, or leaves it to them`() async throws {
        let validator = HTTPDefaultValidator { outcome, attempt in
            guard case .success(let response) = outcome else { return nil }
            switch response.status {
            case .notFound: return .next
            case .conflict where attempt.index == 0: return .retry(.delayed(.seconds(1)))
            default: return nil
            }
        }
        #expect(
            try await MockSession.answering(.notFound).validated(by: validator).status
                == .notFound)
        let mock = MockSession.answering(.conflict)
        let error = try await failure {
            try await mock.validated(by: validator, clock: clock) { $0.maxRetries = 3 }
        }
        #expect(error.code == .unexpectedStatus)
        #expect(mock.hits == 2)
        #expect(clock.waits == [.seconds(1)])
    }
}
