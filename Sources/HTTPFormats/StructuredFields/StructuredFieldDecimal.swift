import HTTPCore

extension StructuredField {
    /// A number with at most 12 digits before and 3 digits after the point (RFC 9651 §3.3.2).
    ///
    /// It is stored in thousandths, so that a value that was read is written again exactly.
    public struct Decimal: Hashable, Sendable {
        /// The value in thousandths: 1500 for `1.5`.
        public let thousandths: Int64

        /// Creates a decimal, or `nil` if it has more than 12 digits before the point.
        public init?(thousandths: Int64) {
            guard Integer.range.contains(thousandths) else { return nil }
            self.thousandths = thousandths
        }

        /// Creates the decimal nearest to `value`, ties to even (RFC 9651 §4.1.5), or `nil` if it
        /// has more than 12 digits before the point or is not finite.
        public init?(_ value: Double) {
            let rounded = (value * 1000).rounded(.toNearestOrEven)
            guard let thousandths = Int64(exactly: rounded) else { return nil }
            self.init(thousandths: thousandths)
        }

        /// The value as the nearest `Double`.
        public var doubleValue: Double { Double(thousandths) / 1000 }

        /// - Parameter thousandths: A number known to be in ``StructuredField/Integer/range``.
        init(proven thousandths: Int64) { self.thousandths = thousandths }
    }
}

extension StructuredField.Decimal: CustomStringConvertible {
    /// The number with at least one digit after the point.
    public var description: String {
        let (whole, part) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var digits = String(part + 1000).dropFirst()
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(whole).\(digits)"
    }
}
