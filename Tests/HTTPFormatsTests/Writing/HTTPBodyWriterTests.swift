import HTTPTesting
import TestSupport
import Testing
import HTTPCore
@testable import HTTPFormats
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPBodyWriterTests {
    private static let whole = Data(repeating: 1, count: BodyPipe.capacity)

    private struct Failure: Error {}

    private static func writeWaiting(_ writer: HTTPBodyWriter, _ text: String) async -> Task<
        Void, any Error
    > {
        let count = writer.waitingCount
        let task = Task { try await writer.write(text) }
        while writer.waitingCount == count { await Task.yield() }
        return task
    }

    @Test func `what is written is read`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        #expect(body.replay == .once && body.length == nil && body.canBeSent)
        async let read = body.collect()
        for number in 0..<1000 { try await writer.write("\(number) ") }
        try writer.finish()
        let text = String(decoding: try await read, as: UTF8.self)
        #expect(text == (0..<1000).map { "\($0) " }.joined())
        #expect(!body.canBeSent)
    }

    @Test func `a write waits for its reader once the buffer is full`() async throws {
        let (body, writer) = HTTPBody.makeWritable(length: 65_538)
        #expect(body.length == 65_538)
        try await writer.write(Self.whole)
        let first = await Self.writeWaiting(writer, "a")
        let second = await Self.writeWaiting(writer, "b")
        try writer.finish()
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Self.whole)
        try await first.value
        try await second.value
        #expect(try await iterator.next() == Data("ab".utf8))
        #expect(try await iterator.next() == nil)
    }

    /// The pieces may come when the reader has found nothing, and has not begun to wait.
    @Test(.timeLimit(.minutes(5)))
    func `a write goes on once there is room, whenever its reader began to wait`() async throws {
        for _ in 0..<200 {
            let (body, writer) = HTTPBody.makeWritable()
            let isWritten = Gate()
            let reader = Task {
                var iterator = body.makeAsyncIterator()
                let first = try await iterator.next()
                // It does not read on, which would make room, too.
                try await isWritten.wait()
                return [first, try await iterator.next()]
            }
            async let first: Void = writer.write(Self.whole)
            async let second: Void = writer.write(Self.whole)
            _ = try await (first, second)
            isWritten.open()
            #expect(try await reader.value == [Self.whole, Self.whole])
        }
    }

    @Test func `a reader that waits gets a piece, and the end`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        let pieces = Record<Data>()
        let reader = Task {
            for try await piece in body { pieces.add(piece) }
        }
        for count in 1...100 {
            try await writer.write("x")
            try await pieces.wait(for: count)
        }
        try writer.finish()
        try await reader.value
        #expect(pieces.entries == Array(repeating: Data("x".utf8), count: 100))
    }

    @Test func `many tasks write, and each piece arrives whole`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        async let read = body.collect()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt8(0)..<8 {
                group.addTask {
                    for _ in 0..<20 { try await writer.write(Data(repeating: number, count: 5000)) }
                }
            }
            try await group.waitForAll()
        }
        try writer.finish()
        let bytes = try await read
        #expect(bytes.count == 8 * 20 * 5000)
        for start in stride(from: 0, to: bytes.count, by: 5000) {
            #expect(bytes[start..<start + 5000].allSatisfy { $0 == bytes[start] })
        }
    }

    // MARK: Cancelling

    @Test func `a cancelled write adds nothing, and the writer remains usable`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        try await writer.write(Self.whole)
        let write = await Self.writeWaiting(writer, "lost")
        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }
        let cancelled = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await writer.write("lost, too")
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let next = await Self.writeWaiting(writer, "kept")
        try writer.finish()
        let bytes = try await body.collect()
        try await next.value
        #expect(bytes == Self.whole + Data("kept".utf8))
    }

    @Test func `a cancelled write that finish counted fails the body`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        try await writer.write(Self.whole)
        let write = await Self.writeWaiting(writer, "lost")
        try writer.finish()
        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }
        let error = await #expect(throws: HTTPError.self) { try await body.collect() }
        #expect(error?.code == .requestBodyFailed)
    }

    @Test func `a write races its cancellation, and the piece is there or not`() async throws {
        for _ in 0..<200 {
            let (body, writer) = HTTPBody.makeWritable()
            try await writer.write(Self.whole)
            let write = await Self.writeWaiting(writer, "x")
            async let read = body.collect()
            write.cancel()
            let isTaken = (try? await write.value) != nil
            try writer.finish()
            #expect(try await read == Self.whole + Data((isTaken ? "x" : "").utf8))
        }
    }

    @Test func `a cancelled reader ends the writes`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        let reader = Task { try await body.collect() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        let error = await #expect(throws: HTTPError.self) { try await writer.write("x") }
        #expect(error?.code == .requestBodyEnded)
        #expect(error?.message.hasSuffix("since its exchange was cancelled") == true)
    }

    // MARK: Ends

    @Test func `a released writer fails the body`() async throws {
        for isRead in [true, false] {
            var (body, writer): (HTTPBody, HTTPBodyWriter?) = HTTPBody.makeWritable()
            try await writer?.write("half")
            var iterator = body.makeAsyncIterator()
            if isRead { #expect(try await iterator.next() == Data("half".utf8)) }
            writer = nil
            body = .empty
            let error = await #expect(throws: HTTPError.self) {
                var copy = iterator
                _ = try await copy.next()
            }
            #expect(error?.code == .requestBodyFailed)
            #expect(error?.message == "the writer of the body was released before finish()")
        }
    }

    @Test func `a released writer that has finished leaves the body complete`() async throws {
        let body: HTTPBody
        do {
            let (made, writer) = HTTPBody.makeWritable()
            body = made
            try await writer.write("all")
            try writer.finish()
        }
        #expect(try await body.collect() == Data("all".utf8))
    }

    @Test func `a failed body throws its error to the reader`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        try await writer.write("half")
        writer.fail(Failure())
        try writer.finish()
        await #expect(throws: Failure.self) { try await body.collect() }
        let error = await #expect(throws: HTTPError.self) { try await writer.write("x") }
        #expect(error?.code == .requestBodyEnded)
        #expect(error?.underlyingError is Failure)
    }

    @Test func `a body that is released, abandoned or discarded ends the writes that wait`()
        async throws
    {
        for end in ["released", "abandoned", "discarded", "reader released"] {
            var (body, writer): (HTTPBody?, HTTPBodyWriter) = HTTPBody.makeWritable()
            try await writer.write(Self.whole + Self.whole)
            let write = await Self.writeWaiting(writer, "x")
            switch end {
            case "abandoned": body?.abandon()
            case "discarded": await body?.discard()
            case "reader released":
                var iterator = body?.makeAsyncIterator()
                _ = try await iterator?.next()
                try await write.value
                iterator = nil
            default: break
            }
            if end != "abandoned", end != "discarded" { body = nil }
            if end != "reader released" {
                let error = await #expect(throws: HTTPError.self) { try await write.value }
                #expect(error?.code == .requestBodyEnded, "\(end)")
            }
            let error = await #expect(throws: HTTPError.self) { try await writer.write("y") }
            #expect(error?.code == .requestBodyEnded, "\(end)")
            try writer.finish()
        }
    }

    @Test func `a transport gives the reason, but only for a body that it has read`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        body.endWriting(because: .requestBodyEnded("there was no connection"))
        try await writer.write("a")
        let reported = body.reportingProgress { _, _ in }
        var iterator = reported.makeAsyncIterator()
        _ = try await iterator.next()
        reported.endWriting(because: .requestBodyEnded("there was no connection"))
        let error = await #expect(throws: HTTPError.self) { try await writer.write("b") }
        #expect(error?.message.hasSuffix("since there was no connection") == true)
    }

    @Test func `a wrong length fails both sides`() async throws {
        let (short, first) = HTTPBody.makeWritable(length: 3)
        try await first.write("ab")
        #expect(throws: HTTPError.self) { try first.finish() }
        await #expect(throws: HTTPError.self) { try await short.collect() }

        let (long, second) = HTTPBody.makeWritable(length: 3)
        let error = await #expect(throws: HTTPError.self) { try await second.write("abcd") }
        #expect(error?.code == .requestBodyFailed)
        await #expect(throws: HTTPError.self) { try await long.collect() }
    }
}
