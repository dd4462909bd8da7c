public import HTTPCore
public import PortableFoundation

/// A store of responses for ``HTTPCache``: in memory, on a disk, or in a server.
///
/// A store keeps what it is given and decides nothing about its use. It may drop any response at
/// any time. It must never return bytes that differ from those that were stored for this key: if it
/// cannot prove that they are the same, it returns nothing.
///
/// The cache waits for its store. A store that may be slow or unreachable, such as one in a server,
/// bounds the time of each answer itself, and throws when it is over.
///
/// An error that a method throws is not an error of the call. The cache counts it
/// (``HTTPCacheStatistics/storeFailures``) and goes on as if nothing were stored. All methods may
/// be called from several tasks at once.
public protocol HTTPCacheStore: Sendable {
    /// Returns the responses stored for a key, one for each variant, in any order. The stores of
    /// this package keep 16 variants of a key. This counts as a use of the key, for a store that
    /// drops what was used least recently.
    func responses(for key: HTTPCacheKey) async throws -> [HTTPStoredResponse]

    /// Returns the body of a stored response, or `nil` if the response is no longer stored.
    ///
    /// A body that is not in memory is read from the store while the caller reads it. It stays
    /// readable to its end even if the response is removed meanwhile, and ends with the response's
    /// trailers.
    func body(
        of response: HTTPStoredResponse, for key: HTTPCacheKey
    ) async throws -> HTTPBody?

    /// Begins to store a response. It becomes visible when the writer commits, and then replaces
    /// the response of the same variant.
    ///
    /// - Parameters:
    ///   - response: The response to store, without its body.
    ///   - key: The key that it is found under.
    ///   - length: The expected length of the body in bytes, if it is known.
    /// - Returns: `nil` if the store does not take the response, because it is too large for
    ///   example.
    func beginStoring(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey, length: Int64?
    ) async throws -> (any HTTPCacheWriter)?

    /// Replaces the header section, the dates and the trailers of a stored response after a
    /// revalidation. Does nothing if no response with this ``HTTPStoredResponse/id`` is stored.
    func update(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async throws

    /// Removes all responses of a key.
    func remove(_ key: HTTPCacheKey) async throws

    /// Removes one response, if it is still stored.
    func remove(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async throws

    /// Removes all responses.
    func removeAll() async throws
}

/// A response that is being stored. Calls of ``append(_:)`` and ``commit(trailers:)`` never
/// overlap.
///
/// Releasing the writer before ``commit(trailers:)`` has the effect of ``abandon()``.
public protocol HTTPCacheWriter: AnyObject, Sendable {
    /// Adds bytes to the body.
    ///
    /// - Returns: `false` if the store no longer takes the response, because it has become too
    ///   large for example; the writer is abandoned then.
    func append(_ bytes: Data) async throws -> Bool

    /// Makes the whole response visible.
    ///
    /// - Parameter trailers: The trailer section, if there was one.
    /// - Returns: The response as it is stored, with the length of its body, or `nil` if the store
    ///   did not take it.
    func commit(trailers: HTTPHeaders?) async throws -> HTTPStoredResponse?

    /// Drops the response. May be called from any thread and at any time, more than once; never
    /// blocks.
    func abandon()
}
