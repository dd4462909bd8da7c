/// How a password can be proven, weakest first.
public enum AuthenticationScheme: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// The password itself, in an encoding that anybody can read (RFC 7617).
    case basic
    case digestMD5
    case digestSHA256
    case digestSHA512_256

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
