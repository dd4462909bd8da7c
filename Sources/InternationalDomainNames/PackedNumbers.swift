/// The numbers that `Scripts/packed_numbers.py` has written as text. Such tables compile quickly,
/// add only their length to a program, and cost nothing until they are read.
///
/// The text is an arithmetic code: all of it is one fraction, and each bit of a number is one of
/// two parts of an interval that holds the fraction. The parts are as wide as the bits are likely,
/// judged by the bits before. A digit of the fraction is one of 91 ASCII characters, from `#` to
/// `~` without the backslash. Any other text may end the process, so only tables of the package are
/// read.
package struct PackedNumbers: Sequence, IteratorProtocol {
    private static let base: UInt64 = 91
    /// The least width of the interval, seven digits.
    private static let narrow = (0..<7).reduce(1 as UInt64) { width, _ in width * base }

    private var digits: String.UTF8View.Iterator
    private var width = narrow * base
    /// The distance from the start of the interval to the fraction.
    private var distance: UInt64 = 0
    /// The chances, out of 4096, that a bit is 0: bits of a length first, then those of numbers of
    /// each length.
    private var chances = [UInt64](repeating: 2048, count: 32 * 32)

    package init(_ text: String) {
        digits = text.utf8.makeIterator()
        for _ in 0..<8 { readDigit() }
    }

    /// Returns the next number, or `nil` at the end of the text.
    ///
    /// A number plus 2 has its length first, which is that of its bits after the first one, then
    /// these bits. The first four and the last of them have chances of their own.
    package mutating func next() -> Int? {
        var length = 1
        for _ in 0..<5 { length = length << 1 | nextBit(length) }
        length -= 32
        guard length > 0 else {
            distance = 0  // the end stays the end
            return nil
        }
        var number = 1
        for place in 1...length {
            let chance = number < 16 ? number : place == length ? 16 : nil
            number = number << 1 | nextBit(chance.map { length << 5 | $0 })
        }
        return number - 2
    }

    /// Returns the next number, where 0, 1, 2, 3, 4 … mean 0, -1, 1, -2, 2 …
    package mutating func nextSigned() -> Int? {
        next().map { $0 % 2 == 0 ? $0 / 2 : -($0 / 2) - 1 }
    }

    /// - Parameter chance: The index of the bit's chance in `chances`; `nil` for an even one.
    private mutating func nextBit(_ chance: Int?) -> Int {
        let zeros = width >> 12 * (chance.map { chances[$0] } ?? 2048)
        let isZero = distance < zeros
        if isZero {
            width = zeros
        } else {
            distance -= zeros
            width -= zeros
        }
        while width < Self.narrow {
            width *= Self.base
            readDigit()
        }
        if let chance {
            if isZero {
                chances[chance] += (4096 - chances[chance]) >> 5
            } else {
                chances[chance] -= chances[chance] >> 5
            }
        }
        return isZero ? 0 : 1
    }

    private mutating func readDigit() {
        let digit = digits.next().map { $0 - ($0 > UInt8(ascii: "\\") ? 0x24 : 0x23) } ?? 0
        distance = distance * Self.base + UInt64(digit)
    }
}
