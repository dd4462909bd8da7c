import HTTPCaching
import HTTPCore

/// A memory store that asks a hook before each operation.
final class HookedStore: HTTPCacheStore {
    enum Operation: Hashable {
        case responses, body, beginStoring, update, remove, removeAll
    }

    typealias Hook =
        @Sendable (Operation, HTTPCacheKey?, HTTPStoredResponse?) throws -> Void

    private let current = Locked(HTTPMemoryCacheStore())
    private let hook: Hook

    init(_ hook: @escaping Hook) { self.hook = hook }

    /// Loses everything that is stored.
    func crash() { current.withLock { $0 = HTTPMemoryCacheStore() } }

    private func store(
        _ operation: Operation, _ key: HTTPCacheKey? = nil, _ response: HTTPStoredResponse? = nil
    ) throws -> HTTPMemoryCacheStore {
        try hook(operation, key, response)
        return current.withLock { $0 }
    }

    func responses(for key: HTTPCacheKey) async throws -> [HTTPStoredResponse] {
        try await store(.responses, key).responses(for: key)
    }
    func body(of response: HTTPStoredResponse, for key: HTTPCacheKey) async throws -> HTTPBody? {
        try await store(.body, key, response).body(of: response, for: key)
    }
    func beginStoring(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey, length: Int64?
    ) async throws -> (any HTTPCacheWriter)? {
        try await store(.beginStoring, key, response)
            .beginStoring(response, for: key, length: length)
    }
    func update(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async throws {
        try await store(.update, key, response).update(response, for: key)
    }
    func remove(_ key: HTTPCacheKey) async throws {
        try await store(.remove, key).remove(key)
    }
    func remove(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async throws {
        try await store(.remove, key, response).remove(response, for: key)
    }
    func removeAll() async throws { try await store(.removeAll).removeAll() }
}
