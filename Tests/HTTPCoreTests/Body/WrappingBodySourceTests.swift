import HTTPFormats
import HTTPTesting
import PortableFoundation
import TestSupport
import Testing

@testable import HTTPCore

@Suite(.timeLimit(.minutes(5))) struct WrappingBodySourceTests {
    private struct Refusal: Error {}

    /// The calls of the hooks of a body.
    private enum Seen: Equatable {
        case piece(String)
        case finish
        case complete(HTTPHeaders?)
        case failed(String)
        case abandoned

        init(_ end: HTTPBodyEnd) {
            self =
                switch end {
                case .complete(let trailers): .complete(trailers)
                case .failed(let error): .failed("\(type(of: error))")
                case .abandoned: .abandoned
                }
        }
    }

    /// A body of scripted steps, and a source that passes it on.
    private struct Play {
        let source: ScriptedBodySource
        let body: HTTPBody
        let seen = Record<Seen>()

        init(_ steps: [ScriptedBodySource.Step], trailers: HTTPHeaders? = nil) {
            source = ScriptedBodySource(steps, trailers: trailers)
            body = HTTPBody(source: source)
        }

        func hooks(
            reading: (@Sendable () throws -> Void)? = nil,
            piece: (@Sendable (Data) async throws -> HTTPBodyHooks.Passage)? = nil,
            finishing: (@Sendable () async throws -> Void)? = nil,
            failure: (@Sendable (any Error) -> any Error)? = nil
        ) -> HTTPBodyHooks {
            HTTPBodyHooks(
                reading: reading,
                piece: { [seen] bytes in
                    seen.add(.piece(String(decoding: bytes, as: UTF8.self)))
                    return try await piece?(bytes) ?? .bytes(bytes)
                },
                finishing: { [seen] _ in
                    seen.add(.finish)
                    try await finishing?()
                },
                failure: failure,
                ended: { [seen] in seen.add(Seen($0)) })
        }

        func wrapped(
            piece: (@Sendable (Data) async throws -> HTTPBodyHooks.Passage)? = nil,
            finishing: (@Sendable () async throws -> Void)? = nil
        ) -> WrappingBodySource {
            WrappingBodySource(body, hooks(piece: piece, finishing: finishing))
        }
    }

    private static func text(_ source: any HTTPBodySource) async throws -> String {
        var text = ""
        while let piece = try await source.next() { text += String(decoding: piece, as: UTF8.self) }
        return text
    }

    private static func isRefused(_ source: any HTTPBodySource) async -> Bool {
        do {
            _ = try await source.next()
            return false
        } catch {
            return (error as? HTTPError)?.code == .bodyAlreadyRead
        }
    }

    // MARK: Passing on

    @Test func `each piece is handled before it is passed on, and the end, too`() async throws {
        let play = Play(["a", "b"], trailers: ["X-Sum": "1"])
        let source = play.wrapped()
        #expect(try await source.next() == Data("a".utf8))
        #expect(play.seen.entries == [.piece("a")])
        #expect(play.source.reads == 1, "a piece is read when it is asked for, and not before")
        #expect(try await source.next() == Data("b".utf8))
        #expect(try await source.next() == nil)
        #expect(source.trailers == ["X-Sum": "1"])
        let all: [Seen] = [.piece("a"), .piece("b"), .finish, .complete(["X-Sum": "1"])]
        #expect(play.seen.entries == all)
        #expect(try await source.next() == nil, "the end stays")
        source.abandon()
        await source.discard()
        #expect(play.seen.entries == all, "a body ends once")
        #expect(play.source.abandons == 0)
    }

    /// A body that can be read again is not abandoned: only its reader holds its resources.
    @Test(arguments: [true, false])
    func `an end releases the reader of a body that can be read again`(
        discards: Bool
    ) async throws {
        struct Reader { weak var source: ScriptedBodySource? }
        let reader = Locked(Reader())
        let body = HTTPBody(length: nil) {
            let source = ScriptedBodySource(["a", "b"])
            reader.withLock { $0.source = source }
            return source
        }
        let source = WrappingBodySource(body, HTTPBodyHooks())
        #expect(try await source.next() == Data("a".utf8))
        #expect(reader.withLock { $0.source != nil })
        if discards { await source.discard() } else { source.abandon() }
        #expect(reader.withLock { $0.source == nil })
        withExtendedLifetime(source) {}
    }

    @Test func `a piece may be changed, and left out`() async throws {
        let play = Play(["a", "b", "c"])
        let source = play.wrapped { piece in
            piece == Data("b".utf8) ? .bytes(Data()) : .bytes(piece + piece)
        }
        #expect(try await Self.text(source) == "aacc")
        #expect(play.seen.entries.last == .complete(nil))
    }

    @Test(arguments: ["b", ""])
    func `the last bytes end both bodies, and the rest is not read`(last: String) async throws {
        let play = Play(["a", "b", "c"], trailers: ["X-Sum": "1"])
        let source = play.wrapped { piece in
            piece == Data("b".utf8) ? .last(Data(last.utf8)) : .bytes(piece)
        }
        #expect(try await Self.text(source) == "a" + last)
        #expect(play.source.reads == 2 && play.source.abandons == 1)
        #expect(play.seen.entries == [.piece("a"), .piece("b"), .complete(nil)])
        #expect(source.trailers == nil)
    }

    @Test func `bytes that were read ahead come first, and through the hooks`() async throws {
        let play = Play(["a", "b"])
        var iterator = play.body.makeAsyncIterator()
        let first = try await iterator.next()
        let source = WrappingBodySource(
            play.body, play.hooks(), continuing: iterator, after: first)
        #expect(try await Self.text(source) == "ab")
        #expect(
            play.seen.entries == [.piece("a"), .piece("b"), .finish, .complete(nil)])
    }

    @Test func `a body that can be read again is passed on once, with its length`() async throws {
        let play = Play([])
        let body = HTTPBody("abc").wrapped(play.hooks())
        #expect(body.length == 3 && body.replay == .once)
        #expect(try await body.collect() == Data("abc".utf8))
        #expect(play.seen.entries == [.piece("abc"), .finish, .complete(nil)])
    }

    // MARK: Errors

    @Test func `an error of a hook ends the reading, and abandons the body`() async throws {
        let play = Play(["a", "b"])
        let source = play.wrapped { _ in throw Refusal() }
        await #expect(throws: Refusal.self) { try await source.next() }
        #expect(play.source.abandons == 1)
        #expect(play.seen.entries == [.piece("a"), .failed("Refusal")])
        #expect(await Self.isRefused(source))
        source.abandon()
        #expect(play.seen.entries.count == 2)
    }

    @Test func `an error at the end makes a body fail that was read to its end`() async throws {
        let play = Play(["a"])
        let body = HTTPBody(
            source: play.wrapped(finishing: { throw Refusal() }))
        await #expect(throws: Refusal.self) { try await body.collect() }
        #expect(play.seen.entries == [.piece("a"), .finish, .failed("Refusal")])
    }

    @Test func `an error before a reading ends both bodies without it`() async throws {
        let play = Play(["a"])
        let source = WrappingBodySource(play.body, play.hooks(reading: { throw Refusal() }))
        await #expect(throws: Refusal.self) { try await source.next() }
        #expect(play.source.reads == 0 && play.source.abandons == 1)
        #expect(play.seen.entries == [.failed("Refusal")])
    }

    @Test func `an error of the other body can be replaced, that of a hook is not`() async throws {
        let failing = Play(["a", .fail])
        let source = WrappingBodySource(failing.body, failing.hooks(failure: { _ in Refusal() }))
        await #expect(throws: Refusal.self) { try await Self.text(source) }
        #expect(failing.seen.entries == [.piece("a"), .failed("Refusal")])
        let refused = Play(["a"])
        let other = WrappingBodySource(
            refused.body,
            refused.hooks(
                piece: { _ in throw Refusal() },
                failure: { _ in ScriptedBodySource.Failure() }))
        await #expect(throws: Refusal.self) { try await other.next() }
    }

    @Test func `a cancelled reading has failed`() async throws {
        let (reached, until) = (Gate(), Gate())
        let play = Play(["a", .stall(reached: reached, until: until)])
        let source = play.wrapped()
        _ = try await source.next()
        let reading = Task { try await source.next() }
        await reached.waitIgnoringCancellation()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(play.seen.entries == [.piece("a"), .failed("CancellationError")])
        #expect(await Self.isRefused(source))
    }

    // MARK: Giving up

    enum GivingUp: CaseIterable {
        case abandoning, discarding

        func end(_ source: WrappingBodySource) async {
            switch self {
            case .abandoning: source.abandon()
            case .discarding: await source.discard()
            }
        }
    }

    @Test(arguments: GivingUp.allCases)
    func `a body that is given up ends, and no hook is called after that`(
        way: GivingUp
    ) async throws {
        for reads in 0...1 {
            let play = Play(["a", "b"])
            let source = play.wrapped()
            for _ in 0..<reads { _ = try await source.next() }
            await way.end(source)
            #expect(play.source.discards == (way == .discarding ? 1 : 0))
            #expect(play.source.abandons == 1)
            #expect(await Self.isRefused(source))
            await way.end(source)
            #expect(play.seen.entries.suffix(1) == [.abandoned])
            #expect(play.seen.entries.count == reads + 1)
        }
    }

    @Test(arguments: GivingUp.allCases)
    func `a body that is given up while a piece is handled ends`(way: GivingUp) async throws {
        let play = Play(["a", "b"])
        let place = Locked<WrappingBodySource?>(nil)
        let source = play.wrapped { piece in
            if let source = place.withLock({ $0 }) { await way.end(source) }
            return .bytes(piece)
        }
        place.withLock { $0 = source }
        #expect(await Self.isRefused(source), "the piece is not passed on")
        #expect(play.source.abandons > 0)
        #expect(await Self.isRefused(source))
        #expect(play.seen.entries == [.piece("a"), .abandoned])
        place.withLock { $0 = nil }
    }

    @Test func `a body that is abandoned at its end is not complete`() async throws {
        let play = Play(["a"])
        let place = Locked<WrappingBodySource?>(nil)
        let source = play.wrapped(finishing: { place.withLock { $0 }?.abandon() })
        place.withLock { $0 = source }
        _ = try await source.next()
        #expect(await Self.isRefused(source))
        #expect(play.seen.entries == [.piece("a"), .finish, .abandoned])
        place.withLock { $0 = nil }
    }

    @Test(arguments: GivingUp.allCases)
    func `a body that is given up while a piece is waited for is read no further`(
        way: GivingUp
    ) async throws {
        let (reached, until) = (Gate(), Gate())
        let play = Play(["a", .stall(reached: reached, until: until), "b"])
        let source = WrappingBodySource(
            play.body,
            play.hooks(failure: { error in
                Issue.record("a hook was called after the end")
                return error
            }))
        _ = try await source.next()
        let reading = Task { try await source.next() }
        await reached.waitIgnoringCancellation()
        await way.end(source)
        until.open()
        await #expect(throws: (any Error).self) { try await reading.value }
        #expect(play.source.abandons > 0)
        #expect(await Self.isRefused(source))
        #expect(play.seen.entries == [.piece("a"), .abandoned])
    }

    @Test(arguments: 0...2)
    func `releasing the source before its end abandons the rest`(reads: Int) async throws {
        let source: ScriptedBodySource
        let seen: Record<Seen>
        do {
            let play = Play(["a", "b"])
            (source, seen) = (play.source, play.seen)
            let wrapping = play.wrapped()
            for _ in 0..<reads { _ = try await wrapping.next() }
        }
        #expect(source.abandons == 1)
        #expect(seen.entries.count == reads + 1 && seen.entries.last == .abandoned)
    }

    @Test func `reading and giving up at the same time end a body once`() async throws {
        for _ in 0..<500 {
            let play = Play(["a", "b", "c"])
            let source = play.wrapped()
            async let text: String? = try? Self.text(source)
            async let end: Void = source.abandon()
            _ = await (text, end)
            let ends = play.seen.entries.filter {
                switch $0 {
                case .piece, .finish: false
                default: true
                }
            }
            #expect(ends.count == 1)
            if await text == "abc" { #expect(ends == [.complete(nil)]) }
        }
    }

    // MARK: Files

    @Test func `without hooks for pieces the other body writes itself`() async throws {
        for hasPieces in [false, true] {
            let play = Play(["ab", "c"], trailers: ["X-Sum": "1"])
            var hooks = play.hooks()
            if !hasPieces { hooks.piece = nil }
            let file = try TemporaryFile("")
            let descriptor = try file.openForWriting()
            defer { file.close(descriptor) }
            let body = play.body.wrapped(hooks)
            #expect(try await body.write(toDescriptor: descriptor) == 3)
            #expect(try file.text() == "abc")
            #expect(body.trailers == ["X-Sum": "1"])
            #expect(play.seen.entries.suffix(2) == [.finish, .complete(["X-Sum": "1"])])
        }
        let failing = Play(["a", .fail])
        var hooks = failing.hooks(failure: { _ in Refusal() })
        hooks.piece = nil
        let body = failing.body.wrapped(hooks)
        let file = try TemporaryFile("")
        let descriptor = try file.openForWriting()
        defer { file.close(descriptor) }
        await #expect(throws: Refusal.self) { try await body.write(toDescriptor: descriptor) }
        #expect(failing.seen.entries == [.failed("Refusal")])
    }

    // MARK: Writers

    @Test func `the writer of the other body learns why no more is sent`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        let outer = body.wrapped(HTTPBodyHooks())
        outer.willBeRead()
        outer.writtenSource?.end(because: .requestBodyEnded("a reason"))
        let error = await #expect(throws: HTTPError.self) { try await writer.write("a") }
        #expect(error?.message.contains("a reason") == true)
    }
}
