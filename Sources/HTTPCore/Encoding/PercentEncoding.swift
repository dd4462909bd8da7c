/// A set of ASCII octets: what stays as it is when text is percent-encoded (RFC 3986 §2).
package struct OctetSet: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ octets: some Sequence<UInt8>) {
        for octet in octets where octet < 0x80 {
            if octet < 64 { low |= 1 << octet } else { high |= 1 << (octet - 64) }
        }
    }

    package init(_ characters: StaticString) { self.init("\(characters)".utf8) }

    package func contains(_ octet: UInt8) -> Bool {
        switch octet {
        case 0..<64: low & (1 << octet) != 0
        case 64..<128: high & (1 << (octet - 64)) != 0
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

extension OctetSet {
    package static let alphanumerics = OctetSet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    /// RFC 3986 §2.3.
    package static let unreserved = alphanumerics + OctetSet("-._~")
    /// RFC 3986 §2.2.
    package static let reserved = OctetSet(":/?#[]@!$&'()*+,;=")
    package static let unreservedAndReserved = unreserved + reserved
    /// In the name or value of a query: RFC 3986 §3.4 without its delimiters, `?` and `/` apart.
    package static let queryPart = unreserved + OctetSet("?/")
    /// The application/x-www-form-urlencoded percent-encode set of the WHATWG's URL standard, inverted.
    package static let whatwgForm = alphanumerics + OctetSet("*-._")
}

extension String {
    /// Appends the UTF-8 of `text`: octets in `allowed` as they are, all others as `%` and two
    /// hexadecimal digits in upper case.
    ///
    /// - Parameters:
    ///   - keepingTriplets: leaves a `%` that has two hexadecimal digits behind it.
    ///   - spaceAsPlus: writes a space as `+`.
    package mutating func appendPercentEncoded(
        _ text: some StringProtocol, allowed: OctetSet, keepingTriplets: Bool = false,
        spaceAsPlus: Bool = false
    ) {
        if text.utf8.allSatisfy(allowed.contains) {
            append(contentsOf: text)
            return
        }
        appendPercentEncoded(
            octets: Array(text.utf8), allowed: allowed, keepingTriplets: keepingTriplets,
            spaceAsPlus: spaceAsPlus)
    }

    /// As ``appendPercentEncoded(_:allowed:keepingTriplets:spaceAsPlus:)``, for octets that need not be text.
    package mutating func appendPercentEncoded(
        octets source: [UInt8], allowed: OctetSet, keepingTriplets: Bool = false,
        spaceAsPlus: Bool = false
    ) {
        var octets: [UInt8] = []
        octets.reserveCapacity(source.count + source.count / 2)
        for (index, octet) in source.enumerated() {
            if allowed.contains(octet) || (keepingTriplets && source.hasTriplet(at: index)) {
                octets.append(octet)
            } else if spaceAsPlus, octet == UInt8(ascii: " ") {
                octets.append(UInt8(ascii: "+"))
            } else {
                octets.append(UInt8(ascii: "%"))
                octets.append(Self.upperHexDigits[Int(octet >> 4)])
                octets.append(Self.upperHexDigits[Int(octet & 15)])
            }
        }
        append(String(decoding: octets, as: UTF8.self))
    }

    private static let upperHexDigits = Array("0123456789ABCDEF".utf8)
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Whether a `%` and two hexadecimal digits begin at `index`.
    package func hasTriplet(at index: Int) -> Bool {
        self[index] == UInt8(ascii: "%") && index + 2 < endIndex
            && self[index + 1].hexDigitValue != nil && self[index + 2].hexDigitValue != nil
    }

    /// These octets with each `%` and two hexadecimal digits replaced by the octet they mean; a `%`
    /// without them stays.
    ///
    /// - Parameter isDecoded: which octets to decode; the triplets of others stay.
    package func percentDecoded(
        plusAsSpace: Bool = false, where isDecoded: (UInt8) -> Bool = { _ in true }
    ) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(count)
        var index = startIndex
        while index < endIndex {
            if hasTriplet(at: index), let high = self[index + 1].hexDigitValue,
                let low = self[index + 2].hexDigitValue, isDecoded(high << 4 | low)
            {
                octets.append(high << 4 | low)
                index += 3
                continue
            }
            let octet = self[index]
            octets.append(plusAsSpace && octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
            index += 1
        }
        return octets
    }
}
