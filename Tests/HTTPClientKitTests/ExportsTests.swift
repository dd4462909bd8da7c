import HTTPClientKit
import Testing

@Suite struct ExportsTests {
    @Test func `one import brings the layers`() throws {
        let request = try HTTPRequest(.get, "https://h/")
        let policy: RetryPolicy = .standard
        let validators: [any HTTPValidator] = [HTTPDefaultValidator()]
        let layers: [any HTTPClientMiddleware] = [
            Redirects(), Validation(validators), Retry(policy),
        ]
        #expect(layers.count == 3)
        #expect(request.method == .get)
    }
}
