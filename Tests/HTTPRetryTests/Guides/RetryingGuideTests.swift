import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import TestSupport
import Testing

/// The code of Docs/Guides/Retrying.md, and what the page says of it.
@Suite(.timeLimit(.minutes(5))) struct RetryingGuideTests {
    private let transport = MockSession { HTTPResponse(.ok, body: HTTPBody("fine"), to: $0) }

    @Test func `a policy goes around any session`() async throws {
        let session = transport.with(Retry(.standard))
        let feed = try HTTPRequest(.get, "https://example.com/feed")
        let response = try await session.response(for: feed)
        #expect(response.status == .ok)
    }

    @Test func `requests and policies say more`() async throws {
        var request = try HTTPRequest(.post, "https://example.com/orders", body: HTTPBody("{}"))
        request.maxRetries = 5  // before the policy's own number; 0 is none
        request = request.idempotencyKey()  // lets a POST be repeated
        request.delivery = .buffered(upTo: 1 << 20)  // the body is part of the attempt

        let patient = RetryPolicy.standard.unless { $0.response?.status == .tooManyRequests }
        let eager = RetryPolicy.standard.also { $0.response?.status == .conflict }
        let own = RetryPolicy.deciding { attempt in attempt.index < 3 ? .retry : .drop }

        let hedged = Retry(.standard, hedging: .afterObservedP95(initial: .seconds(1)))
        let answer = try await HTTPDeadline.within(.seconds(5)) {  // for every call begun inside
            try await transport.with(hedged).response(for: request).text()
        }
        #expect(answer == "fine")
        #expect(request.maxRetries == 5 && request.headers.contains(.idempotencyKey))
        #expect([patient, eager, own].map(\.maxRetries) == [2, 2, 10])
    }

    @Test func `a request may be repeated by its caller's word`() async throws {
        let search = try HTTPRequest(.post, "https://example.com/search", body: HTTPBody("{}"))
            .repeatable()
            .maxRetries(2)
        let mock = MockSession { _ in
            throw HTTPError(.connectionLost, "lost", phase: .waiting, isRetryable: true)
        }
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let session = mock.with(Retry(policy))
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: search)
        }
        #expect(mock.requests.count == 3 && error?.message == "after 3 attempts: lost")
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Retrying")
        #expect(page.blocks.count == 3)
        let paragraphs = page.blocks.flatMap { $0.split(separator: "\n\n") }
        #expect(paragraphs.filter { !page.isTested($0) } == [])
    }
}
