import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The seven rules of single-flight refresh that users of Alamofire learnt the hard way, and what
/// follows from them.
@Suite(.timeLimit(.minutes(5))) struct RefreshingAuthenticationTests {
    private let clock = HTTPTestClock()
    private let origin: HTTPOrigin

    init() throws { origin = try HTTPOrigin("https://api") }

    /// Accepts requests that are signed with `good`, and counts the others.
    private final class Server: Sendable {
        let good: Locked<String>
        let refusals = Locked(0)
        let onRefusal: @Sendable (Int) -> Void

        init(good: String, onRefusal: @escaping @Sendable (Int) -> Void = { _ in }) {
            self.good = Locked(good)
            self.onRefusal = onRefusal
        }

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            if request.headers[.authorization] == "Bearer " + good.withLock({ $0 }) {
                return HTTPResponse(.ok, to: request)
            }
            let count = refusals.withLock {
                $0 += 1
                return $0
            }
            onRefusal(count)
            return HTTPResponse(.unauthorized, body: HTTPBody("no"), to: request)
        }

        var session: MockSession { MockSession { self.answer($0) } }
    }

    /// Gets `t1`, `t2` …, once the gate is open.
    private final class Issuer: CredentialProvider {
        let gate = Gate()
        let hasStarted = Gate()
        let hasBeenCancelled = Gate()
        let life: TimeInterval?
        let clock: HTTPTestClock
        let olds = Locked([HTTPCredential?]())
        let failures: Locked<Int>

        init(
            _ clock: HTTPTestClock, isOpen: Bool = true, life: TimeInterval? = nil, failing: Int = 0
        ) {
            self.clock = clock
            self.life = life
            failures = Locked(failing)
            if isOpen { gate.open() }
        }

        struct Down: Error {}
        var count: Int { olds.withLock { $0.count } }

        func credential(
            replacing old: HTTPCredential?, over session: any HTTPSession, on clock: any HTTPClock
        ) async throws -> HTTPCredential {
            let number = olds.withLock {
                $0.append(old)
                return $0.count
            }
            hasStarted.open()
            do {
                try await gate.wait()
            } catch {
                hasBeenCancelled.open()
                throw error
            }
            let fails = failures.withLock {
                $0 -= 1
                return $0 >= 0
            }
            if fails { throw Down() }
            return try .bearer("t\(number)", expiry: life.map { clock.date + $0 })
        }
    }

    private func authentication(
        _ issuer: Issuer, held: String? = "t0", life: TimeInterval? = nil,
        window: RefreshWindow = RefreshWindow()
    ) throws -> RefreshingAuthentication {
        RefreshingAuthentication(
            for: origin,
            credential: try held.map { try .bearer($0, expiry: life.map { clock.date + $0 }) },
            window: window, provider: issuer)
    }

    private func request(_ url: String = "https://api/") throws -> HTTPRequest {
        try HTTPRequest(.get, url).beginningCall(clock: clock)
    }

    private func tokens(_ mock: MockSession) -> [String] {
        mock.requests.map { String($0.headers[.authorization]?.dropFirst(7) ?? "-") }
    }

    // MARK: The seven rules

    @Test
    func `rule 1: what ends soon is refreshed before it is sent, and requests queue behind that`()
        async throws
    {
        let issuer = Issuer(clock, isOpen: false, life: 3600)
        let mock = Server(good: "t1").session
        let session = mock.with(try authentication(issuer, life: 3600))
        clock.advance(by: .seconds(3301))
        let tasks = try (0..<5).map { _ in
            let request = try request()
            return Task { try await session.response(for: request) }
        }
        try await issuer.hasStarted.wait()
        #expect(mock.requests.isEmpty)
        issuer.gate.open()
        for task in tasks { #expect(try await task.value.status == .ok) }
        #expect(issuer.count == 1)
        #expect(tokens(mock) == ["t1", "t1", "t1", "t1", "t1"])
    }

    @Test(.rows("S0-35", "S2-14"))
    func `rule 2: a request that was signed with an older credential is only sent again`()
        async throws
    {
        let issuer = Issuer(clock)
        let (late, hasArrived) = (Gate(), Gate())
        let server = Server(good: "t1")
        let mock = MockSession { request in
            if request.url.path() == "/late", request.headers[.authorization] == "Bearer t0" {
                hasArrived.open()
                try await late.wait()
            }
            return server.answer(request)
        }
        let session = mock.with(try authentication(issuer))
        let slow = try request("https://api/late")
        let task = Task { try await session.response(for: slow) }
        try await hasArrived.wait()
        #expect(try await session.response(for: request()).status == .ok)
        late.open()
        #expect(try await task.value.status == .ok)
        #expect(issuer.count == 1)
        #expect(tokens(mock).sorted() == ["t0", "t0", "t1", "t1"])
    }

    @Test(.rows("S0-35", "S2-14"))
    func `rule 3: the credential's version decides races, so 20 refusals are one refresh`()
        async throws
    {
        let all = Gate()
        let issuer = Issuer(clock, isOpen: false)
        let mock = Server(good: "t1") { if $0 == 20 { all.open() } }.session
        let session = mock.with(try authentication(issuer))
        let tasks = try (0..<20).map { _ in
            let request = try request()
            return Task { try await session.response(for: request) }
        }
        try await all.wait()
        issuer.gate.open()
        for task in tasks { #expect(try await task.value.status == .ok) }
        #expect(issuer.count == 1)
        #expect(tokens(mock).count { $0 == "t1" } == 20)
    }

    @Test(.rows("S0-35"))
    func `rule 4: a failed refresh fails all requests signed before it; a new one may try`()
        async throws
    {
        let issuer = Issuer(clock, failing: 1)
        let (late, hasArrived) = (Gate(), Gate())
        let server = Server(good: "t2")
        let mock = MockSession { request in
            if request.url.path() == "/late", request.headers[.authorization] == "Bearer t0" {
                hasArrived.open()
                try await late.wait()
            }
            return server.answer(request)
        }
        let session = mock.with(try authentication(issuer))
        let slow = try request("https://api/late")
        let task = Task { try await session.response(for: slow) }
        try await hasArrived.wait()
        let first = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        #expect(first?.code == .refreshFailed)
        #expect(first?.underlyingError is Issuer.Down)
        #expect(first?.response?.status == .unauthorized)
        late.open()
        let second = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(second?.code == .refreshFailed)
        #expect(issuer.count == 1)

        #expect(try await session.response(for: request()).status == .ok)
        #expect(issuer.count == 2)
    }

    @Test(.rows("S0-35"))
    func `rule 5: a request that starts during a refresh after a refusal is sent, not queued`()
        async throws
    {
        let issuer = Issuer(clock, isOpen: false)
        let server = Server(good: "t1")
        let mock = MockSession { request in
            request.url.path() == "/public"
                ? HTTPResponse(.ok, to: request) : server.answer(request)
        }
        let session = mock.with(try authentication(issuer))
        let refused = try request()
        let task = Task { try await session.response(for: refused) }
        try await issuer.hasStarted.wait()
        #expect(try await session.response(for: request("https://api/public")).status == .ok)
        #expect(!issuer.gate.isOpen)
        issuer.gate.open()
        #expect(try await task.value.status == .ok)
        #expect(tokens(mock) == ["t0", "t0", "t1"])
    }

    @Test(.rows("S2-14"))
    func `rule 6: more than 5 refreshes in 30 seconds are excessive`() async throws {
        let issuer = Issuer(clock)
        let session = Server(good: "never").session.with(try authentication(issuer))
        for _ in 0..<5 {
            #expect(try await session.response(for: request()).status == .unauthorized)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        #expect(error?.code == .refreshFailed)
        #expect(issuer.count == 5)
        clock.advance(by: .seconds(30))
        #expect(try await session.response(for: request()).status == .unauthorized)
        #expect(issuer.count == 6)
    }

    @Test(.rows("S2-14"))
    func `rule 7: the refresh does not pass the layer that waits for it`() async throws {
        let client = Locked<(any HTTPSession)?>(nil)
        let mock = MockSession { request in
            switch request.url.path() {
            case "/token": HTTPResponse(.ok, body: HTTPBody("t1"), to: request)
            default:
                request.headers[.authorization] == "Bearer t1"
                    ? HTTPResponse(.ok, to: request) : HTTPResponse(.unauthorized, to: request)
            }
        }
        defer { client.withLock { $0 = nil } }  // a retain cycle otherwise
        // Both through the session that is passed in and through the whole client, where it once
        // hung.
        for isWhole in [false, true] {
            let authentication = RefreshingAuthentication(
                for: origin, credential: try .bearer("t0")
            ) {
                _, session in
                let session = isWhole ? client.withLock { $0 } ?? session : session
                let response = try await session.response(for: "https://api/token")
                return try .bearer(try await response.text())
            }
            let session = mock.with(authentication)
            client.withLock { $0 = session }
            #expect(try await session.response(for: request()).status == .ok)
        }
        #expect(tokens(mock) == ["t0", "-", "t1", "t0", "-", "t1"])
    }

    // MARK: Nested refreshes

    /// Layers that are unaware of each other, one more for each refresh that is requested.
    private final class Endless: HTTPSession {
        let mock: MockSession
        let origin: HTTPOrigin
        let refreshes = Locked(0)
        let isDetouring: Bool
        private let coalescing = Coalescing()

        init(_ mock: MockSession, for origin: HTTPOrigin, detouring isDetouring: Bool) {
            (self.mock, self.origin, self.isDetouring) = (mock, origin, isDetouring)
        }

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            let authentication = RefreshingAuthentication(for: origin) { [self] _, _ in
                let count = refreshes.withLock {
                    $0 += 1
                    return $0
                }
                guard count <= 20 else { throw HTTPError(.internalFailure, "without end") }
                let token = try HTTPRequest(.get, "https://api/token")
                    .delivery(.buffered(upTo: 99))
                return try .bearer(try await self.response(for: token).text())
            }
            // Coalescing sends in a task of its own.
            let session = mock.with(authentication)
            return try await (isDetouring ? session.with(coalescing) : session)
                .response(for: request)
        }
    }

    @Test(.rows("S2-14"), arguments: [false, true])
    func `a refresh starts no other, whatever layer it passes`(isDetouring: Bool) async throws {
        let mock = MockSession { request in
            switch request.headers[.authorization] {
            case nil: HTTPResponse(.ok, body: HTTPBody("t1"), to: request)
            case let field: HTTPResponse(.ok, body: HTTPBody(field ?? ""), to: request)
            }
        }
        let endless = Endless(mock, for: origin, detouring: isDetouring)
        let text = try await endless.response(for: request()).text()
        #expect(text == "Bearer t1")
        #expect(endless.refreshes.withLock { $0 } == 1)
        #expect(tokens(mock) == ["-", "t1"])
    }

    @Test func `a refresh does not join what may wait for it`() async throws {
        let mock = MockSession { request in
            let token = request.headers[.authorization]
            return HTTPResponse(
                token == "Bearer t0" ? .unauthorized : .ok, body: HTTPBody(token ?? "t1"),
                to: request)
        }
        let client = Locked<(any HTTPSession)?>(nil)
        defer { client.withLock { $0 = nil } }  // a retain cycle otherwise
        let authentication = RefreshingAuthentication(
            for: origin, credential: try .bearer("t0")
        ) { _, session in
            // The same request as the one that waits for this.
            let same = try HTTPRequest(.get, "https://api/").delivery(.buffered(upTo: 99))
            let whole = client.withLock { $0 } ?? session
            return try .bearer(try await whole.response(for: same).text())
        }
        let session = mock.with(Coalescing(), authentication)
        client.withLock { $0 = session }
        let request = try request().delivery(.buffered(upTo: 99))
        #expect(try await session.response(for: request).text() == "Bearer t1")
        #expect(tokens(mock) == ["t0", "-", "t1"])
    }

    @Test(.rows("S2-14"))
    func `in a refresh another credential is used as it is, and not refreshed`() async throws {
        let other = try HTTPOrigin("https://tokens")
        let issuer = Issuer(clock, life: 3600)
        let inner = RefreshingAuthentication(
            for: other, credential: try .bearer("i0", expiry: clock.date + 3600), provider: issuer)
        let mock = MockSession { request in
            let isGood = request.headers[.authorization] == "Bearer t1"
            return HTTPResponse(
                request.url.host() == "tokens" || isGood ? .ok : .unauthorized,
                body: HTTPBody("t1"), to: request)
        }
        let session = mock.with(inner)
        // Close to its end, and at its end.
        for (wait, token) in [(3400, "i0"), (400, "-")] {
            clock.advance(by: .seconds(wait))
            let outer = RefreshingAuthentication(for: origin, credential: try .bearer("t0")) {
                [clock] _, _ in
                let token = try HTTPRequest(.get, "https://tokens/").beginningCall(clock: clock)
                return try .bearer(try await session.response(for: token).text())
            }
            #expect(try await session.with(outer).response(for: request()).status == .ok)
            #expect(tokens(mock).suffix(3) == ["t0", token, "t1"])
            #expect(issuer.count == 0)
        }
        // Outside a refresh, it is refreshed.
        _ = try await session.response(
            for: HTTPRequest(.get, "https://tokens/").beginningCall(clock: clock))
        #expect(issuer.count == 1)
    }

    /// The moment after the refused credential was found to be still held, and before the refresh.
    private final class AtRefresh: HTTPObserver {
        let act: @Sendable () -> Void
        init(_ act: @escaping @Sendable () -> Void) { self.act = act }
        func observe(_ event: HTTPEvent) {
            if case .layer(HTTPCredentialEvent.refreshing) = event.kind { act() }
        }
    }

    @Test func `a refusal that arrives while the refresh before it ends asks for no second one`()
        async throws
    {
        let issuer = Issuer(clock)
        let mock = Server(good: "mine").session
        let authentication = try authentication(issuer)
        let mine = try HTTPCredential.bearer("mine")
        let request = try HTTPRequest(.get, "https://api/").beginningCall(
            observer: AtRefresh { [clock] in authentication.replace(with: mine, clock: clock) },
            clock: clock)
        #expect(try await mock.with(authentication).response(for: request).status == .ok)
        #expect(tokens(mock) == ["t0", "mine"] && issuer.count == 0)
    }

    // MARK: Consequences

    @Test func `without a credential the first request gets one`() async throws {
        let issuer = Issuer(clock)
        let mock = Server(good: "t1").session
        let authentication = try authentication(issuer, held: nil)
        let session = mock.with(authentication)
        for _ in 0..<2 { #expect(try await session.response(for: request()).status == .ok) }
        #expect(issuer.olds.withLock { $0 } == [nil])
        #expect(try authentication.credential == .bearer("t1"))
    }

    @Test func `if it cannot be refreshed in time, what is held is used to its end`() async throws {
        let issuer = Issuer(clock, failing: .max)
        let mock = Server(good: "t0").session
        let session = mock.with(try authentication(issuer, life: 3600))
        clock.advance(by: .seconds(3400))
        #expect(try await session.response(for: request()).status == .ok)
        clock.advance(by: .seconds(200))
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        #expect(error?.code == .refreshFailed && error?.response == nil)
        #expect(issuer.count == 2 && tokens(mock) == ["t0"])
    }

    @Test
    func `a waiter that is cancelled leaves the others; the last one to leave ends the refresh`()
        async throws
    {
        let issuer = Issuer(clock, isOpen: false)
        let session = Server(good: "t1").session.with(try authentication(issuer))
        var tasks: [Task<HTTPResponse, any Error>] = []
        for number in 1...2 {
            var request = try HTTPRequest(.get, "https://api/")
            request.deadline = clock.now + .seconds(100)
            request = try request.beginningCall(clock: clock)
            tasks.append(Task { [request] in try await session.response(for: request) })
            // A waiter sleeps until its deadline, as does the chain that enforces it.
            try await clock.waitForSleepers(2 * number)
        }
        try await issuer.hasStarted.wait()
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        #expect(!issuer.hasBeenCancelled.isOpen)
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        try await issuer.hasBeenCancelled.wait()
        // The server did not refuse, so the next request tries again.
        issuer.gate.open()
        _ = try await session.response(for: request())
        #expect(issuer.count == 2)
    }

    @Test func `a waiter ends with its own deadline, the refresh goes on for the others`()
        async throws
    {
        let issuer = Issuer(clock, isOpen: false)
        let session = Server(good: "t1").session.with(try authentication(issuer))
        var hasty = try HTTPRequest(.get, "https://api/")
        hasty.deadline = clock.now + .seconds(5)
        hasty = try hasty.beginningCall(clock: clock)
        let request = try request()
        let patient = Task { try await session.response(for: request) }
        try await issuer.hasStarted.wait()
        let waiter = Task { [hasty] in try await session.response(for: hasty) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: HTTPError.self) { try await waiter.value }
        #expect(error?.code == .timedOut)
        issuer.gate.open()
        #expect(try await patient.value.status == .ok)
        #expect(issuer.count == 1)
    }

    @Test func `with one permit the refusal is gone before the refresh, which needs the permit`()
        async throws
    {
        let mock = MockSession { request in
            if request.url.path() == "/token" { return HTTPResponse(.ok, to: request) }
            return request.headers[.authorization] == "Bearer t1"
                ? HTTPResponse(.ok, to: request)
                : HTTPResponse(
                    .unauthorized, body: HTTPBody(AsyncStream<Data> { _ in }), to: request)
        }
        let limit = ConcurrencyLimit(perOrigin: 1, total: 1, queue: 0)
        let authentication = RefreshingAuthentication(for: origin, credential: try .bearer("t0")) {
            _, session in
            let response = try await session.response(for: "https://api/token")
            await response.discard()
            return try .bearer("t1")
        }
        let session = mock.with(authentication, limit)
        let response = try await session.response(for: request())
        #expect(response.status == .ok && response.history.map(\.status) == [.unauthorized])
        #expect(limit.running == 0)
    }

    @Test
    func `a body that was read once leaves its refusal, and the next request refreshes first`()
        async throws
    {
        let issuer = Issuer(clock)
        let server = Server(good: "t1")
        let mock = MockSession { request in
            _ = try await request.body.collect()
            return server.answer(request)
        }
        let session = mock.with(try authentication(issuer))
        let once = try request().stream(once: AsyncStream<Data> { $0.finish() })
        let refused = try await session.response(for: once)
        #expect(refused.status == .unauthorized)
        #expect(try await refused.text() == "no")
        #expect(issuer.count == 0)
        #expect(try await session.response(for: request()).status == .ok)
        #expect(tokens(mock) == ["t0", "t1"])
    }

    @Test func `what the server has refused is not used on where it cannot be refreshed`()
        async throws
    {
        let issuer = Issuer(clock, failing: .max)
        let server = Server(good: "t1")
        let mock = MockSession { request in
            _ = try await request.body.collect()
            return server.answer(request)
        }
        let session = mock.with(try authentication(issuer))
        let once = try request().stream(once: AsyncStream<Data> { $0.finish() })
        #expect(try await session.response(for: once).status == .unauthorized)
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request())
        }
        #expect(error?.code == .refreshFailed && tokens(mock) == ["t0"])
    }

    @Test func `other origins, and requests with credentials of their own, pass as they are`()
        async throws
    {
        let issuer = Issuer(clock)
        let mock = MockSession { HTTPResponse(.unauthorized, to: $0) }
        let session = mock.with(try authentication(issuer))
        for url in ["https://other/", "http://api/", "https://api:444/"] {
            _ = try await session.response(for: request(url))
        }
        _ = try await session.response(for: request().header(.authorization, "Bearer own"))
        #expect(tokens(mock) == ["-", "-", "-", "own"] && issuer.count == 0)
    }

    @Test func `a credential set from outside is used from then on`() async throws {
        let issuer = Issuer(clock)
        let mock = Server(good: "mine").session
        let authentication = try authentication(issuer)
        authentication.replace(with: try .bearer("mine"), clock: clock)
        #expect(try await mock.with(authentication).response(for: request()).status == .ok)
        #expect(tokens(mock) == ["mine"] && issuer.count == 0)
    }

    @Test func `a key in a field of its own is refreshed alike, and what is a refusal can be said`()
        async throws
    {
        let mock = MockSession { request in
            let isGood = request.headers["X-Key"] == "new"
            return HTTPResponse(isGood ? .ok : .forbidden, to: request)
        }
        let session = mock.with(
            RefreshingAuthentication(
                for: origin, credential: HTTPCredential(try .apiKey("old", in: "X-Key")),
                isRefusal: { $0.status == .forbidden }
            ) { old, _ in
                #expect(try old == HTTPCredential(.apiKey("old", in: "X-Key")))
                return HTTPCredential(try .apiKey("new", in: "X-Key"))
            }, OriginGuard())
        #expect(try await session.response(for: request()).status == .ok)
        #expect(mock.requests.count == 2)
    }
}
