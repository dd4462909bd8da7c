import HTTPCore

/// The priority of a response on a server that has several to send (RFC 9218 §4).
public struct HTTPPriority: Hashable, Sendable, CustomStringConvertible {
    /// The urgency, from 0, the most urgent, to 7; 3 by default.
    public let urgency: Int
    /// `true` if the client can use parts of the response before it is complete.
    public let isIncremental: Bool

    /// Creates a priority. An urgency outside 0…7 is clamped.
    public init(urgency: Int = 3, isIncremental: Bool = false) {
        self.urgency = min(max(0, urgency), 7)
        self.isIncremental = isIncremental
    }

    /// Creates a priority from all lines of `Priority`. A malformed value counts as absent.
    public init(fieldLines: [String]) {
        let members = try? StructuredField.Dictionary(parsing: fieldLines)
        let urgency = members?["u"]?.value?.integerValue.flatMap { Int(exactly: $0) }
        self.init(
            urgency: urgency.flatMap { (0...7).contains($0) ? $0 : nil } ?? 3,
            isIncremental: members?["i"]?.value?.booleanValue ?? false)
    }

    public var description: String { "u=\(urgency)" + (isIncremental ? ", i" : "") }
}
