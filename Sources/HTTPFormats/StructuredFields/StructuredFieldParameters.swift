import HTTPCore

extension StructuredField {
    /// The named values of an item or an inner list, in order (RFC 9651 §3.1.2).
    public struct Parameters: Hashable, Sendable {
        private var entries = StructuredFieldEntries<BareItem>()

        /// Creates an empty list of parameters.
        public init() {}

        /// Creates parameters. If a name is repeated, its last value is kept, at the position of
        /// the first.
        ///
        /// - Throws: ``StructuredField/ValueError`` if a name is not a key.
        public init(_ parameters: KeyValuePairs<String, BareItem>) throws(ValueError) {
            for (name, value) in parameters { try set(name, value) }
        }

        init(entries: StructuredFieldEntries<BareItem>) { self.entries = entries }

        /// - Complexity: O(1).
        public subscript(name: String) -> BareItem? { entries[name] }

        /// Replaces the value named `name`, or adds it at the end.
        ///
        /// - Throws: ``StructuredField/ValueError`` if `name` is not a key: lower-case letters,
        ///   digits and `_-.*`, starting with a letter or `*`.
        public mutating func set(_ name: String, _ value: BareItem) throws(ValueError) {
            guard isKey(name) else { throw ValueError(reason: "the name is not a key") }
            entries.set(name, value)
        }

        /// - Complexity: O(*n*), where *n* is the number of parameters.
        public mutating func remove(_ name: String) { entries.remove(name) }
    }
}

extension StructuredField.Parameters: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }
    public subscript(position: Int) -> (name: String, value: StructuredField.BareItem) {
        (entries.all[position].name, entries.all[position].value)
    }
}
