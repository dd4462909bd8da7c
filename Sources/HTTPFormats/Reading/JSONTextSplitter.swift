import HTTPCore
import PortableFoundation

/// A value that cuts a JSON text sequence into its texts (RFC 7464), in whatever pieces it arrives.
///
/// A text begins after an RS. It ends at the first LF that is outside of all strings, arrays and
/// objects, so that it is returned as soon as it has arrived; else at the next RS, or with the
/// sequence. What else stands between two RS is returned as stray once. Every byte is examined
/// once.
struct JSONTextSplitter: Sendable {
    enum Piece: Equatable, Sendable {
        /// A text, as a range in ``JSONTextSplitter/bytes``. It is valid until the next call.
        case text(Range<Int>)
        /// A number, `true`, `false` or `null` without white space after it, which may be the start
        /// of a longer one (RFC 7464 §2.4).
        case cut
        /// Bytes before the first RS, or between the end of a text and the next RS.
        case stray
    }

    private enum Place {
        /// The first byte, where there may be a byte order mark.
        case start
        /// Before the first RS.
        case outside
        /// After an RS, before the first byte of the text.
        case atText
        case inText
        /// After a text; only white space may follow.
        case afterText
        /// After stray bytes.
        case skipping
    }

    static let separator: UInt8 = 0x1E

    private let limit: Int
    private(set) var bytes: [UInt8] = []
    /// The start of the text, or of the bytes that were not examined.
    private var start = 0
    private var scanned = 0
    private var place = Place.start
    private var nesting = Nesting()

    /// - Parameter limit: The maximum length of a text in bytes, without its RS and LF.
    init(limit: Int) { self.limit = limit }

    mutating func append(_ piece: Data) {
        if place != .inText, place != .start { start = scanned }
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
        } else if start > 0 {
            bytes.removeFirst(start)
        }
        scanned -= start
        start = 0
        unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Returns the next piece, or `nil` if more bytes are needed.
    ///
    /// - Throws: `bodyTooLarge` if a text is longer than the limit.
    mutating func next() throws(HTTPError) -> Piece? {
        if place == .start, !skipByteOrderMark() { return nil }
        while scanned < bytes.count {
            let byte = bytes[scanned]
            scanned += 1
            if byte == Self.separator {
                let wasInText = place == .inText
                place = .atText
                if wasInText { return try piece(endingAt: scanned - 1) }
                continue
            }
            switch place {
            case .start, .skipping: break
            case .outside:
                place = .skipping
                return .stray
            case .afterText:
                if !byte.isJSONBlank {
                    place = .skipping
                    return .stray
                }
            case .atText:
                start = scanned - 1
                nesting = Nesting()
                place = .inText
                _ = nesting.isEnded(by: byte)
            case .inText:
                if nesting.isEnded(by: byte) {
                    place = .afterText
                    return try text(start..<scanned - 1)
                }
            }
        }
        if place == .inText, scanned - start > limit { throw tooLong() }
        return nil
    }

    /// Returns the rest after the last bytes have arrived.
    ///
    /// - Throws: See ``next()``.
    mutating func last() throws(HTTPError) -> Piece? {
        let last = place
        place = .skipping
        scanned = bytes.count
        switch last {
        case .start: return bytes.isEmpty ? nil : .stray
        case .inText: return try piece(endingAt: bytes.count)
        case .outside, .atText, .afterText, .skipping: return nil
        }
    }

    /// Returns a text that no LF has ended.
    private func piece(endingAt end: Int) throws(HTTPError) -> Piece {
        let text = try text(start..<end)
        var bytes = bytes[start..<end]
        if bytes.starts(with: Self.byteOrderMark) { bytes = bytes.dropFirst(3) }
        guard let first = bytes.first(where: { !$0.isJSONBlank }), first.startsOpenEndedJSON,
            bytes.last?.isJSONBlank == false
        else { return text }
        return .cut
    }

    private func text(_ range: Range<Int>) throws(HTTPError) -> Piece {
        guard range.count <= limit else { throw tooLong() }
        return .text(range)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns `false` if more bytes are needed to recognise a byte order mark.
    private mutating func skipByteOrderMark() -> Bool {
        let mark = Self.byteOrderMark
        if bytes.starts(with: mark) {
            scanned = mark.count
        } else if mark.starts(with: bytes) {
            return false
        }
        place = .outside
        return true
    }

    private func tooLong() -> HTTPError { HTTPError.elementTooLarge("a JSON text", limit: limit) }
}

/// The open strings, arrays and objects of a text that is being read.
private struct Nesting: Sendable {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var hasValue = false

    /// Reads a byte. Returns `true` if it is an LF after a whole text.
    mutating func isEnded(by byte: UInt8) -> Bool {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return false
        }
        switch byte {
        case UInt8(ascii: "\n"): return hasValue && depth <= 0
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        if !byte.isJSONBlank { hasValue = true }
        return false
    }
}

extension UInt8 {
    /// `true` at the start of a number, `true`, `false` or `null`, whose end only the next byte
    /// shows.
    fileprivate var startsOpenEndedJSON: Bool {
        isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "t")
            || self == UInt8(ascii: "f") || self == UInt8(ascii: "n")
    }
}
