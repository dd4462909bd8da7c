public import HTTPCore

/// What is asked for when somebody asks for a password: a server or a proxy, and a part of it
/// (RFC 9110 §11.5).
public struct ProtectionSpace: Hashable, Sendable {
    /// Of the server, or of the proxy.
    public var origin: HTTPOrigin
    /// As the server wrote it: to show and to compare.
    public var realm: String?
    public var isProxy: Bool
    /// How the password would be proven.
    public var scheme: AuthenticationScheme

    public init(
        origin: HTTPOrigin, realm: String?, isProxy: Bool = false, scheme: AuthenticationScheme
    ) {
        self.origin = origin
        self.realm = realm
        self.isProxy = isProxy
        self.scheme = scheme
    }
}
