package import HTTPCore

extension RetryRequest {
    /// Creates the retry request of a verdict. Calls the strategy for its delay.
    package init(
        verdict strategy: HTTPRetryStrategy, for attempt: RetryAttempt,
        allowance: Allowance = .retries
    ) {
        self.init(
            .verdict, delay: strategy.delay(for: attempt), allowance: allowance,
            mayRepeat: attempt.end.isAnswer, work: strategy.work)
    }
}

extension HTTPRetryStrategy {
    /// The work before the wait, or `nil` if there is none.
    fileprivate var work: RetryRequest.Work? {
        switch self {
        case .immediate, .delayed, .exponential, .fibonacci, .custom: nil
        case .after(let alternative, _, let catcher):
            { request, call, next in
                let outcome = try await call.alternative(alternative, for: request, over: next)
                if case .failure(let error) = outcome { call.recordWork(failing: error) }
                defer { if case .success(let response) = outcome { response.body.abandon() } }
                try await catcher?(&request, outcome)
                if case .success(let response) = outcome { await response.discard() }
            }
        case .afterTask(_, let task, let errorCatcher):
            { request, call, _ in
                do {
                    try await task(&request)
                } catch {
                    if Task.isCancelled { throw CancellationError() }
                    call.recordWork(failing: error)
                    await errorCatcher?(error)
                }
            }
        }
    }
}

extension HTTPCall {
    /// Sends another request on behalf of this call. It is a call of its own, marked, in a task of
    /// its own, and ends after a minute unless it has a deadline.
    ///
    /// - Throws: `CancellationError`, or `timedOut` at this call's deadline. A failure of the other
    ///   request is an outcome.
    fileprivate func alternative(
        _ alternative: HTTPRequest, for request: HTTPRequest, over next: any HTTPSession
    ) async throws -> HTTPOutcome {
        let flight = SharedFlight<HTTPOutcome> {
            await self.send(alternative: alternative, for: request, over: next)
        }
        guard let waiter = flight.join() else { throw CancellationError() }  // a new one has room
        return try await flight.value(at: waiter, for: self)
    }

    /// Sends another request on behalf of this call in the calling task, for work that serves
    /// several calls and must not end with this one.
    package func send(
        alternative: HTTPRequest, for request: HTTPRequest, over next: any HTTPSession
    ) async -> HTTPOutcome {
        var marked = alternative.endingCall()
        marked[AlternativeMark.self] = true
        if marked.deadline == nil { marked.setDeadline(in: .seconds(60), on: clock) }
        do {
            // A client begins the call itself, since the URL may be relative to its base.
            if let entry = request[AlternativeEntry.self] {
                return .success(try await entry.response(for: marked))
            }
            let begun = try marked.beginningCall(like: self)
            return .success(
                try await begun.currentCall.reportingEnd { try await next.response(for: begun) })
        } catch {
            return .failure(error)
        }
    }
}
