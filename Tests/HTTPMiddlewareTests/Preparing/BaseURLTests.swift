import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct BaseURLTests {
    private let mock = MockSession { HTTPResponse(.ok, to: $0) }

    @Test(.rows("S0-2"))
    func `a base is joined with one slash`() async throws {
        for base in ["http://h/api", "http://h/api/"] {
            let session = mock.with(try BaseURL(URL(strictly: base)))
            for route in ["x", "/x"] {
                _ = try await session.response(for: HTTPRequest(.get, route))
                #expect(mock.requests.last?.url.absoluteString == "http://h/api/x")
            }
            _ = try await session.response(for: "http://other/y")
            #expect(mock.requests.last?.url.absoluteString == "http://other/y")
        }
        #expect(throws: HTTPError.self) { try BaseURL(URL(strictly: "/relative")) }
    }

    @Test(.rows("S0-2"), arguments: ["//other/x", "../x", "x/%2e%2e/../y"])
    func `a route that leaves the base is refused, and nothing is sent`(route: String) async throws
    {
        let session = mock.with(try BaseURL(URL(strictly: "http://h/api")))
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: route)
        }
        #expect(error?.code == .invalidRequest && mock.requests.isEmpty)
    }
}
