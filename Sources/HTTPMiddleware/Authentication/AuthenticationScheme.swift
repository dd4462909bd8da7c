/// A scheme that proves a password. Schemes compare by strength, the weakest first.
///
/// The set is closed: these are the schemes that ``ChallengeAuthentication`` can choose between.
/// Any other scheme is a middleware of its own that adds its field to the request, as
/// ``BearerAuthentication`` does.
public enum AuthenticationScheme: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// The password itself, encoded but not encrypted (RFC 7617).
    case basic
    case digestMD5
    case digestSHA256
    case digestSHA512_256

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
