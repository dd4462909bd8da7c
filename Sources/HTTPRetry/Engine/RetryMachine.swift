import HTTPCore

/// Decides whether a call is sent again, and after what. Knows no clock and no task: it is told what
/// happened and says what to do.
///
/// ```
/// ready ── begin ──▶ attempting ── ended ──▶ judging ── asked ──▶ discarding ──▶ working ──▶ waiting
///                        ▲                      │                     └──────────────▶───────┤│
///                        └──────────────────────┼─────────────────────────────────── send ───┴┘
///                                               ▼ refused, stopped: over
/// ```
struct RetryMachine: Sendable {
    /// What is true at the moment of an event.
    struct Facts: Sendable {
        var now: HTTPInstant
        var deadline: HTTPInstant?
        /// Of the call, over all hops and restarts, silent re-sends included.
        var sends = 0
        /// Sent by a transport's library on its own.
        var silentResends = 0
        /// The request's body.
        var canBeSent = true
        var isCancelled = false
        /// True for a request that is part of the work before another call's retry.
        var isInRefresh = false
    }

    struct Petition: Sendable {
        var delay: Duration = .zero
        /// As the response said it, from now.
        var retryAfter: Duration?
        var retryAfterLimit: Duration = .seconds(60)
        var allowance: RetryPetition.Allowance = .retries
        /// Whether sending twice does no harm.
        var isHarmless = true
        var hasWork = false

        /// Never earlier than Retry-After says.
        var wait: Duration { max(delay, retryAfter ?? .zero) }
    }

    enum Event: Sendable {
        case asked(Petition, Facts)
        /// The response that is not handed back has given its connection back.
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
        case refuse(HTTPRetryDecision.Refusal)
        /// Throw `CancellationError`, or what the work threw; nothing is sent any more.
        case stop
    }

    private struct Grant: Sendable {
        var petition: Petition
        /// What Retry-After forbids to be early for.
        var notBefore: HTTPInstant
        var isCounted: Bool
        var draw: RetryBudgetWindow.Slot?
    }

    private enum State {
        case ready, attempting, judging
        case discarding(Grant)
        case working(Grant)
        case waiting(Grant)
        case over
    }

    /// The limit on sends of a call that are not out of its ``RetryLedger/limit``, as hops and
    /// refreshes make them: that limit is honoured, whatever it is.
    static let sendLimit = 30

    private var state: State

    /// - Parameter isAttempted: whether the first attempt has been made already, with nothing against it.
    init(isAttempted: Bool = false) { state = isAttempted ? .judging : .ready }

    var isAttempting: Bool { if case .attempting = state { true } else { false } }

    /// The first attempt: ``Action/send`` or ``Action/stop``.
    mutating func begin(_ facts: Facts) -> Action {
        guard case .ready = state, !facts.isCancelled else { return stop() }
        state = .attempting
        return .send
    }

    mutating func attemptEnded() { if isAttempting { state = .judging } }

    /// An event that the state does not expect stops the machine: nothing is sent by mistake.
    mutating func handle(
        _ event: Event, _ ledger: inout RetryLedger, _ budget: inout RetryBudgetWindow?
    ) -> Action {
        switch (state, event) {
        case (.judging, .asked(let petition, let facts)):
            return rule(petition, facts, &ledger, &budget)
        case (.discarding(let grant), .discarded(let facts)):
            return grant.petition.hasWork
                ? work(grant, facts, &ledger, &budget) : wait(grant, facts, &ledger, &budget)
        case (.working(let grant), .worked(let facts)):
            return wait(grant, facts, &ledger, &budget)
        case (.waiting(let grant), .waited(let facts)):
            return send(grant, facts, &ledger, &budget)
        case (.discarding(let grant), _), (.working(let grant), _), (.waiting(let grant), _):
            giveBack(grant, &budget)
            return stop()
        default:
            return stop()
        }
    }

    /// Rules on sending once more while an attempt is under way; the machine stays where it is.
    func hedge(
        _ facts: Facts, _ ledger: inout RetryLedger, _ budget: inout RetryBudgetWindow?
    ) -> HTTPRetryDecision.Refusal? {
        if let refusal = refusal(of: Petition(), facts, ledger) { return refusal }
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

    private mutating func rule(
        _ petition: Petition, _ facts: Facts, _ ledger: inout RetryLedger,
        _ budget: inout RetryBudgetWindow?
    ) -> Action {
        guard !facts.isCancelled else { return stop() }
        if let refusal = refusal(of: petition, facts, ledger) {
            return refuse(refusal, &ledger)
        }
        var grant = Grant(
            petition: petition,
            notBefore: facts.now + (petition.retryAfter ?? .zero), isCounted: false)
        if case .retries = petition.allowance, budget != nil {
            guard let slot = budget?.draw(at: facts.now) else {
                return refuse(.budgetSpent, &ledger)
            }
            grant.draw = slot
        }
        state = .discarding(grant)
        return .discard
    }

    private mutating func work(
        _ grant: Grant, _ facts: Facts, _ ledger: inout RetryLedger,
        _ budget: inout RetryBudgetWindow?
    ) -> Action {
        guard !facts.isCancelled else {
            giveBack(grant, &budget)
            return stop()
        }
        // Counted before the work, so that work which throws has consumed its retry.
        var grant = grant
        grant.isCounted = true
        ledger.count(grant.petition.allowance)
        state = .working(grant)
        return .work
    }

    /// The reason against a petition now; `nil` where nothing but a budget may be against it.
    func refusal(
        of petition: Petition, _ facts: Facts, _ ledger: RetryLedger
    ) -> HTTPRetryDecision.Refusal? {
        if let refusal = ledger.finality { return refusal }
        if !ledger.isLeft(petition.allowance, silentResends: facts.silentResends) {
            return .retriesUsedUp
        }
        if facts.sends - ledger.retries >= Self.sendLimit { return .sendsUsedUp }
        if petition.hasWork, facts.isInRefresh { return .nestedRefresh }
        if !petition.isHarmless { return .notIdempotent }
        if !facts.canBeSent { return .bodyNotReplayable }
        if let retryAfter = petition.retryAfter, retryAfter > petition.retryAfterLimit {
            return .retryAfterTooLong
        }
        if let deadline = facts.deadline, facts.now + petition.wait >= deadline {
            return .deadline
        }
        return nil
    }

    private mutating func refuse(
        _ refusal: HTTPRetryDecision.Refusal, _ ledger: inout RetryLedger
    ) -> Action {
        state = .over
        ledger.close(refusal)
        return .refuse(refusal)
    }

    private mutating func wait(
        _ grant: Grant, _ facts: Facts, _ ledger: inout RetryLedger,
        _ budget: inout RetryBudgetWindow?
    ) -> Action {
        guard !facts.isCancelled else {
            giveBack(grant, &budget)
            return stop()
        }
        let until = max(facts.now + grant.petition.delay, grant.notBefore)
        if let deadline = facts.deadline, until >= deadline {
            giveBack(grant, &budget)
            return refuse(.deadline, &ledger)
        }
        guard until > facts.now else { return send(grant, facts, &ledger, &budget) }
        state = .waiting(grant)
        return .wait(until: until)
    }

    private mutating func send(
        _ grant: Grant, _ facts: Facts, _ ledger: inout RetryLedger,
        _ budget: inout RetryBudgetWindow?
    ) -> Action {
        guard !facts.isCancelled else {
            giveBack(grant, &budget)
            return stop()
        }
        if let deadline = facts.deadline, facts.now >= deadline {
            giveBack(grant, &budget)
            return refuse(.deadline, &ledger)
        }
        if !grant.isCounted { ledger.count(grant.petition.allowance) }
        state = .attempting
        return .send
    }
}
