public import HTTPCore
import HTTPRetry

/// Lets validators judge every outcome, in order.
///
/// Made for the place outside redirects and retries: runs per call, and when a verdict asks for another
/// attempt, restarts below itself. Whether it may is for the call's one ledger to say, so that verdicts
/// and policies together stay within `maxRetries`.
///
/// What is not accepted is thrown as `HTTPError` with the response's head and the first bytes of
/// its body, and the extras that validators had set on it (``HTTPCore/HTTPError/subscript(_:)``);
/// its connection is free by then. Requests that are sent for another one's sake pass unjudged.
public struct Validation: HTTPClientMiddleware {
    public var validators: [any HTTPValidator]

    public init(_ validators: [any HTTPValidator] = [HTTPDefaultValidator()]) {
        self.validators = validators
    }

    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard !validators.isEmpty, !request.isAlternative else {
            return try await next.response(for: request)
        }
        var request = try request.beginningCall()
        makeReadable(&request)
        guard request.isOneAttempt, !Task.isCancelled else {
            return try await send(request, next)
        }
        let outcome: HTTPOutcome
        do {
            for validator in validators { validator.willSend(&request) }
            var response = try await next.response(for: request)
            if let limit = response.limitOfRest(for: request) {
                response = try await response.buffered(upTo: limit)
            }
            if accepts(response) { return response }
            outcome = .success(response)
        } catch let error as CancellationError {
            throw error
        } catch {
            outcome = .failure(error)
        }
        return try await send(request, next, after: outcome)
    }

    /// Whether no validator has anything to say, and so none is asked.
    private func accepts(_ response: HTTPResponse) -> Bool {
        let status = response.status
        return validators.allSatisfy { $0.accepts(status) } && !Task.isCancelled
    }

    /// - Parameter first: of the first attempt, where that has been made without an engine, as most calls
    ///   have no other.
    private func send(
        _ request: HTTPRequest, _ next: any HTTPSession, after first: HTTPOutcome? = nil
    ) async throws -> HTTPResponse {
        var (request, first) = (request, first)
        var engine = try RetryEngine(&request, next: next, isAttempted: first != nil)
        while true {
            let outcome: HTTPOutcome
            if let first = first.take() {
                outcome = first
            } else {
                for validator in validators { validator.willSend(&request) }
                outcome = try await engine.attempt(request)
                if case .success(let response) = outcome, accepts(response) { return response }
            }
            let ruling = try await ruling(on: outcome, engine.context(request, outcome))
            switch ruling {
            case .accepted(let outcome):
                return try outcome.get()
            case .failed(let error, let judged):
                await release(outcome, replacedBy: judged)
                throw try await failure(
                    error, of: judged, request, engine.call, noting: whyNotAgain(engine.call))
            case .wanted(let petition, let judged):
                await release(outcome, replacedBy: judged)
                switch try await ask(petition, about: judged, for: &request, &engine) {
                case .granted: continue
                case .refused(let refusal):
                    let error = engine.unmet(refusal, judged)
                    throw try await failure(error, of: judged, request, engine.call)
                }
            }
        }
    }

    /// A replacement in memory no longer needs what it was made from.
    private func release(_ outcome: HTTPOutcome, replacedBy judged: HTTPOutcome) async {
        if case .success(let response) = outcome, judged.isInMemory { await response.discard() }
    }

    /// Has the body delivered so that every validator can read.
    private func makeReadable(_ request: inout HTTPRequest) {
        guard case .streamed = request.delivery, !request.isValidatedByHead,
            let limit = validators.lazy.compactMap(\.bodyLimit).max()
        else { return }
        request.delivery = .buffered(upTo: limit)
    }
}

// MARK: - The chain

extension Validation {
    private enum Ruling {
        case accepted(HTTPOutcome)
        case failed(any Error, HTTPOutcome)
        /// Another attempt.
        case wanted(RetryPetition, HTTPOutcome)
    }

    private func ruling(
        on outcome: HTTPOutcome, _ attempt: RetryAttempt
    ) async throws(CancellationError) -> Ruling {
        var (outcome, attempt) = (outcome, attempt)
        for validator in validators {
            let verdict: HTTPVerdict
            do {
                try Task.checkCancellation()
                verdict = try await validator.verdict(on: outcome, of: attempt)
            } catch let error as CancellationError {
                outcome.abandon()
                throw error
            } catch {
                verdict = .fail(error)
            }
            switch verdict {
            case .next: continue
            case .nextWithResponse(let response):
                outcome = .success(response)
                attempt.end = RetryAttempt.End(outcome)
            case .fail(let error):
                return .failed(error, outcome)
            case .retry(let strategy):
                return .wanted(RetryPetition(verdict: strategy, for: attempt), outcome)
            case .repair(let repair):
                return .wanted(repair.petition, outcome)
            }
        }
        return .accepted(outcome)
    }
}

// MARK: - Failures

extension Validation {
    private func ask(
        _ petition: RetryPetition, about outcome: HTTPOutcome, for request: inout HTTPRequest,
        _ engine: inout RetryEngine
    ) async throws -> RetryEngine.Answer {
        do {
            return try await engine.ask(petition, about: outcome, for: &request)
        } catch let error as HTTPError {
            // A failed refresh is no accident on the way to a retry, but why there is none.
            guard let failure = error.underlyingError as? RetryFailure,
                let refreshFailed = failure.thrown as? HTTPError,
                refreshFailed.code == .refreshFailed
            else { throw error }
            throw refreshFailed.about(failure.original.head, engine.call)
        }
    }

    /// What a policy below was refused, where the call may be sent again at all.
    private func whyNotAgain(_ call: HTTPCall) -> String? {
        RetryBooks.of(call).withLedger { ledger in
            guard ledger.maxRetries > 0, let refusal = ledger.finality else { return nil }
            return "not sent again: \(refusal)"
        }
    }

    /// What is thrown for `error`. Gives the response up.
    private func failure(
        _ error: any Error, of outcome: HTTPOutcome, _ request: HTTPRequest, _ call: HTTPCall,
        noting clause: String? = nil
    ) async throws(CancellationError) -> any Error {
        if let error = error as? CancellationError {
            outcome.abandon()
            throw error
        }
        switch outcome {
        case .success(let response):
            let prefix = try await response.bodyPrefix(
                upTo: request.errorBodyLimit, on: call.clock)
            await response.discard()
            let cause = "a validator does not accept this \(response.status.code)"
            return HTTPError.validation(error, cause)
                .about(response.head, call).keeping(bodyPrefix: prefix)
                .keeping(options: response.options)
                .noting(clause, timeline: nil)
        case .failure(let original):
            let cause = "a validator has ended the call after \(original.nameForLogs)"
            let head = (original as? HTTPError)?.response
            return error is HTTPError
                ? error : HTTPError.validation(error, cause).about(head, call)
        }
    }
}

extension HTTPError {
    fileprivate static func validation(_ error: any Error, _ cause: String) -> HTTPError {
        error as? HTTPError
            ?? HTTPError(
                .validationFailed, "\(cause): \(type(of: error))", mayHaveReachedServer: true,
                underlyingError: error)
    }

    fileprivate func about(_ head: HTTPResponse.Head?, _ call: HTTPCall) -> HTTPError {
        guard let head else { return noting(nil, timeline: call.timeline) }
        let sends = call.sends
        return ending(
            head.url, attempt: sends > 0 ? sends : nil, timeline: call.timeline,
            response: response ?? head)
    }
}

extension HTTPOutcome {
    fileprivate var isInMemory: Bool {
        if case .success(let response) = self { response.body.bytes != nil } else { false }
    }

    fileprivate func abandon() {
        if case .success(let response) = self { response.body.abandon() }
    }
}
