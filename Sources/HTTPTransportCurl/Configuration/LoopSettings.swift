import HTTPCore

/// The configuration of a loop: an object, because a copy of all settings would count a reference
/// for each of many parts.
final class LoopSettings: Sendable {
    let configuration: CurlConfiguration
    /// The time that a connection may be idle, in seconds.
    let idleSeconds: Int
    let closing = Closing()

    init(_ configuration: CurlConfiguration) {
        self.configuration = configuration
        idleSeconds = configuration.idleConnectionTimeout.curlSeconds
    }
}
