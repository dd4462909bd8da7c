import HTTPCore
import HTTPTesting
import Testing
@testable import HTTPRetry
import PortableFoundation

/// The rule about requests that are sent twice: every layer that asks for retries, every way in
/// which an attempt ends, every permission.
@Suite(.timeLimit(.minutes(5))) struct IdempotencyTests {
    /// The ends of an attempt that may have reached the server, those that the server says it has
    /// not processed, and those that have reached no server.
    enum End: String, CaseIterable, Sendable {
        case lost, cut, slow, foreign
        case failed, unavailable
        case early, busy, paused
        case refused, unresolved, connectLimit, tlsLimit, handshake, proxy

        /// `true` if the request needs no permission.
        var isUnprocessed: Bool {
            switch self {
            case .lost, .cut, .slow, .foreign, .failed, .unavailable: false
            default: true
            }
        }

        /// `true` if the server has answered.
        var isAnswer: Bool {
            switch self {
            case .failed, .unavailable, .early, .busy, .paused: true
            default: false
            }
        }

        private struct Foreign: Error {}

        func outcome(_ request: HTTPRequest) throws -> HTTPResponse {
            func error(
                _ code: HTTPError.Code, _ phase: HTTPError.Phase,
                _ limit: HTTPError.Timer.Name? = nil
            ) -> HTTPError {
                HTTPError(
                    code, rawValue, phase: phase,
                    timer: limit.map { HTTPError.Timer($0, .seconds(1)) }, isRetryable: true)
            }
            switch self {
            case .lost: throw error(.connectionLost, .waiting)
            case .cut: throw error(.bodyIncomplete, .receiving)
            case .slow: throw error(.timedOut, .waiting, .idle)
            case .foreign: throw Foreign()
            case .failed: return HTTPResponse(.internalServerError, to: request)
            case .unavailable: return HTTPResponse(.serviceUnavailable, to: request)
            case .early: return HTTPResponse(.tooEarly, to: request)
            case .busy: return HTTPResponse(.tooManyRequests, to: request)
            case .paused:
                return HTTPResponse(
                    .serviceUnavailable, headers: [.retryAfter: "1"], to: request)
            case .refused: throw error(.cannotConnect, .connecting)
            case .unresolved: throw error(.nameNotResolved, .resolving)
            case .connectLimit: throw error(.timedOut, .connecting, .connect)
            case .tlsLimit: throw error(.timedOut, .securing, .tls)
            case .handshake: throw error(.tlsFailed, .securing)
            case .proxy: throw error(.proxyFailed, .connecting)
            }
        }
    }

    /// The layers that ask for retries.
    enum Asker: CaseIterable, Sendable {
        /// A policy with its lists.
        case policy
        /// A closure of a policy.
        case closure
        /// A verdict of a validator.
        case verdict

        var layer: any HTTPClientMiddleware {
            var policy = RetryPolicy.standard
            policy.backoff = .constant(.zero)
            return switch self {
            case .policy: Retry(policy)
            case .closure: Retry(.deciding(maxRetries: 2, delay: .zero) { _ in .retry })
            case .verdict: Asking(.immediate)
            }
        }

        /// Returns whether the layer asks for a retry at all.
        func asks(after end: End) -> Bool { self != .policy || end != .foreign }

        /// Returns whether the layer's decision is itself a permission.
        func mayRepeat(after end: End) -> Bool { self != .policy && end.isAnswer }
    }

    /// The permissions to repeat what may have reached the server.
    enum Permission: CaseIterable, Sendable {
        case none, method, key, word

        func give(_ request: inout HTTPRequest) {
            switch self {
            case .none: break
            case .method: request.method = .put
            case .key: request = request.idempotencyKey()
            case .word: request = request.repeatable()
            }
        }
    }

    /// A layer that throws an error for an error status, as a client below does.
    private struct Throwing: HTTPClientMiddleware {
        func intercept(
            _ request: HTTPRequest, next: any HTTPSession
        ) async throws -> HTTPResponse {
            let response = try await next.response(for: request)
            guard response.status.isError else { return response }
            throw HTTPError(.unmet, "refused", response: response.head)
        }
    }

    @Test(arguments: Asker.allCases, End.allCases)
    func `a number of retries is no permission to repeat what may have reached the server`(
        asker: Asker, end: End
    ) async throws {
        for permission in Permission.allCases {
            for isThrown in [false, true] {
                // A closure is not asked about a response.
                if asker == .closure, end.isAnswer, !isThrown { continue }
                let clock = HTTPTestClock()
                let mock = MockSession { try end.outcome($0) }
                let layers: [any HTTPClientMiddleware] =
                    isThrown ? [asker.layer, Throwing()] : [asker.layer]
                let request = try HTTPRequest.test(.post, clock: clock) {
                    $0.maxRetries = 2
                    permission.give(&$0)
                }
                let result = await onTime(clock) {
                    try await mock.with(layers).response(for: request)
                }
                let isPermitted =
                    permission != .none || end.isUnprocessed || asker.mayRepeat(after: end)
                let isSentAgain = isPermitted && asker.asks(after: end)
                #expect(
                    mock.hits == (isSentAgain ? 3 : 1),
                    "\(permission) \(isThrown ? "thrown" : "")")
                guard case .failure(let error as HTTPError) = result else { continue }
                #expect(error.message.contains("repeatable()") == !isSentAgain, "\(error)")
                #expect(error.message.hasPrefix("after 3 attempts: ") == isSentAgain, "\(error)")
                #expect(error.mayHaveReachedServer == (end.isAnswer || !end.isUnprocessed))
            }
        }
    }

    private func onTime(
        _ clock: HTTPTestClock, _ body: @escaping @Sendable () async throws -> HTTPResponse
    ) async -> HTTPOutcome {
        do {
            return .success(try await onVirtualTime(clock, body))
        } catch {
            return .failure(error)
        }
    }

    @Test func `a closure can give the permission with the request that it returns`() async throws {
        let mock = MockSession.answering(
            { _ in throw HTTPError.lost }, { HTTPResponse(.ok, to: $0) })
        let session = mock.with(
            Retry(.deciding(delay: .zero) { .retryWithRequest($0.request.repeatable()) }))
        let response = try await session.response(for: HTTPRequest(.post, "https://h/"))
        #expect(response.status == .ok && mock.hits == 2)
    }

    @Test func `what a policy lists as a method is its caller's word`() async throws {
        let mock = MockSession.answering(
            { _ in throw HTTPError.lost }, { HTTPResponse(.ok, to: $0) })
        var policy = RetryPolicy.standard
        policy.backoff = .constant(.zero)
        policy.methods.insert(.post)
        let session = mock.with(Retry(policy))
        let response = try await session.response(for: HTTPRequest(.post, "https://h/"))
        #expect(response.status == .ok && mock.hits == 2)
    }

    @Test func `repeatable is chainable, off by default, and leaves the original alone`() throws {
        let request = try HTTPRequest(.post, "https://h/")
        let copy = request.repeatable()
        #expect(copy.isRepeatable && !request.isRepeatable)
        var again = copy
        again.isRepeatable = false
        #expect(!again.isRepeatable)
    }

    // MARK: The whole call

    @Test func `an error speaks for all attempts of its call`() async throws {
        for (first, hasReached) in [(HTTPError.lost, true), (.refused, false)] {
            let layers: [any HTTPClientMiddleware] = [
                Asker.policy.layer, Asker.closure.layer, Asker.verdict.layer,
            ]
            for layer in layers {
                let mock = MockSession.answering(
                    { _ in throw first }, { _ in throw HTTPError.refused })
                let request = try HTTPRequest.test(.put, clock: HTTPTestClock()) {
                    $0.maxRetries = 2
                }
                let error = await #expect(throws: HTTPError.self) {
                    try await mock.with(layer).response(for: request)
                }
                #expect(error?.code == .cannotConnect && mock.hits == 3)
                #expect(error?.mayHaveReachedServer == hasReached)
                #expect(error?.message == "after 3 attempts: refused")
            }
        }
    }

    /// A limit whose second wait reaches the deadline of the call.
    private final class Queue: HTTPClientMiddleware {
        private let count = Locked(0)

        private final class Sent: HTTPTimelineRecord {
            let exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .zero))
        }

        func intercept(
            _ request: HTTPRequest, next: any HTTPSession
        ) async throws -> HTTPResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2, let call = request.call { throw call.deadlineError(phase: .queued) }
            _ = request.call?.beginSend(Sent())
            return try await next.response(for: request)
        }
    }

    @Test func `so it does if the work before a retry fails, or the deadline passes meanwhile`()
        async throws
    {
        struct Broken: Error {}
        for (end, hasReached) in [(HTTPError.lost, true), (.refused, false)] {
            let clock = HTTPTestClock()
            let mock = MockSession { _ in throw end }
            let failing = HTTPRetryStrategy.after(
                try HTTPRequest(.get, "https://origin.test/login")
            ) { _, _ in throw Broken() }
            let request = try HTTPRequest.test(.put, clock: clock) { $0.maxRetries = 2 }
            let error = await #expect(throws: HTTPError.self) {
                try await mock.with(Asking(failing)).response(for: request)
            }
            #expect(error?.code == .retryFailed && error?.mayHaveReachedServer == hasReached)

            let slow = HTTPRetryStrategy.afterTask { _ in clock.advance(by: .seconds(9)) }
            let limited = try HTTPRequest.test(.put, clock: clock) {
                $0.maxRetries = 2
                $0.deadline = clock.now + .seconds(5)
            }
            let late = await #expect(throws: HTTPError.self) {
                try await mock.with(Asking(slow)).response(for: limited)
            }
            #expect(late?.timer?.name == .deadline && late?.mayHaveReachedServer == hasReached)

            // A layer below that waits, such as a limit, ends at the deadline in attempt 2.
            let waiting = try HTTPRequest.test(.put, clock: clock) {
                $0.maxRetries = 2
                $0.deadline = clock.now + .seconds(5)
            }
            let queued = await #expect(throws: HTTPError.self) {
                try await mock.with(
                    Asking { _, attempt in attempt.index == 0 ? .immediate : nil }, Queue()
                ).response(for: waiting)
            }
            #expect(queued?.phase == .queued && queued?.mayHaveReachedServer == hasReached)
        }
    }
}
