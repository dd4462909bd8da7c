import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct ClosureValidatorTests {
    // MARK: Closures

    @Test(.rows("S1-36", "S3-10"))
    func `next leaves the response as it is`() async throws {
        let response = try await MockSession.answering(.accepted, "text").validated(
            by: ClosureValidator { _, _ in .next })
        #expect(response.status == .accepted)
        #expect(try await response.text() == "text")
    }

    @Test(.rows("S3-10"))
    func `invalid is a failure with the reason, head and body`() async throws {
        let error = try await failure {
            try await MockSession.answering(.ok, "text").validated(
                by: ClosureValidator(bodyLimit: 100) { response, _ in
                    try await response.text() == "text" ? .invalid("no text, please") : .next
                })
        }
        #expect(error.code == .validationFailed)
        #expect(error.message == "no text, please")
        #expect(error.response?.status == .ok)
        #expect(error.bodyPrefix == Data("text".utf8))
    }

    @Test(.rows("S3-10"))
    func `a failure passes without being judged`() async throws {
        let mock = MockSession { _ in throw HTTPError(.cannotConnect, "refused") }
        let error = try await failure {
            try await mock.validated(by: ClosureValidator { _, _ in .invalid("judged") })
        }
        #expect(error.code == .cannotConnect)
    }

    @Test func `a closure that reads is not asked about a stream, one that does not is`()
        async throws
    {
        let pieces = Pieces("a", "b")
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody(source: pieces), to: $0) }
        let response = try await mock.validated(
            by: ClosureValidator(bodyLimit: 100) { _, _ in .invalid("read") },
            ClosureValidator { response, _ in
                response.status == .ok ? .next : .invalid("by its head")
            }
        ) { $0 = $0.validatedByHead() }
        #expect(try await response.text() == "ab")
    }

    // MARK: Validators as types

    private struct Even: HTTPValidator {
        var bodyLimit: Int? { 100 }
        func verdict(
            on outcome: HTTPOutcome, of attempt: RetryAttempt
        ) async throws -> HTTPVerdict {
            try await outcome.get().data().count.isMultiple(of: 2) ? .next : .invalid("odd")
        }
    }

    @Test(.rows("S3-12"))
    func `a type judges data and response`() async throws {
        try await MockSession.answering(.ok, "ab").validated(by: Even())
        let error = try await failure {
            try await MockSession.answering(.ok, "abc").validated(by: Even())
        }
        #expect(error.message == "odd")
    }
}
