extension UInt8 {
    /// `true` for a `tchar` (RFC 9110 §5.6.2).
    package var isTokenCharacter: Bool {
        // One bit per byte: 0 to 63, 64 to 127.
        let tokens: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return self < 128 && tokens >> UInt64(self & 63) & 1 == 1
    }

    /// `true` for a byte that a field value may hold (RFC 9110 §5.5): visible ASCII, space, tab,
    /// and bytes above 127.
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
    /// `true` if this is a token (RFC 9110 §5.6.2): not empty, and only `tchar`.
    package var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenCharacter) }
}

extension Span<UInt8> {
    /// The number of bytes at the start that a token may hold.
    var tokenPrefix: Int { tokenPrefix(from: 0) }

    /// Returns the position of the first byte at or after `start` that a token may not hold, or
    /// ``count``.
    @inline(__always) func tokenPrefix(from start: Int) -> Int {
        var index = start
        // The condition has checked the index, which the compiler does not see.
        while index < count, unsafe self[unchecked: index].isTokenCharacter { index &+= 1 }
        return index
    }

    /// `true` if a field value may hold all of these bytes. See
    /// ``Swift/UInt8/isFieldValueCharacter``.
    var areFieldValueCharacters: Bool { fieldValuePrefix(from: 0) == count }

    /// Returns the position of the first byte at or after `start` that a field value may not hold,
    /// or ``count``.
    @inline(__always) func fieldValuePrefix(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            guard word(at: index).hasControlCharacter else {
                index &+= 8
                continue
            }
            while index < count, unsafe self[unchecked: index].isFieldValueCharacter { index &+= 1 }
            return index
        }
        while index < count, unsafe self[unchecked: index].isFieldValueCharacter { index &+= 1 }
        return index
    }

    @inline(__always) var areASCII: Bool {
        var index = 0
        while index &+ 8 <= count {
            guard word(at: index) & 0x8080_8080_8080_8080 == 0 else { return false }
            index &+= 8
        }
        // The last word again takes in the bytes before it.
        if count >= 8 { return word(at: count &- 8) & 0x8080_8080_8080_8080 == 0 }
        while index < count {
            guard self[index] < 0x80 else { return false }
            index &+= 1
        }
        return true
    }

    /// Returns `true` if both are equal, byte for byte.
    @inline(__always) func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index &+ 8 <= count {
            guard word(at: index) == other.word(at: index) else { return false }
            index &+= 8
        }
        // The last word again takes in the bytes before it.
        if count >= 8 { return word(at: count &- 8) == other.word(at: count &- 8) }
        while index < count {
            guard self[index] == other[index] else { return false }
            index &+= 1
        }
        return true
    }

    /// Returns `true` if both are equal, ignoring the case of ASCII letters.
    func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index < count {
            if index &+ 8 <= count, word(at: index) == other.word(at: index) {
                index &+= 8
            } else {
                guard self[index].asciiLowercased == other[index].asciiLowercased else {
                    return false
                }
                index &+= 1
            }
        }
        return true
    }

    /// Returns the eight bytes at `index`. Bounds are checked.
    @inline(__always) func word(at index: Int) -> UInt64 {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
}

extension UInt64 {
    /// `true` if one of the eight bytes is less than 0x20 (tab included) or is 0x7F. May also be
    /// `true` because of a byte above such a byte.
    fileprivate var hasControlCharacter: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let delete = self ^ (ones &* 0x7F)
        let below = (self &- ones &* 0x20) & ~self
        let zero = (delete &- ones) & ~delete
        return (below | zero) & (ones &* 0x80) != 0
    }
}
