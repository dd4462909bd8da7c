import HTTPCore
import PortableFoundation

/// A writer that collects a body for ``HTTPMemoryCacheStore``.
final class MemoryCacheWriter: HTTPCacheWriter {
    /// The bytes so far. Copied from what the transport delivers: a small piece may keep a large
    /// buffer alive.
    private struct Draft {
        var bytes = Data()
        var capacity = 0
        /// The memory that was reserved in the store for the head and the bytes.
        var reserved: Int
    }

    private struct State {
        /// Taken out by a call that works on it.
        var draft: Draft?
        var isOver = false
    }

    private let response: HTTPStoredResponse
    private let key: HTTPCacheKey
    private let length: Int?
    private let room: Int
    private let store: HTTPMemoryCacheStore
    private let state: Locked<State>

    /// - Parameter room: The most bytes that the body may have. The memory of the head has been
    ///   reserved.
    init(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey, length: Int?, room: Int,
        store: HTTPMemoryCacheStore
    ) {
        self.response = response
        self.key = key
        self.length = length
        self.room = room
        self.store = store
        state = Locked(State(draft: Draft(reserved: response.cost)))
    }

    deinit { abandon() }

    func append(_ bytes: Data) async -> Bool {
        guard var draft = state.withLock({ $0.draft.take() }) else { return false }
        let count = draft.bytes.count + bytes.count
        guard count <= room, grow(&draft, to: count) else {
            abandon()
            store.release(draft.reserved)
            return false
        }
        draft.bytes.append(bytes)
        let grown = draft
        let isOver = state.withLock { state in
            if !state.isOver { state.draft = grown }
            return state.isOver
        }
        if isOver { store.release(grown.reserved) }
        return !isOver
    }

    /// Takes memory: all of a known length that is nearly reached, else twice the bytes, because
    /// the server may announce any length.
    private func grow(_ draft: inout Draft, to count: Int) -> Bool {
        guard count > draft.capacity else { return true }
        var capacity = min(max(4 << 10, count, 2 * draft.capacity), room)
        if let length, length >= count { capacity = min(capacity, length) }
        guard store.reserve(capacity - draft.capacity) else { return false }
        draft.reserved += capacity - draft.capacity
        draft.bytes.reserveCapacity(capacity)
        draft.capacity = capacity
        return true
    }

    func commit(trailers: HTTPHeaders?) async -> HTTPStoredResponse? {
        let draft = state.withLock { state in
            state.isOver = true
            return state.draft.take()
        }
        guard let draft else { return nil }
        // Without the capacity that was not needed.
        let bytes = draft.capacity > draft.bytes.count ? Data(Array(draft.bytes)) : draft.bytes
        var response = response
        response.bodyLength = Int64(bytes.count)
        response.trailers = trailers
        return store.store(response, bytes, for: key, reserved: draft.reserved)
    }

    func abandon() {
        let draft = state.withLock { state in
            state.isOver = true
            return state.draft.take()
        }
        if let draft { store.release(draft.reserved) }
    }
}
