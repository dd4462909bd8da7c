import HTTPCore
import HTTPFormats

/// The requests of all keys that take units of one rate. ``RateQueue`` decides which is next; a
/// task for each key with waiting requests, its driver, asks the store for them.
final class RateLimiter: Sendable {
    /// A request for units.
    struct Claim: Sendable {
        var key: String
        var units: Int
        var tenant = ""
        var priority = RequestPriority.normal
        /// The time at which the request gives up.
        var end: HTTPInstant
        var clock: any HTTPClock
        /// `true` if the request may wait although the queue is full.
        var isBeyondLimit = false
        /// The closing that ends the wait.
        var closing: Closing?
    }

    /// The way in which a request got its units.
    struct Pass: Hashable {
        var hasWaited = false
        /// `true` if the request asks the server anew for its limits: its end is to be reported
        /// with ``note(_:for:underWay:at:)`` or ``probeFailed(_:)``.
        var isProbe = false
    }

    /// A decision of a store that does not fit its question.
    struct UnfitDecision: Error {}

    /// The reasons for which a request gets no units.
    enum Refusal: Error {
        case queueFull(Int)
        /// The units would be available after this time, which is longer than the request waits.
        case tooLong(Duration)
        /// The request has waited until its end. The units would be available after this time.
        case timedOut(Duration)
        case storeFailed(any Error)
    }

    /// The place where units were counted, to which those that are not used go back.
    private enum Source {
        case shared(any HTTPRateStore)
        case local
        /// Requests go on without units, because the store has failed.
        case none
    }

    /// The state of one key. An object, so that it is changed in place; reached only
    /// under the lock.
    private final class Entry {
        var queue: RateQueue
        var quota: ServerQuota
        var waiters: [RateQueue.ID: Waiter<Pass>] = [:]
        var driver: Task<Void, Never>?
        /// `true` if the driver only waits for the end of a lease.
        var isKeeping = false
        /// `true` if the driver only waits for the server's limits.
        var isHeld = false
        /// The time at which the head's units come, if it is known.
        var due: HTTPInstant?

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

        /// Removes the request at the head.
        func takeHead() -> Waiter<Pass>? {
            guard let id = queue.head, queue.withdraw(id) else { return nil }
            return waiters.removeValue(forKey: id)
        }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The number of keys above which the idle ones are dropped.
        var limit = 64
        var lastID: RateQueue.ID = 0
        var health = StoreHealth()
        var statistics = RateLimit.Statistics()
    }

    private enum Action {
        case finish
        case again
        case sleep(until: HTTPInstant)
        case giveBack(Int)
        case refuseHead(Waiter<Pass>?, Duration)
        case ask(RateQueue.Question, mayAskStore: Bool)
    }

    let rate: HTTPRate
    private let unit: ServiceLimit.Unit
    private let queueLimit: Int
    private let longestReset: Duration
    private let sharing: RateLimit.Sharing?
    private let local = HTTPMemoryRateStore()
    private let state = Locked(State())

    /// - Parameters:
    ///   - unit: The unit of the server's own limits that apply.
    ///   - queue: The number of requests of each key that may wait.
    ///   - longestReset: The longest time for which the server's own limits block a key.
    init(
        _ rate: HTTPRate, of unit: ServiceLimit.Unit, queue: Int, longestReset: Duration,
        sharing: RateLimit.Sharing?
    ) {
        self.rate = rate
        self.unit = unit
        queueLimit = queue
        self.longestReset = longestReset
        self.sharing = sharing
    }

    var statistics: RateLimit.Statistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.waiting = state.entries.values.reduce(0) { $0 + $1.queue.count }
            return statistics
        }
    }

    // MARK: Taking units

    /// Returns once the units of a request may be used.
    ///
    /// - Throws: ``Refusal``,
    ///   `sessionClosed`, or `CancellationError` as soon as the calling task is cancelled.
    func take(_ claim: Claim) async throws -> Pass {
        try Task.checkCancellation()
        let now = claim.clock.now
        let waiter = Waiter<Pass>()
        let entrance = try state.withLock { state throws(Refusal) in
            try enter(claim, &state, waiter, at: now)
        }
        let id: RateQueue.ID
        switch entrance {
        case .passed(let pass): return pass
        case .waits(let number): id = number
        }
        drive(claim.key, claim.clock)
        // A request that waits for no unit still waits for the answer of the store.
        let end = sharing.map { max(claim.end, now + $0.timeout) } ?? claim.end
        let place = claim.closing?.whenClosed { [weak self] in
            self?.withdraw(id, claim.key, .failure(Closing.error))
        }
        defer { claim.closing?.forget(place) }
        do {
            let pass = try await waiter.value(until: end, on: claim.clock) { _, reason in
                self.withdraw(
                    id, claim.key, reason == .passed ? .time(end) : .failure(CancellationError()))
            }
            state.withLock { $0.statistics.waited += 1 }
            return pass
        } catch let refusal as Refusal {
            state.withLock { $0.statistics.refused += 1 }
            throw refusal
        }
    }

    private enum Entrance {
        case passed(Pass)
        case waits(RateQueue.ID)
    }

    /// Takes units at once if that is possible, or lets the request wait.
    ///
    private func enter(
        _ claim: Claim, _ state: inout State, _ waiter: Waiter<Pass>, at now: HTTPInstant
    ) throws(Refusal) -> Entrance {
        let entry = entry(&state, claim.key, at: now)
        let hold = entry.quota.hold(at: now)
        if hold == .none || hold == .probe, takeAtOnce(claim, entry, at: now) {
            state.statistics.admitted = state.statistics.admitted.adding(clamped: claim.units)
            return .passed(Pass(isProbe: entry.quota.take(claim.units, at: now)))
        }
        if !claim.isBeyondLimit {
            guard !entry.queue.isFull else {
                state.statistics.refused += 1
                throw .queueFull(entry.queue.count)
            }
            if let wait = shortestWait(claim, entry, hold, at: now), now + wait > claim.end {
                state.statistics.refused += 1
                throw .tooLong(wait)
            }
        }
        state.lastID += 1
        let id = state.lastID
        entry.queue.enqueue(
            id, units: claim.units, tenant: claim.tenant, priority: claim.priority,
            until: claim.end)
        entry.waiters[id] = waiter
        if entry.isKeeping { entry.driver?.cancel() }
        return .waits(id)
    }

    private func takeAtOnce(_ claim: Claim, _ entry: Entry, at now: HTTPInstant) -> Bool {
        if entry.queue.takeHeld(claim.units, at: now) { return true }
        guard sharing == nil, entry.queue.isEmpty else { return false }
        let question = question(claim.key, claim.units...claim.units, .zero, at: now)
        if case .admitted = local.decide(question) { return true }
        return false
    }

    /// Returns the shortest wait of a new request, if it is known to have one.
    private func shortestWait(
        _ claim: Claim, _ entry: Entry, _ hold: ServerQuota.Hold, at now: HTTPInstant
    ) -> Duration? {
        if case .blocked(let end) = hold { return end - now }
        // In a window, units become available many at a time.
        guard case .tokenBucket = rate.law, let due = entry.due, due > now else { return nil }
        let units = entry.queue.unitsAfterHead(for: claim.units, of: claim.tenant, claim.priority)
        return due - now + .seconds(min(Double(units) * rate.secondsPerUnit, 1e12))
    }

    /// Takes units that have been used already. Requests that follow wait for them.
    func charge(_ units: Int, to key: String, on clock: any HTTPClock) {
        let now = clock.now
        let question = question(key, units...units, .seconds(1e9), at: now)
        guard let sharing, state.withLock({ $0.health.mayAsk(at: now) }) else {
            _ = local.decide(question)
            return
        }
        Task.detached { [self] in
            // Without the store, requests wait for the count of this process.
            if case .failure = await ask(sharing, question, clock) { _ = local.decide(question) }
        }
    }

    /// Gives back units that were taken and not used.
    func giveBack(_ units: Int, to key: String, at now: HTTPInstant) {
        state.withLock { state in
            state.statistics.refunded = state.statistics.refunded.adding(clamped: units)
            state.entries[key]?.quota.giveBack(units)
        }
        giveBack(units, to: key, sharing.map { .shared($0.store) } ?? .local, at: now)
    }

    private func giveBack(_ units: Int, to key: String, _ source: Source, at now: HTTPInstant) {
        let question = question(key, units...units, .zero, at: now)
        switch source {
        case .none: break
        case .local: local.giveBack(units, of: question)
        case .shared(let store):
            guard state.withLock({ $0.health.mayAsk(at: now) }) else { return }
            Task.detached { try? await store.refund(units, of: question) }
        }
    }

    /// Takes note of the limits that a response reports.
    ///
    /// - Parameter isOfProbe: `true` if it is the response to a probe, which also says something if
    ///   it reports no limit.
    func note(
        _ limits: [ServiceLimit], for key: String, underWay: Int, isOfProbe: Bool = false,
        at now: HTTPInstant
    ) {
        let own = limits.filter { $0.unit == unit }
        guard isOfProbe || !own.isEmpty else { return }
        state.withLock { state in
            let entry = entry(&state, key, at: now)
            entry.quota.note(own, underWay: underWay, at: now)
            entry.reconsider()
        }
    }

    /// A probe has ended without a response.
    func probeFailed(_ key: String) {
        state.withLock { state in
            state.entries[key]?.quota.probeFailed()
            state.entries[key]?.reconsider()
        }
    }

    private func question(
        _ key: String, _ units: ClosedRange<Int>, _ patience: Duration, at now: HTTPInstant
    ) -> HTTPRateRequest {
        HTTPRateRequest(key: key, rate: rate, units: units, patience: patience, now: now)
    }

    private func entry(_ state: inout State, _ key: String, at now: HTTPInstant) -> Entry {
        if let entry = state.entries[key] { return entry }
        if state.entries.count >= state.limit {
            state.entries = state.entries.filter { !$0.value.isIdle(at: now) }
            state.limit = max(64, state.entries.count * 2)
        }
        let entry = Entry(
            RateQueue(
                limit: queueLimit, lease: sharing?.lease ?? 0,
                leaseTime: sharing?.leaseTime ?? .seconds(1)),
            ServerQuota(longestReset: longestReset, hasProbes: unit == .requests))
        state.entries[key] = entry
        return entry
    }

    // MARK: Waiting

    /// The reason why a wait ends without its units.
    private enum WaitEnd {
        /// The request's time has ended.
        case time(HTTPInstant)
        case failure(any Error)
    }

    /// Ends a wait, unless its units came first.
    private func withdraw(_ id: RateQueue.ID, _ key: String, _ end: WaitEnd) {
        let ended = state.withLock { state -> (Waiter<Pass>, any Error)? in
            guard let entry = state.entries[key], entry.queue.withdraw(id) else { return nil }
            // A driver that waits for units in vain gives them back at once.
            if entry.queue.isEmpty { entry.driver?.cancel() }
            guard let waiter = entry.waiters.removeValue(forKey: id) else { return nil }
            switch end {
            case .failure(let error): return (waiter, error)
            case .time(let end):
                let wait = max(.zero, (entry.due ?? end) - end) + .seconds(rate.secondsPerUnit)
                return (waiter, Refusal.timedOut(wait))
            }
        }
        if let (waiter, error) = ended { waiter.resume(with: .failure(error)) }
    }

    /// Starts the driver of a key, unless it has one or no request waits.
    private func drive(_ key: String, _ clock: any HTTPClock) {
        state.withLock { state in
            guard let entry = state.entries[key], entry.driver == nil, !entry.queue.isEmpty
            else { return }
            // It serves many calls, so it has no deadline and no priority of one of them.
            entry.driver = Task.detached { [self] in await run(key, clock) }
        }
    }

    private func run(_ key: String, _ clock: any HTTPClock) async {
        while true {
            let now = clock.now
            let isCancelled = Task.isCancelled
            switch state.withLock({ nextAction($0, key, isCancelled, at: now) }) {
            case .finish: return
            case .again: return drive(key, clock)
            case .sleep(let end): try? await clock.sleep(until: end)
            case .giveBack(let units):
                giveBack(units, to: key, sharing.map { .shared($0.store) } ?? .local, at: now)
            case .refuseHead(let waiter, let wait):
                waiter?.resume(with: .failure(Refusal.tooLong(wait)))
            case .ask(let question, let mayAskStore):
                await carryOut(question, key, clock, mayAskStore)
            }
        }
    }

    private func nextAction(
        _ state: State, _ key: String, _ isCancelled: Bool, at now: HTTPInstant
    ) -> Action {
        guard let entry = state.entries[key] else { return .finish }
        entry.isKeeping = false
        entry.isHeld = false
        if isCancelled {
            // All requests have left, or there is something new for a driver that slept: one that
            // is cancelled cannot sleep, so another one goes on.
            if entry.queue.isEmpty, case let units = entry.queue.dropHeld(), units > 0 {
                return .giveBack(units)
            }
            entry.driver = nil
            entry.due = nil
            return .again
        }
        var most = RateQueue.batch
        if let end = entry.queue.headEnd {
            switch entry.quota.hold(at: now) {
            case .none: break
            case .probe: most = 1
            case .blocked(let until):
                guard end >= until else { return .refuseHead(entry.takeHead(), until - now) }
                entry.due = until
                entry.isHeld = true
                return .sleep(until: until)
            case .probing(let until):
                entry.due = nil
                entry.isHeld = true
                return .sleep(until: until)
            }
        }
        switch entry.queue.step(at: now, atMost: most) {
        case .finish:
            entry.driver = nil
            entry.due = nil
            return .finish
        case .ask(let question):
            return .ask(question, mayAskStore: state.health.mayAsk(at: now))
        case .keep(let end):
            entry.isKeeping = true
            return .sleep(until: end)
        case .giveBack(let units): return .giveBack(units)
        }
    }

    // MARK: Asking

    private func carryOut(
        _ question: RateQueue.Question, _ key: String, _ clock: any HTTPClock, _ mayAskStore: Bool
    ) async {
        var asked = self.question(key, question.units, question.patience, at: clock.now)
        guard let sharing else {
            return await apply(local.decide(asked), .local, question, key, clock)
        }
        var failure: any Error = LimitExceeded()
        if mayAskStore {
            switch await ask(sharing, asked, clock) {
            case .success(let admission):
                return await apply(admission, .shared(sharing.store), question, key, clock)
            case .failure(let error): failure = error
            }
        }
        switch sharing.whenStoreFails.policy {
        case .admit: serve(Int.max / 4, .none, key, at: clock.now)
        case .refuse: refuseAll(key, with: .storeFailed(failure))
        case .limit(let rate):
            asked.rate = rate ?? self.rate
            asked.now = clock.now
            await apply(local.decide(asked), .local, question, key, clock)
        }
    }

    /// Asks the store, for no longer than its limit, also if it does not heed cancellation.
    private func ask(
        _ sharing: RateLimit.Sharing, _ question: HTTPRateRequest, _ clock: any HTTPClock
    ) async -> Result<HTTPRateAdmission, any Error> {
        let result: Result<HTTPRateAdmission, any Error>
        do {
            let admission = try await bounded(by: sharing.timeout, on: clock) { admission in
                guard case .admitted(let units, _) = admission else { return }
                try? await sharing.store.refund(units, of: question)
            } _: {
                try await sharing.store.admit(question)
            }
            guard let decision = admission.fitting(question) else { throw UnfitDecision() }
            if case .admitted(let units, _) = admission, case .refused = decision {
                giveBack(units, to: question.key, .shared(sharing.store), at: clock.now)
            }
            result = .success(decision)
        } catch {
            result = .failure(error)
        }
        let now = clock.now
        state.withLock { state in
            switch result {
            case .success: state.health.succeeded()
            case .failure:
                state.statistics.storeFailures += 1
                state.health.failed(at: now)
            }
        }
        return result
    }

    private func apply(
        _ admission: HTTPRateAdmission, _ source: Source, _ question: RateQueue.Question,
        _ key: String, _ clock: any HTTPClock
    ) async {
        switch admission {
        case .admitted(let units, let wait):
            guard wait > .zero else { return serve(units, source, key, at: clock.now) }
            let due = clock.now + wait
            state.withLock { $0.entries[key]?.due = due }
            do {
                try await clock.sleep(until: due)
                serve(units, source, key, at: clock.now)
            } catch {
                giveBack(units, to: key, source, at: clock.now)  // all requests have left
            }
        case .refused(let wait):
            let waiter = state.withLock { state in
                guard let entry = state.entries[key], entry.queue.withdraw(question.head)
                else { return Waiter<Pass>?.none }
                return entry.waiters.removeValue(forKey: question.head)
            }
            waiter?.resume(with: .failure(Refusal.tooLong(wait)))
        }
    }

    /// Lets requests go on, in order, as far as the units go.
    private func serve(_ units: Int, _ source: Source, _ key: String, at now: HTTPInstant) {
        let (waiters, isProbe, surplus) = state.withLock { state -> ([Waiter<Pass>], Bool, Int) in
            guard let entry = state.entries[key] else { return ([], false, units) }
            entry.due = nil
            // The server may have reported a limit while the store was asked.
            let most =
                switch entry.quota.hold(at: now) {
                case .none: Int.max
                case .probe: 1
                case .blocked, .probing: 0
                }
            let served = entry.queue.receive(units, at: now, atMost: most)
            let isProbe = !served.ids.isEmpty && entry.quota.take(served.units, at: now)
            state.statistics.admitted = state.statistics.admitted.adding(clamped: served.units)
            let surplus =
                switch source {
                case .shared: most > 0 ? entry.queue.surplus() : entry.queue.dropHeld()
                case .local, .none: entry.queue.dropHeld()
                }
            let waiters = served.ids.compactMap { entry.waiters.removeValue(forKey: $0) }
            return (waiters, isProbe, surplus)
        }
        for waiter in waiters {
            waiter.resume(with: .success(Pass(hasWaited: true, isProbe: isProbe)))
        }
        if surplus > 0 { giveBack(surplus, to: key, source, at: now) }
    }

    private func refuseAll(_ key: String, with refusal: Refusal) {
        let waiters = state.withLock { state -> [Waiter<Pass>] in
            guard let entry = state.entries[key] else { return [] }
            return entry.queue.withdrawAll().compactMap { entry.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.resume(with: .failure(refusal)) }
    }
}
