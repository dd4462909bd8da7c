import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct DefaultHeadersTests {
    private let mock = MockSession { HTTPResponse(.ok, to: $0) }

    // MARK: Default fields

    @Test(.rows("S0-3"))
    func `a request's own fields win over defaults, whatever their case`() async throws {
        let session = mock.with(
            DefaultHeaders(["accept": "a/b", "X-A": "1", "X-A": "2", "Content-Type": "c/d"]))
        let request = try HTTPRequest(.post, "http://h/", headers: ["Accept": "x/y"]).text("t")
        _ = try await session.response(for: request)
        let sent = mock.requests[0].headers
        #expect(sent[values: .accept] == ["x/y"])
        #expect(sent[values: "X-A"] == ["1", "2"])
        #expect(sent[values: .contentType] == ["text/plain; charset=utf-8"])
    }

    // MARK: Reading of defaults

    @Test(.rows("S0-4"))
    func `defaults are read for each request`() async throws {
        let token = Locked("1")
        let session = mock.with(
            DefaultHeaders(reading: { ["X-Token": token.withLock { $0 }] }))
        _ = try await session.response(for: "http://h/")
        token.withLock { $0 = "2" }
        _ = try await session.response(for: "http://h/")
        #expect(mock.requests.map { $0.headers["X-Token"] } == ["1", "2"])
    }

    // MARK: Secrets

    @Test(.rows("S0-3"))
    func `secrets among defaults go to their origin only, and past the guard there`()
        async throws
    {
        let session = mock.with(
            DefaultHeaders(["X-Api-Key": "k", "X-A": "1"], for: try HTTPOrigin("http://api")),
            OriginGuard())
        _ = try await session.response(for: "http://other/")
        let call = try HTTPRequest(.get, "http://other/").beginningCall()
        _ = try await session.response(for: call.route("http://api/"))
        #expect(mock.requests.map { $0.headers["X-Api-Key"] } == [nil, "k"])
        #expect(mock.requests.map { $0.headers["X-A"] } == ["1", "1"])
    }

    @Test func `what reading defaults throws ends the call before anything is sent`() async throws {
        struct Locked: Error {}
        let session = mock.with(DefaultHeaders(reading: { throw Locked() }))
        await #expect(throws: Locked.self) { try await session.response(for: "http://h/") }
        #expect(mock.requests.isEmpty)
    }
}
