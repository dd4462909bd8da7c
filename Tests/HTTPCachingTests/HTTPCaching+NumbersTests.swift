import HTTPCaching
import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Uses every number of the target that comes from a caller, a server or a store at the edges of
/// its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPCachingNumbersTests {
    private static let numbers = [
        "-9223372036854775809", "-1", "0", "1", "2147483648", "9223372036854775807",
        "9223372036854775808", "18446744073709551616", "1.5", "nan", "",
        String(repeating: "9", count: 400),
    ]

    /// A store that returns one response, whatever it is asked for.
    private struct AnyStore: HTTPCacheStore {
        let stored: HTTPStoredResponse

        func responses(for key: HTTPCacheKey) async -> [HTTPStoredResponse] { [stored] }
        func body(of response: HTTPStoredResponse, for key: HTTPCacheKey) async -> HTTPBody? {
            HTTPBody("text")
        }
        func beginStoring(
            _ response: HTTPStoredResponse, for key: HTTPCacheKey, length: Int64?
        ) async -> (any HTTPCacheWriter)? { nil }
        func update(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async {}
        func remove(_ key: HTTPCacheKey) async {}
        func remove(_ response: HTTPStoredResponse, for key: HTTPCacheKey) async {}
        func removeAll() async {}
    }

    private func requests() throws -> [HTTPRequest] {
        let plain = try HTTPRequest(.get, "https://h/")
        var requests = [plain]
        for (name, value) in [
            ("Range", "bytes=0-9223372036854775806"), ("Range", "bytes=-9223372036854775807"),
            ("Cache-Control", "max-stale"), ("Cache-Control", "min-fresh=2147483648"),
            ("Cache-Control", "max-age=2147483648, max-stale=2147483648"),
        ] {
            var request = plain
            request.headers[HTTPHeaderName(name)] = value
            requests.append(request)
        }
        return requests
    }

    private func send(_ store: any HTTPCacheStore, to mock: MockSession) async throws {
        let clock = HTTPTestClock()
        let cache = HTTPCache(store: store)
        for request in try requests() {
            for _ in 0..<2 {
                let call = try request.delivery(.buffered(upTo: 100)).beginningCall(clock: clock)
                _ = try? await mock.with(cache).response(for: call)
                clock.advance(by: .seconds(1 << 40))
            }
        }
        _ = cache.statistics
    }

    private let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("text"), to: $0) }

    @Test func `a server may name any age, lifetime and date`() async throws {
        for first in Self.numbers {
            for second in Self.numbers {
                let mock = MockSession { request in
                    HTTPResponse(
                        .ok,
                        headers: [
                            "Age": first, "Expires": second, "ETag": "\"a\"",
                            "Cache-Control":
                                "max-age=\(first), stale-while-revalidate=\(second), "
                                + "stale-if-error=\(first)",
                            "Date": "Fri, 31 Dec 9999 23:59:59 GMT",
                        ], body: HTTPBody("text"), to: request)
                }
                try await send(HTTPMemoryCacheStore(), to: mock)
            }
        }
    }

    @Test(arguments: Extremes.lengths)
    func `a store may return any length and any date`(length: Int64) async throws {
        let dates = [
            Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .nan),
            Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: -.infinity),
            HTTPTestClock.standardDate,
        ]
        for requested in dates {
            for received in dates {
                for age in ["", "2147483648"] {
                    let stored = HTTPStoredResponse(
                        id: String(repeating: "0", count: 32), status: .ok,
                        headers: [
                            "Cache-Control": "max-age=2147483648", "Age": age,
                            "Content-Length": "\(length)",
                        ], requestDate: requested, responseDate: received, bodyLength: length)
                    try await send(AnyStore(stored: stored), to: mock)
                }
            }
        }
    }

    @Test(arguments: Extremes.counts)
    func `a store in memory has any limit`(count: Int) async throws {
        let mock = MockSession { request in
            HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=9"],
                body: HTTPBody(
                    source: PieceSource(), length: Int64(clamping: count)), to: request)
        }
        for responseLimit in [nil] + Extremes.counts.map(Optional.init) {
            let store = HTTPMemoryCacheStore(limit: count, responseLimit: responseLimit)
            try await send(store, to: mock)
        }
    }

    private final class PieceSource: HTTPBodySource {
        private let isOver = Locked(false)

        func next() async throws -> Data? {
            let wasOver = isOver.withLock { isOver in
                defer { isOver = true }
                return isOver
            }
            return wasOver ? nil : Data("text".utf8)
        }
        func abandon() {}
    }

    @Test(arguments: Extremes.lengths)
    func `a store on the disk has any limit`(length: Int64) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "cache-numbers-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for responseLimit in [nil] + Extremes.lengths.map(Optional.init) {
            let store = try HTTPDiskCacheStore(
                folder: folder, limit: length, responseLimit: responseLimit)
            let mock = MockSession { request in
                HTTPResponse(
                    .ok, headers: ["Cache-Control": "max-age=9", "Content-Length": "\(length)"],
                    body: HTTPBody(source: PieceSource(), length: length), to: request)
            }
            try await send(store, to: mock)
        }
    }
}
