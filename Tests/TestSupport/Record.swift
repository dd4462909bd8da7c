import HTTPCore

/// What came, in the order it came, from any task; and a way to wait for it.
package final class Record<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        var watchers: [(isThere: @Sendable ([Entry]) -> Bool, gate: Gate)] = []
    }

    private let state = Locked(State())

    package init() {}

    package var entries: [Entry] { state.withLock { $0.entries } }

    package func add(_ entry: Entry) {
        let reached = state.withLock { state in
            state.entries.append(entry)
            let reached = state.watchers.filter { $0.isThere(state.entries) }
            state.watchers.removeAll { $0.isThere(state.entries) }
            return reached
        }
        for watcher in reached { watcher.gate.open() }
    }

    /// Returns when there are at least `count`.
    package func wait(for count: Int) async throws { try await wait { $0.count >= count } }

    package func wait(until isThere: @escaping @Sendable ([Entry]) -> Bool) async throws {
        let gate = Gate()
        let mustWait = state.withLock { state in
            if isThere(state.entries) { return false }
            state.watchers.append((isThere, gate))
            return true
        }
        if mustWait { try await gate.wait() }
    }
}
