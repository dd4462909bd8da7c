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
        _ text: some StringProtocol, allowed: ByteSet, keepingTriplets: Bool = false,
        spaceAsPlus: Bool = false
    ) {
        if text.utf8.allSatisfy(allowed.contains) {
            append(contentsOf: text)
            return
        }
        appendPercentEncoded(
            bytes: Array(text.utf8), allowed: allowed, keepingTriplets: keepingTriplets,
            spaceAsPlus: spaceAsPlus)
    }

    /// Appends bytes that need not be text. The same as
    /// ``appendPercentEncoded(_:allowed:keepingTriplets:spaceAsPlus:)`` otherwise.
    package mutating func appendPercentEncoded(
        bytes source: [UInt8], allowed: ByteSet, keepingTriplets: Bool = false,
        spaceAsPlus: Bool = false
    ) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count + source.count / 2)
        for (index, byte) in source.enumerated() {
            if allowed.contains(byte) || (keepingTriplets && source.hasTriplet(at: index)) {
                bytes.append(byte)
            } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.upperHexDigits[Int(byte >> 4)])
                bytes.append(Self.upperHexDigits[Int(byte & 15)])
            }
        }
        append(String(decoding: bytes, as: UTF8.self))
    }

    private static let upperHexDigits = Array("0123456789ABCDEF".utf8)
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
