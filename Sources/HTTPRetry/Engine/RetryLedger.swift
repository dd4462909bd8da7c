package import HTTPCore

/// What a call has spent on being sent again. Lives on the call, so that policies and verdicts, hops
/// and restarts count together.
package struct RetryLedger: Sendable {
    /// N, fixed by the first who says: the request, else the policy.
    package private(set) var limit: Int?
    /// Granted and counted, out of ``limit``: the 0-based index of the next one.
    package private(set) var retries = 0
    /// Granted and counted, out of allowances of their own.
    private(set) var allowances: [RetryPetition.Allowance.ID: Int] = [:]
    /// What was ruled on the outcome at hand, if that must not be asked again.
    package private(set) var finality: HTTPRetryDecision.Refusal?
    /// How the attempt before the last ended.
    package private(set) var previous: RetryAttempt.End?
    /// What the policy draws on; a verdict then draws on it too.
    private(set) var budget: RetryBudget?

    package init() {}

    package var maxRetries: Int { max(0, limit ?? 0) }

    /// 1 for the first.
    var attempt: Int { allowances.values.reduce(retries + 1, +) }

    mutating func register(limit: Int?, budget: RetryBudget?) {
        self.limit = self.limit ?? limit
        self.budget = self.budget ?? budget
    }

    func isLeft(_ allowance: RetryPetition.Allowance, silentResends: Int) -> Bool {
        switch allowance {
        case .retries: retries + silentResends < maxRetries
        case .own(let id, let limit): allowances[id, default: 0] < limit
        }
    }

    mutating func count(_ allowance: RetryPetition.Allowance) {
        switch allowance {
        case .retries: retries += 1
        case .own(let id, _): allowances[id, default: 0] += 1
        }
        finality = nil
    }

    mutating func close(_ refusal: HTTPRetryDecision.Refusal) { finality = refusal }

    mutating func remember(_ end: RetryAttempt.End) { previous = end }

    /// What the work before the last attempt failed with, if it did and was not to stop the retry.
    package private(set) var workFailure: (any Error)?

    mutating func recordWork(failing error: (any Error)?) { workFailure = error }
}

/// What a policy has to say of a call whose first attempt is under way: all that most calls ever have for a
/// ledger. One for all calls of a ``Retry``.
final class RetryTerms: Sendable {
    /// `nil` where it has no word in how often.
    let limit: Int?
    let budget: RetryBudget?

    init(limit: Int?, budget: RetryBudget?) {
        self.limit = limit
        self.budget = budget
    }
}

/// The ledger of a call, under a lock of its own.
package final class RetryBooks: Sendable {
    private let ledger: Locked<RetryLedger>

    private init(_ terms: RetryTerms?) {
        var ledger = RetryLedger()
        if let terms { ledger.register(limit: terms.limit, budget: terms.budget) }
        self.ledger = Locked(ledger)
    }

    /// Those of `call`, opened by the first to ask.
    package static func of(_ call: HTTPCall) -> RetryBooks {
        call.withLedger { kept in
            if let books = kept as? RetryBooks { return books }
            let books = RetryBooks(kept as? RetryTerms)
            kept = books
            return books
        }
    }

    package func withLedger<Result: Sendable>(
        _ body: (inout RetryLedger) -> Result
    ) -> Result {
        ledger.withLock { body(&$0) }
    }
}
