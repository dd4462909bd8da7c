public import HTTPCore

/// A limit on how many exchanges run at once, for each origin and in total; others wait in a
/// bounded queue.
///
/// An exchange runs until its response's body has ended: an unread body holds its permit until it
/// is discarded or dropped. Copies share their permits.
///
/// Runs once per exchange (row 10): a call that waits between two attempts holds no permit.
public struct ConcurrencyLimit: HTTPClientMiddleware {
    private let permits: Permits
    private let timeout: Duration

    /// - Parameters:
    ///   - perOrigin: The number of exchanges at a time to each origin.
    ///   - total: The number of exchanges at a time in all.
    ///   - queue: how many requests may wait; one more fails with `queueFull`.
    ///   - timeout: how long a request may wait; then it fails with `queueTimedOut`.
    public init(
        perOrigin: Int = 32, total: Int = 256, queue: Int = 10_000, timeout: Duration = .seconds(60)
    ) {
        permits = Permits(PermitRegistry(perOrigin: perOrigin, total: total, queueLimit: queue))
        self.timeout = timeout
    }

    /// Creates a limit for each origin that follows what the server can take.
    ///
    /// - Parameters:
    ///   - adaptive: The settings of the limit of each origin.
    ///   - total: The number of exchanges at a time in all.
    ///   - queue: how many requests may wait; one more fails with `queueFull`.
    ///   - timeout: how long a request may wait; then it fails with `queueTimedOut`. Under
    ///     overload, requests wait so long: leave enough of a deadline for the response.
    public init(
        adaptive: AdaptiveLimit, total: Int = 1024, queue: Int = 10_000,
        timeout: Duration = .seconds(10)
    ) {
        let registry = PermitRegistry(
            perOrigin: adaptive.initial, total: total, queueLimit: queue)
        permits = Permits(registry, adaptive)
        self.timeout = timeout
    }

    /// The number of exchanges that run now.
    public var running: Int { permits.runningCount }
    /// The number of requests that wait now.
    public var waiting: Int { permits.waitingCount }
    /// Returns the number of exchanges at a time that an origin has now.
    public func limit(for origin: HTTPOrigin) -> Int { permits.limit(for: origin) }

    /// - Throws: `queueFull`, `queueTimedOut`, `timedOut` at the call's deadline, or
    ///   `sessionClosed`, each before anything is sent; `CancellationError` as soon as the waiting
    ///   task is cancelled.
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        let origin = try request.origin()
        try await permits.acquire(for: request, to: origin, timeout: timeout, over: next)
        if permits.isAdaptive {
            let clock = request.currentCall.clock
            let start = ExchangeStart(at: clock.now)
            request.exchangeStart = start
            return try await response(to: request, origin, start, clock, next)
        }
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

extension ConcurrencyLimit {
    /// Sends a request that has a permit, and takes note of how long its response takes.
    private func response(
        to request: HTTPRequest, _ origin: HTTPOrigin, _ start: ExchangeStart,
        _ clock: any HTTPClock, _ next: any HTTPSession
    ) async throws -> HTTPResponse {
        let begun = clock.now
        do {
            let response = try await next.response(for: request)
            let now = clock.now
            let isRefused = [.tooManyRequests, .serviceUnavailable].contains(response.status)
            permits.note(
                isRefused ? .overload : .latency(start.elapsed(at: now).inSeconds), begun, origin,
                at: now)
            response.body.whenEnded { [permits] _ in permits.release(origin) }
            return response
        } catch {
            permits.note(error.isOverload ? .overload : .none, begun, origin, at: clock.now)
            permits.release(origin)
            throw error
        }
    }
}

extension Error {
    /// `true` if the server, or the way to it, is too slow or does not accept connections.
    fileprivate var isOverload: Bool {
        guard let error = self as? HTTPError else { return false }
        return error.code == .cannotConnect
            || error.code == .timedOut && (!error.reachedNoServer || error.endedOnTheWay)
    }
}

/// The permits in use and the tasks that wait for one; ``PermitRegistry`` decides which is next.
private final class Permits: Sendable {
    private struct TimedOut: Error {}

    fileprivate struct State {
        var registry: PermitRegistry
        var waiters: [UInt64: Waiter<Void>] = [:]
        var lastID: UInt64 = 0
        var machines: [HTTPOrigin: AdaptiveMachine] = [:]
        /// The number of origins above which those without exchanges are forgotten.
        var machineLimit = 256
    }

    private let adaptive: AdaptiveLimit?
    private let state: Locked<State>

    init(_ registry: PermitRegistry, _ adaptive: AdaptiveLimit? = nil) {
        self.adaptive = adaptive
        state = Locked(State(registry: registry))
    }

    var isAdaptive: Bool { adaptive != nil }

    func limit(for origin: HTTPOrigin) -> Int {
        state.withLock { $0.machines[origin]?.limit ?? $0.registry.perOrigin }
    }

    /// Takes note of the head or the failure of an exchange that has a permit.
    func note(
        _ sample: AdaptiveMachine.Sample, _ start: HTTPInstant, _ origin: HTTPOrigin,
        at now: HTTPInstant
    ) {
        guard let adaptive else { return }
        let waiters = state.withLock { state -> [Waiter<Void>] in
            if state.machines[origin] == nil { state.prune() }
            let running = state.registry.runningCount(of: origin)
            let old = state.machines[origin]?.limit ?? adaptive.initial
            state.machines[origin, default: AdaptiveMachine(adaptive)]
                .add(sample, from: start, running: running, at: now)
            guard let new = state.machines[origin]?.limit, new != old else { return [] }
            let started = state.registry.setLimit(new, of: origin)
            return started.compactMap { state.waiters.removeValue(forKey: $0) }
        }
        waiters.resumeAll()
    }

    var runningCount: Int { state.withLock { $0.registry.runningCount } }
    var waitingCount: Int { state.withLock { $0.registry.waitingCount } }

    /// Returns once there is a permit for `request`.
    func acquire(
        for request: HTTPRequest, to origin: HTTPOrigin, timeout: Duration,
        over next: any HTTPSession
    ) async throws {
        let waiter = Waiter<Void>()
        let (id, verdict) = state.withLock { state in
            state.lastID += 1
            let verdict = state.registry.request(state.lastID, origin, request.priority)
            if verdict == .queued { state.waiters[state.lastID] = waiter }
            return (state.lastID, verdict)
        }
        switch verdict {
        case .granted: return
        case .refused(let length):
            throw HTTPError(
                .queueFull,
                "\(length) requests wait already, which is the limit: send fewer at once",
                phase: .queued
            ).ending(request)
        case .queued: break
        }
        let call = request.currentCall
        let clock = call.clock
        let timeOver = clock.now + timeout
        let end = min(timeOver, request.deadline ?? timeOver)
        let closing = call.closing(over: next)
        let place = closing?.whenClosed { [weak self] in
            self?.withdraw(id, throwing: Closing.error)
        }
        defer { closing?.forget(place) }
        do {
            try await waiter.value(until: end, on: clock) { _, end in
                self.withdraw(id, throwing: end == .passed ? TimedOut() : CancellationError())
            }
        } catch is TimedOut {
            if end < timeOver { throw call.deadlineError(phase: .queued).ending(request) }
            throw timedOut(after: timeout).ending(request)
        }
    }

    private func timedOut(after timeout: Duration) -> HTTPError {
        let registry = state.withLock { $0.registry }
        return HTTPError(
            .queueTimedOut,
            "no permit within \(timeout.readable): \(registry.runningCount) exchanges run, at most "
                + "\(registry.perOrigin) to one origin and \(registry.total) in total; "
                + "\(registry.waitingCount) more requests wait",
            phase: .queued, isRetryable: true)
    }

    /// Ends a wait, unless a permit came first.
    private func withdraw(_ id: UInt64, throwing error: any Error) {
        let waiter = state.withLock { state in
            state.registry.withdraw(id) ? state.waiters.removeValue(forKey: id) : nil
        }
        waiter?.resume(with: .failure(error))
    }

    func release(_ origin: HTTPOrigin) {
        let waiter = state.withLock { state in
            state.registry.release(origin).flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume()
    }
}

extension Permits.State {
    /// Forgets origins without exchanges, if there are too many.
    fileprivate mutating func prune() {
        guard machines.count >= machineLimit else { return }
        for origin in machines.keys where registry.runningCount(of: origin) == 0 {
            machines[origin] = nil
            _ = registry.setLimit(nil, of: origin)
        }
        machineLimit = max(256, machines.count * 2)
    }
}
