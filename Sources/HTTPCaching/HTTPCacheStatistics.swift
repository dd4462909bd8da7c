/// The numbers of an ``HTTPCache`` since it was made. Each request that does not end while it waits
/// for another one counts in exactly one of
/// ``hits``, ``staleHits``, ``revalidated``, ``misses`` and ``bypassed``.
public struct HTTPCacheStatistics: Hashable, Sendable {
    /// Responses served fresh, without asking the origin.
    public var hits = 0
    /// Responses served although they were stale: while they were revalidated, in the place of an
    /// error, or because the request allowed it.
    public var staleHits = 0
    /// Stored responses that the origin confirmed with a 304.
    public var revalidated = 0
    /// Requests that the origin answered, or that failed.
    public var misses = 0
    /// Requests that passed by the cache.
    public var bypassed = 0
    /// Hits after waiting for the request of another call.
    public var collapsed = 0
    /// Revalidations in the background.
    public var backgroundRevalidations = 0
    /// Responses stored.
    public var stored = 0
    /// URLs that requests with an unsafe method have invalidated, whether or not a response was
    /// stored.
    public var invalidated = 0
    /// Bytes of bodies served from the store.
    public var bytesServed: Int64 = 0
    /// Bytes of bodies written to the store.
    public var bytesStored: Int64 = 0
    /// Errors of the store. The calls went on without it.
    public var storeFailures = 0
    /// The last error of the store.
    public var lastStoreFailure: String?

    /// Creates statistics whose counts are zero.
    public init() {}
}
