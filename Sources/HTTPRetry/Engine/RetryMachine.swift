import HTTPCore

/// A value that decides whether a call is sent again, and what is done before that.
///
/// It knows no clock and no task: it takes events and returns actions.
///
/// ```
/// attempting ─ ended ─▶ judging ─ asked ─▶ discarding ─▶ working ─▶ waiting
///     ▲                    │                  └──────────────▶─────┤│
///     └────────────────────┼──────────────────────────────── send ─┴┘
///                          ▼ refused, stopped: over
/// ```
struct RetryMachine: Sendable {
    /// The facts at the moment of an event.
    struct Facts: Sendable {
        var now: HTTPInstant
        var deadline: HTTPInstant?
        /// The sends of the call over all hops and restarts, silent re-sends included.
        var sends = 0
        /// The sends that a library below the transport made on its own.
        var silentResends = 0
        /// `true` if the request's body can be sent.
        var canBeSent = true
        var isCancelled = false
        /// `true` for a request that is part of the work before another call's retry.
        var isInRefresh = false
    }

    enum Event: Sendable {
        case asked(RetryRequest, Facts)
        /// The response that is not handed back has released its connection.
        case discarded(Facts)
        case worked(Facts)
        case waited(Facts)
        /// The task was cancelled, or the work before the retry threw.
        case stopped
    }

    enum Action: Equatable, Sendable {
        case send
        case discard
        case work
        case wait(until: HTTPInstant)
        case refuse(HTTPRetryEvent.Refusal)
        /// Throw `CancellationError`, or what the work threw; nothing is sent any more.
        case stop
    }

    private struct Grant: Sendable {
        var retry: RetryRequest
        /// The moment of the decision, from which Retry-After counts.
        var decision: HTTPInstant
        var isCounted: Bool
        var draw: RetryBudgetWindow.Slot?
    }

    /// Indirect, so that a machine is small until a retry is granted.
    private indirect enum State {
        case attempting, judging
        case discarding(Grant)
        case working(Grant)
        case waiting(Grant)
        case over
    }

    /// The limit on the sends of a call that are not counted against its ``RetryLedger/limit`` or
    /// an allowance of a layer, such as those of hops.
    static let sendLimit = 30

    private var state = State.attempting

    var isAttempting: Bool { if case .attempting = state { true } else { false } }

    mutating func attemptEnded() { if isAttempting { state = .judging } }

    /// Returns what to do after `event`. An event that the state does not expect stops the machine,
    /// so that nothing is sent by mistake.
    mutating func handle(
        _ event: Event, _ ledger: inout RetryLedger, _ budget: inout RetryBudgetWindow?
    ) -> Action {
        switch (state, event) {
        case (.judging, .asked(let retry, let facts)):
            return decide(retry, facts, &ledger, &budget)
        case (.discarding(let grant), .discarded(let facts)) where !facts.isCancelled:
            return grant.retry.work != nil
                ? work(grant, &ledger) : wait(grant, facts, &ledger, &budget)
        case (.working(let grant), .worked(let facts)) where !facts.isCancelled:
            return wait(grant, facts, &ledger, &budget)
        case (.waiting(let grant), .waited(let facts)) where !facts.isCancelled:
            return send(grant, facts, &ledger, &budget)
        case (.discarding(let grant), _), (.working(let grant), _), (.waiting(let grant), _):
            giveBack(grant, &budget)
            return stop()
        default:
            return stop()
        }
    }

    /// Decides about one more send while an attempt is under way. The machine keeps its state.
    func hedge(
        _ retry: RetryRequest, _ facts: Facts, _ ledger: inout RetryLedger,
        _ budget: inout RetryBudgetWindow?
    ) -> HTTPRetryEvent.Refusal? {
        if let refusal = refusal(of: retry, facts, ledger) { return refusal }
        if budget != nil, budget?.draw(at: facts.now) == nil { return .budgetSpent }
        ledger.count(.retries)
        return nil
    }

    private mutating func stop() -> Action {
        state = .over
        return .stop
    }

    private func giveBack(_ grant: Grant, _ budget: inout RetryBudgetWindow?) {
        if let slot = grant.draw { budget?.giveBack(slot) }
    }

    private mutating func decide(
        _ retry: RetryRequest, _ facts: Facts, _ ledger: inout RetryLedger,
        _ budget: inout RetryBudgetWindow?
    ) -> Action {
        guard !facts.isCancelled else { return stop() }
        if let refusal = refusal(of: retry, facts, ledger) {
            return refuse(retry, refusal, &ledger)
        }
        var grant = Grant(retry: retry, decision: facts.now, isCounted: false)
        if case .retries = retry.allowance, budget != nil {
            guard let slot = budget?.draw(at: facts.now) else {
                return refuse(retry, .budgetSpent, &ledger)
            }
            grant.draw = slot
        }
        state = .discarding(grant)
        return .discard
    }

    private mutating func work(_ grant: Grant, _ ledger: inout RetryLedger) -> Action {
        // Counted before the work, so that work which throws has used its retry.
        var grant = grant
        grant.isCounted = true
        ledger.count(grant.retry.allowance)
        state = .working(grant)
        return .work
    }

    /// Returns the reason to refuse `retry` now, or `nil` if there is none besides the budget.
    func refusal(
        of retry: RetryRequest, _ facts: Facts, _ ledger: RetryLedger
    ) -> HTTPRetryEvent.Refusal? {
        if let refusal = ledger.finality { return refusal }
        if !ledger.isLeft(retry.allowance, silentResends: facts.silentResends) {
            return .retriesUsedUp
        }
        if facts.sends - (ledger.attempt - 1) >= Self.sendLimit { return .sendsUsedUp }
        if retry.work != nil, facts.isInRefresh { return .nestedRefresh }
        if !retry.mayRepeat { return .notIdempotent }
        if !facts.canBeSent { return .bodyNotReplayable }
        if let retryAfter = retry.retryAfter, retryAfter > retry.retryAfterLimit {
            return .retryAfterTooLong
        }
        if let deadline = facts.deadline, facts.now + retry.wait() >= deadline {
            return .deadline
        }
        return nil
    }

    private mutating func refuse(
        _ retry: RetryRequest, _ refusal: HTTPRetryEvent.Refusal, _ ledger: inout RetryLedger
    ) -> Action {
        state = .over
        // Another layer may have the permission that this one lacks.
        if refusal != .notIdempotent { ledger.close(refusal) }
        // A policy that asks on behalf of a call without retries is no news to the caller.
        if retry.source == .verdict || retry.allowance != .retries || ledger.maxRetries > 0 {
            ledger.note(refusal)
        }
        return .refuse(refusal)
    }

    private mutating func wait(
        _ grant: Grant, _ facts: Facts, _ ledger: inout RetryLedger,
        _ budget: inout RetryBudgetWindow?
    ) -> Action {
        let until = facts.now + grant.retry.wait(after: facts.now - grant.decision)
        if let deadline = facts.deadline, until >= deadline {
            giveBack(grant, &budget)
            return refuse(grant.retry, .deadline, &ledger)
        }
        guard until > facts.now else { return send(grant, facts, &ledger, &budget) }
        state = .waiting(grant)
        return .wait(until: until)
    }

    private mutating func send(
        _ grant: Grant, _ facts: Facts, _ ledger: inout RetryLedger,
        _ budget: inout RetryBudgetWindow?
    ) -> Action {
        if let deadline = facts.deadline, facts.now >= deadline {
            giveBack(grant, &budget)
            return refuse(grant.retry, .deadline, &ledger)
        }
        if !grant.isCounted { ledger.count(grant.retry.allowance) }
        state = .attempting
        return .send
    }
}
