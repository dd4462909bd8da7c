import HTTPCore

/// How soon a response is wanted of a server that has several to send (RFC 9218 §4).
public struct HTTPPriority: Hashable, Sendable, CustomStringConvertible {
    /// From 0, the most urgent, to 7; 3 where nobody says otherwise.
    public let urgency: Int
    /// Whether pieces of the response are of use before its end.
    public let isIncremental: Bool

    /// An urgency beyond 0…7 is cut to it.
    public init(urgency: Int = 3, isIncremental: Bool = false) {
        self.urgency = min(max(0, urgency), 7)
        self.isIncremental = isIncremental
    }

    /// Reads all lines of `Priority`. What is no priority counts as not said.
    public init(fieldLines: [String]) {
        let members = try? StructuredField.Dictionary(parsing: fieldLines)
        let urgency = members?["u"]?.value?.integerValue.flatMap { Int(exactly: $0) }
        self.init(
            urgency: urgency.flatMap { (0...7).contains($0) ? $0 : nil } ?? 3,
            isIncremental: members?["i"]?.value?.booleanValue ?? false)
    }

    public var description: String { "u=\(urgency)" + (isIncremental ? ", i" : "") }
}
