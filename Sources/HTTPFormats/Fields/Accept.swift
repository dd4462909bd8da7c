public import HTTPCore

/// The media types that a client likes (RFC 9110 §12.5.1).
public struct Accept: Hashable, Sendable, CustomStringConvertible {
    public var ranges: [Weighted<MediaRange>]

    public init(_ ranges: [Weighted<MediaRange>]) { self.ranges = ranges }

    /// All of them equally.
    public init(_ mediaTypes: MediaType...) {
        ranges = mediaTypes.map { Weighted(MediaRange($0)) }
    }

    /// Leaves out what is no media range, or has no weight that can be read.
    public init(_ text: String) {
        ranges = FieldScanner.weightedList(text) { scanner in
            scanner.weightedMediaRange().map { ($0.range, $0.weight) }
        }
    }

    /// The weight of the most specific range that matches; zero where none does.
    ///
    /// A range's parameters choose among ranges and exclude no type: where no range has the type's
    /// parameters, `text/html;level=1` matches `text/html` too. Only a range of weight zero takes its
    /// parameters at their word, so as not to exclude more than it names.
    public func quality(of mediaType: MediaType) -> QualityValue {
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

    /// The one that is liked best, of equals the first, or `nil` if none is acceptable.
    public func best(of mediaTypes: [MediaType]) -> MediaType? {
        var best: (mediaType: MediaType, quality: QualityValue)?
        for mediaType in mediaTypes {
            let quality = quality(of: mediaType)
            if quality > best?.quality ?? .zero { best = (mediaType, quality) }
        }
        return best?.mediaType
    }

    public var description: String { ranges.map(\.description).joined(separator: ", ") }
}

/// The content codings that a client can undo (RFC 9110 §12.5.3).
public struct AcceptEncoding: Hashable, Sendable, CustomStringConvertible {
    /// In lower case, `*` among them.
    public var codings: [Weighted<String>]

    public init(_ codings: [Weighted<String>]) { self.codings = codings }

    /// Leaves out what is no coding, or has no weight that can be read.
    public init(_ text: String) { codings = FieldScanner.weightedTokens(text) }

    /// `identity` is acceptable unless it, or `*` and not it, has the weight zero.
    public func quality(of coding: String) -> QualityValue {
        let coding = coding.asciiLowercased
        return codings.first { $0.value == coding }?.quality
            ?? codings.first { $0.value == "*" }?.quality
            ?? (coding == "identity" ? .one : .zero)
    }

    public var description: String { codings.map(\.description).joined(separator: ", ") }
}

/// The languages that a client's reader likes (RFC 9110 §12.5.4).
public struct AcceptLanguage: Hashable, Sendable, CustomStringConvertible {
    /// As written, `*` among them.
    public var ranges: [Weighted<String>]

    public init(_ ranges: [Weighted<String>]) { self.ranges = ranges }

    /// Leaves out what is no language range, or has no weight that can be read.
    public init(_ text: String) {
        ranges = FieldScanner.weightedTokens(text, foldsCase: false).filter { range in
            range.value == "*"
                || range.value.utf8.split(
                    separator: UInt8(ascii: "-"), omittingEmptySubsequences: false
                )
                .allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(\.isAlphanumeric) }
        }
    }

    /// The weight of the longest range that is the tag or starts it (basic filtering, RFC 4647 §3.3.1),
    /// else of `*`, else zero.
    public func quality(of languageTag: String) -> QualityValue {
        let tag = languageTag.asciiLowercased
        return ranges.filter { range in
            let range = range.value.asciiLowercased
            return range == "*" || tag == range || tag.hasPrefix(range + "-")
        }
        .max { Self.length($0.value) < Self.length($1.value) }?.quality ?? .zero
    }

    private static func length(_ range: String) -> Int { range == "*" ? 0 : range.utf8.count }

    public var description: String { ranges.map(\.description).joined(separator: ", ") }
}

/// The charsets that a client can read; servers ignore it by now (RFC 9110 §12.5.2).
public struct AcceptCharset: Hashable, Sendable, CustomStringConvertible {
    /// In lower case, `*` among them.
    public var charsets: [Weighted<String>]

    public init(_ charsets: [Weighted<String>]) { self.charsets = charsets }

    /// Leaves out what is no charset, or has no weight that can be read.
    public init(_ text: String) { charsets = FieldScanner.weightedTokens(text) }

    public func quality(of charset: String) -> QualityValue {
        let charset = charset.asciiLowercased
        return charsets.first { $0.value == charset }?.quality
            ?? charsets.first { $0.value == "*" }?.quality ?? .zero
    }

    public var description: String { charsets.map(\.description).joined(separator: ", ") }
}

extension FieldScanner {
    /// A list whose members have weights. `member` reads one and goes to its end, or answers `nil`.
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

extension HTTPError.Code {
    /// The content has a media type that the request does not accept, or none at all.
    public static var unexpectedContentType: Self { Self(rawValue: "unexpectedContentType") }
}
