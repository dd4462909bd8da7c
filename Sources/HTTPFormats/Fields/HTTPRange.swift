import HTTPCore

/// The parts of a representation that a request asks for (RFC 9110 §14.1.1).
public struct HTTPRange: Hashable, Sendable, CustomStringConvertible {
    package enum Part: Hashable, Sendable {
        /// A range from an offset to another one, both included.
        case closed(ClosedRange<Int>)
        /// A range from an offset to the end.
        case from(Int)
        /// The last units, as many as given, or all if there are fewer.
        case last(Int)
    }

    /// The range unit in lower case. Units other than `bytes` are extensions.
    package let unit: String
    /// The parts; never empty.
    package let parts: [Part]

    private init(bytes part: Part) { (unit, parts) = ("bytes", [part]) }

    /// Returns a range of bytes. An offset below zero counts as zero.
    public static func bytes(_ range: ClosedRange<Int>) -> Self {
        Self(bytes: .closed(range.clamped(to: 0...Int.max)))
    }
    /// A range from a byte to the end, counted from 0: `.bytes(500...)` is `bytes=500-`.
    public static func bytes(_ range: PartialRangeFrom<Int>) -> Self {
        Self(bytes: .from(max(0, range.lowerBound)))
    }
    /// A range of the last `count` bytes: `bytes=-500`.
    public static func lastBytes(_ count: Int) -> Self { Self(bytes: .last(max(0, count))) }

    /// Creates a value from ranges of integers, or `nil`. An offset too large to count becomes
    /// `Int.max`, which lies beyond every end.
    package init?(_ text: String) {
        var scanner = FieldScanner(text.trimmingBlanks)
        guard let unit = scanner.token(), scanner.take("=") else { return nil }
        var parts: [Part] = []
        scanner.skipSeparators()
        while !scanner.isAtEnd {
            guard let part = scanner.rangePart(), scanner.isAtMemberEnd() else { return nil }
            parts.append(part)
            scanner.skipSeparators()
        }
        guard !parts.isEmpty else { return nil }
        (self.unit, self.parts) = (unit.asciiLowercased, parts)
    }

    public var description: String {
        unit + "=" + parts.map(\.description).joined(separator: ", ")
    }
}

extension HTTPRange.Part: CustomStringConvertible {
    public var description: String {
        switch self {
        case .closed(let range): "\(range.lowerBound)-\(range.upperBound)"
        case .from(let first): "\(first)-"
        case .last(let count): "-\(count)"
        }
    }

    /// Returns what the part selects from a representation of that length, or `nil` if it cannot be
    /// satisfied (RFC 9110 §14.1.2).
    package func resolved(inLength length: Int) -> Range<Int>? {
        guard length > 0 else { return nil }
        switch self {
        case .closed(let range):
            guard range.lowerBound >= 0, range.lowerBound < length else { return nil }
            return range.lowerBound..<min(length - 1, range.upperBound) + 1
        case .from(let first):
            guard first >= 0, first < length else { return nil }
            return first..<length
        case .last(let count):
            guard count > 0 else { return nil }
            return length - min(count, length)..<length
        }
    }
}

extension FieldScanner {
    fileprivate mutating func rangePart() -> HTTPRange.Part? {
        if take("-") { return number().map { .last($0) } }
        guard let first = number(), take("-") else { return nil }
        guard let last = number() else { return .from(first) }
        return first <= last ? .closed(first...last) : nil
    }
}
