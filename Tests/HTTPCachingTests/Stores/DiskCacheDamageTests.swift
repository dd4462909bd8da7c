import HTTPCaching
import HTTPCore
import TestSupport
import Testing
import PortableFoundation

/// Files that were changed: a store returns the right bytes or none, whatever is on the disk.
@Suite struct DiskCacheDamageTests {
    private typealias Sample = CacheSample
    private typealias Folder = DiskCacheTestFolder

    @Test func `an entry with any byte changed is not returned`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(
            Sample.response(), Sample.bytes(50), trailers: ["X-End": "1"])
        let entry = try #require(try folder.files(".entry").first)
        let whole = try Folder.read(entry)
        for offset in whole.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var damaged = whole
                damaged[offset] ^= change
                try Folder.write(damaged, to: entry)
                #expect(try await store.ids().isEmpty)
                #expect(try folder.files(".entry").isEmpty)
            }
        }
        try Folder.write(whole, to: entry)
        #expect(try await store.bytes(of: 1) == Sample.bytes(50))
    }

    @Test func `an entry of any other length is not returned`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        let stored = try #require(try await store.store(Sample.response(), Sample.bytes(50)))
        let entry = try #require(try folder.files(".entry").first)
        let whole = try Folder.read(entry)
        for length in whole.indices {
            try Folder.write(whole.prefix(length), to: entry)
            #expect(try await store.body(of: stored, for: Sample.key) == nil)
            #expect(try await store.ids().isEmpty)
        }
        for tail in [[0], [0, 0, 0, 0, 0, 0, 0, 0], Array(whole)] as [[UInt8]] {
            try Folder.write(whole + tail, to: entry)
            #expect(try await store.ids().isEmpty)
        }
    }

    @Test(arguments: 0..<8)
    func `an entry of random bytes is not returned`(seed: Int) async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(Sample.response(), Sample.bytes(50))
        let entry = try #require(try folder.files(".entry").first)
        let whole = try Folder.read(entry)
        var random = SeededRandom(UInt64(seed))
        for round in 0..<TestCounts.scaled(1000) {
            var garbage = Array(Sample.bytes(Int(random.next() % 2000), seed * 1000 + round))
            // Some begin like an entry.
            garbage = Array(whole.prefix(Int(random.next() % 200))) + garbage
            try Folder.write(garbage, to: entry)
            #expect(try await store.ids().isEmpty)
        }
    }

    /// A file whose checksum is right, but whose lengths and counts are not.
    @Test func `an entry with wrong lengths and the right checksum is not misread`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(Sample.response(), Sample.bytes(50), trailers: ["X-End": "1"])
        let entry = try #require(try folder.files(".entry").first)
        let whole = try Folder.read(entry)
        for offset in 0..<whole.count - 8 {
            for value in [0x00, 0x7F, 0xFF] as [UInt8] {
                var damaged = Array(whole.dropLast(8))
                damaged[offset] = value
                damaged.appendHash()
                try Folder.write(damaged, to: entry)
                // Any result is possible, but no crash.
                for response in try await store.responses(for: Sample.key) {
                    _ = try await store.body(of: response, for: Sample.key)
                }
            }
        }
    }

    @Test(arguments: [(16 << 10) + 1, (64 << 10) + 300])
    func `a body with any byte changed is not read to its end`(length: Int) async throws {
        let folder = try Folder()
        let store = try folder.open()
        let bytes = Sample.bytes(length)
        let stored = try #require(try await store.store(Sample.response(), bytes))
        let entry = try #require(try folder.files(".entry").first)
        let (entryBytes, bodyFile) = (try Folder.read(entry), try folder.files(".body")[0])
        let whole = try Folder.read(bodyFile)
        // Every byte of the heads and of a last block that is short, and samples of other bytes.
        let step = TestCounts.isFull && length < 64 << 10 ? 1 : 1009
        let offsets = whole.indices.filter {
            $0 < 40 || $0 > 64 << 10 || $0 > whole.count - 40 || $0 % step == 0
        }
        for offset in offsets {
            var damaged = whole
            damaged[offset] ^= 1 << UInt8(offset % 8)
            try Folder.write(entryBytes, to: entry)
            try Folder.write(damaged, to: bodyFile)
            try await expectDamage(of: stored, bytes, in: store)
            #expect(try await store.ids().isEmpty)
            #expect(try folder.files(".body").isEmpty)
        }
    }

    @Test(arguments: [(16 << 10) + 1, (64 << 10) + 300])
    func `a body of any other length is not returned`(length: Int) async throws {
        let folder = try Folder()
        let store = try folder.open()
        let bytes = Sample.bytes(length)
        let stored = try #require(try await store.store(Sample.response(), bytes))
        let entry = try #require(try folder.files(".entry").first)
        let (entryBytes, bodyFile) = (try Folder.read(entry), try folder.files(".body")[0])
        let whole = try Folder.read(bodyFile)
        let step = TestCounts.isFull && length < 64 << 10 ? 1 : 1009
        for length in whole.indices where length > 64 << 10 || length % step == 0 {
            try Folder.write(entryBytes, to: entry)
            try Folder.write(whole.prefix(length), to: bodyFile)
            #expect(try await store.body(of: stored, for: Sample.key) == nil)
            #expect(try await store.ids().isEmpty)
        }
        try Folder.write(entryBytes, to: entry)
        try Folder.write(whole + [0], to: bodyFile)
        #expect(try await store.body(of: stored, for: Sample.key) == nil)
    }

    @Test func `a body that is cut while it is read fails`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        let stored = try #require(try await store.store(Sample.response(), Sample.bytes(300_000)))
        let body = try #require(try await store.body(of: stored, for: Sample.key))
        var reader = body.makeAsyncIterator()
        _ = try await reader.next()
        let file = try folder.files(".body")[0]
        try Folder.cut(file, to: 100_000)
        var error: (any Error)?
        do { while try await reader.next() != nil {} } catch let thrown { error = thrown }
        #expect((error as? HTTPError)?.code == .cacheBodyDamaged)
        #expect(try await store.ids().isEmpty)
    }

    @Test func `the blocks of a body cannot change places`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        let bytes = Sample.bytes(3 * (64 << 10))
        let stored = try #require(try await store.store(Sample.response(), bytes))
        let file = try folder.files(".body")[0]
        let whole = try Folder.read(file)
        let block = (64 << 10) + 12
        let swapped = whole[block..<2 * block] + whole[..<block] + whole[(2 * block)...]
        try Folder.write(swapped, to: file)
        #expect(try await store.body(of: stored, for: Sample.key) == nil)
    }

    @Test(arguments: [100, 50_000])
    func `files of two keys that change places are not returned`(length: Int) async throws {
        let folder = try Folder()
        let store = try folder.open()
        let keys = [Sample.key(0), Sample.key(1)]
        for (number, key) in keys.enumerated() {
            try await store.store(Sample.response(number), Sample.bytes(length, number), for: key)
        }
        try swap(try folder.files(".entry"))
        for (number, key) in keys.enumerated() {
            #expect(try await store.bytes(of: number, for: key) == nil)
            #expect(try await store.ids(for: key).isEmpty)
        }
    }

    @Test func `bodies that change places are not returned`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        let keys = [Sample.key(0), Sample.key(0), Sample.key(1)]
        var stored: [HTTPStoredResponse] = []
        for (number, key) in keys.enumerated() {
            // The third has the id of the first, under another key.
            let response = Sample.response(number % 2, variant: "\(number % 2)")
            let bytes = Sample.bytes(50_000, number)
            stored.append(try #require(try await store.store(response, bytes, for: key)))
        }
        let files = try folder.files(".body")
        let contents = try files.map(Folder.read)
        for (number, file) in files.enumerated() {
            try Folder.write(contents[(number + 1) % 3], to: file)
        }
        for (number, key) in keys.enumerated() {
            #expect(try await store.body(of: stored[number], for: key) == nil)
        }
    }

    @Test func `a body whose file was removed is nil, and its response goes`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        let stored = try #require(try await store.store(Sample.response(), Sample.bytes(50_000)))
        try FileManager.default.removeItem(atPath: try folder.files(".body")[0])
        #expect(try await store.body(of: stored, for: Sample.key) == nil)
        #expect(try await store.ids().isEmpty)
    }

    @Test func `a folder or a pipe with the name of a file is no response`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        let stored = try #require(try await store.store(Sample.response(), Sample.bytes(50_000)))
        for file in try folder.files(".body", ".entry") {
            try FileManager.default.removeItem(atPath: file)
            try Folder.makePipe(file)
        }
        #expect(try await store.body(of: stored, for: Sample.key) == nil)
        #expect(try await store.ids().isEmpty)
        #expect(try await store.store(Sample.response(), Sample.bytes(50_000)) != nil)
        #expect(try await store.bytes(of: 1) == Sample.bytes(50_000))
    }

    // MARK: Helpers

    /// Expects that reading fails, and that the bytes before the failure are right.
    private func expectDamage(
        of stored: HTTPStoredResponse, _ bytes: Data, in store: HTTPDiskCacheStore
    ) async throws {
        guard let body = try await store.body(of: stored, for: Sample.key) else { return }
        var read = Data()
        do {
            for try await piece in body { read += piece }
            Issue.record("a damaged body was read to its end")
        } catch {
            #expect((error as? HTTPError)?.code == .cacheBodyDamaged)
        }
        #expect(read.count < bytes.count && bytes.starts(with: read))
    }

    private func swap(_ files: [String]) throws {
        let contents = try files.map(Folder.read)
        try Folder.write(contents[1], to: files[0])
        try Folder.write(contents[0], to: files[1])
    }
}
