public import HTTPCore

/// The place where a fleet keeps the credentials that its processes share, with a lease for the one
/// that refreshes them.
///
/// A store may be slow, unreachable, or empty after a restart. A process then refreshes by itself:
/// see ``HTTPCredentialSharing``. What a store holds is as secret as a password.
public protocol HTTPCredentialStore: Sendable {
    /// Returns the credential that is stored under a key, or `nil` if there is none.
    ///
    /// - Throws: any error if the store does not answer.
    func credential(for key: String) async throws -> HTTPCredential?

    /// Takes the lease of a key, unless another process holds it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - duration: The time after which the lease ends by itself, such as when the process that
    ///     holds it has ended.
    /// - Returns: A text that proves the lease, different for each one, or `nil` if another process
    ///   holds it.
    /// - Throws: any error if the store does not answer.
    func lease(_ key: String, for duration: Duration) async throws -> String?

    /// Stores a credential and ends the lease, in one step.
    ///
    /// - Returns: `false` if the lease has ended before. The credential is then not stored.
    /// - Throws: any error if the store does not answer.
    func store(_ credential: HTTPCredential, for key: String, lease: String) async throws -> Bool

    /// Ends a lease without a new credential, unless it has ended before.
    ///
    /// - Throws: any error if the store does not answer.
    func release(_ lease: String, of key: String) async throws
}

/// A store of credentials in the memory of this process, for several clients.
public final class HTTPMemoryCredentialStore: HTTPCredentialStore {
    private struct Entry {
        var credential: HTTPCredential?
        var lease: String?
        var leaseEnd = HTTPInstant(sinceStart: .zero)
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var lastLease = 0
    }

    private let clock: any HTTPClock
    private let state = Locked(State())

    /// Creates an empty store.
    ///
    /// - Parameter clock: The clock of the leases.
    public init(clock: any HTTPClock = .system) { self.clock = clock }

    public func credential(for key: String) async -> HTTPCredential? {
        state.withLock { $0.entries[key]?.credential }
    }

    public func lease(_ key: String, for duration: Duration) async -> String? {
        let now = clock.now
        return state.withLock { state in
            var entry = state.entries[key] ?? Entry()
            guard entry.lease == nil || now >= entry.leaseEnd else { return nil }
            state.lastLease += 1
            entry.lease = "\(state.lastLease)"
            entry.leaseEnd = now + duration
            state.entries[key] = entry
            return entry.lease
        }
    }

    public func store(
        _ credential: HTTPCredential, for key: String, lease: String
    ) async -> Bool {
        let now = clock.now
        return state.withLock { state in
            guard let entry = state.entries[key], entry.lease == lease, now < entry.leaseEnd
            else { return false }
            state.entries[key] = Entry(credential: credential)
            return true
        }
    }

    public func release(_ lease: String, of key: String) async {
        state.withLock { state in
            if state.entries[key]?.lease == lease { state.entries[key]?.lease = nil }
        }
    }
}
