import FoundationEssentials
import HTTPCore

extension FuzzTarget {
    /// The first line is a label, and the rest text; the input's beginning is text in every charset.
    static let charset = Self("charset") { octets in
        let label = octets.textLines[0]
        if let charset = HTTPCharset(label: label) {
            require(
                HTTPCharset(label: " \(label.uppercased())\t") == charset,
                "case and blanks change what a label names")
        }
        let body = octets.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        _ = try? HTTPCharset.decode(body, contentTypeCharset: label)
        _ = try? HTTPCharset.decode(body, contentTypeCharset: nil)
        for charset in HTTPCharset.allCases { check(charset, octets.prefix(256)) }
    }

    private static func check(_ charset: HTTPCharset, _ octets: Data) {
        require(HTTPCharset(label: charset.rawValue) == charset, "\(charset) has not its own label")
        guard let text = try? charset.decode(octets) else {
            require(charset == .replacement, "\(charset) cannot be decoded")
            return
        }
        require(text.utf8.count <= 3 * octets.count, "\(charset) grows more than threefold")
        switch charset {
        case .utf8: requireSame(octets.text, text, "UTF-8 is not what Swift reads")
        case .utf16LE, .utf16BE:
            guard octets.count % 2 == 0 else { return }
            let start = octets.startIndex
            let units = stride(from: start, to: octets.endIndex, by: 2).map { index in
                let (a, b) = (UInt16(octets[index]), UInt16(octets[index + 1]))
                return charset == .utf16LE ? b << 8 | a : a << 8 | b
            }
            requireSame(String(decoding: units, as: UTF16.self), text, "\(charset) as Swift reads")
        case .iso2022JP, .replacement: break
        case .gb18030, .gbk: checkASCII(charset, octets)
        case .big5, .eucJP, .eucKR, .shiftJIS:
            checkASCII(charset, octets)
            checkLines(charset, octets, text)
        default:
            checkASCII(charset, octets)
            checkLines(charset, octets, text)
            require(text.unicodeScalars.count == octets.count, "\(charset) is of single octets")
        }
    }

    private static func checkASCII(_ charset: HTTPCharset, _ octets: Data) {
        let ascii = octets.filter { $0 < 0x80 }
        requireSame((try? charset.decode(ascii)) ?? "", ascii.text, "\(charset) changes ASCII")
    }

    /// A line end belongs to no sequence of several octets: lines may be decoded one by one.
    private static func checkLines(_ charset: HTTPCharset, _ octets: Data, _ text: String) {
        let lines = octets.split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = lines.map { (try? charset.decode($0)) ?? "" }
        requireSame(decoded.joined(separator: "\n"), text, "\(charset) depends on other lines")
    }
}
