import HTTPCore

/// The media types that a client prefers (RFC 9110 §12.5.1).
public struct Accept: Hashable, Sendable, CustomStringConvertible {
    package var ranges: [Weighted<MediaRange>]

    package init(_ ranges: [Weighted<MediaRange>]) { self.ranges = ranges }

    /// Creates a list in which every type has the weight 1.
    public init(_ mediaTypes: MediaType...) {
        ranges = mediaTypes.map { Weighted(MediaRange($0)) }
    }

    /// Creates a list from the field's text. Members that are not media ranges, or whose weight is
    /// malformed, are left out.
    public init(_ text: String) {
        ranges = FieldScanner.weightedList(text) { scanner in
            scanner.weightedMediaRange().map { ($0.range, $0.weight) }
        }
    }

    /// Returns the weight of the most specific range that matches, or zero if none does.
    ///
    /// The parameters of a range make it more specific but exclude no type: if no better range
    /// matches, `text/html;level=1` matches `text/html` too. Only a range of weight zero requires
    /// its parameters, so that it excludes no more than it names.
    package func quality(of mediaType: MediaType) -> QualityValue {
        ranges.compactMap { range in
            range.value.specificity(for: mediaType, ignoresParameters: range.quality != .zero)
                .map { (specificity: $0, quality: range.quality) }
        }
        .max { $0 < $1 }?.quality ?? .zero
    }

    /// The weight of content without a type, which only `*/*` matches.
    package var qualityOfUntyped: QualityValue {
        ranges.filter { $0.value.type == "*" }.map(\.quality).max() ?? .zero
    }

    public var description: String { ranges.map(\.description).joined(separator: ", ") }
}

/// The content codings that a client can decode (RFC 9110 §12.5.3).
package struct AcceptEncoding: Hashable, Sendable, CustomStringConvertible {
    /// The codings in lower case with their weights; `*` may be among them.
    package var codings: [Weighted<String>]

    /// Creates a list from the field's text. Members that are not codings, or whose weight is
    /// malformed, are left out.
    package init(_ text: String) { codings = FieldScanner.weightedTokens(text) }

    /// Returns the weight of a coding. `identity` is acceptable unless its weight is zero, or it is
    /// not listed and that of `*` is zero.
    package func quality(of coding: String) -> QualityValue {
        let coding = coding.asciiLowercased
        return codings.first { $0.value == coding }?.quality
            ?? codings.first { $0.value == "*" }?.quality
            ?? (coding == "identity" ? .one : .zero)
    }

    package var description: String { codings.map(\.description).joined(separator: ", ") }
}

extension FieldScanner {
    /// Returns the members of a list with their weights. `member` reads one member to its end, or
    /// returns `nil`.
    fileprivate static func weightedList<Value>(
        _ text: String, _ member: (inout FieldScanner) -> (Value, weight: String?)?
    ) -> [Weighted<Value>] {
        members(text) { scanner in
            guard let (value, weight) = member(&scanner),
                let quality = weight.map({ QualityValue($0) }) ?? .one
            else { return nil }
            return Weighted(value, quality: quality)
        }
    }

    fileprivate static func weightedTokens(_ text: String) -> [Weighted<String>] {
        weightedList(text) { scanner in
            guard let token = scanner.token(), let parameters = scanner.parameters(),
                parameters.allSatisfy({ $0.name == "q" }), parameters.count <= 1
            else { return nil }
            return (token.asciiLowercased, parameters.first?.value)
        }
    }
}
