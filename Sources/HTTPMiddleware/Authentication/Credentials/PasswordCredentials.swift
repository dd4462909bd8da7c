public import HTTPCore

/// A user name and a password, and the only origin that may receive them.
///
/// A secret: no description shows more than the origin.
public struct PasswordCredentials: Hashable, Sendable {
    /// The name of the user.
    public let user: String
    /// The password. No description shows it.
    public let password: String
    /// The origin of the server or proxy that they were issued for.
    public let origin: HTTPOrigin
    /// The realm that they were issued for; `nil` for every realm of the origin.
    public let realm: String?

    /// Creates credentials, which are sent to `origin` only, and if `realm` is given, for that
    /// realm only.
    public init(user: String, password: String, for origin: HTTPOrigin, realm: String? = nil) {
        self.user = user
        self.password = password
        self.origin = origin
        self.realm = realm
    }

    func mayEnter(_ space: ProtectionSpace) -> Bool {
        origin == space.origin && (realm == nil || realm == space.realm)
    }
}

extension PasswordCredentials: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public var description: String { "<redacted> for \(origin)" }
    public var debugDescription: String { description }
    /// A mirror for `dump` that does not contain the secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension PasswordCredentials: PasswordProvider {
    public func credentials(for space: ProtectionSpace) async throws -> PasswordCredentials? {
        mayEnter(space) ? self : nil
    }
}
