import HTTPCore

/// The decoders of Encoding Standard §10 to §13. If a sequence is malformed and its last byte is
/// ASCII, that byte is read again on its own, so that no quote or bracket is lost.
extension HTTPCharset.Encoding {
    /// Decodes text in which bytes below 0x80 are ASCII wherever a sequence may begin. `decode`
    /// takes a sequence that begins with another byte, and returns the number of bytes that it
    /// used.
    private func decodeSequences(
        _ bytes: [UInt8],
        _ decode: (_ lead: UInt8, _ start: Int, _ text: inout DecodedText) -> Int
    ) -> String {
        var text = DecodedText(capacity: bytes.count)
        var start = 0
        while start < bytes.count {
            let lead = bytes[start]
            if lead < 0x80 {
                text.append(ascii: lead)
                start += 1
            } else {
                start += decode(lead, start, &text)
            }
        }
        return text.string
    }

    /// Appends the code point of two bytes, or U+FFFD if they are malformed. Returns the number of
    /// bytes used.
    ///
    /// - Parameter scalar: Returns the code point for a lead and a trail, or `nil` if there is
    ///   none.
    private func appendPair(
        _ bytes: [UInt8], at start: Int, to text: inout DecodedText,
        _ scalar: (_ lead: Int, _ trail: Int) -> UInt32?
    ) -> Int {
        guard start + 1 < bytes.count else {
            text.appendReplacement()
            return 1
        }
        let trail = bytes[start + 1]
        if let scalar = scalar(Int(bytes[start]), Int(trail)) {
            text.append(scalar)
            return 2
        }
        text.appendReplacement()
        return trail < 0x80 ? 1 : 2
    }

    // MARK: - Chinese

    func decodeGB18030(_ bytes: [UInt8]) -> String {
        let index = HTTPCharsetIndex.gb18030
        return decodeSequences(bytes) { lead, start, text in
            switch lead {
            case 0x80: text.append(0x20AC)
            case 0xFF: text.appendReplacement()
            case _ where start + 1 < bytes.count && bytes[start + 1].isASCIIDigit:
                return appendFour(bytes, at: start, to: &text)
            default:
                return appendPair(bytes, at: start, to: &text) { lead, trail in
                    guard 0x40...0x7E ~= trail || 0x80...0xFE ~= trail else { return nil }
                    return index[(lead - 0x81) * 190 + trail - (trail < 0x7F ? 0x40 : 0x41)]
                }
            }
            return 1
        }
    }

    private func appendFour(_ bytes: [UInt8], at start: Int, to text: inout DecodedText) -> Int {
        let rest = bytes[start...].prefix(4)
        let isMalformed =
            rest.count > 2 && !(0x81...0xFE).contains(bytes[start + 2])
            || rest.count > 3 && !bytes[start + 3].isASCIIDigit
        if isMalformed || rest.count < 4 {
            text.appendReplacement()
            return isMalformed ? 1 : rest.count
        }
        let lead = (Int(bytes[start]) - 0x81) * 10 + Int(bytes[start + 1]) - 0x30
        let trail = (Int(bytes[start + 2]) - 0x81) * 10 + Int(bytes[start + 3]) - 0x30
        if let scalar = HTTPCharsetIndex.gb18030Ranges(lead * 1260 + trail) {
            text.append(scalar)
        } else {
            text.appendReplacement()
        }
        return 4
    }

    func decodeBig5(_ bytes: [UInt8]) -> String {
        let index = HTTPCharsetIndex.big5
        return decodeSequences(bytes) { lead, start, text in
            switch lead {
            case 0x80, 0xFF:
                text.appendReplacement()
                return 1
            case 0x88 where start + 1 < bytes.count && Self.combined[bytes[start + 1]] != nil:
                for scalar in Self.combined[bytes[start + 1]] ?? [] { text.append(scalar) }
                return 2
            default:
                return appendPair(bytes, at: start, to: &text) { lead, trail in
                    guard 0x40...0x7E ~= trail || 0xA1...0xFE ~= trail else { return nil }
                    return index[(lead - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62)]
                }
            }
        }
    }

    /// The Big5 sequences that stand for two code points, by their trail; the lead is 0x88
    /// (§12.1.1).
    private static let combined: [UInt8: [UInt32]] = [
        0x62: [0xCA, 0x304], 0x64: [0xCA, 0x30C], 0xA3: [0xEA, 0x304], 0xA5: [0xEA, 0x30C],
    ]

    // MARK: - Korean

    func decodeEUCKR(_ bytes: [UInt8]) -> String {
        let index = HTTPCharsetIndex.eucKR
        return decodeSequences(bytes) { lead, start, text in
            guard lead != 0x80, lead != 0xFF else {
                text.appendReplacement()
                return 1
            }
            return appendPair(bytes, at: start, to: &text) { lead, trail in
                0x41...0xFE ~= trail ? index[(lead - 0x81) * 190 + trail - 0x41] : nil
            }
        }
    }

    // MARK: - Japanese

    func decodeShiftJIS(_ bytes: [UInt8]) -> String {
        let index = HTTPCharsetIndex.jis0208
        return decodeSequences(bytes) { lead, start, text in
            switch lead {
            case 0x80: text.append(0x80)
            case 0xA1...0xDF: text.append(0xFF61 - 0xA1 + UInt32(lead))
            case 0xA0, 0xFD...0xFF: text.appendReplacement()
            default:
                return appendPair(bytes, at: start, to: &text) { lead, trail in
                    guard 0x40...0x7E ~= trail || 0x80...0xFC ~= trail else { return nil }
                    let row = lead - (lead < 0xA0 ? 0x81 : 0xC1)
                    let pointer = row * 188 + trail - (trail < 0x7F ? 0x40 : 0x41)
                    // The end-user-defined characters of Windows (§12.3.1).
                    if 8836...10715 ~= pointer { return UInt32(0xE000 - 8836 + pointer) }
                    return index[pointer]
                }
            }
            return 1
        }
    }

    func decodeEUCJP(_ bytes: [UInt8]) -> String {
        let (index, more) = (HTTPCharsetIndex.jis0208, HTTPCharsetIndex.jis0212)
        let isInRange: (UInt8) -> Bool = { 0xA1...0xFE ~= $0 }
        func scalar(_ index: HTTPCharsetIndex, _ lead: Int, _ trail: Int) -> UInt32? {
            0xA1...0xFE ~= trail ? index[(lead - 0xA1) * 94 + trail - 0xA1] : nil
        }
        return decodeSequences(bytes) { lead, start, text in
            let next = start + 1 < bytes.count ? bytes[start + 1] : nil
            switch (lead, next) {
            case (0x8E, (0xA1...0xDF)?):
                text.append(0xFF61 - 0xA1 + UInt32(next ?? 0))
                return 2
            case (0x8F, let next?) where isInRange(next):
                return 1
                    + appendPair(bytes, at: start + 1, to: &text) { scalar(more, $0, $1) }
            case (0xA1...0xFE, _?):
                return appendPair(bytes, at: start, to: &text) { scalar(index, $0, $1) }
            case (0x8E, let trail?), (0x8F, let trail?):
                text.appendReplacement()
                return trail < 0x80 ? 1 : 2
            default:
                text.appendReplacement()
                return 1
            }
        }
    }

    private enum ISO2022JPSet { case ascii, roman, katakana, jis0208 }

    /// The character set that an escape sequence of three bytes selects.
    private func iso2022JPSet(_ bytes: [UInt8], at start: Int) -> ISO2022JPSet? {
        guard start + 2 < bytes.count else { return nil }
        return switch (bytes[start + 1], bytes[start + 2]) {
        case (0x28, 0x42): .ascii
        case (0x28, 0x4A): .roman
        case (0x28, 0x49): .katakana
        case (0x24, 0x40), (0x24, 0x42): .jis0208
        default: nil
        }
    }

    func decodeISO2022JP(_ bytes: [UInt8]) -> String {
        let index = HTTPCharsetIndex.jis0208
        var text = DecodedText(capacity: bytes.count)
        var set = ISO2022JPSet.ascii
        // Two escapes with nothing between them can hide text from filters, so the second is
        // malformed.
        var isJustSelected = false
        var start = 0
        while start < bytes.count {
            let byte = bytes[start]
            if byte == 0x1B {
                if let selected = iso2022JPSet(bytes, at: start) {
                    if isJustSelected { text.appendReplacement() }
                    set = selected
                    isJustSelected = true
                    start += 3
                } else {
                    text.appendReplacement()
                    isJustSelected = false
                    start += 1
                }
                continue
            }
            isJustSelected = false
            start += 1
            switch (set, byte) {
            case (.roman, 0x5C): text.append(0xA5)
            case (.roman, 0x7E): text.append(0x203E)
            case (.ascii, 0..<0x80), (.roman, 0..<0x80):
                byte == 0x0E || byte == 0x0F
                    ? text.appendReplacement() : text.append(ascii: byte)
            case (.katakana, 0x21...0x5F): text.append(0xFF61 - 0x21 + UInt32(byte))
            case (.jis0208, 0x21...0x7E):
                guard start < bytes.count, bytes[start] != 0x1B else {
                    text.appendReplacement()
                    break
                }
                let trail = bytes[start]
                start += 1
                if 0x21...0x7E ~= trail,
                    let scalar = index[(Int(byte) - 0x21) * 94 + Int(trail) - 0x21]
                {
                    text.append(scalar)
                } else {
                    text.appendReplacement()
                }
            default: text.appendReplacement()
            }
        }
        return text.string
    }
}
