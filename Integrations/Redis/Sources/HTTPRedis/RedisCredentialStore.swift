import HTTPCore
import HTTPFormats
import HTTPMiddleware

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The credentials in the server: a value and a lease for each key.
final class RedisCredentialStore: HTTPCredentialStore {
    private typealias Transform = @Sendable ([UInt8]) throws -> [UInt8]

    /// The time for which a credential without an expiry, or one that has expired and may have a
    /// refresh token, is kept.
    private static let life = 30 * 86_400.0

    private let connection: RedisConnection
    private let namespace: String
    private let seal: Transform
    private let open: Transform

    init(
        _ connection: RedisConnection, _ namespace: String,
        _ seal: @escaping @Sendable ([UInt8]) throws -> [UInt8],
        _ open: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) {
        self.connection = connection
        self.namespace = namespace
        self.seal = seal
        self.open = open
    }

    func credential(for key: String) async throws -> HTTPCredential? {
        let reply = try await connection.send([Data("GET".utf8), value(key)])
        guard let bytes = reply.bytes else { return nil }
        guard let opened = try? open(Array(bytes)),
            let stored = try? JSONDecoder().decode(StoredCredential.self, from: Data(opened))
        else { return nil }
        return try? stored.credential
    }

    func lease(_ key: String, for duration: Duration) async throws -> String? {
        let lease = "\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
        let reply = try await connection.send([
            Data("SET".utf8), self.lease(key), Data(lease.utf8), Data("NX".utf8), Data("PX".utf8),
            Int(max(1, min(duration / .milliseconds(1), 1e12))).data,
        ])
        return reply.isNull ? nil : lease
    }

    func store(
        _ credential: HTTPCredential, for key: String, lease: String
    ) async throws -> Bool {
        let json = try JSONEncoder().encode(StoredCredential(credential))
        let sealed = Data(try seal(Array(json)))
        let left = max(0, credential.expiry?.timeIntervalSinceNow ?? 0)
        let milliseconds = Int(min(left + Self.life, 1e9) * 1000)
        let reply = try await connection.run(
            .storeCredential, keys: [value(key), self.lease(key)],
            [Data(lease.utf8), sealed, milliseconds.data])
        return reply.integer == 1
    }

    func release(_ lease: String, of key: String) async throws {
        _ = try await connection.run(.releaseLease, keys: [self.lease(key)], [Data(lease.utf8)])
    }

    private func value(_ key: String) -> Data { Data("\(namespace):{c:\(key)}:value".utf8) }
    private func lease(_ key: String) -> Data { Data("\(namespace):{c:\(key)}:lease".utf8) }
}

/// A credential as JSON.
private struct StoredCredential: Codable {
    /// The scheme; `nil` for an API key.
    var scheme: String?
    var field: String
    /// The credentials without the scheme.
    var credentials: String
    var expiry: Double?
    var refreshToken: String?

    init(_ credential: HTTPCredential) {
        let authorization = credential.authorization
        scheme = authorization.scheme
        field = "\(authorization.fieldName)"
        let prefix = scheme.map { "\($0) ".utf8.count } ?? 0
        credentials = String(
            decoding: authorization.fieldValue.utf8.dropFirst(prefix), as: UTF8.self)
        expiry = credential.expiry?.timeIntervalSince1970
        refreshToken = credential.refreshToken
    }

    var credential: HTTPCredential {
        get throws {
            let authorization: Authorization
            if let scheme {
                authorization = try .scheme(scheme, credentials)
            } else {
                authorization = try .apiKey(credentials, in: HTTPHeaderName(field))
            }
            return HTTPCredential(
                authorization, expiry: expiry.map { Date(timeIntervalSince1970: $0) },
                refreshToken: refreshToken)
        }
    }
}
