import HTTPCore

extension StructuredField {
    /// A list of items and inner lists (RFC 9651 §3.1).
    public struct List: Hashable, Sendable {
        /// The members, in order.
        public var members: [Member]

        /// Creates a list of members.
        public init(_ members: [Member] = []) { self.members = members }

        /// Creates a list from a field that is defined as one. No line, or only empty ones, gives
        /// an empty list.
        ///
        /// - Parameters:
        ///   - fieldLines: The values of all field lines of the name, in order.
        ///   - limit: The maximum length of all lines together, in bytes.
        public init(
            parsing fieldLines: [String], upTo limit: Int = StructuredField.defaultLimit
        ) throws(ParseError) {
            var parser = try StructuredFieldParser(fieldLines, upTo: limit)
            members = try parser.list()
            try parser.finish()
        }

        /// Reads a list (RFC 9651 §4.2.1). Join the values of several lines with `", "`.
        public init(parsing fieldValue: String) throws(ParseError) {
            try self.init(parsing: [fieldValue])
        }

        /// The field's value in its canonical form (RFC 9651 §4.1.1); `nil` if the list is empty,
        /// in which case no field is sent.
        public var fieldValue: String? {
            guard !members.isEmpty else { return nil }
            var writer = StructuredFieldWriter()
            writer.write(members)
            return writer.text
        }
    }
}
