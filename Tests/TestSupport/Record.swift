import HTTPCore

/// A list of entries from any task, in order of arrival, with a way to wait for them.
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

    /// Waits until there are at least `count` entries.
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
