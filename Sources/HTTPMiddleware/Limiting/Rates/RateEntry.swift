import HTTPCore

/// The state of one key of a ``RateLimiter``. An object, so that it is changed in place; reached
/// only under the limiter's lock.
final class RateEntry {
    /// The next step of a key's driver.
    enum Action {
        case finish
        case again
        case sleep(until: HTTPInstant)
        case giveBack(Int)
        case refuseHead(Waiter<RateClaim.Pass>?, Duration)
        case ask(RateQueue.Question, mayAskStore: Bool)
    }

    /// The requests that go on, and the units that nothing needs.
    struct Served {
        var waiters: [Waiter<RateClaim.Pass>]
        var units: Int
        var isProbe: Bool
        var surplus: Int
    }

    var queue: RateQueue
    var quota: ServerQuota
    var driver: Task<Void, Never>?
    /// The time at which the head's units come, if it is known.
    var due: HTTPInstant?
    private var waiters: [RateQueue.ID: Waiter<RateClaim.Pass>] = [:]
    /// `true` if the driver only waits for the end of a lease.
    private var isKeeping = false
    /// `true` if the driver only waits for the server's limits.
    private var isHeld = false

    init(_ queue: RateQueue, _ quota: ServerQuota) {
        self.queue = queue
        self.quota = quota
    }

    /// Lets a driver that waits for the server's limits look at them anew.
    func reconsider() {
        if isHeld { driver?.cancel() }
    }

    func isIdle(at now: HTTPInstant) -> Bool {
        queue.isEmpty && driver == nil && quota.isOver(at: now)
    }

    /// Returns the shortest wait of a new request, if it is known to have one.
    func shortestWait(
        of claim: RateClaim, _ hold: ServerQuota.Hold, _ rate: HTTPRate, at now: HTTPInstant
    ) -> Duration? {
        if case .blocked(let end) = hold { return end - now }
        // In a window, units become available many at a time.
        guard case .tokenBucket = rate.law, let due, due > now else { return nil }
        let units = queue.unitsAfterHead(for: claim.units, of: claim.tenant, claim.priority)
        return due - now + .seconds(min(Double(units) * rate.secondsPerUnit, 1e12))
    }

    func enqueue(_ id: RateQueue.ID, _ claim: RateClaim, _ waiter: Waiter<RateClaim.Pass>) {
        queue.enqueue(
            id, units: claim.units, tenant: claim.tenant, priority: claim.priority,
            until: claim.end)
        waiters[id] = waiter
        if isKeeping { driver?.cancel() }
    }

    /// Removes a request, and returns its waiter.
    func withdraw(_ id: RateQueue.ID) -> Waiter<RateClaim.Pass>? {
        queue.withdraw(id) ? waiters.removeValue(forKey: id) : nil
    }

    func withdrawAll() -> [Waiter<RateClaim.Pass>] {
        queue.withdrawAll().compactMap { waiters.removeValue(forKey: $0) }
    }

    /// Returns what the driver does next.
    func nextAction(isCancelled: Bool, mayAskStore: Bool, at now: HTTPInstant) -> Action {
        isKeeping = false
        isHeld = false
        if isCancelled {
            // All requests have left, or there is something new for a driver that slept: one that
            // is cancelled cannot sleep, so another one goes on.
            if queue.isEmpty, case let units = queue.dropHeld(), units > 0 {
                return .giveBack(units)
            }
            driver = nil
            due = nil
            return .again
        }
        var most = RateQueue.batch
        if let end = queue.headEnd {
            switch quota.hold(at: now) {
            case .none: break
            case .probe: most = 1
            case .blocked(let until):
                guard end >= until else {
                    return .refuseHead(queue.head.flatMap { withdraw($0) }, until - now)
                }
                due = until
                isHeld = true
                return .sleep(until: until)
            case .probing(let until):
                due = nil
                isHeld = true
                return .sleep(until: until)
            }
        }
        switch queue.step(at: now, atMost: most) {
        case .finish:
            driver = nil
            due = nil
            return .finish
        case .ask(let question): return .ask(question, mayAskStore: mayAskStore)
        case .keep(let end):
            isKeeping = true
            return .sleep(until: end)
        case .giveBack(let units): return .giveBack(units)
        }
    }

    /// Lets requests go on, in order, as far as the units go.
    ///
    /// - Parameter keepsSurplus: `true` if units beyond those may be kept for later requests.
    func serve(_ units: Int, at now: HTTPInstant, _ keepsSurplus: Bool) -> Served {
        due = nil
        // The server may have reported a limit while the store was asked.
        let most =
            switch quota.hold(at: now) {
            case .none: Int.max
            case .probe: 1
            case .blocked, .probing: 0
            }
        let served = queue.receive(units, at: now, atMost: most)
        return Served(
            waiters: served.ids.compactMap { waiters.removeValue(forKey: $0) },
            units: served.units,
            isProbe: !served.ids.isEmpty && quota.take(served.units, at: now),
            surplus: keepsSurplus && most > 0 ? queue.surplus() : queue.dropHeld())
    }
}
