public import HTTPCore

/// The past and present activity of a transport, at one moment. See ``CurlTransport/statistics()``.
public struct CurlStatistics: Hashable, Sendable {
    /// The counts of an origin, or of all.
    public struct Counts: Hashable, Sendable {
        /// The exchanges that wait for their turn now.
        public internal(set) var waiting = 0
        /// The exchanges that run now: connecting, sending or receiving.
        public internal(set) var active = 0
        /// The connections that are open or being opened now.
        public internal(set) var open = 0
        /// The open connections that no exchange uses; they are kept for the next ones. Over
        /// HTTP/2, none counts as idle while an exchange runs.
        public internal(set) var idle = 0
        /// The exchanges that have ended, successfully or not.
        public internal(set) var ended = 0
        /// The connections that exchanges have opened.
        public internal(set) var opened = 0
        /// The exchanges that used a connection that was already open.
        public internal(set) var reused = 0
        /// The requests that libcurl sent again by itself, because a kept connection turned out to
        /// be dead.
        public internal(set) var resent = 0
    }

    /// The counts of all origins together.
    public internal(set) var total = Counts()
    /// The counts by origin. Beyond about a thousand origins, those without exchanges are
    /// forgotten.
    public internal(set) var origins: [HTTPOrigin: Counts] = [:]
    /// The sockets that are open now, of connections in use and of kept ones, including those of
    /// origins that were forgotten.
    public internal(set) var openSockets = 0
    /// The number of turns of the event loops since they started.
    package internal(set) var turns = 0
}

extension CurlStatistics.Counts {
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
