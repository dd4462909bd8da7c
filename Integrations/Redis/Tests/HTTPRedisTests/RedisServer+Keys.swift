import Foundation
import RedisServers

@testable import HTTPRedis

extension RedisServer {
    /// Returns all keys, and the milliseconds until each expires.
    func keys() async throws -> [(name: String, milliseconds: Int64)] {
        let connection = try RedisConnection(HTTPRedisConfiguration(unixSocket: socket))
        let names = try await connection.send([Data("KEYS".utf8), Data("*".utf8)]).array ?? []
        var keys: [(name: String, milliseconds: Int64)] = []
        for name in names.compactMap(\.bytes) {
            let left = try await connection.send([Data("PTTL".utf8), name]).integer ?? -1
            keys.append((String(decoding: name, as: UTF8.self), left))
        }
        return keys
    }
}
