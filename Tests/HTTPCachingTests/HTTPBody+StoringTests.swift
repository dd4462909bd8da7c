import HTTPCaching
import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPBodyStoringTests {
    /// A source that counts the pieces that were asked for.
    private final class Counting: HTTPBodySource {
        private let left: Locked<Int>
        private let asked = Locked(0)
        let trailers: HTTPHeaders?

        init(_ count: Int, trailers: HTTPHeaders? = nil) {
            left = Locked(count)
            self.trailers = trailers
        }

        var askedFor: Int { asked.withLock { $0 } }

        func next() async throws -> Data? {
            asked.withLock { $0 += 1 }
            let isOver = left.withLock { left in
                left -= 1
                return left < 0
            }
            return isOver ? nil : Data(repeating: 7, count: 1 << 10)
        }

        func abandon() {}
    }

    private func origin(_ source: Counting) -> CachedOrigin {
        CachedOrigin { request, _ in
            HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody(source: source),
                to: request)
        }
    }

    @Test func `a piece is fetched when the caller asks for it, and not before`() async throws {
        let source = Counting(10)
        let origin = origin(source)
        let response = try await origin.session.response(for: origin.request())
        #expect(source.askedFor == 0)
        var iterator = response.body.makeAsyncIterator()
        for number in 1...3 {
            _ = try await iterator.next()
            #expect(source.askedFor == number)
        }
    }

    @Test func `the response is stored when its last byte was read, with its trailers`()
        async throws
    {
        let source = Counting(3, trailers: ["X-Sum": "1"])
        let origin = origin(source)
        let response = try await origin.session.response(for: origin.request())
        #expect(response.timeline.cacheStatuses.last?.isStored == true)
        #expect(origin.cache.statistics.stored == 0)
        #expect(try await response.body.collect().count == 3 << 10)
        #expect(response.trailers == ["X-Sum": "1"])
        #expect(origin.cache.statistics.stored == 1)
        let hit = try await origin.session.response(for: origin.request())
        #expect(try await hit.body.collect() == Data(repeating: 7, count: 3 << 10))
        #expect(hit.trailers == ["X-Sum": "1"])
        #expect(origin.count == 1)
    }

    @Test func `a body that becomes too large for the store still reaches the caller`()
        async throws
    {
        let source = Counting(100)
        let origin = CachedOrigin(store: HTTPMemoryCacheStore(limit: 16 << 10)) { request, _ in
            HTTPResponse(
                .ok, headers: ["Cache-Control": "max-age=60"], body: HTTPBody(source: source),
                to: request)
        }
        let response = try await origin.session.response(for: origin.request())
        #expect(try await response.body.collect().count == 100 << 10)
        #expect(origin.cache.statistics.stored == 0 && origin.cache.statistics.storeFailures == 0)
    }

    @Test func `a body that is dropped unread is not stored`() async throws {
        let origin = origin(Counting(3))
        do { _ = try await origin.session.response(for: origin.request()) }
        #expect(origin.cache.statistics.stored == 0)
    }
}
