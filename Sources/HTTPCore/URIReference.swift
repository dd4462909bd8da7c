/// A URI reference cut into its parts (RFC 3986 §3), accepted to the letter of its grammar.
///
/// Exists beside `URL` because `URL(string:)` quietly encodes what is no URI, and because two
/// parsers that disagree about a host are a security hole: origins, sessions and transports all
/// read this one. Never decodes, never repairs.
package struct URIReference: Sendable, Equatable {
    package struct Authority: Sendable, Equatable {
        package var userInfo: Substring?
        /// With the brackets of an IP literal.
        package var host: Substring
        /// As written; `""` after a colon with nothing behind it.
        package var port: Substring?
    }

    package var text: String
    package var scheme: Substring?
    package var authority: Authority?
    package var path: Substring
    package var query: Substring?
    package var fragment: Substring?

    /// The first thing that is no URI, for a message: never the text around it, which may be secret.
    package struct SyntaxError: Error, Equatable {
        /// Octets from the start of the text.
        package var offset: Int
        package var reason: String
    }

    package init(_ text: String) throws(SyntaxError) {
        self.text = text
        try Self.checkCharacters(text.utf8)

        var rest = text[...]
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[rest.utf8.index(after: hash)...]
            rest = rest[..<hash]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")),
            !rest[..<colon].utf8.contains(UInt8(ascii: "/"))
        {
            let scheme = rest[..<colon]
            guard Self.isScheme(scheme) else {
                throw SyntaxError(
                    offset: 0, reason: "a scheme is a letter, then letters and digits")
            }
            self.scheme = scheme
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = try Self.cutAuthority(rest[..<end], in: text)
            rest = rest[end...]
        }
        path = rest
        for part in [path, query, fragment].compactMap(\.self) {
            if let index = part.utf8.firstIndex(where: { "[]".utf8.contains($0) }) {
                throw SyntaxError(
                    offset: text.utf8.distance(from: text.startIndex, to: index),
                    reason: "brackets outside an IP literal must be percent-encoded")
            }
        }
    }

    private static func cutAuthority(
        _ text: Substring, in whole: String
    ) throws(SyntaxError) -> Authority {
        func fail(_ index: String.Index, _ reason: String) -> SyntaxError {
            SyntaxError(
                offset: whole.utf8.distance(from: whole.startIndex, to: index), reason: reason)
        }
        var rest = text
        var userInfo: Substring?
        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = rest[..<at]
            rest = rest[rest.utf8.index(after: at)...]
            if let second = userInfo?.utf8.firstIndex(where: { "@[]".utf8.contains($0) }) {
                throw fail(second, "user information must be percent-encoded")
            }
        }
        let host: Substring
        if rest.utf8.first == UInt8(ascii: "[") {
            guard let close = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else {
                throw fail(rest.startIndex, "an IP literal has no closing bracket")
            }
            let end = rest.utf8.index(after: close)
            host = rest[..<end]
            rest = rest[end...]
            guard rest.isEmpty || rest.utf8.first == UInt8(ascii: ":") else {
                throw fail(end, "only a port may follow an IP literal")
            }
        } else {
            host = rest[..<(rest.utf8.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex)]
            rest = rest[host.endIndex...]
            if let bracket = host.utf8.firstIndex(where: { "[]".utf8.contains($0) }) {
                throw fail(bracket, "brackets enclose IP literals only")
            }
        }
        var port: Substring?
        if rest.utf8.first == UInt8(ascii: ":") {
            let digits = rest[rest.utf8.index(after: rest.startIndex)...]
            if let bad = digits.utf8.firstIndex(where: { !$0.isASCIIDigit }) {
                throw fail(bad, "a port is a number")
            }
            port = digits
        }
        return Authority(userInfo: userInfo, host: host, port: port)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            isLetter($0) || $0.isASCIIDigit || "+-.".utf8.contains($0)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
    }

    /// Every octet is one that RFC 3986 knows, and every `%` has two hexadecimal digits behind it.
    private static func checkCharacters(_ octets: String.UTF8View) throws(SyntaxError) {
        var hexDigitsDue = 0
        var hashes = 0
        for (offset, octet) in octets.enumerated() {
            if hexDigitsDue > 0 {
                guard octet.hexDigitValue != nil else {
                    throw SyntaxError(offset: offset, reason: "% needs two hexadecimal digits")
                }
                hexDigitsDue -= 1
                continue
            }
            switch octet {
            case UInt8(ascii: "%"): hexDigitsDue = 2
            case UInt8(ascii: "#"):
                hashes += 1
                guard hashes == 1 else {
                    throw SyntaxError(offset: offset, reason: "a second # must be percent-encoded")
                }
            case UInt8(ascii: " "):
                throw SyntaxError(offset: offset, reason: "a space must be percent-encoded")
            case 0x00...0x1F, 0x7F:
                throw SyntaxError(offset: offset, reason: "a control character")
            case 0x80...:
                throw SyntaxError(
                    offset: offset,
                    reason: "a character outside ASCII must be percent-encoded, "
                        + "in a host written as an xn-- label")
            case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
                UInt8(ascii: "}"):
                throw SyntaxError(
                    offset: offset,
                    reason: "\(Unicode.Scalar(octet)) must be percent-encoded")
            default: break
            }
        }
        guard hexDigitsDue == 0 else {
            throw SyntaxError(offset: octets.count, reason: "% needs two hexadecimal digits")
        }
    }
}
