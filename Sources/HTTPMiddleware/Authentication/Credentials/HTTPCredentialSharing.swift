import HTTPCore
import PortableFoundation

/// The settings of credentials that the processes of a fleet share: one refreshes for all.
///
/// A process that needs a new credential takes the stored one, if that is newer than its own. Else
/// it takes the lease and refreshes, or waits for the process that holds the lease. A process that
/// ends while it holds the lease delays the others until the end of the lease at most.
///
/// Without an answer of the store, and after `patience`, a process refreshes by itself: this fails
/// open, with at most one refresh for each process.
public struct HTTPCredentialSharing: Sendable {
    /// The store.
    public var store: any HTTPCredentialStore
    /// The key of the credential; `nil` for the origin that it is for. Programs with different
    /// accounts at one origin need different keys.
    public var key: String?
    /// The time after which the lease of a process that does not finish ends.
    public var leaseTime: Duration
    /// The longest wait for another process that refreshes.
    public var patience: Duration
    /// The longest wait for each answer of the store.
    public var timeout: Duration

    /// Creates the settings. Each property is described there.
    public init(
        _ store: any HTTPCredentialStore, key: String? = nil, leaseTime: Duration = .seconds(10),
        patience: Duration = .seconds(15), timeout: Duration = .milliseconds(250)
    ) {
        self.store = store
        self.key = key
        self.leaseTime = max(.milliseconds(10), leaseTime)
        self.patience = patience
        self.timeout = timeout
    }
}

/// The provider of a fleet's credentials: the store, and one process that asks another provider.
struct SharedCredentialProvider: CredentialProvider {
    /// The time between two looks into the store while another process refreshes.
    private static let pause: Duration = .milliseconds(50)

    private let provider: any CredentialProvider
    private let sharing: HTTPCredentialSharing
    private let key: String

    init(
        _ provider: any CredentialProvider, _ sharing: HTTPCredentialSharing,
        for origin: HTTPOrigin
    ) {
        self.provider = provider
        self.sharing = sharing
        key = sharing.key ?? "\(origin)"
    }

    func credential(
        replacing old: HTTPCredential?, over session: any HTTPSession, on clock: any HTTPClock
    ) async throws -> HTTPCredential {
        let end = clock.now + sharing.patience
        var newest = old
        repeat {
            do {
                if let stored = try await stored(clock) {
                    if isNewer(stored, than: old, clock) { return stored }
                    newest = stored
                }
                if let lease = try await lease(clock) {
                    return try await refresh(old, newest, lease, session, clock)
                }
            } catch is StoreFailure {
                return try await provider.credential(replacing: newest, over: session, on: clock)
            }
            try await clock.sleep(
                until: clock.now + Self.pause, unless: session.knownClosing)
        } while clock.now < end
        return try await provider.credential(replacing: newest, over: session, on: clock)
    }

    /// Refreshes while this process holds the lease.
    private func refresh(
        _ old: HTTPCredential?, _ newest: HTTPCredential?, _ lease: String,
        _ session: any HTTPSession, _ clock: any HTTPClock
    ) async throws -> HTTPCredential {
        var newest = newest
        // Another process may have finished between the look and the lease.
        if let stored = try? await stored(clock) {
            if isNewer(stored, than: old, clock) {
                release(lease)
                return stored
            }
            newest = stored
        }
        let new: HTTPCredential
        do {
            new = try await provider.credential(replacing: newest, over: session, on: clock)
        } catch {
            release(lease)
            throw error
        }
        // The credential is good for this process, whether the others learn of it or not.
        _ = try? await ask(clock) { [sharing, key] in
            try await sharing.store.store(new, for: key, lease: lease)
        }
        return new
    }

    private func isNewer(
        _ stored: HTTPCredential, than old: HTTPCredential?, _ clock: any HTTPClock
    ) -> Bool {
        stored.authorization != old?.authorization
            && stored.expiry.map { clock.date < $0 } ?? true
    }

    // MARK: The store

    private struct StoreFailure: Error {}

    private func stored(_ clock: any HTTPClock) async throws(StoreFailure) -> HTTPCredential? {
        try await ask(clock) { [sharing, key] in try await sharing.store.credential(for: key) }
    }

    private func lease(_ clock: any HTTPClock) async throws(StoreFailure) -> String? {
        do {
            return try await bounded(by: sharing.timeout, on: clock) { [sharing, key] lease in
                if let lease { try? await sharing.store.release(lease, of: key) }
            } _: { [sharing, key] in
                try await sharing.store.lease(key, for: sharing.leaseTime)
            }
        } catch {
            throw StoreFailure()
        }
    }

    /// Releases the lease, without a wait: it ends by itself.
    private func release(_ lease: String) {
        Task.detached { [sharing, key] in try? await sharing.store.release(lease, of: key) }
    }

    private func ask<Value: Sendable>(
        _ clock: any HTTPClock, _ question: @escaping @Sendable () async throws -> Value
    ) async throws(StoreFailure) -> Value {
        do {
            return try await bounded(by: sharing.timeout, on: clock, question)
        } catch {
            throw StoreFailure()
        }
    }
}
