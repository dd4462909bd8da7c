package import HTTPCore

/// The retries that a call has used. The call holds it, so that policies, verdicts, hops and
/// restarts count together.
package struct RetryLedger: Sendable {
    /// The first limit that a layer has registered: the request's, else a policy's.
    private(set) var limit: Int?
    /// The retries counted against ``limit``, which is also the 0-based index of the next one.
    package private(set) var retries = 0
    /// The retries counted against allowances of layers.
    private(set) var allowances: [RetryRequest.Allowance.ID: Int] = [:]
    /// The reason why a retry of the last outcome was refused. It is final for all layers.
    private(set) var finality: HTTPRetryEvent.Refusal?
    /// The reason that the error of the last outcome gives.
    private var refusal: HTTPRetryEvent.Refusal?
    /// The end of the attempt before the last one.
    private(set) var previous: RetryAttempt.End?
    /// The policy's budget, which verdicts draw on, too.
    private(set) var budget: RetryBudget?
    /// The failure of the work before the last attempt, if it did not stop the retry.
    private(set) var workFailure: (any Error)?
    /// The sends of the call before this ledger, and those that libraries made on their own.
    private(set) var earlierSends = 0
    private(set) var earlierResends = 0

    package var maxRetries: Int { max(0, limit ?? 0) }

    /// 1 for the first.
    var attempt: Int { allowances.values.reduce(retries + 1, +) }

    mutating func register(limit: Int?, budget: RetryBudget?) {
        self.limit = self.limit ?? limit
        self.budget = self.budget ?? budget
    }

    /// Returns a ledger with the same limits, for the next request of a call that consists of
    /// several.
    func renewed(after sends: Int, _ resends: Int) -> RetryLedger {
        var ledger = RetryLedger()
        ledger.register(limit: limit, budget: budget)
        (ledger.earlierSends, ledger.earlierResends) = (sends, resends)
        return ledger
    }

    func isLeft(_ allowance: RetryRequest.Allowance, silentResends: Int) -> Bool {
        switch allowance {
        case .retries: retries + silentResends < maxRetries
        case .own(let id, let limit): allowances[id, default: 0] < limit
        }
    }

    mutating func count(_ allowance: RetryRequest.Allowance) {
        switch allowance {
        case .retries: retries += 1
        case .own(let id, _): allowances[id, default: 0] += 1
        }
        finality = nil
        refusal = nil
    }

    /// Lets no layer have another retry of the last outcome.
    mutating func close(_ refusal: HTTPRetryEvent.Refusal) { finality = refusal }

    /// Takes note of a reason for the call's error.
    mutating func note(_ refusal: HTTPRetryEvent.Refusal) { self.refusal = refusal }

    /// The note on the attempts for the call's error; `nil` if no retry was refused, because a
    /// layer has ended the call itself.
    var note: RetryNote? {
        guard let refusal else { return nil }
        // After several attempts, their number says that the retries are used up.
        return RetryNote(
            attempts: attempt, refusal: attempt > 1 && refusal == .retriesUsedUp ? nil : refusal,
            workFailure: workFailure.map { HTTPError.typeName(of: $0) })
    }

    mutating func remember(_ end: RetryAttempt.End) { previous = end }

    mutating func recordWork(failing error: (any Error)?) { workFailure = error }
}

/// The limits that a layer sets for a call's retries.
///
/// One object serves all calls of a ``Retry``. Most calls are never sent again and hold this in
/// place of a ledger.
final class RetryLimits: Sendable {
    /// `nil` leaves the number to other layers.
    let maxRetries: Int?
    let budget: RetryBudget?

    init(maxRetries: Int?, budget: RetryBudget?) {
        self.maxRetries = maxRetries
        self.budget = budget
    }
}

extension HTTPCall {
    private final class OpenLedger: Sendable {
        let ledger: Locked<RetryLedger>

        init(_ limits: RetryLimits?) {
            var ledger = RetryLedger()
            if let limits { ledger.register(limit: limits.maxRetries, budget: limits.budget) }
            self.ledger = Locked(ledger)
        }
    }

    /// Registers `limits`; those that were registered first have priority. Counts the call in their
    /// budget, once: a retry draws on the budget and does not fill it.
    func register(_ limits: RetryLimits, for request: HTTPRequest) {
        let isFirst =
            keep(limits) === limits
            || withRetryLedger { ledger in
                ledger.register(limit: limits.maxRetries, budget: limits.budget)
                return ledger.attempt == 1
            }
        if isFirst { limits.budget?.recordCall(to: origin(of: request), at: clock.now) }
    }

    /// Lets the next request of a call that consists of several, such as a download, be sent again
    /// as often as the first.
    package func renewRetries() {
        let (sends, resends) = (sends, silentResends)
        guard sends > 0 else { return }
        withRetryLedger { $0 = $0.renewed(after: sends, resends) }
    }

    /// Returns how many retries the call has counted against an allowance of a layer's own.
    package func draws(on id: RetryRequest.Allowance.ID) -> Int {
        withRetryLedger { $0.allowances[id, default: 0] }
    }

    /// Records the failure of work before an attempt that is made all the same.
    func recordWork(failing error: (any Error)?) {
        withRetryLedger { $0.recordWork(failing: error) }
    }

    /// Reads and changes the ledger, which the first caller opens.
    package func withRetryLedger<Result: Sendable>(
        _ body: (inout RetryLedger) -> Result
    ) -> Result {
        let open = withLedger { kept in
            if let open = kept as? OpenLedger { return open }
            let open = OpenLedger(kept as? RetryLimits)
            kept = open
            return open
        }
        return open.ledger.withLock { body(&$0) }
    }
}
