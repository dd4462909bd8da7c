import HTTPCore

extension StructuredField {
    /// Items and inner lists in order (RFC 9651 §3.1).
    public struct List: Hashable, Sendable {
        public var members: [Member]

        public init(_ members: [Member] = []) { self.members = members }

        /// Reads a field whose definition makes it a list; no line, or only empty ones, is an empty list.
        ///
        /// - Parameters:
        ///   - fieldLines: the values of all field lines of the name, in order.
        ///   - limit: in bytes, over all lines.
        public init(
            parsing fieldLines: [String], upTo limit: Int = StructuredField.defaultLimit
        ) throws(ParseError) {
            var parser = try StructuredFieldParser(fieldLines, upTo: limit)
            members = try parser.list()
            try parser.finish()
        }

        public init(parsing fieldValue: String) throws(ParseError) {
            try self.init(parsing: [fieldValue])
        }

        /// The field's value in its canonical form (RFC 9651 §4.1.1); `nil` if the list is empty, for
        /// which no field is sent.
        public var fieldValue: String? {
            guard !members.isEmpty else { return nil }
            var writer = StructuredFieldWriter()
            writer.write(members)
            return writer.text
        }
    }
}
