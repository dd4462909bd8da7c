import HTTPCore

/// A name for one version of a representation (RFC 9110 §8.8.3).
///
/// `==` compares the tags as written. Preconditions compare them with `matchesStrongly(_:)` or
/// `matchesWeakly(_:)`.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes; it has no escapes.
    public let opaqueTag: String
    /// `true` for a tag such as `W/"1"`, which says that two representations are alike, not equal
    /// (RFC 9110 §8.8.1).
    public let isWeak: Bool

    /// Creates a tag, or `nil` if `opaqueTag` holds a blank, a quote or a control character.
    public init?(opaqueTag: String, isWeak: Bool = false) {
        guard opaqueTag.utf8.allSatisfy(\.isEntityTagCharacter) else { return nil }
        (self.opaqueTag, self.isWeak) = (opaqueTag, isWeak)
    }

    /// Creates a tag from `"xyzzy"` or `W/"xyzzy"`, or `nil`, also if the quotes are missing.
    public init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard let tag = scanner.entityTag(), scanner.isAtEnd else { return nil }
        self = tag
    }

    /// Returns `true` if both identify the same bytes: equal, and neither is weak
    /// (RFC 9110 §8.8.3.2).
    package func matchesStrongly(_ other: Self) -> Bool {
        !isWeak && !other.isWeak && matchesWeakly(other)
    }

    /// Returns `true` if both identify interchangeable representations (RFC 9110 §8.8.3.2).
    ///
    /// Compares bytes, because `String` treats two spellings of one accent as equal.
    package func matchesWeakly(_ other: Self) -> Bool {
        opaqueTag.utf8.elementsEqual(other.opaqueTag.utf8)
    }

    public var description: String { (isWeak ? "W/\"" : "\"") + opaqueTag + "\"" }
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
    /// `true` for a byte of `etagc` (RFC 9110 §8.8.3).
    fileprivate var isEntityTagCharacter: Bool {
        self > 0x20 && self != 0x7F && self != UInt8(ascii: "\"")
    }
}
