import HTTPCore

/// The time from which the latency of an exchange counts. Layers within the one that measures, in
/// which requests wait, restart it.
final class ExchangeStart: Sendable {
    private let instant: Locked<HTTPInstant>

    init(at now: HTTPInstant) { instant = Locked(now) }

    func restart(at now: HTTPInstant) { instant.withLock { $0 = now } }

    /// Returns the time since the start.
    func elapsed(at now: HTTPInstant) -> Duration { instant.withLock { now - $0 } }
}

extension HTTPRequest {
    private enum Start: HTTPRequestOption {
        static var defaultValue: ExchangeStart? { nil }
    }

    /// The start of this exchange, if a layer measures it.
    var exchangeStart: ExchangeStart? {
        get { self[Start.self] }
        set { self[Start.self] = newValue }
    }
}
