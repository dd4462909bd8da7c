import HTTPCore

/// The destinations of the URLs that a transport was asked for last, so that each URL is parsed and
/// checked once.
///
/// The text of a URL may hold secrets. It is kept only here, at most until the transport is closed
/// or gone, and never shown.
final class DestinationTable: Sendable {
    private struct State {
        var last: (url: String, destination: Destination)?
        /// The newer ones, and those that were the newer ones before. Each URL that is used moves
        /// to the newer ones.
        var newer: [String: Destination] = [:]
        var older: [String: Destination] = [:]
        var isClosed = false

        mutating func keep(_ destination: Destination, for url: String) {
            guard !isClosed else { return }
            last = (url, destination)
            if newer.count >= DestinationTable.limit / 2 {
                older = newer
                newer = [:]
            }
            newer[url] = destination
        }
    }

    /// The maximum number of URLs.
    static let limit = 128
    /// The maximum length of a URL that is kept, in UTF-8 bytes. A longer one is parsed each time.
    static let lengthLimit = 8 << 10

    private let state = Locked(State())

    func destination(for url: String) -> Destination? {
        state.withLock { state in
            if let last = state.last, last.url == url { return last.destination }
            if let destination = state.newer[url] {
                state.last = (url, destination)
                return destination
            }
            guard let destination = state.older[url] else { return nil }
            state.keep(destination, for: url)
            return destination
        }
    }

    func keep(_ destination: Destination, for url: String) {
        guard url.utf8.count <= Self.lengthLimit else { return }
        state.withLock { $0.keep(destination, for: url) }
    }

    /// Forgets all destinations, and keeps none from now on.
    func close() { state.withLock { $0 = State(isClosed: true) } }

    /// The number of URLs, for tests.
    var count: Int { state.withLock { $0.newer.count + $0.older.count } }
}
