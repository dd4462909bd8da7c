import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct OriginGuardTests {
    private final class Log: HTTPObserver {
        private let lines = Locked([String]())
        var withheld: [String] { lines.withLock { $0 } }
        func observe(_ event: HTTPEvent) {
            let line: String
            switch event.kind {
            case .layer(HTTPOriginGuardEvent.secretWithheld(let name, let origin)):
                line = "\(name) from \(origin)"
            case .layer(HTTPOriginGuardEvent.optionWithheld(let name, let origin)):
                line = "option \(name) from \(origin)"
            default: return
            }
            lines.withLock { $0.append(line) }
        }
    }

    /// Adds what a careless layer below redirects would add.
    private struct Careless: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws {
            try request.headers.set(.authorization, "Bearer x")
            try request.headers.set("X-Plain", "1")
        }
    }

    private let mock = MockSession { HTTPResponse(.ok, to: $0) }

    // MARK: Secrets and origins

    @Test(.rows("B-6"))
    func `a secret that a layer added is taken off on a foreign origin, and reported`()
        async throws
    {
        let log = Log()
        var request = try HTTPRequest(.get, "http://home/").beginningCall(observer: log)
        let session = mock.with(Careless(), OriginGuard())
        _ = try await session.response(for: request)
        request = try request.route("http://other:81/")
        _ = try await session.response(for: request)
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer x", nil])
        #expect(mock.requests.map { $0.headers["X-Plain"] } == ["1", "1"])
        #expect(log.withheld == ["Authorization from http://other:81"])
    }

    private enum Wiring: HTTPTransportOption {
        static var defaultValue: String? { nil }
        static var name: String { "wiring" }
        static func isBoundToOrigin(_ value: String?) -> Bool { value == "bound" }
    }

    /// Sets an option for each exchange that says how its origin is reached.
    private struct Discovering: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws { request[Wiring.self] = "bound" }
    }

    @Test func `an option that is bound to an origin is taken off on another one, and reported`()
        async throws
    {
        let mock = MockSession(honouring: [Wiring.self]) { HTTPResponse(.ok, to: $0) }
        let log = Log()
        let other = try HTTPOrigin("http://other:81")
        let session = mock.with(OriginGuard(origins: [other]))
        for value in ["bound", "free"] {
            var request = try HTTPRequest(.get, "http://home/")
            request[Wiring.self] = value
            request = try request.beginningCall(observer: log)
            _ = try await session.response(for: request)
            _ = try await session.response(for: request.route("http://other:81/"))
            _ = try await session.response(for: request)
        }
        #expect(
            mock.requests.map { $0[Wiring.self] }
                == ["bound", nil, "bound", "free", "free", "free"])
        #expect(log.withheld == ["option wiring from http://other:81"])
    }

    @Test func `an option that a layer sets for each exchange is for that exchange's origin`()
        async throws
    {
        let mock = MockSession(honouring: [Wiring.self]) { request in
            request.url.path() == "/a"
                ? HTTPResponse(.found, headers: [.location: "http://other/b"], to: request)
                : HTTPResponse(.ok, to: request)
        }
        let log = Log()
        let request = try HTTPRequest(.get, "http://home/a").beginningCall(observer: log)
        let session = mock.with(Redirects(), Discovering(), OriginGuard())
        _ = try await session.response(for: request)
        #expect(mock.requests.map { $0[Wiring.self] } == ["bound", "bound"])
        #expect(log.withheld.isEmpty)
    }

    @Test func `a request from a response has no option of the caller's either`() async throws {
        let mock = MockSession(honouring: [Wiring.self]) { HTTPResponse(.ok, to: $0) }
        var request = try HTTPRequest(.get, "http://other/")
        request[Wiring.self] = "bound"
        let led = try request.led(by: HTTPOrigin("http://home"))
        _ = try await mock.with(OriginGuard()).response(for: led)
        #expect(mock.requests[0][Wiring.self] == nil)
    }

    @Test func `a change that is made last is seen, too`() async throws {
        let request = try HTTPRequest(.get, "http://home/").beginningCall()
            .route("http://other/").modify { $0.headers[.cookie] = "a=b" }
        _ = try await mock.with(OriginGuard()).response(for: request)
        #expect(mock.requests[0].headers.isEmpty)
    }

    @Test(.rows("B-6"))
    func `credentials pass where they were issued, and nowhere else`() async throws {
        let issuer = try HTTPOrigin("https://api")
        let elsewhere = try HTTPRequest(.get, "http://home/").beginningCall()
        var there = try elsewhere.route("https://api/x")
        var other = try elsewhere.route("https://other/x")
        let (isSet, isSetElsewhere) = (
            try there.authorize(.bearer("t"), issuedBy: issuer),
            try other.authorize(.bearer("t"), issuedBy: issuer)
        )
        #expect(isSet && !isSetElsewhere)
        let session = mock.with(OriginGuard())
        _ = try await session.response(for: there)
        #expect(mock.requests.last?.headers[.authorization] == "Bearer t")
        // A layer that keeps fields sends the request to another origin.
        _ = try await session.response(for: there.route("https://other/x"))
        #expect(mock.requests.last?.headers[.authorization] == nil)
    }

    @Test func `origins that share credentials are named`() async throws {
        let request = try HTTPRequest(.get, "http://home/").beginningCall().route("http://other/")
        let session = mock.with(Careless(), OriginGuard(origins: [try HTTPOrigin("http://other")]))
        _ = try await session.response(for: request)
        #expect(mock.requests[0].headers[.authorization] == "Bearer x")
    }

    @Test(.rows("B-6"))
    func `across a redirect and back, each origin sees only its own`() async throws {
        let mock = MockSession { request in
            switch request.url.path() {
            case "/a": HTTPResponse(.found, headers: [.location: "http://other/b"], to: request)
            case "/b": HTTPResponse(.found, headers: [.location: "http://home/c"], to: request)
            default: HTTPResponse(.ok, to: request)
            }
        }
        let session = mock.with(
            Redirects(), DefaultHeaders(["X-Api-Key": "k", "Accept-Language": "de"]), Careless(),
            OriginGuard())
        _ = try await session.response(for: "http://home/a")
        #expect(mock.requests.map { $0.headers["X-Api-Key"] } == ["k", nil, "k"])
        #expect(mock.requests.map { $0.headers[.authorization] } == ["Bearer x", nil, "Bearer x"])
        #expect(mock.requests.allSatisfy { $0.headers[.acceptLanguage] == "de" })
    }
}
