/// The numbers that `Scripts/packed_numbers.py` has written as text. Such tables compile quickly,
/// add only their length to a program, and cost nothing until they are read.
///
/// A digit is one of 91 ASCII characters, from `#` to `~` without the backslash. The first digit of
/// a number determines how many digits follow.
package struct PackedNumbers: Sequence, IteratorProtocol {
    private static let base = 91
    /// The first digits of numbers with one digit, with two digits, and so on.
    private static let lengths = [0..<45, 45..<82, 82..<89, 89..<90, 90..<91]
    private var digits: String.UTF8View.Iterator

    package init(_ text: String) { digits = text.utf8.makeIterator() }

    /// Returns the next number, or `nil` at the end of the text.
    package mutating func next() -> Int? {
        guard let first = nextDigit() else { return nil }
        var (smaller, place) = (0, 1)
        for firsts in Self.lengths {
            if firsts.contains(first) {
                var number = first - firsts.lowerBound
                while place > 1 {
                    number = number * Self.base + (nextDigit() ?? 0)
                    place /= Self.base
                }
                return smaller + number
            }
            smaller += firsts.count * place
            place *= Self.base
        }
        return nil
    }

    /// Returns the next number, where 0, 1, 2, 3, 4 … mean 0, -1, 1, -2, 2 …
    package mutating func nextSigned() -> Int? {
        next().map { $0 % 2 == 0 ? $0 / 2 : -($0 / 2) - 1 }
    }

    private mutating func nextDigit() -> Int? {
        digits.next().map { Int($0) - ($0 > UInt8(ascii: "\\") ? 0x24 : 0x23) }
    }
}
