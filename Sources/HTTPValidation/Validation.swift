public import HTTPCore
import HTTPFormats
import HTTPRetry

/// A middleware whose validators judge every outcome, in order.
///
/// Place it outside redirects and retries. It runs once per call (row 2). If a verdict asks for
/// another attempt, it sends the request to the layers below again. The call's ledger grants that
/// or not, so that verdicts and policies together stay within `maxRetries`.
///
/// A response that is not accepted is thrown as an `HTTPError` with its head, the first bytes of
/// its body and the extras that validators have set on it (``/HTTPCore/HTTPError/subscript(_:)``).
/// Its connection is free by then. Requests that are sent on behalf of another one are not judged.
public struct Validation: HTTPClientMiddleware {
    /// The validators, asked in order until one decides.
    public var validators: [any HTTPValidator]

    /// Creates a layer of validators. An empty list accepts every response.
    public init(_ validators: [any HTTPValidator] = [HTTPDefaultValidator()]) {
        self.validators = validators
    }

    @inline(__always)
    public func intercept(
        _ request: HTTPRequest, next: any HTTPSession
    ) async throws -> HTTPResponse {
        guard !validators.isEmpty, !(request.hasOptions && request.isAlternative) else {
            return try await next.response(for: request)
        }
        var request = request
        if case .streamed = request.delivery { makeReadable(&request) }
        announce(&request)
        try Task.checkCancellation()
        guard !request.hasOptions else { return try await response(for: request, after: nil, next) }
        // Most first attempts are accepted, and need no engine for another one.
        let first = try await next.attempt(request)
        if case .success(let response) = first, accepts(response) { return response }
        return try await response(for: request, after: first, next)
    }

    /// - Parameter first: The outcome of the first attempt, if it has been made. Not for a request
    ///   with options, which may have limits that the engine must know before.
    private func response(
        for request: HTTPRequest, after first: HTTPOutcome?, _ next: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = request
        var engine = RetryEngine(request)
        do {
            var outcome = if let first { first } else { try await next.attempt(request) }
            while true {
                engine.attemptEnded(&outcome)
                if case .success(let response) = outcome, accepts(response) { return response }
                if let response = try await response(to: outcome, of: &request, &engine, next) {
                    return response
                }
                announce(&request)
                outcome = try await next.attempt(request)
            }
        } catch {
            throw engine.concluded(error)
        }
    }

    /// Tells the validators of an attempt that is about to be made.
    private func announce(_ request: inout HTTPRequest) {
        for validator in validators { validator.willSend(&request) }
    }

    /// Returns whether every validator accepts the response by its status alone.
    private func accepts(_ response: HTTPResponse) -> Bool {
        let status = response.status
        return validators.allSatisfy { $0.accepts(status) } && !Task.isCancelled
    }

    /// Returns the response to hand back for `outcome`, or `nil` if the request is to be sent
    /// again.
    private func response(
        to outcome: HTTPOutcome, of request: inout HTTPRequest, _ engine: inout RetryEngine,
        _ next: any HTTPSession
    ) async throws -> HTTPResponse? {
        switch try await judgement(on: outcome, engine.context(request, outcome)) {
        case .accepted(let outcome):
            return try outcome.get()
        case .failed(let error, let judged):
            await release(outcome, replacedBy: judged)
            throw try await failure(error, of: judged, request, engine.call)
        case .wanted(let retry, let judged):
            await release(outcome, replacedBy: judged)
            switch try await decide(retry, about: judged, for: &request, &engine, next) {
            case .granted: return nil
            case .refused:
                let error = HTTPError.unmet(retry, try judged.get().head)
                throw try await failure(error, of: judged, request, engine.call)
            }
        }
    }

    /// Discards a response that a replacement in memory no longer needs.
    private func release(_ outcome: HTTPOutcome, replacedBy judged: HTTPOutcome) async {
        if case .success(let response) = outcome, judged.isInMemory { await response.discard() }
    }

    /// Sets the delivery so that every validator can read the body.
    private func makeReadable(_ request: inout HTTPRequest) {
        guard !request.isValidatedByHead,
            let limit = validators.lazy.compactMap(\.bodyLimit).max()
        else { return }
        request.delivery = .buffered(upTo: limit)
    }
}

// MARK: - The chain

extension Validation {
    private enum Judgement {
        case accepted(HTTPOutcome)
        case failed(any Error, HTTPOutcome)
        /// Another attempt is wanted.
        case wanted(RetryRequest, HTTPOutcome)
    }

    private func judgement(
        on outcome: HTTPOutcome, _ attempt: RetryAttempt
    ) async throws(CancellationError) -> Judgement {
        var (outcome, attempt) = (outcome, attempt)
        for validator in validators {
            let verdict: HTTPVerdict
            do {
                try Task.checkCancellation()
                verdict = try await self.verdict(of: validator, on: outcome, attempt)
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
                return .wanted(RetryRequest(verdict: strategy, for: attempt), outcome)
            case .repair(let repair):
                return .wanted(repair.retry, outcome)
            }
        }
        return .accepted(outcome)
    }

    /// Returns the verdict of one validator. If it has no limit, it must not read a stream.
    private func verdict(
        of validator: any HTTPValidator, on outcome: HTTPOutcome, _ attempt: RetryAttempt
    ) async throws -> HTTPVerdict {
        guard validator.bodyLimit == nil, case .success(let response) = outcome,
            response.body.isStream
        else { return try await validator.verdict(on: outcome, of: attempt) }
        response.body.refuseReading(.readingWithoutLimit)
        let verdict: Result<HTTPVerdict, any Error>
        do {
            verdict = .success(try await validator.verdict(on: outcome, of: attempt))
        } catch let error as CancellationError {
            response.body.permitReading()
            throw error
        } catch {
            verdict = .failure(error)
        }
        // Whatever the verdict is, it was made about a body that was not seen.
        if response.body.permitReading() { throw HTTPError.readingWithoutLimit }
        return try verdict.get()
    }
}

// MARK: - Failures

extension Validation {
    private func decide(
        _ retry: RetryRequest, about outcome: HTTPOutcome, for request: inout HTTPRequest,
        _ engine: inout RetryEngine, _ next: any HTTPSession
    ) async throws -> HTTPRetryEvent.Outcome {
        do {
            return try await engine.decide(
                retry, about: outcome, for: &request, over: next)
        } catch let error as HTTPError {
            // A failed refresh is itself the reason why there is no retry.
            guard let failure = error.underlyingError as? RetryFailure,
                let refreshFailed = failure.thrown as? HTTPError,
                refreshFailed.code == .refreshFailed
            else { throw error }
            let body = refreshFailed.response == nil ? error.bodyPrefix : nil
            throw refreshFailed.about(failure.original.head, engine.call)
                .keeping(bodyPrefix: body)
        }
    }

    /// Returns the error to throw for `error`, and discards the response.
    private func failure(
        _ error: any Error, of outcome: HTTPOutcome, _ request: HTTPRequest, _ call: HTTPCall
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
            return HTTPError.validation(error, cause).havingReachedServer()
                .about(response, call).keeping(bodyPrefix: prefix)
                .keeping(options: response.errorOptions)
        case .failure(let original):
            let cause = "a validator has ended the call after \(original.nameForLogs)"
            let head = (original as? HTTPError)?.response
            let whole = HTTPError.validation(error, cause)
                .havingReachedServer(!original.reachedNoServer)
            return error is HTTPError ? whole : whole.about(head, call)
        }
    }
}

extension HTTPError {
    fileprivate static var readingWithoutLimit: HTTPError {
        HTTPError(
            .validationFailed,
            "a validator reads the body of a response that streams, and has no bodyLimit: set it, "
                + "so that the body is part of the attempt", mayHaveReachedServer: true)
    }

    fileprivate static func validation(_ error: any Error, _ cause: String) -> HTTPError {
        error as? HTTPError
            ?? HTTPError(
                .validationFailed, "\(cause): \(type(of: error))", underlyingError: error)
    }

    fileprivate func about(_ response: HTTPResponse, _ call: HTTPCall) -> HTTPError {
        let sends = call.sends
        return ending(
            response, attempt: sends > 0 ? sends : nil, timeline: call.timeline,
            head: self.response ?? response.head
        ).keepingWait(of: response.head, call)
    }

    fileprivate func about(_ head: HTTPResponse.Head?, _ call: HTTPCall) -> HTTPError {
        guard let head else { return noting(timeline: call.timeline) }
        let sends = call.sends
        return ending(
            head.url, attempt: sends > 0 ? sends : nil, timeline: call.timeline,
            response: response ?? head
        ).keepingWait(of: head, call)
    }

    /// Returns the same error with the wait that the response asks for, if another attempt may
    /// succeed.
    private func keepingWait(of head: HTTPResponse.Head, _ call: HTTPCall) -> HTTPError {
        keeping(retryAfter: isRetryable && retryAfter == nil ? head.wait(call.clock) : nil)
    }
}

extension HTTPResponse.Head {
    /// The wait that the response asks for, from its arrival.
    fileprivate func wait(_ clock: any HTTPClock) -> Duration? {
        guard headers.contains(.retryAfter) else { return nil }
        return headers.retryDelay(now: clock.date)
    }
}

extension HTTPOutcome {
    fileprivate var isInMemory: Bool {
        if case .success(let response) = self { response.body.isBytes } else { false }
    }

    fileprivate func abandon() {
        if case .success(let response) = self { response.body.abandon() }
    }
}
