import CHTTPTransportCurl
import PortableLibc

/// An IPv4 or IPv6 address, without port and zone.
public struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes, in network order.
    package let bytes: [UInt8]

    /// - Parameter bytes: 4 or 16 bytes, in network order.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Creates the address of a socket; `nil` for a family other than IPv4 and IPv6.
    init?(_ address: chttp_address) {
        guard address.family != 0 else { return nil }
        let bytes = unsafe withUnsafeBytes(of: address.bytes) { unsafe Array($0) }
        self.init(bytes: Array(bytes.prefix(address.family == 4 ? 4 : 16)))
    }

    package var isIPv4: Bool { bytes.count == 4 }

    init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

extension chttp_address {
    /// Creates the address of a socket.
    init(_ address: IPAddress, port: UInt16) {
        self.init()
        family = address.isIPv4 ? 4 : 6
        self.port = port
        unsafe withUnsafeMutableBytes(of: &bytes) { unsafe $0.copyBytes(from: address.bytes) }
    }
}

extension IPAddress: LosslessStringConvertible {
    /// Creates an address from four decimal numbers, or from the text of RFC 4291 §2.2, in brackets
    /// or not. No other spelling is accepted.
    public init?(_ description: String) {
        var text = description[...]
        var isBracketed = false
        if text.hasPrefix("["), text.hasSuffix("]") {
            text = text.dropFirst().dropLast()
            isBracketed = true
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard unsafe inet_pton(AF_INET6, String(text), &bytes) == 1 else { return nil }
            self.bytes = bytes
        } else {
            guard !isBracketed, unsafe inet_pton(AF_INET, String(text), &bytes) == 1 else {
                return nil
            }
            self.bytes = Array(bytes.prefix(4))
        }
    }

    public var description: String {
        var text = [CChar](repeating: 0, count: 64)
        let family = isIPv4 ? AF_INET : AF_INET6
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else {
            return "?"
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}

extension IPAddress {
    /// The IPv4 address that this IPv6 address leads to, if it has one of the forms that carry one:
    /// mapped and compatible (RFC 4291 §2.5.5), translated by NAT64 (RFC 6052, 8215), 6to4
    /// (RFC 3056), ISATAP (RFC 5214) and IPv4-translated (RFC 2765).
    var embeddedIPv4: IPAddress? {
        guard !isIPv4 else { return nil }
        func isPrefix(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }
        let zeros = [UInt8](repeating: 0, count: 16)
        let last = IPAddress(bytes: Array(bytes[12...]))
        if isPrefix(zeros.prefix(10) + [0xFF, 0xFF]) { return last }
        if isPrefix(zeros.prefix(8) + [0xFF, 0xFF, 0, 0]) { return last }
        if isPrefix([0, 0x64, 0xFF, 0x9B] + zeros.prefix(8)) { return last }
        // The local prefix 64:ff9b:1::/48 may carry it at several places. The usual prefix is a
        // /96.
        if isPrefix([0, 0x64, 0xFF, 0x9B, 0, 1]) { return last }
        if isPrefix([0x20, 0x02]) { return IPAddress(bytes: Array(bytes[2..<6])) }
        if bytes[8..<12].elementsEqual([0, 0, 0x5E, 0xFE])
            || bytes[8..<12].elementsEqual([2, 0, 0x5E, 0xFE])
        {
            return last
        }
        // `::` and `::1` are addresses of their own.
        if isPrefix(Array(zeros.prefix(12))), bytes[12...14].contains(where: { $0 != 0 }) {
            return last
        }
        return nil
    }
}

/// A range of addresses, such as `"10.0.0.0/8"` or `"fd00::/8"`, or a single address.
public struct AddressRange: Hashable, Sendable, LosslessStringConvertible {
    package let first: IPAddress
    /// The number of leading bits that all addresses of the range have in common.
    package let prefixLength: Int

    /// - Returns: `nil` also if bits beyond the prefix are set, because that hides a mistake.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(String(parts[0])) else {
            return nil
        }
        let bits = address.bytes.count * 8
        var length = bits
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy(\.isASCIIDigitByte), let number = Int(parts[1]),
                (0...bits).contains(number)
            else { return nil }
            length = number
        }
        first = address
        prefixLength = length
        guard Self.masked(address.bytes, length) == address.bytes else { return nil }
    }

    /// Creates the range that an address is in; `nil` if the prefix is too long.
    init?(around address: IPAddress, _ prefixLength: Int) {
        guard (0...address.bytes.count * 8).contains(prefixLength) else { return nil }
        let first = IPAddress(unchecked: Self.masked(address.bytes, prefixLength))
        self.init(unchecked: first, prefixLength)
    }

    init(unchecked first: IPAddress, _ prefixLength: Int) {
        self.first = first
        self.prefixLength = prefixLength
    }

    private static func masked(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let bits = min(8, max(0, length - index * 8))
            return bits == 8 ? byte : byte & ~(0xFF >> UInt8(bits))
        }
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == first.isIPv4
            && Self.masked(address.bytes, prefixLength) == first.bytes
    }

    public var description: String { "\(first)/\(prefixLength)" }
}

extension UInt8 {
    var isASCIIDigitByte: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
