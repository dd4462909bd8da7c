public import HTTPCore
import PortableFoundation

/// A store in the memory of this process.
///
/// Bodies, header sections, keys and an allowance for each response count against one limit, and so
/// do the bytes of responses that are still being stored. When the limit is reached, the keys that
/// were used least recently are dropped. A lookup takes well under a microsecond and copies no
/// bytes.
public final class HTTPMemoryCacheStore: HTTPCacheStore {
    private struct State {
        var places: [HTTPCacheKey: RecencyList<MemoryCacheEntry>.Place] = [:]
        var entries = RecencyList<MemoryCacheEntry>()
        /// The bytes of all entries.
        var stored = 0
        /// The bytes of all writers that have not committed.
        var unfinished = 0
    }

    /// The most bytes that the store takes.
    public let limit: Int
    /// The most bytes that one response takes.
    public let responseLimit: Int

    private let state = Locked(State())

    /// Responses that are released after the lock, because that takes long for a large body.
    private typealias Dropped = ([MemoryCacheEntry.Stored], [MemoryCacheEntry])

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that the store takes.
    ///   - responseLimit: The most bytes of one response, a quarter of the limit by default. A
    ///     larger response is not stored.
    public init(limit: Int = 64 << 20, responseLimit: Int? = nil) {
        self.limit = max(0, limit)
        self.responseLimit = min(max(0, responseLimit ?? self.limit / 4), self.limit)
    }

    // MARK: Reading

    public func responses(for key: HTTPCacheKey) async -> [HTTPStoredResponse] {
        state.withLock { state in
            guard let place = state.places[key] else { return [] }
            state.entries.use(place)
            return state.entries[place]?.responses ?? []
        }
    }

    public func body(of response: HTTPStoredResponse, for key: HTTPCacheKey) async -> HTTPBody? {
        state.withLock { state in
            guard let place = state.places[key], let entry = state.entries[place],
                let index = entry.index(of: response.id)
            else { return nil }
            return entry.bodies[index]
        }
    }

    /// The bytes that count against the limit, and the number of stored responses.
    package func usage() async -> (bytes: Int64, responses: Int) {
        state.withLock { state in
            let responses = state.places.values.reduce(0) {
                $0 + (state.entries[$1]?.responses.count ?? 0)
            }
            return (Int64(state.stored + state.unfinished), responses)
        }
    }

    // MARK: Writing

    public func beginStoring(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey, length: Int64?
    ) async -> (any HTTPCacheWriter)? {
        let room = responseLimit - response.cost - key.cost
        guard room >= 0, length ?? 0 <= Int64(room), reserve(response.cost) else { return nil }
        return MemoryCacheWriter(
            response, for: key, length: length.map { Int($0) }, room: room, store: self)
    }

    /// Takes memory for a writer. All writers together take at most half of the limit, so that
    /// responses that never end cannot drop all others.
    func reserve(_ count: Int) -> Bool {
        let dropped: [MemoryCacheEntry]? = state.withLock { state in
            guard count <= limit / 2 - state.unfinished else { return nil }
            state.unfinished += count
            return shrink(&state)
        }
        return dropped != nil
    }

    func release(_ count: Int) { state.withLock { $0.unfinished -= count } }

    /// Makes a response visible.
    ///
    /// - Parameter reserved: The bytes that its writer had taken.
    func store(
        _ response: HTTPStoredResponse, _ bytes: Data, for key: HTTPCacheKey, reserved: Int
    ) -> HTTPStoredResponse? {
        let stored = MemoryCacheEntry.Stored(
            response: response, body: HTTPBody(bytes, trailers: response.trailers),
            cost: response.cost + bytes.count)
        guard stored.cost + key.cost <= responseLimit else {
            release(reserved)
            return nil
        }
        let dropped = state.withLock { state -> Dropped in
            state.unfinished -= reserved
            var replaced = change(&state, key, isInserting: true) { entry in
                var replaced = entry.removeAll {
                    $0.variant == response.variant || $0.id == response.id
                }
                if entry.responses.count >= HTTPStoredResponse.variantLimit {
                    replaced += entry.removeOldest()
                }
                entry.append(stored)
                return replaced
            }
            var dropped = shrink(&state, keeping: 1)
            // The variants of one key alone may exceed the limit.
            while state.stored + state.unfinished > limit {
                let more = change(&state, key) { $0.removeOldest(except: response.id) }
                if more.isEmpty { break }
                replaced += more
            }
            dropped += shrink(&state)
            return (replaced, dropped)
        }
        _ = dropped
        return response
    }

    public func update(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async {
        let dropped = state.withLock { state -> Dropped in
            let replaced = change(&state, key) { entry in
                guard let index = entry.index(of: response.id)
                else { return [] }
                let old = entry.remove(at: index)
                let new = old.updated(with: response)
                if new.cost + key.cost <= responseLimit { entry.append(new) }
                return [old]
            }
            return (replaced, shrink(&state))
        }
        _ = dropped
    }

    // MARK: Removing

    public func remove(_ key: HTTPCacheKey) async {
        let removed = state.withLock { state in
            state.places[key].flatMap { drop(&state, $0) }
        }
        _ = removed
    }

    public func remove(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async {
        let removed = state.withLock { state in
            change(&state, key) { $0.removeAll { $0.id == response.id } }
        }
        _ = removed
    }

    public func removeAll() async {
        let removed = state.withLock { state in
            defer { state = State(unfinished: state.unfinished) }
            return state
        }
        _ = removed
    }

    /// Changes the entry of a key, and removes it if it has no responses afterwards.
    private func change(
        _ state: inout State, _ key: HTTPCacheKey, isInserting: Bool = false,
        _ body: (inout MemoryCacheEntry) -> [MemoryCacheEntry.Stored]
    ) -> [MemoryCacheEntry.Stored] {
        var place = state.places[key]
        if place == nil, isInserting {
            let entry = MemoryCacheEntry(key)
            state.stored += entry.cost
            place = state.entries.insert(entry)
            state.places[key] = place
        }
        guard let place else { return [] }
        let change = state.entries.change(place) { entry in
            let before = entry.cost
            let removed = body(&entry)
            return (removed, difference: entry.cost - before, isEmpty: entry.responses.isEmpty)
        }
        guard let change else { return [] }
        state.entries.use(place)
        state.stored += change.difference
        if change.isEmpty { _ = drop(&state, place) }
        return change.0
    }

    private func drop(_ state: inout State, _ place: RecencyList<MemoryCacheEntry>.Place)
        -> MemoryCacheEntry?
    {
        guard let entry = state.entries.remove(place) else { return nil }
        state.places[entry.key] = nil
        state.stored -= entry.cost
        return entry
    }

    /// Drops the keys that were used least recently until the limit is kept, or until only `count`
    /// keys are left.
    private func shrink(_ state: inout State, keeping count: Int = 0) -> [MemoryCacheEntry] {
        var dropped: [MemoryCacheEntry] = []
        while state.stored + state.unfinished > limit, state.places.count > count,
            let oldest = state.entries.oldest, let entry = drop(&state, oldest)
        {
            dropped.append(entry)
        }
        return dropped
    }
}
