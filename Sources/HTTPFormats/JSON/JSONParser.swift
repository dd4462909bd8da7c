import HTTPCore
public import PortableFoundation

extension HTTPJSON {
    /// The error for text that is not JSON.
    public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package enum Reason: String, Hashable, Sendable {
            case unexpectedEnd = "unexpected end"
            case unexpectedCharacter = "unexpected character"
            case trailingCharacters = "something follows the value"
            case invalidNumber = "invalid number"
            case invalidEscape = "invalid escape sequence"
            case loneSurrogate = "half a surrogate pair"
            case controlCharacter = "control character in a string"
            case invalidUTF8 = "invalid UTF-8"
            case tooDeep = "nested too deeply"
        }

        package var reason: Reason
        /// The offset of the wrong byte from the start of the text.
        public var offset: Int

        package init(reason: Reason, offset: Int) {
            self.reason = reason
            self.offset = offset
        }

        public var description: String { "\(reason.rawValue) at byte \(offset)" }
    }

    /// Creates a value from text that holds one JSON value and nothing else. RFC 8259 is followed
    /// strictly. A byte order mark before the value is skipped, as RFC 8259 §8.1 allows.
    ///
    /// - Throws: ``ParseError``.
    public init(parsing bytes: some Sequence<UInt8>) throws(ParseError) {
        var parser = JSONParser(Array(bytes))
        self = try parser.parseWhole()
    }

    /// - Throws: ``ParseError``.
    public init(parsing text: String) throws(ParseError) { try self.init(parsing: text.utf8) }
}

/// A parser that is not recursive: open arrays and objects are in `containers`, not on the stack.
struct JSONParser {
    private struct Container {
        var isArray: Bool
        var elements: [HTTPJSON] = []
        var members = HTTPJSON.Object()
        /// The name of the member whose value comes next.
        var name = ""
    }

    private let bytes: [UInt8]
    private var position = 0
    private var containers: [Container] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parseWhole() throws(HTTPJSON.ParseError) -> HTTPJSON {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        while true {
            skipBlanks()
            guard var value = try parseScalarOrOpen() else { continue }
            while true {
                skipBlanks()
                guard !containers.isEmpty else {
                    guard position == bytes.count else { throw error(.trailingCharacters) }
                    return value
                }
                guard let closed = try add(value) else { break }
                value = closed
            }
        }
    }

    /// Returns a scalar or an empty container, or `nil` after opening a container.
    private mutating func parseScalarOrOpen() throws(HTTPJSON.ParseError) -> HTTPJSON? {
        guard let byte = peek() else { throw error(.unexpectedEnd) }
        switch byte {
        case UInt8(ascii: "{"):
            try checkDepth()
            position += 1
            skipBlanks()
            if skip("}") { return .object([:]) }
            containers.append(Container(isArray: false, name: try parseName()))
            return nil
        case UInt8(ascii: "["):
            try checkDepth()
            position += 1
            skipBlanks()
            if skip("]") { return .array([]) }
            containers.append(Container(isArray: true))
            return nil
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try parseNumber())
        default: throw error(.unexpectedCharacter)
        }
    }

    /// Adds `value` to the innermost container. Returns that container if `value` was its last
    /// element, or `nil` after a comma. The container is changed in place; taken out, it would be
    /// copied for every element.
    private mutating func add(_ value: HTTPJSON) throws(HTTPJSON.ParseError) -> HTTPJSON? {
        let last = containers.count - 1
        if containers[last].isArray {
            containers[last].elements.append(value)
            if skip("]") { return containers.popLast().map { .array($0.elements) } }
            try expect(",")
        } else {
            containers[last].members[containers[last].name] = value
            if skip("}") { return containers.popLast().map { .object($0.members) } }
            try expect(",")
            skipBlanks()
            containers[last].name = try parseName()
        }
        return nil
    }

    private mutating func parseName() throws(HTTPJSON.ParseError) -> String {
        guard let byte = peek() else { throw error(.unexpectedEnd) }
        guard byte == UInt8(ascii: "\"") else { throw error(.unexpectedCharacter) }
        let name = try parseString()
        skipBlanks()
        try expect(":")
        return name
    }

    private mutating func parseWord(
        _ word: String, _ value: HTTPJSON
    ) throws(HTTPJSON.ParseError) -> HTTPJSON {
        for byte in word.utf8 {
            guard let next = peek() else { throw error(.unexpectedEnd) }
            guard next == byte else { throw error(.unexpectedCharacter) }
            position += 1
        }
        return value
    }

    // MARK: Numbers

    private mutating func parseNumber() throws(HTTPJSON.ParseError) -> HTTPJSON.Number {
        let start = position
        var isInteger = true
        _ = skip("-")
        if skip("0") {
            if peek()?.isASCIIDigit == true { throw error(.invalidNumber) }
        } else {
            try skipDigits()
        }
        if skip(".") {
            isInteger = false
            try skipDigits()
        }
        if skip("e") || skip("E") {
            isInteger = false
            if !skip("-") { _ = skip("+") }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return HTTPJSON.Number(checked: text, isInteger: isInteger)
    }

    private mutating func skipDigits() throws(HTTPJSON.ParseError) {
        guard let byte = peek() else { throw error(.unexpectedEnd) }
        guard byte.isASCIIDigit else { throw error(.invalidNumber) }
        while peek()?.isASCIIDigit == true { position += 1 }
    }

    // MARK: Strings

    private mutating func parseString() throws(HTTPJSON.ParseError) -> String {
        position += 1
        let start = position
        skipPlain()
        // Without escapes, the common case, the string is one run of the text.
        if peek() == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(bytes[start..<position])
        }
        var string = ""
        var runStart = start
        while true {
            guard let byte = peek() else { throw error(.unexpectedEnd) }
            switch byte {
            case UInt8(ascii: "\""):
                string += try text(bytes[runStart..<position])
                position += 1
                return string
            case UInt8(ascii: "\\"):
                string += try text(bytes[runStart..<position])
                string.unicodeScalars.append(try parseEscape())
                runStart = position
            default: throw error(.controlCharacter)
            }
            skipPlain()
        }
    }

    private mutating func skipPlain() {
        let buffer = bytes  // a span of a stored property would borrow all of `self`
        let span = buffer.span
        var index = position
        while index < span.count, span[index] >= 0x20, span[index] != UInt8(ascii: "\""),
            span[index] != UInt8(ascii: "\\")
        {
            index += 1
        }
        position = index
    }

    private func text(_ run: ArraySlice<UInt8>) throws(HTTPJSON.ParseError) -> String {
        guard let text = String(validating: run, as: UTF8.self) else {
            var decoder = UTF8()
            var bytes = run.makeIterator()
            var offset = run.startIndex
            while case .scalarValue(let scalar) = decoder.decode(&bytes) {
                offset += UTF8.width(scalar)
            }
            throw error(.invalidUTF8, at: offset)
        }
        return text
    }

    private mutating func parseEscape() throws(HTTPJSON.ParseError) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let byte = peek() else { throw error(.unexpectedEnd) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw error(.invalidEscape, at: start)
        }
        let unit = try parseCodeUnit(of: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // A leading surrogate needs a trailing one.
        guard unit < 0xDC00, skip("\\"), skip("u") else { throw error(.loneSurrogate, at: start) }
        let trail = try parseCodeUnit(of: start)
        guard (0xDC00...0xDFFF).contains(trail),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (trail - 0xDC00))
        else { throw error(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func parseCodeUnit(of escape: Int) throws(HTTPJSON.ParseError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek() else { throw error(.unexpectedEnd) }
            guard let digit = byte.hexDigitValue else { throw error(.invalidEscape, at: escape) }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    // MARK: Bytes

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws(HTTPJSON.ParseError) {
        guard !skip(scalar) else { return }
        throw error(position == bytes.count ? .unexpectedEnd : .unexpectedCharacter)
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position].isJSONBlank { position += 1 }
    }

    private func checkDepth() throws(HTTPJSON.ParseError) {
        guard containers.count < HTTPJSON.depthLimit else { throw error(.tooDeep) }
    }

    private func error(
        _ reason: HTTPJSON.ParseError.Reason, at offset: Int? = nil
    ) -> HTTPJSON.ParseError {
        HTTPJSON.ParseError(reason: reason, offset: offset ?? position)
    }
}

extension HTTPJSON.ParseError: LocalizedError {
    public var errorDescription: String? { description }
}
