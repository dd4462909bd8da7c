import HTTPCore

/// Structured field values (RFC 9651): ``Item``, ``List`` and ``Dictionary``, what they are made of,
/// and the errors of reading and making them.
///
/// What a field holds is in its definition, never in its text: the reader asks for one of the three.
/// Every value is proven when it is made, so that writing one cannot fail.
///
/// Reading is strict, as RFC 9651 §4.2 asks: one wrong byte, and the whole field is none. It takes
/// linear time, and memory in proportion to the field's length, which has a limit.
public enum StructuredField {
    /// The length of a field beyond which reading refuses, in bytes, unless the caller says otherwise.
    ///
    /// Far beyond what RFC 9651 asks of a reader for any one value (§3.1 to §3.3).
    public static var defaultLimit: Int { 128 << 10 }

    /// A field that is not what was asked for.
    public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// Where the field stops being right, in bytes; of several lines, as if they were joined with
        /// `", "` (RFC 9651 §4.2).
        public let offset: Int
        /// What is wrong, without any of the field's text.
        public let reason: String

        public var description: String { "\(reason), at byte \(offset) of the structured field" }
    }

    /// A value that the type cannot hold. Says nothing of the value itself.
    public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
        public let reason: String

        public var description: String { reason }
    }
}
