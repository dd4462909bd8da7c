import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows JSON with a line for each element and member, as it arrives.
///
/// Nothing but white space is added or left out, and in strings the characters that control a
/// terminal or reorder text are shown by their escapes. From a mistake on, the rest is text. The
/// memory and the output are proportional to the input: only so many levels get a margin.
struct IndentedJSON {
    /// The number of levels that have a margin of their own. Deeper ones have that of the last.
    static let deepestMargin = 32
    /// The number of levels after which the rest counts as text.
    static let deepest = 1 << 16

    private enum State {
        /// A value is next; `mayEnd` after an opening bracket, which may be closed at once.
        case value(mayEnd: Bool)
        /// The name of a member is next.
        case name(mayEnd: Bool)
        case colon
        /// A value has ended.
        case separator
        case string(isName: Bool)
        /// After a backslash.
        case escape(isName: Bool)
        case number
        /// `true`, `false` or `null`: the letters that are still to come.
        case literal(Substring)
        case text
    }

    private let palette: Palette
    private var state = State.value(mayEnd: false)
    /// The containers around the place: `true` for an object.
    private var containers: [Bool] = []
    /// The number of bytes of a byte order mark that have come at the very start, or `nil` after
    /// the first byte of JSON.
    private var mark: Int? = 0
    private var shown: [UInt8] = []
    /// The bytes of a string's characters that are not ASCII, until the next one that is.
    private var characters: [UInt8] = []
    private var text = TerminalText()

    init(palette: Palette = .plain) { self.palette = palette }

    /// Returns what is to be shown after these bytes.
    mutating func add(_ piece: Data) -> Data {
        for byte in piece { add(byte) }
        flushCharacters(keeping: TerminalText.unfinished(characters))
        return taken()
    }

    /// Returns what is to be shown at the end.
    mutating func end() -> Data {
        switch state {
        case .number:
            close()
            state = .separator
        case .string, .escape, .literal: fail()
        default: break
        }
        if case .text = state {
            shown += text.end()
        } else if case .separator = state, containers.isEmpty {
            shown.append(UInt8(ascii: "\n"))
        }
        return taken()
    }

    private mutating func taken() -> Data {
        defer { shown.removeAll(keepingCapacity: true) }
        return Data(shown)
    }

    private mutating func add(_ byte: UInt8) {
        switch state {
        case .text: shown += text.add(CollectionOfOne(byte))
        case .string(let isName): addToString(byte, isName)
        case .escape(let isName):
            guard byte >= 0x20, byte < 0x7F else { return fail(at: byte) }
            shown.append(byte)
            state = .string(isName: isName)
        case .number:
            if "+-.eE0123456789".utf8.contains(byte) {
                shown.append(byte)
            } else {
                close()
                state = .separator
                add(byte)
            }
        case .literal(let letters):
            guard byte == letters.utf8.first else { return fail(at: byte) }
            shown.append(byte)
            state = .literal(letters.dropFirst())
            if letters.count == 1 {
                close()
                state = .separator
            }
        case .value, .name, .colon, .separator: addBetween(byte)
        }
    }

    /// Handles a byte between values, names and marks.
    private mutating func addBetween(_ byte: UInt8) {
        guard ![0x20, 0x09, 0x0A, 0x0D].contains(byte) else { return }
        if let count = mark {
            let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
            if count < bytes.count, byte == bytes[count] {
                mark = count + 1
                return
            }
            mark = nil
            if count == 1 || count == 2 {
                state = .text
                for byte in bytes.prefix(count) { add(byte) }
                return add(byte)
            }
        }
        switch (state, byte) {
        case (.value(mayEnd: true), UInt8(ascii: "]")), (.name(mayEnd: true), UInt8(ascii: "}")):
            containers.removeLast()
            shown.append(byte)
            state = .separator
        case (.value(let mayEnd), _):
            if mayEnd { breakLine() }
            beginValue(byte)
        case (.name(let mayEnd), UInt8(ascii: "\"")):
            if mayEnd { breakLine() }
            open(.name, byte)
            state = .string(isName: true)
        case (.colon, UInt8(ascii: ":")):
            shown += ": ".utf8
            state = .value(mayEnd: false)
        case (.separator, UInt8(ascii: ",")):
            guard let isObject = containers.last else { return fail(at: byte) }
            shown.append(byte)
            breakLine()
            state = isObject ? .name(mayEnd: false) : .value(mayEnd: false)
        case (.separator, UInt8(ascii: "]")), (.separator, UInt8(ascii: "}")):
            guard let isObject = containers.last, isObject == (byte == UInt8(ascii: "}")) else {
                return fail(at: byte)
            }
            containers.removeLast()
            breakLine()
            shown.append(byte)
        case (.separator, _) where containers.isEmpty:
            // Another text, as in JSON Lines.
            breakLine()
            beginValue(byte)
        default: fail(at: byte)
        }
    }

    private mutating func beginValue(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard containers.count < Self.deepest else { return fail(at: byte) }
            shown.append(byte)
            let isObject = byte == UInt8(ascii: "{")
            containers.append(isObject)
            state = isObject ? .name(mayEnd: true) : .value(mayEnd: true)
        case UInt8(ascii: "\""):
            open(.string, byte)
            state = .string(isName: false)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            open(.number, byte)
            state = .number
        default:
            let literals = ["true", "false", "null"]
            guard let literal = literals.first(where: { $0.utf8.first == byte }) else {
                return fail(at: byte)
            }
            open(.literal, byte)
            state = .literal(literal.dropFirst())
        }
    }

    private mutating func addToString(_ byte: UInt8, _ isName: Bool) {
        guard byte < 0x7F else { return characters.append(byte) }
        flushCharacters()
        switch byte {
        case ..<0x20: fail(at: byte)
        case UInt8(ascii: "\""):
            shown.append(byte)
            close()
            state = isName ? .colon : .separator
        case UInt8(ascii: "\\"):
            shown.append(byte)
            state = .escape(isName: isName)
        default: shown.append(byte)
        }
    }

    /// Shows the characters that are not ASCII. Those that steer are in their escapes.
    private mutating func flushCharacters(keeping rest: Int = 0) {
        let count = characters.count - rest
        guard count > 0 else { return }
        let string = HTTPJSON.string(String(decoding: characters.prefix(count), as: UTF8.self))
        shown += string.description.utf8.dropFirst().dropLast()
        characters.removeFirst(count)
    }

    private mutating func breakLine() {
        shown.append(UInt8(ascii: "\n"))
        shown += repeatElement(
            UInt8(ascii: " "), count: 2 * min(containers.count, Self.deepestMargin))
    }

    private mutating func open(_ role: Palette.Role, _ byte: UInt8) {
        shown += palette.opening(role).utf8
        shown.append(byte)
    }

    private mutating func close() { shown += palette.closing.utf8 }

    /// Shows the rest as text, from a byte on that JSON does not have there.
    private mutating func fail(at byte: UInt8? = nil) {
        flushCharacters()
        switch state {
        case .string, .escape, .number, .literal: close()
        default: break
        }
        state = .text
        if let byte { add(byte) }
    }
}
