import HTTPCore

/// Sends a safe request a second time when its answer is slow; the first answer wins, the other
/// attempt is cancelled and its response discarded.
///
/// The second send counts against the call's retries and the origin's budget, like any other, and is
/// left out where they are spent or the body is one-shot. A failure or a status that the policy would
/// retry is no answer while the other attempt is still under way.
public struct Hedging: Sendable {
    private enum Delay: Sendable {
        case fixed(Duration)
        case observed(LatencyBook, initial: Duration)
    }

    private let delay: Delay

    /// Hedges what has not been answered after `delay`.
    public static func after(_ delay: Duration) -> Self { Self(delay: .fixed(max(.zero, delay))) }

    /// Hedges what takes longer than 95 of 100 answers of its origin did lately.
    ///
    /// - Parameter initial: the delay until there have been 20 answers.
    public static func afterObservedP95(initial: Duration) -> Self {
        Self(delay: .observed(LatencyBook(), initial: max(.zero, initial)))
    }

    func delay(for origin: HTTPOrigin) -> Duration {
        switch delay {
        case .fixed(let delay): delay
        case .observed(let book, let initial): book.p95(of: origin) ?? initial
        }
    }

    func observe(_ latency: Duration, of origin: HTTPOrigin) {
        if case .observed(let book, _) = delay { book.add(latency, to: origin) }
    }
}

/// How long the last answers of each origin took.
final class LatencyBook: Sendable {
    /// The last 64, in no order.
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

        /// The least value that at least 95 % do not exceed; `nil` while there are too few.
        var p95: Duration? {
            guard latencies.count >= Self.least else { return nil }
            return latencies.sorted()[(latencies.count * 95 + 99) / 100 - 1]
        }
    }

    private static let originLimit = 1024
    private let samples = Locked([HTTPOrigin: Sample]())

    func add(_ latency: Duration, to origin: HTTPOrigin) {
        samples.withLock { samples in
            // A crawler of many origins would learn nothing of any.
            if samples[origin] == nil, samples.count >= Self.originLimit { samples = [:] }
            samples[origin, default: Sample()].add(latency)
        }
    }

    func p95(of origin: HTTPOrigin) -> Duration? { samples.withLock { $0[origin]?.p95 } }
}

/// One attempt of ``Retry`` that may send twice at the same time.
struct HedgedSession: HTTPSession {
    let next: any HTTPSession
    let hedging: Hedging
    let engine: RetryEngine
    let policy: RetryPolicy

    private enum Finish: Sendable {
        case answered(HTTPOutcome)
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

    /// The first answer, or the last failure when there is none. Leaves nobody's response behind.
    private func first(
        of group: inout TaskGroup<Finish>, hedging request: HTTPRequest, _ origin: HTTPOrigin,
        after delay: Duration
    ) async -> HTTPOutcome {
        var underWay = 1
        var result: HTTPOutcome?
        var isDecided = false
        while let finish = await group.next() {
            switch finish {
            case .stopped: break
            case .slow:
                guard !isDecided, engine.hedge(request, after: delay) else { break }
                underWay += 1
                group.addTask { await send(request, origin) }
            case .answered(let outcome) where isDecided:
                if case .success(let response) = outcome { await response.discard() }
            case .answered(let outcome):
                underWay -= 1
                isDecided = underWay == 0 || policy.accepts(outcome)
                if isDecided {
                    result = outcome
                    group.cancelAll()
                } else if case .success(let response) = outcome {
                    // The other attempt may be waiting for its connection.
                    await response.discard()
                }
            }
        }
        return result ?? .failure(CancellationError())
    }

    private func send(_ request: HTTPRequest, _ origin: HTTPOrigin) async -> Finish {
        let clock = engine.call.clock
        let start = clock.now
        do {
            let response = try await next.wholeResponse(for: request)
            hedging.observe(clock.now - start, of: origin)
            return .answered(.success(response))
        } catch {
            return .answered(.failure(error))
        }
    }
}
