import HTTPCore
import HTTPRetry
import HTTPValidation
import TestSupport
import Testing

/// Retry and validation without a client, a transport or a mock: this file imports what a user
/// needs.
@Suite(.timeLimit(.minutes(5))) struct ValidationLayersAloneTests {
    private actor Flaky: HTTPSession {
        private var statuses: [HTTPStatus]
        init(_ statuses: HTTPStatus...) { self.statuses = statuses }

        nonisolated func response(for request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(await next(), to: request)
        }

        private func next() -> HTTPStatus {
            statuses.count > 1 ? statuses.removeFirst() : statuses[0]
        }
    }

    private var steady: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        return policy
    }

    // MARK: Without a client

    @Test(.rows("S0-12"))
    func `a session with validation and retry needs these three modules`() async throws {
        let session = Flaky(.serviceUnavailable, .ok).with(
            Validation([HTTPDefaultValidator()]), Retry(steady))
        let response = try await session.response(for: "https://origin.test/")
        #expect(response.status == .ok)
    }

    @Test func `and fails with the status when that does not help`() async throws {
        let session = Flaky(.serviceUnavailable).with(
            Validation([HTTPDefaultValidator()]), Retry(steady))
        do {
            _ = try await session.response(for: "https://origin.test/")
            Issue.record("a 503 is no success")
        } catch let error as HTTPError {
            #expect(error.code == .unexpectedStatus)
            #expect(error.response?.status == .serviceUnavailable)
        }
    }

    @Test func `the standard policy is one word`() async throws {
        let session = Flaky(.ok).with(Validation([HTTPDefaultValidator()]), Retry(.standard))
        #expect(try await session.response(for: "https://origin.test/").status == .ok)
    }
}
