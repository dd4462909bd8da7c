// A bridge from HTTPClientKit to swift-metrics. This file can be copied into another program.

public import HTTPClientKit
public import Metrics
import Synchronization

/// An observer that counts and times calls: `client.deriving { $0.observer = HTTPMetrics() }`.
///
/// | metric | kind | dimensions |
/// |---|---|---|
/// | `http.client.call.duration` | timer | origin, method, outcome |
/// | `http.client.request.duration` | timer, for each exchange | origin, method, outcome |
/// | `http.client.request.time_in_queue`, `.first_byte` | timers | origin |
/// | `http.client.active_calls` | meter | origin |
/// | `http.client.connections` | counter | origin, state: `new`, `reused` |
/// | `http.client.retries` | counter | origin, state: `granted`, `refused` |
/// | `http.client.cache` | counter | origin, state: `hit`, or why not, such as `stale` |
/// | `http.client.request.bytes`, `.response.bytes` | counters of the bytes of bodies | origin |
///
/// An outcome is a class of status, such as `2xx`, the name of an error
/// (``HTTPCore/HTTPError/typeName(of:)``), or `cached` for a call that a cache answered without a
/// request. The origin is that of the call's first request. Each dimension has few values: unknown
/// methods are `_OTHER`, and origins beyond a limit are `other`. A value costs one lock and a
/// dictionary look-up; a metric is made once for each combination of its dimensions. Observers of
/// several clients with one factory add to the same metrics; but if the factory makes no meters,
/// and swift-metrics records their values instead, each observer records its own active calls.
public final class HTTPMetrics: HTTPObserver {
    fileprivate typealias Dimensions = [(String, String)]

    /// Metrics by their names and the values of their dimensions.
    private struct State {
        var origins: [HTTPOrigin: String] = [:]
        var counters: [[String]: Counter] = [:]
        var timers: [[String]: Metrics.Timer] = [:]
        var meters: [[String]: Meter] = [:]
    }

    private let prefix: String
    private let originLimit: Int
    private let factory: any MetricsFactory
    private let state = Mutex(State())
    private static let methods: Set<HTTPMethod> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]

    /// - Parameters:
    ///   - prefix: The beginning of each name.
    ///   - originLimit: The number of origins that have metrics of their own.
    ///   - factory: The factory; that of the `MetricsSystem` by default.
    public init(
        prefix: String = "http.client", originLimit: Int = 100,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        (self.prefix, self.originLimit, self.factory) = (prefix, originLimit, factory)
    }

    public func began(_ call: HTTPCall) -> (any HTTPObserver)? {
        let method = Self.methods.contains(call.method) ? call.method.rawValue : "_OTHER"
        return OneCall(metrics: self, origin: name(of: call.origin), method: method, call: call)
    }

    /// Does nothing: the events of a call go to an observer of its own.
    public func observe(_ event: HTTPEvent) {}

    private func name(of origin: HTTPOrigin) -> String {
        state.withLock { state in
            if let name = state.origins[origin] { return name }
            guard state.origins.count < originLimit else { return "other" }
            state.origins[origin] = "\(origin)"
            return "\(origin)"
        }
    }

    private func metric<Metric: Sendable>(
        _ table: WritableKeyPath<State, [[String]: Metric]>, _ name: String,
        _ dimensions: Dimensions, make: (String, Dimensions, any MetricsFactory) -> Metric
    ) -> Metric {
        let key = [name] + dimensions.map(\.1)
        return state.withLock { state in
            if let metric = state[keyPath: table][key] { return metric }
            let metric = make("\(prefix).\(name)", dimensions, factory)
            state[keyPath: table][key] = metric
            return metric
        }
    }

    fileprivate func count(_ name: String, _ dimensions: Dimensions, by amount: Int64 = 1) {
        metric(\.counters, name, dimensions, make: Counter.init(label:dimensions:factory:))
            .increment(by: amount)
    }

    fileprivate func time(_ name: String, _ dimensions: Dimensions, _ duration: Duration?) {
        guard let duration else { return }
        let nanoseconds = Int64(max(0, min(9e18, duration / .nanoseconds(1))))
        metric(\.timers, name, dimensions, make: Metrics.Timer.init(label:dimensions:factory:))
            .recordNanoseconds(nanoseconds)
    }

    /// The meter is incremented and decremented, not set: observers of other clients may share it.
    fileprivate func activeCalls(_ dimensions: Dimensions) -> Meter {
        metric(\.meters, "active_calls", dimensions, make: Meter.init(label:dimensions:factory:))
    }
}

/// The observer of one call.
private final class OneCall: HTTPObserver {
    /// An exchange by its number: when it was accepted, and the status of its response.
    private typealias Exchanges = [Int: (start: HTTPInstant, status: HTTPStatus?)]

    private let metrics: HTTPMetrics
    private let dimensions: HTTPMetrics.Dimensions
    private let method: String
    private let start: HTTPInstant
    private let state = Mutex((exchanges: Exchanges(), status: HTTPStatus?.none))

    init(metrics: HTTPMetrics, origin: String, method: String, call: HTTPCall) {
        (self.metrics, self.dimensions, self.method) = (metrics, [("origin", origin)], method)
        start = call.clock.now
        metrics.activeCalls(dimensions).increment()
    }

    private func outcome(_ status: HTTPStatus?, _ error: (any Error)?) -> HTTPMetrics.Dimensions {
        let name = error.map { HTTPError.typeName(of: $0) }
        let outcome = name ?? status.map { "\($0.code / 100)xx" } ?? "cached"
        return dimensions + [("method", method), ("outcome", outcome)]
    }

    func observe(_ event: HTTPEvent) {
        let number = event.exchange ?? 0
        switch event.kind {
        case .queued: state.withLock { $0.exchanges[number] = (event.instant, nil) }
        case .connected(let exchange):
            let state = exchange.isConnectionReused == true ? "reused" : "new"
            metrics.count("connections", dimensions + [("state", state)])
        case .head(let head):
            state.withLock { state in
                state.exchanges[number]?.status = head.status
                state.status = head.status
            }
        case .ended(let end, let exchange): ended(number, end.error, exchange)
        case .failed(let error):
            guard let start = state.withLock({ $0.exchanges[number]?.start }) else { return }
            metrics.time("request.duration", outcome(nil, error), event.instant - start)
        case .layer(let decision as HTTPRetryEvent):
            var state = "refused"
            if case .granted = decision.outcome { state = "granted" }
            metrics.count("retries", dimensions + [("state", state)])
        case .layer(let status as HTTPCacheStatus):
            let state = status.isHit == true ? "hit" : status.forward?.rawValue ?? "none"
            metrics.count("cache", dimensions + [("state", state)])
        case .callEnded(let end): callEnded(end.error, event.instant)
        case .callFailed(let error): callEnded(error, event.instant)
        default: break
        }
    }

    private func ended(_ number: Int, _ error: (any Error)?, _ exchange: HTTPTimeline.Exchange) {
        let status = state.withLock { $0.exchanges[number]?.status }
        metrics.time("request.time_in_queue", dimensions, exchange.admitted)
        metrics.time("request.first_byte", dimensions, exchange.firstByte)
        metrics.time("request.duration", outcome(status, error), exchange.lastByte)
        metrics.count("request.bytes", dimensions, by: exchange.requestBodyBytes)
        metrics.count("response.bytes", dimensions, by: exchange.responseBodyBytes)
    }

    private func callEnded(_ error: (any Error)?, _ instant: HTTPInstant) {
        let status = state.withLock { $0.status }
        metrics.time("call.duration", outcome(status, error), instant - start)
        metrics.activeCalls(dimensions).decrement()
    }
}

extension HTTPBodyEnd {
    fileprivate var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}
