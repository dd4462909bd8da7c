public import HTTPCore

/// A policy for the addresses that a transport may connect to. It is applied when a socket is made:
/// after name resolution and overrides, to every address that is tried, and so after every
/// redirect. A name that later resolves to another address (DNS rebinding) gains nothing.
///
/// A transport has one, ``CurlConfiguration/addressPolicy``; a request may have another:
/// `request[AddressPolicy.self] = .publicOnly`. A request to an address that is not permitted fails
/// with `addressBlocked`. If a proxy hides the address, or a Unix socket has none, a request under
/// any policy but ``any`` is refused.
///
/// ```swift
/// var policy = AddressPolicy.publicOnly
/// policy.allowed = ["10.1.2.0/24"].compactMap(AddressRange.init)
/// policy.ports = [80, 443]
/// ```
public struct AddressPolicy: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        case any
        /// Addresses that the public Internet routes to, and that stand for no other address.
        /// Refused are private, shared (CGNAT), loopback, link-local (including cloud metadata),
        /// unique local, multicast, unspecified, documentation, benchmarking and reserved
        /// addresses, and IPv6 addresses that carry one of these (mapped, NAT64, 6to4, Teredo,
        /// ISATAP).
        case publicOnly
    }

    package var scope: Scope
    /// The ranges that are permitted whatever the scope says.
    public var allowed: [AddressRange] = []
    /// The ranges that are refused whatever ``allowed`` and the scope say. An IPv6 address is also
    /// refused if the IPv4 address that it carries is.
    public var denied: [AddressRange] = []
    /// The ports that may be connected to, or `nil` for all.
    public var ports: Set<Int>?

    package init(_ scope: Scope) { self.scope = scope }

    /// All addresses, as without a policy.
    public static var any: Self { Self(.any) }
    /// Addresses of the public Internet only: none of this machine, of private networks, of the
    /// link, or reserved ones, and no IPv6 address that carries one of these. Use it for URLs that
    /// come from users.
    public static var publicOnly: Self { Self(.publicOnly) }

    /// `true` if nothing is refused.
    var isOpen: Bool { scope == .any && denied.isEmpty && ports == nil }

    /// This policy, or `nil` if it refuses nothing.
    var unlessOpen: Self? { isOpen ? nil : self }

    /// Returns `true` if `address` may be connected to at `port`.
    package func permits(_ address: IPAddress, port: Int) -> Bool {
        if let ports, !ports.contains(port) { return false }
        let carried = address.embeddedIPv4
        func lists(_ ranges: [AddressRange], _ address: IPAddress) -> Bool {
            ranges.contains { $0.contains(address) }
        }
        if lists(denied, address) || carried.map({ lists(denied, $0) }) == true { return false }
        // A range of IPv4 also allows the mapped form: to the system it is the same address.
        let isMapped = AddressRange.mapped.contains(address)
        if lists(allowed, address) || (isMapped && carried.map({ lists(allowed, $0) }) == true) {
            return true
        }
        switch scope {
        case .any: return true
        case .publicOnly: return Self.isPublic(address)
        }
    }

    private static func isPublic(_ address: IPAddress) -> Bool {
        if address.isIPv4 { return !AddressRange.specialIPv4.contains { $0.contains(address) } }
        let carried = address.embeddedIPv4
        // Neither is routed as it is: only the carried address counts.
        if AddressRange.mapped.contains(address) || AddressRange.translated.contains(address) {
            return carried.map(isPublic) == true
        }
        guard carried.map(isPublic) != false else { return false }
        return AddressRange.globalIPv6.contains(address)
            && !AddressRange.specialIPv6.contains { $0.contains(address) }
    }
}

extension AddressPolicy: HTTPTransportOption {
    /// `nil` means the transport's own policy.
    public static var defaultValue: AddressPolicy? { nil }
}

extension HTTPError {
    /// An error that does not name the address, because the address may be what a prober wants to
    /// learn.
    static var addressBlocked: HTTPError {
        HTTPError(
            .addressBlocked, "the address policy forbids the host's address", phase: .connecting)
    }
}

extension AddressRange {
    fileprivate init(_ bytes: [UInt8], _ prefixLength: Int, ofIPv6: Bool) {
        let count = ofIPv6 ? 16 : 4
        self.init(
            unchecked: IPAddress(
                unchecked: bytes + Array(repeating: 0, count: count - bytes.count)),
            prefixLength)
    }

    fileprivate static let mapped = Self(
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96, ofIPv6: true)
    /// The well-known prefix of NAT64 (RFC 6052). The prefixes of networks (RFC 8215) are not
    /// public.
    fileprivate static let translated = Self([0, 0x64, 0xFF, 0x9B], 96, ofIPv6: true)

    /// IANA's registry of special-purpose IPv4 addresses (RFC 6890), and multicast (RFC 5771).
    fileprivate static let specialIPv4: [AddressRange] = [
        ([0], 8),  // this network (RFC 791)
        ([10], 8),  // private (RFC 1918)
        ([100, 64], 10),  // shared by carriers (RFC 6598)
        ([127], 8),  // loopback (RFC 1122)
        ([169, 254], 16),  // link-local, metadata of clouds (RFC 3927)
        ([168, 63, 129, 16], 32),  // metadata of one cloud, in public space
        ([172, 16], 12),  // private
        ([192, 0, 0], 24),  // protocol assignments (RFC 6890)
        ([192, 0, 2], 24),  // documentation (RFC 5737)
        ([192, 88, 99], 24),  // 6to4 relays, deprecated (RFC 7526)
        ([192, 168], 16),  // private
        ([198, 18], 15),  // benchmarking (RFC 2544)
        ([198, 51, 100], 24),  // documentation
        ([203, 0, 113], 24),  // documentation
        ([224], 4),  // multicast
        ([240], 4),  // reserved, and broadcast (RFC 1112, 919)
    ].map { Self($0.0, $0.1, ofIPv6: false) }

    /// The range that is assigned for global unicast (RFC 4291 §2.4).
    fileprivate static let globalIPv6 = Self([0x20], 3, ofIPv6: true)

    /// IANA's registry of special-purpose IPv6 addresses, within global unicast.
    fileprivate static let specialIPv6: [AddressRange] = [
        ([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo among them (RFC 2928, 4380)
        ([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation (RFC 3849)
        ([0x3F, 0xFF, 0x00], 20),  // documentation (RFC 9637)
        ([0x3F, 0xFE], 16),  // the 6bone, returned (RFC 3701)
    ].map { Self($0.0, $0.1, ofIPv6: true) }
}
