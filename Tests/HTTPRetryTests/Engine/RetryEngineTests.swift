import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPRetry
import PortableFoundation

/// Tests of the retry requests that come from validators' verdicts.
@Suite(.timeLimit(.minutes(5))) struct RetryEngineTests {
    @discardableResult
    private func run(
        _ mock: MockSession, _ middleware: any HTTPClientMiddleware...,
        clock: HTTPTestClock = HTTPTestClock(), observer: (any HTTPObserver)? = nil,
        _ change: (inout HTTPRequest) -> Void = { $0.maxRetries = 2 }
    ) async throws -> HTTPResponse {
        let session = mock.with(middleware)
        let request = try HTTPRequest.test(clock: clock, observer: observer, change)
        return try await onVirtualTime(clock) { try await session.response(for: request) }
    }

    private var steady: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.backoff.jitter = .none
        return policy
    }

    @Test(.rows("S0-12"))
    func `a retry verdict waits as its strategy says, and the new answer is judged anew`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = MockSession.statuses(.ok, .accepted, .created)
        let asking = Asking { outcome, _ in
            (try? outcome.get().status) == .created ? nil : .exponential(base: 2)
        }
        let response = try await run(mock, asking, clock: clock)
        #expect(response.status == .created && mock.hits == 3)
        #expect(clock.sleeps == [.seconds(0.5), .seconds(1)])
        #expect(response.history.map(\.status) == [.ok, .accepted])
    }

    @Test(.rows("S0-16"), arguments: [nil, 0, 1, 3])
    func `a verdict that is not met is a failure, with the last response inside`(
        limit: Int?
    ) async throws {
        let retryDecisions = DecisionLog()
        let mock = MockSession.statuses(.ok)
        let error = await #expect(throws: HTTPError.self) {
            try await run(mock, Asking { _, _ in .immediate }, observer: retryDecisions) {
                $0.maxRetries = limit
            }
        }
        #expect(error?.code == .unmet && error?.response?.status == .ok)
        let hits = (limit ?? 0) + 1
        #expect(mock.hits == hits)
        #expect(
            error?.message
                == (hits > 1
                    ? "after \(hits) attempts: unmet"
                    : "unmet; not sent again: its retries are used up"))
        #expect(retryDecisions.refusals == [.retriesUsedUp])
    }

    @Test(.rows("S0-16"))
    func `and one on a failure is that failure`() async throws {
        let mock = MockSession.answering({ _ in throw HTTPError.refused })
        let error = await #expect(throws: HTTPError.self) {
            try await run(mock, Asking(.immediate))
        }
        #expect(error?.code == .cannotConnect && mock.hits == 3)
        #expect(error?.underlyingError == nil)
        #expect(error?.timeline?.retryDecisions.count == 3)
    }

    @Test(.rows("S0-15"))
    func `the attempt's index, limit and previous end are there to see`() async throws {
        let seen = Journal<(Int, Int, HTTPStatus?)>()
        let mock = MockSession.statuses(.badGateway, .notFound, .ok)
        let asking = Asking { outcome, attempt in
            let previous: HTTPStatus? =
                if case .response(let head)? = attempt.previous { head.status } else { nil }
            seen.add((attempt.index, attempt.maxRetries, previous))
            return (try? outcome.get().status) == .ok ? nil : .immediate
        }
        try await run(mock, asking)
        #expect(seen.entries.map(\.0) == [0, 1, 2] && seen.entries.map(\.1) == [2, 2, 2])
        #expect(seen.entries.map(\.2) == [nil, .badGateway, .notFound])
    }

    @Test(.rows("S0-14"))
    func `policy and verdicts share one count, whatever the order of their retries`()
        async throws
    {
        // Twice for the policy, once for the verdict.
        let mock = MockSession.statuses(.serviceUnavailable, .ok, .serviceUnavailable, .ok)
        let retryDecisions = DecisionLog()
        let error = await #expect(throws: HTTPError.self) {
            try await run(
                mock, Asking { _, _ in .immediate }, Retry(steady), observer: retryDecisions
            ) { $0.maxRetries = 3 }
        }
        #expect(error?.code == .unmet && mock.hits == 4)
        #expect(retryDecisions.all.map(\.source) == [.policy, .verdict, .policy, .verdict])
        #expect(retryDecisions.all.map(\.attempt) == [1, 2, 3, 4])
    }

    @Test(.rows("S0-13"))
    func `where the request says nothing, a verdict has the policy's number`() async throws {
        let mock = MockSession.statuses(.ok)
        await #expect(throws: HTTPError.self) {
            try await run(mock, Asking { _, _ in .immediate }, Retry(steady)) { _ in }
        }
        #expect(mock.hits == 3)
    }

    @Test(.rows("S0-14"))
    func `a verdict draws on the budget of the policy below`() async throws {
        let retryDecisions = DecisionLog()
        let mock = MockSession.statuses(.ok)
        let retry = Retry(steady, budget: RetryBudget(ratio: 0, minimum: 1))
        await #expect(throws: HTTPError.self) {
            try await run(mock, Asking { _, _ in .immediate }, retry, observer: retryDecisions) {
                $0.maxRetries = 9
            }
        }
        #expect(mock.hits == 2 && retryDecisions.refusals == [.budgetSpent])
    }

    @Test(.rows("S0-14"))
    func `a verdict draws on the budget also where the policy says nothing`() async throws {
        let retryDecisions = DecisionLog()
        let clock = HTTPTestClock()
        let mock = MockSession.statuses(.ok)
        let budget = RetryBudget(ratio: 0, minimum: 1)
        await #expect(throws: HTTPError.self) {
            try await run(
                mock, Asking { _, _ in .immediate }, Retry(.none, budget: budget), clock: clock,
                observer: retryDecisions
            ) { $0.maxRetries = 9 }
        }
        #expect(mock.hits == 2 && retryDecisions.refusals == [.budgetSpent])
        // Calls without a retry count as the traffic that retries are a part of.
        for _ in 0..<3 { try await run(mock, Retry(.none, budget: budget), clock: clock) }
        try await run(mock, Retry(.none, budget: budget), clock: clock) { _ in }
        let numbers = budget.numbers(for: try HTTPOrigin("https://origin.test"), at: clock.now)
        #expect(numbers.calls == 5 && numbers.retries == 1)
    }

    @Test(.rows("S0-14"))
    func `a policy that says nothing takes no retries from one below`() async throws {
        let mock = MockSession.statuses(.serviceUnavailable)
        try await run(mock, Retry(.none), Retry(steady)) { _ in }
        #expect(mock.hits == 3)
    }

    @Test(.rows("S0-14"))
    func `a call fills the budget once, however often it is restarted`() async throws {
        let clock = HTTPTestClock()
        let budget = RetryBudget(ratio: 1, minimum: 9)
        // For the policy an answer; what asks again is outside, and restarts below itself.
        let mock = MockSession.statuses(.ok)
        await #expect(throws: HTTPError.self) {
            try await run(
                mock, Asking { _, _ in .immediate }, Retry(steady, budget: budget), clock: clock
            ) { $0.maxRetries = 4 }
        }
        let origin = try HTTPOrigin(URL(strictly: "https://origin.test/"))
        #expect(mock.hits == 5)
        #expect(budget.numbers(for: origin, at: clock.now).calls == 1)
    }

    @Test(.rows("S0-12", "S0-14"))
    func `a verdict does not overrule what was final below`() async throws {
        let retryDecisions = DecisionLog()
        let mock = MockSession { request in
            HTTPResponse(.serviceUnavailable, headers: [.retryAfter: "30"], to: request)
        }
        var strict = steady
        strict.retryAfterLimit = .seconds(10)
        let error = await #expect(throws: HTTPError.self) {
            try await run(mock, Asking(.immediate), Retry(strict), observer: retryDecisions)
        }
        #expect(error?.code == .unmet && error?.response?.status == .serviceUnavailable)
        #expect(
            mock.hits == 1 && retryDecisions.refusals == [.retryAfterTooLong, .retryAfterTooLong])
    }

    @Test(.rows("S0-12"))
    func `a verdict waits at least what Retry-After says`() async throws {
        let clock = HTTPTestClock()
        let mock = MockSession.answering(
            { HTTPResponse(.tooManyRequests, headers: [.retryAfter: "7"], to: $0) },
            { HTTPResponse(.ok, to: $0) })
        try await run(mock, Asking(.delayed(.seconds(3))), clock: clock)
        #expect(clock.sleeps == [.seconds(7)])
    }

    @Test(.rows("S0-12"))
    func `a verdict is refused where the wait would outlive the deadline`() async throws {
        let retryDecisions = DecisionLog()
        let mock = MockSession.statuses(.accepted)
        let session = mock.with(Asking(.delayed(.seconds(3))))
        let request = try HTTPRequest.test(clock: HTTPTestClock(), observer: retryDecisions) {
            $0.maxRetries = 2
            $0.deadline = HTTPInstant(sinceStart: .seconds(3))
        }
        await #expect(throws: HTTPError.self) { try await session.response(for: request) }
        #expect(mock.hits == 1 && retryDecisions.refusals == [.deadline])
    }

    // MARK: Restarting what is not idempotent

    @Test func `a verdict on a response may repeat a post, one on a failure may not`()
        async throws
    {
        let once = Asking { _, attempt in attempt.index == 0 ? .immediate : nil }
        let answering = MockSession.statuses(.ok)
        try await run(answering, once) {
            $0.method = .post
            $0.maxRetries = 1
        }
        #expect(answering.hits == 2)

        let retryDecisions = DecisionLog()
        let losing = MockSession { _ in throw HTTPError.lost }
        let error = await #expect(throws: HTTPError.self) {
            try await run(losing, once, observer: retryDecisions) {
                $0.method = .post
                $0.maxRetries = 1
            }
        }
        #expect(losing.hits == 1 && retryDecisions.refusals == [.notIdempotent])
        #expect(error?.code == .connectionLost)
        #expect(
            error?.message == "lost; not sent again: \(HTTPRetryEvent.Refusal.notIdempotent)")
    }

    @Test func `a layer without the permission does not refuse for one that has it`()
        async throws
    {
        let mock = MockSession.answering(
            { _ in throw HTTPError.lost }, { HTTPResponse(.ok, to: $0) })
        var trusting = RetryPolicy.standard
        trusting.methods.insert(.post)
        trusting.backoff = .constant(.zero)
        try await run(mock, Retry(trusting), Retry(.deciding { _ in .retry })) {
            $0.method = .post
        }
        #expect(mock.hits == 2)
    }

    @Test func `a post that found no connection is restarted without`() async throws {
        let mock = MockSession.answering(
            { _ in throw HTTPError.refused }, { HTTPResponse(.ok, to: $0) })
        let indifferent = RetryPolicy(
            methods: [], statuses: [.badGateway], errorCodes: [], maxRetries: 2)
        try await run(mock, Asking(.immediate), Retry(indifferent)) { $0.method = .post }
        #expect(mock.hits == 2)
    }

    @Test func `no layer sends what a policy excludes`() async throws {
        let (mock, retryDecisions) = (MockSession { _ in throw HTTPError.refused }, DecisionLog())
        let careful = RetryPolicy.standard.unless { $0.error != nil }
        let error = await #expect(throws: HTTPError.self) {
            try await run(mock, Asking(.immediate), Retry(careful), observer: retryDecisions)
        }
        #expect(mock.hits == 1 && error?.code == HTTPError.refused.code)
        #expect(error?.statement == HTTPError.refused.message)
        #expect(retryDecisions.refusals == [.dropped, .dropped])
    }

    @Test func `a policy reports what it would send again if it were idempotent`() async throws {
        let mock = MockSession { HTTPResponse(.serviceUnavailable, to: $0) }
        let retryDecisions = DecisionLog()
        let response = try await run(mock, Retry(steady), observer: retryDecisions) {
            $0.method = .post
        }
        #expect(response.status == .serviceUnavailable)
        #expect(mock.hits == 1 && retryDecisions.refusals == [.notIdempotent])
    }

    // MARK: Alternatives

    /// A mock that answers the path `/login`, and requires a token for all other paths.
    private func guarded(
        login: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse = {
            HTTPResponse(.ok, body: HTTPBody("secret"), to: $0)
        }
    ) -> MockSession {
        MockSession { request in
            if request.url.path() == "/login" { return try await login(request) }
            let isKnown = request.headers["Token"] == "secret"
            return HTTPResponse(isKnown ? .ok : .unauthorized, to: request)
        }
    }

    private func login() throws -> HTTPRequest {
        try HTTPRequest(.post, "https://origin.test/login")
    }

    @Test(.rows("S0-19"))
    func `the alternative is sent, the catcher changes the original, then it waits`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = guarded()
        let times = Journal<Duration>()
        let strategy = HTTPRetryStrategy.after(try login(), delay: .seconds(0.3)) {
            original, outcome in
            times.add(clock.now.sinceStart)
            original.headers["Token"] = try await outcome.get().text()
        }
        let response = try await run(mock, Asking(strategy), clock: clock)
        #expect(response.status == .ok)
        #expect(mock.requests.map { $0.url.path() } == ["/", "/login", "/"])
        #expect(times.entries == [.zero] && clock.sleeps == [.seconds(0.3)])
    }

    @Test(.rows("S0-19"))
    func `the alternative is a call of its own, marked, and takes none of the retries`()
        async throws
    {
        let mock = guarded { HTTPResponse(.serviceUnavailable, to: $0) }
        let strategy = HTTPRetryStrategy.after(try login())
        await #expect(throws: HTTPError.self) {
            try await run(mock, Asking(strategy), Retry(steady)) { $0.maxRetries = 2 }
        }
        // There are three attempts and two alternatives. No validator or policy applied to the
        // latter.
        #expect(mock.requests.map { $0.url.path() } == ["/", "/login", "/", "/login", "/"])
        #expect(mock.requests.map(\.isAlternative) == [false, true, false, true, false])
        let calls = mock.requests.map { $0.call?.id }
        #expect(Set(calls).count == 3 && calls[0] == calls[2] && calls[1] != calls[3])
    }

    /// Records how calls end.
    private final class CallEnds: HTTPObserver {
        private let kept = Journal<String>()

        var entries: [String] { kept.entries }

        func observe(_ event: HTTPEvent) {
            switch event.kind {
            case .callEnded(.complete): kept.add("\(event.callID) complete")
            case .callEnded(.abandoned): kept.add("\(event.callID) abandoned")
            case .callEnded(.failed): kept.add("\(event.callID) broken")
            case .callFailed: kept.add("\(event.callID) failed")
            default: break
            }
        }
    }

    @Test(arguments: ["complete", "abandoned", "failed"])
    func `the end of an alternative is reported once, as the end of a call`(end: String)
        async throws
    {
        let log = CallEnds()
        let mock = guarded { request in
            if end == "failed" { throw HTTPError.lost }
            return HTTPResponse(
                .ok, body: end == "complete" ? .empty : HTTPBody(source: OnePiece()), to: request)
        }
        let strategy = HTTPRetryStrategy.after(try login()) { original, _ in
            original.headers["Token"] = "secret"
        }
        let request = try HTTPRequest.test(clock: HTTPTestClock(), observer: log) {
            $0.maxRetries = 1
        }
        let response = try await mock.with(Asking(strategy)).response(for: request)
        #expect(response.status == .ok && mock.hits == 3)
        // The end of the call itself is reported by the session that began it, here the test.
        let own = try #require(mock.requests[1].call?.id)
        #expect(log.entries == ["\(own) \(end)"])
    }

    @Test(.rows("S0-20"))
    func `an alternative that fails is the catcher's to see, and the original is sent again`()
        async throws
    {
        let seen = Journal<HTTPError.Code?>()
        let mock = guarded { _ in throw HTTPError.lost }
        let strategy = HTTPRetryStrategy.after(try login()) { original, outcome in
            if case .failure(let error) = outcome { seen.add((error as? HTTPError)?.code) }
            original.headers["Token"] = "secret"
        }
        let response = try await run(mock, Asking(strategy))
        #expect(response.status == .ok && seen.entries == [.connectionLost])
    }

    @Test(.rows("S0-20"))
    func `its failure is kept: the next attempt knows it, and the error that ends the call`()
        async throws
    {
        let seen = Journal<HTTPError.Code?>()
        let mock = guarded { _ in throw HTTPError.lost }
        let login = try login()
        let asking = Asking { _, attempt in
            seen.add((attempt.workFailure as? HTTPError)?.code)
            return .after(login)
        }
        let error = await #expect(throws: HTTPError.self) {
            try await run(mock, asking) { $0.maxRetries = 1 }
        }
        #expect(seen.entries == [nil, .connectionLost])
        #expect(
            error?.message
                == "after 2 attempts: unmet; the work before the last attempt: connectionLost")
    }

    @Test(.rows("S0-20"))
    func `an alternative that cannot be sent at all is one that fails`() async throws {
        let seen = Journal<HTTPError.Code?>()
        let mock = guarded()
        let broken = try HTTPRequest(.get, "relative")
        let strategy = HTTPRetryStrategy.after(broken) { original, outcome in
            if case .failure(let error) = outcome { seen.add((error as? HTTPError)?.code) }
            original.headers["Token"] = "secret"
        }
        #expect(try await run(mock, Asking(strategy)).status == .ok)
        #expect(seen.entries == [.invalidRequest])
    }

    @Test(.rows("S0-20"))
    func `a catcher that throws ends the call with an error of its own, and has used a retry`()
        async throws
    {
        struct Useless: Error {}
        let mock = guarded()
        let strategy = HTTPRetryStrategy.after(try login()) { _, _ in throw Useless() }
        let request = try HTTPRequest.test(clock: HTTPTestClock()) { $0.maxRetries = 2 }
        let error = await #expect(throws: HTTPError.self) {
            try await mock.with(Asking(strategy)).response(for: request)
        }
        #expect(error?.code == .retryFailed && error?.response?.status == .unauthorized)
        let inside = try #require(error?.underlyingError as? RetryFailure)
        #expect(inside.thrown is Useless && inside.original.head?.status == .unauthorized)
        #expect(mock.hits == 2)
        let call = try #require(request.call)
        #expect(call.withRetryLedger { $0.retries } == 1)
    }

    @Test func `the alternative's response is given back when the catcher has seen it`()
        async throws
    {
        let ends = Journal<String>()
        let mock = guarded { request in
            let body = HTTPBody(source: OnePiece())
            body.whenEnded { ends.add("\($0)") }
            return HTTPResponse(.ok, body: body, to: request)
        }
        let strategy = HTTPRetryStrategy.after(try login()) { original, _ in
            original.headers["Token"] = "secret"
        }
        _ = try await run(mock, Asking(strategy))
        #expect(ends.entries == ["abandoned"])
    }

    @Test(.rows("S0-19"))
    func `the 401's connection is free before the alternative is sent`() async throws {
        let open = Locked((now: 0, most: 0))
        let mock = MockSession { request in
            open.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            let body = HTTPBody(source: OnePiece())
            body.whenEnded { _ in open.withLock { $0.now -= 1 } }
            let isKnown = request.isAlternative || request.headers["Token"] != nil
            return HTTPResponse(isKnown ? .ok : .unauthorized, body: body, to: request)
        }
        let strategy = HTTPRetryStrategy.after(try login()) { original, outcome in
            original.headers["Token"] = try await outcome.get().text()
        }
        _ = try await run(mock, Asking(strategy)).text()
        #expect(open.withLock { $0.most } == 1)
    }

    @Test(.rows("S0-19"))
    func `an alternative enters at the top of a client that says where that is`() async throws {
        let top = MockSession.statuses(.ok)
        let mock = guarded()
        let strategy = HTTPRetryStrategy.after(try login()) { original, _ in
            original.headers["Token"] = "secret"
        }
        try await run(mock, Asking(strategy)) {
            $0.maxRetries = 1
            $0[AlternativeEntry.self] = top
        }
        #expect(top.requests.map { $0.url.path() } == ["/login"] && mock.hits == 2)
    }

    @Test(.rows("S0-19"))
    func `cancelling while the alternative runs cancels it, and nothing else is sent`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = guarded { request in
            try await clock.sleep(for: .seconds(30))
            return HTTPResponse(.ok, to: request)
        }
        let session = mock.with(Asking(.after(try login())))
        let request = try HTTPRequest.test(clock: clock) { $0.maxRetries = 1 }
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(1 + (request.deadline == nil ? 0 : 1))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(mock.hits == 2)
    }

    @Test(.rows("S0-19"))
    func `the call's deadline ends the wait for an alternative`() async throws {
        let clock = HTTPTestClock()
        let mock = guarded { request in
            try await clock.sleep(for: .seconds(30))
            return HTTPResponse(.ok, to: request)
        }
        let session = mock.with(Asking(.after(try login())))
        let request = try HTTPRequest.test(clock: clock) {
            $0.maxRetries = 1
            $0.deadline = HTTPInstant(sinceStart: .seconds(2))
        }
        let task = Task { try await session.response(for: request) }
        try await clock.waitForSleepers(2)  // the alternative, and its waiter
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.code == .timedOut && error?.timer?.name == .deadline && mock.hits == 2)
        // Its own deadline was a minute, not the deadline of the call.
        #expect(mock.requests[1].deadline == HTTPInstant(sinceStart: .seconds(60)))
    }

    // MARK: Tasks

    @Test(.rows("S0-21"))
    func `a task changes the original before it is sent again, then comes the wait`()
        async throws
    {
        let clock = HTTPTestClock()
        let mock = guarded()
        let times = Journal<Duration>()
        let strategy = HTTPRetryStrategy.afterTask(
            delay: .seconds(4),
            { original in
                times.add(clock.now.sinceStart)
                original.headers["Token"] = "secret"
            })
        #expect(try await run(mock, Asking(strategy), clock: clock).status == .ok)
        #expect(times.entries == [.zero] && clock.sleeps == [.seconds(4)])
    }

    @Test(.rows("S0-21"))
    func `a task that fails is retried all the same, and never thrown to the caller`()
        async throws
    {
        struct Broken: Error {}
        let seen = Journal<Bool>()
        let mock = MockSession.statuses(.unauthorized, .ok)
        let strategy = HTTPRetryStrategy.afterTask(
            delay: .zero, { _ in throw Broken() }, errorCatcher: { seen.add($0 is Broken) })
        #expect(try await run(mock, Asking(strategy)).status == .ok)
        #expect(seen.entries == [true] && mock.hits == 2)
    }

    @Test(.rows("S0-21"))
    func `a task may put another request in the original's place, in the same call`()
        async throws
    {
        let mock = MockSession.statuses(.unauthorized, .ok)
        let other = try HTTPRequest(.put, "https://other.test/")
        try await run(mock, Asking(.afterTask(delay: .zero, { $0 = other })))
        #expect(mock.requests.map(\.method) == [.get, .put])
        #expect(Set(mock.requests.map { $0.call?.id }).count == 1)
    }

    @Test(.rows("S0-38"))
    func `each retry asks the task again`() async throws {
        let runs = Journal<Int>()
        let clock = HTTPTestClock()
        let mock = MockSession.statuses(.tooManyRequests)
        let asking = Asking { _, attempt in
            attempt.index < 2
                ? .afterTask(delay: .seconds(4), { _ in runs.add(attempt.index) }) : nil
        }
        let response = try await run(mock, asking, clock: clock) { $0.maxRetries = 2 }
        #expect(response.status == .tooManyRequests && mock.hits == 3)
        #expect(runs.entries == [0, 1] && clock.sleeps == [.seconds(4), .seconds(4)])
    }

    // MARK: Allowances of their own

    @Test(.rows("S0-32"))
    func `an allowance of its own needs no maxRetries, holds for a post, and ends`()
        async throws
    {
        final class Owner {}
        let owner = Owner()
        let retryDecisions = DecisionLog()
        let mock = MockSession.statuses(.unauthorized)
        let error = await #expect(throws: HTTPError.self) {
            try await run(
                mock, Asking(.immediate, allowance: .own(ObjectIdentifier(owner), limit: 1)),
                observer: retryDecisions
            ) { $0.method = .post }
        }
        #expect(error?.code == .unmet && mock.hits == 2)
        #expect(retryDecisions.refusals == [.retriesUsedUp])
    }

    @Test(.rows("S0-32"))
    func `it leaves the call's retries and the budget alone`() async throws {
        final class Owner {}
        let owner = Owner()
        let budget = RetryBudget(ratio: 0, minimum: 1)
        let mock = MockSession.statuses(.unauthorized, .serviceUnavailable, .ok)
        let asking = Asking(allowance: .own(ObjectIdentifier(owner), limit: 1)) { outcome, _ in
            (try? outcome.get().status) == .unauthorized ? .immediate : nil
        }
        let response = try await run(mock, asking, Retry(steady, budget: budget)) {
            $0.maxRetries = 1
        }
        #expect(response.status == .ok && mock.hits == 3)
    }
}
