import HTTPCore

extension StructuredField {
    /// A short word, such as `gzip`, `text/html` or `*` (RFC 9651 §3.3.4).
    ///
    /// Unlike a token of RFC 9110, it starts with a letter or `*`, and may hold `:` and `/` after
    /// that.
    public struct Token: Hashable, Sendable, CustomStringConvertible {
        /// The token.
        public let text: String

        /// Creates a token, or `nil` if `text` is not one.
        public init?(_ text: String) {
            guard let first = text.utf8.first, first.startsStructuredToken,
                text.utf8.allSatisfy(\.continuesStructuredToken)
            else { return nil }
            self.text = text
        }

        /// - Parameter text: A text known to be a token.
        init(proven text: String) { self.text = text }

        public var description: String { text }
    }
}

extension UInt8 {
    var startsStructuredToken: Bool {
        asciiLowercased.isASCIILowercase || self == UInt8(ascii: "*")
    }

    var continuesStructuredToken: Bool {
        isTokenCharacter || self == UInt8(ascii: ":") || self == UInt8(ascii: "/")
    }
}
