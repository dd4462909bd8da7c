import HTTPCore

/// A field value of the form `essence; name=value; name="value"`, read leniently: malformed
/// parameters are skipped.
struct MessageParameters {
    /// The essence in lower case.
    let essence: String
    private var parameters: [(name: String, value: String)] = []

    init(_ text: String) {
        var rest = text.utf8[...]
        func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
            var text = text.drop(while: \.isBlank)
            while text.last?.isBlank == true { text.removeLast() }
            return text
        }
        func string(_ text: Substring.UTF8View) -> String { String(decoding: text, as: UTF8.self) }

        let head = rest.prefix { $0 != UInt8(ascii: ";") }
        essence = string(trimmed(head)).lowercased()
        rest = rest[head.endIndex...]
        while rest.popFirst() != nil {
            let name = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest.removeFirst()
            rest = rest.drop(while: \.isBlank)
            let value: String
            if rest.first == UInt8(ascii: "\"") {
                rest.removeFirst()
                value = Self.takeQuoted(&rest)
                rest = rest.drop { $0 != UInt8(ascii: ";") }
            } else {
                let token = rest.prefix { $0 != UInt8(ascii: ";") }
                value = string(trimmed(token))
                rest = rest[token.endIndex...]
            }
            parameters.append((string(trimmed(name)).lowercased(), value))
        }
    }

    /// Reads up to the closing quote. A backslash escapes only a quote or itself, because browsers
    /// write file names with backslashes that escape nothing.
    private static func takeQuoted(_ rest: inout Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"),
                rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "\\")
            {
                rest.popFirst().map { bytes.append($0) }
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of the first parameter of that name, which must be in lower case.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}
