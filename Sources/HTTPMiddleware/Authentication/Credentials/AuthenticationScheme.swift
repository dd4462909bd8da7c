/// A scheme that proves a password. Schemes compare by strength, the weakest first.
///
/// The set is closed: these are the schemes that ``ChallengeAuthentication`` can choose between.
/// Any other scheme is a middleware of its own: like ``BearerAuthentication`` if it signs every
/// request. If it answers a 401, it reads `challenges` of the response's headers and sends once
/// more, as ``RefreshingAuthentication`` does after a refusal. It sets its field with
/// ``/HTTPCore/HTTPRequest/authorize(_:issuedBy:)``.
public enum AuthenticationScheme: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// The password itself, encoded but not encrypted (RFC 7617).
    case basic
    /// Digest with MD5 (RFC 7616).
    case digestMD5
    /// Digest with SHA-256 (RFC 7616).
    case digestSHA256
    /// Digest with SHA-512/256 (RFC 7616).
    case digestSHA512_256

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
