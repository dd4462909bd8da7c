import HTTPCore

/// The configuration of a loop: an object, because a copy of all settings would count a reference
/// for each of many parts.
final class LoopSettings: Sendable {
    let configuration: CurlConfiguration
    /// The time that a connection may be idle, in seconds.
    let idleSeconds: Int
    /// The time that a connection may be used, in seconds; 0 for no limit.
    let lifetimeSeconds: Int
    /// The time after which data that is not acknowledged ends a connection, in milliseconds.
    let userTimeout: UInt32
    /// The policy for the addresses that are connected to; `nil` if it permits all.
    let addressPolicy: AddressPolicy?
    /// `true` if a resolver of the program is asked for addresses.
    let hasResolver: Bool
    let closing = Closing()

    init(_ configuration: CurlConfiguration) {
        self.configuration = configuration
        idleSeconds = configuration.idleConnectionTimeout.curlSeconds
        lifetimeSeconds = configuration.connectionLifetime?.curlSeconds ?? 0
        userTimeout = configuration.userTimeoutMilliseconds
        addressPolicy = configuration.addressPolicy.unlessOpen
        hasResolver = configuration.resolver != nil
    }
}
