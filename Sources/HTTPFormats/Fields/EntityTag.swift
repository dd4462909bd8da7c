import HTTPCore

/// A name for one version of a representation (RFC 9110 §8.8.3).
///
/// `==` tells whether two are written alike. Preconditions compare by ``matchesStrongly(_:)`` or
/// ``matchesWeakly(_:)``.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// What stands between the quotes; it has no escapes.
    public let opaqueTag: String
    public let isWeak: Bool

    /// Creates a tag, or `nil` if `opaqueTag` holds a blank, a quote or a control character.
    public init?(opaqueTag: String, isWeak: Bool = false) {
        guard opaqueTag.utf8.allSatisfy(\.isEntityTagCharacter) else { return nil }
        (self.opaqueTag, self.isWeak) = (opaqueTag, isWeak)
    }

    /// Reads `"xyzzy"` or `W/"xyzzy"`; a tag without quotes is none.
    public init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard let tag = scanner.entityTag(), scanner.isAtEnd else { return nil }
        self = tag
    }

    /// Whether both name the same bytes: equal, and neither weak (RFC 9110 §8.8.3.2).
    public func matchesStrongly(_ other: Self) -> Bool {
        !isWeak && !other.isWeak && matchesWeakly(other)
    }

    /// Whether both name representations that may stand for each other (RFC 9110 §8.8.3.2).
    ///
    /// By bytes: `String` takes two spellings of one accent for equal.
    public func matchesWeakly(_ other: Self) -> Bool {
        opaqueTag.utf8.elementsEqual(other.opaqueTag.utf8)
    }

    public var description: String { (isWeak ? "W/\"" : "\"") + opaqueTag + "\"" }
}

/// What `If-Match` and `If-None-Match` name (RFC 9110 §13.1.1, §13.1.2).
public enum EntityTagCondition: Hashable, Sendable, CustomStringConvertible {
    /// `*`: any representation there is.
    case any
    case tags([EntityTag])

    /// Reads `*` or a list of tags, or `nil` if anything else stands among them: half a precondition
    /// would be another one.
    public init?(_ text: String) {
        if text.trimmingBlanks == "*" {
            self = .any
            return
        }
        var scanner = FieldScanner(text)
        var tags: [EntityTag] = []
        scanner.skipSeparators()
        while !scanner.isAtEnd {
            guard let tag = scanner.entityTag(), scanner.isAtMemberEnd() else { return nil }
            tags.append(tag)
            scanner.skipSeparators()
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    public var description: String {
        switch self {
        case .any: "*"
        case .tags(let tags): tags.map(\.description).joined(separator: ", ")
        }
    }
}

extension FieldScanner {
    fileprivate mutating func entityTag() -> EntityTag? {
        let isWeak = take("W")
        if isWeak, !take("/") { return nil }
        guard take("\"") else { return nil }
        let opaqueTag = take(while: \.isEntityTagCharacter)
        guard take("\"") else { return nil }
        return EntityTag(opaqueTag: opaqueTag, isWeak: isWeak)
    }
}

extension UInt8 {
    /// `etagc`
    fileprivate var isEntityTagCharacter: Bool {
        self > 0x20 && self != 0x7F && self != UInt8(ascii: "\"")
    }
}
