import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPAltTaskValidatorTests {
    private func refreshing(
        statusCodes: Set<HTTPStatus> = [.unauthorized, .forbidden],
        _ task: @escaping @Sendable () async throws -> String = { "new" }
    ) -> HTTPAltTaskValidator<String> {
        HTTPAltTaskValidator(statusCodes: statusCodes, task: task) { request, token in
            request.headers[.authorization] = "Bearer \(token)"
        }
    }

    private func session(
        _ service: TokenService, _ validator: any HTTPValidator
    ) -> any HTTPSession {
        service.session.with(Validation([validator, HTTPDefaultValidator()]))
    }

    // MARK: A task instead of a request

    @Test(.rows("B-11"))
    func `what the task brings is put into the request that is sent again`() async throws {
        let service = TokenService()
        let response = try await session(service, refreshing()).response(for: .stale())
        #expect(response.status == .ok)
        #expect(service.refusals == 1)
    }

    @Test(.rows("B-11"))
    func `a layer below may read for every attempt what the task has stored`() async throws {
        struct Credentials: HTTPRequestInterceptor {
            let token: Journal<String>
            func process(request: inout HTTPRequest) async throws {
                request.headers[.authorization] = "Bearer \(token.entries.last ?? "none")"
            }
        }
        let token = Journal<String>()
        let service = TokenService()
        let session = service.session.with(
            Validation([HTTPAltTaskValidator { token.add("new") }]), Credentials(token: token))
        let response = try await session.response(for: .test())
        #expect(response.status == .ok)
    }

    @Test(.rows("S2-14", "B-11"))
    func `400 may mean it too, and a server that goes on refusing gets one refresh a call`()
        async throws
    {
        let mock = MockSession.answering(.badRequest)
        let runs = Journal<Int>()
        let validator = refreshing(statusCodes: [.unauthorized, .badRequest]) {
            runs.add(1)
            return "new"
        }
        let error = try await failure {
            try await mock.validated(by: validator) { $0.maxRetries = 9 }
        }
        #expect(error.code == .unexpectedStatus)
        #expect(error.response?.status == .badRequest)
        #expect(runs.count == 1)
        #expect(mock.hits == 2)
    }

    @Test(.rows("B-11"))
    func `requests that the task cannot help are left to the next validator`() async throws {
        let runs = Journal<Int>()
        let validator = HTTPAltTaskValidator(where: { $0.url.path != "/" }) { runs.add(1) }
        let error = try await failure {
            try await MockSession.answering(.unauthorized)
                .validated(by: validator, HTTPDefaultValidator())
        }
        #expect(error.code == .unexpectedStatus)
        #expect(runs.count == 0)
    }

    @Test(.rows("B-11"))
    func `a task that throws fails the call with its error inside`() async throws {
        let service = TokenService()
        let error = try await failure {
            try await session(service, refreshing { throw MyError() }).response(for: .stale())
        }
        #expect(error.code == .refreshFailed)
        #expect(error.underlyingError as? MyError == MyError())
        #expect(error.response?.status == .unauthorized)
        #expect(service.refusals == 1)
    }

    // MARK: Never recursive

    /// A session that can be named before it exists.
    private final class Loop: HTTPSession {
        let inner = Locked<(any HTTPSession)?>(nil)
        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            guard let inner = inner.withLock({ $0 }) else { throw NoError() }
            return try await inner.response(for: request)
        }
    }

    @Test(.rows("S2-14", "B-11"))
    func `a task that calls through its own validator does not wait for itself`()
        async throws
    {
        let service = TokenService()
        let loop = Loop()
        let validated = session(
            service,
            refreshing { try await loop.response(for: HTTPRequest.stale("/refresh")).text() })
        loop.inner.withLock { $0 = validated }
        defer { loop.inner.withLock { $0 = nil } }  // a circle otherwise
        let error = try await failure { try await validated.response(for: .stale()) }
        #expect(error.code == .refreshFailed)
        #expect((error.underlyingError as? HTTPError)?.response?.status == .unauthorized)
        #expect(service.refusals == 2)
    }

    @Test(.rows("S2-14", "B-11"))
    func `two whose tasks call through each other do not either`() async throws {
        let service = TokenService()
        let (a, b) = (Loop(), Loop())
        let first = session(
            service, refreshing { try await b.response(for: HTTPRequest.stale("/b")).text() })
        let second = session(
            service, refreshing { try await a.response(for: HTTPRequest.stale("/a")).text() })
        a.inner.withLock { $0 = first }
        b.inner.withLock { $0 = second }
        defer { for loop in [a, b] { loop.inner.withLock { $0 = nil } } }
        let error = try await failure { try await first.response(for: .stale()) }
        #expect(error.code == .refreshFailed)
        #expect(service.refusals == 2)
    }

    @Test(.rows("B-11"))
    func `a task before a retry that needs the same retry does not go on for ever`()
        async throws
    {
        let service = TokenService()
        let (loop, tasks) = (Loop(), Journal<Int>())
        // As a rule that is made anew for each call would say it: no object is known by identity.
        let rule = ClosureValidator { response, _ in
            guard response.status == .unauthorized else { return .next }
            return .retry(
                .afterTask { _ in
                    tasks.add(1)
                    guard tasks.count <= 20 else { return }
                    let inner = try HTTPRequest.stale("/refresh") { $0.maxRetries = 2 }
                    _ = try await loop.response(for: inner)
                })
        }
        let validated = session(service, rule)
        loop.inner.withLock { $0 = validated }
        defer { loop.inner.withLock { $0 = nil } }  // a circle otherwise
        let error = try await failure {
            try await validated.response(for: .stale { $0.maxRetries = 2 })
        }
        #expect(error.code == .unexpectedStatus)
        #expect(tasks.count == 2)
        #expect(service.refusals == 5)
    }

    /// The number of retries that were granted.
    private final class Granted: HTTPObserver {
        let count = Locked(0)
        func observe(_ event: HTTPEvent) {
            guard case .layer(let decision as HTTPRetryEvent) = event.kind,
                case .granted = decision.outcome
            else { return }
            count.withLock { $0 += 1 }
        }
    }

    /// Open once the call waits for a refresh.
    private final class Waiting: HTTPObserver {
        let hasBegun = Gate()
        func observe(_ event: HTTPEvent) {
            if case .layer(HTTPCredentialEvent.refreshing) = event.kind { hasBegun.open() }
        }
    }

    // MARK: Waiting for others' work

    @Test(.rows("S0-35"))
    func `a waiter that is cancelled leaves the others alone, the last one ends the work`()
        async throws
    {
        let service = TokenService()
        let isCancelled = Gate()
        let clock = HTTPTestClock()
        let session = session(
            service,
            refreshing {
                try await withTaskCancellationHandler {
                    try await clock.sleep(for: .seconds(50))
                } onCancel: {
                    isCancelled.open()
                }
                return "new"
            })
        var tasks: [Task<HTTPResponse, any Error>] = []
        for _ in 0..<2 {
            let waiting = Waiting()
            let request = try HTTPRequest.test(clock: clock, observer: waiting) {
                $0.headers[.authorization] = "Bearer old"
            }
            tasks.append(Task { try await session.response(for: request) })
            await waiting.hasBegun.waitIgnoringCancellation()
        }
        try await clock.waitForSleepers(1)
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        #expect(clock.sleeperCount > 0)  // the work goes on
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        await isCancelled.waitIgnoringCancellation()
        #expect(service.accepted == 0)
    }

    @Test(.rows("S0-35"))
    func `a refresh that every waiter has left is not a failed one`() async throws {
        let (lateIsSent, lateMayGo) = (Gate(), Gate())
        let service = TokenService(beforeAnswer: { request in
            guard request.url.path == "/late" else { return }
            lateIsSent.open()
            await lateMayGo.waitIgnoringCancellation()
        })
        let clock = HTTPTestClock()
        let runs = Journal<Int>()
        let (started, ended) = (Gate(), Gate())
        let session = session(
            service,
            refreshing {
                runs.add(1)
                defer { ended.open() }
                if runs.count == 1 {
                    started.open()
                    try await clock.sleep(for: .seconds(50))
                }
                return "new"
            })
        // Sent before the refresh, and refused after it.
        let lateRequest = try HTTPRequest.stale("/late", clock: clock)
        async let late = session.response(for: lateRequest)
        await lateIsSent.waitIgnoringCancellation()
        let request = try HTTPRequest.stale(clock: clock)
        let task = Task { try await session.response(for: request) }
        await started.waitIgnoringCancellation()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await ended.waitIgnoringCancellation()
        lateMayGo.open()
        #expect(try await late.status == .ok)
        #expect(runs.count == 2)
    }

    @Test(.rows("S0-35"))
    func `each waiter waits with its own deadline`() async throws {
        let service = TokenService()
        let clock = HTTPTestClock()
        let workMayEnd = Gate()
        let session = session(
            service,
            refreshing {
                await workMayEnd.waitIgnoringCancellation()
                return "new"
            })
        let granted = Granted()
        let hasty = try HTTPRequest.test(clock: clock, observer: granted) {
            $0.deadline = HTTPInstant(sinceStart: .seconds(5))
        }
        let patient = try HTTPRequest.stale(clock: clock)
        async let hastily = failure { try await session.response(for: hasty) }
        async let patiently = session.response(for: patient)
        // The limit of the work, and the hasty one's deadline, which by now is that of its wait.
        while granted.count.withLock({ $0 }) == 0 || clock.sleeperCount < 2 {
            try Task.checkCancellation()
            await Task.yield()
        }
        clock.advance(by: .seconds(5))
        let error = try await hastily
        #expect(error.code == .timedOut)
        #expect(error.timer?.name == .deadline)
        workMayEnd.open()
        #expect(try await patiently.status == .ok)
    }

    @Test(.rows("S0-35"))
    func `work that takes too long is a failure of its own`() async throws {
        let service = TokenService()
        let clock = HTTPTestClock()
        let validator = HTTPAltTaskValidator(limit: .seconds(40)) {
            try await clock.sleep(for: .seconds(1000))
        }
        let session = session(service, validator)
        let request = try HTTPRequest.stale(clock: clock)
        async let error = failure { try await session.response(for: request) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(40))
        #expect(try await error.code == .refreshFailed)
        #expect((try await error.underlyingError as? HTTPError)?.code == .timedOut)
    }
}
