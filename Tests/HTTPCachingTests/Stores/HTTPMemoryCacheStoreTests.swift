import HTTPCaching
import HTTPCore
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPMemoryCacheStoreTests {
    private typealias Sample = CacheSample

    @Test func `the keys that were used least recently are dropped first`() async throws {
        let store = HTTPMemoryCacheStore(limit: 60_000)
        for number in 0..<5 {
            try await store.store(
                Sample.response(number), Sample.bytes(10_000), for: Sample.key(number))
        }
        #expect(await store.responses(for: Sample.key(0)).count == 1)
        for number in 5..<8 {
            try await store.store(
                Sample.response(number), Sample.bytes(10_000), for: Sample.key(number))
        }
        var kept: [Int] = []
        for number in 0..<8 where await !store.responses(for: Sample.key(number)).isEmpty {
            kept.append(number)
        }
        #expect(kept == [0, 4, 5, 6, 7])
    }

    @Test func `the store never takes more than its limit`() async throws {
        let store = HTTPMemoryCacheStore(limit: 200_000)
        var random = SeededRandom(7)
        for number in 0..<TestCounts.scaled(20_000) {
            let key = Sample.key(Int(random.next() % 40))
            let length = Int(random.next() % 60_000)
            let response = Sample.response(number, variant: "\(random.next() % 20)")
            let announced = random.next() % 2 == 0 ? Int64(length) : nil
            try await store.store(response, Data(count: length), for: key, length: announced)
            let usage = await store.usage()
            #expect(usage.bytes <= 200_000)
        }
        #expect(await store.usage().responses > 0)
        await store.removeAll()
        #expect(await store.usage() == (0, 0))
    }

    @Test func `many variants of one key do not exceed the limit`() async throws {
        let store = HTTPMemoryCacheStore(limit: 100_000)
        for number in 0..<16 {
            let response = Sample.response(number, variant: "\(number)", date: Double(number))
            #expect(try await store.store(response, Sample.bytes(20_000)) != nil)
            #expect(await store.usage().bytes <= 100_000)
        }
        #expect(try await store.ids() == [12, 13, 14, 15].map(Sample.id))
    }

    @Test func `responses without a body count too`() async throws {
        let store = HTTPMemoryCacheStore(limit: 100_000)
        for number in 0..<1000 {
            try await store.store(Sample.response(number), Data(), for: Sample.key(number))
        }
        let usage = await store.usage()
        #expect(usage.bytes <= 100_000)
        #expect((30...100).contains(usage.responses))
    }

    @Test func `unfinished responses take at most half of the limit`() async throws {
        let store = HTTPMemoryCacheStore(limit: 1 << 20)
        try await store.store(Sample.response(1), Sample.bytes(200_000))
        var writers: [any HTTPCacheWriter] = []
        for number in 0..<1000 {
            let writer = await store.beginStoring(
                Sample.response(number), for: Sample.key(number), length: 250_000)
            guard let writer, try await writer.append(Data(count: 10_000)) else { continue }
            writers.append(writer)
            #expect(await store.usage().bytes <= 1 << 20)
        }
        #expect((20...100).contains(writers.count))
        #expect(try await store.bytes(of: 1) != nil)
        writers = []
        #expect(await store.usage().responses == 1)
        #expect(await store.usage().bytes < 210_000)
    }

    @Test func `a hit returns bytes that can be read again`() async throws {
        let store = HTTPMemoryCacheStore()
        let stored = try #require(try await store.store(Sample.response(), Sample.bytes(1000)))
        let body = try #require(await store.body(of: stored, for: Sample.key))
        #expect(body.replay == .always)
        #expect(body.bytes == Sample.bytes(1000))
    }

    @Test func `a small piece does not keep a large buffer alive`() async throws {
        let store = HTTPMemoryCacheStore()
        let stored: HTTPStoredResponse?
        let released = Locked(false)
        do {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 1)
            let buffer = unsafe Data(
                bytesNoCopy: memory, count: 1 << 20,
                deallocator: .custom { memory, _ in
                    unsafe memory.deallocate()
                    released.withLock { $0 = true }
                })
            let writer = try #require(
                await store.beginStoring(Sample.response(), for: Sample.key, length: nil))
            #expect(try await writer.append(buffer[100..<200]))
            stored = try await writer.commit(trailers: nil)
        }
        #expect(stored?.bodyLength == 100)
        #expect(released.withLock { $0 })
    }
}
