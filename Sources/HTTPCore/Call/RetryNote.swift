/// The part of an error's message that is about the attempts of its call.
package struct RetryNote: Sendable, Hashable {
    /// The number of attempts, 1 for a call that was not sent again.
    package var attempts: Int
    /// The reason for which the call was not sent again; `nil` if the number of attempts says it.
    package var refusal: HTTPRetryDecision.Refusal?
    /// The name of the failure of the work before the last attempt, such as a login.
    package var workFailure: String?

    /// Creates a note; `nil` if there is nothing to say.
    package init?(attempts: Int, refusal: HTTPRetryDecision.Refusal?, workFailure: String? = nil) {
        guard attempts > 1 || refusal != nil else { return nil }
        self.attempts = attempts
        self.refusal = refusal
        self.workFailure = workFailure
    }

    func text(around statement: String) -> String {
        var text = attempts > 1 ? "after \(attempts) attempts: \(statement)" : statement
        if let workFailure { text += "; the work before the last attempt: \(workFailure)" }
        if let refusal { text += "; not sent again: \(refusal)" }
        return text
    }
}
