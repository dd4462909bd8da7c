public import HTTPCaching
public import HTTPMiddleware

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The shared state of a fleet on one server of Redis or Valkey: rates, pauses, credentials with
/// their lease, and stored responses.
///
/// ```swift
/// let redis = try HTTPRedis(HTTPRedisConfiguration(host: "redis.internal"))
/// let client = HTTPClient {
///     $0.rateLimits = [RateLimit(.tokenBucket(100), sharing: .init(redis.rates))]
///     $0.originPause = OriginPause(store: redis.pauses)
/// }
/// ```
///
/// One connection, on a thread of its own, carries the commands of all tasks; a second one listens
/// for pauses. Both are made when they are needed and again when they are lost. No answer is waited
/// for longer than ``HTTPRedisConfiguration/timeout``. What happens without an answer is said by
/// each policy.
///
/// Every key begins with the namespace and has an expiry. Keys hold origins and the keys that the
/// program chose; those of stored responses hold URLs with their query.
public final class HTTPRedis: Sendable {
    private let connection: RedisConnection
    /// The units of rates.
    public let rates: any HTTPRateStore
    /// The pauses.
    public let pauses: any HTTPPauseStore
    private let namespace: String

    /// Creates the stores. The first command makes the connection: a server that is not there yet
    /// is no error here.
    ///
    /// - Throws: `notConnected` if there are no more descriptors or threads.
    public init(
        _ configuration: HTTPRedisConfiguration = HTTPRedisConfiguration()
    ) throws(HTTPRedisError) {
        connection = try RedisConnection(configuration)
        namespace = configuration.namespace
        rates = RedisRateStore(connection, configuration.namespace)
        pauses = RedisPauseStore(connection, configuration)
    }

    /// Returns the store of credentials.
    ///
    /// - Parameters:
    ///   - seal: Encrypts a credential before it is sent to the server. By default it is stored as
    ///     JSON that anyone with access to the server can read.
    ///   - open: Decrypts what `seal` returned. What it throws, or text that it does not know,
    ///     counts as no credential.
    public func credentials(
        sealing seal: @escaping @Sendable ([UInt8]) throws -> [UInt8] = { $0 },
        opening open: @escaping @Sendable ([UInt8]) throws -> [UInt8] = { $0 }
    ) -> any HTTPCredentialStore {
        RedisCredentialStore(connection, namespace, seal, open)
    }

    /// Returns the store of responses.
    ///
    /// - Parameters:
    ///   - lifetime: The time after which a stored response is dropped if it is not revalidated.
    ///   - responseLimit: The most bytes of one body. A larger response is not stored.
    public func responses(
        lifetime: Duration = .seconds(86_400), responseLimit: Int = 1 << 20
    ) -> any HTTPCacheStore {
        RedisCacheStore(connection, namespace, lifetime, responseLimit)
    }

    /// Returns the time of one round trip.
    ///
    /// - Throws: ``HTTPRedisError`` if the server cannot be reached or refuses the credentials.
    public func ping() async throws(HTTPRedisError) -> Duration {
        let start = RedisInstant.now
        _ = try await connection.send([Data("PING".utf8)])
        return RedisInstant.now - start
    }

    /// Closes the connection. Commands that wait fail with `closed`, and so do later ones.
    public func close() { connection.close() }
}
