import HTTPCore
import HTTPFormats

/// A server's own limits for one key, as it has reported them, less what was sent since.
///
/// It only ever holds requests back: a limit with nothing left blocks its key until it is reset. A
/// reset that is further away than may be waited for is cut: then one request, the probe, asks the
/// server anew, and the others wait for its response. Bytes have no probe: the reader of a body may
/// hold the very connection that the probe would need.
struct ServerQuota: Sendable {
    enum Hold: Equatable {
        /// Units may be sent now.
        case none
        /// Units may be sent now, but only by one request.
        case probe
        /// A limit has nothing left until this time.
        case blocked(until: HTTPInstant)
        /// A probe is under way. Without its response, another one may go at this time.
        case probing(until: HTTPInstant)
    }

    private struct Remainder: Sendable {
        var units: Int
        var reset: HTTPInstant
        /// `true` if the server has named a later reset.
        var isCut: Bool
    }

    private enum Probe {
        case none
        case wanted
        case underWay(until: HTTPInstant)
    }

    /// The longest time to a reset.
    private let longestReset: Duration
    private let hasProbes: Bool
    private var remainders: [String: Remainder] = [:]
    private var probe = Probe.none

    init(longestReset: Duration = ServerTime.longestPause, hasProbes: Bool = true) {
        self.longestReset = longestReset
        self.hasProbes = hasProbes
    }

    /// Returns whether all limits that the server has reported are over.
    func isOver(at now: HTTPInstant) -> Bool { remainders.values.allSatisfy { $0.reset <= now } }

    /// Takes note of a response. What it reports is newer than what a probe would learn.
    ///
    /// - Parameters:
    ///   - limits: The limits that it reports. Those without a reset or a window are left out,
    ///     since it is not known how long they last.
    ///   - underWay: The units of other requests that were sent and have no response yet. The
    ///     server may not have counted them.
    mutating func note(_ limits: [ServiceLimit], underWay: Int, at now: HTTPInstant) {
        probe = .none
        for limit in limits {
            guard let asked = limit.reset ?? limit.window else { continue }
            let time = ServerTime(asked, atMost: longestReset)
            remainders[limit.policy] = Remainder(
                units: limit.remaining.subtracting(clamped: underWay), reset: now + time.granted,
                isCut: time.isCut)
        }
        // A server that names ever new policies does not fill the memory.
        while remainders.count > 16,
            let next = remainders.min(by: { $0.value.reset < $1.value.reset })
        {
            remainders[next.key] = nil
        }
    }

    /// Counts units that are about to be sent.
    ///
    /// - Returns: `true` if the request that sends them is a probe. Its end must then be reported
    ///   with ``note(_:underWay:at:)`` or ``probeFailed()``.
    mutating func take(_ units: Int, at now: HTTPInstant) -> Bool {
        change(by: -max(0, units))
        guard hold(at: now) == .probe else { return false }
        probe = .underWay(until: now + longestReset)
        return true
    }

    /// Counts units back that were not sent.
    mutating func giveBack(_ units: Int) { change(by: max(0, units)) }

    /// A probe has ended without a response: the next request is another one.
    mutating func probeFailed() {
        if case .underWay = probe { probe = .wanted }
    }

    private mutating func change(by units: Int) {
        guard !remainders.isEmpty else { return }
        for (name, remainder) in remainders {
            remainders[name]?.units = remainder.units.adding(clamped: units)
        }
    }

    /// Returns what holds requests back now.
    mutating func hold(at now: HTTPInstant) -> Hold {
        let isUpToDate = remainders.isEmpty || remainders.values.allSatisfy { $0.reset > now }
        if !isUpToDate {
            let over = remainders.filter { $0.value.reset <= now }
            if hasProbes, case .none = probe,
                over.values.contains(where: { $0.isCut && $0.units <= 0 })
            {
                probe = .wanted
            }
            for name in over.keys { remainders[name] = nil }
        }
        if let end = remainders.values.lazy.filter({ $0.units <= 0 }).map(\.reset).max() {
            return .blocked(until: end)
        }
        switch probe {
        case .none: return .none
        case .wanted: return .probe
        case .underWay(let end): return now < end ? .probing(until: end) : .probe
        }
    }
}
