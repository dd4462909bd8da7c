import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import Testing

/// The code of Docs/Guides/HTTPVersions.md, word for word.
@Suite struct HTTPVersionsGuideTests {
    private func show() throws {
        let library = try CurlTransport.library
        print(library)
        if let name = library.http3Library, !library.speaksHTTP3 {
            print("\(name) is not used for HTTP/3: ngtcp2 is needed")
        }
    }

    private func ask(_ session: any HTTPSession) async throws -> HTTPResponse {
        var request = try HTTPRequest(.get, "https://example.com/")
        request.version = .http3
        let response = try await session.response(for: request)
        return response
    }

    private func askForTrailers(_ request: inout HTTPRequest) {
        request[AcceptTrailers.self] = true
    }

    private func find() throws -> CurlTransport {
        var configuration = CurlConfiguration()
        if try CurlTransport.library.speaksHTTP3 { configuration.http3 = .whenAnnounced }
        let session = try CurlTransport(configuration)
        return session
    }

    private func see(_ response: HTTPResponse) {
        for choice in response.timeline.exchanges.flatMap(\.versionChoices) { print(choice) }
        // HTTP/3 was announced for example.com:443
        // HTTP/3 failed: the connection to the server failed
    }

    @Test func `the page's code is compiled, and runs`() async throws {
        #expect(try GuidePage("HTTPVersions").untested.isEmpty)
        var request = try HTTPRequest(.get, "https://example.com/")
        askForTrailers(&request)
        #expect(request[AcceptTrailers.self])
        try show()
        try await find().close()
        let session = MockSession { request in
            #expect(request.version == .http3)
            return HTTPResponse(.ok, body: HTTPBody("hello"), to: request)
        }
        see(try await ask(session))
    }
}
