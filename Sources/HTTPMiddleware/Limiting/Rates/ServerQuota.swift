import HTTPCore
import HTTPFormats

/// A server's own limits for one key, as it has reported them, less what was sent since.
///
/// It only ever holds requests back: a limit with nothing left blocks its key until it is reset.
struct ServerQuota: Sendable {
    private struct Remainder: Sendable {
        var units: Int
        var reset: HTTPInstant
    }

    private var remainders: [String: Remainder] = [:]

    /// Returns whether all limits that the server has reported are over.
    func isOver(at now: HTTPInstant) -> Bool { remainders.values.allSatisfy { $0.reset <= now } }

    /// Takes note of a response.
    ///
    /// - Parameters:
    ///   - limits: The limits that it reports. Those without a reset or a window are left out,
    ///     since it is not known how long they last.
    ///   - underWay: The units of other requests that were sent and have no response yet. The
    ///     server may not have counted them.
    mutating func note(_ limits: [ServiceLimit], underWay: Int, at now: HTTPInstant) {
        for limit in limits {
            guard let reset = limit.reset ?? limit.window else { continue }
            remainders[limit.policy] = Remainder(
                units: limit.remaining - underWay, reset: now + reset)
        }
        // A server that names ever new policies does not fill the memory.
        while remainders.count > 16,
            let next = remainders.min(by: { $0.value.reset < $1.value.reset })
        {
            remainders[next.key] = nil
        }
    }

    /// Counts units that are about to be sent.
    mutating func take(_ units: Int) { change(by: -units) }

    /// Counts units back that were not sent.
    mutating func giveBack(_ units: Int) { change(by: units) }

    private mutating func change(by units: Int) {
        guard !remainders.isEmpty else { return }
        for name in remainders.keys { remainders[name]?.units += units }
    }

    /// Returns the time at which units may be sent again, or `nil` if they may be sent now.
    mutating func blocked(at now: HTTPInstant) -> HTTPInstant? {
        guard !remainders.isEmpty else { return nil }
        remainders = remainders.filter { $0.value.reset > now }
        return remainders.values.filter { $0.units <= 0 }.map(\.reset).max()
    }
}
