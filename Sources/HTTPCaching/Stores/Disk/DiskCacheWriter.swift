import HTTPCore
import PortableFoundation

/// A writer of ``HTTPDiskCacheStore``.
final class DiskCacheWriter: HTTPCacheWriter {
    private struct State {
        /// Taken out by a call that works on it, so that ``abandon()`` never waits for the disk.
        var draft: DiskCacheDraft?
        var isOver = false
    }

    private let response: HTTPStoredResponse
    private let key: HTTPCacheKey
    private let room: Int64
    private let store: HTTPDiskCacheStore
    private let state: Locked<State>

    /// - Parameter room: The most bytes that the body may have.
    init(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey, _ draft: DiskCacheDraft, room: Int64,
        store: HTTPDiskCacheStore
    ) {
        self.response = response
        self.key = key
        self.room = room
        self.store = store
        state = Locked(State(draft: draft))
    }

    deinit { abandon() }

    @concurrent func append(_ bytes: Data) async throws -> Bool {
        guard var draft = state.withLock({ $0.draft.take() }) else { return false }
        let count = Int64(bytes.count)
        guard draft.length + count <= room, store.reserve(count) else {
            end(draft)
            return false
        }
        draft.reserved += count
        do throws(HTTPError) {
            try draft.append(bytes)
        } catch {
            end(draft)
            throw error
        }
        let written = draft
        let isOver = state.withLock { state in
            if !state.isOver { state.draft = written }
            return state.isOver
        }
        if isOver { store.discard(written) }
        return !isOver
    }

    @concurrent func commit(trailers: HTTPHeaders?) async throws -> HTTPStoredResponse? {
        let draft = state.withLock { state in
            state.isOver = true
            return state.draft.take()
        }
        guard var draft else { return nil }
        var response = response
        response.bodyLength = draft.length
        response.trailers = trailers
        guard DiskCacheEntry.headLength(of: response) <= DiskCacheEntry.headLimit else {
            store.discard(draft)
            return nil
        }
        do throws(HTTPError) {
            try draft.finish()
            guard try await store.commit(response, draft, for: key) else {
                store.discard(draft)
                return nil
            }
        } catch {
            store.discard(draft)
            throw error
        }
        return response
    }

    func abandon() {
        let draft = state.withLock { state in
            state.isOver = true
            return state.draft.take()
        }
        if let draft { store.discard(draft) }
    }

    private func end(_ draft: DiskCacheDraft) {
        abandon()
        store.discard(draft)
    }
}
