import HTTPCore
import InternationalDomainNames

/// An index of the Encoding Standard (§5): the code points of an encoding by their pointers.
///
/// An index is unpacked at its first use, in a few milliseconds. The largest takes about 100
/// KiB.
struct HTTPCharsetIndex: Sendable {
    /// The code points by pointer; 0 if there is none.
    private let scalars: [UInt32]

    subscript(pointer: Int) -> UInt32? {
        guard scalars.indices.contains(pointer), scalars[pointer] != 0 else { return nil }
        return scalars[pointer]
    }

    /// - Parameters:
    ///   - text: The pieces of the index. Each starts with a number, its length times four plus its
    ///     kind: 0 for a gap, 1 for a run of consecutive code points, 2 for others, 3 for those of
    ///     `rest`. The differences follow: of a run's first code point, or of each of the others,
    ///     from the successor of the code point before.
    ///   - rest: The first of the code points that an extension added in ascending order, to
    ///     complete a block. Those are the ones from here on that the pieces of kinds 1 and 2 lack.
    private init(packed text: String, rest: UInt32 = 0) {
        var numbers = PackedNumbers(text)
        var scalars: [UInt32] = []
        var gaps: [Range<Int>] = []
        var next = 0
        while let piece = numbers.next() {
            let (length, kind) = piece.quotientAndRemainder(dividingBy: 4)
            if kind == 3 { gaps.append(scalars.count..<scalars.count + length) }
            for place in 0..<length {
                if kind == 2 || kind == 1 && place == 0 { next += numbers.nextSigned() ?? 0 }
                let hasScalar = kind == 1 || kind == 2
                scalars.append(hasScalar ? UInt32(truncatingIfNeeded: next) : 0)
                if hasScalar { next += 1 }
            }
        }
        var isMissing = [Bool](repeating: true, count: 0x1_0000)
        for scalar in scalars where scalar < isMissing.count { isMissing[Int(scalar)] = false }
        var missing = Int(rest)
        for place in gaps.joined() {
            while missing < 0xFFFF, !isMissing[missing] { missing += 1 }
            scalars[place] = UInt32(missing)
            missing += 1
        }
        self.scalars = scalars
    }

    /// The code points of the bytes from 0x80 on in the single-byte encodings (§9), one encoding
    /// after the other.
    static let singleByte = Self(packed: packedSingleByte)
    static let big5 = Self(packed: packedBig5)
    static let eucKR = Self(packed: packedEUCKR, rest: 0xAC00)
    static let gb18030 = Self(packed: packedGB18030, rest: 0x4E00)
    static let jis0208 = Self(packed: packedJIS0208)
    static let jis0212 = Self(packed: packedJIS0212)

    /// Returns the code point for the pointer of a four-byte sequence (index gb18030 ranges, §5).
    static func gb18030Ranges(_ pointer: Int) -> UInt32? {
        switch pointer {
        case 7457: return 0xE7C7
        case 0...39419, 189_000...1_237_575:
            var (low, high) = (0, ranges.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if ranges[middle].pointer <= pointer { low = middle } else { high = middle }
            }
            return UInt32(truncatingIfNeeded: ranges[low].scalar + pointer - ranges[low].pointer)
        default: return nil
        }
    }

    /// The first pointer of each range, with its code point.
    private static let ranges: [(pointer: Int, scalar: Int)] = {
        var numbers = PackedNumbers(packedGB18030Ranges)
        var ranges: [(pointer: Int, scalar: Int)] = []
        var last = (pointer: 0, scalar: 0)
        while let pointer = numbers.next(), let scalar = numbers.next() {
            last = (last.pointer + pointer, last.scalar + scalar)
            ranges.append(last)
        }
        return ranges
    }()
}
