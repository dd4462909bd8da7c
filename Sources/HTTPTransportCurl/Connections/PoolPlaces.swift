/// In which of the loop's pools the exchanges of one lane run.
///
/// libcurl looks through all of a host's connections in a pool for each request. So those of
/// HTTP/1.1, which take a connection each, fill one pool after the other: few stay together, where
/// idle connections are found again, and hundreds are never in one list.
struct PoolPlaces {
    /// How many connections of a lane one pool takes before the next one is used.
    static let capacity = 64

    /// How many pools there may be; what finds no place goes to the last.
    let limit: Int
    private var counts: [Int] = []

    init(limit: Int) { self.limit = limit }

    /// The pool of an exchange that starts: the first, where exchanges can share a connection.
    mutating func enter(sharing: Bool) -> Int {
        let pool =
            sharing
            ? 0 : min(limit - 1, counts.firstIndex { $0 < Self.capacity } ?? counts.count)
        if pool >= counts.count { counts.append(0) }
        counts[pool] += 1
        return pool
    }

    mutating func leave(_ pool: Int) { counts[pool] -= 1 }
}
