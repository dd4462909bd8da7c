import Testing

@testable import HTTPTesting

@Suite struct RelayChannelTests {
    private let start = ContinuousClock.now

    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test func `bytes pass in order, then the end, once`() {
        var channel = RelayChannel(RelayFaults())
        #expect(channel.next(now: start) == .idle)
        channel.received(bytes("ab"), now: start)
        channel.received(bytes("c"), now: start)
        channel.receivedEnd(now: start)
        #expect(!channel.wantsBytes && !channel.isEnded)
        #expect(channel.next(now: start) == .write(bytes("ab")))
        channel.wrote(1, now: start)
        #expect(channel.next(now: start) == .write(bytes("b")))
        channel.wrote(1, now: start)
        #expect(channel.next(now: start) == .write(bytes("c")))
        channel.wrote(1, now: start)
        #expect(channel.next(now: start) == .end)
        #expect(channel.isEnded)
        #expect(channel.next(now: start) == .idle)
    }

    @Test func `a delay holds bytes and the end back, each from when it came`() {
        var channel = RelayChannel(RelayFaults(delay: .seconds(2)))
        channel.received(bytes("a"), now: start)
        channel.receivedEnd(now: start + .seconds(1))
        #expect(channel.next(now: start) == .wait(until: start + .seconds(2)))
        #expect(channel.next(now: start + .seconds(2)) == .write(bytes("a")))
        channel.wrote(1, now: start + .seconds(2))
        #expect(channel.next(now: start + .seconds(2)) == .wait(until: start + .seconds(3)))
        #expect(channel.next(now: start + .seconds(3)) == .end)
    }

    @Test func `a rate lets small pieces pass, each after the time of the one before`() {
        var channel = RelayChannel(RelayFaults(rate: 100))
        channel.received(bytes("abcde"), now: start)
        var now = start
        var passed: [String] = []
        for _ in 0..<5 {
            switch channel.next(now: now) {
            case .write(let piece):
                passed.append(String(decoding: piece, as: UTF8.self))
                channel.wrote(piece.count, now: now)
            case .wait(let until): now = until
            default: Issue.record("neither bytes nor a pause")
            }
        }
        #expect(passed == ["ab", "cd", "e"])
        #expect(now == start + .milliseconds(40))
    }

    @Test(arguments: [RelayFaults.Break.Kind.cut, .reset, .stall])
    func `after so many bytes nothing passes`(kind: RelayFaults.Break.Kind) {
        var channel = RelayChannel(RelayFaults(end: .init(kind, after: 2)))
        channel.received(bytes("abc"), now: start)
        #expect(channel.next(now: start) == .write(bytes("ab")))
        #expect(channel.wantsBytes)
        channel.wrote(2, now: start)
        #expect(channel.next(now: start) == .stop(kind))
        #expect(!channel.wantsBytes && channel.isStalled == (kind == .stall))
        #expect(RelayChannel(RelayFaults(end: .init(kind, after: 0))).wantsBytes == false)
    }

    @Test func `a slow receiver slows the sender`() {
        var channel = RelayChannel(RelayFaults())
        let piece = [UInt8](repeating: 1, count: 1 << 17)[...]
        channel.received(piece, now: start)
        #expect(channel.wantsBytes)
        channel.received(piece, now: start)
        #expect(!channel.wantsBytes)
        channel.wrote(1, now: start)
        #expect(channel.wantsBytes)
    }
}
