import HTTPCore

/// A pause of the requests under one key.
public struct HTTPPause: Hashable, Sendable {
    /// The key: the name of an ``OriginPause``, and the origin or the key that the program chose.
    /// It holds no secret.
    public var key: String
    /// The time that is left of the pause.
    public var timeLeft: Duration

    /// Creates a pause. Each property is described there.
    public init(key: String, timeLeft: Duration) {
        self.key = key
        self.timeLeft = timeLeft
    }
}

/// The place through which the processes of a fleet tell each other of pauses.
///
/// A process keeps the pauses that it knows: no request asks a store. While a store is slow,
/// unreachable or empty after a restart, each process pauses for the responses that it gets itself,
/// and nothing waits for the store: sharing fails open, and adds no delay.
public protocol HTTPPauseStore: Sendable {
    /// Tells all processes of a pause. A shorter one never ends a longer one.
    ///
    /// - Throws: any error if others may not learn of it.
    func announce(_ pause: HTTPPause) async throws

    /// Returns the pauses that other processes announce, and those that are under way already. An
    /// announcement of the process itself may be among them.
    ///
    /// The sequence goes on until its reader is cancelled. A store that loses its connection makes
    /// a new one, and then reports the pauses that are under way.
    func announcements() -> AsyncStream<HTTPPause>
}

/// A store of pauses in the memory of this process, for several clients.
public final class HTTPMemoryPauseStore: HTTPPauseStore {
    private struct State {
        var readers: [UInt64: AsyncStream<HTTPPause>.Continuation] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Creates an empty store.
    public init() {}

    /// The number of sequences that are read.
    package var readerCount: Int { state.withLock { $0.readers.count } }

    public func announce(_ pause: HTTPPause) async {
        let readers = state.withLock { Array($0.readers.values) }
        for reader in readers { reader.yield(pause) }
    }

    /// Returns the pauses that are announced from now on.
    public func announcements() -> AsyncStream<HTTPPause> {
        let (stream, reader) = AsyncStream<HTTPPause>.makeStream(
            bufferingPolicy: .bufferingNewest(1024))
        let id = state.withLock { state in
            state.lastID += 1
            state.readers[state.lastID] = reader
            return state.lastID
        }
        reader.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
        }
        return stream
    }
}
