public import HTTPCore

/// The address of this machine that connections come from: `request[LocalAddress.self] = …`.
public struct LocalAddress: Hashable, Sendable {
    package let address: IPAddress

    /// Creates the option. The address must be one of this machine, or connecting fails.
    public init(_ address: IPAddress) { self.address = address }
}

extension LocalAddress: HTTPTransportOption {
    /// `nil` leaves it to the system.
    public static var defaultValue: LocalAddress? { nil }
}
