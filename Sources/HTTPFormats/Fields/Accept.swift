public import HTTPCore

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

    /// Returns the type with the highest weight, the first of equal ones; `nil` if none is
    /// acceptable.
    package func best(of mediaTypes: [MediaType]) -> MediaType? {
        var best: (mediaType: MediaType, quality: QualityValue)?
        for mediaType in mediaTypes {
            let quality = quality(of: mediaType)
            if quality > best?.quality ?? .zero { best = (mediaType, quality) }
        }
        return best?.mediaType
    }

    public var description: String { ranges.map(\.description).joined(separator: ", ") }
}

/// The content codings that a client can decode (RFC 9110 §12.5.3).
package struct AcceptEncoding: Hashable, Sendable, CustomStringConvertible {
    /// The codings in lower case with their weights; `*` may be among them.
    package var codings: [Weighted<String>]

    package init(_ codings: [Weighted<String>]) { self.codings = codings }

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

/// The languages that a client's user prefers (RFC 9110 §12.5.4).
package struct AcceptLanguage: Hashable, Sendable, CustomStringConvertible {
    /// The language ranges as written, with their weights; `*` may be among them.
    package var ranges: [Weighted<String>]

    package init(_ ranges: [Weighted<String>]) { self.ranges = ranges }

    /// Creates a list from the field's text. Members that are not language ranges, or whose weight
    /// is malformed, are left out.
    package init(_ text: String) {
        ranges = FieldScanner.weightedTokens(text, foldsCase: false).filter { range in
            range.value == "*"
                || range.value.utf8.split(
                    separator: UInt8(ascii: "-"), omittingEmptySubsequences: false
                )
                .allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(\.isAlphanumeric) }
        }
    }

    /// Returns the weight of the longest range that equals the tag or is a prefix of it (basic
    /// filtering, RFC 4647 §3.3.1), else that of `*`, else zero.
    package func quality(of languageTag: String) -> QualityValue {
        let tag = languageTag.asciiLowercased
        return ranges.filter { range in
            let range = range.value.asciiLowercased
            return range == "*" || tag == range || tag.hasPrefix(range + "-")
        }
        .max { Self.length($0.value) < Self.length($1.value) }?.quality ?? .zero
    }

    private static func length(_ range: String) -> Int { range == "*" ? 0 : range.utf8.count }

    package var description: String { ranges.map(\.description).joined(separator: ", ") }
}

/// The charsets that a client can read (RFC 9110 §12.5.2). Servers ignore the field today.
package struct AcceptCharset: Hashable, Sendable, CustomStringConvertible {
    /// The charsets in lower case with their weights; `*` may be among them.
    package var charsets: [Weighted<String>]

    package init(_ charsets: [Weighted<String>]) { self.charsets = charsets }

    /// Creates a list from the field's text. Members that are not charsets, or whose weight is
    /// malformed, are left out.
    package init(_ text: String) { charsets = FieldScanner.weightedTokens(text) }

    package func quality(of charset: String) -> QualityValue {
        let charset = charset.asciiLowercased
        return charsets.first { $0.value == charset }?.quality
            ?? charsets.first { $0.value == "*" }?.quality ?? .zero
    }

    package var description: String { charsets.map(\.description).joined(separator: ", ") }
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

    fileprivate static func weightedTokens(
        _ text: String, foldsCase: Bool = true
    ) -> [Weighted<String>] {
        weightedList(text) { scanner in
            guard let token = scanner.token(), let parameters = scanner.parameters(),
                parameters.allSatisfy({ $0.name == "q" }), parameters.count <= 1
            else { return nil }
            return (foldsCase ? token.asciiLowercased : token, parameters.first?.value)
        }
    }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(asciiLowercased)
    }
}
