import HTTPCore

/// The fields of a message as the original engine sees them: each byte of a value is one character.
struct CacheTestFields: Sendable {
    private(set) var fields: [(name: String, value: String)]

    init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

    init(_ headers: HTTPHeaders) {
        fields = headers.indices.map { position in
            headers.withBytes(at: position) { name, value in
                (String(isomorphic: name), String(isomorphic: value))
            }
        }
    }

    mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    /// The values of all fields called `name`, joined with a comma and a space; `nil` if there are
    /// none.
    subscript(name: String) -> String? {
        let key = name.lowercased()
        let values = fields.filter { $0.name.lowercased() == key }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    func contains(_ name: String) -> Bool { self[name] != nil }

    /// Returns the number at the start of a field's value, or `nil` if there is none.
    func number(_ name: String) -> Int? { self[name].flatMap(Int.init(leadingDigitsOf:)) }

    /// Returns the fields as a header section. A field that is none is left out.
    func headers(inUTF8: Bool = false) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in fields {
            let line = "\(name): \(value)"
            let bytes = inUTF8 ? Array(line.utf8) : line.isomorphicBytes
            _ = headers.append(line: bytes.span)
        }
        return headers
    }
}

extension String {
    /// Creates a text with one character for each byte (isomorphic decoding).
    init(isomorphic bytes: some Sequence<UInt8>) {
        var scalars = UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        self.init(scalars)
    }

    /// The text with one byte for each character, or in UTF-8 if it has others.
    var isomorphicBytes: [UInt8] {
        let bytes = unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == unicodeScalars.count ? bytes : Array(utf8)
    }
}

extension Int {
    /// Creates the number that a text starts with, or `nil` if it starts with none.
    init?(leadingDigitsOf text: some StringProtocol) {
        let text = text.drop { $0.isWhitespace }
        let sign = text.prefix { $0 == "-" || $0 == "+" }.prefix(1)
        let digits = text.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }
        self.init("\(sign)\(digits)")
    }
}
