import HTTPCodings
import HTTPCore
import TestSupport
import Testing
import PortableFoundation

/// A body of a few bytes to a few megabytes that decodes to a given number of zeros. It is made
/// here byte by byte, without a library of the machine.
struct CodingBomb: Sendable, CustomTestStringConvertible {
    /// The value of `Content-Encoding`.
    let coding: String
    let bytes: [UInt8]

    var testDescription: String { coding }

    /// Each of the codings, none of which says that it ends.
    static func all(_ count: Int) -> [CodingBomb] {
        [
            CodingBomb(coding: "gzip", bytes: gzip(count)),
            CodingBomb(coding: "deflate", bytes: [0x78, 0x01] + deflate(count)),
            CodingBomb(coding: "br", bytes: brotli(count)),
            CodingBomb(coding: "zstd", bytes: zstd(count)),
            stacked(count),
        ]
    }

    /// Returns one gzip around another.
    static func stacked(_ count: Int) -> CodingBomb {
        let inner = gzipHead + deflateHead
        let length = UInt16(inner.count)
        // Bytes other than zeros go into an uncompressed block of their own.
        var bytes = gzipHead + [0]
        for word in [length, ~length] {
            bytes += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
        }
        return CodingBomb(
            coding: "gzip, gzip", bytes: bytes + inner + deflate(count / 1032))
    }

    /// Returns those two in a third.
    static func threefold(_ count: Int) throws -> CodingBomb {
        let bytes = try ContentEncoder.encode(Data(stacked(count).bytes), .gzip)
        return CodingBomb(coding: "gzip, gzip, gzip", bytes: Array(bytes))
    }

    /// Bits in the order of RFC 1951 §3.1.1 and RFC 7932 §1.4: the lowest first.
    private struct Bits {
        var bytes: [UInt8] = []
        private var used = 0

        mutating func append(_ value: Int, _ count: Int) {
            for position in 0..<count {
                if used == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(value >> position & 1) << used
                used = (used + 1) % 8
            }
        }

        /// A Huffman code. Its first bit is its highest.
        mutating func append(code: String) {
            for bit in code { append(bit == "1" ? 1 : 0, 1) }
        }
    }

    // MARK: Deflate (RFC 1951)

    /// The head of a dynamic block and one literal 0: from here on each pair of zero bits repeats
    /// the byte before 258 times.
    private static let deflateHead: [UInt8] = {
        var bits = Bits()
        bits.append(0, 1)  // not the last block
        bits.append(2, 2)  // dynamic codes
        bits.append(286 - 257, 5)
        bits.append(0, 5)  // one distance code
        // In the order 16, 17, 18, 0, 8, …: 18 has one bit, 2 and 1 have two.
        let order = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2]
        bits.append(order.count - 4, 4)
        for length in order { bits.append(length, 3) }
        func zeros(_ count: Int) {
            bits.append(code: "0")
            bits.append(count - 11, 7)
        }
        bits.append(code: "11")  // 0: two bits
        zeros(138)
        zeros(117)
        bits.append(code: "11")  // 256: two bits
        zeros(28)
        bits.append(code: "10")  // 285: one bit
        bits.append(code: "10")  // distance 1: one bit
        bits.append(code: "10")  // the literal 0
        return bits.bytes
    }()

    private static func deflate(_ count: Int) -> [UInt8] {
        deflateHead + [UInt8](repeating: 0, count: count / 1032 + 1)
    }

    private static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func gzip(_ count: Int) -> [UInt8] { gzipHead + deflate(count) }

    /// Returns harmless content: gzip of `count` bytes or a few more that compress well.
    static func harmless(_ count: Int, _ ratio: Ratio) throws -> [UInt8] {
        var random = SeededRandom(1)
        var content = Data(capacity: count + ratio.unit)
        while content.count < count {
            unsafe withUnsafeBytes(of: random.next()) { unsafe content.append(contentsOf: $0) }
            content.append(Data(count: ratio.unit - 8))
        }
        return Array(try ContentEncoder.encode(content, .gzip))
    }

    /// The number of bytes that one byte becomes, about.
    enum Ratio: Int, Sendable, CaseIterable {
        case low = 25, high = 80, highest = 125

        /// The length of eight random bytes and the zeros after them.
        fileprivate var unit: Int { 11 * rawValue }
    }

    // MARK: Zstandard (RFC 8878): a frame of blocks that each repeat one byte

    private static func zstd(_ count: Int) -> [UInt8] {
        let block: [UInt8] = [0x02, 0x00, 0x10, 0]  // 128 KiB
        let blocks = repeatElement(block, count: count >> 17).joined()
        return [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38] + blocks
    }

    // MARK: Brotli (RFC 7932): meta-blocks of one literal and one copy each

    private static func brotli(_ count: Int) -> [UInt8] {
        var bits = Bits()
        bits.append(0, 1)  // a window of 64 KiB
        for _ in 0..<max(1, count >> 24) {
            bits.append(0, 1)  // not the last
            bits.append(2, 2)  // the length in six nibbles
            bits.append((1 << 24) - 1, 24)
            bits.append(0, 1 + 3 + 2 + 4 + 2 + 2)  // compressed; one type, mode and tree of each
            for (symbol, width) in [(0, 8), (399, 10), (16, 6)] {
                bits.append(1, 2)  // a simple code
                bits.append(0, 2)  // of one symbol
                bits.append(symbol, width)
            }
            bits.append((1 << 24) - 1 - 2118, 24)  // the length of the copy
            bits.append(0, 1)  // its distance: 1
        }
        return bits.bytes
    }
}
