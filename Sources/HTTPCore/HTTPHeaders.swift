/// The header (or trailer) section of a message: fields in the order they are sent, names compared
/// without regard to case and kept as spelled, any name as often as it occurs (RFC 9110 §5).
///
/// Nothing is rewritten and nothing dropped in silence. Methods throw at once on an illegal name or
/// value. The doors that cannot throw (subscripts, literals) refuse the field and remember the
/// first name they refused, see ``refusedName``; sending such headers throws before anything else
/// happens.
///
/// All octets lie in one buffer with an index beside it, so that a section read from a wire fills
/// two buffers, and a `String` is made only of a value that somebody asks for.
public struct HTTPHeaders: Sendable {
    /// Where a field lies in `octets`; 20 bytes.
    private struct Entry: Sendable {
        var start: UInt32
        var nameLength: UInt32
        var valueLength: UInt32
        var fold: FieldNameFold
        var sensitivity: Sensitivity

        var nameRange: Range<Int> { Int(start)..<Int(start) + Int(nameLength) }
        var valueRange: Range<Int> {
            nameRange.upperBound..<nameRange.upperBound + Int(valueLength)
        }
    }

    private enum Sensitivity: UInt8, Sendable { case asNamed, sensitive, plain }

    /// Names and values in the order of `entries`, without gaps.
    private var octets: [UInt8] = []
    private var entries: [Entry] = []
    /// Whether `setSensitive` was ever called; until then adding a field looks at no other.
    private var hasMarks = false

    /// The name of the first field that a door which cannot throw refused, or `nil`.
    ///
    /// Never its value, which may be a secret.
    public private(set) var refusedName: HTTPHeaderName?

    public init() {}

    /// Builds a section in a closure: `HTTPHeaders { $0[.accept] = "text/html" }`.
    public init(_ build: (inout HTTPHeaders) throws -> Void) rethrows {
        self.init()
        try build(&self)
    }
}

// MARK: - Reading

extension HTTPHeaders {
    /// The value of the first field of that name. Setting replaces every field of that name by one,
    /// in the first one's place; setting `nil` removes them.
    ///
    /// - Complexity: O(*n*) in the number of fields; one small integer is compared per field.
    public subscript(name: HTTPHeaderName) -> String? {
        get { firstIndex(of: name).map(value(at:)) }
        set {
            guard let newValue else { return remove(name) }
            do throws(HTTPError) { try set(name, newValue) } catch { refuse(name) }
        }
    }

    /// The values of all fields of that name, in the order they are sent.
    public subscript(values name: HTTPHeaderName) -> [String] {
        get { indices.filter { matches($0, name) }.map(value(at:)) }
        set {
            remove(name)
            for value in newValue {
                do throws(HTTPError) { try append(name, value) } catch { refuse(name) }
            }
        }
    }

    public func contains(_ name: HTTPHeaderName) -> Bool { firstIndex(of: name) != nil }

    /// The octets of the first value of that name, as they were sent or will be.
    public func octets(of name: HTTPHeaderName) -> [UInt8]? {
        firstIndex(of: name).map { Array(octets[entries[$0].valueRange]) }
    }

    private func firstIndex(of name: HTTPHeaderName) -> Int? {
        indices.first { matches($0, name) }
    }

    private func matches(_ index: Int, _ name: HTTPHeaderName) -> Bool {
        let entry = entries[index]
        let spelling = name.spelling.utf8
        return entry.fold == name.fold && Int(entry.nameLength) == spelling.count
            && zip(octets[entry.nameRange], spelling)
                .allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    private func name(at index: Int) -> HTTPHeaderName {
        HTTPHeaderName(String(decoding: octets[entries[index].nameRange], as: UTF8.self))
    }

    /// UTF-8 where the octets are UTF-8, else ISO 8859-1, as RFC 9110 §5.5 tells of old servers.
    private func value(at index: Int) -> String {
        let value = octets[entries[index].valueRange]
        return String(validating: value, as: UTF8.self)
            ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
    }
}

// MARK: - Writing

extension HTTPHeaders {
    /// Adds a field after all others.
    ///
    /// - Throws: `invalidRequest` naming the field when the name is no token, or the value holds a
    ///   control character other than tab, or starts or ends with a blank.
    public mutating func append(_ name: HTTPHeaderName, _ value: String) throws(HTTPError) {
        try Self.check(name, value)
        appendChecked(name, value, sensitivity(ofNew: name))
    }

    /// Replaces every field of that name by one, in the first one's place.
    ///
    /// - Throws: as ``append(_:_:)``.
    public mutating func set(_ name: HTTPHeaderName, _ value: String) throws(HTTPError) {
        try Self.check(name, value)
        let sensitivity = sensitivity(ofNew: name)
        let new = { (headers: inout Self) in headers.appendChecked(name, value, sensitivity) }
        if firstIndex(of: name) == nil { new(&self) } else { replaceAll(name, with: new) }
    }

    public mutating func remove(_ name: HTTPHeaderName) {
        if firstIndex(of: name) != nil { replaceAll(name) { _ in } }
    }

    /// Leaves out every field of that name and writes `new` where the first one was.
    ///
    /// Writes all octets anew: those of a replaced secret must not linger.
    private mutating func replaceAll(_ name: HTTPHeaderName, with new: (inout Self) -> Void) {
        let old = self
        octets.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        var isReplaced = false
        for index in old.indices {
            if old.matches(index, name) {
                if !isReplaced { new(&self) }
                isReplaced = true
            } else {
                let entry = old.entries[index]
                appendOctets(
                    old.octets[entry.nameRange], old.octets[entry.valueRange],
                    fold: entry.fold, entry.sensitivity)
            }
        }
    }

    /// A field joins those of its name that were marked; one secret among them makes it a secret.
    private func sensitivity(ofNew name: HTTPHeaderName) -> Sensitivity {
        guard hasMarks else { return .asNamed }
        let present = entries.indices.filter { matches($0, name) }.map { entries[$0].sensitivity }
        return present.contains(.sensitive) ? .sensitive : present.first ?? .asNamed
    }

    private mutating func appendChecked(
        _ name: HTTPHeaderName, _ value: String, _ sensitivity: Sensitivity
    ) {
        appendOctets(name.spelling.utf8, value.utf8, fold: name.fold, sensitivity)
    }

    private mutating func appendOctets(
        _ name: some Collection<UInt8>, _ value: some Collection<UInt8>,
        fold: FieldNameFold, _ sensitivity: Sensitivity
    ) {
        let start = octets.count
        octets.append(contentsOf: name)
        let nameEnd = octets.count
        octets.append(contentsOf: value)
        entries.append(
            Entry(
                start: UInt32(truncatingIfNeeded: start),
                nameLength: UInt32(truncatingIfNeeded: nameEnd - start),
                valueLength: UInt32(truncatingIfNeeded: octets.count - nameEnd),
                fold: fold, sensitivity: sensitivity))
    }

    private mutating func refuse(_ name: HTTPHeaderName) {
        if refusedName == nil { refusedName = name }
    }

    private static func check(_ name: HTTPHeaderName, _ value: String) throws(HTTPError) {
        guard name.isToken else {
            throw HTTPError(
                .invalidRequest,
                "\(name.spelling.logSafe) is not a header field name (RFC 9110 §5.1)")
        }
        guard value.utf8.allSatisfy(\.isFieldValueCharacter) else {
            throw HTTPError(
                .invalidRequest, "the value of \(name) holds a control character (RFC 9110 §5.5)")
        }
        guard value.utf8.first?.isBlank != true, value.utf8.last?.isBlank != true else {
            throw HTTPError(
                .invalidRequest, "the value of \(name) starts or ends with a blank (RFC 9110 §5.5)")
        }
        guard value.utf8.count <= 1 << 24 else {
            throw HTTPError(.invalidRequest, "the value of \(name) is longer than 16 MiB")
        }
    }
}

// MARK: - To a wire

extension HTTPHeaders {
    /// The field's name and value, octet for octet as they are sent.
    package func withOctets<Result>(
        at position: Int,
        _ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) throws -> Result
    ) rethrows -> Result {
        let entry = entries[position]
        return try body(octets[entry.nameRange], octets[entry.valueRange])
    }
}

// MARK: - Filling from a wire

extension HTTPHeaders {
    /// What names and values take in memory, for limits of a section's size.
    package var octetCount: Int { octets.count }

    package mutating func reserveCapacity(fields: Int, octets count: Int) {
        entries.reserveCapacity(fields)
        octets.reserveCapacity(count)
    }

    /// Adds the field of one line of a message (RFC 9112 §5), without its line end.
    ///
    /// Returns whether the line is a field: a token, a colon directly after it, and a value free of
    /// control characters other than tab. Blanks around the value are not part of it.
    package mutating func append(line: Span<UInt8>) -> Bool {
        var fold = FieldNameFold()
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") {
            guard line[colon].isTokenCharacter else { return false }
            fold.combine(line[colon])
            colon += 1
        }
        guard colon > 0, colon < line.count else { return false }
        var start = colon + 1
        var end = line.count
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        for index in start..<end where !line[index].isFieldValueCharacter { return false }

        // No reserveCapacity here: line by line it would grow the buffer by a line each time.
        let offset = octets.count
        append(octets: line.extracting(0..<colon))
        append(octets: line.extracting(start..<end))
        entries.append(
            Entry(
                start: UInt32(truncatingIfNeeded: offset),
                nameLength: UInt32(truncatingIfNeeded: colon),
                valueLength: UInt32(truncatingIfNeeded: end - start),
                fold: fold, sensitivity: .asNamed))
        return true
    }

    /// Joins a continuation line to the last value with one space (obs-fold, RFC 9112 §5.2).
    ///
    /// Returns whether it could: there is a field to join, and the line holds no control character.
    package mutating func appendToLast(folded line: Span<UInt8>) -> Bool {
        guard let last = entries.indices.last else { return false }
        var start = 0
        var end = line.count
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        for index in start..<end where !line[index].isFieldValueCharacter { return false }
        guard start < end else { return true }
        // The space stands for the fold inside a value; before one it would be outer blank.
        if entries[last].valueLength > 0 {
            octets.append(UInt8(ascii: " "))
            entries[last].valueLength += 1
        }
        append(octets: line.extracting(start..<end))
        entries[last].valueLength += UInt32(truncatingIfNeeded: end - start)
        return true
    }

    private mutating func append(octets new: Span<UInt8>) {
        unsafe new.withUnsafeBufferPointer { unsafe octets.append(contentsOf: $0) }
    }
}

// MARK: - Sensitivity

extension HTTPHeaders {
    /// Marks every field of that name as a secret, or as none, whatever its name suggests.
    ///
    /// Those that are there, and with them what later joins or replaces them; nothing is kept for a
    /// name that has no field.
    ///
    /// Sensitive fields never appear in a description, a log, an error or a recording, and never
    /// leave the origin they were meant for. `Authorization`, `Proxy-Authorization`, `Cookie`,
    /// `Set-Cookie` and names that look like keys, tokens or passwords are sensitive by default.
    public mutating func setSensitive(_ name: HTTPHeaderName, _ isSensitive: Bool = true) {
        hasMarks = true
        for index in entries.indices where matches(index, name) {
            entries[index].sensitivity = isSensitive ? .sensitive : .plain
        }
    }

    /// Whether any field of that name is sensitive.
    public func isSensitive(_ name: HTTPHeaderName) -> Bool {
        indices.contains { matches($0, name) && isSensitive(at: $0) }
    }

    private func isSensitive(at index: Int) -> Bool {
        switch entries[index].sensitivity {
        case .sensitive: true
        case .plain: false
        case .asNamed: name(at: index).isSensitive
        }
    }
}

extension HTTPHeaderName {
    /// Whether a field of this name is taken for a secret unless somebody says otherwise.
    public var isSensitive: Bool {
        let name = spelling.lowercased()
        switch name {
        case "authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie",
            "set-cookie2":
            return true
        default:
            return Self.secretWords.contains { name.contains($0) }
        }
    }

    private static let secretWords = [
        "token", "secret", "password", "passwd", "passphrase", "credential", "api-key", "api_key",
        "apikey", "access-key", "auth-key", "subscription-key", "private-key", "account-key",
        "x-auth", "session-id", "sessionid", "signature", "jwt",
    ]
}

// MARK: - Collection

extension HTTPHeaders: RandomAccessCollection {
    /// One field line.
    public struct Field: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        public var name: HTTPHeaderName
        public var value: String
        public var isSensitive: Bool

        /// The line as sent, its value redacted where it is sensitive.
        public var description: String { "\(name): \(isSensitive ? "<redacted>" : value)" }
        /// Without this, `dump` would print a secret.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }

    public subscript(position: Int) -> Field {
        Field(
            name: name(at: position), value: value(at: position),
            isSensitive: isSensitive(at: position))
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Keeps the literal's order and its repeated names.
    public init(dictionaryLiteral elements: (HTTPHeaderName, String)...) {
        for (name, value) in elements {
            do throws(HTTPError) { try append(name, value) } catch { refuse(name) }
        }
    }
}

extension HTTPHeaders: Hashable {
    /// The same fields in the same order, names compared without regard to case.
    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && a.refusedName == b.refusedName
            && a.indices.allSatisfy { index in
                let (x, y) = (a.entries[index], b.entries[index])
                return x.fold == y.fold && a.octets[x.valueRange] == b.octets[y.valueRange]
                    && a.octets[x.nameRange].elementsEqual(b.octets[y.nameRange]) {
                        $0.asciiLowercased == $1.asciiLowercased
                    }
            }
    }

    public func hash(into hasher: inout Hasher) {
        for entry in entries {
            hasher.combine(entry.fold.value)
            hasher.combine(octets[entry.valueRange])
        }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One line per field, sensitive values redacted.
    public var description: String { map(\.description).joined(separator: "\n") }
    public var debugDescription: String { description }
    /// Without this, `dump` would print the octets of secrets.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: map(\.description)) }
}
