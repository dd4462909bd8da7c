import HTTPCore
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

/// Every public number of the target at the edges of its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPValidationNumbersTests {
    private let clock = HTTPTestClock()

    /// Refuses the first hundred requests: a validator without a limit goes on for as long as it is
    /// refused.
    private static func refusing() -> MockSession {
        let sends = Locked(0)
        return MockSession { request in
            let body = HTTPBody(
                AsyncStream<Data> { stream in
                    stream.yield(Data("{\"a\":1}".utf8))
                    stream.finish()
                })
            let isLast = sends.withLock { sends in
                sends += 1
                return sends > 100
            }
            return HTTPResponse(isLast ? .ok : .unauthorized, body: body, to: request)
        }
    }

    private func send(
        _ validator: any HTTPValidator, _ change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws {
        var request = try HTTPRequest(.get, "https://h/")
        change(&request)
        let own = try request.beginningCall(clock: clock)
        _ = try await Extremes.run(on: clock) {
            try? await Self.refusing().with(Validation([validator])).response(for: own)
        }
    }

    @Test(arguments: Extremes.counts)
    func `limits of bodies, statuses and repairs are of any number`(count: Int) async throws {
        let verdict: @Sendable (HTTPResponse, RetryAttempt) async throws -> HTTPVerdict = {
            _, _ in .next
        }
        try await send(HTTPDefaultValidator()) { $0.errorBodyLimit = count }
        try await send(ClosureValidator(bodyLimit: count, verdict))
        try await send(JSONEnvelopeValidator(bodyLimit: count) { _, _ in .next })
        try await send(StatusValidator.allowed(statusCode: count))
        try await send(StatusValidator.allowed(statusCodes: [count]))
        try await send(StatusValidator.allowed(statusCodes: count...))
        try await send(HTTPDefaultValidator()) { $0.maxRetries = count }
        let provide: HTTPAltRequestValidator.Provider = { request, _ in request }
        try await send(
            HTTPAltRequestValidator(maxAltRequests: count, onProvideAltRequest: provide)
        ) { $0.maxRetries = 2 }
        try await send(HTTPAltTaskValidator(maxTasks: count, task: { count })) {
            $0.maxRetries = 2
        }
    }

    @Test(arguments: Extremes.durations)
    func `waits and limits are of any time`(duration: Duration) async throws {
        var validator = HTTPDefaultValidator()
        validator.retriableStatuses = [.unauthorized: duration]
        try await send(validator) { $0.maxRetries = 2 }
        let provide: HTTPAltRequestValidator.Provider = { request, _ in request }
        try await send(
            HTTPAltRequestValidator(
                retryDelay: duration, limit: duration, onProvideAltRequest: provide))
        try await send(
            HTTPAltTaskValidator(retryDelay: duration, limit: duration, task: { true }))
    }
}
