import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// One holder reads a stream while another gives it up: whatever the source makes of that, the
/// reader never takes what it has for the whole.
@Suite(.timeLimit(.minutes(5))) struct HTTPBodyGivingUpTests {
    /// A source that returns one piece and then waits until it is abandoned.
    final class Source: HTTPBodySource {
        enum Answer: Sendable, CaseIterable { case end, piece, failure, cancellation }

        struct Failure: Error {}

        private let answer: Answer
        private let reads = Locked(0)
        private let isGivenUp = Gate()
        /// Opened when its reader waits.
        let waits = Gate()

        init(_ answer: Answer) { self.answer = answer }

        func next() async throws -> Data? {
            let number = reads.withLock { reads in
                reads += 1
                return reads
            }
            if number == 1 { return Data("a".utf8) }
            if number > 2 { return nil }
            waits.open()
            await isGivenUp.waitIgnoringCancellation()
            switch answer {
            case .end: return nil
            case .piece: return Data("b".utf8)
            case .failure: throw Failure()
            case .cancellation: throw CancellationError()
            }
        }

        func abandon() { isGivenUp.open() }
    }

    enum Leaving: String, Sendable, CaseIterable {
        case abandoned, discarded, abandonedTwice, discardedTwice, discardedAndAbandoned

        func leave(_ body: HTTPBody) async {
            switch self {
            case .abandoned: body.abandon()
            case .discarded: await body.discard()
            case .abandonedTwice:
                body.abandon()
                body.abandon()
            case .discardedTwice:
                async let other: Void = body.discard()
                await body.discard()
                await other
            case .discardedAndAbandoned:
                await body.discard()
                body.abandon()
            }
        }
    }

    enum Reading: String, Sendable, CaseIterable {
        case iterating, collecting, collectingTwice, writing, progressing, asSequence

        /// Reads all of `body`, which ends in an error.
        func read(_ body: HTTPBody) async throws {
            switch self {
            case .iterating: for try await _ in body {}
            case .collecting: _ = try await body.collect()
            case .collectingTwice:
                async let other = body.collect()
                _ = try await body.collect()
                _ = try await other
            case .writing:
                let file = try TemporaryFile("")
                let descriptor = try file.openForWriting()
                defer { file.close(descriptor) }
                _ = try await body.write(toDescriptor: descriptor)
            case .progressing: _ = try await body.reportingProgress { _ in }.collect()
            case .asSequence: _ = try await HTTPBody(body).collect()
            }
        }
    }

    @Test(arguments: Reading.allCases, Source.Answer.allCases)
    func `a reader that waits gets an error when another holder gives the body up`(
        reading: Reading, answer: Source.Answer
    ) async throws {
        for leaving in Leaving.allCases {
            let source = Source(answer)
            let body = HTTPBody(source: source)
            let ends = Locked<[String]>([])
            body.whenEnded { end in ends.withLock { $0.append("\(end)") } }
            let reader = Task { try await reading.read(body) }
            try await source.waits.wait()
            await leaving.leave(body)
            let error = await #expect(throws: HTTPError.self, "\(leaving)") {
                try await reader.value
            }
            #expect(error?.code == .bodyAlreadyRead, "\(leaving)")
            #expect(error?.message.contains("ended the body early") == true, "\(leaving)")
            #expect(ends.withLock { $0 } == ["abandoned"], "\(leaving)")
        }
    }

    @Test(arguments: Leaving.allCases)
    func `a reader between two pieces gets the error, again and again`(
        leaving: Leaving
    ) async throws {
        let body = HTTPBody(source: Source(.end))
        var pieces = body.makeAsyncIterator()
        #expect(try await pieces.next() == Data("a".utf8))
        await leaving.leave(body)
        for _ in 0..<3 {
            let error = await #expect(throws: HTTPError.self) { try await pieces.next() }
            #expect(error?.code == .bodyAlreadyRead)
        }
        let error = await #expect(throws: HTTPError.self) { try await body.collect() }
        #expect(error?.code == .bodyAlreadyRead)
    }

    @Test func `a reader that is cancelled itself gets its cancellation`() async throws {
        let source = Source(.cancellation)
        let body = HTTPBody(source: source)
        let reader = Task { try await body.collect() }
        try await source.waits.wait()
        reader.cancel()
        body.abandon()
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func `what comes after the end changes nothing`() async throws {
        for leaving in Leaving.allCases {
            let body = HTTPBody(source: ScriptedBodySource(["a", "b"]))
            #expect(try await body.collect() == Data("ab".utf8))
            await leaving.leave(body)
            #expect(try await body.collect() == Data("ab".utf8))
        }
    }

    @Test func `a handler that comes while the body is being discarded waits for the rest`()
        async throws
    {
        let reached = Gate()
        let until = Gate()
        let body = HTTPBody(
            source: ScriptedBodySource(
                ["a"],
                discarding: {
                    reached.open()
                    await until.waitIgnoringCancellation()
                }))
        let discarding = Task { await body.discard() }
        try await reached.wait()
        let isTold = Locked(false)
        body.whenEnded { _ in isTold.withLock { $0 = true } }
        #expect(!isTold.withLock { $0 })
        until.open()
        await discarding.value
        #expect(isTold.withLock { $0 })
    }

    /// Its rest is read away only until it is cut.
    final class Endless: HTTPBodySource {
        private let isCut = Gate()
        /// Opened when the rest is being read away.
        let discards = Gate()

        func next() async throws -> Data? { Data("a".utf8) }
        func abandon() { isCut.open() }
        func discard() async {
            discards.open()
            await isCut.waitIgnoringCancellation()
        }
    }

    @Test func `abandoning cuts what another holder is discarding, dropping a reader does not`()
        async throws
    {
        let source = Endless()
        let body = HTTPBody(source: source)
        let ends = Locked<[String]>([])
        body.whenEnded { end in ends.withLock { $0.append("\(end)") } }
        let reader = Task {
            for try await _ in body { try await source.discards.wait() }
        }
        let discarding = Task { await body.discard() }
        await #expect(throws: HTTPError.self) { try await reader.value }
        #expect(ends.withLock { $0 } == [])
        body.abandon()
        await discarding.value
        #expect(ends.withLock { $0 } == ["abandoned"])
    }

    @Test func `a race of reader and leaver never leaves a part that looks whole`() async throws {
        for _ in 0..<200 {
            let body = HTTPBody(
                AsyncStream<Data> { continuation in
                    for _ in 0..<8 { continuation.yield(Data("a".utf8)) }
                    continuation.finish()
                })
            async let reading = Result { try await body.collect() }
            body.abandon()
            switch await reading {
            case .success(let whole): #expect(whole.count == 8)
            case .failure(let error): #expect((error as? HTTPError)?.code == .bodyAlreadyRead)
            }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
