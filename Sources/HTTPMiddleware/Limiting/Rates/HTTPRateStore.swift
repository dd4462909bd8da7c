public import HTTPCore

/// A question for units of a rate.
public struct HTTPRateRequest: Hashable, Sendable {
    /// The key that the units are counted under. It holds no secret: the name of a limit, and the
    /// origin or the key that the program chose.
    public var key: String
    /// The rate.
    public var rate: HTTPRate
    /// The fewest and the most units to take: from 1 to 2⁴⁰.
    public var units: ClosedRange<Int>
    /// The longest wait for the fewest units.
    public var patience: Duration
    /// The time on the clock of the asking call. A store that several processes share has a clock
    /// of its own, and ignores it.
    public var now: HTTPInstant

    /// Creates a question. Each property is described there.
    public init(
        key: String, rate: HTTPRate, units: ClosedRange<Int> = 1...1, patience: Duration,
        now: HTTPInstant
    ) {
        self.key = key
        self.rate = rate
        let least = min(max(1, units.lowerBound), 1 << 40)
        self.units = least...min(max(least, units.upperBound), 1 << 40)
        self.patience = max(.zero, patience)
        self.now = now
    }
}

/// The decision about an ``HTTPRateRequest``.
public enum HTTPRateAdmission: Hashable, Sendable {
    /// So many units are taken, to be used after a wait. The wait is zero if the fewest units were
    /// available at once; then as many as were available are taken, up to the most.
    case admitted(units: Int, after: Duration)
    /// Nothing is taken. The fewest units would be available after this wait, which is longer than
    /// the question allows.
    case refused(retryAfter: Duration)
}

/// The place where the units of rates are counted: in this process, or for a whole fleet.
///
/// A decision is a promise. Units that become available later are taken when they are asked for, so
/// they are given out in the order of the questions, and a caller asks once. A caller that does not
/// use its units gives them back.
///
/// A store may be slow, unreachable, or empty after a restart: a ``RateLimit`` waits for it no
/// longer than it was told to, and its ``RateLimit/Sharing`` says what happens then. The same
/// happens after a decision that does not fit the question, such as fewer units than the fewest. A
/// store that has lost its state admits at most one burst, or one window, more than the rate.
public protocol HTTPRateStore: Sendable {
    /// Takes units, now or for later.
    ///
    /// Cancelling the calling task may leave the units taken. An implementation answers as soon as
    /// it can; it never waits until the units are available.
    ///
    /// - Throws: any error if there is no decision.
    func admit(_ request: HTTPRateRequest) async throws -> HTTPRateAdmission

    /// Gives back units that were taken and are not used. More may then be taken than at this
    /// moment; waits that were promised to others stay as they are.
    ///
    /// - Parameters:
    ///   - units: The number of units.
    ///   - request: The question that they were taken with.
    func refund(_ units: Int, of request: HTTPRateRequest) async throws
}

/// The store of rates in the memory of this process. A decision takes less than a microsecond.
public final class HTTPMemoryRateStore: HTTPRateStore {
    private struct State {
        var meters: [String: RateMeter] = [:]
        /// The number of keys above which the idle ones are dropped.
        var limit = 64
    }

    private let state = Locked(State())

    /// Creates an empty store.
    public init() {}

    public func admit(_ request: HTTPRateRequest) async -> HTTPRateAdmission { decide(request) }

    public func refund(_ units: Int, of request: HTTPRateRequest) async {
        giveBack(units, of: request)
    }

    func decide(_ request: HTTPRateRequest) -> HTTPRateAdmission {
        let now = request.now.sinceStart.inSeconds
        let decision = state.withLock { state in
            if state.meters[request.key] == nil { prune(&state, at: now) }
            return state.meters[request.key, default: RateMeter(request.rate)]
                .take(request.units, of: request.rate, at: now, request.patience.inSeconds)
        }
        return switch decision {
        case .taken(let units, let wait): .admitted(units: units, after: .seconds(min(wait, 1e12)))
        case .refused(let wait): .refused(retryAfter: .seconds(min(wait, 1e12)))
        }
    }

    func giveBack(_ units: Int, of request: HTTPRateRequest) {
        let now = request.now.sinceStart.inSeconds
        state.withLock { $0.meters[request.key]?.refund(units, at: now) }
    }

    private func prune(_ state: inout State, at now: Double) {
        guard state.meters.count >= state.limit else { return }
        state.meters = state.meters.filter { !$0.value.isIdle(at: now) }
        state.limit = max(64, state.meters.count * 2)
    }
}

extension HTTPRateAdmission {
    /// Returns the decision as far as it fits its question: at most the most units, and no wait
    /// below zero. A promise beyond the patience of the question is a refusal.
    ///
    /// - Returns: `nil` if there are fewer units than the fewest, which is no decision.
    func fitting(_ request: HTTPRateRequest) -> HTTPRateAdmission? {
        switch self {
        case .refused(let wait): return .refused(retryAfter: max(.zero, wait))
        case .admitted(let units, let wait):
            guard units >= request.units.lowerBound else { return nil }
            // A moment more is rounding.
            guard wait <= request.patience.adding(.milliseconds(1)) else {
                return .refused(retryAfter: wait)
            }
            return .admitted(
                units: min(units, request.units.upperBound), after: max(.zero, wait))
        }
    }
}

extension RateMeter {
    /// Takes units as ``take(_:at:patience:)`` does. If the rate has changed, counting begins anew.
    fileprivate mutating func take(
        _ units: ClosedRange<Int>, of rate: HTTPRate, at now: Double, _ patience: Double
    ) -> Decision {
        if rate != self.rate { self = RateMeter(rate) }
        return take(units, at: now, patience: patience)
    }
}
