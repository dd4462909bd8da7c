public import HTTPCore

/// What `Accept` asks for: a media type, all subtypes of a type, or all (RFC 9110 §12.5.1).
public struct MediaRange: Hashable, Sendable, CustomStringConvertible {
    /// In lower case, or `*`; so is ``subtype``.
    public let type: String
    public let subtype: String
    /// Those that a media type must have as well; never `q`, which is the weight.
    public let parameters: [MediaType.Parameter]

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

    /// Reads a range without a weight, or `nil`; `*/html` is none.
    public init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard let range = scanner.weightedMediaRange(), range.weight == nil, scanner.isAtEnd
        else { return nil }
        self = range.range
    }

    /// Parameters must be equal, a `charset` without regard to case.
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

    /// What orders the ranges that match a type (RFC 9110 §12.5.1).
    struct Specificity: Comparable {
        /// 0 for any type, 1 for any subtype, 2 for one.
        var type: Int
        /// The parameters that the type has too; -1 for a range with others.
        var parameters: Int

        static func < (a: Self, b: Self) -> Bool {
            (a.type, a.parameters) < (b.type, b.parameters)
        }
    }

    /// `nil` for a range that does not match.
    ///
    /// - Parameter ignoresParameters: whether a range matches whose parameters the type lacks.
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
    /// A media range and the text of its weight. Goes to the member's end.
    ///
    /// `q` is the weight wherever it stands: what RFC 7231 allowed behind it means nothing now.
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
