import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Text for a terminal, in whatever pieces it arrives: characters that control the terminal or
/// reorder text are shown by their escapes; tabs and line ends stay.
struct TerminalText {
    /// The beginning of a character, or a CR whose LF may follow.
    private var held: [UInt8] = []

    /// Returns what is to be shown after these bytes.
    mutating func add(_ piece: some Collection<UInt8>) -> Data {
        held += piece
        let end = held.count - (held.last == UInt8(ascii: "\r") ? 1 : Self.unfinished(held))
        defer { held.removeFirst(end) }
        return Self.shown(held[..<end])
    }

    /// Returns what is to be shown at the end.
    mutating func end() -> Data {
        defer { held = [] }
        return Self.shown(held[...])
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> Data {
        Data(String(decoding: bytes, as: UTF8.self).escapingControls(keepingLines: true).utf8)
    }

    /// Returns the number of bytes at the end that are the beginning of a character in UTF-8.
    static func unfinished(_ bytes: [UInt8]) -> Int {
        for (count, byte) in zip(1...3, bytes.reversed()) {
            switch byte {
            case 0x80..<0xC0: continue
            case 0xC0..<0xE0: return count < 2 ? count : 0
            case 0xE0..<0xF0: return count < 3 ? count : 0
            case 0xF0...: return count < 4 ? count : 0
            default: return 0
            }
        }
        return 0
    }
}
