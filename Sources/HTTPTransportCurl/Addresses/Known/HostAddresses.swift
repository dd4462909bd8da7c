/// The answer of a resolver: the addresses of a host, and for how long they may be used.
///
/// See ``CurlConfiguration/resolver``.
public struct HostAddresses: Hashable, Sendable {
    /// The addresses in the order in which they are tried. The first 32 of the configured family
    /// are used.
    public var addresses: [IPAddress]
    /// The time for which further connections use the addresses without asking again, like the time
    /// to live of a DNS record. With zero or less, only the requests use them that wait for the
    /// answer. Open connections stay: see ``CurlConfiguration/connectionLifetime``.
    public var lifetime: Duration

    /// Creates the addresses of a host, in the order of preference, and the time for which they
    /// hold.
    public init(_ addresses: [IPAddress], lifetime: Duration = .seconds(60)) {
        self.addresses = addresses
        self.lifetime = lifetime
    }
}

extension HostAddresses {
    /// The maximum number of addresses that are used.
    static let limit = 32
}
