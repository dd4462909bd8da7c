import HTTPCore

/// A value that decides which exchanges run, which requests wait, and which waiter is next. Its
/// owner does the waiting and waking.
///
/// Among the waiters whose origin has a permit left, the one with the highest priority is next, and
/// of several the first to arrive. An origin at its limit does not hold up the others.
struct PermitRegistry: Sendable {
    enum Verdict: Equatable {
        case granted
        case queued
        /// The queue already has `length` waiters.
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

    /// The limits of origins that differ from `perOrigin`.
    private var limits: [HTTPOrigin: Int] = [:]
    private var running: [HTTPOrigin: Int] = [:]
    private(set) var runningCount = 0
    /// Sorted by priority, then by arrival.
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

    /// - Returns: the waiter that runs instead, if any. One permit makes room for one waiter.
    mutating func release(_ origin: HTTPOrigin) -> UInt64? {
        let count = running[origin, default: 0] - 1
        running[origin] = count > 0 ? count : nil
        runningCount -= 1
        return startNext()
    }

    /// Changes the limit of an origin; `nil` for that of all. Exchanges that run are not ended.
    ///
    /// - Returns: the waiters that run now.
    mutating func setLimit(_ limit: Int?, of origin: HTTPOrigin) -> [UInt64] {
        limits[origin] = limit.map { max(1, $0) }
        var started: [UInt64] = []
        while let next = startNext() { started.append(next) }
        return started
    }

    /// Returns the number of exchanges that run with an origin.
    func runningCount(of origin: HTTPOrigin) -> Int { running[origin, default: 0] }

    private mutating func startNext() -> UInt64? {
        guard let index = waiters.firstIndex(where: { hasRoom(for: $0.origin) }) else { return nil }
        let next = waiters.remove(at: index)
        start(next.origin)
        return next.id
    }

    /// - Returns: `true` if the request was still waiting.
    mutating func withdraw(_ id: UInt64) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: index)
        return true
    }

    private func hasRoom(for origin: HTTPOrigin) -> Bool {
        runningCount < total && running[origin, default: 0] < limits[origin] ?? perOrigin
    }

    private mutating func start(_ origin: HTTPOrigin) {
        running[origin, default: 0] += 1
        runningCount += 1
    }
}
