import HTTPCore

extension StructuredField {
    /// An ordered dictionary of items and inner lists (RFC 9651 §3.2).
    public struct Dictionary: Hashable, Sendable {
        private var entries = StructuredFieldEntries<Member>()

        /// Creates a dictionary without members.
        public init() {}

        /// Creates a dictionary. If a name is repeated, its last member is kept, at the position of
        /// the first.
        ///
        /// - Throws: ``StructuredField/ValueError`` if a name is not a key.
        public init(_ members: KeyValuePairs<String, Member>) throws(ValueError) {
            for (name, member) in members { try set(name, member) }
        }

        /// Creates a dictionary from a field that is defined as one. No line, or only empty ones,
        /// gives an empty dictionary. If a name is repeated, its last member is kept, at the
        /// position of the first.
        ///
        /// - Parameters:
        ///   - fieldLines: The values of all field lines of the name, in order.
        ///   - limit: The maximum length of all lines together, in bytes.
        public init(
            parsing fieldLines: [String], upTo limit: Int = StructuredField.defaultLimit
        ) throws(ParseError) {
            var parser = try StructuredFieldParser(fieldLines, upTo: limit)
            entries = try parser.dictionary()
            try parser.finish()
        }

        /// Reads a dictionary (RFC 9651 §4.2.2). Join the values of several lines with `", "`.
        public init(parsing fieldValue: String) throws(ParseError) {
            try self.init(parsing: [fieldValue])
        }

        /// The field's value in its canonical form (RFC 9651 §4.1.2); `nil` if the dictionary is
        /// empty, in which case no field is sent.
        public var fieldValue: String? {
            guard entries.count > 0 else { return nil }
            var writer = StructuredFieldWriter()
            writer.write(entries)
            return writer.text
        }

        /// - Complexity: O(1).
        public subscript(name: String) -> Member? { entries[name] }

        /// Replaces the member named `name`, or adds it at the end.
        ///
        /// - Throws: ``StructuredField/ValueError`` if `name` is not a key: lower-case letters,
        ///   digits and `_-.*`, starting with a letter or `*`.
        public mutating func set(_ name: String, _ member: Member) throws(ValueError) {
            guard isKey(name) else { throw ValueError(reason: "the name is not a key") }
            entries.set(name, member)
        }

        /// - Complexity: O(*n*), where *n* is the number of members.
        public mutating func remove(_ name: String) { entries.remove(name) }
    }
}

extension StructuredField.Dictionary: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }
    public subscript(position: Int) -> (name: String, member: StructuredField.Member) {
        (entries.all[position].name, entries.all[position].value)
    }
}
