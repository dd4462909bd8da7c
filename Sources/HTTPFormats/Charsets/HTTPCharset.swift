public import HTTPCore
public import PortableFoundation

/// A character encoding of the Encoding Standard (https://encoding.spec.whatwg.org).
///
/// A label such as `iso-8859-1` has the meaning that browsers give it: windows-1252, a superset,
/// because that is what servers send under this label.
public struct HTTPCharset: Hashable, Sendable, CustomStringConvertible {
    /// The encodings of the standard under their names there. The standard's list is closed, and so
    /// is this one.
    package enum Encoding: String, CaseIterable, Sendable {
        case utf8 = "UTF-8"
        case ibm866 = "IBM866"
        case iso8859_2 = "ISO-8859-2"
        case iso8859_3 = "ISO-8859-3"
        case iso8859_4 = "ISO-8859-4"
        case iso8859_5 = "ISO-8859-5"
        case iso8859_6 = "ISO-8859-6"
        case iso8859_7 = "ISO-8859-7"
        case iso8859_8 = "ISO-8859-8"
        case iso8859_8I = "ISO-8859-8-I"
        case iso8859_10 = "ISO-8859-10"
        case iso8859_13 = "ISO-8859-13"
        case iso8859_14 = "ISO-8859-14"
        case iso8859_15 = "ISO-8859-15"
        case iso8859_16 = "ISO-8859-16"
        case koi8R = "KOI8-R"
        case koi8U = "KOI8-U"
        case macintosh = "macintosh"
        case windows874 = "windows-874"
        case windows1250 = "windows-1250"
        case windows1251 = "windows-1251"
        case windows1252 = "windows-1252"
        case windows1253 = "windows-1253"
        case windows1254 = "windows-1254"
        case windows1255 = "windows-1255"
        case windows1256 = "windows-1256"
        case windows1257 = "windows-1257"
        case windows1258 = "windows-1258"
        case macCyrillic = "x-mac-cyrillic"
        case gbk = "GBK"
        case gb18030 = "gb18030"
        case big5 = "Big5"
        case eucJP = "EUC-JP"
        case iso2022JP = "ISO-2022-JP"
        case shiftJIS = "Shift_JIS"
        case eucKR = "EUC-KR"
        case replacement = "replacement"
        case utf16BE = "UTF-16BE"
        case utf16LE = "UTF-16LE"
        case userDefined = "x-user-defined"
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
    public var name: String { encoding.rawValue }

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
        case .replacement: throw unavailable
        case .gbk, .gb18030, .big5, .eucJP, .iso2022JP, .shiftJIS, .eucKR:
            guard let text = decodeMultiByte([UInt8](bytes)) else { throw unavailable }
            return text
        default:
            guard let text = decodeSingleByte([UInt8](bytes)) else { throw unavailable }
            return text
        }
    }

    private var unavailable: HTTPError {
        HTTPError(
            .decodingFailed, "the charset \(rawValue) is not safe to decode",
            mayHaveReachedServer: true)
    }

    private func decodeUTF16(_ bytes: [UInt8]) -> String {
        var text = DecodedText(capacity: bytes.count)
        var decoder = UTF16Decoder(isBigEndian: self == .utf16BE)
        decoder.decode(bytes, into: &text)
        decoder.finish(into: &text)
        return text.string
    }

    /// The single-byte encodings that have an index, in the order of their indexes.
    private static let singleByte = allCases.drop { $0 != .ibm866 }.prefix { $0 != .gbk }

    /// Returns the decoded text, or `nil` if the encoding is of another kind.
    private func decodeSingleByte(_ bytes: [UInt8]) -> String? {
        let start = Self.singleByte.firstIndex(of: self).map { $0 - Self.singleByte.startIndex }
        guard start != nil || self == .userDefined else { return nil }
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
