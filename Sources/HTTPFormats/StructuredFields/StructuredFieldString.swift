import HTTPCore

extension StructuredField {
    /// A string of printable ASCII (RFC 9651 §3.3.3). Other text goes into a display string.
    public struct ASCIIString: Hashable, Sendable, CustomStringConvertible {
        /// The string without quotes.
        public let text: String

        /// Creates a string, or `nil` if `text` holds anything but U+0020 to U+007E.
        public init?(_ text: String) {
            guard text.utf8.allSatisfy(\.isPrintableASCII) else { return nil }
            self.text = text
        }

        /// - Parameter text: A text known to be printable ASCII.
        init(proven text: String) { self.text = text }

        public var description: String { text }
    }
}

extension UInt8 {
    var isPrintableASCII: Bool { 0x20 <= self && self < 0x7F }
}
