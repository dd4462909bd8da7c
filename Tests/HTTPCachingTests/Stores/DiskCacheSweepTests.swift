import HTTPCaching
import HTTPCore
import HTTPHashing
import TestSupport
import Testing
import PortableFoundation

@Suite struct DiskCacheSweepTests {
    private typealias Sample = CacheSample
    private typealias Folder = DiskCacheTestFolder

    @Test func `the keys that were used least recently are removed down to nine tenths`()
        async throws
    {
        let folder = try Folder()
        let large = try folder.open()
        for number in 0..<50 {
            let length = number % 5 == 0 ? 50_000 : 1000
            try await large.store(
                Sample.response(number), Sample.bytes(length), for: Sample.key(number))
        }
        await large.settle()
        // Key 0 was used last.
        for (age, number) in (0..<50).reversed().enumerated() {
            try Folder.setAge(1000 - age * 10, of: try entry(of: Sample.key(number), in: folder))
        }
        let total = try await large.usage().bytes
        let store = try folder.open(limit: total * 2 / 3)
        let left = try #require(try await store.sweep())
        #expect(left == (try await store.usage().bytes))
        #expect(left <= total * 6 / 10 && left > total / 2)
        var kept: [Int] = []
        for number in 0..<50 where try await store.bytes(of: number, for: Sample.key(number)) != nil
        {
            kept.append(number)
        }
        #expect(kept == Array(0..<kept.count) && kept.count < 50)
        #expect(try folder.files(".body").count == (kept.count + 4) / 5)
    }

    @Test func `a lookup keeps a key from being removed`() async throws {
        let folder = try Folder()
        let large = try folder.open()
        for number in 0..<20 {
            let key = Sample.key(number)
            try await large.store(Sample.response(number), Sample.bytes(1000), for: key)
            try Folder.setAge(1000 - number, of: try entry(of: key, in: folder))
        }
        #expect(try await large.ids(for: Sample.key(0)).count == 1)
        await large.settle()
        let store = try folder.open(limit: try await large.usage().bytes / 2)
        try await store.sweep()
        #expect(try await store.ids(for: Sample.key(0)).count == 1)
        #expect(try await store.ids(for: Sample.key(1)).isEmpty)
        #expect(try await store.ids(for: Sample.key(19)).count == 1)
    }

    @Test func `what is stored stays within the limit`() async throws {
        let folder = try Folder()
        let limit: Int64 = 1 << 20
        let store = try folder.open(limit: limit)
        var stored = 0
        for number in 0..<TestCounts.scaled(3000) {
            let response = Sample.response(number)
            let length = [100, 20_000, 100_000][number % 3]
            let result = try await store.store(
                response, Sample.bytes(length, number), for: Sample.key(number), settling: false)
            if result != nil { stored += 1 }
            // A sweep that is behind makes the store refuse responses, not exceed its limit.
            if number % 10 == 0 {
                if number % 20 == 0 { await store.settle() }
                #expect(try await store.usage().bytes <= limit + limit / 4 + 8192)
            }
        }
        await store.settle()
        try await store.sweep()
        #expect(try await store.usage().bytes <= limit)
        #expect(stored > TestCounts.scaled(3000) / 10)
    }

    @Test func `files that a killed process has left are removed`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(50_000))
        await store.settle()
        let body = try #require(try folder.files(".body").first)
        let stem = body.dropLast(32 + 5)
        let orphan = stem + Sample.id(77) + ".body"
        let (old, young) = (stem + Sample.id(1) + ".temp", stem + Sample.id(2) + ".temp")
        for path in [orphan, old, young] { try Folder.write([1], to: String(path)) }
        try Folder.setAge(3700, of: String(old))
        try await store.sweep()
        #expect(try folder.files(".body") == [body])
        #expect(try folder.files(".temp") == [String(young)])
        #expect(try await store.bytes(of: 1) == Sample.bytes(50_000))
    }

    @Test func `bodies without an entry are removed`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(50_000))
        await store.settle()
        try FileManager.default.removeItem(atPath: try folder.files(".entry")[0])
        #expect(try await store.sweep() == 0)
        #expect(try folder.files(".body").isEmpty)
    }

    @Test func `two stores do not sweep at the same time`() async throws {
        let folder = try Folder()
        let stores = [try folder.open(), try folder.open()]
        for number in 0..<20 {
            try await stores[0].store(
                Sample.response(number), Sample.bytes(20_000), for: Sample.key(number))
        }
        await stores[0].settle()
        let totals = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for number in 0..<8 { group.addTask { try await stores[number % 2].sweep() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let swept = totals.compactMap(\.self)
        #expect(!swept.isEmpty && Set(swept).count == 1)
    }

    @Test(.enabled(if: TestCounts.isFull))
    func `a store with 100,000 entries opens at once`() async throws {
        let folder = try Folder()
        let clock = ContinuousClock()
        do {
            let store = try folder.open(limit: 8 << 30)
            for number in 0..<100_000 {
                try await store.store(
                    Sample.response(number), Sample.bytes(100), for: Sample.key(number))
            }
            await store.settle()
        }
        let opening = try clock.measure { _ = try folder.open(limit: 8 << 30) }
        #expect(opening < .milliseconds(20))
        let store = try folder.open(limit: 8 << 30)
        let sweeping = try await clock.measure { _ = try await store.sweep() }
        print("opening \(opening), sweeping \(sweeping)")
        #expect(try await store.bytes(of: 77_777, for: Sample.key(77_777)) != nil)
    }

    /// Returns the path of the entry of a key.
    private func entry(of key: HTTPCacheKey, in folder: Folder) throws -> String {
        let digits = SHA256.hash("\(key.partition)\n\(key.url)").hexadecimal
        return "\(folder.path)/v1/\(digits.prefix(2))/\(digits.dropFirst(2)).entry"
    }
}
