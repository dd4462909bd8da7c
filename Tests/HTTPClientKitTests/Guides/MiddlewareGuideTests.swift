import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private final class Gauge: Sendable {
    private let state = Locked((now: 0, begun: 0))
    var now: Int { state.withLock { $0.now } }
    var begun: Int { state.withLock { $0.begun } }
    func add(_ change: Int) {
        state.withLock {
            $0.now += change
            $0.begun += max(change, 0)
        }
    }
}

private struct Fallback: HTTPClientMiddleware {
    let host: String

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let response = try await next.response(for: request)
        guard response.status.isServerError, request.method.isSafe else { return response }
        await response.discard()  // or the next request may wait for this one's connection
        return try await next.response(for: request.with(host: host))
    }
}

private struct InFlight: HTTPClientMiddleware {
    let gauge: Gauge

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        gauge.add(1)
        do {
            let response = try await next.response(for: request)
            response.body.whenEnded { _ in gauge.add(-1) }
            return response
        } catch {
            gauge.add(-1)
            throw error
        }
    }
}

private struct RequestID: HTTPRequestInterceptor {
    func process(request: inout HTTPRequest) async throws {
        try request.headers.set("X-Request-ID", UUID().uuidString)
    }
}

private struct Sunsets: HTTPResponseInterceptor {
    let warn: @Sendable (String) -> Void

    func process(response: inout HTTPResponse) async throws {
        guard let date = response.headers["Sunset"] else { return }
        warn("\(response.url.path()) will be gone on \(date)")
    }
}

private struct Shop: HTTPMiddlewareSession {
    var base: any HTTPSession
    var middleware: [any HTTPClientMiddleware]
}

private struct Key: HTTPRequestInterceptor {
    let value: String

    func process(request: inout HTTPRequest) async throws {
        try request.headers.set("X-API-Key", value)
    }
}

/// The code of Docs/Guides/Middleware.md, word for word.
@Suite(.timeLimit(.minutes(5))) struct MiddlewareGuideTests {
    private let secret = "hunter2"

    /// Redirects `/old` to `/new`, and `/elsewhere` to two more hosts, one after the other.
    private let transport = MockSession { request in
        func redirect(to url: String) -> HTTPResponse {
            HTTPResponse(.found, headers: [.location: url], to: request)
        }
        let host = request.url.host() ?? ""
        switch (host, request.url.path()) {
        case (_, "/old"): return redirect(to: "/new")
        case ("api.example.com", "/elsewhere"): return redirect(to: "https://cdn.example.com/")
        case ("cdn.example.com", _): return redirect(to: "https://uploads.example.com/")
        case ("down.example.com", _): return HTTPResponse(.badGateway, to: request)
        default:
            return HTTPResponse(
                .ok, headers: ["Sunset": "Sun, 06 Nov 1994 08:49:37 GMT"], body: HTTPBody("ok"),
                to: request)
        }
    }

    @Test func `the layers by hand`() async throws {
        let password = PasswordCredentials(
            user: "me", password: secret, for: try HTTPOrigin("https://api.example.com"))
        let session = transport.with(
            Validation(), Redirects(), Retry(.standard), ChallengeAuthentication(password),
            ConcurrencyLimit(perOrigin: 8), HTTPLogging { print($0) }, OriginGuard())
        let response = try await session.response(for: "https://api.example.com/old")
        #expect(response.history.map(\.status) == [.found])
    }

    @Test func `one that asks twice`() async throws {
        let session = transport.with(Fallback(host: "spare.example.com"))
        #expect(try await session.response(for: "https://down.example.com/").status == .ok)
        let hosts = transport.requests.map { $0.url.host() }
        #expect(hosts == ["down.example.com", "spare.example.com"])
        let post = try HTTPRequest(.post, "https://down.example.com/")
        #expect(try await session.response(for: post).status == .badGateway)
    }

    @Test func `one that lasts as long as the body`() async throws {
        let gauge = Gauge()
        let down = MockSession { _ in throw HTTPError(.cannotConnect, "as the test says") }
        let session = down.with(InFlight(gauge: gauge))
        let server = MockSession { request in
            let pieces = AsyncStream { pieces in
                pieces.yield(Data("ok".utf8))
                pieces.finish()
            }
            return HTTPResponse(.ok, body: HTTPBody(pieces), to: request)
        }
        let response = try await server.with(InFlight(gauge: gauge))
            .response(for: "https://api.example.com/")
        #expect(gauge.now == 1)
        #expect(try await response.text() == "ok")
        #expect(gauge.now == 0)
        await #expect(throws: HTTPError.self) { try await session.response(for: "https://h/") }
        #expect(gauge.now == 0 && gauge.begun == 2)
    }

    @Test func `a session of one's own`() async throws {
        let shop = Shop(base: transport, middleware: [RequestID(), Sunsets { print($0) }])
        _ = try await shop.response(for: "https://api.example.com/")
        let name = try #require(transport.requests[0].headers["X-Request-ID"])
        #expect(UUID(uuidString: name) != nil)

        let warnings = Locked([String]())
        let warned = transport.with(Sunsets { warning in warnings.withLock { $0.append(warning) } })
        _ = try await warned.response(for: "https://api.example.com/v1")
        #expect(
            warnings.withLock { $0 } == ["/v1 will be gone on Sun, 06 Nov 1994 08:49:37 GMT"])
    }

    @Test func `a call and its attempts`() async throws {
        let (calls, attempts) = (Gauge(), Gauge())
        let client = try HTTPClient(
            baseURL: "https://api.example.com/", transport: transport, retry: .standard
        ) {
            $0.callMiddleware = [InFlight(gauge: calls)]
            $0.interceptors = [RequestID()]
            $0.attemptMiddleware = [InFlight(gauge: attempts)]
        }
        try await client.get("old").response()
        #expect(calls.begun == 1 && attempts.begun == 2)
        #expect(calls.now == 0 && attempts.now == 0)
        let names = transport.requests.map { $0.headers["X-Request-ID"] }
        #expect(Set(names).count == 2)
    }

    @Test func `secrets stay where they are for`() async throws {
        let session = transport.with(
            Redirects(), Key(value: secret),
            OriginGuard(origins: [try HTTPOrigin("https://uploads.example.com")]))
        _ = try await session.response(for: "https://api.example.com/elsewhere")
        #expect(transport.requests.map { $0.headers["X-API-Key"] } == [secret, nil, secret])

        var tenant = try HTTPRequest(.get, "https://api.example.com/elsewhere")
        tenant.headers["X-Tenant"] = "7"
        tenant.headers.setSensitive("X-Tenant")
        _ = try await session.response(for: tenant)
        #expect(transport.requests.suffix(3).map { $0.headers["X-Tenant"] } == ["7", nil, nil])
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("Middleware")
        #expect(page.blocks.count == 8)
        #expect(page.untested == [])
    }
}
