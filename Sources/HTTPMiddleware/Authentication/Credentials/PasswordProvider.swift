/// Where passwords come from: a person, a file such as ``NetrcFile``, a vault.
///
/// Asked when a server has asked, not before, and again each time it asks anew.
public protocol PasswordProvider: Sendable {
    /// Those for `space`, or `nil` to hand the response back as it came. Credentials of another origin
    /// or realm count as none.
    ///
    /// - Throws: what ends the call.
    func credentials(for space: ProtectionSpace) async throws -> PasswordCredentials?
}
