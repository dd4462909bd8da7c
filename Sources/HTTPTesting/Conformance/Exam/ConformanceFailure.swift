import HTTPCore

/// The failure of a transport to meet a requirement.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The name of the case.
    public let name: String
    /// One sentence about the expected and the actual result.
    public let reason: String

    init(_ name: String, _ reason: String) {
        self.name = name
        self.reason = reason
    }

    public var description: String { "\(name): \(reason)".escapingControls() }
}
