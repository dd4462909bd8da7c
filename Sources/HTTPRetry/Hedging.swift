import HTTPCore

/// Sends a safe request a second time if its response is slow. The first response is used; the
/// other attempt is cancelled and its response discarded.
///
/// The second send counts against the call's retries and the origin's budget. It is left out if
/// they are used up or the body is one-shot. A failure, or a status that the policy would retry, is
/// not used while the other attempt is under way. If both fail, the error speaks for both.
public struct Hedging: Sendable {
    private enum Delay: Sendable {
        case fixed(Duration)
        case observed(LatencyRegistry, initial: Duration)
    }

    private let delay: Delay

    /// Hedges a request that has no response after `delay`.
    public static func after(_ delay: Duration) -> Self { Self(delay: .fixed(max(.zero, delay))) }

    /// Hedges a request that takes longer than 95 of 100 recent responses of its origin.
    ///
    /// - Parameter initial: The delay until there have been 20 responses.
    public static func afterObservedP95(initial: Duration) -> Self {
        Self(delay: .observed(LatencyRegistry(), initial: max(.zero, initial)))
    }

    func delay(for origin: HTTPOrigin) -> Duration {
        switch delay {
        case .fixed(let delay): delay
        case .observed(let latencies, let initial): latencies.p95(of: origin) ?? initial
        }
    }

    func observe(_ latency: Duration, of origin: HTTPOrigin) {
        if case .observed(let latencies, _) = delay { latencies.add(latency, to: origin) }
    }
}

/// The latencies of the last responses of each origin.
final class LatencyRegistry: Sendable {
    /// The last 64 latencies, in no order.
    struct Sample: Sendable {
        private static let size = 64
        private static let least = 20
        private var latencies: [Duration] = []
        private var next = 0

        mutating func add(_ latency: Duration) {
            if latencies.count < Self.size {
                latencies.append(latency)
            } else {
                latencies[next] = latency
                next = (next + 1) % Self.size
            }
        }

        /// The least value that at least 95 % do not exceed, or `nil` while there are too few.
        var p95: Duration? {
            guard latencies.count >= Self.least else { return nil }
            return latencies.sorted()[(latencies.count * 95 + 99) / 100 - 1]
        }
    }

    private static let originLimit = 1024
    private let samples = Locked([HTTPOrigin: Sample]())

    func add(_ latency: Duration, to origin: HTTPOrigin) {
        samples.withLock { samples in
            // A crawler of many origins learns nothing about any of them.
            if samples[origin] == nil, samples.count >= Self.originLimit { samples = [:] }
            samples[origin, default: Sample()].add(latency)
        }
    }

    func p95(of origin: HTTPOrigin) -> Duration? { samples.withLock { $0[origin]?.p95 } }
}

/// A session whose attempts may send twice at the same time.
struct HedgedSession: HTTPSession {
    let next: any HTTPSession
    let hedging: Hedging
    let engine: RetryEngine
    let policy: RetryPolicy

    private enum Finish: Sendable {
        case ended(HTTPOutcome)
        case slow
        case stopped
    }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method.isSafe, request.body.replay == .always,
            let origin = try? HTTPOrigin(request.url)
        else { return try await next.response(for: request) }
        let delay = hedging.delay(for: origin)
        let outcome = await withTaskGroup(of: Finish.self) { group in
            group.addTask { await send(request, origin) }
            group.addTask {
                do {
                    try await engine.call.clock.sleep(for: delay)
                    return .slow
                } catch {
                    return .stopped
                }
            }
            defer { group.cancelAll() }
            return await first(of: &group, hedging: request, origin, after: delay)
        }
        return try outcome.get()
    }

    /// Returns the first response to use, or the last failure. Discards all other responses.
    private func first(
        of group: inout TaskGroup<Finish>, hedging request: HTTPRequest, _ origin: HTTPOrigin,
        after delay: Duration
    ) async -> HTTPOutcome {
        var underWay = 1
        var result: HTTPOutcome?
        var isDecided = false
        var hasReachedServer = false
        while let finish = await group.next() {
            switch finish {
            case .stopped: break
            case .slow:
                guard !isDecided, engine.hedge(request, after: delay) else { break }
                underWay += 1
                group.addTask { await send(request, origin) }
            case .ended(let outcome) where isDecided:
                if case .success(let response) = outcome { await response.discard() }
            case .ended(let outcome):
                underWay -= 1
                isDecided = underWay == 0 || policy.accepts(outcome)
                if isDecided {
                    result = outcome.mapError {
                        ($0 as? HTTPError)?.havingReachedServer(hasReachedServer) ?? $0
                    }
                    group.cancelAll()
                } else if case .success(let response) = outcome {
                    // The other attempt may be waiting for its connection.
                    await response.discard()
                }
                if RetryAttempt.End(outcome).mayHaveReachedServer { hasReachedServer = true }
            }
        }
        return result ?? .failure(CancellationError())
    }

    private func send(_ request: HTTPRequest, _ origin: HTTPOrigin) async -> Finish {
        let clock = engine.call.clock
        let start = clock.now
        do {
            let outcome = try await next.attempt(request)
            if case .success = outcome { hedging.observe(clock.now - start, of: origin) }
            return .ended(outcome)
        } catch {
            return .ended(.failure(error))
        }
    }
}
