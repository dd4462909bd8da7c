public import HTTPCore

/// Lets so many exchanges run at once, for each origin and in total; others wait in a bounded queue.
///
/// An exchange runs until its response's body has ended: a body that nobody reads holds its permit
/// until it is discarded or dropped. Copies share their permits.
///
/// Runs per exchange (row 10): what waits between two attempts holds no permit.
public struct ConcurrencyLimit: HTTPClientMiddleware {
    private let permits: Permits
    private let timeout: Duration

    /// - Parameters:
    ///   - queue: how many may wait; one more fails with `queueFull`.
    ///   - timeout: how long one may wait; then it fails with `queueTimedOut`.
    public init(
        perOrigin: Int = 32, total: Int = 256, queue: Int = 10_000, timeout: Duration = .seconds(60)
    ) {
        permits = Permits(PermitRegistry(perOrigin: perOrigin, total: total, queueLimit: queue))
        self.timeout = timeout
    }

    /// Exchanges that run now.
    public var running: Int { permits.runningCount }
    /// Requests that wait now.
    public var waiting: Int { permits.waitingCount }

    /// - Throws: `queueFull`, `queueTimedOut`, or `timedOut` at the call's deadline, all of them before
    ///   anything is sent; `CancellationError` as soon as the waiting task is cancelled.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        let request = try request.beginningCall()
        let origin = try request.origin()
        try await permits.acquire(for: request, to: origin, timeout: timeout)
        do {
            let response = try await next.response(for: request)
            response.body.whenEnded { [permits] _ in permits.release(origin) }
            return response
        } catch {
            permits.release(origin)
            throw error
        }
    }
}

/// Wakes whom the book says.
private final class Permits: Sendable {
    private enum Answer: Sendable {
        case granted, cancelled, timedOut
    }

    private enum Wait {
        /// In the book, and about to wait.
        case boarding
        case waiting(CheckedContinuation<Answer, Never>)
        /// Ended before it began.
        case settled(Answer)
    }

    private struct State {
        var book: PermitRegistry
        var waits: [UInt64: Wait] = [:]
        var lastID: UInt64 = 0

        /// - Returns: whom to wake, outside the lock.
        mutating func settle(_ id: UInt64, _ answer: Answer) -> CheckedContinuation<Answer, Never>?
        {
            switch waits[id] {
            case .boarding: waits[id] = .settled(answer)
            case .waiting(let continuation):
                waits[id] = nil
                return continuation
            case .settled, nil: break
            }
            return nil
        }
    }

    private let state: Locked<State>

    init(_ book: PermitRegistry) { state = Locked(State(book: book)) }

    var runningCount: Int { state.withLock { $0.book.runningCount } }
    var waitingCount: Int { state.withLock { $0.book.waitingCount } }

    func acquire(
        for request: HTTPRequest, to origin: HTTPOrigin, timeout: Duration
    ) async throws {
        let (id, verdict) = state.withLock { state in
            state.lastID += 1
            let verdict = state.book.request(state.lastID, origin, request.priority)
            if verdict == .queued { state.waits[state.lastID] = .boarding }
            return (state.lastID, verdict)
        }
        switch verdict {
        case .granted: return
        case .refused(let length):
            throw HTTPError(
                .queueFull,
                "\(length) requests wait already, which is the limit: send fewer at once",
                phase: .queued
            ).ending(request.url)
        case .queued: break
        }
        let clock = request.call?.clock ?? .system
        let timeOver = clock.now + timeout
        let end = min(timeOver, request.deadline ?? timeOver)
        let timer = Task { [weak self] in
            try await clock.sleep(until: end)
            self?.withdraw(id, .timedOut)
        }
        defer { timer.cancel() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(id, $0) }
        } onCancel: {
            withdraw(id, .cancelled)
        }
        switch answer {
        case .granted: return
        case .cancelled: throw CancellationError()
        case .timedOut:
            if end < timeOver, let call = request.call {
                throw call.deadlineError(phase: .queued).ending(request.url)
            }
            throw timedOut(after: timeout).ending(request.url)
        }
    }

    private func timedOut(after timeout: Duration) -> HTTPError {
        let book = state.withLock { $0.book }
        return HTTPError(
            .queueTimedOut,
            "no permit within \(timeout): \(book.runningCount) exchanges run, at most \(book.perOrigin) to one "
                + "origin and \(book.total) in total; \(book.waitingCount) more requests wait",
            phase: .queued, isRetryable: true)
    }

    private func wait(_ id: UInt64, _ continuation: CheckedContinuation<Answer, Never>) {
        let answer: Answer? = state.withLock { state in
            if case .settled(let answer) = state.waits[id] {
                state.waits[id] = nil
                return answer
            }
            state.waits[id] = .waiting(continuation)
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    /// Ends a wait, unless a permit came first.
    private func withdraw(_ id: UInt64, _ answer: Answer) {
        state.withLock { $0.book.withdraw(id) ? $0.settle(id, answer) : nil }?
            .resume(returning: answer)
    }

    func release(_ origin: HTTPOrigin) {
        state.withLock { state in
            state.book.release(origin).flatMap { state.settle($0, .granted) }
        }?.resume(returning: .granted)
    }
}
