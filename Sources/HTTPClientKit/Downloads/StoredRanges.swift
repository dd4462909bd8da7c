import PortableFoundation

/// The ranges of a part with gaps: in order, disjoint, none of them empty.
struct StoredRanges: Hashable, Sendable {
    /// The ranges that were synced to the disk.
    var durable: [Range<Int64>]
    /// The ranges that were written.
    var arrived: [Range<Int64>]

    /// Returns ``arrived`` as a line of the record's file.
    func line() throws -> Data { try JSONEncoder().encode(Bounds(arrived)) + Data("\n".utf8) }

    /// The bounds of ranges in order, as an array of numbers.
    struct Bounds: Codable {
        private let bounds: [Int64]

        init(_ ranges: [Range<Int64>]) {
            bounds = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
        }

        init(from decoder: any Decoder) throws { bounds = try [Int64](from: decoder) }
        func encode(to encoder: any Encoder) throws { try bounds.encode(to: encoder) }

        /// Returns the ranges, or `nil` if they are not what ``StoredRanges`` requires.
        func ranges(upTo length: Int64) -> [Range<Int64>]? {
            guard bounds.count.isMultiple(of: 2), bounds.first ?? 0 >= 0,
                bounds.last ?? 0 <= length
            else { return nil }
            var ranges: [Range<Int64>] = []
            var end: Int64 = 0
            for index in stride(from: 0, to: bounds.count, by: 2) {
                guard end <= bounds[index], bounds[index] < bounds[index + 1] else { return nil }
                ranges.append(bounds[index]..<bounds[index + 1])
                end = bounds[index + 1]
            }
            return ranges
        }
    }
}

extension [Range<Int64>] {
    /// Returns the ranges that are in both. Both are in order and disjoint.
    func intersection(_ others: Self) -> Self {
        flatMap { range in
            others.compactMap { other in
                let common = range.clamped(to: other)
                return common.isEmpty ? nil : common
            }
        }
    }
}
