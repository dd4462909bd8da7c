import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing

// The code of Docs/Guides/Validation.md, word for word; `Scripts/rows --check` compares.

struct ServiceError: Error {
    let message: String
}

struct BadWebService: HTTPValidator {
    var bodyLimit: Int? { 1 << 20 }

    func verdict(
        on outcome: HTTPOutcome, of attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        guard case .success(let response) = outcome, let bytes = response.body.bytes else {
            return .next
        }
        let envelope = try HTTPJSON(parsing: bytes)
        guard envelope["code"]?.int == 0 else {
            let message = envelope["errorMsg"]?.string ?? "Unknown error"
            return .fail(ServiceError(message: message))
        }
        if envelope["data"]?.object != nil { return .next }
        return envelope["retriable"]?.bool == true
            ? .retry(.fibonacci) : .fail(ServiceError(message: "No data"))
    }
}

func silentLogin(_ login: HTTPRequest) -> ClosureValidator {
    ClosureValidator { response, _ in
        guard response.status == .unauthorized else { return .next }
        return .retry(
            .after(login, delay: .seconds(0.3)) { original, outcome in
                let token = try await outcome.get().text()
                original.headers[.authorization] = "Bearer \(token)"
            })
    }
}

func twoMoreTries(_ prepare: @escaping RetryTask) -> ClosureValidator {
    ClosureValidator { response, attempt in
        guard response.status == .tooManyRequests else { return .next }
        guard attempt.index < 2 else { return .invalid("too many requests") }
        return .retry(.afterTask(delay: .seconds(4), prepare))
    }
}

@Suite(.timeLimit(.minutes(5))) struct GuideSamples {
    private let clock = HTTPTestClock()

    private func error(for text: String, maxRetries: Int = 0) async throws -> (HTTPError, hits: Int)
    {
        let mock = MockSession.answering(.ok, text)
        let clock = HTTPTestClock()
        let error = try await failure {
            try await mock.validated(by: BadWebService(), clock: clock) {
                $0.maxRetries = maxRetries
            }
        }
        return (error, mock.hits)
    }

    // MARK: A bad web service

    @Test(.rows("S0-36"))
    func `code zero and data pass`() async throws {
        let response = try await MockSession.answering(.ok, #"{"code": 0, "data": {"a": 1}}"#)
            .validated(by: BadWebService())
        #expect(response.status == .ok)
    }

    @Test(.rows("S0-36"))
    func `no JSON fails, and is not sent again`() async throws {
        let (error, hits) = try await error(for: "<html>", maxRetries: 3)
        #expect(error.code == .validationFailed && hits == 1)
    }

    @Test(
        .rows("S0-36"),
        arguments: [
            (#"{"code": 3, "errorMsg": "broken"}"#, "broken"),
            (#"{"code": 3}"#, "Unknown error"), (#"{"data": {}}"#, "Unknown error"),
            (#"{"code": 0}"#, "No data"),
            (#"{"code": 0, "data": 1, "retriable": false}"#, "No data"),
        ])
    func `what the service says is the error`(text: String, message: String) async throws {
        let (error, hits) = try await error(for: text, maxRetries: 3)
        #expect((error.underlyingError as? ServiceError)?.message == message)
        #expect(hits == 1)
    }

    @Test(.rows("S0-36"))
    func `missing data is asked for again, if that is worthwhile`() async throws {
        let mock = MockSession.answering(.ok, #"{"code": 0, "retriable": true}"#)
        let error = try await failure {
            try await mock.validated(by: BadWebService(), clock: clock) { $0.maxRetries = 4 }
        }
        #expect(error.code == .validationFailed)
        #expect(mock.hits == 5)
        #expect(clock.waits == [.seconds(1), .seconds(1), .seconds(2)])
    }

    // MARK: A silent login

    @Test(.rows("S0-37"))
    func `a 401, and nothing else, is answered with a login, and the original with its token`()
        async throws
    {
        let service = TokenService()
        let validated = service.session.with(Validation([silentLogin(try .login())]))
        let request = try HTTPRequest.stale(clock: clock) { $0.maxRetries = 1 }
        let response = try await onTestTime(clock) { try await validated.response(for: request) }
        #expect(response.status == .ok)
        #expect(service.logins == 1)
        #expect(clock.waits == [.seconds(0.3)])

        try await onTestTime(clock) { [clock] in
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        let request = try HTTPRequest.stale(clock: clock) { $0.maxRetries = 1 }
                        _ = try await validated.response(for: request)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(service.logins == 1 + 20, "each call logs in by itself")

        let mock = MockSession.answering(.forbidden)
        try await mock.validated(by: silentLogin(try .login())) { $0.maxRetries = 1 }
        #expect(mock.hits == 1)
    }

    // MARK: A task before each retry

    @Test(.rows("S0-38"))
    func `two more tries, four seconds apart, need two retries`() async throws {
        let runs = Journal<Int>()
        for (maxRetries, hits, message) in [(2, 3, "too many requests"), (1, 2, nil)]
            as [(Int, Int, String?)]
        {
            let clock = HTTPTestClock()
            let mock = MockSession.answering(.tooManyRequests)
            let error = try await failure {
                try await mock.validated(by: twoMoreTries { _ in runs.add(1) }, clock: clock) {
                    $0.maxRetries = maxRetries
                }
            }
            #expect(mock.hits == hits)
            #expect(clock.waits == Array(repeating: .seconds(4), count: hits - 1))
            if let message { #expect(error.message == message) }
        }
        #expect(runs.count == 3)
    }
}
