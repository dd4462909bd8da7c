import FoundationEssentials
import HTTPCore

/// Bytes in the pieces in which they arrive.
struct Pieces: AsyncSequence, Sendable {
    var pieces: [Data]

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        mutating func next() async -> Data? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
}

extension Data {
    /// The bytes in one piece, byte by byte (if there are few), and cut at places that follow from
    /// the bytes, so that a finding can be repeated.
    var cuts: [Pieces] {
        var cuts = [Pieces(pieces: [self])]
        if count <= 2048 { cuts.append(Pieces(pieces: indices.map { self[$0..<$0 + 1] })) }
        var random = hash
        var pieces: [Data] = []
        var start = startIndex
        while start < endIndex {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let end = Swift.min(endIndex, start + Int(random >> 33 % 17))
            pieces.append(self[start..<end])  // occasionally an empty one
            start = end
        }
        cuts.append(Pieces(pieces: pieces))
        return cuts
    }

    /// The FNV-1a hash of the bytes.
    var hash: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The lines of the input, for targets whose input is text. At least one, even without bytes.
    var textLines: [String] {
        split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
