/// A URI reference split into its parts (RFC 3986 §3), with strict syntax.
///
/// This type exists because `URL(string:)` silently encodes text that is not a URI, and because two
/// parsers that disagree about a host are a security risk. Origins, sessions and transports all use
/// this one. It never decodes or repairs.
package struct URIReference: Sendable, Equatable {
    package struct Authority: Sendable, Equatable {
        package var userInfo: Substring?
        /// The host; an IP literal includes its brackets.
        package var host: Substring
        /// The port as written; `""` if nothing follows the colon.
        package var port: Substring?

        package init(userInfo: Substring?, host: Substring, port: Substring?) {
            self.userInfo = userInfo
            self.host = host
            self.port = port
        }
    }

    package var text: String
    package var scheme: Substring?
    package var authority: Authority?
    package var path: Substring
    package var query: Substring?
    package var fragment: Substring?

    /// The first syntax error, for a message. It does not contain the text around it, which may be
    /// secret.
    package struct SyntaxError: Error, Equatable {
        /// The number of bytes before the error.
        package var offset: Int
        package var reason: String
    }

    package init(_ text: String) throws(SyntaxError) {
        // Uses bytes and offsets, which is several times as fast as string indices.
        let bytes = Array(text.utf8)
        try Self.checkCharacters(bytes)
        self.text = text
        func part(_ range: Range<Int>) -> Substring {
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            return text[start..<text.utf8.index(start, offsetBy: range.count)]
        }

        var (start, end) = (0, bytes.count)
        if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
            fragment = part(hash + 1..<end)
            end = hash
        }
        if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
            query = part(mark + 1..<end)
            end = mark
        }
        if let delimiter = bytes[..<end].firstIndex(where: {
            $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/")
        }), bytes[delimiter] == UInt8(ascii: ":") {
            guard Self.isScheme(bytes[..<delimiter]) else {
                throw SyntaxError(
                    offset: 0,
                    reason: "a scheme must be a letter, then letters and digits; before a host "
                        + "and a port, write http:// or https://")
            }
            scheme = part(0..<delimiter)
            start = delimiter + 1
        }
        if bytes[start..<end].starts(with: "//".utf8) {
            start += 2
            let next = bytes[start..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            let cut = try AuthorityCut(bytes[start..<next])
            authority = Authority(
                userInfo: cut.userInfo.map(part), host: part(cut.host), port: cut.port.map(part))
            start = next
        }
        path = part(start..<end)
        if let bracket = bytes[start...].firstIndex(where: Self.isBracket) {
            throw SyntaxError(
                offset: bracket, reason: "brackets outside an IP literal must be percent-encoded")
        }
    }

    /// The positions of the parts of an authority, as offsets into the whole text.
    private struct AuthorityCut {
        var userInfo: Range<Int>?
        let host: Range<Int>
        let port: Range<Int>?

        init(_ bytes: ArraySlice<UInt8>) throws(SyntaxError) {
            var start = bytes.startIndex
            let end = bytes.endIndex
            if let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
                if let second = bytes[..<at].firstIndex(where: {
                    $0 == UInt8(ascii: "@") || isBracket($0)
                }) {
                    throw SyntaxError(
                        offset: second, reason: "user information must be percent-encoded")
                }
                userInfo = start..<at
                start = at + 1
            }
            let rest = bytes[start...]
            if rest.first == UInt8(ascii: "[") {
                guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else {
                    throw SyntaxError(
                        offset: start, reason: "an IP literal has no closing bracket")
                }
                host = start..<close + 1
                guard close + 1 == end || bytes[close + 1] == UInt8(ascii: ":") else {
                    throw SyntaxError(
                        offset: close + 1, reason: "only a port may follow an IP literal")
                }
            } else {
                host = start..<(rest.firstIndex(of: UInt8(ascii: ":")) ?? end)
                if let bracket = bytes[host].firstIndex(where: isBracket) {
                    throw SyntaxError(
                        offset: bracket, reason: "brackets enclose IP literals only")
                }
            }
            guard host.upperBound < end else {
                port = nil
                return
            }
            let digits = host.upperBound + 1..<end
            if let bad = bytes[digits].firstIndex(where: { !$0.isASCIIDigit }) {
                throw SyntaxError(offset: bad, reason: "a port must be a number")
            }
            port = digits
        }
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy {
            isLetter($0) || $0.isASCIIDigit || "+-.".utf8.contains($0)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }

    /// Checks that every byte is allowed by RFC 3986, and that two hexadecimal digits follow every
    /// `%`.
    private static func checkCharacters(_ bytes: [UInt8]) throws(SyntaxError) {
        var hexDigitsDue = 0
        var hashes = 0
        for (offset, byte) in bytes.enumerated() {
            if hexDigitsDue > 0 {
                guard byte.hexDigitValue != nil else {
                    throw SyntaxError(offset: offset, reason: "% needs two hexadecimal digits")
                }
                hexDigitsDue -= 1
                continue
            }
            switch byte {
            case UInt8(ascii: "%"): hexDigitsDue = 2
            case UInt8(ascii: "#"):
                hashes += 1
                guard hashes == 1 else {
                    throw SyntaxError(offset: offset, reason: "a second # must be percent-encoded")
                }
            case UInt8(ascii: " "):
                throw SyntaxError(offset: offset, reason: "a space must be percent-encoded")
            case 0x00...0x1F, 0x7F:
                throw SyntaxError(offset: offset, reason: "a control character is not allowed")
            case 0x80...:
                throw SyntaxError(
                    offset: offset,
                    reason: "a character outside ASCII must be percent-encoded, "
                        + "or written as an xn-- label in a host")
            case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
                UInt8(ascii: "}"):
                throw SyntaxError(
                    offset: offset,
                    reason: "\(Unicode.Scalar(byte)) must be percent-encoded")
            default: break
            }
        }
        guard hexDigitsDue == 0 else {
            throw SyntaxError(offset: bytes.count, reason: "% needs two hexadecimal digits")
        }
    }
}

extension URIReference {
    /// The text of the parts (RFC 3986 §5.3). A `/.` precedes a path that would be read as an
    /// authority.
    package var recomposed: String {
        var text = scheme.map { "\($0):" } ?? ""
        if let authority {
            text += "//" + (authority.userInfo.map { "\($0)@" } ?? "") + authority.host
            text += authority.port.map { ":\($0)" } ?? ""
        } else if path.utf8.starts(with: "//".utf8) {
            text += "/."
        }
        text += path
        text += query.map { "?\($0)" } ?? ""
        text += fragment.map { "#\($0)" } ?? ""
        return text
    }
}
