/// A scanner for the parts of field values (RFC 9110 §5.6): tokens, quoted strings, parameters and
/// lists.
///
/// Every method either takes the part that it names and moves past it, or takes nothing and returns
/// `nil`. Each byte is read a bounded number of times.
package struct FieldScanner: Sendable {
    private let bytes: [UInt8]
    package private(set) var position = 0

    package init(_ text: String) { bytes = Array(text.utf8) }

    package var isAtEnd: Bool { position == bytes.count }
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Returns the text from `start` to the current position.
    package func text(from start: Int) -> String {
        String(decoding: bytes[start..<position], as: UTF8.self)
    }

    package mutating func reset(to position: Int) { self.position = position }
}

extension FieldScanner {
    /// Takes one byte if it is the next one.
    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == character.value else { return false }
        position += 1
        return true
    }

    /// Takes bytes while `isTaken` is `true`, possibly none.
    @discardableResult
    package mutating func take(while isTaken: (UInt8) -> Bool) -> String {
        let start = position
        while let next, isTaken(next) { position += 1 }
        return text(from: start)
    }

    /// Skips `OWS`, `BWS` or `RWS` (RFC 9110 §5.6.3). Returns the number of bytes.
    @discardableResult
    package mutating func skipBlanks() -> Int {
        let start = position
        while let next, next.isBlank { position += 1 }
        return position - start
    }

    /// Skips the commas and blanks between the members of a list. A recipient accepts any number of
    /// them (RFC 9110 §5.6.1.2).
    package mutating func skipSeparators() {
        while let next, next.isBlank || next == UInt8(ascii: ",") { position += 1 }
    }

    /// Returns `true` if a member of a list ends here. Skips the blanks before the end, but not the
    /// comma.
    package mutating func isAtMemberEnd() -> Bool {
        skipBlanks()
        return isAtEnd || next == UInt8(ascii: ",")
    }

    /// Moves to the comma that ends this member of a list, or to the end. A comma in a quoted
    /// string does not end the member. A quoted string without a closing quote extends to the end.
    package mutating func skipMember() {
        var isQuoted = false
        while let byte = next {
            if byte == UInt8(ascii: ","), !isQuoted { return }
            if byte == UInt8(ascii: "\\"), isQuoted, position + 1 < bytes.count { position += 1 }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            position += 1
        }
    }

    /// Reads a list (RFC 9110 §5.6.1). `member` reads one member, or returns `nil` to leave it out.
    /// The bytes of a member that `member` does not take are skipped.
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

    /// Reads a list of tokens; other members are left out.
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

    /// Reads a quoted string and returns its contents without quotes and escapes (RFC 9110 §5.6.4).
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

    /// Reads `;name=value` after optional blanks, and returns the name in lower case (RFC 9110
    /// §5.6.6). Blanks around the `=` are not allowed.
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

    /// Reads all parameters from here; the grammar allows empty ones. Returns `nil` if something
    /// other than a parameter comes before the end of the list's member. Moves to that end in both
    /// cases.
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

    /// Reads `1*DIGIT`, or returns `nil` if there is no digit. A number that is too large gives
    /// `Int.max` (RFC 9110 §14.1.2).
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
    /// The text with its ASCII letters in lower case. Names of fields, schemes and parameters have
    /// no other letters.
    package var asciiLowercased: String {
        guard utf8.contains(where: { $0 != $0.asciiLowercased }) else { return self }
        return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }

    package func isEqualIgnoringASCIICase(to other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The text without the blanks around it.
    package var trimmingBlanks: String {
        guard let first = utf8.firstIndex(where: { !$0.isBlank }),
            let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[first...last])
    }

    /// The text as the value of a parameter: a token unchanged, any other text quoted (RFC 9110
    /// §5.6.6).
    package var asParameterValue: String { isToken ? self : quoted }

    /// The text as a quoted string (RFC 9110 §5.6.4).
    package var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }

    /// The value of `delta-seconds` (RFC 9111 §1.2.2): digits only. A value above 2³¹ gives 2³¹.
    package var deltaSeconds: Duration? {
        var scanner = FieldScanner(self)
        guard let seconds = scanner.number(), scanner.isAtEnd else { return nil }
        return .seconds(min(seconds, 1 << 31))
    }
}

extension Duration {
    /// The duration as `delta-seconds`: whole seconds, limited to 0…2³¹.
    package var deltaSeconds: String { String(min(max(0, wholeSeconds), 1 << 31)) }
}
