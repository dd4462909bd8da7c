import HTTPCore

/// A namespace for structured field values (RFC 9651): ``Item``, ``List`` and ``Dictionary``, their
/// components, and the errors of reading and creating them.
///
/// The definition of a field, not its text, says which of the three it is, so the caller chooses
/// one. Every value is checked when it is created, so that writing one cannot fail.
///
/// Reading is strict, as RFC 9651 §4.2 requires: one wrong byte makes the whole field invalid. It
/// takes linear time, and memory in proportion to the field's length, which is limited.
package enum StructuredField {
    /// The default limit on the length of a field, in bytes.
    ///
    /// It is far above what RFC 9651 requires of a parser for any single value (§3.1 to §3.3).
    package static var defaultLimit: Int { 128 << 10 }

    /// The error for a field that does not have the requested form.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The byte at which the field becomes invalid. Several lines count as joined with `", "`
        /// (RFC 9651 §4.2).
        package let offset: Int
        /// The reason, without any of the field's text.
        package let reason: String

        package var description: String { "\(reason), at byte \(offset) of the structured field" }
    }

    /// The error for a value that the type cannot hold. It does not contain the value.
    package struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
        package let reason: String

        package var description: String { reason }
    }
}
