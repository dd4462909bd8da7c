package import HTTPCore

/// A source of credentials for ``RefreshingAuthentication``: the first ones, and new ones later.
///
/// In a fleet that shares its credentials, a ``SharedCredentialProvider`` is around it.
package protocol CredentialProvider: Sendable {
    /// Returns new credentials. Called for one call at a time, in a task of its own that outlives
    /// the call. The task is cancelled when no call waits for it any more. If a refresh token is
    /// good for one use, so that a lost response cannot be repeated, ask in a further task that is
    /// never cancelled.
    ///
    /// - Parameters:
    ///   - old: the credential that was refused or ends soon; `nil` if there is none yet.
    ///   - session: the rest of the chain below the layer that asks. Requests through the whole
    ///     client are safe too: they pass that layer unchanged, and start no refresh of any other,
    ///     so a refresh never waits for itself. If the refresh itself needs credentials, obtain
    ///     them in this method.
    ///   - clock: the clock of the call, for the expiry.
    func credential(
        replacing old: HTTPCredential?, over session: any HTTPSession, on clock: any HTTPClock
    ) async throws -> HTTPCredential
}
