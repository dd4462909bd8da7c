import HTTPCaching
import HTTPCore
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPDiskCacheStoreTests {
    private typealias Sample = CacheSample

    @Test func `a new store finds what an earlier one has stored`() async throws {
        let folder = try DiskCacheTestFolder()
        var stored: [HTTPStoredResponse] = []
        do {
            let store = try folder.open()
            for (number, length) in [0, 100, 16_385, 300_000].enumerated() {
                let response = Sample.response(number, variant: "\(number)")
                stored.append(
                    try #require(
                        try await store.store(
                            response, Sample.bytes(length, number), trailers: ["X-End": "1"])))
            }
            await store.settle()
        }
        let store = try folder.open()
        #expect(try await store.responses(for: Sample.key) == stored)
        for (number, response) in stored.enumerated() {
            let bytes = Sample.bytes(Int(response.bodyLength), number)
            #expect(try await store.bytes(of: number) == bytes)
        }
    }

    @Test func `two stores on one folder see each other's responses and lose none`() async throws {
        let folder = try DiskCacheTestFolder()
        let stores = [try folder.open(), try folder.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let response = Sample.response(number, variant: "\(number)")
                    try await stores[number % 2].store(
                        response, Sample.bytes(number * 2000, number))
                }
            }
            try await group.waitForAll()
        }
        for store in stores {
            #expect(try await store.ids().count == 16)
            for number in 0..<16 {
                let bytes = try await store.bytes(of: number)
                #expect(bytes == Sample.bytes(number * 2000, number))
            }
        }
        try await stores[0].removeAll()
        #expect(try await stores[1].ids().isEmpty)
        for store in stores { await store.settle() }
        #expect(try folder.files(".entry", ".body", ".temp") == [])
    }

    @Test func `a short body is in the file of its key, and a long one in its own`() async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(1, variant: "1"), Sample.bytes(16 << 10))
        #expect(try folder.files(".entry").count == 1)
        #expect(try folder.files(".body").isEmpty)
        try await store.store(Sample.response(2, variant: "2"), Sample.bytes(16 << 10 + 1))
        #expect(try folder.files(".entry").count == 1)
        #expect(try folder.files(".body").count == 1)
        try await store.store(Sample.response(3, variant: "2"), Sample.bytes(1))
        #expect(try folder.files(".body").isEmpty)
        await store.settle()
        #expect(try folder.files(".temp").isEmpty)
    }

    @Test func `only this user can read the files`() async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(), Sample.bytes(100_000))
        for path in try folder.files(".entry", ".body", "lock") {
            #expect(try DiskCacheTestFolder.mode(of: path) == 0o600)
        }
        for path in [folder.path, folder.path + "/v1"] {
            #expect(try DiskCacheTestFolder.mode(of: path) == 0o700)
        }
    }

    @Test func `a body is read in pieces, and its file is closed when it is released`() async throws
    {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        let stored = try #require(try await store.store(Sample.response(), Sample.bytes(300_000)))
        for _ in 0..<2000 {
            let body = try #require(try await store.body(of: stored, for: Sample.key))
            #expect(body.replay == .once)
        }
        let body = try #require(try await store.body(of: stored, for: Sample.key))
        var longest = 0
        for try await piece in body { longest = max(longest, piece.count) }
        #expect(longest == 64 << 10)
        let abandoned = try #require(try await store.body(of: stored, for: Sample.key))
        var reader = abandoned.makeAsyncIterator()
        _ = try await reader.next()
        abandoned.abandon()
        await #expect(throws: HTTPError.self) { try await reader.next() }
    }

    @Test func `a use is recorded at most once a minute`() async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(), Sample.bytes(100))
        let entry = try #require(try folder.files(".entry").first)
        try DiskCacheTestFolder.setAge(50, of: entry)
        #expect(try await store.ids().count == 1)
        #expect(try DiskCacheTestFolder.age(of: entry) >= 50)
        try DiskCacheTestFolder.setAge(70, of: entry)
        #expect(try await store.ids().count == 1)
        #expect(try DiskCacheTestFolder.age(of: entry) < 50)
        // A clock that was set back.
        try DiskCacheTestFolder.setAge(-1000, of: entry)
        #expect(try await store.ids().count == 1)
        #expect(try DiskCacheTestFolder.age(of: entry) > -100)
    }

    @Test func `a store goes on when its folder is removed`() async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(100_000))
        await store.settle()
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(try await store.ids().isEmpty)
        try await store.remove(Sample.key)
        try await store.store(Sample.response(2), Sample.bytes(100_000, 2))
        #expect(try await store.bytes(of: 2) == Sample.bytes(100_000, 2))
    }

    @Test(arguments: [100, 100_000])
    func `a store that cannot write throws and leaves nothing`(length: Int) async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(10))
        let entry = try #require(try folder.files(".entry").first)
        let shard = try #require(entry.split(separator: "/").dropLast().last)
        let lock = "\(folder.path)/v1/\(shard)/lock"
        try FileManager.default.removeItem(atPath: lock)
        // Not empty, so that it is not replaced.
        try FileManager.default.createDirectory(
            atPath: lock + "/full", withIntermediateDirectories: true)
        let error = await #expect(throws: HTTPError.self) {
            try await store.store(Sample.response(2), Sample.bytes(length))
        }
        #expect(error?.code == .cacheStoreFailed)
        #expect(error?.underlyingError is SystemError)
        await store.settle()
        #expect(try folder.files(".temp", ".body").isEmpty)
        #expect(try await store.bytes(of: 1) == Sample.bytes(10))
        await #expect(throws: HTTPError.self) { try await store.remove(Sample.key) }
        try FileManager.default.removeItem(atPath: lock)
        try await store.store(Sample.response(3), Sample.bytes(length))
        #expect(try await store.ids() == [Sample.id(3)])
    }

    @Test func `a folder of a shard that is a file makes calls throw`() async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(), Sample.bytes(10))
        let entry = try #require(try folder.files(".entry").first)
        let shard = entry.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.removeItem(atPath: "/" + shard)
        try DiskCacheTestFolder.write([1], to: "/" + shard)
        await #expect(throws: HTTPError.self) { try await store.ids() }
        for length in [10, 100_000] {
            await #expect(throws: HTTPError.self) {
                try await store.store(Sample.response(), Sample.bytes(length))
            }
        }
    }

    @Test(arguments: ["", "../../../../etc/passwd", "ABCDEF0123456789ABCDEF0123456789"])
    func `an id that is not made of digits reaches no file name`(id: String) async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        var response = Sample.response()
        response.id = id
        response.bodyLength = 100_000
        #expect(try await store.body(of: response, for: Sample.key) == nil)
        await #expect(throws: HTTPError.self) {
            try await store.beginStoring(response, for: Sample.key, length: nil)
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 5, 16_385, .max])
    func `a body of another length than stored is not returned`(length: Int64) async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        var response = try #require(try await store.store(Sample.response(), Sample.bytes(20_000)))
        response.bodyLength = length
        #expect(try await store.body(of: response, for: Sample.key) == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, 99, 101])
    func `a short body of another length than stored is not returned`(length: Int64) async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(), Sample.bytes(100))
        for _ in 0..<2 {
            var response = try #require(try await store.responses(for: Sample.key).first)
            response.bodyLength = length
            #expect(try await store.body(of: response, for: Sample.key) == nil)
            #expect(try await store.body(of: response, for: Sample.key) == nil)
        }
        #expect(try await store.bytes(of: 1) == Sample.bytes(100))
    }

    @Test func `a lookup and its body read the file of the key once`() async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(), Sample.bytes(100))
        let response = try #require(try await store.responses(for: Sample.key).first)
        try FileManager.default.removeItem(atPath: try folder.files(".entry")[0])
        let body = try await store.body(of: response, for: Sample.key)
        #expect(body?.bytes == Sample.bytes(100))
        #expect(try await store.body(of: response, for: Sample.key) == nil)
    }

    @Test func `a symbolic link is no response and is replaced`() async throws {
        let folder = try DiskCacheTestFolder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(50_000))
        let body = try folder.files(".body")[0]
        let entry = try folder.files(".entry")[0]
        for file in [entry, body] {
            try FileManager.default.moveItem(atPath: file, toPath: file + "~")
            try FileManager.default.createSymbolicLink(
                atPath: file, withDestinationPath: file + "~")
        }
        #expect(try await store.ids().isEmpty)
        #expect(try await store.store(Sample.response(1), Sample.bytes(50_000, 2)) != nil)
        #expect(try await store.bytes(of: 1) == Sample.bytes(50_000, 2))
        #expect(try DiskCacheTestFolder.read(entry + "~").count > 0)
    }
}
