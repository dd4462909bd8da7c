import HTTPCore
import HTTPFormats
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPAltRequestValidatorTests {
    private func loggingIn(
        maxAltRequests: Int = 1, retryDelay: Duration = .zero,
        onReceive receive: HTTPAltRequestValidator.Receiver? = nil
    ) -> HTTPAltRequestValidator {
        HTTPAltRequestValidator(
            maxAltRequests: maxAltRequests, retryDelay: retryDelay,
            onProvideAltRequest: { _, _ in try .login() }, onReceiveAltResponse: receive,
            prepare: { request, response in
                request.headers[.authorization] = "Bearer \(try await response.text())"
            })
    }

    private func session(
        _ service: TokenService, _ validator: any HTTPValidator
    ) -> any HTTPSession {
        service.session.with(Validation([validator, HTTPDefaultValidator()]))
    }

    // MARK: Trigger

    @Test(.rows("S0-30"), arguments: [HTTPStatus.unauthorized, .forbidden])
    func `401 and 403 are answered with the other request`(status: HTTPStatus) async throws {
        let mock = MockSession.playing(
            { HTTPResponse(status, to: $0) },
            { HTTPResponse(.ok, body: HTTPBody("new"), to: $0) },
            { HTTPResponse(.ok, body: HTTPBody("hello"), to: $0) })
        let response = try await mock.validated(by: loggingIn(), HTTPDefaultValidator())
        #expect(try await response.text() == "hello")
        #expect(mock.requests.map(\.url.path) == ["/", "/login", "/"])
    }

    @Test(.rows("S0-30"), arguments: [HTTPStatus.ok, .notFound, .proxyAuthenticationRequired])
    func `no other status is`(status: HTTPStatus) async throws {
        let mock = MockSession.answering(status)
        try await mock.validated(by: loggingIn())
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-30"))
    func `the statuses are the caller's choice`() async throws {
        let mock = MockSession.playing(
            { HTTPResponse(.badRequest, to: $0) }, { HTTPResponse(.ok, to: $0) })
        let validator = HTTPAltRequestValidator(statusCodes: [.badRequest]) { _, _ in
            try .login()
        }
        try await mock.validated(by: validator)
        #expect(mock.hits == 3)
    }

    @Test(.rows("S0-30"))
    func `a failure is none, unless it is named`() async throws {
        for (codes, hits) in [([], 1), ([.connectionLost], 3)]
            as [(Set<HTTPError.Code>, Int)]
        {
            let mock = MockSession.playing(
                { _ in throw HTTPError(.connectionLost, "lost") },
                { HTTPResponse(.ok, to: $0) })
            let validator = HTTPAltRequestValidator(errorCodes: codes) { _, _ in try .login() }
            _ = try? await mock.validated(by: validator)
            #expect(mock.hits == hits)
        }
    }

    // MARK: Provider and receiver

    @Test(.rows("S0-31"))
    func `a provider that has no request leaves the outcome to the next validator`()
        async throws
    {
        let mock = MockSession.answering(.unauthorized)
        let validator = HTTPAltRequestValidator { _, _ in nil }
        let error = try await failure {
            try await mock.validated(by: validator, HTTPDefaultValidator())
        }
        #expect(error.code == .unexpectedStatus)
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-31"))
    func `the provider sees request and outcome, the receiver the other request's response`()
        async throws
    {
        let seen = Journal<String>()
        let service = TokenService()
        let validator = HTTPAltRequestValidator(
            onProvideAltRequest: { original, outcome in
                seen.add("\(original.url.path) \(try outcome.get().status.code)")
                return try .login()
            },
            onReceiveAltResponse: { alternative, response in
                seen.add("\(alternative.url.path) \(try await response.text())")
            },
            prepare: { request, _ in request.headers[.authorization] = "Bearer new" })
        let response = try await session(service, validator).response(for: .stale("/a"))
        #expect(try await response.text() == "hello")
        #expect(seen.entries == ["/a 401", "/login new"])
    }

    @Test(.rows("S0-31"))
    func `a provider that throws fails the call with its error inside`() async throws {
        let service = TokenService()
        let validator = HTTPAltRequestValidator { _, _ in throw MyError() }
        let error = try await failure {
            try await session(service, validator).response(for: .stale())
        }
        #expect(error.underlyingError is MyError)
        #expect(service.logins == 0)
    }

    @Test(.rows("S0-31"))
    func `the delay lies between the other request and the original`() async throws {
        let clock = HTTPTestClock()
        let loginAt = Journal<HTTPInstant>()
        let service = TokenService { request in
            loginAt.add(clock.now)
            return HTTPResponse(.ok, body: HTTPBody("new"), to: request)
        }
        let session = session(service, loggingIn(retryDelay: .seconds(4)))
        let request = try HTTPRequest.stale(clock: clock)
        _ = try await onTestTime(clock) { try await session.response(for: request) }
        #expect(loginAt.entries == [HTTPInstant(sinceStart: .zero)])
        #expect(clock.waits == [.seconds(4)])
        #expect(clock.now == HTTPInstant(sinceStart: .seconds(4)))
    }

    // MARK: Budget

    @Test(.rows("S0-32"))
    func `the budget is its own: without any retries there is one refresh`() async throws {
        let service = TokenService()
        let request = try HTTPRequest.stale { $0.maxRetries = 0 }
        let response = try await session(service, loggingIn()).response(for: request)
        #expect(response.status == .ok)
        #expect(service.logins == 1)
        #expect(response.history.map(\.status) == [.unauthorized])
    }

    @Test(.rows("S0-32"))
    func `a refresh leaves the retries to others`() async throws {
        let mock = MockSession.playing(
            { HTTPResponse(.unauthorized, to: $0) },
            { HTTPResponse(.ok, body: HTTPBody("new"), to: $0) },
            { HTTPResponse(.tooManyRequests, to: $0) }, { HTTPResponse(.ok, to: $0) })
        let clock = HTTPTestClock()
        let response = try await mock.validated(
            by: loggingIn(), HTTPDefaultValidator(), clock: clock
        ) { $0.maxRetries = 1 }
        #expect(response.status == .ok)
        #expect(mock.hits == 4)
    }

    @Test(.rows("S0-33"), arguments: [0, 1, 3])
    func `a server that goes on refusing gets so many refreshes per call, and an end`(
        count: Int
    ) async throws {
        let service = TokenService()
        service.expireAll()
        let session = session(service, loggingIn(maxAltRequests: count))
        for call in 1...2 {
            let error = try await failure { try await session.response(for: .stale()) }
            #expect(error.code == .unexpectedStatus)
            #expect(error.response?.status == .unauthorized)
            #expect(service.logins == call * count)
            #expect(service.refusals == call * (count + 1))
        }
    }

    @Test(.rows("S0-33"), arguments: [1, 3])
    func `an alternative that is refused itself is one of so many rounds`(count: Int) async throws {
        let service = TokenService { HTTPResponse(.unauthorized, to: $0) }
        let session = session(service, loggingIn(maxAltRequests: count))
        let error = try await failure { try await session.response(for: .stale()) }
        #expect(error.code == .refreshFailed)
        #expect(error.response?.status == .unauthorized)
        #expect(service.logins == count)
        #expect(service.refusals == count)
    }

    @Test(.rows("S0-33"))
    func `a round after an alternative that was refused may bring what is needed`()
        async throws
    {
        let answers = Locked([HTTPStatus.unauthorized, .forbidden, .ok])
        let service = TokenService { request in
            let status = answers.withLock { $0.removeFirst() }
            return HTTPResponse(
                status, body: HTTPBody(status == .ok ? "new" : ""), to: request)
        }
        let session = session(service, loggingIn(maxAltRequests: 3))
        let response = try await session.response(for: .stale())
        #expect(response.status == .ok)
        #expect(service.logins == 3)
    }

    @Test func `the provider is not asked for what could not be sent`() async throws {
        enum Reason: CaseIterable { case used, zero, once, deadline }
        for reason in Reason.allCases {
            let asked = Journal<Int>()
            let clock = HTTPTestClock()
            let validator = HTTPAltRequestValidator(
                maxAltRequests: reason == .zero ? 0 : 1,
                retryDelay: reason == .deadline ? .seconds(50) : .zero,
                onProvideAltRequest: { _, _ in
                    asked.add(1)
                    return try .login()
                })
            let mock = MockSession { request in
                if request.url.path == "/login" { return HTTPResponse(.ok, to: request) }
                _ = try await request.body.collect()
                return HTTPResponse(.unauthorized, to: request)
            }
            let error = try await failure {
                try await mock.validated(by: validator, clock: clock) {
                    if reason == .once { $0.body = HTTPBody(source: Pieces("once")) }
                    // Longer than what test time moves on to by itself.
                    if reason == .deadline { $0.deadline = clock.now + .seconds(40) }
                }
            }
            #expect(error.code == .unexpectedStatus, "\(reason)")
            #expect(asked.count == (reason == .used ? 1 : 0), "\(reason)")
        }
    }

    @Test func `a body that can be read once is not sent twice, and the error says so`()
        async throws
    {
        let mock = MockSession { request in
            _ = try await request.body.collect()
            return HTTPResponse(.unauthorized, to: request)
        }
        let error = try await failure {
            try await mock.validated(by: loggingIn()) {
                $0.method = .post
                $0.body = HTTPBody(source: Pieces("once"))
            }
        }
        #expect(error.message.contains("can be read once"))
        #expect(mock.hits == 1)
    }

    @Test(.rows("S0-32"))
    func `what was refused may be sent again whatever its method`() async throws {
        let service = TokenService()
        let request = try HTTPRequest.stale { $0.method = .post }
        let response = try await session(service, loggingIn()).response(for: request)
        #expect(response.status == .ok)
    }

    // MARK: Never recursive

    @Test(.rows("S0-19", "S2-14"))
    func `the other request is neither validated nor retried`() async throws {
        let service = TokenService { HTTPResponse(.unauthorized, to: $0) }
        let session = service.session.with(
            Validation([loggingIn(), HTTPDefaultValidator()]), Retry(.standard))
        let error = try await failure { try await session.response(for: .stale()) }
        #expect(error.code == .refreshFailed)
        #expect(service.logins == 1)
    }

    @Test(.rows("S0-19"))
    func `the refused response is gone before the other request is sent`() async throws {
        let pieces = Pieces("who?", end: .never)  // prose: data
        let mock = MockSession { request in
            if request.url.path == "/login" {
                #expect(pieces.givenUp > 0)
                return HTTPResponse(.ok, body: HTTPBody("new"), to: request)
            }
            guard request.headers[.authorization] == "Bearer new" else {
                return HTTPResponse(
                    .unauthorized, body: HTTPBody(source: pieces), to: request)
            }
            return HTTPResponse(.ok, to: request)
        }
        try await mock.validated(by: loggingIn())
        #expect(mock.hits == 3)
    }

    // MARK: Many at once

    @Test(.rows("S0-35"))
    func `twenty refused at once share one refresh, and all are sent with what it brought`()
        async throws
    {
        let allRefused = Gate()
        let refused = Journal<Int>()
        let received = Journal<String>()
        let service = TokenService(
            login: { request in
                await allRefused.waitIgnoringCancellation()
                return HTTPResponse(.ok, body: HTTPBody("new"), to: request)
            },
            beforeAnswer: { request in
                guard request.headers[.authorization] == "Bearer old" else { return }
                refused.add(1)
                if refused.count == 20 { allRefused.open() }
            })
        let session = session(
            service,
            loggingIn { _, response in received.add(try await response.text()) })
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    let response = try await session.response(for: .stale())
                    #expect(response.status == .ok)
                }
            }
            try await group.waitForAll()
        }
        #expect(service.logins == 1)
        #expect(service.accepted == 20)
        #expect(received.entries == ["new"])
    }

    @Test(.rows("S0-35"))
    func `one that is refused after a refresh has overtaken it is sent again without another`()
        async throws
    {
        let (lateIsSent, lateMayGo) = (Gate(), Gate())
        let service = TokenService(beforeAnswer: { request in
            if request.url.path == "/late", request.headers[.authorization] == "Bearer old" {
                lateIsSent.open()
                await lateMayGo.waitIgnoringCancellation()
            }
        })
        let session = session(service, loggingIn())
        let (lateClock, clock) = (HTTPTestClock(), HTTPTestClock())
        async let late = session.response(for: .stale("/late", clock: lateClock))
        await lateIsSent.waitIgnoringCancellation()
        _ = try await session.response(for: .stale("/early", clock: clock))
        #expect(service.logins == 1)
        lateMayGo.open()
        #expect(try await late.status == .ok)
        #expect(service.logins == 1)
    }

    @Test(.rows("S0-35"))
    func `one that has asked for a refresh and finds it done meanwhile starts no second one`()
        async throws
    {
        let (secondHasAsked, firstIsDone) = (Gate(), Gate())
        let service = TokenService()
        let validator = HTTPAltRequestValidator(
            onProvideAltRequest: { original, _ in
                if original.url.path == "/second" {
                    secondHasAsked.open()
                    await firstIsDone.waitIgnoringCancellation()
                }
                return try .login()
            },
            prepare: { request, response in
                request.headers[.authorization] = "Bearer \(try await response.text())"
            })
        let session = session(service, validator)
        let second = Task { try await session.response(for: .stale("/second")) }
        await secondHasAsked.waitIgnoringCancellation()
        _ = try await session.response(for: .stale("/first"))
        #expect(service.logins == 1)
        firstIsDone.open()
        #expect(try await second.value.status == .ok)
        #expect(service.logins == 1 && service.refusals == 2)
    }

    @Test(.rows("S0-35"))
    func `when the refresh fails, all waiters fail with it, and none starts another`()
        async throws
    {
        let allRefused = Gate()
        let refused = Journal<Int>()
        let lateMayGo = Gate()
        let service = TokenService(
            login: { request in
                await allRefused.waitIgnoringCancellation()
                return HTTPResponse(.internalServerError, to: request)
            },
            beforeAnswer: { request in
                refused.add(1)
                if refused.count == 21 { allRefused.open() }
                if request.url.path == "/late" { await lateMayGo.waitIgnoringCancellation() }
            })
        let session = session(service, loggingIn())
        let late = Task { try await session.response(for: .stale("/late")) }
        let errors = await withTaskGroup(of: HTTPError?.self) { group in
            for _ in 0..<20 {
                group.addTask { try? await failure { try await session.response(for: .stale()) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        lateMayGo.open()
        let lateError = try await failure { try await late.value }
        #expect(errors.count == 20)
        for error in errors + [lateError] {
            #expect(error?.code == .refreshFailed)
            #expect(error?.response?.status == .unauthorized)
            let cause = error?.underlyingError as? HTTPError
            #expect(cause?.response?.status == .internalServerError)
        }
        #expect(service.logins == 1)
        #expect(service.accepted == 0)

        // A new call has not seen that, and may try.
        _ = try await failure { try await session.response(for: .stale()) }
        #expect(service.logins == 2)
    }

    @Test(.rows("S0-35"))
    func `a receiver that throws has failed the refresh with its error`() async throws {
        let service = TokenService()
        let session = session(service, loggingIn { _, _ in throw MyError() })
        let error = try await failure { try await session.response(for: .stale()) }
        #expect(error.code == .refreshFailed)
        #expect(error.underlyingError as? MyError == MyError())
    }

    @Test(.rows("S0-35"))
    func `the failure of the other request is there to see, and a success is none`()
        async throws
    {
        let answers: [(String?, @Sendable (HTTPRequest) throws -> HTTPResponse)] = [
            ("/login cannotConnect nil", { _ in throw HTTPError(.cannotConnect, "refused") }),
            ("/login unexpectedStatus 500", { HTTPResponse(.internalServerError, to: $0) }),
            (nil, { HTTPResponse(.ok, body: HTTPBody("new"), to: $0) }),
        ]
        for (seen, answer) in answers {
            let (failures, received) = (Journal<String>(), Journal<Int>())
            let service = TokenService { try answer($0) }
            let validator = HTTPAltRequestValidator(
                onProvideAltRequest: { _, _ in try .login() },
                onReceiveAltResponse: { _, _ in received.add(1) },
                onAltRequestFailure: { alternative, error in
                    let error = error as? HTTPError
                    let code = error.map { "\($0.code)" } ?? "none"
                    let status = error?.response.map { "\($0.status.code)" } ?? "nil"
                    failures.add("\(alternative.url.path) \(code) \(status)")
                },
                prepare: { request, _ in request.headers[.authorization] = "Bearer new" })
            let response = try? await session(service, validator).response(for: .stale())
            #expect(failures.entries == (seen.map { [$0] } ?? []))
            #expect(received.count == (seen == nil ? 1 : 0))
            #expect(response?.status == (seen == nil ? .ok : nil))
        }
    }

    @Test(.rows("S0-35"))
    func `a refresh that could not be sent is the cause`() async throws {
        let service = TokenService { _ in throw HTTPError(.cannotConnect, "refused") }
        let error = try await failure {
            try await session(service, loggingIn()).response(for: .stale())
        }
        #expect((error.underlyingError as? HTTPError)?.code == .cannotConnect)
    }
}
