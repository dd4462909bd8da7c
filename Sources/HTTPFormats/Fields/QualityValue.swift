import HTTPCore

/// A preference from 0, not acceptable, to 1, in thousandths (RFC 9110 §12.4.2).
package struct QualityValue: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let thousandths: Int

    /// Creates a value, or `nil` outside `0...1000`.
    package init?(thousandths: Int) {
        guard (0...1000).contains(thousandths) else { return nil }
        self.thousandths = thousandths
    }

    /// Creates a value from `0` or `1` with up to three decimal digits, or `nil`.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...5).contains(bytes.count),
            bytes[0] == UInt8(ascii: "0") || bytes[0] == UInt8(ascii: "1"),
            bytes.count == 1 || bytes[1] == UInt8(ascii: "."),
            bytes.dropFirst(2).allSatisfy(\.isASCIIDigit)
        else { return nil }
        var thousandths = bytes[0] == UInt8(ascii: "1") ? 1000 : 0
        for (digit, weight) in zip(bytes.dropFirst(2), [100, 10, 1]) {
            thousandths += Int(digit - UInt8(ascii: "0")) * weight
        }
        self.init(thousandths: thousandths)
    }

    private init(checked thousandths: Int) { self.thousandths = thousandths }

    package static var zero: Self { Self(checked: 0) }
    package static var one: Self { Self(checked: 1000) }

    package static func < (a: Self, b: Self) -> Bool { a.thousandths < b.thousandths }

    /// The number without trailing zeros: `1`, `0.5`, `0.125`.
    package var description: String {
        guard (1..<1000).contains(thousandths) else { return thousandths == 0 ? "0" : "1" }
        var text = "0." + String(String(thousandths + 1000).dropFirst())
        while text.last == "0" { text.removeLast() }
        return text
    }
}

/// A member of a list of preferences, with its weight.
package struct Weighted<Value: Hashable & Sendable & CustomStringConvertible>: Hashable, Sendable,
    CustomStringConvertible
{
    package var value: Value
    package var quality: QualityValue

    package init(_ value: Value, quality: QualityValue = .one) {
        (self.value, self.quality) = (value, quality)
    }

    /// The value and its weight, which is left out if it is 1, the default.
    package var description: String {
        quality == .one ? value.description : "\(value);q=\(quality)"
    }
}
