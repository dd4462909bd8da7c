/// The header or trailer section of a message (RFC 9110 §5): fields in the order in which they are
/// sent. A name may occur several times; its spelling is kept, and comparison ignores case.
///
/// Nothing is rewritten or dropped silently. Methods throw immediately if a name or a value is
/// illegal. Subscripts and literals cannot throw: they refuse the field and remember the first name
/// that was refused. See `refusedName`. Sending such headers throws before anything else happens.
///
/// All bytes are in one buffer with an index beside it. A section that is read from the wire fills
/// two buffers, and a `String` is created only for a value that is read.
public struct HTTPHeaders: Sendable {
    /// The position of a field in `bytes`; 24 bytes.
    struct Entry: Sendable {
        var nameStart: UInt32
        var nameLength: UInt32
        var valueStart: UInt32
        var valueLength: UInt32
        var fold: FieldNameFold
        var sensitivity: Sensitivity

        var nameRange: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameLength) }
        var valueRange: Range<Int> { Int(valueStart)..<Int(valueStart) + Int(valueLength) }
    }

    enum Sensitivity: UInt8, Sendable { case asNamed, sensitive, plain }

    /// The names and values in the order of `entries`. There are gaps in a section that was read
    /// from the wire as a whole: the bytes between its names and values.
    var bytes: [UInt8] = []
    var entries: [Entry] = []
    /// `true` if `setSensitive` was called. Until then, adding a field does not look at other
    /// fields.
    var hasMarks = false

    /// The name of the first field that a subscript or a literal refused, or `nil`.
    ///
    /// The value is not kept, because it may be a secret.
    package internal(set) var refusedName: HTTPHeaderName?

    /// Creates an empty header section.
    public init() {}

    /// Creates a section in a closure: `HTTPHeaders { $0[.accept] = "text/html" }`.
    public init(_ build: (inout HTTPHeaders) throws -> Void) rethrows {
        self.init()
        try build(&self)
    }
}

// MARK: - Reading

extension HTTPHeaders {
    /// Returns `true` if there is a field of that name, also with an empty value.
    public func contains(_ name: HTTPHeaderName) -> Bool { firstIndex(of: name) != nil }

    /// Returns the bytes of the first value of that name, as received or as they will be sent.
    package func bytes(of name: HTTPHeaderName) -> [UInt8]? {
        firstIndex(of: name).map { Array(bytes[entries[$0].valueRange]) }
    }

    func firstIndex(of name: HTTPHeaderName) -> Int? {
        entries.firstIndex { matches($0, name) }
    }

    func matches(_ entry: Entry, _ name: HTTPHeaderName) -> Bool {
        entry.fold == name.fold
            && name.spelling.withBytes {
                bytes.span.extracting(entry.nameRange).equalsIgnoringCase($0)
            }
    }

    func name(of entry: Entry) -> HTTPHeaderName {
        HTTPHeaderName(
            proven: bytes.span.extracting(entry.nameRange).text, fold: entry.fold)
    }

    /// Returns the value as UTF-8 if its bytes are valid UTF-8, else as ISO 8859-1, which old
    /// servers use (RFC 9110 §5.5).
    func value(of entry: Entry) -> String {
        let value = bytes.span.extracting(entry.valueRange)
        // Nearly always the case, and much cheaper than validation.
        if value.areASCII { return value.text }
        return unsafe value.withUnsafeBufferPointer { bytes in
            unsafe String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
}

// MARK: - Writing to the wire

extension HTTPHeaders {
    /// Calls `body` with the name and the value of a field, byte for byte as they are sent.
    package func withBytes<Result>(
        at position: Int,
        _ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) throws -> Result
    ) rethrows -> Result {
        let entry = entries[position]
        return try body(bytes[entry.nameRange], bytes[entry.valueRange])
    }
}

extension HTTPHeaders {
    /// Calls `body` with the bytes of each value of that name, in the order in which they were
    /// sent.
    package func forEachValue<Failure: Error>(
        of name: HTTPHeaderName, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        for entry in entries where matches(entry, name) {
            try body(bytes.span.extracting(entry.valueRange))
        }
    }
}

// MARK: - Reading from the wire

extension HTTPHeaders {
    /// The number of bytes of all names and values, for limits on the size of a section.
    package var byteCount: Int {
        entries.reduce(0) { $0 + Int($1.nameLength) + Int($1.valueLength) }
    }

    /// Creates a section from all its lines, each with CRLF, as they came from the wire. The bytes
    /// become the section's storage.
    ///
    /// - Returns: `nil` if there are more than `limit` lines, or one is not a field as
    ///   ``append(line:)`` takes it. A folded line is not.
    package init?(lines: Span<UInt8>, limit: Int) {
        guard lines.count <= 1 << 24 else { return nil }
        entries.reserveCapacity(Swift.min(limit, lines.count / 24 + 1))
        var start = 0
        while start < lines.count {
            guard let (field, end) = Self.field(in: lines, from: start), entries.count < limit,
                end &+ 1 < lines.count, lines[end] == UInt8(ascii: "\r"),
                lines[end &+ 1] == UInt8(ascii: "\n")
            else { return nil }
            entries.append(field)
            start = end &+ 2
        }
        unsafe lines.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Reads the field at `start`: a token, a colon directly after it, and a value. Blanks around
    /// the value are not part of it.
    ///
    /// - Returns: The field, and the position of the first byte that a value may not hold.
    @inline(__always) private static func field(
        in bytes: Span<UInt8>, from start: Int
    ) -> (field: Entry, end: Int)? {
        let colon = bytes.tokenPrefix(from: start)
        guard colon > start, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else {
            return nil
        }
        let end = bytes.fieldValuePrefix(from: colon &+ 1)
        var (first, last) = (colon &+ 1, end)
        while first < last, bytes[first].isBlank { first &+= 1 }
        while last > first, bytes[last &- 1].isBlank { last &-= 1 }
        let field = Entry(
            nameStart: UInt32(truncatingIfNeeded: start),
            nameLength: UInt32(truncatingIfNeeded: colon &- start),
            valueStart: UInt32(truncatingIfNeeded: first),
            valueLength: UInt32(truncatingIfNeeded: last &- first),
            fold: FieldNameFold(bytes.extracting(start..<colon)), sensitivity: .asNamed)
        return (field, end)
    }

    /// Returns `true` if both sections are written with the same bytes.
    package func isWritten(like other: HTTPHeaders) -> Bool {
        guard entries.count == other.entries.count else { return false }
        return entries.isEmpty
            || bytes == other.bytes
                && entries.indices.allSatisfy {
                    entries[$0].nameRange == other.entries[$0].nameRange
                        && entries[$0].valueRange == other.entries[$0].valueRange
                }
    }

    /// Adds the field of one line of a message (RFC 9112 §5), without its line end.
    ///
    /// Returns `true` if the line is a field: a token, a colon directly after it, and a value
    /// without control characters other than tab. Blanks around the value are not part of it.
    package mutating func append(line: Span<UInt8>) -> Bool {
        guard let (field, end) = Self.field(in: line, from: 0), end == line.count else {
            return false
        }
        appendBytes(
            line.extracting(field.nameRange), line.extracting(field.valueRange), fold: field.fold,
            .asNamed)
        return true
    }

    /// Appends a continuation line to the last value, after one space (obs-fold, RFC 9112 §5.2).
    ///
    /// Returns `false` if there is no field, or the line holds a control character.
    package mutating func appendToLast(folded line: Span<UInt8>) -> Bool {
        guard let last = entries.indices.last else { return false }
        var start = 0
        var end = line.count
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        let value = line.extracting(start..<end)
        guard value.areFieldValueCharacters else { return false }
        guard !value.isEmpty else { return true }
        if entries[last].valueRange.upperBound != bytes.count {
            let start = bytes.count
            bytes += bytes[entries[last].valueRange]
            entries[last].valueStart = UInt32(truncatingIfNeeded: start)
        }
        // The space replaces the fold inside a value; an empty value must not begin with a blank.
        if entries[last].valueLength > 0 {
            bytes.append(UInt8(ascii: " "))
            entries[last].valueLength += 1
        }
        append(bytes: value)
        entries[last].valueLength += UInt32(truncatingIfNeeded: value.count)
        return true
    }

    mutating func appendBytes(
        _ name: HTTPHeaderName, _ value: Span<UInt8>, _ sensitivity: Sensitivity
    ) {
        name.spelling.withBytes { appendBytes($0, value, fold: name.fold, sensitivity) }
    }

    mutating func appendBytes(
        _ name: Span<UInt8>, _ value: Span<UInt8>, fold: FieldNameFold, _ sensitivity: Sensitivity
    ) {
        // Enough for most sections, so that the buffers do not grow with each field.
        if entries.capacity == 0 {
            entries.reserveCapacity(16)
            bytes.reserveCapacity(512)
        }
        let start = bytes.count
        append(bytes: name)
        append(bytes: value)
        entries.append(
            Entry(
                nameStart: UInt32(truncatingIfNeeded: start),
                nameLength: UInt32(truncatingIfNeeded: name.count),
                valueStart: UInt32(truncatingIfNeeded: start + name.count),
                valueLength: UInt32(truncatingIfNeeded: value.count),
                fold: fold, sensitivity: sensitivity))
    }

    private mutating func append(bytes new: Span<UInt8>) {
        unsafe new.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}

// MARK: - Sensitivity

extension HTTPHeaders {
    /// Marks all fields of that name as sensitive or not, whatever the name suggests.
    ///
    /// The mark applies to the fields that are present, and to fields that are added to them or
    /// replace them later. It has no effect if there is no field of that name.
    ///
    /// Sensitive fields never appear in a description, a log, an error or a recording, and are
    /// never sent to an origin that they are not meant for. `Authorization`, `Proxy-Authorization`,
    /// `Cookie`, `Set-Cookie` and names that look like keys, tokens or passwords are sensitive by
    /// default.
    public mutating func setSensitive(_ name: HTTPHeaderName, _ isSensitive: Bool = true) {
        hasMarks = true
        for index in entries.indices where matches(entries[index], name) {
            entries[index].sensitivity = isSensitive ? .sensitive : .plain
        }
    }

    /// Returns `true` if any field of that name is sensitive.
    public func isSensitive(_ name: HTTPHeaderName) -> Bool {
        entries.contains { matches($0, name) && isSensitive($0) }
    }

    /// Calls `body` with the name and the value of each sensitive field, byte for byte, in order.
    package func forEachSensitiveField(
        _ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void
    ) {
        for entry in entries where isSensitive(entry) {
            body(bytes[entry.nameRange], bytes[entry.valueRange])
        }
    }

    private func isSensitive(_ entry: Entry) -> Bool {
        switch entry.sensitivity {
        case .sensitive: true
        case .plain: false
        case .asNamed: HTTPHeaderName.isSensitive(bytes.span.extracting(entry.nameRange))
        }
    }
}

// MARK: - Collection

extension HTTPHeaders: RandomAccessCollection {
    /// A single field line.
    public struct Field: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The name, as it was written.
        public var name: HTTPHeaderName
        /// The value, without blanks around it.
        public var value: String
        /// `true` if no description shows the value. See ``HTTPHeaders/setSensitive(_:_:)``.
        public var isSensitive: Bool

        /// The line for a log: a sensitive value is redacted, and characters that break a line,
        /// control a terminal or reorder text are escaped.
        public var description: String {
            "\(name): \(isSensitive ? "<redacted>" : value.escapingControls())"
        }
        /// A mirror without the value: otherwise `dump` would print a secret.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }

    public subscript(position: Int) -> Field {
        let entry = entries[position]
        let spelling = bytes.span.extracting(entry.nameRange)
        let value = value(of: entry)
        guard entry.sensitivity == .asNamed,
            let known = KnownName(spelling, fold: entry.fold)
        else {
            return Field(name: name(of: entry), value: value, isSensitive: isSensitive(entry))
        }
        return Field(name: known.name, value: value, isSensitive: known.isSensitive)
    }
}

extension HTTPHeaders: Hashable {
    /// Returns `true` if both have the same fields in the same order; the comparison of names
    /// ignores case.
    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && a.refusedName == b.refusedName
            && a.indices.allSatisfy { index in
                let (x, y) = (a.entries[index], b.entries[index])
                return x.fold == y.fold && a.bytes[x.valueRange] == b.bytes[y.valueRange]
                    && a.bytes.span.extracting(x.nameRange)
                        .equalsIgnoringCase(b.bytes.span.extracting(y.nameRange))
            }
    }

    public func hash(into hasher: inout Hasher) {
        for entry in entries {
            hasher.combine(entry.fold.value)
            hasher.combine(bytes[entry.valueRange])
        }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One line per field, with sensitive values redacted. See ``Field/description``.
    public var description: String { map(\.description).joined(separator: "\n") }
    public var debugDescription: String { description }
    /// A mirror without the bytes: otherwise `dump` would print secrets.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: map(\.description)) }
}

extension HTTPHeaders {
    /// The values of all fields of that name, joined with `", "` (RFC 9110 §5.3), or `nil` if there
    /// is none.
    ///
    /// Always `nil` for `Set-Cookie`, whose values cannot be joined: use ``subscript(values:)``. If
    /// the field allows only one value, several joined values fail to parse, as they should.
    public subscript(combined name: HTTPHeaderName) -> String? {
        guard name != .setCookie, let first = firstIndex(of: name) else { return nil }
        // Nearly always the only one.
        let isOnly = !entries[(first + 1)...].contains { matches($0, name) }
        return isOnly ? value(of: entries[first]) : self[values: name].joined(separator: ", ")
    }
}
