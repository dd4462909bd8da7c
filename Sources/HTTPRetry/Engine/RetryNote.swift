import HTTPCore

/// The part of an error's message that is about the attempts of its call.
struct RetryNote: Sendable, Hashable {
    /// The number of attempts, 1 for a call that was not sent again.
    var attempts: Int
    /// The reason for which the call was not sent again; `nil` if the number of attempts says it.
    var refusal: HTTPRetryEvent.Refusal?
    /// The name of the failure of the work before the last attempt, such as a login.
    var workFailure: String?

    /// Creates a note; `nil` if there is nothing to say.
    init?(attempts: Int, refusal: HTTPRetryEvent.Refusal?, workFailure: String? = nil) {
        guard attempts > 1 || refusal != nil else { return nil }
        self.attempts = attempts
        self.refusal = refusal
        self.workFailure = workFailure
    }

    fileprivate var clauses: String {
        (workFailure.map { "; the work before the last attempt: \($0)" } ?? "")
            + (refusal.map { "; not sent again: \($0)" } ?? "")
    }
}

extension HTTPError {
    /// Returns the same error with a note on the call's retries, in the place of an earlier one,
    /// and with the call's timeline so far.
    func noting(_ retries: RetryNote?, timeline: HTTPTimeline?) -> Self {
        let error = noting(timeline: timeline)
        return retries.map { error.noting(attempts: $0.attempts, $0.clauses) } ?? error
    }
}
