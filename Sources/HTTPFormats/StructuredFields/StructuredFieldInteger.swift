import HTTPCore

extension StructuredField {
    /// An integer of at most 15 digits (RFC 9651 §3.3.1).
    public struct Integer: Hashable, Sendable {
        /// The integers that a structured field can hold: those of at most 15 digits.
        public static var range: ClosedRange<Int64> { -999_999_999_999_999...999_999_999_999_999 }

        /// The integer.
        public let value: Int64

        /// Creates an integer, or `nil` if `value` has more than 15 digits.
        public init?(_ value: some BinaryInteger) {
            guard let value = Int64(exactly: value), Self.range.contains(value) else { return nil }
            self.value = value
        }

        /// - Parameter value: A number known to be in ``range``.
        init(proven value: Int64) { self.value = value }
    }
}

extension StructuredField.Integer: CustomStringConvertible {
    public var description: String { String(value) }
}
