/// Reads the pieces that field values are made of (RFC 9110 §5.6): tokens, quoted strings,
/// parameters and lists.
///
/// Every reader either takes what it names and moves behind it, or takes nothing and answers `nil`.
/// Each byte is looked at a bounded number of times.
package struct FieldScanner: Sendable {
    private let bytes: [UInt8]
    package private(set) var position = 0

    package init(_ text: String) { bytes = Array(text.utf8) }

    package var isAtEnd: Bool { position == bytes.count }
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The text from `start` up to here.
    package func text(from start: Int) -> String {
        String(decoding: bytes[start..<position], as: UTF8.self)
    }

    package mutating func reset(to position: Int) { self.position = position }
}

extension FieldScanner {
    /// Takes one byte if it is the next.
    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == character.value else { return false }
        position += 1
        return true
    }

    /// Takes what may be nothing.
    @discardableResult
    package mutating func take(while isTaken: (UInt8) -> Bool) -> String {
        let start = position
        while let next, isTaken(next) { position += 1 }
        return text(from: start)
    }

    /// `OWS`, `BWS` and `RWS` (RFC 9110 §5.6.3). Returns how many bytes there were.
    @discardableResult
    package mutating func skipBlanks() -> Int {
        let start = position
        while let next, next.isBlank { position += 1 }
        return position - start
    }

    /// The commas and blanks between the members of a list, of which a recipient takes any number
    /// (RFC 9110 §5.6.1.2).
    package mutating func skipSeparators() {
        while let next, next.isBlank || next == UInt8(ascii: ",") { position += 1 }
    }

    /// Whether a member of a list ends here. Takes the blanks before its end, not the comma.
    package mutating func isAtMemberEnd() -> Bool {
        skipBlanks()
        return isAtEnd || next == UInt8(ascii: ",")
    }

    /// Goes to the comma that ends this member of a list, or to the end. A comma in a quoted string
    /// ends nothing; a quoted string without end goes to the end.
    package mutating func skipMember() {
        var isQuoted = false
        while let byte = next {
            if byte == UInt8(ascii: ","), !isQuoted { return }
            if byte == UInt8(ascii: "\\"), isQuoted, position + 1 < bytes.count { position += 1 }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            position += 1
        }
    }

    /// A list (RFC 9110 §5.6.1). `member` reads one, or answers `nil` for what is left out; whatever
    /// it has not taken of a member is passed over.
    package static func members<Member>(
        _ text: String, _ member: (inout FieldScanner) -> Member?
    ) -> [Member] {
        var scanner = FieldScanner(text)
        var members: [Member] = []
        scanner.skipSeparators()
        while !scanner.isAtEnd {
            if let member = member(&scanner) { members.append(member) }
            scanner.skipMember()
            scanner.skipSeparators()
        }
        return members
    }

    /// A list of tokens; anything else among them is left out.
    package static func tokens(_ text: String) -> [String] {
        members(text) { scanner in
            guard let token = scanner.token(), scanner.isAtMemberEnd() else { return nil }
            return token
        }
    }

    package mutating func token() -> String? {
        let token = take(while: \.isTokenCharacter)
        return token.isEmpty ? nil : token
    }

    /// The contents of a quoted string, without quotes and escapes (RFC 9110 §5.6.4).
    package mutating func quotedString() -> String? {
        guard next == UInt8(ascii: "\"") else { return nil }
        var index = position + 1
        var contents: [UInt8] = []
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                position = index + 1
                return String(decoding: contents, as: UTF8.self)
            case UInt8(ascii: "\\"):
                index += 1
                guard index < bytes.count, bytes[index].isFieldValueCharacter else { return nil }
                contents.append(bytes[index])
            case let byte where byte.isFieldValueCharacter: contents.append(byte)
            default: return nil
            }
            index += 1
        }
        return nil
    }

    package mutating func tokenOrQuotedString() -> String? {
        next == UInt8(ascii: "\"") ? quotedString() : token()
    }

    /// `;name=value`, the name in lower case (RFC 9110 §5.6.6), after optional blanks; none may stand
    /// around the `=`.
    package mutating func parameter() -> (name: String, value: String)? {
        let start = position
        skipBlanks()
        if take(";") {
            skipBlanks()
            if let name = token(), take("="), let value = tokenOrQuotedString() {
                return (name.asciiLowercased, value)
            }
        }
        position = start
        return nil
    }

    /// All parameters from here, of which the grammar lets any be empty, or `nil` if what follows is
    /// neither a parameter nor the end of a list's member. Goes to that end in either case.
    package mutating func parameters() -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        while !isAtMemberEnd() {
            if let parameter = parameter() {
                parameters.append(parameter)
            } else if !take(";") {
                skipMember()
                return nil
            } else {
                skipBlanks()
                guard next == UInt8(ascii: ";") || isAtMemberEnd() else {
                    skipMember()
                    return nil
                }
            }
        }
        return parameters
    }

    /// `1*DIGIT`, or `nil` if there is no digit. A number too large is `Int.max` (RFC 9110 §14.1.2).
    package mutating func number() -> Int? {
        guard next?.isASCIIDigit == true else { return nil }
        var number = 0
        while let digit = next, digit.isASCIIDigit {
            let (tens, overflowed) = number.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            number = overflowed || carried ? .max : sum
            position += 1
        }
        return number
    }
}

extension String {
    /// Only the letters of ASCII: names of fields, schemes and parameters have no others.
    package var asciiLowercased: String {
        guard utf8.contains(where: { $0 != $0.asciiLowercased }) else { return self }
        return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }

    package func isEqualIgnoringASCIICase(to other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// This text without the blanks around it.
    package var trimmingBlanks: String {
        guard let first = utf8.firstIndex(where: { !$0.isBlank }),
            let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[first...last])
    }

    /// As a parameter's value: a token as it is, anything else quoted (RFC 9110 §5.6.6).
    package var asParameterValue: String { isToken ? self : quoted }

    /// As a quoted string (RFC 9110 §5.6.4).
    package var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }

    /// `delta-seconds` (RFC 9111 §1.2.2): digits and nothing else. What exceeds 2³¹ is 2³¹.
    package var deltaSeconds: Duration? {
        var scanner = FieldScanner(self)
        guard let seconds = scanner.number(), scanner.isAtEnd else { return nil }
        return .seconds(min(seconds, 1 << 31))
    }
}

extension Duration {
    /// As `delta-seconds`, cut to whole seconds from 0 to 2³¹.
    package var deltaSeconds: String { String(min(max(0, wholeSeconds), 1 << 31)) }
}
