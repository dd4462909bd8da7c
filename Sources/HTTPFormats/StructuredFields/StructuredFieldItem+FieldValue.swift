extension StructuredField.Item {
    /// Creates an item from a field that is defined as one.
    ///
    /// - Parameters:
    ///   - fieldLines: The values of all field lines of the name, in order.
    ///   - limit: The maximum length of all lines together, in bytes.
    /// - Throws: ``StructuredField/ParseError``, also if there is no line.
    public init(
        parsing fieldLines: [String], upTo limit: Int = StructuredField.defaultLimit
    ) throws(StructuredField.ParseError) {
        var parser = try StructuredFieldParser(fieldLines, upTo: limit)
        self = try parser.item()
        try parser.finish()
    }

    /// Reads an item (RFC 9651 §4.2.3).
    public init(parsing fieldValue: String) throws(StructuredField.ParseError) {
        try self.init(parsing: [fieldValue])
    }

    /// The field's value in its canonical form (RFC 9651 §4.1.3).
    public var fieldValue: String {
        var writer = StructuredFieldWriter()
        writer.write(self)
        return writer.text
    }
}
