import HTTPCore

extension StructuredField {
    /// A short word, as in `gzip`, `text/html` or `*` (RFC 9651 §3.3.4).
    ///
    /// Wider than a token of RFC 9110: `:` and `/` may follow the first letter or `*`.
    public struct Token: Hashable, Sendable, CustomStringConvertible {
        public let text: String

        /// Creates a token, or `nil` if `text` is none.
        public init?(_ text: String) {
            guard let first = text.utf8.first, first.startsStructuredToken,
                text.utf8.allSatisfy(\.continuesStructuredToken)
            else { return nil }
            self.text = text
        }

        /// - Parameter text: known to be a token.
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
