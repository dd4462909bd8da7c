import HTTPClientKit
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The sends of a POST whose connection is lost, by every way of asking for retries with a number.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientRepeatingTests {
    /// The ways to ask for two retries.
    private enum Way: CaseIterable, Sendable {
        case request, bound, endpoint, policy, hedging, decidingPolicy, ownValidator, refreshing
        case pipeline, decision, adapted, transformed
    }

    /// The outcome of each exchange but that of a login.
    private enum End: CaseIterable, Sendable {
        case lost, refused, busy

        func outcome(_ request: HTTPRequest) throws -> HTTPResponse {
            switch self {
            case .lost: throw HTTPError(.connectionLost, "lost", phase: .waiting, isRetryable: true)
            case .refused:
                throw HTTPError(.cannotConnect, "refused", phase: .connecting, isRetryable: true)
            case .busy: return HTTPResponse(.tooManyRequests, to: request)
            }
        }
    }

    private struct Order: HTTPBodyEndpoint, HTTPPostEndpoint {
        typealias Success = String
        var isRepeatable = false
        var body = "x"
        var route: String { "https://h/order" }

        func configure(_ configuration: inout HTTPEndpointConfiguration) {
            configuration.maxRetries = 2
            configuration.isRepeatable = isRepeatable
        }
    }

    /// Sends a POST in one way. Returns how often it was sent, and the error.
    private func sends(
        _ way: Way, _ end: End, isRepeatable: Bool
    ) async throws -> (sends: Int, error: HTTPError?) {
        let mock = MockSession { request in
            request.url.path == "/order"
                ? try end.outcome(request) : HTTPResponse(.ok, to: request)
        }
        let clock = BriskClock()
        var request = try HTTPRequest(.post, "https://h/order")
        if isRepeatable { request = request.repeatable() }
        let order = request
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        let quick = policy
        func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) -> HTTPClient {
            HTTPClient(transport: mock) {
                $0.clock = clock
                change(&$0)
            }
        }
        do {
            switch way {
            case .request: _ = try await client().response(for: order.maxRetries(2))
            case .bound:
                let bound = client().post("https://h/order").maxRetries(2)
                try await (isRepeatable ? bound.repeatable() : bound).response()
            case .endpoint: _ = try await Order(isRepeatable: isRepeatable).fetch(client())
            case .policy: _ = try await client { $0.retry = quick }.response(for: order)
            case .hedging:
                _ = try await client {
                    $0.retry = quick
                    $0.hedging = .after(.seconds(60))
                }.response(for: order)
            case .decidingPolicy:
                _ = try await client {
                    $0.retry = .deciding(maxRetries: 2, delay: .zero) { _ in .retry }
                    $0.validators = []
                }.with(Validation()).response(for: order)
            case .ownValidator:
                let stubborn = ClosureValidator { _, _ in .retry(.immediate) }
                _ = try await client { $0.validators = [stubborn, FailuresAgain()] }
                    .response(for: order.maxRetries(2))
            case .refreshing:
                let login = try HTTPRequest(.post, "https://h/login")
                _ = try await client {
                    $0.validators = [
                        HTTPAltRequestValidator(
                            statusCodes: [.tooManyRequests],
                            errorCodes: [.connectionLost, .cannotConnect], maxAltRequests: 2,
                            onProvideAltRequest: { _, _ in login })
                    ]
                }.response(for: order)
            case .pipeline: _ = try await client().pipeline(for: order).retry(2).value()
            case .decision:
                _ = try await client().pipeline(for: order)
                    .retryDecision(maxRetries: 2, delay: .zero) { _, _ in .retry }.value()
            case .adapted:
                _ = try await client().pipeline(for: order).adapt { $0.header("X-Id", "1") }
                    .retry(2).value()
            case .transformed:
                _ = try await client().pipeline(for: order).map { _ in 1 }.retry(2).value()
            }
            return (mock.sends, nil)
        } catch let error as HTTPError {
            return (mock.sends, error)
        }
    }

    /// Asks for another attempt after every failure.
    private struct FailuresAgain: HTTPValidator {
        func verdict(on outcome: HTTPOutcome, of attempt: RetryAttempt) -> HTTPVerdict {
            if case .failure = outcome { .retry(.immediate) } else { .next }
        }
    }

    @Test(arguments: Way.allCases, End.allCases)
    private func `a number of retries does not repeat a post that may have been processed`(
        way: Way, end: End
    ) async throws {
        let (sends, error) = try await sends(way, end, isRepeatable: false)
        #expect(sends == (end == .lost ? 1 : 3))
        #expect(error?.mayHaveReachedServer == (end != .refused))
        #expect(error?.isRetryable == true)
        if end == .lost {
            #expect(error?.code == .connectionLost && error?.phase == .waiting)
            #expect(error?.message.contains("call it repeatable()") == true)
        }
    }

    @Test(arguments: Way.allCases)
    private func `a request that its caller calls repeatable is sent again`(way: Way) async throws {
        let (sends, error) = try await sends(way, .lost, isRepeatable: true)
        #expect(sends == 3)
        #expect(error?.code == .connectionLost && error?.message == "after 3 attempts: lost")
    }

    @Test func `what a step after the response fails with does not hide that there was one`()
        async throws
    {
        // As a step fails that asks another server in vain.
        let own = HTTPError(.cannotConnect, "elsewhere", phase: .connecting, isRetryable: true)
        let mock = MockSession { request in
            switch request.url.path {
            case "/moved": HTTPResponse(.found, headers: ["Location": "/b"], to: request)
            case "/guarded":
                HTTPResponse(
                    .unauthorized, headers: ["WWW-Authenticate": "Basic realm=r"], to: request)
            default: HTTPResponse(.ok, body: HTTPBody("1"), to: request)
            }
        }
        let order = try HTTPRequest(.post, "https://h/order")
        let moved = try HTTPRequest(.post, "https://h/moved")
        let guarded = try HTTPRequest(.post, "https://h/guarded")
        let client = HTTPClient(transport: mock) { $0.retry = .standard }
        struct Hook: HTTPResponseInterceptor {
            let error: HTTPError
            func process(response: inout HTTPResponse) throws { throw error }
        }
        let steps: [(String, @Sendable () async throws -> Void)] = [
            (
                "map",
                {
                    _ = try await client.pipeline(for: order).map { _ in throw own }.retry(2)
                        .value()
                }
            ),
            (
                "hook",
                {
                    let session = mock.with(Retry(.standard), Hook(error: own))
                    _ = try await session.response(for: order)
                }
            ),
            (
                "listed hook",
                {
                    let listed = MiddlewareSession(mock, middleware: [Hook(error: own)])
                    _ = try await listed.with(Retry(.standard)).response(for: order)
                }
            ),
            (
                "transformer",
                {
                    let changed = client.deriving {
                        $0.transformers = [ResponseTransformer { _, _ in throw own }]
                    }
                    _ = try await changed.response(for: order.maxRetries(2))
                }
            ),
            (
                "redirect",
                {
                    let following = client.deriving {
                        $0.redirects = Redirects(.followCustom { _ in throw own })
                    }
                    _ = try await following.response(for: moved.maxRetries(2))
                }
            ),
            (
                "provider of passwords",
                {
                    let asking = client.deriving {
                        $0.authentication = [ChallengeAuthentication(asking: { _ in throw own })]
                    }
                    _ = try await asking.response(for: guarded.maxRetries(2))
                }
            ),
            (
                "validator",
                {
                    let judged = mock.with(
                        Retry(.standard), Validation([ClosureValidator { _, _ in throw own }]))
                    _ = try await judged.response(for: order)
                }
            ),
        ]
        for (name, step) in steps {
            let before = mock.sends
            let error = await #expect(throws: HTTPError.self, "\(name)") { try await step() }
            #expect(error?.code == .cannotConnect && error?.mayHaveReachedServer == true, "\(name)")
            #expect(mock.sends == before + 1, "\(name)")
        }
    }

    // MARK: The whole call

    /// The layers that send more than once in a call.
    private enum Layer: CaseIterable, Sendable {
        case policy, verdict, pipeline, redirect, challenge, refresh, failedRefresh, validator
        case breaker
    }

    @Test(arguments: Layer.allCases)
    private func `an error speaks for all exchanges of its call`(layer: Layer) async throws {
        let origin = try HTTPOrigin("https://h")
        let count = Locked(0)
        let mock = MockSession { request in
            guard request.url.path != "/login" else { return HTTPResponse(.ok, to: request) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else {
                throw HTTPError(.cannotConnect, "refused", phase: .connecting, isRetryable: true)
            }
            switch layer {
            case .policy, .verdict, .pipeline, .breaker:
                throw HTTPError(.connectionLost, "lost", phase: .waiting, isRetryable: true)
            case .redirect:
                return HTTPResponse(.temporaryRedirect, headers: ["Location": "/b"], to: request)
            case .challenge, .refresh, .failedRefresh, .validator:
                return HTTPResponse(
                    .unauthorized, headers: ["WWW-Authenticate": "Basic realm=r"], to: request)
            }
        }
        let login = try HTTPRequest(.get, "https://h/login")
        let client = HTTPClient(transport: mock) {
            $0.clock = BriskClock()
            switch layer {
            case .policy: $0.retry = .standard
            case .breaker:
                $0.retry = .standard
                $0.circuitBreaker = CircuitBreaker(minimum: 1, jitter: 0)
            case .verdict, .pipeline, .redirect: break
            case .challenge:
                $0.authentication = [
                    ChallengeAuthentication(
                        PasswordCredentials(user: "u", password: "p", for: origin))
                ]
            case .refresh:
                $0.authentication = [
                    RefreshingAuthentication(for: origin, credential: try? .bearer("old")) { _, _ in
                        try .bearer("new")
                    }
                ]
            case .failedRefresh:
                $0.authentication = [
                    RefreshingAuthentication(for: origin, credential: try? .bearer("old")) { _, _ in
                        throw HTTPError(.cannotConnect, "elsewhere", phase: .connecting)
                    }
                ]
            case .validator:
                $0.validators = [HTTPAltRequestValidator(onProvideAltRequest: { _, _ in login })]
            }
        }
        var request = try HTTPRequest(.put, "https://h/a")
        if layer == .verdict { request.maxRetries = 2 }
        let order = request
        let error = await #expect(throws: HTTPError.self) {
            if layer == .pipeline {
                _ = try await client.pipeline(for: order).retry(2).value()
            } else {
                _ = try await client.response(for: order)
            }
        }
        #expect(
            error?.code
                == (layer == .failedRefresh
                    ? .refreshFailed : layer == .breaker ? .circuitOpen : .cannotConnect))
        #expect(error?.mayHaveReachedServer == true)
    }

    @Test func `a call of which nothing has reached a server says so, however often it was sent`()
        async throws
    {
        let mock = MockSession { _ in
            throw HTTPError(.cannotConnect, "refused", phase: .connecting, isRetryable: true)
        }
        let client = HTTPClient(transport: mock) {
            $0.clock = BriskClock()
            $0.retry = .standard
        }
        let error = await #expect(throws: HTTPError.self) {
            try await client.post("https://h/").response()
        }
        #expect(mock.sends == 3 && error?.mayHaveReachedServer == false)
        #expect(error?.isRetryable == true && error?.code == .cannotConnect)
    }

    // MARK: When retries run out

    private static let retried: [(HTTPStatus, wait: Duration?)] = [
        (.requestTimeout, nil), (.tooEarly, nil), (.tooManyRequests, .seconds(7)),
        (.internalServerError, nil), (.badGateway, nil), (.serviceUnavailable, .seconds(7)),
        (.gatewayTimeout, nil),
    ]

    @Test(arguments: retried)
    func `the error of a status is the same with and without retries`(
        status: HTTPStatus, wait: Duration?
    ) async throws {
        let mock = MockSession { request in
            let headers: HTTPHeaders = wait == nil ? [:] : [.retryAfter: "7"]
            return HTTPResponse(status, headers: headers, body: HTTPBody("why"), to: request)
        }
        let clock = BriskClock()
        var errors: [HTTPError] = []
        for retry in [RetryPolicy.none, .standard] {
            for retries in [nil, 0, 1] as [Int?] {
                let client = HTTPClient(transport: mock, retry: retry) { $0.clock = clock }
                let error = await #expect(throws: HTTPError.self) {
                    var request = try HTTPRequest(.get, "https://h/")
                    request.maxRetries = retries
                    _ = try await client.response(for: request)
                }
                if let error { errors.append(error) }
            }
        }
        #expect(errors.count == 6)
        for error in errors {
            #expect(error.code == .unexpectedStatus && error.innermostCode == error.code)
            #expect(error.status == status && error.isRetryable && error.mayHaveReachedServer)
            #expect(error.retryAfter == wait)
            #expect(error.bodyPrefix == Data("why".utf8) && error.underlyingError == nil)
            let sentence = "Unexpected status code: \(status.code)"
            #expect(error.message.components(of: sentence) == 1, "\(error)")
        }
    }

    @Test(arguments: [HTTPStatus.badRequest, .notFound, .conflict, .notImplemented])
    func `a status that stays as it is, is not retryable`(status: HTTPStatus) async throws {
        let mock = MockSession { HTTPResponse(status, to: $0) }
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPClient(transport: mock).get("https://h/").response()
        }
        #expect(error?.code == .unexpectedStatus && error?.isRetryable == false)
    }
}

extension MockSession {
    /// The number of requests, without those of logins.
    fileprivate var sends: Int { requests.count { $0.url.path != "/login" } }
}

extension String {
    /// Returns how often `part` occurs.
    fileprivate func components(of part: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
