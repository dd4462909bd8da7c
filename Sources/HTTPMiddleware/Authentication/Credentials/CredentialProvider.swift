public import HTTPCore

/// Gets credentials, first and anew: what ``RefreshingAuthentication`` asks.
///
/// In a fleet that shares its credentials: look into the shared store for newer ones than `old` first,
/// and hold the store's lock while asking the server.
public protocol CredentialProvider: Sendable {
    /// Asked by one call at a time, in a task of its own that outlives the call; cancelled when nobody
    /// waits for it any more. Where a refresh token is good for one use, so that the lost answer to it
    /// cannot be had again, ask in a further task that nobody cancels.
    ///
    /// - Parameters:
    ///   - old: what is held and was refused or ends soon; `nil` when there is nothing yet.
    ///   - session: the rest of the chain below the layer that asks. Requests through the whole
    ///     client are safe, too: they pass that layer as they are, and start no refresh of any
    ///     other, so a refresh never waits for itself. Credentials that the refresh itself needs
    ///     are asked for in here.
    func credential(
        replacing old: HTTPCredential?, over session: any HTTPSession
    ) async throws -> HTTPCredential
}
