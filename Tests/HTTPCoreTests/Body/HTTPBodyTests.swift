import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// Tests of every kind of body. `HTTPBodyStreamTests` tests how a stream ends.
@Suite(.timeLimit(.minutes(5))) struct HTTPBodyTests {
    private static func restartable(_ steps: [ScriptedBodySource.Step]) -> HTTPBody {
        HTTPBody(length: nil) { ScriptedBodySource(steps) }
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var length: Int64?
        var replay: HTTPBody.Replay
        var isInMemory = false
        var text = "abc"
        var make: @Sendable () throws -> HTTPBody
        var testDescription: String { name }
    }

    static let kinds: [Kind] = [
        Kind(name: "bytes", length: 3, replay: .always, isInMemory: true) { HTTPBody("abc") },
        Kind(name: "empty", length: 0, replay: .always, isInMemory: true, text: "") { .empty },
        Kind(name: "bytes and trailers", length: 3, replay: .always, isInMemory: true) {
            HTTPBody(Data("abc".utf8), trailers: ["t": "1"])
        },
        Kind(name: "a slice", length: 3, replay: .always, isInMemory: true) {
            HTTPBody(Data("xabcx".utf8)[1..<4])
        },
        Kind(name: "arrived", length: 3, replay: .once, isInMemory: true) {
            HTTPBody(arrived: Data("abc".utf8))
        },
        Kind(name: "stream", length: nil, replay: .once) {
            HTTPBody(source: ScriptedBodySource(["a", "bc"]))
        },
        Kind(name: "stream of known length", length: 3, replay: .once) {
            HTTPBody(source: ScriptedBodySource(["a", "bc"]), length: 3)
        },
        Kind(name: "restartable", length: nil, replay: .always) { restartable(["ab", "c"]) },
        Kind(name: "restartable of known length", length: 3, replay: .always) {
            HTTPBody(length: 3) { ScriptedBodySource(["abc"]) }
        },
        Kind(name: "sequence", length: nil, replay: .once) { HTTPBody(Pieces(["a", "", "bc"])) },
        Kind(name: "restarting sequence", length: 3, replay: .always) {
            HTTPBody(length: 3, restarting: { Pieces(["ab", "", "c"]) })
        },
        Kind(name: "file", length: 3, replay: .always) {
            try HTTPBody(file: TemporaryFile.shared("xabcx").path, range: 1..<4)
        },
    ]

    @Test(arguments: kinds)
    func `a body says what it is without being read`(kind: Kind) throws {
        let body = try kind.make()
        #expect(body.length == kind.length)
        #expect(body.isEmpty == (kind.length == 0))
        #expect(body.replay == kind.replay)
        #expect(body.canBeSent)
        #expect((body.bytes != nil) == kind.isInMemory)
    }

    @Test(arguments: kinds)
    func `collecting gives the same bytes again, and sending follows replay`(
        kind: Kind
    ) async throws {
        let body = try kind.make()
        let copy = body
        for _ in 0..<3 { #expect(try await body.collect() == Data(kind.text.utf8)) }
        #expect(try await copy.collect().startIndex == 0)
        #expect(copy.canBeSent == (kind.replay == .always))
    }

    @Test(arguments: kinds)
    func `iterating gives pieces that are never empty`(kind: Kind) async throws {
        var whole = Data()
        for try await piece in try kind.make() {
            #expect(!piece.isEmpty)
            whole += piece
        }
        #expect(whole == Data(kind.text.utf8))
    }

    @Test(arguments: kinds)
    func `a replayable body is iterated again, a stream is not`(kind: Kind) async throws {
        let body = try kind.make()
        for try await _ in body {}
        #expect(body.canBeSent == (kind.replay == .always))
        if kind.replay == .always {
            var count = 0
            for try await piece in body { count += piece.count }
            #expect(count == kind.text.count)
            #expect(try await body.collect() == Data(kind.text.utf8))
        } else {
            let again = await #expect(throws: HTTPError.self) { for try await _ in body {} }
            let whole = await #expect(throws: HTTPError.self) { try await body.collect() }
            #expect(again?.code == .bodyAlreadyRead && whole?.code == .bodyAlreadyRead)
        }
    }

    @Test(arguments: kinds)
    func `writing to a file writes every byte from the offset on`(kind: Kind) async throws {
        let file = try TemporaryFile("??????")
        let descriptor = try file.openForWriting()
        defer { file.close(descriptor) }
        let body = try kind.make()
        let written = try await body.write(toDescriptor: descriptor, at: 2)
        #expect(written == Int64(kind.text.count))
        #expect(
            try file.text() == "??" + kind.text + String(repeating: "?", count: 4 - kind.text.count)
        )
        #expect(body.canBeSent == (kind.replay == .always))
    }

    @Test(arguments: kinds)
    func `a limit holds to the byte, in memory and out of it`(kind: Kind) async throws {
        #expect(try await kind.make().collect(upTo: kind.text.count).count == kind.text.count)
        guard !kind.text.isEmpty else { return }
        let body = try kind.make()
        let error = await #expect(throws: HTTPError.self) { try await body.collect(upTo: 2) }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.contains("2 bytes") == true)
    }

    @Test(arguments: kinds)
    func `discarding and abandoning a replayable body change nothing`(kind: Kind) async throws {
        let body = try kind.make()
        await body.discard()
        body.abandon()
        #expect(body.canBeSent == (kind.replay == .always))
        if kind.replay == .always { #expect(try await body.collect() == Data(kind.text.utf8)) }
    }

    @Test(arguments: kinds)
    func `no rendering shows bytes`(kind: Kind) throws {
        let body = try kind.make()
        var dumped = ""
        dump(body, to: &dumped)
        for text in ["\(body)", String(reflecting: body), dumped] {
            #expect(!text.contains("abc") && !text.contains("97"))
        }
    }

    // MARK: Bytes

    @Test(arguments: [
        HTTPBody(Data("abc".utf8), trailers: ["t": "1"]),
        HTTPBody(arrived: Data("abc".utf8), trailers: ["t": "1"]),
    ])
    func `bytes in memory have their trailers at once and have ended`(body: HTTPBody) {
        #expect(body.trailers == ["t": "1"])
        #expect(HTTPBody(Data(), trailers: nil).trailers == nil)
        let ends = BodyEnds(body)
        #expect(ends.list == ["complete t: 1"])
    }

    // MARK: Restartable

    @Test(.rows("S0-23", "S1-24"))
    func `a restartable body makes one source per send`() async throws {
        let sources = Locked([ScriptedBodySource]())
        let body = HTTPBody(length: 3) {
            let source = ScriptedBodySource(["a", "bc"])
            sources.withLock { $0.append(source) }
            return source
        }
        #expect(body.canBeSent)
        #expect(sources.withLock { $0.count } == 0)
        for send in 1...3 {
            for try await _ in body {}
            #expect(sources.withLock { $0.count } == send)
        }
        // A send that stops early abandons its own source only.
        for try await _ in body { break }
        #expect(sources.withLock { $0.map(\.abandons) } == [0, 0, 0, 1])
        let iterator = body.makeAsyncIterator()
        _ = iterator
        #expect(sources.withLock { $0.count } == 4)
    }

    @Test func `what a producer throws is what its reader gets`() async throws {
        let failsToStart = HTTPBody(length: nil) { throw ScriptedBodySource.Failure() }
        await #expect(throws: ScriptedBodySource.Failure.self) { try await failsToStart.collect() }
        await #expect(throws: ScriptedBodySource.Failure.self) {
            for try await _ in failsToStart {}
        }
        let failsLater = Self.restartable(["a", .fail])
        for _ in 0..<2 {
            await #expect(throws: ScriptedBodySource.Failure.self) {
                try await failsLater.collect()
            }
        }
    }

    @Test func `a known length beyond the limit makes no source at all`() async throws {
        let body = HTTPBody(length: 5) {
            Issue.record("a source was made")
            return ScriptedBodySource([])
        }
        let error = await #expect(throws: HTTPError.self) { try await body.collect(upTo: 4) }
        #expect(error?.code == .bodyTooLarge)
    }

    // MARK: Sequences

    @Test func `a sequence's failure is the body's`() async throws {
        let body = HTTPBody(Pieces(["a"], failure: ScriptedBodySource.Failure()))
        let ends = BodyEnds(body)
        var pieces: [Data] = []
        await #expect(throws: ScriptedBodySource.Failure.self) {
            for try await piece in body { pieces.append(piece) }
        }
        #expect(pieces == [Data("a".utf8)])
        #expect(ends.list == ["failed Failure"])
    }

    @Test func `a sequence that ends because it was cancelled is no complete body`() async throws {
        let isAsked = Gate()
        let never = Gate()
        let sequence = AsyncStream<Data> {
            isAsked.open()
            try? await never.wait()
            return nil
        }
        let body = HTTPBody(sequence)
        let ends = BodyEnds(body)
        let reader = Task { try await body.collect() }
        try await isAsked.wait()  // so that it is the sequence which hears of it
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(ends.list == ["failed CancellationError"])
    }

    @Test func `giving up ends the wait for a sequence that has gone quiet`() async throws {
        let isAsked = Gate()
        let body = HTTPBody(
            AsyncStream<Data> {
                isAsked.open()
                return (try? await Gate().wait()).map { Data() }
            })
        let ends = BodyEnds(body)
        let reader = Task { try await body.collect() }
        try await isAsked.wait()
        body.abandon()
        let error = await #expect(throws: HTTPError.self) { try await reader.value }
        #expect(error?.code == .bodyAlreadyRead)
        #expect(ends.list == ["abandoned"])
    }
}

/// A sequence of texts that can end with a failure.
struct Pieces: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        var pieces: Pieces
        mutating func next() async throws -> Data? {
            if !pieces.texts.isEmpty { return Data(pieces.texts.removeFirst().utf8) }
            if let failure = pieces.failure { throw failure }
            return nil
        }
    }

    var texts: [String]
    var failure: (any Error)?

    init(_ texts: [String], failure: (any Error)? = nil) {
        (self.texts, self.failure) = (texts, failure)
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
}
