import HTTPCore
public import PortableFoundation

/// A namespace for structured field values (RFC 9651): ``Item``, ``List`` and ``Dictionary``, their
/// components, and the errors of reading and creating them.
///
/// The definition of a field, not its text, says which of the three it is, so the caller chooses
/// one. Every value is checked when it is created, so that writing one cannot fail.
///
/// Reading is strict, as RFC 9651 §4.2 requires: one wrong byte makes the whole field invalid. It
/// takes linear time, and memory in proportion to the field's length, which is limited.
public enum StructuredField {
    /// The default limit on the length of a field, in bytes.
    ///
    /// It is far above what RFC 9651 requires of a parser for any single value (§3.1 to §3.3).
    public static var defaultLimit: Int { 128 << 10 }

    /// The error for a field that does not have the requested form.
    public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The byte at which the field becomes invalid. Several lines count as joined with `", "`
        /// (RFC 9651 §4.2).
        public let offset: Int
        /// The reason, without any of the field's text.
        public let reason: String

        public var description: String { "\(reason), at byte \(offset) of the structured field" }
    }

    /// The error for a value that the type cannot hold. It does not contain the value.
    public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The reason, without the value.
        public let reason: String

        public var description: String { reason }
    }
}

extension StructuredField.ParseError: LocalizedError {
    public var errorDescription: String? { description }
}

extension StructuredField.ValueError: LocalizedError {
    public var errorDescription: String? { description }
}
