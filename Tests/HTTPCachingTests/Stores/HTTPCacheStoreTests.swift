import HTTPCaching
import HTTPCore
import TestSupport
import Testing
import PortableFoundation

/// The contract of `HTTPCacheStore`, which both stores keep.
@Suite struct HTTPCacheStoreTests {
    private typealias Sample = CacheSample

    private static let lengths = [
        0, 1, 1000, 16_384, 16_385, 65_535, 65_536, 65_537, 131_072, 200_000,
    ]

    @Test(arguments: StoreKind.allCases, lengths)
    func `a stored response is returned with its head and its bytes`(
        kind: StoreKind, length: Int
    ) async throws {
        let test = try kind.make()
        let store = test.store
        let bytes = Sample.bytes(length)
        let stored = try #require(
            try await store.store(Sample.response(), bytes, length: Int64(length)))
        #expect(stored.bodyLength == Int64(length))
        #expect(try await store.responses(for: Sample.key) == [stored])
        let body = try #require(try await store.body(of: stored, for: Sample.key))
        #expect(body.length == Int64(length))
        #expect(try await body.collect() == bytes)
        #expect(try await store.responses(for: Sample.key(1)).isEmpty)
        #expect(try await store.body(of: stored, for: Sample.key(1)) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `all parts of a head are kept`(kind: StoreKind) async throws {
        let store = try kind.make()
        var headers: HTTPHeaders = ["X-Empty": "", "X-Text": "ä ; \"b\"", "x-Text": "2"]
        let isField = headers.append(line: (Array("X-Old: caf".utf8) + [0xE9]).span)
        #expect(isField)
        try headers.append("X-Plain", "secret")
        headers.setSensitive("X-Plain")
        try headers.append("X-Api-Key", "public")
        headers.setSensitive("X-Api-Key", false)
        let trailers: HTTPHeaders = ["X-Checksum": "1"]
        let response = Sample.response(1, variant: "v", date: 1e9 / 3, headers)
        let stored = try #require(
            try await store.store.store(response, Sample.bytes(10), trailers: trailers))
        let found = try #require(try await store.store.responses(for: Sample.key).first)
        #expect(found == stored)
        #expect(found.headers.map(\.value) == response.headers.map(\.value))
        #expect(found.headers.map(\.isSensitive) == response.headers.map(\.isSensitive))
        #expect(found.trailers == trailers)
        #expect(found.requestDate == response.requestDate)
        let body = try #require(try await store.store.body(of: found, for: Sample.key))
        _ = try await body.collect()
        #expect(body.trailers == trailers)
    }

    @Test(arguments: StoreKind.allCases, [100, 50_000])
    func `the trailers of a body are known at its end`(kind: StoreKind, length: Int) async throws {
        let test = try kind.make()
        let stored = try #require(
            try await test.store.store(
                Sample.response(), Sample.bytes(length), trailers: ["X-End": "yes"]))
        let body = try #require(try await test.store.body(of: stored, for: Sample.key))
        for try await _ in body {}
        #expect(body.trailers == ["X-End": "yes"])
    }

    @Test(arguments: StoreKind.allCases, [100, 50_000])
    func `a response replaces the one of the same variant`(
        kind: StoreKind, length: Int
    ) async throws {
        let test = try kind.make()
        let store = test.store
        try await store.store(Sample.response(1, variant: "a"), Sample.bytes(length, 1))
        try await store.store(Sample.response(2, variant: "b"), Sample.bytes(length, 2))
        try await store.store(Sample.response(3, variant: "a"), Sample.bytes(length, 3))
        #expect(try await store.ids() == [Sample.id(2), Sample.id(3)])
        #expect(try await store.bytes(of: 2) == Sample.bytes(length, 2))
        #expect(try await store.bytes(of: 3) == Sample.bytes(length, 3))
        var replaced = Sample.response(1, variant: "a")
        replaced.bodyLength = Int64(length)
        #expect(try await store.body(of: replaced, for: Sample.key) == nil)
        #expect(try await test.usage().responses == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `a key has at most 16 variants, and the oldest response goes`(
        kind: StoreKind
    ) async throws {
        let test = try kind.make()
        for number in 1...20 {
            // The dates are not in the order of storing.
            let date = Double(number * 7 % 23)
            let response = Sample.response(number, variant: "\(number)", date: date)
            #expect(try await test.store.store(response, Sample.bytes(10, number)) != nil)
        }
        var dates: [Int] = []
        for number in 1...20 {
            if dates.count == 16 {
                dates.sort()
                dates.removeFirst()
            }
            dates.append(number * 7 % 23)
        }
        let stored = try await test.store.responses(for: Sample.key)
        let found = stored.map { Int($0.requestDate.timeIntervalSince1970) }
        #expect(found.sorted() == dates.sorted())
    }

    @Test(arguments: StoreKind.allCases, [100, 50_000])
    func `an update replaces the header section and keeps the bytes`(
        kind: StoreKind, length: Int
    ) async throws {
        let test = try kind.make()
        let store = test.store
        let bytes = Sample.bytes(length)
        let old = try #require(try await store.store(Sample.response(), bytes))
        var new = old
        new.headers = ["ETag": "\"new\"", "Age": "0"]
        new.requestDate += 10
        new.responseDate += 10
        new.trailers = ["X-End": "new"]
        try await store.update(new, for: Sample.key)
        #expect(try await store.responses(for: Sample.key) == [new])
        let body = try #require(try await store.body(of: new, for: Sample.key))
        #expect(try await body.collect() == bytes)
        #expect(body.trailers == ["X-End": "new"])
    }

    @Test(arguments: StoreKind.allCases)
    func `an update of a response that is no longer stored does nothing`(
        kind: StoreKind
    ) async throws {
        let test = try kind.make()
        let old = try #require(try await test.store.store(Sample.response(1), Sample.bytes(9)))
        let new = try #require(try await test.store.store(Sample.response(2), Sample.bytes(8)))
        try await test.store.update(old, for: Sample.key)
        try await test.store.update(old, for: Sample.key(1))
        #expect(try await test.store.responses(for: Sample.key) == [new])
        #expect(try await test.store.responses(for: Sample.key(1)).isEmpty)
    }

    @Test(arguments: StoreKind.allCases, [100, 50_000])
    func `removed responses are gone`(kind: StoreKind, length: Int) async throws {
        let test = try kind.make()
        let store = test.store
        func fill() async throws {
            for key in [Sample.key(0), Sample.key(1)] {
                for number in 1...3 {
                    let response = Sample.response(number, variant: "\(number)")
                    try await store.store(response, Sample.bytes(length), for: key)
                }
            }
        }
        try await fill()
        let first = try #require(
            try await store.responses(for: Sample.key).first { $0.id == Sample.id(1) })
        try await store.remove(first, for: Sample.key)
        try await store.remove(first, for: Sample.key)
        #expect(try await store.ids() == [Sample.id(2), Sample.id(3)])
        #expect(try await store.body(of: first, for: Sample.key) == nil)
        try await store.remove(Sample.key)
        try await store.remove(Sample.key)
        #expect(try await store.ids().isEmpty)
        #expect(try await store.ids(for: Sample.key(1)).count == 3)
        try await fill()
        try await store.removeAll()
        try await store.removeAll()
        #expect(try await store.ids().isEmpty)
        #expect(try await store.ids(for: Sample.key(1)).isEmpty)
        await test.settle()
        #expect(try await test.usage() == (0, 0))
        try await fill()
        #expect(try await test.usage().responses == 6)
    }

    @Test(arguments: StoreKind.allCases, [100, 200_000])
    func `an abandoned response is never visible`(kind: StoreKind, length: Int) async throws {
        let test = try kind.make()
        let writer = try #require(
            try await test.store.beginStoring(Sample.response(), for: Sample.key, length: nil))
        #expect(try await writer.append(Sample.bytes(length)))
        #expect(try await test.store.ids().isEmpty)
        writer.abandon()
        writer.abandon()
        #expect(try await writer.append(Data([1])) == false)
        #expect(try await writer.commit(trailers: nil) == nil)
        #expect(try await test.store.ids().isEmpty)
        await test.settle()
        #expect(try await test.usage() == (0, 0))
    }

    @Test(arguments: StoreKind.allCases, [100, 200_000])
    func `releasing a writer abandons it`(kind: StoreKind, length: Int) async throws {
        let test = try kind.make()
        var writer = try await test.store.beginStoring(
            Sample.response(), for: Sample.key, length: nil)
        #expect(try await writer?.append(Sample.bytes(length)) == true)
        writer = nil
        await test.settle()
        #expect(try await test.usage() == (0, 0))
    }

    @Test(arguments: StoreKind.allCases, [100, 50_000])
    func `a cancelled task can store and read`(kind: StoreKind, length: Int) async throws {
        let test = try kind.make()
        let bytes = Sample.bytes(length)
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await test.store.store(Sample.response(), bytes)
            return try await test.store.bytes(of: 1)
        }
        #expect(try await task.value == bytes)
    }

    @Test(arguments: StoreKind.allCases)
    func `a writer commits once`(kind: StoreKind) async throws {
        let test = try kind.make()
        let writer = try #require(
            try await test.store.beginStoring(Sample.response(), for: Sample.key, length: 3))
        #expect(try await writer.append(Data([1, 2, 3])))
        #expect(try await writer.commit(trailers: nil) != nil)
        #expect(try await writer.commit(trailers: nil) == nil)
        #expect(try await writer.append(Data([4])) == false)
        writer.abandon()
        #expect(try await test.store.bytes(of: 1) == Data([1, 2, 3]))
    }

    @Test(arguments: StoreKind.allCases)
    func `a response beyond the limit of one response is not stored`(
        kind: StoreKind
    ) async throws {
        let test = try kind.make(limit: 1 << 20, responseLimit: 100_000)
        let store = test.store
        for length in [100_001, .max] as [Int64] {
            let writer = try await store.beginStoring(
                Sample.response(), for: Sample.key, length: length)
            #expect(writer == nil)
        }
        let writer = try #require(
            try await store.beginStoring(Sample.response(), for: Sample.key, length: nil))
        #expect(try await writer.append(Sample.bytes(50_000)))
        #expect(try await writer.append(Sample.bytes(50_001)) == false)
        #expect(try await writer.commit(trailers: nil) == nil)
        let large = Sample.response(
            2, ["X-Large": String(repeating: "x", count: 300_000)])
        #expect(try await store.beginStoring(large, for: Sample.key, length: 1) == nil)
        await test.settle()
        #expect(try await test.usage() == (0, 0))
    }

    @Test(arguments: StoreKind.allCases)
    func `a body stays readable when its response is replaced, removed or evicted`(
        kind: StoreKind
    ) async throws {
        let test = try kind.make()
        let store = test.store
        let bytes = Sample.bytes(300_000, 1)
        for round in 0..<3 {
            let stored = try #require(try await store.store(Sample.response(round), bytes))
            let body = try #require(try await store.body(of: stored, for: Sample.key))
            var reader = body.makeAsyncIterator()
            var read = try #require(try await reader.next())
            switch round {
            case 0: try await store.store(Sample.response(9), Sample.bytes(300_000, 2))
            case 1: try await store.remove(Sample.key)
            default: try await store.removeAll()
            }
            while let piece = try await reader.next() { read += piece }
            #expect(read == bytes)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `partitions and URLs are never mixed`(kind: StoreKind) async throws {
        let test = try kind.make()
        let keys = [
            HTTPCacheKey(partition: "", url: "a\nb"), HTTPCacheKey(partition: "a", url: "b"),
            HTTPCacheKey(partition: "a\nb", url: ""), HTTPCacheKey(partition: "", url: "\na\nb"),
            HTTPCacheKey(partition: "\n", url: "a\nb"), HTTPCacheKey(partition: "A", url: "b"),
        ]
        for (number, key) in keys.enumerated() {
            let response = Sample.response(number)
            try await test.store.store(response, Sample.bytes(20, number), for: key)
            for other in keys.dropFirst(number + 1) {
                #expect(try await test.store.bytes(of: number, for: other) == nil)
            }
        }
        #expect(try await test.store.bytes(of: 5, for: keys[5]) == Sample.bytes(20, 5))
    }

    @Test(arguments: StoreKind.allCases)
    func `64 tasks on 8 keys see whole responses of their key`(kind: StoreKind) async throws {
        let test = try kind.make()
        let store = test.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    var random = SeededRandom(UInt64(task))
                    for round in 0..<TestCounts.scaled(60) {
                        try await Self.act(
                            on: store, number: task * 1000 + round, random: &random)
                    }
                }
            }
            try await group.waitForAll()
        }
        await test.settle()
        #expect(try await test.usage().responses <= 8 * 3)
    }

    /// Stores, reads, updates or removes one response of one of eight keys.
    private static func act(
        on store: any HTTPCacheStore, number: Int, random: inout SeededRandom
    ) async throws {
        let keyNumber = Int(random.next() % 8)
        let key = CacheSample.key(keyNumber)
        switch random.next() % 10 {
        case 0...3:
            let length = [10, 5000, 20_000, 70_000][Int(random.next() % 4)]
            var response = CacheSample.response(number, variant: "\(random.next() % 3)")
            try response.headers.append("X-Key", "\(keyNumber)")
            _ = try await store.store(
                response, CacheSample.bytes(length, number), for: key, settling: false)
        case 4: try await store.remove(key)
        case 5:
            guard var response = try await store.responses(for: key).first else { return }
            try response.headers.set("X-Updated", "yes")
            try await store.update(response, for: key)
        case 6:
            guard let response = try await store.responses(for: key).last else { return }
            try await store.remove(response, for: key)
        default:
            for response in try await store.responses(for: key) {
                #expect(response.headers["X-Key"] == "\(keyNumber)")
                guard let body = try await store.body(of: response, for: key) else { continue }
                let number = try #require(Int(response.id, radix: 16))
                let bytes = try await body.collect()
                #expect(bytes == CacheSample.bytes(Int(response.bodyLength), number))
            }
        }
    }
}
