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

    enum Place {
        case leader
        case follower(Followers)
    }

    private let entries = Locked([HTTPCacheKey: Entry]())

    /// The number of requests that wait for others.
    var waiterCount: Int {
        entries.withLock { entries in
            entries.values.compactMap {
                if case .followed(let followers) = $0 { followers } else { nil }
            }
        }.map(\.gate.waiterCount).reduce(0, +)
    }

    /// Begins to lead, unless another request leads.
    ///
    /// - Returns: `true` if the caller leads; it must call ``end(_:cancelled:)``.
    func lead(_ key: HTTPCacheKey) -> Bool {
        entries.withLock { entries in
            guard entries[key] == nil else { return false }
            entries[key] = .leading
            return true
        }
    }

    /// Takes the place of a request: the leader calls ``end(_:cancelled:)`` later.
    func enter(_ key: HTTPCacheKey) -> Place {
        entries.withLock { entries in
            switch entries[key] {
            case nil:
                entries[key] = .leading
                return .leader
            case .leading:
                let followers = Followers()
                entries[key] = .followed(followers)
                return .follower(followers)
            case .followed(let followers): return .follower(followers)
            }
        }
    }

    /// Ends the leader's request.
    func end(_ key: HTTPCacheKey, cancelled: Bool) {
        let entry = entries.withLock { $0.removeValue(forKey: key) }
        guard case .followed(let followers) = entry else { return }
        followers.release(orphaned: cancelled)
    }
}
