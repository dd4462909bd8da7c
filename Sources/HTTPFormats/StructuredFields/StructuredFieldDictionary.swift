import HTTPCore

extension StructuredField {
    /// Items and inner lists by name, in order (RFC 9651 §3.2).
    public struct Dictionary: Hashable, Sendable {
        private var entries = StructuredFieldEntries<Member>()

        public init() {}

        /// - Throws: ``StructuredField/ValueError`` for a name that is no key. Of two members under one
        ///   name the last stays, in the place of the first.
        public init(_ members: KeyValuePairs<String, Member>) throws(ValueError) {
            for (name, member) in members { try set(name, member) }
        }

        /// Reads a field whose definition makes it a dictionary; no line, or only empty ones, is an empty
        /// dictionary. Of two members under one name the last stays, in the place of the first.
        ///
        /// - Parameters:
        ///   - fieldLines: the values of all field lines of the name, in order.
        ///   - limit: in bytes, over all lines.
        public init(
            parsing fieldLines: [String], upTo limit: Int = StructuredField.defaultLimit
        ) throws(ParseError) {
            var parser = try StructuredFieldParser(fieldLines, upTo: limit)
            entries = try parser.dictionary()
            try parser.finish()
        }

        public init(parsing fieldValue: String) throws(ParseError) {
            try self.init(parsing: [fieldValue])
        }

        /// The field's value in its canonical form (RFC 9651 §4.1.2); `nil` if the dictionary is empty,
        /// for which no field is sent.
        public var fieldValue: String? {
            guard entries.count > 0 else { return nil }
            var writer = StructuredFieldWriter()
            writer.write(entries)
            return writer.text
        }

        /// - Complexity: O(1).
        public subscript(name: String) -> Member? { entries[name] }

        /// Replaces the member under `name`, or adds it at the end.
        ///
        /// - Throws: ``StructuredField/ValueError`` if `name` is no key: lower-case letters, digits and
        ///   `_-.*`, a letter or `*` first.
        public mutating func set(_ name: String, _ member: Member) throws(ValueError) {
            guard isKey(name) else { throw ValueError(reason: "a name that is no key") }
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
