/// Bytes in percent encoding (RFC 3986 §2.1).
enum PercentCoding {
    /// Returns the bytes with all but unreserved characters encoded.
    ///
    /// - Parameter blanksAsPlus: `true` for a form, where a blank is `+`.
    static func encoded(_ bytes: some Sequence<UInt8>, blanksAsPlus: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            if isUnreserved(byte) {
                text.append(byte)
            } else if blanksAsPlus, byte == UInt8(ascii: " ") {
                text.append(UInt8(ascii: "+"))
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the decoded text, or `nil` if it is not in percent encoding or not UTF-8.
    static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let first = digits.first, first != UInt8(ascii: "+"),
                first != UInt8(ascii: "-"),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Unreserved characters (RFC 3986 §2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
