/// The tasks that wait for something, each of which is handed back to be resumed exactly once.
///
/// A task draws an id before it waits, so that a cancellation that comes first is not lost.
struct LoopbackWaiters<Condition> {
    typealias Continuation = CheckedContinuation<Void, any Error>

    private var nextID = 0
    private var waiting: [Int: (condition: Condition, continuation: Continuation)] = [:]
    private var cancelled: Set<Int> = []

    var isEmpty: Bool { waiting.isEmpty }
    var conditions: [(id: Int, condition: Condition)] {
        waiting.map { ($0.key, $0.value.condition) }
    }

    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Returns `false`, and does not take the continuation, if `id` has been cancelled.
    mutating func add(_ id: Int, _ condition: Condition, _ continuation: Continuation) -> Bool {
        if cancelled.contains(id) { return false }
        waiting[id] = (condition, continuation)
        return true
    }

    mutating func cancel(_ id: Int) -> Continuation? {
        cancelled.insert(id)
        return remove(id)
    }

    mutating func remove(_ id: Int) -> Continuation? {
        waiting.removeValue(forKey: id)?.continuation
    }

    mutating func remove(where isMet: (Condition) -> Bool) -> [Continuation] {
        let met = waiting.filter { isMet($0.value.condition) }
        for id in met.keys { waiting[id] = nil }
        return met.values.map(\.continuation)
    }

    /// To be called when the wait for `id` is over.
    mutating func forget(_ id: Int) { cancelled.remove(id) }
}
