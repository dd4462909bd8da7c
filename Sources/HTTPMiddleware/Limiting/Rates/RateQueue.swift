import HTTPCore

/// The requests that wait for units of one key, and the units that are held for them. It decides
/// which request is next, and what to ask the store for; its owner asks, sleeps and wakes.
///
/// Requests with a higher priority are first. Those of one priority are served in turns: a tenant
/// with many requests does not hold up one with few (start-time fair queueing). Requests of the
/// same tenant are served in the order of arrival.
struct RateQueue: Sendable {
    typealias ID = UInt64

    fileprivate struct Waiter {
        var id: ID
        var units: Int
        var priority: RequestPriority
        /// The units of the tenant up to this request, from the turn at which it began to wait.
        var turn: Int
        /// The time at which the request gives up.
        var end: HTTPInstant
    }

    /// A question for the store.
    struct Question: Equatable {
        /// The request at the head, which is refused if the store refuses.
        var head: ID
        var units: ClosedRange<Int>
        var patience: Duration
    }

    enum Step: Equatable {
        /// Nothing waits and nothing is held.
        case finish
        case ask(Question)
        /// Held units are given back at this time, unless they are taken before.
        case keep(until: HTTPInstant)
        /// The time of held units is over: they are given back.
        case giveBack(Int)
    }

    /// The most requests of one question, so that the processes of a fleet take turns.
    static let batch = 64

    private let limit: Int
    /// The units that are asked for in advance.
    private let lease: Int
    private let leaseTime: Duration
    /// Sorted by priority, then by turn, then by arrival.
    private var waiters: [Waiter] = []
    private var turns: [String: Int] = [:]
    private var turn = 0
    private var held = 0
    private var heldUntil = HTTPInstant(sinceStart: .zero)

    init(limit: Int, lease: Int = 0, leaseTime: Duration = .seconds(1)) {
        self.limit = max(0, limit)
        self.lease = max(0, lease)
        self.leaseTime = leaseTime
    }

    var count: Int { waiters.count }
    var isEmpty: Bool { waiters.isEmpty }
    var isFull: Bool { waiters.count >= limit }
    /// The request that is next.
    var head: ID? { waiters.first?.id }
    /// The time at which the next request gives up.
    var headEnd: HTTPInstant? { waiters.first?.end }

    /// Takes held units for a request that does not wait. Returns `false` if others wait, or if
    /// there are too few.
    mutating func takeHeld(_ units: Int, at now: HTTPInstant) -> Bool {
        let units = max(0, units)
        guard waiters.isEmpty, held >= units, now < heldUntil else { return false }
        held -= units
        return true
    }

    mutating func enqueue(
        _ id: ID, units: Int, tenant: String, priority: RequestPriority, until end: HTTPInstant
    ) {
        let units = max(0, units)
        let start = max(turn, turns[tenant] ?? turn)
        turns[tenant] = start.adding(clamped: units)
        let waiter = Waiter(id: id, units: units, priority: priority, turn: start, end: end)
        waiters.insert(waiter, at: place(of: waiter))
    }

    /// Returns the units that will be given out, after those of the head, before a request that
    /// arrives now goes on.
    func unitsAfterHead(
        for units: Int, of tenant: String, _ priority: RequestPriority
    ) -> Int {
        let start = max(turn, turns[tenant] ?? turn)
        let ahead = waiters.reduce(0) { sum, waiter in
            let isAhead =
                waiter.priority > priority || (waiter.priority == priority && waiter.turn <= start)
            return isAhead ? sum.adding(clamped: waiter.units) : sum
        }
        let units = ahead.adding(clamped: units)
        return max(0, units.subtracting(clamped: waiters.first?.units ?? 0))
    }

    /// - Returns: `true` if the request was still waiting.
    mutating func withdraw(_ id: ID) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        remove(at: index)
        return true
    }

    /// Removes and returns all waiters, in order.
    mutating func withdrawAll() -> [ID] {
        defer {
            waiters = []
            forgetTurns()
        }
        return waiters.map(\.id)
    }

    /// Returns what to do next.
    ///
    /// - Parameter count: The number of requests that may go on.
    mutating func step(at now: HTTPInstant, atMost count: Int = batch) -> Step {
        if let head = waiters.first {
            // Held units that are too few stay held, and the store is asked for the rest.
            let missing = max(1, head.units.subtracting(clamped: held))
            let wanted = waiters.prefix(min(max(1, count), Self.batch))
            let most = wanted.reduce(lease.subtracting(clamped: held)) {
                $0.adding(clamped: $1.units)
            }
            return .ask(
                Question(
                    head: head.id, units: missing...max(missing, most),
                    patience: max(.zero, head.end - now)))
        }
        guard held > 0 else { return .finish }
        guard now >= heldUntil else { return .keep(until: heldUntil) }
        defer { held = 0 }
        return .giveBack(held)
    }

    /// Takes units that are available now, and returns the requests that go on, in order, and
    /// their units.
    ///
    /// - Parameters:
    ///   - units: The units; none if the number is negative.
    ///   - count: The most requests that go on.
    mutating func receive(
        _ units: Int, at now: HTTPInstant, atMost count: Int = .max
    ) -> (ids: [ID], units: Int) {
        let before = held.adding(clamped: max(0, units))
        held = before
        var served: [ID] = []
        while served.count < count, let next = waiters.first, next.units <= held {
            held -= next.units
            turn = max(turn, next.turn)
            served.append(next.id)
            remove(at: 0)
        }
        heldUntil = now + leaseTime
        return (served, before - held)
    }

    /// Takes away the held units, except those of a lease, to give them back.
    mutating func surplus() -> Int { waiters.isEmpty && lease == 0 ? dropHeld() : 0 }

    /// Takes away the held units.
    mutating func dropHeld() -> Int {
        defer { held = 0 }
        return held
    }

    private mutating func remove(at index: Int) {
        waiters.remove(at: index)
        if waiters.isEmpty { forgetTurns() }
    }

    private mutating func forgetTurns() {
        turns = [:]
        turn = 0
    }

    private func place(of new: Waiter) -> Int {
        var (low, high) = (0, waiters.count)
        while low < high {
            let middle = (low + high) / 2
            if waiters[middle].isBefore(new) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension RateQueue.Waiter {
    fileprivate func isBefore(_ other: Self) -> Bool {
        if priority != other.priority { return priority > other.priority }
        return (turn, id) < (other.turn, other.id)
    }
}
