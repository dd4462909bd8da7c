import HTTPCore

/// The running and the waiting exchanges of one route, in order of arrival.
///
/// This queue replaces libcurl's own, which ignores time limits before 8.8 and opens a connection
/// per request in a burst.
struct AdmissionQueue {
    private(set) var active = 0
    private var waiting = FIFOQueue<Int>()
    /// The exchanges that had their turn and wait for another one. They go first.
    private var returned = FIFOQueue<Int>()
    var limit: Int
    let waitingLimit: Int

    init(limit: Int, waitingLimit: Int = .max) {
        self.limit = limit
        self.waitingLimit = waitingLimit
    }

    var isIdle: Bool { active == 0 && waitingCount == 0 }
    var waitingCount: Int { waiting.count + returned.count }

    enum Admission { case start, wait, refuse }

    /// Starts `slot`, queues it, or refuses it because the queue is full.
    ///
    /// - Parameter wasAdmitted: `true` if the exchange had a turn elsewhere. It is not refused.
    mutating func enter(_ slot: Int, wasAdmitted: Bool = false) -> Admission {
        guard active < limit, waitingCount == 0 else {
            if wasAdmitted {
                returned.append(slot)
                return .wait
            }
            // Those whose turn has come do not stay, although ``next()`` was not called yet.
            let free = max(0, limit - active - returned.count)
            guard waiting.count - free < waitingLimit else { return .refuse }
            waiting.append(slot)
            return .wait
        }
        active += 1
        return .start
    }

    /// Removes an exchange that ran and has ended. Afterwards, call ``next()`` to start another
    /// one.
    mutating func leave() { active -= 1 }

    /// Returns the next slot to start. Call it until it returns `nil`.
    mutating func next() -> Int? {
        guard active < limit, let slot = returned.popFirst() ?? waiting.popFirst() else {
            return nil
        }
        active += 1
        return slot
    }

    /// The maximum number of HTTP/2 streams on a connection. libcurl opens another one for more.
    private static let streamLimit = 100

    /// Returns the number of exchanges that may run at a time with one server.
    ///
    /// Before the server has responded, its version is unknown. Over TLS, the exchanges may turn
    /// out to share one connection.
    ///
    /// - Parameter maximum: The configured number of connections.
    static func limit(
        _ maximum: Int, with scheme: HTTPOrigin.Scheme, speaking version: HTTPVersion?
    ) -> Int {
        switch version {
        case .http2, .http3: streamLimit
        case .http1_0, .http1_1: maximum
        case nil: scheme == .https ? min(streamLimit, maximum) : maximum
        }
    }

    /// Removes `slot` from the waiting exchanges.
    mutating func withdraw(_ slot: Int) {
        returned.removeFirst { $0 == slot }
        waiting.removeFirst { $0 == slot }
    }
}
