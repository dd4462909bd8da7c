import HTTPCore

extension RetryEngine {
    /// Returns the response. If its body is a stream and the policy would retry a failure of a body
    /// that is read inside the attempt, an error of the body says why nothing is sent again.
    func streamed(
        _ response: HTTPResponse, _ attempt: RetryAttempt, _ policy: RetryPolicy
    ) -> HTTPResponse {
        guard response.body.isStream, attempt.index < attempt.maxRetries,
            policy.mayRepeat(attempt.request)
        else { return response }
        var response = response
        let (call, number) = (call, attempt.number)
        response.body = response.body.wrapped(
            HTTPBodyHooks(failure: { error in
                guard let error = error as? HTTPError else { return error }
                let refusal = HTTPRetryEvent.Refusal.bodyIsStreamed
                call.record(
                    HTTPRetryEvent(
                        .policy, .refused(refusal), attempt: number, cause: error.code.rawValue))
                let note = RetryNote(attempts: number, refusal: refusal)
                return error.noting(note, timeline: call.timeline)
            }))
        return response
    }
}
