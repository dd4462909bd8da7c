import HTTPCaching
import HTTPCore

/// One session for each name, all over the same transport. Each has a cache of its own.
final class CachedSessions: Sendable {
    private let transport: any HTTPSession
    private let sessions = Locked([String: any HTTPSession]())

    init(_ transport: any HTTPSession) { self.transport = transport }

    subscript(name: String) -> any HTTPSession {
        sessions.withLock { sessions in
            if let session = sessions[name] { return session }
            let session = transport.with(HTTPCache(store: HTTPMemoryCacheStore()))
            sessions[name] = session
            return session
        }
    }
}
