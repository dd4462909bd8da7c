import HTTPCore

/// Who runs and who waits, and who is next: a value that decides; waking and waiting is its owner's.
///
/// Of those whose origin has a permit left, the highest priority is next, within it the first to come.
/// An origin at its limit holds nobody else up.
struct PermitRegistry: Sendable {
    enum Verdict: Equatable {
        case granted
        case queued
        /// The queue has this many already.
        case refused(length: Int)
    }

    private struct Waiter {
        var id: UInt64
        var origin: HTTPOrigin
        var priority: RequestPriority
    }

    let perOrigin: Int
    let total: Int
    let queueLimit: Int

    private var running: [HTTPOrigin: Int] = [:]
    private(set) var runningCount = 0
    /// By priority, then by arrival.
    private var waiters: [Waiter] = []

    init(perOrigin: Int, total: Int, queueLimit: Int) {
        self.perOrigin = max(1, perOrigin)
        self.total = max(1, total)
        self.queueLimit = max(0, queueLimit)
    }

    var waitingCount: Int { waiters.count }

    mutating func request(_ id: UInt64, _ origin: HTTPOrigin, _ priority: RequestPriority)
        -> Verdict
    {
        if hasRoom(for: origin) {
            start(origin)
            return .granted
        }
        guard waiters.count < queueLimit else { return .refused(length: waiters.count) }
        let place = waiters.firstIndex { $0.priority < priority } ?? waiters.endIndex
        waiters.insert(Waiter(id: id, origin: origin, priority: priority), at: place)
        return .queued
    }

    /// - Returns: the one that runs instead, if any: a permit makes room for one.
    mutating func release(_ origin: HTTPOrigin) -> UInt64? {
        let count = running[origin, default: 0] - 1
        running[origin] = count > 0 ? count : nil
        runningCount -= 1
        guard let index = waiters.firstIndex(where: { hasRoom(for: $0.origin) }) else { return nil }
        let next = waiters.remove(at: index)
        start(next.origin)
        return next.id
    }

    /// - Returns: whether it was still waiting.
    mutating func withdraw(_ id: UInt64) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: index)
        return true
    }

    private func hasRoom(for origin: HTTPOrigin) -> Bool {
        runningCount < total && running[origin, default: 0] < perOrigin
    }

    private mutating func start(_ origin: HTTPOrigin) {
        running[origin, default: 0] += 1
        runningCount += 1
    }
}
