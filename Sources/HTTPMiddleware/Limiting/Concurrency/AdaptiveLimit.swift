import HTTPCore

/// The settings of a limit on exchanges at a time that follows what the server can take: it grows
/// while the server answers as fast as it can, and shrinks as soon as answers are late or refused.
///
/// The law is that of TCP (additive increase, multiplicative decrease): of several processes with
/// one server, none knows of the others, and all end with about the same share.
///
/// - The latency of a round, of about as many exchanges as run at a time, is compared with the
///   lowest of the last minutes. While it is within ``tolerance`` and the limit is used, the limit
///   grows by 1.
/// - A round that is slower shrinks the limit to nine tenths.
/// - A refusal (429 or 503), a time limit that passes and a connection that cannot be made shrink
///   it by ``backoff``, once for all exchanges under way.
public struct AdaptiveLimit: Hashable, Sendable {
    /// The limit of an origin that nothing is known of.
    public var initial: Int
    /// The lowest and the highest limit.
    public var bounds: ClosedRange<Int>
    /// The latency at which the server counts as overloaded, as a multiple of the lowest.
    public var tolerance: Double
    /// The factor by which a refusal shrinks the limit, between 0 and 1.
    public var backoff: Double

    /// Creates the settings. Each property is described there.
    public init(
        initial: Int = 16, bounds: ClosedRange<Int> = 1...256, tolerance: Double = 2,
        backoff: Double = 0.7
    ) {
        let lowest = max(1, bounds.lowerBound)
        self.bounds = lowest...max(lowest, bounds.upperBound)
        self.initial = min(max(initial, self.bounds.lowerBound), self.bounds.upperBound)
        self.tolerance = max(1.1, tolerance)
        self.backoff = backoff > 0 && backoff < 1 ? backoff : 0.7
    }
}

/// The limit of one origin, and the latencies that it follows from.
struct AdaptiveMachine: Sendable {
    /// The sign that an exchange gives at its end.
    enum Sample: Equatable {
        /// The head has come after so many seconds.
        case latency(Double)
        /// The server is overloaded.
        case overload
        /// Nothing.
        case none
    }

    /// The length of each of the two spans over which the lowest latency is kept.
    private static let span: Duration = .seconds(60)
    /// The least number of exchanges in a round.
    private static let leastRound = 8

    private let settings: AdaptiveLimit
    private var exact: Double

    private var roundStart = HTTPInstant(sinceStart: .seconds(-1e12))
    private var roundCount = 0
    private var roundSum = 0.0
    /// `true` if as many exchanges ran in this round as may.
    private var isUsed = false

    private var spanStart: HTTPInstant?
    private var lowest = Double.infinity
    private var earlierLowest = Double.infinity

    init(_ settings: AdaptiveLimit) {
        self.settings = settings
        exact = Double(settings.initial)
    }

    var limit: Int { max(1, Int(clamping: exact)) }

    /// The lowest latency of a round in the last minutes, in seconds; `nil` if there is none.
    var baseline: Double? {
        let least = min(lowest, earlierLowest)
        return least.isFinite ? least : nil
    }

    /// Takes note of the end of an exchange.
    ///
    /// - Parameters:
    ///   - start: The time at which it got its permit.
    ///   - running: The exchanges that ran at its end, itself included.
    mutating func add(
        _ sample: Sample, from start: HTTPInstant, running: Int, at now: HTTPInstant
    ) {
        // Those that began before the last change say nothing about it.
        guard start >= roundStart else { return }
        if running >= limit { isUsed = true }
        switch sample {
        case .none: return
        case .overload:
            shrink(by: settings.backoff)
            beginRound(at: now)
        case .latency(let seconds):
            roundCount += 1
            roundSum += max(0, seconds)
            guard roundCount >= max(Self.leastRound, limit) else { return }
            let mean = roundSum / Double(roundCount)
            keep(mean, at: now)
            if let baseline, mean > baseline * settings.tolerance {
                shrink(by: 0.9)
            } else if isUsed {
                exact = min(exact + 1, Double(settings.bounds.upperBound))
            }
            beginRound(at: now)
        }
    }

    private mutating func shrink(by factor: Double) {
        exact = max(exact * factor, Double(settings.bounds.lowerBound))
    }

    private mutating func beginRound(at now: HTTPInstant) {
        roundStart = now
        roundCount = 0
        roundSum = 0
        isUsed = false
    }

    private mutating func keep(_ mean: Double, at now: HTTPInstant) {
        if let begun = spanStart, now - begun < Self.span {
            lowest = min(lowest, mean)
        } else {
            earlierLowest = lowest
            lowest = mean
            spanStart = now
        }
    }
}
