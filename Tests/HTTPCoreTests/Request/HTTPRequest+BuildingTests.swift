import HTTPCore
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPRequestBuildingTests {
    // MARK: In parts, or in a closure

    @Test(.rows("S1-1", "S1-3", "B-1"))
    func `a URL alone is a GET of it`() throws {
        let url = try URL(strictly: "https://h/a?b")
        for request in [HTTPRequest(url: url), try HTTPRequest("https://h/a?b")] {
            #expect(request.method == .get && request.url == url && request.body.isEmpty)
            #expect(request.headers.isEmpty)
        }
        let error = #expect(throws: HTTPError.self) { try HTTPRequest("https://a b/") }
        #expect(error?.code == .invalidRequest)
    }

    @Test(.rows("B-1"))
    func `a closure finishes a request, and may replace it`() throws {
        let request = try HTTPRequest(.post, "https://h/") {
            try $0.headers.append("X-Tag", "1")
            $0.version = .http2
        }
        #expect(request.method == .post && request.headers["x-tag"] == "1")
        #expect(request.version == .http2)
        #expect(try HTTPRequest(.get, "https://h/") { $0.method = .put }.method == .put)
        let other = try HTTPRequest("https://other/")
        #expect(try HTTPRequest(.get, "https://h/") { $0 = other }.id == other.id)
    }

    @Test(.rows("B-1"))
    func `what the closure throws is thrown`() throws {
        #expect(throws: HTTPError.self) {
            try HTTPRequest(.get, "https://h/") { try $0.headers.append("a b", "1") }
        }
        #expect(throws: CancellationError.self) {
            try HTTPRequest(.get, "https://h/") { _ in throw CancellationError() }
        }
    }
}
