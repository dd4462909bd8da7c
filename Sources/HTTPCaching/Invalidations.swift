import PortableFoundation

/// The keys that were invalidated lately.
///
/// A response that was requested before the invalidation and arrives after it may be the old one,
/// and is not stored. A response of another partition, or one that the store failed to remove, is
/// not used.
struct Invalidations: Sendable {
    private var latest: UInt64 = 0
    /// All keys count as invalidated by then.
    private var floor: UInt64 = 0
    private var numbers: [HTTPCacheKey: UInt64] = [:]
    /// The dates at which URLs were invalidated, whatever the partition. The store removes only the
    /// responses of the request's own.
    private var dates: [String: Date] = [:]
    /// All URLs count as invalidated at that date.
    private var dateFloor: Date?
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

    /// Notes that responses for a URL that were requested before a date must not be used.
    mutating func add(url: String, at date: Date) {
        if dates.count >= capacity {
            // The latest date of all, so that no URL that is forgotten becomes valid again.
            dateFloor = dates.values.reduce(dateFloor ?? date, max)
            dates.removeAll(keepingCapacity: true)
        }
        dates[url] = max(date, dates[url] ?? date)
    }

    /// Returns the responses that may be used.
    func usable(_ responses: [HTTPStoredResponse], for key: HTTPCacheKey) -> [HTTPStoredResponse] {
        guard !responses.isEmpty, !dates.isEmpty || dateFloor != nil else { return responses }
        let limits = [dates[key.url], dateFloor].compactMap(\.self)
        return responses.filter { response in limits.allSatisfy { response.requestDate >= $0 } }
    }
}
