package import HTTPCore

/// Carries out what ``RetryMachine`` decides, for whoever sends twice: the middleware ``Retry`` and the
/// verdicts of validators. One per `intercept`; all engines of a call share its ledger.
///
/// ```swift
/// guard !request.isAlternative else { return try await next.response(for: request) }
/// var engine = try RetryEngine(&request, next: next)
/// while true {
///     let outcome = try await engine.attempt(request)  // cancellation is thrown
///     guard let strategy = … else { return try outcome.get() }
///     let petition = RetryPetition(verdict: strategy, for: engine.context(request, outcome))
///     switch try await engine.ask(petition, about: outcome, for: &request) {
///     case .granted: continue  // the response is gone, the work done, the wait over
///     case .refused(let refusal):  // the outcome is as it was
///         throw engine.unmet(refusal, outcome)
///     }
/// }
/// ```
package struct RetryEngine: Sendable {
    package enum Answer: Sendable {
        case granted
        case refused(HTTPRetryDecision.Refusal)
    }

    package let call: HTTPCall
    package let next: any HTTPSession
    private let budget: RetryBudget?
    private let books: RetryBooks
    private var machine: RetryMachine
    private var isBegun: Bool
    /// Of the responses that were answered by sending again.
    private var history: [HTTPResponse.Head] = []

    /// Begins the call unless it has begun, and registers its limit of retries.
    ///
    /// - Parameters:
    ///   - maxRetries: where the request says nothing.
    ///   - budget: verdicts draw on the one that the policy below has registered.
    ///   - isAttempted: whether the first attempt has been made without an engine, as most calls have no
    ///     other: see ``HTTPCore/HTTPRequest/isOneAttempt``.
    package init(
        _ request: inout HTTPRequest, next: any HTTPSession, maxRetries: Int? = nil,
        budget: RetryBudget? = nil, isAttempted: Bool = false
    ) throws {
        request = try request.beginningCall()
        guard let call = request.call else {
            throw HTTPError(.internalFailure, "a call that has begun is missing")
        }
        self.call = call
        self.next = next
        self.budget = budget
        self.machine = RetryMachine(isAttempted: isAttempted)
        self.isBegun = isAttempted
        self.books = RetryBooks.of(call)
        let limit = request.maxRetries ?? maxRetries
        books.withLedger { $0.register(limit: limit, budget: budget) }
    }

    /// What strategies and validators are told about an attempt.
    package func context(_ request: HTTPRequest, _ outcome: HTTPOutcome) -> RetryAttempt {
        let end = RetryAttempt.End(outcome)
        let attempt = ledger {
            RetryAttempt(
                request, index: $0.retries, maxRetries: $0.maxRetries, end: end,
                previous: $0.previous, workFailure: $0.workFailure)
        }
        return attempt.asking { [self] petition in
            let (plain, facts) = (plain(petition, end, request), facts(request))
            return ledger { machine.refusal(of: plain, facts, $0) }
        }
    }

    /// How often an asker has drawn on an allowance of its own.
    package func draws(on id: RetryPetition.Allowance.ID) -> Int {
        ledger { $0.allowances[id, default: 0] }
    }

    /// Sends once. Under `.buffered` delivery the body is part of it.
    ///
    /// - Parameters:
    ///   - session: `nil` for ``next``.
    ///   - isPreparing: whether nobody below sends twice, so that preparing here is preparing anew for
    ///     every attempt. What preparing throws is an outcome.
    /// - Throws: `CancellationError`; every other failure is an outcome.
    package mutating func attempt(
        _ request: HTTPRequest, through session: (any HTTPSession)? = nil,
        preparing isPreparing: Bool = false
    ) async throws -> HTTPOutcome {
        guard begin(request) else { throw CancellationError() }
        guard machine.isAttempting else {
            throw HTTPError(.internalFailure, "an attempt that nobody has granted")
        }
        defer { machine.attemptEnded() }
        do {
            let sent = isPreparing ? try request.prepared() : request
            // What the call would do, without its frames: most calls have no deadline.
            var response =
                sent.deadline == nil
                ? try await (session ?? next).response(for: sent)
                : try await call.answer(to: sent, from: session ?? next)
            if let limit = response.limitOfRest(for: sent) {
                response = try await response.buffered(upTo: limit)
            }
            if !history.isEmpty { response.history = history + response.history }
            return .success(response)
        } catch let error as CancellationError {
            throw error
        } catch {
            return .failure(error)
        }
    }

    /// Puts a petition to the ledger and carries out what is granted: discards the response, does the
    /// petition's work, waits.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; `retryFailed` when the work
    ///   threw; `timedOut` when work or wait came up to the deadline.
    package mutating func ask(
        _ petition: RetryPetition, about outcome: HTTPOutcome, for request: inout HTTPRequest
    ) async throws -> Answer {
        let record = Record(petition.source, RetryAttempt.End(outcome), ledger { $0.attempt })
        let plain = plain(petition, record.end, request)
        var action = handle(.asked(plain, facts(request)), request)
        switch action {
        case .refuse(let refusal):
            report(.refused(refusal), record, request)
            return .refused(refusal)
        case .stop:
            if case .success(let response) = outcome { response.body.abandon() }
            throw CancellationError()
        default:
            report(.granted(delay: plain.wait), record, request)
        }
        while true {
            switch action {
            case .discard:
                if case .success(let response) = outcome {
                    history = response.history + [response.head]
                    await response.discard()
                }
                action = handle(.discarded(facts(request)), request)
            case .work:
                recordWork(failing: nil)
                do {
                    try await RefreshScope.$owner.withValue(ObjectIdentifier(books)) {
                        try await petition.work?(&request, self)
                    }
                } catch {
                    _ = handle(.stopped, request)
                    throw reason(of: error, record.end)
                }
                request = request.joining(call)
                action = handle(.worked(facts(request)), request)
            case .wait(let until):
                do {
                    try await call.clock.sleep(until: until)
                } catch {
                    _ = handle(.stopped, request)
                    throw error
                }
                action = handle(.waited(facts(request)), request)
            case .send:
                ledger { $0.remember(record.end) }
                return .granted
            case .refuse(let refusal):
                report(.refused(refusal), record, request)
                throw refusal == .deadline
                    ? call.deadlineError(phase: .preparing).noting("\(refusal)", timeline: nil)
                    : unmet(refusal, record.end)
            case .stop:
                throw CancellationError()
            }
        }
    }

    /// What came of the last attempt when no other one is granted: the response as it is, the error
    /// with the reason in its sentence.
    func handBack(
        _ outcome: HTTPOutcome, _ refusal: HTTPRetryDecision.Refusal
    ) throws -> HTTPResponse {
        guard case .failure(let error as HTTPError) = outcome else { return try outcome.get() }
        let (limit, attempt) = ledger { ($0.maxRetries, $0.attempt) }
        let clause = limit > 0 ? "not sent again after attempt \(attempt): \(refusal)" : nil
        throw error.noting(clause, timeline: call.timeline)
    }

    /// Keeps what failed before an attempt that is made all the same.
    func recordWork(failing error: (any Error)?) {
        ledger { $0.recordWork(failing: error) }
    }

    /// Lets nobody outside ask for another attempt after this outcome.
    func close(
        _ refusal: HTTPRetryDecision.Refusal, about outcome: HTTPOutcome, _ request: HTTPRequest
    ) {
        let record = Record(.policy, RetryAttempt.End(outcome), ledger { $0.attempt })
        ledger { $0.close(refusal) }
        report(.refused(refusal), record, request)
    }
}

// MARK: - Failures

extension RetryEngine {
    /// The failure of a verdict that was not met, with the last outcome inside.
    package func unmet(
        _ refusal: HTTPRetryDecision.Refusal, _ outcome: HTTPOutcome
    ) -> HTTPError {
        unmet(refusal, RetryAttempt.End(outcome))
    }

    private func unmet(
        _ refusal: HTTPRetryDecision.Refusal, _ end: RetryAttempt.End
    ) -> HTTPError {
        let work = ledger { $0.workFailure }.map {
            "what was done before the last one failed with \(RetryAttempt.End.failure($0).cause)"
        }
        return HTTPError(
            .retriesExhausted, "another attempt is wanted after \(end.cause), but \(refusal)",
            mayHaveReachedServer: end.mayHaveReachedServer, response: end.head,
            underlyingError: end.error
        ).noting(work, timeline: call.timeline)
    }

    /// The failure of what decided on a retry, or was to be done before it.
    package func failed(_ error: any Error, _ end: RetryAttempt.End) -> HTTPError {
        HTTPError(
            .retryFailed, "after \(end.cause), what was to come before another attempt has failed",
            mayHaveReachedServer: end.mayHaveReachedServer, response: end.head,
            underlyingError: RetryFailure(thrown: error, original: end)
        ).noting(nil, timeline: call.timeline)
    }

    /// Cancellation and the call's own deadline are themselves, anything else has failed the retry.
    package func reason(of error: any Error, _ end: RetryAttempt.End) -> any Error {
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        if let error = error as? HTTPError, error.timer?.name == .deadline,
            let deadline = call.deadline, call.clock.now >= deadline
        {
            return error
        }
        return failed(error, end)
    }
}

// MARK: - The work of a strategy

extension HTTPRetryStrategy {
    /// What is done before the wait, if anything.
    var work: RetryPetition.Work? {
        switch self {
        case .immediate, .delayed, .exponential, .fibonacci, .custom: nil
        case .after(let alternative, _, let catcher):
            { request, engine in
                let outcome = try await engine.alternative(alternative, for: request)
                if case .failure(let error) = outcome { engine.recordWork(failing: error) }
                defer { if case .success(let response) = outcome { response.body.abandon() } }
                try await catcher?(&request, outcome)
                if case .success(let response) = outcome { await response.discard() }
            }
        case .afterTask(_, let task, let errorCatcher):
            { request, engine in
                do {
                    try await task(&request)
                } catch {
                    if Task.isCancelled { throw CancellationError() }
                    engine.recordWork(failing: error)
                    await errorCatcher?(error)
                }
            }
        }
    }
}

extension RetryEngine {
    /// Sends another request for this call's sake: a call of its own, marked, in a task of its own.
    /// It ends after a minute unless it has a deadline.
    ///
    /// - Throws: `CancellationError`, and `timedOut` at this call's deadline. How the other request
    ///   fails is an outcome.
    package func alternative(
        _ alternative: HTTPRequest, for request: HTTPRequest
    ) async throws -> HTTPOutcome {
        let flight = SharedFlight<HTTPOutcome> {
            await send(alternative: alternative, for: request)
        }
        guard let seat = flight.join() else { throw CancellationError() }  // a new one has room
        return try await flight.value(at: seat, for: call)
    }

    /// As ``alternative(_:for:)``, in the calling task: for work that serves several calls, and so must
    /// not end with this one.
    package func send(
        alternative: HTTPRequest, for request: HTTPRequest
    ) async -> HTTPOutcome {
        var marked = alternative.endingCall()
        marked[AlternativeMark.self] = true
        marked.deadline = marked.deadline ?? call.clock.now + .seconds(60)
        do {
            // A client begins the call itself, since the URL may be relative to its base.
            if let entry = request[AlternativeEntry.self] {
                return .success(try await entry.response(for: marked))
            }
            marked = try marked.beginningCall(observer: call.observer, clock: call.clock)
            return .success(try await next.response(for: marked))
        } catch {
            return .failure(error)
        }
    }
}

// MARK: - What the machine is told

extension RetryEngine {
    /// What is told about a petition, whatever comes of it.
    private struct Record {
        let source: HTTPRetryDecision.Source
        let end: RetryAttempt.End
        let attempt: Int

        init(_ source: HTTPRetryDecision.Source, _ end: RetryAttempt.End, _ attempt: Int) {
            self.source = source
            self.end = end
            self.attempt = attempt
        }
    }

    @discardableResult
    private func ledger<Result: Sendable>(_ body: (inout RetryLedger) -> Result) -> Result {
        books.withLedger(body)
    }

    /// Before the first attempt. Whether the machine has nothing against it.
    private mutating func begin(_ request: HTTPRequest) -> Bool {
        guard !isBegun else { return true }
        isBegun = true
        let facts = RetryMachine.Facts(now: call.clock.now, isCancelled: Task.isCancelled)
        guard machine.begin(facts) == .send else { return false }
        // A restart draws on the budget, it does not fill it.
        if let budget, ledger({ $0.attempt }) == 1 {
            budget.recordCall(to: call.origin(of: request), at: facts.now)
        }
        return true
    }

    private mutating func handle(
        _ event: RetryMachine.Event, _ request: HTTPRequest
    ) -> RetryMachine.Action {
        var machine = machine
        defer { self.machine = machine }
        return withBooks(request) { machine.handle(event, &$0, &$1) }
    }

    /// The ledger and, where there is a budget, its window for the request's origin.
    private func withBooks<Result: Sendable>(
        _ request: HTTPRequest,
        _ body: (inout RetryLedger, inout RetryBudgetWindow?) -> Result
    ) -> Result {
        guard let budget = budget ?? ledger({ $0.budget }) else {
            return ledger {
                var none: RetryBudgetWindow?
                return body(&$0, &none)
            }
        }
        let origin = call.origin(of: request)
        let now = call.clock.now  // foreign code: outside the locks
        return ledger { ledger in
            budget.withWindow(for: origin, at: now) { body(&ledger, &$0) }
        }
    }

    private func facts(_ request: HTTPRequest) -> RetryMachine.Facts {
        let silent = call.silentResends
        return RetryMachine.Facts(
            now: call.clock.now, deadline: request.deadline, sends: call.sends + silent,
            silentResends: silent, canBeSent: request.body.canBeSent,
            isCancelled: Task.isCancelled, isInRefresh: request.refreshOwner != nil)
    }

    private func plain(
        _ petition: RetryPetition, _ end: RetryAttempt.End, _ request: HTTPRequest
    ) -> RetryMachine.Petition {
        var retryAfter: Duration?
        if let head = end.head {
            let date = call.clock.date
            retryAfter = head.headers.retryAfter(now: date)?.delay(from: date)
        }
        return RetryMachine.Petition(
            delay: min(max(.zero, petition.delay), .seconds(1 << 40)), retryAfter: retryAfter,
            retryAfterLimit: petition.retryAfterLimit, allowance: petition.allowance,
            isHarmless: petition.isHarmless || request.mayBeSentAgain(after: end),
            hasWork: petition.work != nil)
    }

    private func report(
        _ answer: HTTPRetryDecision.Answer, _ record: Record, _ request: HTTPRequest
    ) {
        let now = call.clock.now
        let left = withBooks(request) { $1?.numbers(at: now).left }
        call.ruled(
            HTTPRetryDecision(
                record.source, answer, attempt: record.attempt, cause: record.end.cause,
                budgetLeft: left))
    }

    /// Rules on sending once more while an attempt is under way.
    func hedge(_ request: HTTPRequest, after delay: Duration) -> Bool {
        var facts = facts(request)
        facts.canBeSent = request.body.replay == .always
        let attempt = ledger { $0.attempt }
        let refusal = withBooks(request) { machine.hedge(facts, &$0, &$1) }
        let left = withBooks(request) { $1?.numbers(at: facts.now).left }
        call.ruled(
            HTTPRetryDecision(
                .hedge, refusal.map { .refused($0) } ?? .granted(delay: delay), attempt: attempt,
                cause: "slow answer", budgetLeft: left))
        return refusal == nil
    }
}

extension HTTPCall {
    func origin(of request: HTTPRequest) -> HTTPOrigin {
        (try? request.origin()) ?? origin
    }
}

extension HTTPRequest {
    /// Whether the first attempt needs no engine: nobody has set how often, or until when, it may be sent.
    package var isOneAttempt: Bool { deadline == nil && (!hasOptions || maxRetries == nil) }

    /// What a restart asks: whether a second send does no harm, or the caller has said that it may.
    func mayBeSentAgain(after end: RetryAttempt.End) -> Bool {
        if method.isIdempotent || headers.contains(.idempotencyKey) || maxRetries != nil {
            return true
        }
        return (end.error as? HTTPError)?.isBeforeConnection == true
    }
}

extension HTTPCall {
    /// How often libraries below the transports have sent on their own.
    var silentResends: Int { timeline.exchanges.reduce(0) { $0 + $1.silentResends } }
}
