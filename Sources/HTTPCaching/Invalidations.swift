import HTTPCore

/// The keys that were invalidated lately.
///
/// A response that was requested before the invalidation and arrives after it may be the old one,
/// and is not stored.
struct Invalidations: Sendable {
    private var latest: UInt64 = 0
    /// All keys count as invalidated by then.
    private var floor: UInt64 = 0
    private var numbers: [HTTPCacheKey: UInt64] = [:]
    private let capacity: Int

    init(capacity: Int = 1024) { self.capacity = capacity }

    /// The moment to compare later invalidations with.
    var now: UInt64 { latest }

    mutating func add(_ key: HTTPCacheKey) {
        latest += 1
        if numbers.count >= capacity {
            numbers.removeAll(keepingCapacity: true)
            floor = latest
        }
        numbers[key] = latest
    }

    mutating func addAll() {
        latest += 1
        numbers.removeAll()
        floor = latest
    }

    func contains(_ key: HTTPCacheKey, since moment: UInt64) -> Bool {
        guard latest != moment else { return false }
        return floor > moment || (numbers[key] ?? 0) > moment
    }
}
