import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The first line is a label, and the rest is text. The beginning of the input is text in every
    /// charset.
    static let charset = Self("charset") { bytes in
        let label = bytes.textLines[0]
        if let charset = HTTPCharset(label: label) {
            require(
                HTTPCharset(label: " \(label.uppercased())\t") == charset,
                "case and blanks change what a label names")
        }
        let body = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        _ = try? HTTPCharset.decode(body, contentTypeCharset: label)
        _ = try? HTTPCharset.decode(body, contentTypeCharset: nil)
        for charset in HTTPCharset.Encoding.allCases { check(charset, bytes.prefix(256)) }
    }

    private static func check(_ charset: HTTPCharset.Encoding, _ bytes: Data) {
        require(
            HTTPCharset(label: charset.name)?.encoding == charset,
            "\(charset) has not its own label")
        guard let text = try? charset.decode(bytes) else {
            require(charset == .replacement, "\(charset) cannot be decoded")
            return
        }
        require(text.utf8.count <= 3 * bytes.count, "\(charset) grows more than threefold")
        switch charset {
        case .utf8: requireSame(bytes.text, text, "UTF-8 is not what Swift reads")
        case .utf16LE, .utf16BE:
            guard bytes.count % 2 == 0 else { return }
            let start = bytes.startIndex
            let units = stride(from: start, to: bytes.endIndex, by: 2).map { index in
                let (a, b) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return charset == .utf16LE ? b << 8 | a : a << 8 | b
            }
            requireSame(String(decoding: units, as: UTF16.self), text, "\(charset) as Swift reads")
        case .iso2022JP, .replacement: break
        case .gb18030, .gbk: checkASCII(charset, bytes)
        case .big5, .eucJP, .eucKR, .shiftJIS:
            checkASCII(charset, bytes)
            checkLines(charset, bytes, text)
        default:
            checkASCII(charset, bytes)
            checkLines(charset, bytes, text)
            require(text.unicodeScalars.count == bytes.count, "\(charset) is of single bytes")
        }
    }

    private static func checkASCII(_ charset: HTTPCharset.Encoding, _ bytes: Data) {
        let ascii = bytes.filter { $0 < 0x80 }
        requireSame((try? charset.decode(ascii)) ?? "", ascii.text, "\(charset) changes ASCII")
    }

    /// No multi-byte sequence contains a line end: lines may be decoded one by one.
    private static func checkLines(_ charset: HTTPCharset.Encoding, _ bytes: Data, _ text: String) {
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = lines.map { (try? charset.decode($0)) ?? "" }
        requireSame(decoded.joined(separator: "\n"), text, "\(charset) depends on other lines")
    }
}
