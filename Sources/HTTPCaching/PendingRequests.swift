import HTTPCore
import Synchronization

/// The keys for which a request is under way, so that another request for the same key waits for
/// its result instead of being sent.
///
/// The first request leads. It runs in its caller's own task: a request that nothing waits for
/// costs one entry in a table. Others wait until its response is stored or cannot be. They look
/// into the store again then, and are sent themselves if they find nothing: a response that may
/// not be stored is never given to another caller (RFC 9111 §4).
final class PendingRequests: Sendable {
    /// The requests that wait for a leader.
    final class Followers: Sendable {
        let gate = Gate()
        private let orphaned = Atomic(false)

        /// `true` if the leader was cancelled, so that one of these leads next.
        var areOrphaned: Bool { orphaned.load(ordering: .acquiring) }

        fileprivate func release(orphaned isOrphaned: Bool) {
            if isOrphaned { orphaned.store(true, ordering: .releasing) }
            gate.open()
        }
    }

    private enum Entry {
        case leading
        case followed(Followers)
    }

    private struct State {
        var entries: [HTTPCacheKey: Entry] = [:]
        /// The keys whose last response was not stored: it helps no request to wait for the next.
        var unstored: Set<HTTPCacheKey> = []
        /// The keys that are revalidated in the background.
        var revalidated: Set<HTTPCacheKey> = []
    }

    enum Place {
        case leader
        case follower(Followers)
        /// The request neither waits nor lets others wait.
        case none
    }

    /// The end of a leader's request.
    enum End {
        case stored
        case unstored
        /// The response is being stored while its caller reads it, or there is none.
        case open
        case cancelled
    }

    private static let unstoredLimit = 1024

    private let state = Locked(State())

    /// The number of requests that wait for others.
    var waiterCount: Int {
        state.withLock { state in
            state.entries.values.compactMap {
                if case .followed(let followers) = $0 { followers } else { nil }
            }
        }.map(\.gate.waiterCount).reduce(0, +)
    }

    /// The number of revalidations in the background.
    var revalidationCount: Int { state.withLock { $0.revalidated.count } }

    /// Takes the place of a request. A leader calls ``end(_:_:)`` later.
    func enter(_ key: HTTPCacheKey) -> Place {
        state.withLock { state in
            switch state.entries[key] {
            case nil:
                guard !state.unstored.contains(key) else { return .none }
                state.entries[key] = .leading
                return .leader
            case .leading:
                let followers = Followers()
                state.entries[key] = .followed(followers)
                return .follower(followers)
            case .followed(let followers): return .follower(followers)
            }
        }
    }

    /// Ends the leader's request.
    func end(_ key: HTTPCacheKey, _ end: End) {
        let entry = state.withLock { state in
            switch end {
            case .unstored:
                if state.unstored.count >= Self.unstoredLimit { state.unstored.removeAll() }
                state.unstored.insert(key)
            case .stored: state.unstored.remove(key)
            case .open, .cancelled: break
            }
            return state.entries.removeValue(forKey: key)
        }
        guard case .followed(let followers) = entry else { return }
        followers.release(orphaned: end == .cancelled)
    }

    /// Notes that the response for a key was stored, whichever request it was for.
    func noteStored(_ key: HTTPCacheKey) { _ = state.withLock { $0.unstored.remove(key) } }

    // MARK: In the background

    /// Begins to revalidate in the background, unless this is under way for the key.
    ///
    /// - Returns: `true` if the caller revalidates; it must call ``endRevalidation(_:)``.
    func beginRevalidation(_ key: HTTPCacheKey) -> Bool {
        state.withLock { $0.revalidated.insert(key).inserted }
    }

    func endRevalidation(_ key: HTTPCacheKey) {
        _ = state.withLock { $0.revalidated.remove(key) }
    }
}

/// The work of a leader. A request within it, such as one for a token, never waits for another
/// one: that might wait for the leader.
enum CacheLead {
    @TaskLocal static var isLeading = false
}
