import HTTPCore
import HTTPTesting
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPCallBeginningTests {
    /// A session with a base, an observer and a clock.
    private final class Based: HTTPCallBeginning {
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("x"), to: $0) }
        let log = EventLog()
        let clock = HTTPTestClock()
        let begun = Locked(0)

        func beginningCall(for request: HTTPRequest) throws -> HTTPRequest {
            begun.withLock { $0 += 1 }
            let absolute = try HTTPRequest(request.method, "https://h/base")
            return try absolute.beginningCall(observer: log, clock: clock)
        }

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            try await mock.response(for: request)
        }
    }

    private final class Seeing: HTTPClientMiddleware {
        let seen = Locked([HTTPRequest]())
        let failure: HTTPError?

        init(failure: HTTPError? = nil) { self.failure = failure }

        func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
            seen.withLock { $0.append(request) }
            if let failure { throw failure }
            return try await next.response(for: request)
        }
    }

    private func ends(_ log: EventLog) -> [String] {
        log.events.compactMap { event in
            switch event.kind {
            case .callEnded: "ended"
            case .callFailed: "failed"
            default: nil
            }
        }
    }

    @Test func `middleware sees the call as the session begins it, once, however it is wrapped`()
        async throws
    {
        let based = Based()
        let (a, b) = (Seeing(), Seeing())
        for (index, session) in [based.with(a, b), based.with(b).with(a)].enumerated() {
            let response = try await session.response(for: HTTPRequest("relative"))
            _ = try await response.data()
            for middleware in [a, b] {
                let request = try #require(middleware.seen.withLock { $0.last })
                #expect(request.url.absoluteString == "https://h/base")
                #expect(request.call?.clock is HTTPTestClock)
            }
            #expect(based.begun.withLock { $0 } == index + 1)
            #expect(ends(based.log).count == index + 1, "each call ends once")
        }
    }

    @Test func `a request that has a call keeps it`() async throws {
        let (based, seeing) = (Based(), Seeing())
        let request = try HTTPRequest("https://other/").beginningCall()
        _ = try await based.with(seeing).response(for: request)
        #expect(seeing.seen.withLock { $0.first?.call } === request.call)
        #expect(based.begun.withLock { $0 } == 0)
    }

    @Test func `the end of a call that middleware refuses is reported`() async throws {
        let based = Based()
        let refusing = Seeing(failure: HTTPError(.invalidRequest, "as the test says"))
        await #expect(throws: HTTPError.self) {
            try await based.with(refusing).response(for: HTTPRequest("relative"))
        }
        #expect(ends(based.log) == ["failed"])
        #expect(based.mock.requests.isEmpty)
    }

    @Test func `a chain begins the call over any session, before the outermost middleware`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let (a, b) = (Seeing(), Seeing())
        for session in [mock.with(a, b), mock.with(b).with(a)] {
            _ = try await session.response(for: HTTPRequest("https://h/"))
            let call = try #require(a.seen.withLock { $0.last }?.call)
            #expect(b.seen.withLock { $0.last }?.call === call)
            #expect(mock.requests.last?.call === call)
            #expect(a.seen.withLock { $0.last }?.currentCall === call)
        }
        let relative = try HTTPRequest("relative")
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(a).response(for: relative)
        }
        #expect(error?.code == .invalidRequest)
        #expect(a.seen.withLock { $0.count } == 2)
    }

    @Test func `the deadline of a call ends a middleware that does not heed it`() async throws {
        struct Waiting: HTTPClientMiddleware {
            func intercept(
                _ request: HTTPRequest, next: any HTTPSession
            ) async throws -> HTTPResponse {
                try await request.currentCall.clock.sleep(for: .seconds(3600))
                return try await next.response(for: request)
            }
        }
        let session = MockSession { HTTPResponse(.ok, to: $0) }.with(Waiting())
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: HTTPRequest("https://h/").deadline(in: .zero))
        }
        #expect(error?.code == .timedOut)
    }

    private struct Completing: HTTPRequestInterceptor {
        func process(request: inout HTTPRequest) async throws {
            if let absolute = try? URL(strictly: "https://h/completed") { request.url = absolute }
        }
    }

    @Test func `a request interceptor may make a URL absolute, and the call begins then`()
        async throws
    {
        let mock = MockSession { HTTPResponse(.ok, to: $0) }
        let seeing = Seeing()
        _ = try await mock.with(Completing(), seeing).response(for: HTTPRequest("relative"))
        #expect(seeing.seen.withLock { $0.last }?.call?.url.path() == "/completed")
        _ = try await mock.with(Completing()).response(for: HTTPRequest("relative"))
        #expect(mock.requests.count == 2)
        let based = Based()
        _ = try await based.with(Completing()).response(for: HTTPRequest("relative"))
        #expect(based.mock.requests.last?.call?.url.path() == "/base", "the session begins it")
    }

    /// A session that breaks its promise.
    private struct Careless: HTTPCallBeginning {
        func beginningCall(for request: HTTPRequest) throws -> HTTPRequest { request }

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(.ok, to: request)
        }
    }

    @Test func `a call begins even if a session that is to begin it does not`() async throws {
        let seeing = Seeing()
        _ = try await Careless().with(seeing).response(for: HTTPRequest("https://h/"))
        #expect(seeing.seen.withLock { $0.first }?.call != nil)
    }

    @Test(arguments: ["https://h/a", "relative"])
    func `outside of a chain, middleware sees a call that is the request's alone`(url: String)
        async throws
    {
        let request = try HTTPRequest(HTTPRoute(verbatim: url))
        let call = request.currentCall
        #expect(call.clock is HTTPSystemClock)
        #expect(call.deadline == nil)
        #expect(call.observer == nil)
        #expect(call.url == request.url)
        #expect(call.origin.host == (url == "relative" ? "" : "h"))
        #expect(request.call == nil)
        #expect(request.currentCall !== call)
    }

    @Test func `no middleware is the session itself`() {
        #expect(Based().with([]) is Based)
    }

    // MARK: Several observers of a call

    private final class Owner: Sendable {}

    @Test func `an observer joins a call once for each owner and is told what follows`() throws {
        let (first, second) = (EventLog(), EventLog())
        let request = try HTTPRequest("https://h/").beginningCall(observer: first)
        let call = try #require(request.call)
        call.report(.sent)
        let owner = Owner()
        for _ in 1...2 { call.add(second, for: owner) }
        call.report(.failed(CancellationError()))
        #expect(first.names == ["sent", "failed"])
        #expect(second.names == ["failed"])
        call.add(second, for: Owner())
        call.report(.sent)
        #expect(second.names == ["failed", "sent", "sent"])
    }

    @Test func `a call without an observer is observed from when one joins`() throws {
        let log = EventLog()
        let call = try #require(HTTPRequest("https://h/").beginningCall().call)
        #expect(!call.isObserved)
        call.report(.sent)
        call.add(log, for: Owner())
        #expect(call.isObserved)
        call.report(.sent)
        #expect(log.names == ["sent"])
    }

    @Test func `the owners of observers are those of a call that is like another one`() throws {
        let (log, owner) = (EventLog(), Owner())
        let call = try #require(HTTPRequest("https://h/").beginningCall().call)
        call.add(log, for: owner)
        let like = try #require(HTTPRequest("https://h/").beginningCall(like: call).call)
        like.add(log, for: owner)
        like.report(.sent)
        #expect(log.names == ["sent"])
    }

    @Test func `observers that join at the same time are all told, each once`() async throws {
        let log = EventLog()
        let call = try #require(HTTPRequest("https://h/").beginningCall().call)
        let owners = (1...8).map { _ in Owner() }
        await withTaskGroup { group in
            for owner in owners + owners { group.addTask { call.add(log, for: owner) } }
        }
        call.report(.sent)
        #expect(log.names.count == 8)
    }

    @Test func `of several sessions the first one reports the end`() async throws {
        let log = EventLog()
        let request = try HTTPRequest("https://h/").beginningCall(observer: log)
        let call = try #require(request.call)
        for _ in 1...2 {
            _ = try await call.reportingEnd {
                try await call.reportingEnd { HTTPResponse(.ok, to: request) }
            }
        }
        #expect(ends(log) == ["ended"])
    }
}
