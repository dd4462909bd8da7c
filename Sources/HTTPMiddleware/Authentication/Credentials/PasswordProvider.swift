/// A source of passwords: a user, a file such as ``NetrcFile``, or a vault.
///
/// It is asked only after a server has asked, and again each time the server asks anew.
public protocol PasswordProvider: Sendable {
    /// Returns the credentials for `space`, or `nil` to return the response as it came. Credentials
    /// of another origin or realm are ignored.
    ///
    /// - Throws: any error; it ends the call.
    func credentials(for space: ProtectionSpace) async throws -> PasswordCredentials?
}
