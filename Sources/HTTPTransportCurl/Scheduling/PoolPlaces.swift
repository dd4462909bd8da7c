/// The loop's pools in which the exchanges of one lane run.
///
/// For each request, libcurl searches all connections of a host in a pool. Exchanges of HTTP/1.1
/// take a connection each, so they fill one pool after the other. A few connections stay together,
/// where idle ones are found again, and hundreds are never in one list.
struct PoolPlaces {
    /// The number of a lane's connections that one pool takes before the next one is used.
    static let capacity = 32

    /// The maximum number of pools. Exchanges beyond their capacity go to the last pool.
    let limit: Int
    private var counts: [Int] = []

    init(limit: Int) { self.limit = limit }

    /// Adds an exchange that starts and returns its pool. Exchanges that can share a connection are
    /// in the first pool.
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
