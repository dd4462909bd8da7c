import HTTPCore
import HTTPMiddleware

extension HTTPSession {
    /// The client in this session, however many layers are around it.
    var client: HTTPClient? {
        switch self {
        case let client as HTTPClient: client
        case let session as any WrappingSession: session.wrapped.client
        case let session as any HTTPMiddlewareSession: session.base.client
        default: nil
        }
    }

    /// The clock of the client in this session, or real time.
    var callClock: any HTTPClock { client?.configuration.clock ?? .system }

    /// The formats of the client in this session.
    var formats: ClientFormats { client?.clientFormats ?? .standard }
}
