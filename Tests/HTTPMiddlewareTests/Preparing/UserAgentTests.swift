import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct UserAgentTests {
    private let mock = MockSession { HTTPResponse(.ok, to: $0) }

    @Test(.rows("S4-15", "B-13"))
    func `the user agent is named unless the request does`() async throws {
        let session = mock.with(try UserAgent("mine/1.0"))
        _ = try await session.response(for: "http://h/")
        _ = try await session.response(
            for: HTTPRequest(.get, "http://h/", headers: ["User-Agent": "other"]))
        #expect(mock.requests.map { $0.headers[.userAgent] } == ["mine/1.0", "other"])
        #expect(throws: HTTPError.self) { try UserAgent("a\nb") }
    }
}
