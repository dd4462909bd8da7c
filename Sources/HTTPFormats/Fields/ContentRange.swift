import HTTPCore

/// The part of a representation that a response carries (RFC 9110 §14.4).
public struct ContentRange: Hashable, Sendable, CustomStringConvertible {
    /// The range unit in lower case.
    package let unit: String
    /// The range, or `nil` if the requested range could not be satisfied.
    public let range: ClosedRange<Int>?
    /// The complete length, or `nil` if the sender does not know it; never `nil` if ``range`` is.
    public let completeLength: Int?

    /// Creates a value from `bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234`, or `nil`, also
    /// if the numbers contradict each other or are too large.
    public init?(_ text: String) {
        var scanner = FieldScanner(text.trimmingBlanks)
        guard let unit = scanner.token(), scanner.take(" ") else { return nil }
        var range: ClosedRange<Int>?
        if !scanner.take("*") {
            guard let first = scanner.number(), scanner.take("-"), let last = scanner.number(),
                first <= last, last < .max
            else { return nil }
            range = first...last
        }
        guard scanner.take("/") else { return nil }
        var length: Int?
        if !scanner.take("*") {
            guard let number = scanner.number(), number < .max else { return nil }
            length = number
        }
        guard scanner.isAtEnd, range != nil || length != nil else { return nil }
        if let range, let length, range.upperBound >= length { return nil }
        (self.unit, self.range, self.completeLength) = (unit.asciiLowercased, range, length)
    }

    public var description: String {
        let range = range.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        return "\(unit) \(range)/" + (completeLength.map(String.init) ?? "*")
    }
}
