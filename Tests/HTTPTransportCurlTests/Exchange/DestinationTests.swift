import HTTPCore
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

@Suite(.timeLimit(.minutes(5))) struct DestinationTests {
    @Test func `nothing of a URL is in a description of the transport`() async throws {
        let server = try LoopbackServer { _ in .ok() }
        let session = CurlTransport()
        await (try session.response(for: server.url("/?token=secret-1"))).discard()
        var text = ""
        dump(session, to: &text)
        #expect(!"\(session)".contains("secret-1"))
        #expect(!text.contains("secret-1"))
        await session.close()
    }

    @Test func `a request after the first is refused for the same reasons`() async throws {
        let server = try LoopbackServer { _ in .ok("fine") }
        let session = CurlTransport()
        let url = server.url("/")
        for _ in 0..<2 {
            let text = try await session.response(for: url).data()
            #expect(text.count == 4)
        }
        var refusals: [HTTPRequest] = []
        for change in [
            { $0.headers["Connection"] = "close" }, { $0.headers["X"] = "a\u{1}b" },
            { $0.headers[.proxyAuthorization] = "Basic x" }, { $0.method = "a b" },
            { $0.method = .connect }, { $0.timeouts.idle = .after(.zero) },
        ] as [(inout HTTPRequest) -> Void] {
            var request = try HTTPRequest(.get, url)
            change(&request)
            refusals.append(request)
        }
        for request in refusals {
            await #expect(throws: HTTPError.self) { try await session.response(for: request) }
        }
        #expect(server.snapshot.requestCount == 2)
        await session.close()
        await #expect(throws: HTTPError.self) { try await session.response(for: url) }
    }
}
