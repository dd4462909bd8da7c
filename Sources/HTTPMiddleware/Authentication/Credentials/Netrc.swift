package import HTTPCore

/// The user names and passwords of a netrc file, by host, as ftp and curl read it.
///
/// ```
/// machine api.example.com login me password "with \"quotes\" and blanks"
/// default login anonymous password me@example.com
/// ```
///
/// Words are separated by blanks and line ends. A word in double quotes may contain blanks. In it,
/// a backslash takes the next character literally, except that `\n`, `\r` and `\t` have their usual
/// meaning. `#` in place of a keyword begins a comment. `macdef` begins a macro, which is skipped
/// up to the next empty line.
///
/// There is no standard. What is not understood is refused rather than skipped, because a word that
/// is misread may be a password.
package struct Netrc: Hashable, Sendable {
    /// The entry for one host. A secret: its description names only the host.
    package struct Entry: Hashable, Sendable {
        /// The host in lower case; `nil` for `default`.
        package let host: String?
        package let login: String?
        package let password: String?
        package let account: String?
    }

    /// The entries in the order of the file.
    package let entries: [Entry]

    /// The size of the longest file that is read, in bytes.
    package static var maximumLength: Int { 1 << 20 }

    /// - Throws: `invalidNetrc` with the number of the line, but none of its words.
    package init(_ text: String) throws(HTTPError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw .invalidNetrc("it has more than \(Self.maximumLength) bytes")
        }
        var words = NetrcWords(text)
        var entries: [Entry] = []
        while let keyword = try words.keyword() {
            switch keyword {
            case "machine":
                entries.append(try words.entry(host: words.value().asciiLowercased))
            case "default": entries.append(try words.entry(host: nil))
            case "macdef": try words.skipMacro()
            default:
                throw words.failure("the word is not a keyword: quote values that contain blanks")
            }
        }
        self.entries = entries
    }

    /// The first entry for a host, regardless of case, or else the `default` entry.
    ///
    /// - Parameter host: a name or an address, with or without the brackets of IPv6.
    package subscript(host: String) -> Entry? {
        var name = host.asciiLowercased
        if name.utf8.first == UInt8(ascii: "["), name.utf8.last == UInt8(ascii: "]") {
            name = String(name.dropFirst().dropLast())
        }
        return entries.first { $0.host == name } ?? entries.first { $0.host == nil }
    }
}

extension Netrc.Entry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        host.map { "machine \($0.escapingControls()) <redacted>" } ?? "default <redacted>"
    }
    package var debugDescription: String { description }
    /// A mirror for `dump` that does not contain the secret.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A reader that splits a netrc file into words.
private struct NetrcWords {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// The line of the last word, for error messages.
    private var wordLine = 1

    init(_ text: String) { bytes = Array(text.utf8) }

    func failure(_ reason: String) -> HTTPError { .invalidNetrc("line \(wordLine): \(reason)") }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func advance() {
        if next == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func skipBlanks() {
        while let next, Self.isBlank(next) { advance() }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Returns the next keyword, after any comments, or `nil` at the end of the file.
    mutating func keyword() throws(HTTPError) -> String? {
        skipBlanks()
        while next == UInt8(ascii: "#") {
            while let next, next != UInt8(ascii: "\n") { advance() }
            skipBlanks()
        }
        return try word()
    }

    mutating func value() throws(HTTPError) -> String {
        let keywordLine = line
        skipBlanks()
        guard let word = try word() else {
            wordLine = keywordLine
            throw failure("the file ends where a value is expected")
        }
        return word
    }

    /// Reads the values after `machine` or `default`, up to the next of these keywords.
    mutating func entry(host: String?) throws(HTTPError) -> Netrc.Entry {
        var login: String?
        var password: String?
        var account: String?
        while true {
            let start = (position, line)
            switch try keyword() {
            case "login"?: login = try value()
            case "password"?: password = try value()
            case "account"?: account = try value()
            case "macdef"?: try skipMacro()
            default:
                (position, line) = start
                return Netrc.Entry(host: host, login: login, password: password, account: account)
            }
        }
    }

    mutating func skipMacro() throws(HTTPError) {
        _ = try value()
        var isLineEmpty = false
        while let byte = next {
            advance()
            if byte == UInt8(ascii: "\n") {
                if isLineEmpty { return }
                isLineEmpty = true
            } else if byte != UInt8(ascii: "\r") {
                isLineEmpty = false
            }
        }
    }

    private mutating func word() throws(HTTPError) -> String? {
        guard let first = next else { return nil }
        wordLine = line
        var word: [UInt8] = []
        if first == UInt8(ascii: "\"") {
            advance()
            while let byte = next, byte != UInt8(ascii: "\"") {
                advance()
                guard byte == UInt8(ascii: "\\") else {
                    word.append(byte)
                    continue
                }
                guard let escaped = next else { break }
                advance()
                word.append(Self.unescaped(escaped))
            }
            guard next == UInt8(ascii: "\"") else { throw failure("a quotation is not closed") }
            advance()
            if let next, !Self.isBlank(next) {
                throw failure("a quotation is not followed by a blank")
            }
        } else {
            while let byte = next, !Self.isBlank(byte) {
                word.append(byte)
                advance()
            }
        }
        guard let text = String(validating: word, as: UTF8.self) else {
            throw failure("a word is not in UTF-8")
        }
        return text
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        default: byte
        }
    }
}

extension HTTPError {
    static func invalidNetrc(_ reason: String) -> HTTPError {
        HTTPError(.invalidNetrc, "the netrc file cannot be used: \(reason)")
    }
}
