import HTTPCore

/// The priority of a response on a server that has several to send (RFC 9218 §4).
package struct PriorityField: Hashable, Sendable, CustomStringConvertible {
    /// The urgency, from 0, the most urgent, to 7; 3 by default.
    package let urgency: Int
    /// `true` if the client can use parts of the response before it is complete.
    package let isIncremental: Bool

    /// Creates a priority. An urgency outside 0…7 is clamped.
    package init(urgency: Int = 3, isIncremental: Bool = false) {
        self.urgency = min(max(0, urgency), 7)
        self.isIncremental = isIncremental
    }

    /// Creates a priority from all lines of `Priority`. A malformed value counts as absent.
    package init(fieldLines: [String]) {
        let members = try? StructuredField.Dictionary(parsing: fieldLines)
        let urgency = members?["u"]?.value?.integerValue.flatMap { Int(exactly: $0) }
        self.init(
            urgency: urgency.flatMap { (0...7).contains($0) ? $0 : nil } ?? 3,
            isIncremental: members?["i"]?.value?.booleanValue ?? false)
    }

    package var description: String { "u=\(urgency)" + (isIncremental ? ", i" : "") }
}
