import HTTPCore

/// The pauses of all keys. A pause ends for each waiting request at a moment of its own, within a
/// time after its end, so that not all requests are sent at once.
struct PauseTable: Sendable {
    struct Pause: Sendable, Equatable {
        /// The end of the pause.
        var end: HTTPInstant
        /// The time after the end in which requests go on, one by one.
        var spread: Duration
    }

    private var pauses: [String: Pause] = [:]
    /// The number of keys above which those that are over are dropped.
    private var limit = 64

    /// The number of pauses that are kept.
    var count: Int { pauses.count }

    /// Begins or extends a pause. Returns `false` if there is one that ends no sooner.
    mutating func pause(
        _ key: String, for duration: Duration, spread: Double, at now: HTTPInstant
    ) -> Bool {
        let new = Pause(end: now + duration, spread: duration.scaled(by: spread))
        if let old = pauses[key], old.end >= new.end { return false }
        if pauses.count >= limit {
            pauses = pauses.filter { $0.value.end + $0.value.spread > now }
            limit = max(64, pauses.count * 2)
        }
        pauses[key] = new
        return true
    }

    /// Returns the pause that a request has to wait for.
    ///
    /// - Parameter waited: The end of the last pause that the request has waited for.
    mutating func pause(
        of key: String, after waited: HTTPInstant?, at now: HTTPInstant
    ) -> Pause? {
        guard let pause = pauses[key] else { return nil }
        guard now < pause.end + pause.spread else {
            pauses[key] = nil
            return nil
        }
        if let waited, pause.end <= waited { return nil }
        return pause
    }

    /// Returns the keys that are paused, and the time that is left of each pause.
    func underWay(at now: HTTPInstant) -> [String: Duration] {
        pauses.filter { $0.value.end > now }.mapValues { $0.end - now }
    }
}

extension PauseTable.Pause {
    /// Returns the moment at which a request goes on.
    ///
    /// - Parameter fraction: A random number from 0 to 1.
    func resumption(at now: HTTPInstant, fraction: Double) -> HTTPInstant {
        let first = max(now, end)
        return first + (end + spread - first).scaled(by: fraction)
    }
}
