import HTTPCore
import InternationalDomainNames

/// An index of the Encoding Standard (§5): the code points of an encoding by their pointers.
///
/// An index is unpacked at its first use, in less than a millisecond. The largest takes about 100
/// KiB.
struct HTTPCharsetIndex: Sendable {
    /// The code points by pointer; 0 if there is none.
    private let scalars: [UInt32]

    subscript(pointer: Int) -> UInt32? {
        guard scalars.indices.contains(pointer), scalars[pointer] != 0 else { return nil }
        return scalars[pointer]
    }

    /// - Parameter text: The pieces of the index. Each starts with a number, its length times three
    ///   plus its kind: 0 for a gap, 1 for a run of consecutive code points, 2 for others. The
    ///   differences follow: of a run's first code point, or of each of the others, from the
    ///   successor of the code point before.
    private init(packed text: String) {
        var numbers = PackedNumbers(text)
        var scalars: [UInt32] = []
        var next = 0
        while let piece = numbers.next() {
            let (length, kind) = piece.quotientAndRemainder(dividingBy: 3)
            for place in 0..<length {
                if kind == 2 || kind == 1 && place == 0 { next += numbers.nextSigned() ?? 0 }
                scalars.append(kind == 0 ? 0 : UInt32(truncatingIfNeeded: next))
                if kind != 0 { next += 1 }
            }
        }
        self.scalars = scalars
    }

    static let big5 = Self(packed: packedBig5)
    static let eucKR = Self(packed: packedEUCKR)
    static let gb18030 = Self(packed: packedGB18030)
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
