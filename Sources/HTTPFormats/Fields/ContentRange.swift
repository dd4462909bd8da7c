import HTTPCore

/// Which part of a representation a response carries (RFC 9110 §14.4).
public struct ContentRange: Hashable, Sendable, CustomStringConvertible {
    /// In lower case.
    public let unit: String
    /// `nil` where the request's range could not be satisfied.
    public let range: ClosedRange<Int>?
    /// `nil` where the sender does not know it; known where ``range`` is not.
    public let completeLength: Int?

    /// Reads `bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234`; `nil` also where the numbers
    /// contradict each other or are too large.
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
