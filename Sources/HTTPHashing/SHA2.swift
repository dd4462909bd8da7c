/// The differences between the functions of the SHA-2 family (FIPS 180-4 §4.1.2, §4.1.3, §4.2,
/// §5.3).
protocol SHA2Variant: Sendable {
    associatedtype Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable
    static var initial: [Word] { get }
    /// The constants, one for each round.
    static var constants: [Word] { get }
    static func bigSigma0(_ x: Word) -> Word
    static func bigSigma1(_ x: Word) -> Word
    static func smallSigma0(_ x: Word) -> Word
    static func smallSigma1(_ x: Word) -> Word
}

/// The functions of the SHA-2 family (FIPS 180-4 §6.2, §6.4), which differ only in their words.
struct SHA2<Variant: SHA2Variant>: Sendable {
    typealias Word = Variant.Word

    private var state: [Word]
    private var blocks = HashBlocks(ofSize: 16 * Word.bitWidth / 8)

    init(initial: [Word] = Variant.initial) { state = initial }

    @inline(__always)
    mutating func update(_ bytes: RawSpan) {
        blocks.append(bytes) { Self.compress($0, into: &state) }
    }

    /// Returns the state after the last block; the digest is a prefix of it.
    @inline(__always)
    func finalize() -> [UInt8] {
        let last = blocks.padding(isBigEndian: true)
        var state = state
        unsafe Self.compress(last.span.bytes, into: &state)
        return state.flatMap { word in
            stride(from: Word.bitWidth - 8, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: word >> Word($0))
            }
        }
    }

    /// Processes blocks. Sixteen rounds are written out, so that the message schedule is in
    /// registers or on the stack.
    @inline(__always)
    private static func compress(_ blocks: RawSpan, into state: inout [Word]) {
        let size = Word.bitWidth / 8
        let k = Variant.constants
        var start = 0
        while start < blocks.byteCount {
            var w0 = blocks.word(at: start + 0 * size, as: Word.self).bigEndian
            var w1 = blocks.word(at: start + 1 * size, as: Word.self).bigEndian
            var w2 = blocks.word(at: start + 2 * size, as: Word.self).bigEndian
            var w3 = blocks.word(at: start + 3 * size, as: Word.self).bigEndian
            var w4 = blocks.word(at: start + 4 * size, as: Word.self).bigEndian
            var w5 = blocks.word(at: start + 5 * size, as: Word.self).bigEndian
            var w6 = blocks.word(at: start + 6 * size, as: Word.self).bigEndian
            var w7 = blocks.word(at: start + 7 * size, as: Word.self).bigEndian
            var w8 = blocks.word(at: start + 8 * size, as: Word.self).bigEndian
            var w9 = blocks.word(at: start + 9 * size, as: Word.self).bigEndian
            var w10 = blocks.word(at: start + 10 * size, as: Word.self).bigEndian
            var w11 = blocks.word(at: start + 11 * size, as: Word.self).bigEndian
            var w12 = blocks.word(at: start + 12 * size, as: Word.self).bigEndian
            var w13 = blocks.word(at: start + 13 * size, as: Word.self).bigEndian
            var w14 = blocks.word(at: start + 14 * size, as: Word.self).bigEndian
            var w15 = blocks.word(at: start + 15 * size, as: Word.self).bigEndian
            start += 16 * size
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            var group = 0
            while true {
                round(a, b, c, &d, e, f, g, &h, k[group + 0] &+ w0)
                round(h, a, b, &c, d, e, f, &g, k[group + 1] &+ w1)
                round(g, h, a, &b, c, d, e, &f, k[group + 2] &+ w2)
                round(f, g, h, &a, b, c, d, &e, k[group + 3] &+ w3)
                round(e, f, g, &h, a, b, c, &d, k[group + 4] &+ w4)
                round(d, e, f, &g, h, a, b, &c, k[group + 5] &+ w5)
                round(c, d, e, &f, g, h, a, &b, k[group + 6] &+ w6)
                round(b, c, d, &e, f, g, h, &a, k[group + 7] &+ w7)
                round(a, b, c, &d, e, f, g, &h, k[group + 8] &+ w8)
                round(h, a, b, &c, d, e, f, &g, k[group + 9] &+ w9)
                round(g, h, a, &b, c, d, e, &f, k[group + 10] &+ w10)
                round(f, g, h, &a, b, c, d, &e, k[group + 11] &+ w11)
                round(e, f, g, &h, a, b, c, &d, k[group + 12] &+ w12)
                round(d, e, f, &g, h, a, b, &c, k[group + 13] &+ w13)
                round(c, d, e, &f, g, h, a, &b, k[group + 14] &+ w14)
                round(b, c, d, &e, f, g, h, &a, k[group + 15] &+ w15)
                group += 16
                if group == k.count { break }
                w0 = w0 &+ smallSigma0(w1) &+ w9 &+ smallSigma1(w14)
                w1 = w1 &+ smallSigma0(w2) &+ w10 &+ smallSigma1(w15)
                w2 = w2 &+ smallSigma0(w3) &+ w11 &+ smallSigma1(w0)
                w3 = w3 &+ smallSigma0(w4) &+ w12 &+ smallSigma1(w1)
                w4 = w4 &+ smallSigma0(w5) &+ w13 &+ smallSigma1(w2)
                w5 = w5 &+ smallSigma0(w6) &+ w14 &+ smallSigma1(w3)
                w6 = w6 &+ smallSigma0(w7) &+ w15 &+ smallSigma1(w4)
                w7 = w7 &+ smallSigma0(w8) &+ w0 &+ smallSigma1(w5)
                w8 = w8 &+ smallSigma0(w9) &+ w1 &+ smallSigma1(w6)
                w9 = w9 &+ smallSigma0(w10) &+ w2 &+ smallSigma1(w7)
                w10 = w10 &+ smallSigma0(w11) &+ w3 &+ smallSigma1(w8)
                w11 = w11 &+ smallSigma0(w12) &+ w4 &+ smallSigma1(w9)
                w12 = w12 &+ smallSigma0(w13) &+ w5 &+ smallSigma1(w10)
                w13 = w13 &+ smallSigma0(w14) &+ w6 &+ smallSigma1(w11)
                w14 = w14 &+ smallSigma0(w15) &+ w7 &+ smallSigma1(w12)
                w15 = w15 &+ smallSigma0(w0) &+ w8 &+ smallSigma1(w13)
            }
            state[0] &+= a
            state[1] &+= b
            state[2] &+= c
            state[3] &+= d
            state[4] &+= e
            state[5] &+= f
            state[6] &+= g
            state[7] &+= h
        }
    }

    /// Runs one round. It changes two variables instead of moving all eight; the caller rotates
    /// their order.
    @inline(__always)
    private static func round(
        _ a: Word, _ b: Word, _ c: Word, _ d: inout Word, _ e: Word, _ f: Word, _ g: Word,
        _ h: inout Word, _ input: Word
    ) {
        let t = h &+ Variant.bigSigma1(e) &+ (g ^ (e & (f ^ g))) &+ input
        d &+= t
        h = t &+ Variant.bigSigma0(a) &+ ((a & b) | (c & (a | b)))
    }

    @inline(__always)
    private static func smallSigma0(_ x: Word) -> Word { Variant.smallSigma0(x) }

    @inline(__always)
    private static func smallSigma1(_ x: Word) -> Word { Variant.smallSigma1(x) }
}

extension FixedWidthInteger {
    /// Rotates the bits to the right.
    ///
    /// - Parameter count: More than 0 and less than the width.
    @inline(__always)
    func rotatedRight(_ count: Int) -> Self {
        self &>> Self(truncatingIfNeeded: count)
            | self &<< Self(truncatingIfNeeded: Self.bitWidth - count)
    }
}
