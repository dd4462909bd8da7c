/// A set of ASCII bytes that percent-encoding leaves unchanged (RFC 3986 §2).
package struct ByteSet: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where byte < 0x80 {
            if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte - 64) }
        }
    }

    package init(_ characters: StaticString) { self.init("\(characters)".utf8) }

    package func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low & (1 << byte) != 0
        case 64..<128: high & (1 << (byte - 64)) != 0
        default: false
        }
    }

    package static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.low |= b.low
        sum.high |= b.high
        return sum
    }
}

extension ByteSet {
    package static let alphanumerics = ByteSet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    /// The unreserved characters (RFC 3986 §2.3).
    package static let unreserved = alphanumerics + ByteSet("-._~")
    /// The reserved characters (RFC 3986 §2.2).
    package static let reserved = ByteSet(":/?#[]@!$&'()*+,;=")
    package static let unreservedAndReserved = unreserved + reserved
    /// The characters allowed in the name or value of a query: RFC 3986 §3.4 without its
    /// delimiters, except `?` and `/`.
    package static let queryPart = unreserved + ByteSet("?/")
    /// The bytes that the URL standard of the WHATWG does not encode in
    /// application/x-www-form-urlencoded.
    package static let whatwgForm = alphanumerics + ByteSet("*-._")
}

extension String {
    /// Appends the UTF-8 of `text`. Bytes in `allowed` are unchanged; all others become `%` and two
    /// upper-case hexadecimal digits.
    ///
    /// - Parameters:
    ///   - keepingTriplets: `true` to keep a `%` that two hexadecimal digits follow.
    ///   - spaceAsPlus: `true` to write a space as `+`.
    package mutating func appendPercentEncoded(
        _ text: String, allowed: ByteSet, keepingTriplets: Bool = false, spaceAsPlus: Bool = false
    ) {
        if text.withBytes({ $0.areAll(in: allowed) }) {
            self += text
            return
        }
        var bytes: [UInt8] = []
        bytes.appendPercentEncoded(
            text, allowed: allowed, keepingTriplets: keepingTriplets, spaceAsPlus: spaceAsPlus)
        self += bytes.span.text
    }

    /// Appends bytes that need not be text. The same as
    /// ``appendPercentEncoded(_:allowed:keepingTriplets:spaceAsPlus:)`` otherwise.
    package mutating func appendPercentEncoded(
        bytes source: [UInt8], allowed: ByteSet, keepingTriplets: Bool = false
    ) {
        var bytes: [UInt8] = []
        bytes.appendPercentEncoded(
            source.span, allowed: allowed, keepingTriplets: keepingTriplets, spaceAsPlus: false)
        self += bytes.span.text
    }
}

extension [UInt8] {
    /// The same as `String.appendPercentEncoded`, for callers that collect bytes.
    package mutating func appendPercentEncoded(
        _ text: String, allowed: ByteSet, keepingTriplets: Bool = false, spaceAsPlus: Bool = false
    ) {
        text.withBytes {
            appendPercentEncoded(
                $0, allowed: allowed, keepingTriplets: keepingTriplets, spaceAsPlus: spaceAsPlus)
        }
    }

    fileprivate mutating func appendPercentEncoded(
        _ source: Span<UInt8>, allowed: ByteSet, keepingTriplets: Bool, spaceAsPlus: Bool
    ) {
        var index = 0
        while index < source.count {
            let byte = source[index]
            if allowed.contains(byte) || (keepingTriplets && source.hasTriplet(at: index)) {
                append(byte)
            } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                append(UInt8(ascii: "+"))
            } else {
                append(UInt8(ascii: "%"))
                append((byte >> 4).upperHexDigit)
                append((byte & 15).upperHexDigit)
            }
            index &+= 1
        }
    }
}

extension UInt8 {
    fileprivate var upperHexDigit: UInt8 { self &+ (self < 10 ? 0x30 : 0x37) }
}

extension Span<UInt8> {
    fileprivate func areAll(in set: ByteSet) -> Bool {
        var index = 0
        while index < count, set.contains(self[index]) { index &+= 1 }
        return index == count
    }

    fileprivate func hasTriplet(at index: Int) -> Bool {
        unsafe withUnsafeBufferPointer { unsafe $0.hasTriplet(at: index) }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns `true` if a `%` and two hexadecimal digits begin at `index`.
    package func hasTriplet(at index: Int) -> Bool {
        self[index] == UInt8(ascii: "%") && index + 2 < endIndex
            && self[index + 1].hexDigitValue != nil && self[index + 2].hexDigitValue != nil
    }

    /// Returns these bytes with each `%` and two hexadecimal digits replaced by the byte that they
    /// encode. A `%` without such digits is kept.
    ///
    /// - Parameter isDecoded: Returns `true` for a byte to decode; the triplets of other bytes are
    ///   kept.
    package func percentDecoded(
        plusAsSpace: Bool = false, where isDecoded: (UInt8) -> Bool = { _ in true }
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var index = startIndex
        while index < endIndex {
            if hasTriplet(at: index), let high = self[index + 1].hexDigitValue,
                let low = self[index + 2].hexDigitValue, isDecoded(high << 4 | low)
            {
                bytes.append(high << 4 | low)
                index += 3
                continue
            }
            let byte = self[index]
            bytes.append(plusAsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            index += 1
        }
        return bytes
    }
}
