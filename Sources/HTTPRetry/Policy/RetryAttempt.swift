public import HTTPCore

/// An attempt as strategies, policies and validators see it.
public struct RetryAttempt: Sendable {
    /// The end of an attempt, without a live body.
    public enum End: Sendable {
        /// There was a response. Its body is gone.
        case response(HTTPResponse.Head)
        /// There was no response, or a layer below has thrown an error for it.
        case failure(any Error)

        /// Creates the end of an attempt from its outcome.
        public init(_ outcome: HTTPOutcome) {
            switch outcome {
            case .success(let response): self = .response(response.head)
            case .failure(let error): self = .failure(error)
            }
        }
    }

    /// The request as the layer that judges the attempt received it.
    public var request: HTTPRequest
    /// The number of retries so far, which is also the 0-based index of the retry that may follow.
    public var index: Int
    /// The limit on the call's retries.
    public var maxRetries: Int
    /// The end of the attempt.
    public var end: End
    /// The end of the attempt before this one.
    public var previous: End?
    /// The failure of the work before this attempt: of the request of
    /// ``HTTPRetryStrategy/after(_:delay:catcher:)``, or of a task.
    package var workFailure: (any Error)?

    /// The engine's part of ``refusal(of:)``.
    private var ask: (@Sendable (RetryRequest) -> HTTPRetryEvent.Refusal?)?

    /// Creates an attempt, for tests of a policy or a validator.
    public init(
        _ request: HTTPRequest, index: Int = 0, maxRetries: Int = 0, end: End, previous: End? = nil,
        workFailure: (any Error)? = nil
    ) {
        self.request = request
        self.index = index
        self.maxRetries = maxRetries
        self.end = end
        self.previous = previous
        self.workFailure = workFailure
    }

    /// Returns the reason for which the engine would refuse `retry` now, or `nil` if it would grant
    /// it or the attempt is no engine's.
    package func refusal(of retry: RetryRequest) -> HTTPRetryEvent.Refusal? { ask?(retry) }

    /// Returns the same attempt with an engine's answer to ``refusal(of:)``.
    func asking(
        _ ask: @escaping @Sendable (RetryRequest) -> HTTPRetryEvent.Refusal?
    ) -> RetryAttempt {
        var copy = self
        copy.ask = ask
        return copy
    }

    /// The attempt's number, 1 for the first.
    package var number: Int { index < .max ? index + 1 : .max }
    /// The head of the response, or `nil` if the attempt failed with ``error``.
    public var response: HTTPResponse.Head? {
        if case .response(let head) = end { head } else { nil }
    }
    /// The error of the attempt, or `nil` if there was a response.
    public var error: (any Error)? { end.error }

    /// Returns the error of a call that a closure drops with a reason after this attempt, which
    /// ended with `outcome`.
    package func dropped(for reason: String, _ outcome: HTTPOutcome) -> HTTPError {
        HTTPError(
            .retryDropped, reason, mayHaveReachedServer: end.mayHaveReachedServer,
            response: end.head, underlyingError: error
        ).keeping(bodyPrefix: outcome.bodyPrefix)
    }
}

extension RetryAttempt.End {
    package var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// The head of the response, or the one that an error holds.
    package var head: HTTPResponse.Head? {
        switch self {
        case .response(let head): head
        case .failure(let error): (error as? HTTPError)?.response
        }
    }

    /// The status code or the error's code: free of secrets, for retry decisions.
    package var cause: String {
        switch self {
        case .response(let head): "\(head.status.code)"
        case .failure(let error as HTTPError): error.code.rawValue
        case .failure(let error): "\(type(of: error))"
        }
    }
}
