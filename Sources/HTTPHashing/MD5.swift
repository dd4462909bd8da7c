/// MD5 (RFC 1321): a digest of 16 bytes.
///
/// MD5 is broken as a proof of origin. It is here for digest authentication (RFC 7616) only.
package struct MD5: Hashing {
    private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    private var blocks = HashBlocks(ofSize: 64)

    package init() {}

    package mutating func update(_ bytes: RawSpan) {
        blocks.append(bytes) { Self.compress($0, into: &state) }
    }

    package func finalize() -> [UInt8] {
        let last = blocks.padding(isBigEndian: false)
        var state = state
        unsafe Self.compress(last.span.bytes, into: &state)
        return state.flatMap { word in
            stride(from: UInt32(0), through: 24, by: 8).map {
                UInt8(truncatingIfNeeded: word >> $0)
            }
        }
    }

    /// Runs the 64 steps of RFC 1321 §3.4, in its order.
    private static func compress(_ blocks: RawSpan, into state: inout [UInt32]) {
        var start = 0
        while start < blocks.byteCount {
            let w0 = blocks.word(at: start + 0, as: UInt32.self).littleEndian
            let w1 = blocks.word(at: start + 4, as: UInt32.self).littleEndian
            let w2 = blocks.word(at: start + 8, as: UInt32.self).littleEndian
            let w3 = blocks.word(at: start + 12, as: UInt32.self).littleEndian
            let w4 = blocks.word(at: start + 16, as: UInt32.self).littleEndian
            let w5 = blocks.word(at: start + 20, as: UInt32.self).littleEndian
            let w6 = blocks.word(at: start + 24, as: UInt32.self).littleEndian
            let w7 = blocks.word(at: start + 28, as: UInt32.self).littleEndian
            let w8 = blocks.word(at: start + 32, as: UInt32.self).littleEndian
            let w9 = blocks.word(at: start + 36, as: UInt32.self).littleEndian
            let w10 = blocks.word(at: start + 40, as: UInt32.self).littleEndian
            let w11 = blocks.word(at: start + 44, as: UInt32.self).littleEndian
            let w12 = blocks.word(at: start + 48, as: UInt32.self).littleEndian
            let w13 = blocks.word(at: start + 52, as: UInt32.self).littleEndian
            let w14 = blocks.word(at: start + 56, as: UInt32.self).littleEndian
            let w15 = blocks.word(at: start + 60, as: UInt32.self).littleEndian
            start += 64
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            f(&a, b, c, d, w0, 7, 0xd76a_a478)
            f(&d, a, b, c, w1, 12, 0xe8c7_b756)
            f(&c, d, a, b, w2, 17, 0x2420_70db)
            f(&b, c, d, a, w3, 22, 0xc1bd_ceee)
            f(&a, b, c, d, w4, 7, 0xf57c_0faf)
            f(&d, a, b, c, w5, 12, 0x4787_c62a)
            f(&c, d, a, b, w6, 17, 0xa830_4613)
            f(&b, c, d, a, w7, 22, 0xfd46_9501)
            f(&a, b, c, d, w8, 7, 0x6980_98d8)
            f(&d, a, b, c, w9, 12, 0x8b44_f7af)
            f(&c, d, a, b, w10, 17, 0xffff_5bb1)
            f(&b, c, d, a, w11, 22, 0x895c_d7be)
            f(&a, b, c, d, w12, 7, 0x6b90_1122)
            f(&d, a, b, c, w13, 12, 0xfd98_7193)
            f(&c, d, a, b, w14, 17, 0xa679_438e)
            f(&b, c, d, a, w15, 22, 0x49b4_0821)
            g(&a, b, c, d, w1, 5, 0xf61e_2562)
            g(&d, a, b, c, w6, 9, 0xc040_b340)
            g(&c, d, a, b, w11, 14, 0x265e_5a51)
            g(&b, c, d, a, w0, 20, 0xe9b6_c7aa)
            g(&a, b, c, d, w5, 5, 0xd62f_105d)
            g(&d, a, b, c, w10, 9, 0x0244_1453)
            g(&c, d, a, b, w15, 14, 0xd8a1_e681)
            g(&b, c, d, a, w4, 20, 0xe7d3_fbc8)
            g(&a, b, c, d, w9, 5, 0x21e1_cde6)
            g(&d, a, b, c, w14, 9, 0xc337_07d6)
            g(&c, d, a, b, w3, 14, 0xf4d5_0d87)
            g(&b, c, d, a, w8, 20, 0x455a_14ed)
            g(&a, b, c, d, w13, 5, 0xa9e3_e905)
            g(&d, a, b, c, w2, 9, 0xfcef_a3f8)
            g(&c, d, a, b, w7, 14, 0x676f_02d9)
            g(&b, c, d, a, w12, 20, 0x8d2a_4c8a)
            h(&a, b, c, d, w5, 4, 0xfffa_3942)
            h(&d, a, b, c, w8, 11, 0x8771_f681)
            h(&c, d, a, b, w11, 16, 0x6d9d_6122)
            h(&b, c, d, a, w14, 23, 0xfde5_380c)
            h(&a, b, c, d, w1, 4, 0xa4be_ea44)
            h(&d, a, b, c, w4, 11, 0x4bde_cfa9)
            h(&c, d, a, b, w7, 16, 0xf6bb_4b60)
            h(&b, c, d, a, w10, 23, 0xbebf_bc70)
            h(&a, b, c, d, w13, 4, 0x289b_7ec6)
            h(&d, a, b, c, w0, 11, 0xeaa1_27fa)
            h(&c, d, a, b, w3, 16, 0xd4ef_3085)
            h(&b, c, d, a, w6, 23, 0x0488_1d05)
            h(&a, b, c, d, w9, 4, 0xd9d4_d039)
            h(&d, a, b, c, w12, 11, 0xe6db_99e5)
            h(&c, d, a, b, w15, 16, 0x1fa2_7cf8)
            h(&b, c, d, a, w2, 23, 0xc4ac_5665)
            i(&a, b, c, d, w0, 6, 0xf429_2244)
            i(&d, a, b, c, w7, 10, 0x432a_ff97)
            i(&c, d, a, b, w14, 15, 0xab94_23a7)
            i(&b, c, d, a, w5, 21, 0xfc93_a039)
            i(&a, b, c, d, w12, 6, 0x655b_59c3)
            i(&d, a, b, c, w3, 10, 0x8f0c_cc92)
            i(&c, d, a, b, w10, 15, 0xffef_f47d)
            i(&b, c, d, a, w1, 21, 0x8584_5dd1)
            i(&a, b, c, d, w8, 6, 0x6fa8_7e4f)
            i(&d, a, b, c, w15, 10, 0xfe2c_e6e0)
            i(&c, d, a, b, w6, 15, 0xa301_4314)
            i(&b, c, d, a, w13, 21, 0x4e08_11a1)
            i(&a, b, c, d, w4, 6, 0xf753_7e82)
            i(&d, a, b, c, w11, 10, 0xbd3a_f235)
            i(&c, d, a, b, w2, 15, 0x2ad7_d2bb)
            i(&b, c, d, a, w9, 21, 0xeb86_d391)
            state[0] &+= a
            state[1] &+= b
            state[2] &+= c
            state[3] &+= d
        }
    }

    @inline(__always)
    private static func f(
        _ a: inout UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ w: UInt32, _ shift: Int,
        _ t: UInt32
    ) {
        a = b &+ (a &+ (d ^ (b & (c ^ d))) &+ w &+ t).rotatedRight(32 - shift)
    }

    @inline(__always)
    private static func g(
        _ a: inout UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ w: UInt32, _ shift: Int,
        _ t: UInt32
    ) {
        a = b &+ (a &+ ((d & b) | (~d & c)) &+ w &+ t).rotatedRight(32 - shift)
    }

    @inline(__always)
    private static func h(
        _ a: inout UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ w: UInt32, _ shift: Int,
        _ t: UInt32
    ) {
        a = b &+ (a &+ (b ^ c ^ d) &+ w &+ t).rotatedRight(32 - shift)
    }

    @inline(__always)
    private static func i(
        _ a: inout UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ w: UInt32, _ shift: Int,
        _ t: UInt32
    ) {
        a = b &+ (a &+ (c ^ (b | ~d)) &+ w &+ t).rotatedRight(32 - shift)
    }
}
