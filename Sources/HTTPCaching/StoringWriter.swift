import HTTPCore
import PortableFoundation

/// The writer of a response that is being stored, for the cache: counts bytes and failures, and
/// drops a response whose key was invalidated meanwhile.
struct StoringWriter: Sendable {
    let cache: HTTPCache
    let writer: any HTTPCacheWriter
    let key: HTTPCacheKey
    /// The invalidations that were known when the request was sent.
    let moment: UInt64

    /// - Returns: `false` if the response is no longer stored.
    func append(_ bytes: Data) async -> Bool {
        do {
            return try await writer.append(bytes)
        } catch {
            cache.count(error)
            writer.abandon()
            return false
        }
    }

    /// Makes the response visible, if nothing has invalidated its key.
    ///
    /// - Returns: `false` if it is not stored.
    @discardableResult
    func commit(trailers: HTTPHeaders?) async -> Bool {
        guard cache.isValid(key, since: moment) else {
            writer.abandon()
            return false
        }
        do {
            guard let stored = try await writer.commit(trailers: trailers) else { return false }
            cache.pending.noteStored(key)
            cache.count {
                $0.stored += 1
                $0.bytesStored += stored.bodyLength
            }
            // An invalidation may have come between the check and the commit.
            guard cache.isValid(key, since: moment) else {
                await cache.drop(stored, key)
                return false
            }
            return true
        } catch {
            cache.count(error)
            writer.abandon()
            return false
        }
    }

    func abandon() { writer.abandon() }
}
