import HTTPCore

/// A range of `Accept`: a media type, all subtypes of a type, or all types (RFC 9110 §12.5.1).
public struct MediaRange: Hashable, Sendable, CustomStringConvertible {
    /// The type in lower case, or `*`. The same applies to ``subtype``.
    package let type: String
    package let subtype: String
    /// The parameters that a media type must have as well. Never `q`, which is the weight.
    package let parameters: [MediaType.Parameter]

    /// Creates the range that holds one media type, with its parameters except `q`.
    public init(_ mediaType: MediaType) {
        self.init(
            type: mediaType.type, subtype: mediaType.subtype,
            parameters: mediaType.parameters.filter { $0.name != "q" })
    }

    init(type: String, subtype: String, parameters: [MediaType.Parameter]) {
        (self.type, self.subtype, self.parameters) = (type, subtype, parameters)
    }

    /// `*/*`
    public static var any: Self { Self(type: "*", subtype: "*", parameters: []) }

    /// Creates a range from text without a weight, or `nil`. `*/html` is not a range.
    public init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard let range = scanner.weightedMediaRange(), range.weight == nil, scanner.isAtEnd
        else { return nil }
        self = range.range
    }

    /// Returns `true` if the media type is in this range. Parameters must be equal; the case of a
    /// `charset` is ignored.
    public func matches(_ mediaType: MediaType) -> Bool {
        matchesType(of: mediaType) && matchesParameters(of: mediaType)
    }

    private func matchesType(of mediaType: MediaType) -> Bool {
        (type == "*" || type == mediaType.type)
            && (subtype == "*" || subtype == mediaType.subtype)
    }

    private func matchesParameters(of mediaType: MediaType) -> Bool {
        guard !parameters.isEmpty else { return true }
        let others = Dictionary(
            mediaType.parameters.map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
        return parameters.allSatisfy { parameter in
            guard let other = others[parameter.name] else { return false }
            return parameter.value == other
                || (parameter.name == "charset"
                    && parameter.value.isEqualIgnoringASCIICase(to: other))
        }
    }

    /// The precedence of a range among those that match a type (RFC 9110 §12.5.1).
    struct Specificity: Comparable {
        /// 0 for all types, 1 for all subtypes of a type, 2 for a single type.
        var type: Int
        /// The number of parameters of the range, or -1 if the type does not have them.
        var parameters: Int

        static func < (a: Self, b: Self) -> Bool {
            (a.type, a.parameters) < (b.type, b.parameters)
        }
    }

    /// Returns the specificity of this range for a media type, or `nil` if it does not match.
    ///
    /// - Parameter ignoresParameters: `true` to match also if the type lacks the range's
    ///   parameters.
    func specificity(for mediaType: MediaType, ignoresParameters: Bool) -> Specificity? {
        guard matchesType(of: mediaType) else { return nil }
        let named = type == "*" ? 0 : subtype == "*" ? 1 : 2
        if matchesParameters(of: mediaType) {
            return Specificity(type: named, parameters: parameters.count)
        }
        return ignoresParameters ? Specificity(type: named, parameters: -1) : nil
    }

    public var description: String {
        parameters.reduce(into: type + "/" + subtype) {
            $0 += ";\($1.name)=\($1.value.asParameterValue)"
        }
    }
}

extension FieldScanner {
    /// Reads a media range and the text of its weight, up to the end of the list member.
    ///
    /// `q` is the weight in any position. The extensions that RFC 7231 allowed after it are
    /// obsolete.
    mutating func weightedMediaRange() -> (range: MediaRange, weight: String?)? {
        guard let type = token(), take("/"), let subtype = token(), type != "*" || subtype == "*",
            let parameters = parameters()
        else {
            skipMember()
            return nil
        }
        let range = MediaRange(
            type: type.asciiLowercased, subtype: subtype.asciiLowercased,
            parameters: parameters.filter { $0.name != "q" }.map {
                MediaType.Parameter(name: $0.name, value: $0.value)
            })
        return (range, parameters.first { $0.name == "q" }?.value)
    }
}
