import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

/// Every wait of a call ends with its client and with its deadline, on the call's clock.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientWaitsTests {
    private let clock = HTTPTestClock()
    private let folder: DownloadFolder

    init() throws { folder = try DownloadFolder() }

    /// The waits, each of an hour or more unless the deadline or the client ends it.
    enum Wait: CaseIterable, Sendable {
        case retry, retryAfter, verdict, outerRetry, pipelineRetry
        case redirect, rate, sharedRate, pause, permit, adaptivePermit, lease
        case download, rangedDownload, downloadTask, downloadPipeline
        case pages, events, eventsAgain
    }

    private let hour = Duration.seconds(3600)
    private var lost: HTTPError { HTTPError(.connectionLost, "lost", isRetryable: true) }

    private var hourly: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.backoff = .constant(hour)
        policy.retryAfterLimit = .seconds(86_400)
        return policy
    }

    private func client(
        _ transport: any HTTPSession, _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) -> HTTPClient {
        HTTPClient(transport: transport) {
            $0.clock = clock
            change(&$0)
        }
    }

    /// A file of 100 bytes, of which each response brings one.
    private static func file(_ request: HTTPRequest) -> HTTPResponse {
        let pieces = AsyncThrowingStream<Data, any Error> { pieces in
            pieces.yield(Data([1]))
            pieces.finish(
                throwing: HTTPError(.bodyIncomplete, "cut", phase: .receiving, isRetryable: true))
        }
        var headers: HTTPHeaders = [.eTag: #""v1""#, .acceptRanges: "bytes"]
        guard let range = request.headers.range?.parts.first?.resolved(inLength: 100) else {
            return HTTPResponse(
                .ok, headers: headers, body: HTTPBody(pieces, length: 100), to: request)
        }
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/100"
        return HTTPResponse(
            .partialContent, headers: headers,
            body: HTTPBody(pieces, length: Int64(range.count)), to: request)
    }

    private struct Repeating: HTTPValidator {
        let hour: Duration
        func verdict(
            on outcome: HTTPOutcome, of attempt: RetryAttempt
        ) async throws -> HTTPVerdict {
            .retry(.delayed(hour))
        }
    }

    private struct ClosableMock: HTTPClosableSession, ClosingSession {
        let mock: MockSession
        let closing = Closing()
        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            try await mock.response(for: request)
        }
        func close(grace: Duration) async { closing.close() }
    }

    /// A store whose lease another process holds.
    private struct Occupied: HTTPCredentialStore {
        func credential(for key: String) async throws -> HTTPCredential? { nil }
        func lease(_ key: String, for duration: Duration) async throws -> String? { nil }
        func store(
            _ credential: HTTPCredential, for key: String, lease: String
        ) async throws -> Bool { false }
        func release(_ lease: String, of key: String) async throws {}
    }

    /// Returns the client that waits, and what it does until then and after it.
    private func work(
        _ wait: Wait
    ) throws -> (HTTPClient, @Sendable (HTTPRequest) async throws -> Void) {
        let failing = MockSession { [lost] _ in throw lost }
        let answering = MockSession { HTTPResponse(.ok, to: $0) }
        let partial = MockSession { Self.file($0) }
        let path = folder.file()
        var options = HTTPDownloadOptions()
        options.backoff = .constant(hour)
        switch wait {
        case .retry:
            let client = client(failing) { $0.retry = hourly }
            return (client, { _ = try await client.response(for: $0) })
        case .retryAfter:
            let busy = MockSession {
                HTTPResponse(.serviceUnavailable, headers: ["Retry-After": "3600"], to: $0)
            }
            let client = client(busy) { $0.retry = hourly }
            return (client, { _ = try await client.response(for: $0) })
        case .verdict:
            let client = client(failing) { $0.validators = [Repeating(hour: hour)] }
            return (
                client,
                {
                    var request = $0
                    request.maxRetries = 3
                    _ = try await client.response(for: request)
                }
            )
        case .outerRetry:
            let client = client(failing) { $0.validators = [] }
            let session = client.with(Retry(hourly))
            return (client, { _ = try await session.response(for: $0) })
        case .pipelineRetry:
            let (client, hour) = (client(failing), hour)
            return (
                client,
                { _ = try await client.pipeline(for: $0).retry(3, delay: hour).value() }
            )
        case .redirect:
            let moving = MockSession {
                HTTPResponse(
                    .seeOther, headers: [.location: "/b", .retryAfter: "3600"], to: $0)
            }
            let client = client(moving) { $0.redirects.longestWait = .seconds(86_400) }
            return (client, { _ = try await client.response(for: $0) })
        case .rate, .sharedRate:
            var limit = RateLimit(
                .tokenBucket(1, per: hour, burst: 1), timeout: .seconds(86_400))
            if wait == .sharedRate {
                limit = RateLimit(
                    .tokenBucket(1, per: hour, burst: 1), timeout: .seconds(86_400),
                    sharing: RateLimit.Sharing(HTTPMemoryRateStore()))
            }
            let client = client(answering) { $0.rateLimits = [limit] }
            return (
                client,
                {
                    _ = try await client.response(for: HTTPRequest("https://h/"))
                    _ = try await client.response(for: $0)
                }
            )
        case .pause:
            let busy = MockSession {
                HTTPResponse(.serviceUnavailable, headers: ["Retry-After": "3600"], to: $0)
            }
            let client = client(busy) {
                $0.originPause = OriginPause(
                    limit: .seconds(86_400), timeout: .seconds(86_400), spread: 0)
            }
            return (
                client,
                {
                    _ = try? await client.response(for: HTTPRequest("https://h/"))
                    _ = try await client.response(for: $0)
                }
            )
        case .permit, .adaptivePermit:
            let limit =
                wait == .permit
                ? ConcurrencyLimit(perOrigin: 1, timeout: hour)
                : ConcurrencyLimit(
                    adaptive: AdaptiveLimit(initial: 1, bounds: 1...1), timeout: hour)
            let open = MockSession { request in
                let never = AsyncStream<Data> { _ in }
                return HTTPResponse(.ok, body: HTTPBody(never), to: request)
            }
            let client = client(open) { $0.concurrencyLimit = limit }
            return (
                client,
                {
                    let held = try await client.response(for: HTTPRequest("https://h/"))
                    defer { held.body.abandon() }
                    _ = try await client.response(for: $0)
                }
            )
        case .lease:
            let origin = try HTTPOrigin(HTTPRequest("https://h/").url)
            // A refresh serves several calls, and ends with its own limit.
            let client = client(ClosableMock(mock: answering)) {
                $0.authentication = [
                    RefreshingAuthentication(
                        for: origin, timeout: .seconds(86_400),
                        sharing: HTTPCredentialSharing(Occupied(), patience: .seconds(86_400)),
                        obtaining: { _, _ in try HTTPCredential.bearer("new") })
                ]
            }
            return (client, { _ = try await client.response(for: $0) })
        case .download, .rangedDownload:
            if wait == .rangedDownload {
                options.maxConcurrentRanges = 2
                options.shortestRange = 10
            }
            let (client, options) = (client(partial), options)
            return (client, { _ = try await client.download($0, to: path, options: options) })
        case .downloadTask:
            let (client, options) = (client(partial), options)
            return (
                client,
                { _ = try await client.downloadTask($0, to: path, options: options).run().value }
            )
        case .downloadPipeline:
            let (client, options) = (client(partial), options)
            return (
                client,
                {
                    _ = try await client.pipeline(for: $0, downloadingTo: path, options: options)
                        .value()
                }
            )
        case .pages:
            let client = client(failing) { $0.retry = hourly }
            return (client, { for try await _ in try client.pages(of: $0) {} })
        case .events, .eventsAgain:
            let stream = MockSession { [lost] in
                guard wait == .eventsAgain else { throw lost }
                return HTTPResponse(
                    .ok, headers: [.contentType: "text/event-stream"],
                    body: HTTPBody("data: a\n\n"), to: $0)
            }
            var options = HTTPEventSourceOptions()
            options.reconnectionTime = hour
            options.longestWait = .seconds(86_400)
            let (client, eventOptions) = (client(stream), options)
            return (
                client,
                { for try await _ in try client.events(from: $0, options: eventOptions) {} }
            )
        }
    }

    /// Returns how a task ends; `nil` if it does not.
    private func end(of task: Task<Void, any Error>) async -> Result<Void, any Error>? {
        let waiter = Waiter<Void>()
        let watching = Task { waiter.resume(with: await task.result) }
        let timer = Task {
            // A wait that is right never takes so long.
            try await Task.sleep(for: .seconds(60))
            waiter.resume(with: .failure(TooSoon(lost)))
            task.cancel()
        }
        let outcome = await waiter.outcome()
        timer.cancel()
        _ = await watching.value
        if case .failure(is TooSoon) = outcome { return nil }
        return outcome
    }

    // The wait for the lease of another process serves several calls. It ends with its own limit.
    @Test(arguments: Wait.allCases.filter { $0 != .lease })
    func `a wait ends with its client`(wait: Wait) async throws {
        let (client, send) = try work(wait)
        let task = Task { try await send(HTTPRequest("https://h/a")) }
        try await clock.waitForSleepers(1)
        await client.close()
        let end = try #require(await end(of: task), "it waits on after the close")
        let error = #expect(throws: HTTPError.self) { try end.get() }
        let reason = error?.code == .refreshFailed ? error?.underlyingError as? HTTPError : error
        #expect(reason?.code == .sessionClosed, "\(String(describing: error))")
        // A task that serves several calls ends by itself, a moment later.
        while clock.sleeperCount > 0 { await Task.yield() }
        #expect(clock.now.sinceStart == .zero)
    }

    @Test(arguments: Wait.allCases)
    func `a wait ends with the deadline of its request, on the clock of its client`(
        wait: Wait
    ) async throws {
        let (client, send) = try work(wait)
        let task = Task { try await send(HTTPRequest("https://h/a").deadline(in: .seconds(60))) }
        let time = Task { [clock] in
            try await clock.waitForSleepers(1)
            clock.advance(by: .seconds(60))
        }
        let end = try #require(await end(of: task), "it waits on after the deadline")
        time.cancel()
        let error = #expect(throws: HTTPError.self) { try end.get() }
        #expect(error?.code != .sessionClosed)
        #expect(clock.now.sinceStart <= .seconds(60))
        withExtendedLifetime(client) {}
    }
}
