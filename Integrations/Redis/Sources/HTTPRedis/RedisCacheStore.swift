import HTTPCaching
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The stored responses in the server: for each key a hash of the metadata by id, and a string for
/// each body. A body is read and written as a whole, so it has a limit.
final class RedisCacheStore: HTTPCacheStore {
    private static let variantLimit = 16

    private let connection: RedisConnection
    private let namespace: String
    private let milliseconds: Int
    private let responseLimit: Int

    init(
        _ connection: RedisConnection, _ namespace: String, _ lifetime: Duration,
        _ responseLimit: Int
    ) {
        self.connection = connection
        self.namespace = namespace
        milliseconds = Int(max(1, min(lifetime / .milliseconds(1), 1e12)))
        self.responseLimit = max(0, min(responseLimit, 256 << 20))
    }

    func responses(for key: HTTPCacheKey) async throws -> [HTTPStoredResponse] {
        let all = try await connection.send([Data("HGETALL".utf8), index(key)]).array ?? []
        return stride(from: 0, to: all.count - 1, by: 2).compactMap { place in
            guard let id = all[place].text, let entry = all[place + 1].bytes,
                let end = entry.firstIndex(of: UInt8(ascii: "\n"))
            else { return nil }
            let json = Data(entry[entry.index(after: end)...])
            return (try? JSONDecoder().decode(Metadata.self, from: json))?.response(id)
        }
    }

    func body(of response: HTTPStoredResponse, for key: HTTPCacheKey) async throws -> HTTPBody? {
        let reply = try await connection.send([Data("GET".utf8), body(response.id, key)])
        // A body of another length is not the one that was stored.
        guard let bytes = reply.bytes, Int64(bytes.count) == response.bodyLength
        else { return nil }
        return HTTPBody(bytes, trailers: response.trailers)
    }

    func beginStoring(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey, length: Int64?
    ) async throws -> (any HTTPCacheWriter)? {
        guard length ?? 0 <= Int64(responseLimit) else { return nil }
        return Writer(self, response, key)
    }

    func update(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async throws {
        let metadata = try JSONEncoder().encode(Metadata(response))
        _ = try await connection.run(
            .updateResponse, keys: [index(key)],
            [
                Data(response.id.utf8), Data(response.variant.utf8), metadata, milliseconds.data,
                body(response.id, key),
            ])
    }

    func remove(_ key: HTTPCacheKey) async throws {
        _ = try await connection.run(
            .removeResponses, keys: [index(key)], [body("", key), Data()])
    }

    func remove(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async throws {
        _ = try await connection.run(
            .removeResponses, keys: [index(key)], [body("", key), Data(response.id.utf8)])
    }

    func removeAll() async throws {
        var cursor = Data("0".utf8)
        repeat {
            let reply = try await connection.send([
                Data("SCAN".utf8), cursor, Data("MATCH".utf8), Data("\(pattern)*".utf8),
                Data("COUNT".utf8), 500.data,
            ])
            guard let parts = reply.array, parts.count == 2, let next = parts[0].bytes,
                let keys = parts[1].array
            else { throw HTTPRedisError.unexpectedReply }
            if !keys.isEmpty {
                _ = try await connection.send([Data("UNLINK".utf8)] + keys.compactMap(\.bytes))
            }
            cursor = next
        } while cursor != Data("0".utf8)
    }

    fileprivate func commit(
        _ response: HTTPStoredResponse, _ bytes: Data, _ key: HTTPCacheKey
    ) async throws -> HTTPStoredResponse? {
        let metadata = try JSONEncoder().encode(Metadata(response))
        _ = try await connection.run(
            .storeResponse, keys: [index(key), body(response.id, key)],
            [
                Data(response.id.utf8), Data(response.variant.utf8), metadata, bytes,
                milliseconds.data, body("", key), Self.variantLimit.data,
            ])
        return response
    }

    // MARK: Keys

    /// The beginning of all keys, with the characters quoted that `SCAN` gives a meaning.
    private var pattern: String {
        let special = "*?[]\\"
        return namespace.reduce(into: "") { text, character in
            if special.contains(character) { text.append("\\") }
            text.append(character)
        } + ":{s:"
    }

    private func index(_ key: HTTPCacheKey) -> Data {
        Data("\(namespace):{s:\(key.partition) \(key.url)}".utf8)
    }

    private func body(_ id: String, _ key: HTTPCacheKey) -> Data {
        index(key) + Data(":\(id)".utf8)
    }

    // MARK: Values

    /// A stored response without its id, as JSON.
    private struct Metadata: Codable {
        var status: Int
        var headers: [[String]]
        var selectingFields: [String]
        var variant: String
        var requestDate: Double
        var responseDate: Double
        var bodyLength: Int64
        var trailers: [[String]]?

        init(_ response: HTTPStoredResponse) {
            func pairs(_ headers: HTTPHeaders) -> [[String]] {
                headers.map { ["\($0.name)", $0.value] }
            }
            status = response.status.code
            headers = pairs(response.headers)
            selectingFields = response.selectingFields
            variant = response.variant
            requestDate = response.requestDate.timeIntervalSince1970
            responseDate = response.responseDate.timeIntervalSince1970
            bodyLength = response.bodyLength
            trailers = response.trailers.map(pairs)
        }

        func response(_ id: String) -> HTTPStoredResponse? {
            func fields(_ pairs: [[String]]) -> HTTPHeaders? {
                var headers = HTTPHeaders()
                for pair in pairs {
                    guard pair.count == 2,
                        (try? headers.append(HTTPHeaderName(pair[0]), pair[1])) != nil
                    else { return nil }
                }
                return headers
            }
            guard let status = HTTPStatus(code: status), let headers = fields(headers)
            else { return nil }
            return HTTPStoredResponse(
                id: id, status: status, headers: headers, selectingFields: selectingFields,
                variant: variant, requestDate: Date(timeIntervalSince1970: requestDate),
                responseDate: Date(timeIntervalSince1970: responseDate), bodyLength: bodyLength,
                trailers: trailers.flatMap(fields))
        }
    }

    /// Keeps the body until it is complete, and then stores the response in one step.
    private final class Writer: HTTPCacheWriter {
        private struct State {
            var bytes = Data()
            var isOver = false
        }

        private let store: RedisCacheStore
        private let response: HTTPStoredResponse
        private let key: HTTPCacheKey
        private let state = RedisState(State())

        init(_ store: RedisCacheStore, _ response: HTTPStoredResponse, _ key: HTTPCacheKey) {
            self.store = store
            self.response = response
            self.key = key
        }

        func append(_ bytes: Data) async throws -> Bool {
            state.withLock { state in
                guard !state.isOver, state.bytes.count + bytes.count <= store.responseLimit else {
                    state = State(isOver: true)
                    return false
                }
                state.bytes.append(bytes)
                return true
            }
        }

        func commit(trailers: HTTPHeaders?) async throws -> HTTPStoredResponse? {
            let bytes = state.withLock { state -> Data? in
                guard !state.isOver else { return nil }
                defer { state = State(isOver: true) }
                return state.bytes
            }
            guard let bytes else { return nil }
            var response = response
            response.bodyLength = Int64(bytes.count)
            response.trailers = trailers
            return try await store.commit(response, bytes, key)
        }

        func abandon() { state.withLock { $0 = State(isOver: true) } }
    }
}
