import HTTPTesting
import PortableFoundation

/// Compares pieces with the pattern that the server generates, fast enough for many MiB in debug.
struct PatternCheck {
    private(set) var count = 0
    /// The start of the first piece that differs from the pattern.
    private(set) var mismatch: Int?

    /// The number of bytes after which the pattern repeats.
    private static let period = 65_536
    // An array: LeakSanitizer does not recognise the pointer inside a `Data` that is never freed.
    private static let table = LoopbackPattern.bytes(0..<2 * period)

    static func bytes(_ range: Range<Int>) -> Data {
        var bytes = Data(capacity: range.count)
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(range.upperBound, start + period)
            bytes += table[start % period..<start % period + end - start]
            start = end
        }
        return bytes
    }

    mutating func add(_ piece: Data) {
        if mismatch == nil, piece != Self.bytes(count..<count + piece.count) { mismatch = count }
        count += piece.count
    }
}
