import HTTPCore
import HTTPFormats

/// The requests of all keys that take units of one rate. ``RateQueue`` decides which is next; a
/// task for each key with waiting requests, its driver, asks the store for them.
final class RateLimiter: Sendable {
    /// A decision of a store that does not fit its question.
    struct UnfitDecision: Error {}

    /// The place where units were counted, to which those that are not used go back.
    private enum Source {
        case shared(any HTTPRateStore)
        case local
        /// Requests go on without units, because the store has failed.
        case none
    }

    private struct State {
        var entries: [String: RateEntry] = [:]
        /// The number of keys above which the idle ones are dropped.
        var limit = 64
        var lastID: RateQueue.ID = 0
        var health = StoreHealth()
        var statistics = RateLimit.Statistics()
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
    /// - Throws: ``RateClaim/Refusal``, `sessionClosed`, or `CancellationError` as soon as the
    ///   calling task is cancelled.
    func take(_ claim: RateClaim) async throws -> RateClaim.Pass {
        try Task.checkCancellation()
        let now = claim.clock.now
        let waiter = Waiter<RateClaim.Pass>()
        let entrance = try state.withLock { state throws(RateClaim.Refusal) in
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
        } catch let refusal as RateClaim.Refusal {
            state.withLock { $0.statistics.refused += 1 }
            throw refusal
        }
    }

    private enum Entrance {
        case passed(RateClaim.Pass)
        case waits(RateQueue.ID)
    }

    /// Takes units at once if that is possible, or lets the request wait.
    private func enter(
        _ claim: RateClaim, _ state: inout State, _ waiter: Waiter<RateClaim.Pass>,
        at now: HTTPInstant
    ) throws(RateClaim.Refusal) -> Entrance {
        let entry = entry(&state, claim.key, at: now)
        let hold = entry.quota.hold(at: now)
        if hold == .none || hold == .probe, takeAtOnce(claim, entry, at: now) {
            state.statistics.admitted = state.statistics.admitted.adding(clamped: claim.units)
            return .passed(RateClaim.Pass(isProbe: entry.quota.take(claim.units, at: now)))
        }
        if !claim.isBeyondLimit {
            guard !entry.queue.isFull else {
                state.statistics.refused += 1
                throw .queueFull(entry.queue.count)
            }
            let wait = entry.shortestWait(of: claim, hold, rate, at: now)
            if let wait, now + wait > claim.end {
                state.statistics.refused += 1
                throw .tooLong(wait)
            }
        }
        state.lastID += 1
        entry.enqueue(state.lastID, claim, waiter)
        return .waits(state.lastID)
    }

    private func takeAtOnce(_ claim: RateClaim, _ entry: RateEntry, at now: HTTPInstant) -> Bool {
        if entry.queue.takeHeld(claim.units, at: now) { return true }
        guard sharing == nil, entry.queue.isEmpty else { return false }
        let question = question(claim.key, claim.units...claim.units, .zero, at: now)
        if case .admitted = local.decide(question) { return true }
        return false
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

    private func entry(_ state: inout State, _ key: String, at now: HTTPInstant) -> RateEntry {
        if let entry = state.entries[key] { return entry }
        if state.entries.count >= state.limit {
            state.entries = state.entries.filter { !$0.value.isIdle(at: now) }
            state.limit = max(64, state.entries.count * 2)
        }
        let entry = RateEntry(
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
        let ended = state.withLock { state -> (Waiter<RateClaim.Pass>, any Error)? in
            guard let entry = state.entries[key], let waiter = entry.withdraw(id) else {
                return nil
            }
            // A driver that waits for units in vain gives them back at once.
            if entry.queue.isEmpty { entry.driver?.cancel() }
            switch end {
            case .failure(let error): return (waiter, error)
            case .time(let end):
                let wait = max(.zero, (entry.due ?? end) - end) + .seconds(rate.secondsPerUnit)
                return (waiter, RateClaim.Refusal.timedOut(wait))
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
            let action = state.withLock { state in
                state.entries[key]?.nextAction(
                    isCancelled: isCancelled, mayAskStore: state.health.mayAsk(at: now), at: now)
            }
            switch action ?? .finish {
            case .finish: return
            case .again: return drive(key, clock)
            case .sleep(let end): try? await clock.sleep(until: end)
            case .giveBack(let units):
                giveBack(units, to: key, sharing.map { .shared($0.store) } ?? .local, at: now)
            case .refuseHead(let waiter, let wait):
                waiter?.resume(with: .failure(RateClaim.Refusal.tooLong(wait)))
            case .ask(let question, let mayAskStore):
                await carryOut(question, key, clock, mayAskStore)
            }
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
            let waiter = state.withLock { $0.entries[key]?.withdraw(question.head) }
            waiter?.resume(with: .failure(RateClaim.Refusal.tooLong(wait)))
        }
    }

    /// Lets requests go on, in order, as far as the units go.
    private func serve(_ units: Int, _ source: Source, _ key: String, at now: HTTPInstant) {
        let keepsSurplus = if case .shared = source { true } else { false }
        let served = state.withLock { state in
            let served = state.entries[key]?.serve(units, at: now, keepsSurplus)
            state.statistics.admitted = state.statistics.admitted.adding(
                clamped: served?.units ?? 0)
            return served
        }
        guard let served else { return giveBack(units, to: key, source, at: now) }
        let pass = RateClaim.Pass(hasWaited: true, isProbe: served.isProbe)
        for waiter in served.waiters { waiter.resume(with: .success(pass)) }
        if served.surplus > 0 { giveBack(served.surplus, to: key, source, at: now) }
    }

    private func refuseAll(_ key: String, with refusal: RateClaim.Refusal) {
        let waiters = state.withLock { $0.entries[key]?.withdrawAll() }
        for waiter in waiters ?? [] { waiter.resume(with: .failure(refusal)) }
    }
}
