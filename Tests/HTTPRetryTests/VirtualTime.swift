import HTTPCore
import HTTPRetry
import HTTPTesting
import PortableFoundation

/// Runs `body`, moving `clock` on to whatever is slept for next, until it has returned. For tests
/// in which nothing but waits between attempts sleeps.
func onVirtualTime<Result: Sendable>(
    _ clock: HTTPTestClock, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let time = Task {
        while true {
            try await clock.waitForSleepers(1)
            if let next = clock.nextDeadline { clock.advance(to: next) }
        }
    }
    defer { time.cancel() }
    return try await body()
}

/// Records the retry decisions, in order.
final class DecisionLog: HTTPObserver {
    private let kept = Locked([HTTPRetryEvent]())
    /// A gate that opens after the first decision.
    let hasDecided = Gate()

    var all: [HTTPRetryEvent] { kept.withLock { $0 } }
    var answers: [HTTPRetryEvent.Outcome] { all.map(\.outcome) }
    var refusals: [HTTPRetryEvent.Refusal] {
        all.compactMap { if case .refused(let refusal) = $0.outcome { refusal } else { nil } }
    }

    func observe(_ event: HTTPEvent) {
        guard case .layer(let decision as HTTPRetryEvent) = event.kind else { return }
        kept.withLock { $0.append(decision) }
        hasDecided.open()
    }
}

/// A list of entries in order, from any task.
final class Journal<Entry: Sendable>: Sendable {
    private let kept = Locked([Entry]())

    var entries: [Entry] { kept.withLock { $0 } }
    func add(_ entry: Entry) { kept.withLock { $0.append(entry) } }
}

extension HTTPRequest {
    static func test(
        _ method: HTTPMethod = .get, clock: any HTTPClock, observer: (any HTTPObserver)? = nil,
        _ change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(method, "https://origin.test/")
        change(&request)
        return try request.beginningCall(observer: observer, clock: clock)
    }
}

extension MockSession {
    /// Answers with the scripted outcomes in order, and then repeats the last one.
    static func answering(
        _ script: @Sendable (HTTPRequest) throws -> HTTPResponse...
    ) -> MockSession {
        let count = Locked(0)
        return MockSession { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return min(count, script.count - 1)
            }
            return try script[index](request)
        }
    }

    static func statuses(_ statuses: HTTPStatus...) -> MockSession {
        let count = Locked(0)
        return MockSession { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return min(count, statuses.count - 1)
            }
            return HTTPResponse(statuses[index], to: request)
        }
    }

    var hits: Int { requests.count }
}

extension HTTPError.Code {
    /// A response for which `Asking` wants another attempt, and gets none.
    static var unmet: Self { Self(rawValue: "unmet") }
}

extension HTTPError {
    static var refused: HTTPError { HTTPError(.cannotConnect, "refused", phase: .connecting) }
    static var lost: HTTPError {
        HTTPError(.connectionLost, "lost", phase: .waiting, mayHaveReachedServer: true)
    }
}

/// A body of one piece that breaks, or ends, after it.
final class OnePiece: HTTPBodySource {
    private let isRead = Locked(false)
    private let error: (any Error)?
    private let journal: Journal<String>?

    /// - Parameter journal: notes how the body was given up.
    init(breakingWith error: (any Error)? = nil, noting journal: Journal<String>? = nil) {
        self.error = error
        self.journal = journal
    }

    func next() async throws -> Data? {
        let isFirst = isRead.withLock { isRead in
            defer { isRead = true }
            return !isRead
        }
        if isFirst { return Data("piece".utf8) }
        if let error { throw error }
        return nil
    }

    func abandon() { journal?.add("abandoned") }
    func discard() async { journal?.add("discarded") }
}

/// A middleware that requests a retry whenever `strategy` returns one.
struct Asking: HTTPClientMiddleware {
    var allowance: RetryRequest.Allowance = .retries
    let strategy: @Sendable (HTTPOutcome, RetryAttempt) -> HTTPRetryStrategy?

    init(
        allowance: RetryRequest.Allowance = .retries,
        _ strategy: @escaping @Sendable (HTTPOutcome, RetryAttempt) -> HTTPRetryStrategy?
    ) {
        self.allowance = allowance
        self.strategy = strategy
    }

    /// Creates a middleware that requests a retry of every outcome except a 200.
    init(_ strategy: HTTPRetryStrategy, allowance: RetryRequest.Allowance = .retries) {
        self.init(allowance: allowance) { outcome, _ in
            if case .success(let response) = outcome, response.status == .ok { return nil }
            return strategy
        }
    }

    func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard !request.isAlternative else { return try await next.response(for: request) }
        var request = request
        try Task.checkCancellation()
        var engine = RetryEngine(request)
        do {
            while true {
                var outcome = try await next.attempt(request)
                engine.attemptEnded(&outcome)
                let attempt = engine.context(request, outcome)
                guard let strategy = strategy(outcome, attempt) else { return try outcome.get() }
                let retry = RetryRequest(verdict: strategy, for: attempt, allowance: allowance)
                switch try await engine.decide(retry, about: outcome, for: &request, over: next) {
                case .granted: continue
                case .refused:
                    throw HTTPError(.unmet, "unmet", response: try outcome.get().head)
                }
            }
        } catch {
            throw engine.concluded(error)
        }
    }
}
