import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing

@Suite struct HTTPInterceptorTests {
    private struct Naming: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws {
            try request.headers.append("X-Seen", "request only")
        }
    }

    private struct Judging: HTTPResponseInterceptor {
        func process(response: inout HTTPResponse) async throws { response.status = .created }
    }

    private struct Both: HTTPRequestInterceptor, HTTPResponseInterceptor {
        func process(request: inout HTTPRequest) async throws {
            try request.headers.append("X-Seen", "both")
        }
        func process(response: inout HTTPResponse) async throws { response.status = .accepted }
    }

    private struct RefusesRequests: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws { throw ScriptedBodySource.Failure() }
    }

    private struct RefusesResponses: HTTPResponseInterceptor {
        func process(response: inout HTTPResponse) async throws {
            throw ScriptedBodySource.Failure()
        }
    }

    private struct RefusesBoth: HTTPRequestInterceptor, HTTPResponseInterceptor {
        func process(request: inout HTTPRequest) async throws {}
        func process(response: inout HTTPResponse) async throws {
            throw ScriptedBodySource.Failure()
        }
    }

    private let mock = MockSession { request in
        HTTPResponse(.ok, body: HTTPBody(source: ScriptedBodySource(["a"])), to: request)
    }

    // MARK: Hooks

    @Test(.rows("S4-9"))
    func `an interceptor changes its side and no other`() async throws {
        #expect(try await mock.with(Naming()).response(for: "https://h/").status == .ok)
        #expect(try await mock.with(Judging()).response(for: "https://h/").status == .created)
        #expect(mock.requests.map { $0.headers[values: "X-Seen"] } == [["request only"], []])
    }

    @Test(.rows("S4-9"))
    func `an interceptor of both sides runs on both, once`() async throws {
        let response = try await mock.with(Both(), Naming()).response(for: "https://h/")
        #expect(response.status == .accepted)
        #expect(mock.requests.map { $0.headers[values: "X-Seen"] } == [["both", "request only"]])
        #expect(try await response.text() == "a")
    }

    @Test(.rows("S4-11"))
    func `a throw on the way down sends nothing`() async {
        await #expect(throws: ScriptedBodySource.Failure.self) {
            try await mock.with(RefusesRequests()).response(for: "https://h/")
        }
        #expect(mock.requests.isEmpty)
    }

    @Test(
        .rows("S4-11"),
        arguments: [RefusesResponses(), RefusesBoth()] as [any HTTPClientMiddleware])
    func `a throw on the way up gives the response up`(
        middleware: any HTTPClientMiddleware
    ) async {
        let source = ScriptedBodySource(["a"])
        let body = HTTPBody(source: source)  // held here, so that only giving up can end it
        let ends = BodyEnds(body)
        let session = MockSession { HTTPResponse(.ok, body: body, to: $0) }.with(middleware)
        await #expect(throws: ScriptedBodySource.Failure.self) {
            try await session.response(for: "https://h/")
        }
        #expect(ends.list == ["abandoned"] && source.abandons == 1)
    }
}
