import HTTPCore

extension StructuredField {
    /// Returns `true` if `text` can name a parameter or a member of a dictionary (RFC 9651 §3.1.2).
    /// Such names are in lower case.
    static func isKey(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.startsStructuredKey else { return false }
        return text.utf8.allSatisfy(\.continuesStructuredKey)
    }
}

extension UInt8 {
    var isASCIILowercase: Bool { UInt8(ascii: "a") <= self && self <= UInt8(ascii: "z") }

    var startsStructuredKey: Bool { isASCIILowercase || self == UInt8(ascii: "*") }

    var continuesStructuredKey: Bool {
        switch self {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"): true
        default: isASCIILowercase || isASCIIDigit
        }
    }
}
