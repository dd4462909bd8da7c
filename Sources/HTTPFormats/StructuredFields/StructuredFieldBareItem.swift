import HTTPCore
public import PortableFoundation

extension StructuredField {
    /// One value without parameters (RFC 9651 §3.3).
    public enum BareItem: Hashable, Sendable {
        /// An integer of at most 15 digits (RFC 9651 §3.3.1).
        case integer(Integer)
        /// A decimal with at most three decimals (RFC 9651 §3.3.2).
        case decimal(Decimal)
        /// A string of printable ASCII characters (RFC 9651 §3.3.3).
        case string(ASCIIString)
        /// A token, such as `gzip` (RFC 9651 §3.3.4).
        case token(Token)
        /// Bytes, written as Base64 between colons (RFC 9651 §3.3.5).
        case byteSequence(Data)
        /// A Boolean, written as `?1` or `?0` (RFC 9651 §3.3.6).
        case boolean(Bool)
        /// Whole seconds since 1970, without leap seconds. See ``dateValue``.
        case date(Integer)
        /// Any text, for display to people.
        case displayString(String)

        /// - Throws: ``ValueError`` if `value` has more than 15 digits.
        public static func integer(_ value: Int) throws(ValueError) -> Self {
            guard let integer = Integer(value) else {
                throw ValueError(reason: "an integer of more than 15 digits")
            }
            return .integer(integer)
        }

        /// Returns a decimal, rounded to three digits after the point, ties to even.
        ///
        /// - Throws: ``ValueError`` if `value` has more than 12 digits before the point, is
        ///   infinite or is NaN.
        public static func decimal(_ value: Double) throws(ValueError) -> Self {
            guard let decimal = Decimal(value) else {
                throw ValueError(reason: "a decimal of more than 12 digits before the point")
            }
            return .decimal(decimal)
        }

        /// - Throws: ``ValueError`` if `text` is not printable ASCII.
        public static func string(_ text: String) throws(ValueError) -> Self {
            guard let string = ASCIIString(text) else {
                throw ValueError(reason: "a string of characters other than printable ASCII")
            }
            return .string(string)
        }

        /// - Throws: ``ValueError`` if `text` is not a token.
        public static func token(_ text: String) throws(ValueError) -> Self {
            guard let token = Token(text) else { throw ValueError(reason: "not a token") }
            return .token(token)
        }

        /// Returns a date in whole seconds, rounded towards the past.
        ///
        /// - Throws: ``ValueError`` if the seconds have more than 15 digits.
        public static func date(_ date: Date) throws(ValueError) -> Self {
            guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)),
                let integer = Integer(seconds)
            else { throw ValueError(reason: "a date beyond 15 digits of seconds") }
            return .date(integer)
        }
    }
}

extension StructuredField.BareItem {
    /// The value of an integer.
    public var integerValue: Int64? {
        if case .integer(let integer) = self { integer.value } else { nil }
    }

    /// The value of a decimal or an integer, for fields that take either.
    public var doubleValue: Double? {
        switch self {
        case .integer(let integer): Double(integer.value)
        case .decimal(let decimal): decimal.doubleValue
        default: nil
        }
    }

    /// The text of a string, not of a token or a display string.
    public var stringValue: String? {
        if case .string(let string) = self { string.text } else { nil }
    }

    /// The text of a token.
    public var tokenValue: String? { if case .token(let token) = self { token.text } else { nil } }

    /// The bytes of a byte sequence.
    public var bytes: Data? { if case .byteSequence(let bytes) = self { bytes } else { nil } }

    /// The value, if this is a Boolean.
    public var booleanValue: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

    /// The date, if this is one.
    public var dateValue: Date? {
        guard case .date(let seconds) = self else { return nil }
        return Date(timeIntervalSince1970: Double(seconds.value))
    }

    /// The text of a display string.
    public var displayStringValue: String? {
        if case .displayString(let text) = self { text } else { nil }
    }
}

/// A literal that does not fit an `Int32` does not compile, so every literal is in range.
extension StructuredField.BareItem: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(integerLiteral value: Int32) { self = .integer(.init(proven: Int64(value))) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
