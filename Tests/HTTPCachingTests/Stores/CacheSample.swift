import HTTPCaching
import HTTPCore
import TestSupport
import Testing
import PortableFoundation

/// The kinds of stores that keep the contract of `HTTPCacheStore`.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, disk

    func make(limit: Int = 64 << 20, responseLimit: Int? = nil) throws -> TestStore {
        switch self {
        case .memory:
            return TestStore(HTTPMemoryCacheStore(limit: limit, responseLimit: responseLimit))
        case .disk:
            let folder = try DownloadFolder()
            let store = try HTTPDiskCacheStore(
                folder: folder.file("cache"), limit: Int64(limit),
                responseLimit: responseLimit.map { Int64($0) })
            return TestStore(store, folder)
        }
    }
}

/// A store under test, with its folder.
final class TestStore: Sendable {
    let store: any HTTPCacheStore
    private let folder: DownloadFolder?

    init(_ store: any HTTPCacheStore, _ folder: DownloadFolder? = nil) {
        self.store = store
        self.folder = folder
    }

    /// Waits until work in the background has ended.
    func settle() async { await (store as? HTTPDiskCacheStore)?.settle() }

    func usage() async throws -> (bytes: Int64, responses: Int) {
        switch store {
        case let store as HTTPMemoryCacheStore: return await store.usage()
        case let store as HTTPDiskCacheStore: return try await store.usage()
        default: throw HTTPError(.internalFailure, "an unknown store")
        }
    }
}

/// Values for the tests of stores.
enum CacheSample {
    static let key = key(0)

    static func key(_ number: Int, partition: String = "") -> HTTPCacheKey {
        HTTPCacheKey(partition: partition, url: "https://example.com/\(number)")
    }

    /// Returns an id for a number.
    static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    static func response(
        _ number: Int = 1, variant: String = "", date: Double = 0, _ headers: HTTPHeaders = [:]
    ) -> HTTPStoredResponse {
        var all: HTTPHeaders = ["Content-Type": "text/plain", "ETag": "\"\(number)\""]
        all.append(contentsOf: headers)
        return HTTPStoredResponse(
            id: id(number), status: .ok, headers: all, selectingFields: ["accept", "cookie"],
            variant: variant, requestDate: Date(timeIntervalSince1970: date),
            responseDate: Date(timeIntervalSince1970: date + 0.25))
    }

    /// Returns bytes that differ for each seed.
    static func bytes(_ count: Int, _ seed: Int = 1) -> Data {
        var random = SeededRandom(UInt64(seed))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let word = random.next()
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return Data(bytes.prefix(count))
    }
}

extension HTTPCacheStore {
    /// Stores a whole response, in pieces.
    ///
    /// - Parameter settling: `true` to wait for a sweep that this begins. A test that changes files
    ///   must not change them under a sweep.
    @discardableResult
    func store(
        _ response: HTTPStoredResponse, _ bytes: Data, for key: HTTPCacheKey = CacheSample.key,
        length: Int64? = nil, trailers: HTTPHeaders? = nil, settling: Bool = true
    ) async throws -> HTTPStoredResponse? {
        guard let writer = try await beginStoring(response, for: key, length: length) else {
            return nil
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            guard try await writer.append(Data(rest.prefix(10_000))) else { return nil }
            rest = rest.dropFirst(10_000)
        }
        let stored = try await writer.commit(trailers: trailers)
        if settling { await (self as? HTTPDiskCacheStore)?.settle() }
        return stored
    }

    /// Returns the bytes of the stored response with this id; `nil` if there is none.
    func bytes(of number: Int, for key: HTTPCacheKey = CacheSample.key) async throws -> Data? {
        let id = CacheSample.id(number)
        guard let response = try await responses(for: key).first(where: { $0.id == id }) else {
            return nil
        }
        return try await body(of: response, for: key)?.collect(upTo: .max)
    }

    /// The ids of the stored responses, sorted.
    func ids(for key: HTTPCacheKey = CacheSample.key) async throws -> [String] {
        try await responses(for: key).map(\.id).sorted()
    }
}
