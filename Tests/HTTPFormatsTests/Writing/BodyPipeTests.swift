import HTTPTesting
import TestSupport
import Testing
import HTTPCore
@testable import HTTPFormats
import PortableFoundation

@Suite struct BodyPipeTests {
    private static let whole = Data(repeating: 1, count: BodyPipe.capacity)

    private struct Failure: Error {}

    // MARK: Pieces

    @Test func `pieces are joined until they are read, in the order of their writes`() {
        var pipe = BodyPipe()
        for piece in ["a", "", "bc", "d"] { #expect(pipe.put(piece) == "taken") }
        #expect(pipe.get() == "abcd")
        #expect(pipe.get() == "wait")
        #expect(pipe.put("e") == "taken")
        #expect(pipe.get() == "e")
    }

    @Test func `a write waits when its piece has no room, and those after it wait, too`() {
        var pipe = BodyPipe()
        #expect(pipe.put(Self.whole.dropLast()) == "taken")
        #expect(pipe.put("a") == "taken")
        #expect(pipe.put("bc") == "waits 1")
        #expect(pipe.put("") == "taken")
        #expect(pipe.put("d") == "waits 2")
        #expect(pipe.buffered == BodyPipe.capacity)
        #expect(pipe.releases == [])
        #expect(pipe.get().count == BodyPipe.capacity)
        #expect(pipe.releases == ["1", "2"])
        #expect(pipe.releases == [])
        #expect(pipe.get() == "bcd")
    }

    @Test func `a piece longer than the buffer is taken alone`() {
        var pipe = BodyPipe()
        let long = Self.whole + Self.whole
        #expect(pipe.put("a") == "taken")
        #expect(pipe.put(long) == "waits 1")
        #expect(pipe.put("b") == "waits 2")
        #expect(pipe.get() == "a")
        #expect(pipe.releases == ["1"])
        #expect(pipe.get().count == long.count)
        #expect(pipe.releases == ["2"])
        #expect(pipe.get() == "b")
    }

    @Test func `a cancelled write leaves the others as they are`() {
        var pipe = BodyPipe()
        for piece in [Self.whole, Data("a".utf8), Data("b".utf8), Data("c".utf8)] {
            _ = pipe.write(piece)
        }
        #expect(pipe.cancel(2) == true)
        #expect(pipe.cancel(2) == false, "twice")
        #expect(pipe.cancel(9) == false, "no such write")
        _ = pipe.read()
        #expect(pipe.releases == ["1", "3"])
        #expect(pipe.cancel(3) == false, "it was taken")
        #expect(pipe.get() == "ac")
    }

    @Test func `the pieces behind a cancelled write move up`() {
        var pipe = BodyPipe()
        _ = pipe.put("a")
        #expect(pipe.put(Self.whole) == "waits 1")
        #expect(pipe.put("b") == "waits 2")
        #expect(pipe.cancel(1) == true)
        #expect(pipe.releases == ["2"])
        #expect(pipe.get() == "ab")
    }

    // MARK: Ends

    @Test func `a finished body ends after all its pieces, also those that wait`() throws {
        var pipe = BodyPipe()
        _ = pipe.write(Self.whole)
        #expect(pipe.put("a") == "waits 1")
        try pipe.finish()
        #expect(pipe.put("b") == "requestBodyEnded: nothing can be written after finish()")
        #expect(pipe.put("") == "requestBodyEnded: nothing can be written after finish()")
        #expect(pipe.get().count == BodyPipe.capacity)
        #expect(pipe.get() == "a")
        for _ in 0..<2 { #expect(pipe.get() == "end") }
        try pipe.finish()
        pipe.fail(Failure())
        pipe.cut(because: .requestBodyEnded("x"))
        #expect(pipe.get() == "end")
        #expect(pipe.put("c") == "requestBodyEnded: nothing can be written after finish()")
    }

    @Test func `the first end counts`() throws {
        var pipe = BodyPipe()
        _ = pipe.put("a")
        try pipe.finish()
        pipe.fail(Failure())
        #expect(pipe.get() == "a")
        #expect(pipe.get() == "end")

        pipe = BodyPipe()
        pipe.fail(Failure())
        try pipe.finish()
        pipe.cut(because: .requestBodyEnded("x"))
        #expect(pipe.get() == "failed")

        pipe = BodyPipe()
        pipe.cut(because: .requestBodyEnded("first"))
        pipe.cut(because: .requestBodyEnded("second"))
        pipe.fail(Failure())
        try pipe.finish()
        #expect(pipe.get() == "failed")
        #expect(pipe.put("a").hasSuffix("since first"))
    }

    @Test func `a failure is read at once, and refuses the writes that wait`() {
        var pipe = BodyPipe()
        _ = pipe.write(Self.whole)
        _ = pipe.put("a")
        pipe.fail(HTTPError(.timedOut, "too late"))
        let refusal =
            "requestBodyEnded: no more of the request's body is sent, "
            + "since the body has failed: too late"
        #expect(pipe.releases == ["1 " + refusal])
        for _ in 0..<2 { #expect(pipe.get() == "failed") }
        #expect(pipe.put("b") == refusal)
        #expect(pipe.buffered == 0)
    }

    @Test func `a cut refuses the writes that wait, also of a finished body`() throws {
        for isFinished in [false, true] {
            var pipe = BodyPipe()
            _ = pipe.write(Self.whole)
            _ = pipe.put("a")
            if isFinished { try pipe.finish() }
            pipe.cut(because: .requestBodyEnded("it is enough"))
            let refusal =
                "requestBodyEnded: no more of the request's body is sent, since it is enough"
            #expect(pipe.releases == ["1 " + refusal])
            #expect(pipe.get() == "failed")
            #expect(pipe.put("b") == refusal)
            #expect(pipe.cancel(1) == false)
        }
    }

    @Test func `a body that a cancelled write is missing from does not end as complete`() throws {
        var pipe = BodyPipe()
        _ = pipe.write(Self.whole)
        _ = pipe.put("a")
        _ = pipe.put("b")
        try pipe.finish()
        #expect(pipe.cancel(1) == true)
        #expect(pipe.releases.count == 1)
        #expect(pipe.get() == "failed")
    }

    // MARK: The declared length

    @Test func `a body of its declared length is complete`() throws {
        for pieces in [["abcd"], ["a", "", "bcd"]] {
            var pipe = BodyPipe(declaredLength: 4)
            for piece in pieces { #expect(pipe.put(piece) == "taken") }
            #expect(pipe.put("") == "taken")
            try pipe.finish()
            #expect(pipe.get() == "abcd")
            #expect(pipe.get() == "end")
        }
        var empty = BodyPipe(declaredLength: 0)
        try empty.finish()
        #expect(empty.get() == "end")
    }

    @Test func `a byte more than declared fails the body`() {
        var pipe = BodyPipe(declaredLength: 4)
        _ = pipe.put("abc")
        let error =
            "requestBodyFailed: the request's body goes on beyond its declared length of 4 bytes"
        #expect(pipe.put("de") == error)
        #expect(pipe.get() == "failed")
        #expect(pipe.put("d").hasPrefix("requestBodyEnded"))
    }

    @Test func `a byte less than declared fails the body`() {
        var pipe = BodyPipe(declaredLength: 4)
        _ = pipe.put("abc")
        #expect(throws: HTTPError.self) { try pipe.finish() }
        #expect(pipe.get() == "failed")
    }

    @Test func `a cancelled write does not count for the length`() throws {
        let length = Int64(BodyPipe.capacity) + 1
        var pipe = BodyPipe(declaredLength: length)
        _ = pipe.write(Self.whole)
        #expect(pipe.put("a") == "waits 1")
        #expect(pipe.cancel(1) == true)
        #expect(pipe.put("b") == "waits 2")
        try pipe.finish()
        _ = pipe.read()
        #expect(pipe.get() == "b")
        #expect(pipe.get() == "end")
    }

    // MARK: Any order

    @Test(arguments: UInt64(0)..<200)
    func `whatever the order, all that was taken is read once and in order`(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var pipe = BodyPipe()
        var (sent, received) = (Data(), Data())
        var waiting: [(number: Int, piece: Data)] = []
        func note(_ releases: [BodyPipe.Release]) {
            for release in releases {
                #expect(release.number == waiting.first?.number)
                sent += waiting.removeFirst().piece
            }
        }
        for step in 0..<300 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let size = [1, 100, 30_000, 65_536, 100_000].randomElement(using: &random) ?? 1
                let piece = Data(repeating: UInt8(step % 251), count: size)
                switch pipe.write(piece) {
                case .taken: sent += piece
                case .waits(let number): waiting.append((number, piece))
                case .refused(let error): throw error
                }
            case 6 where !waiting.isEmpty:
                let index = Int.random(in: 0..<waiting.count, using: &random)
                #expect(pipe.cancel(waiting.remove(at: index).number) == true)
            default:
                if case .piece(let piece) = pipe.read() { received += piece }
            }
            note(pipe.takeReleased())
            #expect(pipe.waitingCount == waiting.count)
            #expect(waiting.isEmpty || pipe.buffered > 0, "no write waits beside an empty buffer")
        }
        try pipe.finish()
        while case .piece(let piece) = pipe.read() {
            received += piece
            note(pipe.takeReleased())
        }
        #expect(pipe.get() == "end")
        #expect(waiting.isEmpty)
        #expect(received == sent)
    }
}

extension BodyPipe {
    fileprivate mutating func put(_ text: String) -> String { put(Data(text.utf8)) }

    fileprivate mutating func put(_ piece: Data) -> String {
        switch write(piece) {
        case .taken: "taken"
        case .waits(let number): "waits \(number)"
        case .refused(let error): "\(error.code): \(error.message)"
        }
    }

    fileprivate mutating func get() -> String {
        switch read() {
        case .piece(let bytes): String(decoding: bytes, as: UTF8.self)
        case .end: "end"
        case .failed: "failed"
        case .wait: "wait"
        }
    }

    fileprivate var releases: [String] {
        mutating get {
            takeReleased().map { release in
                "\(release.number)"
                    + (release.refusal.map { " \($0.code): \($0.message)" } ?? "")
            }
        }
    }
}
