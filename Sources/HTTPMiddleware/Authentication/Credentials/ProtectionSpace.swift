public import HTTPCore

/// The server or proxy that asks for a password, and the part of it that the password protects (RFC
/// 9110 §11.5).
public struct ProtectionSpace: Hashable, Sendable {
    /// The origin of the server or of the proxy.
    public var origin: HTTPOrigin
    /// The realm as the server wrote it, to show and to compare.
    public var realm: String?
    /// `true` if a proxy asks, with `Proxy-Authenticate`.
    public var isProxy: Bool
    /// The scheme by which the password would be proven.
    public var scheme: AuthenticationScheme

    /// Creates a protection space, for tests of a password provider.
    public init(
        origin: HTTPOrigin, realm: String?, isProxy: Bool = false, scheme: AuthenticationScheme
    ) {
        self.origin = origin
        self.realm = realm
        self.isProxy = isProxy
        self.scheme = scheme
    }
}
