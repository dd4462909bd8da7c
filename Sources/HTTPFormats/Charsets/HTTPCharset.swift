public import HTTPCore
public import PortableFoundation

/// A character encoding of the Encoding Standard (https://encoding.spec.whatwg.org).
///
/// A label such as `iso-8859-1` has the meaning that browsers give it: windows-1252, a superset,
/// because that is what servers send under this label.
public struct HTTPCharset: Hashable, Sendable, CustomStringConvertible {
    /// The encodings of the standard, in the order of ``labels``. The standard's list is closed,
    /// and so is this one.
    package enum Encoding: Int, CaseIterable, Sendable {
        case utf8, ibm866, iso8859_2, iso8859_3, iso8859_4, iso8859_5, iso8859_6, iso8859_7,
            iso8859_8, iso8859_8I, iso8859_10, iso8859_13, iso8859_14, iso8859_15, iso8859_16,
            koi8R, koi8U, macintosh, windows874, windows1250, windows1251, windows1252, windows1253,
            windows1254, windows1255, windows1256, windows1257, windows1258, macCyrillic, gbk,
            gb18030, big5, eucJP, iso2022JP, shiftJIS, eucKR, replacement, utf16BE, utf16LE,
            userDefined

        /// The name in the standard.
        package var name: String { HTTPCharset.names[rawValue] }
    }

    package let encoding: Encoding

    package init(_ encoding: Encoding) { self.encoding = encoding }

    /// Creates the encoding that a label names, or `nil` if there is none. The case of the label
    /// and blanks around it are ignored (§4.2).
    ///
    /// - Parameter label: The `charset` parameter of a media type, without quotes.
    public init?(label: String) {
        guard let encoding = Self.byLabel[label.normalizedLabel] else { return nil }
        self.init(encoding)
    }

    /// UTF-8, the charset of a text that names none.
    public static var utf8: Self { Self(.utf8) }

    /// The name in the standard, such as `"UTF-8"`.
    public var name: String { encoding.name }

    public var description: String { name }
}

extension HTTPCharset {
    /// Returns the text of a body. The encoding is the UTF that the byte order mark names, else the
    /// charset of the content type, else UTF-8. The mark is not part of the text.
    ///
    /// If the sender named the encoding, malformed bytes become U+FFFD, as in a browser. If it did
    /// not, or under a label that the standard does not know, UTF-8 is a guess, and malformed bytes
    /// are an error rather than gaps in the text.
    ///
    /// - Parameters:
    ///   - bytes: The encoded text.
    ///   - label: The `charset` parameter of `Content-Type`, unquoted, or `nil` if there is none.
    /// - Throws: ``/HTTPCore/HTTPError`` with code `decodingFailed` if the charset cannot be
    ///   decoded (see ``decode(_:)``), or if there is no charset, or an unknown one (the message
    ///   names it), and the bytes are not UTF-8.
    public static func decode(
        _ bytes: Data, contentTypeCharset label: String?
    ) throws(HTTPError) -> String {
        if let (charset, length) = byteOrderMark(of: bytes) {
            return try charset.decode(bytes.dropFirst(length))
        }
        if let charset = label.flatMap({ Self(label: $0) }) { return try charset.decode(bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let reason = label.map { "the charset \($0.logSafe) is unknown, and the body" }
            throw HTTPError(
                .decodingFailed,
                "\(reason ?? "the body names no charset and") is not UTF-8 text",
                mayHaveReachedServer: true)
        }
        return text
    }

    /// Returns the text of the bytes, with U+FFFD for each malformed sequence, as the standard
    /// counts them. A byte order mark is decoded like any character;
    /// ``decode(_:contentTypeCharset:)`` removes it.
    ///
    /// - Throws: ``/HTTPCore/HTTPError`` with code `decodingFailed`, naming the charset, for
    ///   `replacement`, which stands for encodings that are too dangerous to decode.
    /// - Complexity: O(*n*).
    public func decode(_ bytes: Data) throws(HTTPError) -> String { try encoding.decode(bytes) }

    /// Returns the encoding that a byte order mark names, and the length of the mark (§6).
    static func byteOrderMark(
        of bytes: some Collection<UInt8>
    ) -> (Encoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BE, 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LE, 2) }
        return nil
    }
}

extension HTTPCharset.Encoding {
    package func decode(_ bytes: Data) throws(HTTPError) -> String {
        switch self {
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        case .utf16LE, .utf16BE: return decodeUTF16([UInt8](bytes))
        case .replacement:
            throw HTTPError(
                .decodingFailed, "the charset \(name) is not safe to decode",
                mayHaveReachedServer: true)
        case .gbk, .gb18030: return decodeGB18030([UInt8](bytes))
        case .big5: return decodeBig5([UInt8](bytes))
        case .eucKR: return decodeEUCKR([UInt8](bytes))
        case .shiftJIS: return decodeShiftJIS([UInt8](bytes))
        case .iso2022JP: return decodeISO2022JP([UInt8](bytes))
        case .eucJP: return decodeEUCJP([UInt8](bytes))
        default: return decodeSingleByte([UInt8](bytes))
        }
    }

    private func decodeUTF16(_ bytes: [UInt8]) -> String {
        var text = DecodedText(capacity: bytes.count)
        var decoder = UTF16Decoder(isBigEndian: self == .utf16BE)
        decoder.decode(bytes, into: &text)
        decoder.finish(into: &text)
        return text.string
    }

    private func decodeSingleByte(_ bytes: [UInt8]) -> String {
        // The indexes are in the order of the cases; `x-user-defined` has none.
        let start = self == .userDefined ? nil : rawValue - Self.ibm866.rawValue
        let index = HTTPCharsetIndex.singleByte
        var text = DecodedText(capacity: bytes.count)
        for byte in bytes {
            if byte < 0x80 {
                text.append(ascii: byte)
            } else if let start {
                text.append(index[start * 128 + Int(byte - 0x80)] ?? 0xFFFD)
            } else {
                text.append(0xF780 - 0x80 + UInt32(byte))
            }
        }
        return text.string
    }
}

/// A decoder of UTF-16 in pieces of any length. A surrogate without its other half is malformed,
/// and so is an incomplete end: half a pair, an odd byte, or both together as one (§14.2).
struct UTF16Decoder: Sendable {
    let isBigEndian: Bool
    private var lead: UInt32?
    /// The first byte of a unit whose second byte is still to come.
    private var half: UInt8?

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func decode(_ bytes: some Sequence<UInt8>, into text: inout DecodedText) {
        for byte in bytes {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            let (high, low) = isBigEndian ? (first, byte) : (byte, first)
            decode(UInt16(high) << 8 | UInt16(low), into: &text)
        }
    }

    private mutating func decode(_ unit: UInt16, into text: inout DecodedText) {
        if let lead, UTF16.isTrailSurrogate(unit) {
            text.append(0x10000 + (lead - 0xD800) << 10 + UInt32(unit) - 0xDC00)
            self.lead = nil
            return
        }
        if lead != nil { text.appendReplacement() }
        lead = UTF16.isLeadSurrogate(unit) ? UInt32(unit) : nil
        if UTF16.isTrailSurrogate(unit) {
            text.appendReplacement()
        } else if lead == nil {
            text.append(UInt32(unit))
        }
    }

    mutating func finish(into text: inout DecodedText) {
        if lead != nil || half != nil { text.appendReplacement() }
        (lead, half) = (nil, nil)
    }
}

/// Text under construction, in UTF-8.
struct DecodedText {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(ascii byte: UInt8) { bytes.append(byte) }

    /// - Parameter scalar: A code point that is not a surrogate.
    mutating func append(_ scalar: UInt32) {
        switch scalar {
        case 0..<0x80: bytes.append(UInt8(truncatingIfNeeded: scalar))
        case 0x80..<0x800:
            bytes.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
        case 0x800..<0x10000:
            bytes.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
        default:
            bytes.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
        }
    }

    mutating func appendReplacement() { append(0xFFFD) }
}

extension String {
    /// The label in lower case and without surrounding ASCII blanks.
    fileprivate var normalizedLabel: String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B }
        let bytes = utf8.drop(while: isBlank).map(\.asciiLowercased)
        guard let end = bytes.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(decoding: bytes[...end], as: UTF8.self)
    }
}
