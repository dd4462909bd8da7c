/// The short bodies that the last lookups have read together with the heads, so that a hit reads
/// one file once. A body is returned once, and is dropped when its key changes.
struct DiskCacheRecentBodies {
    private struct Body {
        let key: HTTPCacheKey
        let id: String
        let bytes: ArraySlice<UInt8>
    }

    private static let count = 32
    /// The size of the largest entry whose bodies are kept; a body keeps the whole file in memory.
    private static let entryLimit = 64 << 10

    private var bodies = [Body?](repeating: nil, count: count)
    private var next = 0

    /// - Parameter size: The size of the file of the entry.
    mutating func insert(_ entry: DiskCacheEntry, size: Int64) {
        guard size <= Self.entryLimit else { return }
        for stored in entry.responses {
            guard let bytes = stored.inlineBody else { continue }
            bodies[next] = Body(key: entry.key, id: stored.response.id, bytes: bytes)
            next = (next + 1) % Self.count
        }
    }

    mutating func take(_ id: String, of key: HTTPCacheKey) -> ArraySlice<UInt8>? {
        for index in bodies.indices where bodies[index]?.id == id && bodies[index]?.key == key {
            return bodies[index].take()?.bytes
        }
        return nil
    }

    mutating func removeAll(of key: HTTPCacheKey) {
        for index in bodies.indices where bodies[index]?.key == key { bodies[index] = nil }
    }

    mutating func removeAll() { self = Self() }
}
