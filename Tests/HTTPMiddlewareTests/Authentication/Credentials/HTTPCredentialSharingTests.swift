import HTTPCore
import HTTPFormats
import HTTPMiddleware
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// One refresh for several processes, each with a client of its own and one store.
@Suite(.timeLimit(.minutes(5))) struct HTTPCredentialSharingTests {
    private let clock = HTTPTestClock()
    private let server = MockSession { HTTPResponse(.ok, to: $0) }

    private func request() throws -> HTTPRequest {
        try HTTPRequest(.get, "https://h/").beginningCall(clock: clock)
    }

    private func authentication(
        _ store: any HTTPCredentialStore, patience: Duration = .seconds(15),
        _ obtain: @escaping @Sendable (HTTPCredential?) async throws -> HTTPCredential
    ) throws -> RefreshingAuthentication {
        try RefreshingAuthentication(
            for: HTTPOrigin("https://h"),
            sharing: HTTPCredentialSharing(store, patience: patience)
        ) { old, _ in try await obtain(old) }
    }

    private var sent: [String] { server.requests.compactMap { $0.headers[.authorization] } }

    /// Advances the clock while `task` waits for it.
    private func value<Value: Sendable>(
        of task: Task<Value, any Error>
    ) async throws -> Value {
        let done = Gate()
        let watcher = Task {
            defer { done.open() }
            return try await task.value
        }
        while !done.isOpen {
            if let next = clock.nextDeadline, next - clock.now < .milliseconds(100) {
                clock.advance(to: next)
            }
            await Task.yield()
        }
        return try await watcher.value
    }

    @Test func `a process takes the credential that another one has stored`() async throws {
        let store = HTTPMemoryCredentialStore(clock: clock)
        let first = try authentication(store) { _ in try .bearer("one") }
        let second = try authentication(store) { _ in throw CancellationError() }
        _ = try await server.with(first).response(for: request())
        _ = try await server.with(second).response(for: request())
        #expect(sent == ["Bearer one", "Bearer one"])
    }

    @Test func `one process refreshes, and the others wait for it`() async throws {
        let store = HTTPMemoryCredentialStore(clock: clock)
        let refreshes = Record<String?>()
        let gate = Gate()
        let processes = try (0..<8).map { _ in
            try authentication(store) { old in
                refreshes.add(old?.authorization.fieldValue)
                try await gate.wait()
                return try .bearer("new")
            }
        }
        let tasks = processes.map { process in
            Task { _ = try await server.with(process).response(for: request()) }
        }
        try await refreshes.wait(for: 1)
        while clock.sleeps.count(where: { $0 == .milliseconds(50) }) < 7 { await Task.yield() }
        gate.open()
        for task in tasks { try await value(of: task) }
        #expect(refreshes.entries.count == 1)
        #expect(sent == Array(repeating: "Bearer new", count: 8))
    }

    @Test func `the refreshing process gets the newest refresh token`() async throws {
        let store = HTTPMemoryCredentialStore(clock: clock)
        let lease = try #require(await store.lease("https://h", for: .seconds(5)))
        let past = clock.date.addingTimeInterval(-1)
        _ = try await store.store(
            .bearer("late", expiry: past, refreshToken: "newest"), for: "https://h", lease: lease)
        let tokens = Record<String?>()
        let process = try authentication(store) { old in
            tokens.add(old?.refreshToken)
            return try .bearer("new")
        }
        _ = try await server.with(process).response(for: request())
        #expect(tokens.entries == ["newest"])
    }

    @Test func `a process that ends while it refreshes delays the others by its lease`()
        async throws
    {
        let store = HTTPMemoryCredentialStore(clock: clock)
        _ = await store.lease("https://h", for: .seconds(10))
        let process = try authentication(store) { _ in try .bearer("mine") }
        let task = Task { _ = try await server.with(process).response(for: request()) }
        try await value(of: task)
        #expect(clock.now.sinceStart >= .seconds(10) && clock.now.sinceStart < .seconds(10.1))
        #expect(await store.credential(for: "https://h")?.authorization.fieldValue == "Bearer mine")
    }

    @Test func `a refresh that fails lets another process try at once`() async throws {
        struct Failure: Error {}
        let store = HTTPMemoryCredentialStore(clock: clock)
        let first = try authentication(store) { _ in throw Failure() }
        let error = await #expect(throws: HTTPError.self) {
            try await server.with(first).response(for: request())
        }
        #expect(error?.code == .refreshFailed)
        let second = try authentication(store) { _ in try .bearer("two") }
        let task = Task { _ = try await server.with(second).response(for: request()) }
        try await value(of: task)
        #expect(clock.now.sinceStart < .seconds(1))
    }

    @Test func `a store that fails or hangs delays a refresh, and does not prevent it`()
        async throws
    {
        for hangs in [false, true] {
            let end = Gate()
            defer { end.open() }
            let process = try authentication(
                BrokenCredentialStore(end: hangs ? end : nil)
            ) { _ in
                try .bearer("own")
            }
            let start = clock.now
            let task = Task { _ = try await server.with(process).response(for: request()) }
            if hangs {
                try await clock.waitForSleepers(1)
                clock.advance(by: .milliseconds(250))
            }
            try await task.value
            #expect(clock.now - start <= .milliseconds(250))
        }
    }

    @Test func `patience ends the wait for a process that holds its lease for ever`() async throws {
        let store = HTTPMemoryCredentialStore(clock: clock)
        _ = await store.lease("https://h", for: .seconds(1_000_000))
        let process = try authentication(store, patience: .seconds(1)) { _ in try .bearer("own") }
        let task = Task { _ = try await server.with(process).response(for: request()) }
        try await value(of: task)
        #expect(sent == ["Bearer own"])
    }

    // MARK: The store in memory

    @Test func `a lease is held by one process, and ends by itself`() async throws {
        let store = HTTPMemoryCredentialStore(clock: clock)
        let first = try #require(await store.lease("k", for: .seconds(5)))
        #expect(await store.lease("k", for: .seconds(5)) == nil)
        #expect(await store.lease("other", for: .seconds(5)) != nil)
        clock.advance(by: .seconds(5))
        let second = try #require(await store.lease("k", for: .seconds(5)))
        #expect(first != second)
        #expect(try await store.store(.bearer("x"), for: "k", lease: first) == false)
        #expect(await store.credential(for: "k") == nil)
        await store.release(first, of: "k")
        #expect(await store.lease("k", for: .seconds(5)) == nil)
        #expect(try await store.store(.bearer("y"), for: "k", lease: second))
        #expect(await store.lease("k", for: .seconds(5)) != nil)
    }
}

private struct BrokenCredentialStore: HTTPCredentialStore {
    struct Failure: Error {}
    /// Opened when a store that hangs may fail at last.
    let end: Gate?

    private func answer() async throws -> Never {
        await end?.waitIgnoringCancellation()
        throw Failure()
    }

    func credential(for key: String) async throws -> HTTPCredential? { try await answer() }
    func lease(_ key: String, for duration: Duration) async throws -> String? {
        try await answer()
    }
    func store(
        _ credential: HTTPCredential, for key: String, lease: String
    ) async throws -> Bool { try await answer() }
    func release(_ lease: String, of key: String) async throws { try await answer() }
}
