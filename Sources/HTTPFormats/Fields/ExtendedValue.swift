import HTTPCore

/// A parameter's value with its charset and language, such as `title*=UTF-8'en'%E2%82%AC`
/// (RFC 8187 §3.2).
package struct ExtendedValue: Hashable, Sendable {
    package var text: String
    /// The language; empty if none was given.
    package var language: String

    package init(text: String, language: String = "") {
        (self.text, self.language) = (text, language)
    }

    package enum SyntaxError: Error, Equatable {
        /// The text is not `charset'language'value`, or a byte should have been percent-encoded.
        case malformed
        /// The charset is neither UTF-8 (also written `utf8`) nor ISO-8859-1, or the bytes are
        /// invalid in it.
        case undecodable
    }

    package init(parsing text: String) throws(SyntaxError) {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty else { throw .malformed }
        let isTag = { (byte: UInt8) in byte.isTokenCharacter }
        guard parts[0].allSatisfy(isTag), parts[1].allSatisfy(isTag) else { throw .malformed }
        let bytes = try Self.percentDecoded(parts[2])
        switch String(decoding: parts[0], as: UTF8.self).asciiLowercased {
        case "utf-8", "utf8":
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .undecodable }
            self.text = text
        case "iso-8859-1":
            self.text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: throw .undecodable
        }
        language = String(decoding: parts[1], as: UTF8.self)
    }

    private static func percentDecoded(_ text: Substring.UTF8View) throws(SyntaxError) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue
                else { throw .malformed }
                bytes.append(high << 4 | low)
            } else if byte.isAttributeCharacter {
                bytes.append(byte)
            } else {
                throw .malformed
            }
        }
        return bytes
    }

    /// The text to send, always in UTF-8 (RFC 8187 §3.2.1).
    package var serialized: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var value: [UInt8] = []
        for byte in text.utf8 {
            if byte.isAttributeCharacter {
                value.append(byte)
            } else {
                value += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return "UTF-8'\(language)'" + String(decoding: value, as: UTF8.self)
    }
}

extension UInt8 {
    /// `true` for a byte of `attr-char` (RFC 8187 §3.2.1).
    fileprivate var isAttributeCharacter: Bool {
        switch self {
        case UInt8(ascii: "*"), UInt8(ascii: "'"), UInt8(ascii: "%"): false
        default: isTokenCharacter
        }
    }
}
