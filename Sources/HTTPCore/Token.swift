extension UInt8 {
    /// `tchar` of RFC 9110 §5.6.2.
    package var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// What a field value may hold (RFC 9110 §5.5): visible ASCII, blanks, and bytes above 127.
    package var isFieldValueCharacter: Bool { self >= 0x20 ? self != 0x7F : self == 0x09 }

    package var isBlank: Bool { self == 0x20 || self == 0x09 }

    package var asciiLowercased: UInt8 {
        UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }

    package var isASCIIDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }

    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension StringProtocol {
    /// Whether this is a token (RFC 9110 §5.6.2): not empty, and nothing but `tchar`.
    package var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenCharacter) }
}
