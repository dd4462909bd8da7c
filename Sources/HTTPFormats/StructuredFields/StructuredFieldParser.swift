import HTTPCore
private import PortableFoundation

/// A parser for structured fields. Its functions follow the steps of RFC 9651 §4.2.
///
/// No function is recursive, because an inner list holds only items. Nesting therefore cannot
/// exhaust the stack.
struct StructuredFieldParser {
    private let bytes: [UInt8]
    private var position = 0

    /// - Parameter limit: The maximum length of the joined lines, in bytes.
    init(_ fieldLines: [String], upTo limit: Int) throws(StructuredField.ParseError) {
        var bytes: [UInt8] = []
        for (count, line) in fieldLines.enumerated() {
            let separator = count > 0 ? 2 : 0
            guard line.utf8.count <= limit - bytes.count - separator else {
                throw StructuredField.ParseError(
                    offset: limit, reason: "longer than the limit of \(limit) bytes")
            }
            if count > 0 { bytes += ", ".utf8 }
            bytes += line.utf8
        }
        self.bytes = bytes
        skip { $0 == UInt8(ascii: " ") }
    }

    /// Skips blanks and throws if anything else is left.
    mutating func finish() throws(StructuredField.ParseError) {
        skip { $0 == UInt8(ascii: " ") }
        guard next == nil else { throw error("unexpected text after the value") }
    }

    // MARK: - Containers

    mutating func list() throws(StructuredField.ParseError) -> [StructuredField.Member] {
        var members: [StructuredField.Member] = []
        guard next != nil else { return members }
        repeat { members.append(try member()) } while try separator()
        return members
    }

    mutating func dictionary()
        throws(StructuredField.ParseError) -> StructuredFieldEntries<StructuredField.Member>
    {
        var entries = StructuredFieldEntries<StructuredField.Member>()
        guard next != nil else { return entries }
        repeat {
            let name = try key()
            if skip(UInt8(ascii: "=")) {
                entries.set(name, try member())
            } else {
                entries.set(name, .item(.init(.boolean(true), parameters: try parameters())))
            }
        } while try separator()
        return entries
    }

    /// Skips a comma and the blanks around it. Returns `true` if another member follows.
    private mutating func separator() throws(StructuredField.ParseError) -> Bool {
        skip(where: \.isBlank)
        guard next != nil else { return false }
        guard skip(UInt8(ascii: ",")) else { throw error("no comma between two members") }
        skip(where: \.isBlank)
        guard next != nil else { throw error("a comma at the end") }
        return true
    }

    private mutating func member() throws(StructuredField.ParseError) -> StructuredField.Member {
        next == UInt8(ascii: "(") ? .innerList(try innerList()) : .item(try item())
    }

    private mutating func innerList()
        throws(StructuredField.ParseError) -> StructuredField.InnerList
    {
        position += 1
        var items: [StructuredField.Item] = []
        while true {
            skip { $0 == UInt8(ascii: " ") }
            if skip(UInt8(ascii: ")")) { return .init(items, parameters: try parameters()) }
            guard next != nil else { throw error("an inner list without a closing parenthesis") }
            items.append(try item())
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else {
                throw error("neither a space nor the end after an item of an inner list")
            }
        }
    }

    mutating func item() throws(StructuredField.ParseError) -> StructuredField.Item {
        let value = try bareItem()
        return .init(value, parameters: try parameters())
    }

    private mutating func parameters()
        throws(StructuredField.ParseError) -> StructuredField.Parameters
    {
        var entries = StructuredFieldEntries<StructuredField.BareItem>()
        while skip(UInt8(ascii: ";")) {
            skip { $0 == UInt8(ascii: " ") }
            let name = try key()
            entries.set(name, skip(UInt8(ascii: "=")) ? try bareItem() : .boolean(true))
        }
        return .init(entries: entries)
    }

    private mutating func key() throws(StructuredField.ParseError) -> String {
        guard let first = next, first.startsStructuredKey else { throw error("not a key") }
        return text(while: \.continuesStructuredKey)
    }

    // MARK: - Bare items

    private mutating func bareItem() throws(StructuredField.ParseError) -> StructuredField.BareItem
    {
        switch next {
        case let byte? where byte == UInt8(ascii: "-") || byte.isASCIIDigit: return try number()
        case UInt8(ascii: "\"")?: return try string()
        case UInt8(ascii: ":")?: return try byteSequence()
        case UInt8(ascii: "?")?: return try boolean()
        case UInt8(ascii: "@")?: return try date()
        case UInt8(ascii: "%")?: return try displayString()
        case let byte? where byte.startsStructuredToken:
            return .token(.init(proven: text(while: \.continuesStructuredToken)))
        default: throw error("not a value")
        }
    }

    private mutating func number() throws(StructuredField.ParseError) -> StructuredField.BareItem {
        let sign: Int64 = skip(UInt8(ascii: "-")) ? -1 : 1
        guard let first = next, first.isASCIIDigit else { throw error("a sign without digits") }
        var (value, digits): (Int64, Int) = (0, 0)
        while let byte = next, byte.isASCIIDigit {
            digits += 1
            guard digits <= 15 else { throw error("an integer of more than 15 digits") }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            position += 1
        }
        guard next == UInt8(ascii: ".") else { return .integer(.init(proven: sign * value)) }
        guard digits <= 12 else {
            throw error("a decimal of more than 12 digits before the point")
        }
        position += 1
        var scale: Int64 = 1000
        while let byte = next, byte.isASCIIDigit {
            guard scale > 1 else { throw error("a decimal of more than 3 digits after the point") }
            scale /= 10
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            position += 1
        }
        guard scale < 1000 else { throw error("a decimal without digits after the point") }
        return .decimal(.init(proven: sign * value * scale))
    }

    private mutating func string() throws(StructuredField.ParseError) -> StructuredField.BareItem {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            guard byte.isPrintableASCII else {
                throw error("a string of characters other than printable ASCII")
            }
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return .string(.init(proven: String(decoding: text, as: UTF8.self)))
            case UInt8(ascii: "\\"):
                guard let escaped = next,
                    escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\")
                else { throw error("a backslash before neither a quote nor a backslash") }
                text.append(escaped)
                position += 1
            default: text.append(byte)
            }
        }
        throw error("a string without a closing quote")
    }

    private mutating func byteSequence()
        throws(StructuredField.ParseError) -> StructuredField.BareItem
    {
        position += 1
        var decoded = Data()
        var (bits, count, padding): (UInt32, Int, Int) = (0, 0, 0)
        while let byte = next {
            if byte == UInt8(ascii: ":") {
                // Padding may be left out (RFC 9651 §4.2.7), but must not be wrong.
                guard count % 4 != 1, padding == 0 || (count + padding) % 4 == 0 else {
                    throw error("a byte sequence of a wrong length")
                }
                position += 1
                return .byteSequence(decoded)
            }
            if byte == UInt8(ascii: "="), padding < 2 {
                padding += 1
            } else if padding == 0, let value = byte.base64Value {
                count += 1
                bits = bits << 6 | UInt32(value)
                if count % 4 != 1 {
                    let unused = (3 - (count - 1) % 4) * 2
                    decoded.append(UInt8(truncatingIfNeeded: bits >> unused))
                }
            } else {
                throw error("a byte sequence that is not base64")
            }
            position += 1
        }
        throw error("a byte sequence without a closing colon")
    }

    private mutating func boolean() throws(StructuredField.ParseError) -> StructuredField.BareItem {
        position += 1
        if skip(UInt8(ascii: "1")) { return .boolean(true) }
        if skip(UInt8(ascii: "0")) { return .boolean(false) }
        throw error("a boolean other than ?0 and ?1")
    }

    private mutating func date() throws(StructuredField.ParseError) -> StructuredField.BareItem {
        position += 1
        guard let first = next, first.isASCIIDigit || first == UInt8(ascii: "-") else {
            throw error("a date without seconds")
        }
        let start = position
        guard case .integer(let seconds) = try number() else {
            position = start
            throw error("a date that is not in whole seconds")
        }
        return .date(seconds)
    }

    private mutating func displayString()
        throws(StructuredField.ParseError) -> StructuredField.BareItem
    {
        let start = position
        position += 1
        guard skip(UInt8(ascii: "\"")) else { throw error("a display string without a quote") }
        var encoded: [UInt8] = []
        while let byte = next {
            guard byte.isPrintableASCII else {
                throw error("a display string of characters other than printable ASCII")
            }
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: encoded, as: UTF8.self) else {
                    position = start
                    throw error("a display string that is not UTF-8")
                }
                return .displayString(text)
            case UInt8(ascii: "%"):
                encoded.append(try lowercaseHexDigit() << 4 | lowercaseHexDigit())
            default: encoded.append(byte)
            }
        }
        throw error("a display string without a closing quote")
    }

    private mutating func lowercaseHexDigit() throws(StructuredField.ParseError) -> UInt8 {
        guard let byte = next, byte.isASCIIDigit || byte.isASCIILowercase,
            let value = byte.hexDigitValue
        else { throw error("a percent sign without two lower-case hexadecimal digits") }
        position += 1
        return value
    }

    // MARK: - Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skip(where isSkipped: (UInt8) -> Bool) {
        while let byte = next, isSkipped(byte) { position += 1 }
    }

    /// - Parameter belongs: A predicate that is `true` only for ASCII.
    private mutating func text(while belongs: (UInt8) -> Bool) -> String {
        let start = position
        skip(where: belongs)
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private func error(_ reason: String) -> StructuredField.ParseError {
        .init(offset: position, reason: reason)
    }
}

extension UInt8 {
    /// The six bits that a base64 character represents (RFC 4648 §4).
    fileprivate var base64Value: UInt8? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
