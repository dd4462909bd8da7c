public import HTTPCore

/// What a transport has done and is doing, at one moment; see ``CurlTransport/statistics()``.
public struct CurlStatistics: Hashable, Sendable {
    public struct Counts: Hashable, Sendable {
        /// Exchanges that wait for their turn now.
        public internal(set) var waiting = 0
        /// Exchanges under way now: connecting, sending or receiving.
        public internal(set) var active = 0
        /// Connections that are open now, and those that are being made.
        public internal(set) var open = 0
        /// Those of them that no exchange uses: they are kept for the next ones. Over HTTP/2 none
        /// counts as idle while an exchange is under way.
        public internal(set) var idle = 0
        /// Exchanges that have ended, well or not.
        public internal(set) var ended = 0
        /// Connections that exchanges have opened.
        public internal(set) var opened = 0
        /// Exchanges that found a connection open.
        public internal(set) var reused = 0
        /// Sends by the library on its own, after a kept connection turned out dead.
        public internal(set) var resent = 0
    }

    public internal(set) var total = Counts()
    /// By origin; beyond a thousand or so, those without exchanges are forgotten.
    public internal(set) var origins: [HTTPOrigin: Counts] = [:]
    /// Sockets that are open now, of connections in use and kept ones, also of origins that were
    /// forgotten.
    public internal(set) var openSockets = 0
    /// How often the event loops have looked for something to do, since they began.
    public internal(set) var turns = 0
}

extension CurlStatistics.Counts {
    /// An exchange has ended.
    mutating func note(opened: Int, isReused: Bool, resent: Int) {
        ended += 1
        self.opened += opened
        if isReused { reused += 1 }
        self.resent += resent
    }

    static func += (counts: inout Self, more: Self) {
        counts.waiting += more.waiting
        counts.active += more.active
        counts.open += more.open
        counts.idle += more.idle
        counts.ended += more.ended
        counts.opened += more.opened
        counts.reused += more.reused
        counts.resent += more.resent
    }
}

extension CurlStatistics {
    static let originLimit = 1024

    static func += (statistics: inout Self, more: Self) {
        statistics.total += more.total
        statistics.openSockets += more.openSockets
        statistics.turns += more.turns
        statistics.origins.merge(more.origins) { counts, more in
            var sum = counts
            sum += more
            return sum
        }
    }
}
