public import HTTPCore

/// An event about the credentials of a call.
public enum HTTPCredentialEvent: HTTPLayerEvent {
    /// A server or a proxy asks for credentials: its response, and whether credentials are sent.
    case challenged(HTTPResponse.Head, isAnswered: Bool)
    /// The call waits for new credentials, fetched for it alone or for several calls.
    case refreshing
    /// The wait for new credentials has ended, with the error if it failed.
    case refreshed((any Error)?)
}
