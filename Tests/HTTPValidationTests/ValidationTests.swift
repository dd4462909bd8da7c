import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPValidation
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct ValidationTests {
    private let journal = Journal<Witness.Entry>()

    private func witness(
        _ name: String = "",
        _ verdict: @escaping @Sendable (HTTPOutcome, RetryAttempt) async throws -> HTTPVerdict = {
            _, _ in .next
        }
    ) -> Witness {
        Witness(name: name, journal: journal, verdict: verdict)
    }

    private var names: [String] { journal.entries.map(\.name) }

    private enum Extra: HTTPRequestOption {
        static var defaultValue: String { "" }
    }

    // MARK: The chain

    @Test(.rows("S0-6", "S0-7", "S1-36"))
    func `validators judge in order, and after the last one the response stands`()
        async throws
    {
        let response = try await MockSession.answering(.notFound)
            .validated(by: witness("a"), witness("b"), witness("c"))
        #expect(names == ["a", "b", "c"])
        #expect(response.status == .notFound)
    }

    @Test(.rows("S0-6"))
    func `a failure is judged like a response, and stands when no validator objects`()
        async throws
    {
        let mock = MockSession { _ in throw HTTPError(.cannotConnect, "refused") }
        let error = try await failure { try await mock.validated(by: witness("a"), witness("b")) }
        #expect(error.code == .cannotConnect)
        #expect(names == ["a", "b"])
        #expect(journal.entries.allSatisfy { $0.status == nil && $0.attempt.error != nil })
    }

    @Test func `none is asked for a verdict where all accept the status, all where one does not`()
        async throws
    {
        var (first, second) = (witness("a"), witness("b"))
        first.accepted = .ok
        for accepted in [HTTPStatus.ok, .created] {
            second.accepted = accepted
            _ = try await MockSession.answering().validated(by: first, second)
            #expect(names == (accepted == .ok ? [] : ["a", "b"]))
        }
    }

    @Test(.rows("S0-6"))
    func `the default list is the default validator and nothing else`() {
        #expect(Validation().validators.count == 1)
        #expect(Validation().validators.first is HTTPDefaultValidator)
    }

    @Test(.rows("S0-6"))
    func `validators are appended, and inserted before the others`() async throws {
        var validation = Validation([])
        validation.validators.append(witness("b"))
        validation.validators.insert(witness("a"), at: 0)
        _ = try await MockSession.answering().with(validation).response(for: try .test())
        #expect(names == ["a", "b"])
    }

    @Test func `a request for another one's sake passes unjudged`() async throws {
        let response = try await MockSession.answering(.internalServerError).validated(
            by: witness()
        ) { $0[AlternativeMark.self] = true }
        #expect(response.status == .internalServerError)
        #expect(names.isEmpty)
    }

    // MARK: Replacing

    @Test(.rows("S0-8", "S0-9"))
    func `a replacement goes on down the chain and keeps its extras for the caller`()
        async throws
    {
        let response = try await MockSession.answering(.accepted).validated(
            by: witness { outcome, _ in
                var response = try outcome.get()
                response.status = .ok
                response[Extra.self] = "parsed"
                response.body = HTTPBody("changed")
                return .nextWithResponse(response)
            }, witness("later"))
        #expect(journal.entries.last?.status == .ok)
        #expect(journal.entries.last?.attempt.response?.status == .ok)
        #expect(response[Extra.self] == "parsed")
        #expect(try await response.text() == "changed")
    }

    private enum Colour: HTTPRequestOption {
        static var defaultValue: String { "none" }
    }

    @Test(.rows("S0-9"))
    func `extras of one validator are on the failure that a later one throws`() async throws {
        let painting = ClosureValidator { response, _ in
            var response = response
            response[Colour.self] = "red"
            return .nextWithResponse(response)
        }
        let objections: [ClosureValidator] = [
            ClosureValidator { _, _ in throw MyError() },
            ClosureValidator { _, _ in .fail(MyError()) },
            ClosureValidator { _, _ in .fail(HTTPError(.validationFailed, "no")) },
            ClosureValidator { _, _ in .invalid("no") },
            ClosureValidator { _, _ in .retry(.immediate) },
        ]
        for objection in objections {
            let error = try await failure {
                try await MockSession.answering().validated(by: painting, objection)
            }
            #expect(error[Colour.self] == "red")
            #expect(!error.description.contains("red"))
        }
        let plain = try await failure {
            try await MockSession.answering().validated(by: objections[0], painting)
        }
        #expect(plain[Colour.self] == "none")
        let lost = try await failure {
            try await MockSession.playing({ _ in throw HTTPError(.connectionLost, "lost") })
                .validated(by: painting, objections[0])
        }
        #expect(lost[Colour.self] == "none")
    }

    @Test func `the error of the last attempt is the call's`()
        async throws
    {
        let timer = HTTPError.Timer(.idle, .seconds(9))
        let mock = MockSession.playing({ _ in throw HTTPError(.timedOut, "slow", timer: timer) })
        let error = try await failure {
            try await mock.validated(by: HTTPDefaultValidator()) { $0.maxRetries = 2 }
        }
        #expect(error.code == .timedOut && error.timer == timer)
        #expect(error.message == "after 3 attempts: slow")
        let refused = try await failure {
            try await MockSession.answering(.tooManyRequests)
                .validated(by: HTTPDefaultValidator()) { $0.maxRetries = 1 }
        }
        #expect(refused.code == .unexpectedStatus && refused.status == .tooManyRequests)
        #expect(refused.message == "after 2 attempts: Unexpected status code: 429")
        #expect(refused.isRetryable)
        // However deep.
        let deep = HTTPError(.decodingFailed, "outer", underlyingError: error)
        #expect(deep.innermostCode == .timedOut && deep.timer == timer)
    }

    @Test(.rows("S0-8"))
    func `a replacing validator does not keep the default one from failing a status`()
        async throws
    {
        let error = try await failure {
            try await MockSession.answering(.notFound).validated(
                by: witness { outcome, _ in .nextWithResponse(try outcome.get()) },
                HTTPDefaultValidator())
        }
        #expect(error.code == .unexpectedStatus)
    }

    @Test(.rows("S0-8", "S0-9"))
    func `a failure can be replaced by a response`() async throws {
        let mock = MockSession { _ in throw HTTPError(.cannotConnect, "refused") }
        let response = try await mock.validated(
            by: witness { _, attempt in
                .nextWithResponse(
                    HTTPResponse(.ok, body: HTTPBody("spare"), to: attempt.request))
            }, HTTPDefaultValidator())
        #expect(try await response.text() == "spare")
    }

    // MARK: Failing

    @Test(.rows("S0-10", "S0-11"))
    func `a failing verdict ends the chain, with nothing sent again, and the own error inside`()
        async throws
    {
        let mock = MockSession.answering(.ok, headers: ["X-A": "1"], "why not")
        let error = try await failure {
            try await mock.validated(by: witness { _, _ in .fail(MyError()) }, witness("later")) {
                $0.maxRetries = 5
            }
        }
        #expect(error.code == .validationFailed)
        #expect(error.underlyingError as? MyError == MyError())
        #expect(error.response?.headers["X-A"] == "1")
        #expect(error.bodyPrefix == Data("why not".utf8))
        #expect(error.url == "https://origin.test/")
        #expect(error.attempt == 1)
        #expect(names == [""])
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-10", "S0-11"))
    func `a throw is a failure`() async throws {
        let error = try await failure {
            try await MockSession.answering().validated(by: witness { _, _ in throw MyError() })
        }
        #expect(error.underlyingError as? MyError == MyError())
        #expect(error.response?.status == .ok)
    }

    @Test(.rows("S0-10"))
    func `an HTTPError is thrown as it is, and gets the response it lacks`() async throws {
        let error = try await failure {
            try await MockSession.answering(.ok, "text").validated(
                by: witness { _, _ in .fail(HTTPError(.decodingFailed, "not mine")) })
        }
        #expect(error.code == .decodingFailed)
        #expect(error.message == "not mine")
        #expect(error.response?.status == .ok)
        #expect(error.bodyPrefix == Data("text".utf8))
    }

    @Test func `a failure that a validator renames keeps what was known of it`() async throws {
        let head = HTTPResponse.Head(
            status: .ok, url: try #require(URL(string: "https://origin.test/")))
        let mock = MockSession { _ in
            throw HTTPError(.bodyIncomplete, "cut short", response: head)
        }
        let error = try await failure {
            try await mock.validated(by: witness { _, _ in .fail(MyError()) })
        }
        #expect(error.underlyingError is MyError)
        #expect(error.message.contains("bodyIncomplete"))
        #expect(error.response?.status == .ok)
    }

    @Test func `neither message nor description say what body and error say`() async throws {
        let error = try await failure {
            try await MockSession.answering(.ok, "s3cret").validated(
                by: witness { _, _ in throw MyError(number: 4711) })
        }
        #expect(!"\(error)".contains("s3cret") && !"\(error)".contains("4711"))
    }

    @Test func `only the first bytes of a body are kept`() async throws {
        let long = String(repeating: "x", count: 100_000)
        for (limit, kept) in [(nil, 65_536), (10, 10), (0, 0), (-1, 0)] as [(Int?, Int)] {
            let error = try await failure {
                try await MockSession.answering(.notFound, long)
                    .validated(by: HTTPDefaultValidator()) {
                        if let limit { $0.errorBodyLimit = limit }
                    }
            }
            #expect(error.bodyPrefix?.count == kept)
        }
    }

    // MARK: Retrying

    @Test(.rows("S0-12"))
    func `a retry verdict ends the chain, and the new response passes all of it`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = MockSession.playing(
            { HTTPResponse(.ok, body: HTTPBody("busy"), to: $0) },
            { HTTPResponse(.ok, body: HTTPBody("done"), to: $0) })
        let response = try await mock.validated(
            by: witness("a"),
            witness("b") { outcome, _ in
                try await outcome.get().text() == "busy" ? .retry(.delayed(.seconds(2))) : .next
            }, witness("c"), clock: clock
        ) { $0.maxRetries = 1 }
        #expect(names == ["a", "b", "a", "b", "c"])
        #expect(clock.waits == [.seconds(2)])
        #expect(try await response.text() == "done")
        #expect(response.history.map(\.status) == [.ok])
    }

    @Test(.rows("S0-13"), arguments: [0, 1, 3])
    func `N retries are N + 1 attempts, and then a failure`(count: Int) async throws {
        let mock = MockSession.answering(.ok, "busy")
        let error = try await failure {
            try await mock.validated(by: witness { _, _ in .retry(.immediate) }) {
                $0.maxRetries = count
            }
        }
        #expect(mock.hits == count + 1)
        #expect(error.code == .validationFailed && error.isRetryable)
    }

    @Test(arguments: [0, 2])
    func `a number of retries that a validator sets before the first attempt holds`(
        count: Int
    ) async throws {
        struct Limiting: HTTPValidator {
            let count: Int
            func willSend(_ request: inout HTTPRequest) { request.maxRetries = count }
            func verdict(on outcome: HTTPOutcome, of attempt: RetryAttempt) -> HTTPVerdict {
                .retry(.immediate)
            }
        }
        let mock = MockSession.answering(.ok, "busy")
        await #expect(throws: HTTPError.self) {
            try await mock.validated(by: Limiting(count: count))
        }
        #expect(mock.hits == count + 1)
    }

    @Test(.rows("S0-13"))
    func `a request says each time it is run how often it may be sent again`() async throws {
        let mock = MockSession.answering(.ok)
        let session = mock.with(Validation([witness { _, _ in .retry(.immediate) }]))
        let request = try HTTPRequest(.get, "https://origin.test/").maxRetries(2)
        for run in 1...2 {
            await #expect(throws: HTTPError.self) { try await session.response(for: request) }
            #expect(mock.hits == 3 * run)
        }
    }

    @Test(.rows("S0-15"))
    func `a validator is told the attempt, the limit and how the one before ended`()
        async throws
    {
        let mock = MockSession.playing(
            { HTTPResponse(.serviceUnavailable, to: $0) },
            { _ in throw HTTPError(.connectionLost, "lost") },
            { HTTPResponse(.ok, to: $0) })
        try await mock.validated(
            by: witness { _, attempt in attempt.index < 2 ? .retry(.immediate) : .next }
        ) { $0.maxRetries = 2 }
        let attempts = journal.entries.map(\.attempt)
        #expect(attempts.map(\.index) == [0, 1, 2])
        #expect(attempts.map(\.number) == [1, 2, 3])
        #expect(attempts.map(\.maxRetries) == [2, 2, 2])
        #expect(attempts[0].previous == nil)
        guard case .response(let head) = attempts[1].previous else { throw NoError() }
        #expect(head.status == .serviceUnavailable)
        guard case .failure(let error as HTTPError) = attempts[2].previous else { throw NoError() }
        #expect(error.code == .connectionLost)
    }

    @Test(.rows("S0-13"))
    func `verdicts and policies spend one and the same number of retries`() async throws {
        let mock = MockSession.playing(
            { HTTPResponse(.serviceUnavailable, to: $0) }, { HTTPResponse(.ok, to: $0) })
        let clock = HTTPTestClock()
        let session = mock.with(
            Validation([witness { _, _ in .retry(.immediate) }]), Retry(.standard))
        let request = try HTTPRequest.test(clock: clock) { $0.maxRetries = 3 }
        let error = try await failure {
            try await onTestTime(clock) { try await session.response(for: request) }
        }
        #expect(error.code == .validationFailed)
        #expect(mock.hits == 4)
    }

    @Test func `a status that a policy gave up on is a failure with the status`() async throws {
        let mock = MockSession.answering(.serviceUnavailable, "later")
        let clock = HTTPTestClock()
        let session = mock.with(Validation(), Retry(.standard))
        let request = try HTTPRequest.test(clock: clock)
        let error = try await failure {
            try await onTestTime(clock) { try await session.response(for: request) }
        }
        #expect(mock.hits == 3)
        #expect(error.code == .unexpectedStatus)
        #expect(error.response?.status == .serviceUnavailable)
        #expect(error.attempt == 3)
        #expect(error.bodyPrefix == Data("later".utf8))
    }

    // MARK: Unmet verdicts

    @Test(.rows("S0-16"), arguments: [nil, 0, 2])
    func `an unmet retry verdict on a 200 is a failure with the response inside`(
        count: Int?
    ) async throws {
        let error = try await failure {
            try await MockSession.answering(.ok, "not yet").validated(
                by: witness { _, _ in .retry(.immediate) }
            ) { $0.maxRetries = count }
        }
        #expect(error.code == .validationFailed)
        #expect(error.response?.status == .ok)
        #expect(error.bodyPrefix == Data("not yet".utf8))
    }

    @Test(.rows("S0-16"))
    func `an unmet retry verdict on a failure is that failure`() async throws {
        let mock = MockSession { _ in throw HTTPError(.connectionLost, "lost") }
        let error = try await failure {
            try await mock.validated(by: witness { _, _ in .retry(.immediate) })
        }
        #expect(error.code == .connectionLost && error.underlyingError == nil)
        let foreign = MockSession { _ in throw MyError() }
        await #expect(throws: MyError.self) {
            try await foreign.validated(by: witness { _, _ in .retry(.immediate) })
        }
    }

    @Test func `a request that is not idempotent is not sent again by a verdict on a failure`()
        async throws
    {
        let mock = MockSession { _ in throw HTTPError(.connectionLost, "lost") }
        let session = mock.with(
            Validation([witness { _, _ in .retry(.immediate) }]), Retry(.standard))
        let request = try HTTPRequest.test(.post)
        let error = try await failure { try await session.response(for: request) }
        #expect(error.message.contains("not idempotent"))
        #expect(mock.hits == 1)
    }

    // MARK: Cancellation

    @Test(.rows("S0-24"))
    func `a call that is cancelled before it begins sends nothing`() async throws {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let session = mock.with(Validation())
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await session.response(for: "https://h/")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(mock.hits == 0)
    }

    @Test(.rows("S0-24"))
    func `a cancelled exchange is not judged`() async throws {
        let mock = MockSession { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            try await mock.validated(by: witness { _, _ in .retry(.immediate) }) {
                $0.maxRetries = 3
            }
        }
        #expect(names.isEmpty)
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-24"))
    func `a call cancelled while it was answered is not judged, and its body is given up`()
        async throws
    {
        let pieces = Pieces("a", end: .never)
        let mock = MockSession { request in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return HTTPResponse(.ok, body: HTTPBody(source: pieces), to: request)
        }
        let session = mock.with(Validation([witness()]))
        let request = try HTTPRequest.test()
        let task = Task { try await session.response(for: request) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(names.isEmpty)
        #expect(pieces.givenUp > 0)
    }

    @Test(.rows("S0-24"))
    func `cancelling ends a validator's wait, and nothing is sent any more`() async throws {
        let mock = MockSession.answering()
        let clock = HTTPTestClock()
        let session = mock.with(
            Validation([
                witness { _, _ in
                    try await clock.sleep(for: .seconds(5))
                    return .retry(.immediate)
                }
            ]))
        let request = try HTTPRequest.test(clock: clock) { $0.maxRetries = 3 }
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-24"))
    func `cancelling ends the wait before a retry`() async throws {
        let mock = MockSession.answering()
        let clock = HTTPTestClock()
        let session = mock.with(Validation([witness { _, _ in .retry(.delayed(.seconds(5))) }]))
        let request = try HTTPRequest.test(clock: clock) { $0.maxRetries = 3 }
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(mock.hits == 1)
    }

    // MARK: Reading the body

    @Test
    func `for validators that read, the body is in memory, up to the largest of their limits`()
        async throws
    {
        let mock = MockSession.answering(.ok, "body")
        var (short, long) = (witness(), witness())
        (short.bodyLimit, long.bodyLimit) = (100, 4000)
        let response = try await mock.validated(by: short, witness(), long)
        #expect(mock.requests.first?.delivery == .buffered(upTo: 4000))
        #expect(try await response.text() == "body")
    }

    @Test func `without validators that read, the body stays on its way`() async throws {
        let mock = MockSession.answering()
        try await mock.validated(by: witness(), HTTPDefaultValidator())
        #expect(mock.requests.first?.delivery == .streamed)
    }

    @Test func `what the caller says of the delivery holds`() async throws {
        var reader = witness()
        reader.bodyLimit = 100
        let mock = MockSession.answering()
        try await mock.validated(by: reader) { $0.delivery = .buffered(upTo: 7) }
        try await mock.validated(by: reader) { $0.isValidatedByHead = true }
        #expect(mock.requests.map(\.delivery) == [.buffered(upTo: 7), .streamed])
    }

    @Test func `a body beyond the limit is a failed attempt, which validators judge`()
        async throws
    {
        var reader = witness()
        reader.bodyLimit = 3
        let mock = MockSession.answering(.ok, "long")
        let error = try await failure { try await mock.validated(by: reader) }
        #expect(error.code == .bodyTooLarge)
        #expect(journal.entries.first?.attempt.error != nil)
    }

    @Test func `what is not accepted holds no connection`() async throws {
        let pieces = Pieces("a", "b", end: .complete)
        let ends = Journal<HTTPBodyEnd>()
        let mock = MockSession { request in
            let body = HTTPBody(source: pieces)
            body.whenEnded { ends.add($0) }
            return HTTPResponse(.notFound, body: body, to: request)
        }
        // No time passes: the body is waited for.
        let session = mock.with(Validation())
        let error = try await failure { try await session.response(for: try .test()) }
        #expect(error.bodyPrefix == Data("ab".utf8))
        #expect(ends.count == 1)
    }

    @Test func `a replaced response is given up before another attempt`() async throws {
        let pieces = Pieces("a", end: .never)
        let mock = MockSession.playing(
            { HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0) },
            { request in
                #expect(pieces.discards > 0)
                return HTTPResponse(.ok, body: HTTPBody("good"), to: request)
            })
        try await mock.validated(
            by: witness { outcome, attempt in
                guard attempt.index == 0 else { return .next }
                var response = try outcome.get()
                response.body = HTTPBody("replaced")
                return .nextWithResponse(response)
            }, witness { _, attempt in attempt.index == 0 ? .retry(.immediate) : .next }
        ) { $0.maxRetries = 1 }
        #expect(mock.hits == 2)
    }

    @Test func `a replaced response is given up when the replacement is not accepted`()
        async throws
    {
        let pieces = Pieces("a", end: .never)
        let mock = MockSession {
            HTTPResponse(.notFound, body: HTTPBody(source: pieces), to: $0)
        }
        let error = try await failure {
            try await mock.validated(
                by: witness { outcome, _ in
                    var response = try outcome.get()
                    response.body = HTTPBody("replaced")
                    return .nextWithResponse(response)
                }, HTTPDefaultValidator())
        }
        #expect(error.bodyPrefix == Data("replaced".utf8))
        #expect(pieces.discards > 0)
    }

    // MARK: Order of layers

    private var retryingAll: Retry {
        Retry(.deciding(maxRetries: 1, delay: .zero) { _ in .retry }, budget: nil)
    }

    @Test(.rows("S3-19"))
    func `validation inside a retry has its failures retried, around it not`() async throws {
        for (isInside, hits) in [(true, 2), (false, 1)] {
            let mock = MockSession.answering(.notFound)
            let layers: [any HTTPClientMiddleware] =
                isInside ? [retryingAll, Validation()] : [Validation(), retryingAll]
            let request = try HTTPRequest.test()
            _ = try await failure { try await mock.with(layers).response(for: request) }
            #expect(mock.hits == hits)
        }
    }

    @Test(.rows("S3-19"))
    func `a retry is not asked about success`() async throws {
        let mock = MockSession.answering(.ok)
        _ = try await mock.with(retryingAll, Validation()).response(for: try .test())
        #expect(mock.hits == 1)
    }

    @Test(.rows("S3-13"), arguments: [HTTPStatus.notFound, .internalServerError])
    func `without validators every status is a success`(status: HTTPStatus) async throws {
        let response = try await MockSession.answering(status).validated()
        #expect(response.status == status)
    }

    private struct Decrypting: HTTPResponseInterceptor {
        func process(response: inout HTTPResponse) async throws {
            response.body = HTTPBody(String(try await response.text().reversed()))
        }
    }

    @Test(.rows("S2-7"))
    func `response interceptors run on error responses, before they are judged`()
        async throws
    {
        let session = MockSession.answering(.badRequest, "terces").with(
            Validation(), Decrypting())
        let error = try await failure { try await session.response(for: try .test()) }
        #expect(error.bodyPrefix == Data("secret".utf8))
    }
}
