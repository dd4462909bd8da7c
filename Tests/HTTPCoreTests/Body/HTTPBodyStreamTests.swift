import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Tests of one-shot bodies: how they are read, by which reader, and that they end exactly once.
@Suite(.timeLimit(.minutes(5))) struct HTTPBodyStreamTests {
    typealias Source = ScriptedBodySource

    // MARK: BodyEnds

    struct Ending: Sendable, CustomTestStringConvertible {
        var name: String
        var steps: [Source.Step]
        var end: String
        var run: @Sendable (consuming HTTPBody) async throws -> Void
        init(
            _ name: String, _ steps: [Source.Step] = ["a", "b"], end: String,
            run: @escaping @Sendable (consuming HTTPBody) async throws -> Void
        ) {
            (self.name, self.steps, self.end, self.run) = (name, steps, end, run)
        }
        var testDescription: String { name }
    }

    static let endings: [Ending] = [
        Ending("iterated to the end", end: "complete t: 1") { for try await _ in $0 {} },
        Ending("collected", end: "complete t: 1") { _ = try await $0.collect() },
        Ending("empty and collected", [], end: "complete t: 1") { _ = try await $0.collect() },
        Ending("collected twice", end: "complete t: 1") { body in
            let body = body
            _ = try await body.collect()
            _ = try await body.collect()
            await body.discard()
            body.abandon()
        },
        Ending("written to a file", end: "complete t: 1") { body in
            let file = try TemporaryFile("")
            let descriptor = try file.openForWriting()
            defer { file.close(descriptor) }
            _ = try await body.write(toDescriptor: descriptor)
        },
        Ending("written to no file", end: "failed fileNotWritten") { body in
            _ = try? await body.write(toDescriptor: -1)
        },
        Ending("dropped unread", end: "abandoned") { _ in },
        Ending("abandoned", end: "abandoned") { $0.abandon() },
        Ending("abandoned twice", end: "abandoned") { body in
            let body = body
            body.abandon()
            body.abandon()
            await body.discard()
        },
        Ending("discarded", end: "abandoned") { await $0.discard() },
        Ending("discarded twice", end: "abandoned") { body in
            let body = body
            await body.discard()
            await body.discard()
        },
        Ending("broken out of a loop", end: "abandoned") { for try await _ in $0 { break } },
        Ending("thrown out of a loop", end: "abandoned") { body in
            let body = body
            do {
                for try await _ in body { throw Source.Failure() }
            } catch {}
        },
        Ending("an iterator dropped after one piece", end: "abandoned") { body in
            var iterator = body.makeAsyncIterator()
            _ = try await iterator.next()
        },
        Ending("an iterator dropped before the first piece", end: "abandoned") { body in
            _ = body.makeAsyncIterator()
        },
        Ending("half read and discarded", end: "abandoned") { body in
            let body = body
            var iterator = body.makeAsyncIterator()
            _ = try await iterator.next()
            await body.discard()
        },
        Ending("failed while iterated", ["a", .fail], end: "failed Failure") { body in
            let body = body
            do { for try await _ in body {} } catch {}
        },
        Ending("failed while collected", ["a", .fail], end: "failed Failure") { body in
            _ = try? await body.collect()
        },
        Ending("longer than the limit", end: "failed bodyTooLarge") { body in
            _ = try? await body.collect(upTo: 1)
        },
    ]

    @Test(arguments: endings)
    func `a body ends exactly once, and every handler hears of it`(ending: Ending) async throws {
        let source = Source(ending.steps, trailers: ["t": "1"])
        var body: HTTPBody? = HTTPBody(source: source)
        let ends = try BodyEnds(#require(body))
        let others = try BodyEnds(#require(body))
        try await ending.run(#require(body.take()))
        #expect(ends.list == [ending.end])
        #expect(others.list == [ending.end])
        // A reader that stops early abandons the body, so that the connection is not held.
        if !ending.end.hasPrefix("complete"), !ending.steps.contains(where: \.isFailure) {
            #expect(source.abandons >= 1)
        } else if ending.end.hasPrefix("complete") {
            #expect(source.abandons == 0 && source.discards == 0)
        }
    }

    @Test(arguments: endings)
    func `a handler that comes late runs at once`(ending: Ending) async throws {
        let body = HTTPBody(source: Source(ending.steps, trailers: ["t": "1"]))
        try await ending.run(body)
        // Dropping does not end the body here, because this copy still holds it.
        guard
            !["dropped unread", "an iterator dropped before the first piece"].contains(ending.name)
        else {
            #expect(BodyEnds(body).list == [] && body.canBeSent)
            return
        }
        #expect(BodyEnds(body).list == [ending.end])
        #expect(!body.canBeSent)
        #expect(body.trailers == (ending.end.hasPrefix("complete") ? ["t": "1"] : nil))
    }

    /// The source's steps after the end has been reported, while a read was still pending.
    static let afterwards: [Source.Step] = [.fail, "b", .piece(Data())]

    @Test(arguments: afterwards.indices, ["abandoned", "discarded"])
    func `the reported end is the end for later readers, whatever the source does then`(
        index: Int, giving: String
    ) async throws {
        let (reached, until) = (Gate(), Gate())
        let source = Source(
            ["a", .stall(reached: reached, until: until), Self.afterwards[index]])
        let body = HTTPBody(source: source)
        let early = BodyEnds(body)
        let reader = Task { for try await _ in body {} }
        try await reached.wait()
        if giving == "abandoned" { body.abandon() } else { await body.discard() }
        #expect(early.list == ["abandoned"])
        until.open()
        _ = await reader.result
        #expect(BodyEnds(body).list == ["abandoned"] && early.list == ["abandoned"])
        #expect(body.trailers == nil)
    }

    @Test func `the last of several copies gives the body up`() {
        let source = Source(["a"])
        var first: HTTPBody? = HTTPBody(source: source)
        var second = first
        let ends = first.map { BodyEnds($0) }
        first = nil
        #expect(ends?.list == [] && second?.canBeSent == true)
        second = nil
        #expect(ends?.list == ["abandoned"])
        #expect(source.abandons == 1 && source.reads == 0)
    }

    @Test func `trailers are there once the body has ended, and not before`() async throws {
        let body = HTTPBody(source: Source(["a"], trailers: ["t": "1"]))
        var iterator = body.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(body.trailers == nil)
        #expect(try await iterator.next() == nil)
        #expect(body.trailers == ["t": "1"])
    }

    @Test func `an iterator asks a source that has ended no more`() async throws {
        let source = Source(["a"])
        var iterator = HTTPBody(source: source).makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        for _ in 0..<3 { #expect(try await iterator.next() == nil) }
        #expect(source.reads == 2)

        let failing = Source([.fail, "b"])
        var again = HTTPBody(source: failing).makeAsyncIterator()
        for _ in 0..<3 {
            await #expect(throws: Source.Failure.self) { try await again.next() }
        }
        #expect(failing.reads == 1)
    }

    // MARK: One reader

    @Test func `a stream is iterated once, by the first iterator`() async throws {
        let body = HTTPBody(source: Source(["a", "b"]))
        var first = body.makeAsyncIterator()
        var second = body.makeAsyncIterator()
        #expect(try await first.next() == Data("a".utf8))
        #expect(!body.canBeSent)
        let error = await #expect(throws: HTTPError.self) { try await second.next() }
        #expect(error?.code == .bodyAlreadyRead)
        #expect(try await second.next() == nil)
        // The second iterator failed, and the first continues.
        #expect(try await first.next() == Data("b".utf8))
        #expect(try await first.next() == nil)
    }

    @Test(arguments: ["abandoned", "discarded", "iterated"])
    func `collecting a body that was already used throws`(use: String) async throws {
        let source = Source(["a", "b"])
        let body = HTTPBody(source: source)
        switch use {
        case "abandoned": body.abandon()
        case "discarded": await body.discard()
        default: for try await _ in body { break }
        }
        let reads = source.reads
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) { try await body.collect() }
            #expect(error?.code == .bodyAlreadyRead)
        }
        #expect(source.reads == reads)
    }

    @Test func `a collected stream is not iterated`() async throws {
        let body = HTTPBody(source: Source(["a", "b"]))
        _ = try await body.collect()
        let error = await #expect(throws: HTTPError.self) { for try await _ in body {} }
        #expect(error?.code == .bodyAlreadyRead)
        #expect(try await body.collect() == Data("ab".utf8))
    }

    // MARK: Collecting

    @Test func `several tasks collect at once, and the source is read once`() async throws {
        let reached = Gate()
        let until = Gate()
        let source = Source(["a", .stall(reached: reached, until: until), "b"])
        let body = HTTPBody(source: source)
        try await withThrowingTaskGroup(of: Data.self) { group in
            group.addTask { try await body.collect() }
            try await reached.wait()
            for _ in 0..<8 { group.addTask { try await body.collect() } }
            until.open()
            for try await data in group { #expect(data == Data("ab".utf8)) }
        }
        #expect(source.reads == 4)
    }

    @Test func `an error is remembered for current and later readers`() async throws {
        let reached = Gate()
        let until = Gate()
        let source = Source([.stall(reached: reached, until: until), .fail, "b"])
        let body = HTTPBody(source: source)
        let first = Task { try await body.collect() }
        try await reached.wait()
        let second = Task { try await body.collect() }
        until.open()
        for task in [first, second] {
            await #expect(throws: Source.Failure.self) { try await task.value }
        }
        await #expect(throws: Source.Failure.self) { try await body.collect() }
        #expect(source.reads == 2)
    }

    @Test func `a smaller limit later refuses without losing the bytes`() async throws {
        let body = HTTPBody(source: Source(["abc"]))
        #expect(try await body.collect(upTo: 3).count == 3)
        let error = await #expect(throws: HTTPError.self) { try await body.collect(upTo: 2) }
        #expect(error?.code == .bodyTooLarge)
        #expect(try await body.collect() == Data("abc".utf8))
    }

    @Test func `a known length beyond the limit is refused before the first read`() async throws {
        let source = Source(["abc"])
        let body = HTTPBody(source: source, length: 3)
        let error = await #expect(throws: HTTPError.self) { try await body.collect(upTo: 2) }
        #expect(error?.code == .bodyTooLarge)
        #expect(source.reads == 0 && source.abandons == 1)
    }

    @Test func `a length that no memory holds is not believed`() async throws {
        let body = HTTPBody(source: Source(["a", "b"]), length: .max)
        #expect(try await body.collect(upTo: .max) == Data("ab".utf8))
    }

    @Test func `bytes are counted from zero, even those of a slice`() async throws {
        let slice = Data("xab".utf8).dropFirst()
        let body = HTTPBody(source: Source([.piece(slice)]))
        let data = try await body.collect()
        #expect(data.startIndex == 0 && data[0] == UInt8(ascii: "a"))
    }

    // MARK: Cancelling

    @Test func `a reader that is cancelled ends the body`() async throws {
        let reached = Gate()
        let source = Source(["a", .stall(reached: reached, until: Gate())])
        let body = HTTPBody(source: source)
        let ends = BodyEnds(body)
        let reader = Task { try await body.collect() }
        try await reached.wait()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(ends.list == ["failed CancellationError"])
        #expect(source.abandons == 1)
    }

    @Test func `a task that waits for another's collecting may leave, and the reader reads on`()
        async throws
    {
        let reached = Gate()
        let until = Gate()
        let body = HTTPBody(source: Source([.stall(reached: reached, until: until), "a"]))
        let reader = Task { try await body.collect() }
        try await reached.wait()
        let waiter = Task { try await body.collect() }
        waiter.cancel()
        // The gate is still shut: the waiter cannot have waited for the reader.
        await #expect(throws: CancellationError.self) { try await waiter.value }
        until.open()
        #expect(try await reader.value == Data("a".utf8))
    }

    @Test func `waiters that leave and a reader that finishes do not disturb each other`()
        async throws
    {
        for _ in 0..<50 {
            let reached = Gate()
            let until = Gate()
            let body = HTTPBody(source: Source([.stall(reached: reached, until: until), "a"]))
            let reader = Task { try await body.collect() }
            try await reached.wait()
            let waiters = (0..<4).map { _ in Task { try await body.collect() } }
            for waiter in waiters.dropFirst(2) { Task { waiter.cancel() } }
            until.open()
            #expect(try await reader.value == Data("a".utf8))
            for (index, waiter) in waiters.enumerated() {
                switch await waiter.result {
                case .success(let data): #expect(data == Data("a".utf8))
                case .failure(let error): #expect(error is CancellationError && index >= 2)
                }
            }
        }
    }

    // MARK: Discarding

    @Test func `discarding returns when the source has, and the end comes before that`()
        async throws
    {
        let reached = Gate()
        let until = Gate()
        let body = HTTPBody(
            source: Source(
                ["a"],
                discarding: {
                    reached.open(); try? await until.wait()
                }))
        let ends = BodyEnds(body)
        let hasReturned = Gate()
        let discarding = Task {
            await body.discard()
            hasReturned.open()
            return ends.list
        }
        try await reached.wait()
        #expect(!hasReturned.isOpen && ends.list.isEmpty && !body.canBeSent)
        until.open()
        #expect(await discarding.value == ["abandoned"])
    }

    @Test func `abandoning from many tasks while one reads ends the body once`() async throws {
        for _ in 0..<50 {
            let source = Source((0..<20).map { .piece(Data("\($0)".utf8)) })
            let body = HTTPBody(source: source)
            let ends = BodyEnds(body)
            await withTaskGroup { group in
                group.addTask { _ = try? await body.collect() }
                for _ in 0..<3 { group.addTask { body.abandon() } }
                group.addTask { await body.discard() }
            }
            #expect(ends.list.count == 1)
            #expect(["complete", "abandoned", "failed bodyAlreadyRead"].contains(ends.list.first))
        }
    }
}

extension ScriptedBodySource.Step {
    var isFailure: Bool { if case .fail = self { true } else { false } }
}
