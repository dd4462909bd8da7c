import HTTPCore
import HTTPTesting
import Testing

@testable import HTTPTransportCurl

@Suite(.timeLimit(.minutes(5))) struct DestinationTableTests {
    private static func destination(_ url: String) throws -> Destination {
        let request = try HTTPRequest(.get, url)
        let target = try request.checkedTarget()
        let loop = try EventLoop(
            LoopSettings(CurlConfiguration()), CurlLibrary.loaded.get(),
            TLSContexts(own: TLSSettings()))
        _ = loop.post(.release)
        return Destination(target, ConnectionRoute(origin: target.origin), on: loop)
    }

    @Test func `a destination is found by the text of its URL`() throws {
        let table = DestinationTable()
        let (a, b) = (
            try Self.destination("http://a/"), try Self.destination("http://b/?token=secret")
        )
        #expect(table.destination(for: "http://a/") == nil)
        table.keep(a, for: "http://a/")
        table.keep(b, for: "http://b/?token=secret")
        #expect(table.destination(for: "http://a/") === a)
        #expect(table.destination(for: "http://b/?token=secret") === b)
        #expect(table.destination(for: "http://b/?token=other") == nil)
    }

    @Test func `the number of URLs is limited, and those that are used stay`() throws {
        let table = DestinationTable()
        let destination = try Self.destination("http://a/")
        table.keep(destination, for: "used")
        for number in 0..<DestinationTable.limit * 3 {
            table.keep(destination, for: "\(number)")
            #expect(table.destination(for: "used") === destination)
            #expect(table.count <= DestinationTable.limit)
        }
        #expect(table.destination(for: "0") == nil)
    }

    @Test func `a long URL is not kept`() throws {
        let table = DestinationTable()
        let destination = try Self.destination("http://a/")
        for (length, isKept) in [
            (DestinationTable.lengthLimit, true), (DestinationTable.lengthLimit + 1, false),
        ] {
            let url = "http://a/" + String(repeating: "x", count: length - 9)
            table.keep(destination, for: url)
            #expect((table.destination(for: url) != nil) == isKept)
        }
    }

    @Test func `a closed table is empty and stays empty`() throws {
        let table = DestinationTable()
        let destination = try Self.destination("http://a/")
        table.keep(destination, for: "http://a/")
        table.close()
        #expect(table.destination(for: "http://a/") == nil)
        table.keep(destination, for: "http://a/")
        #expect(table.destination(for: "http://a/") == nil)
        #expect(table.count == 0)
    }

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
