public import HTTPCore

/// What a strategy, a policy and a validator know of an attempt besides how it ended.
public struct RetryAttempt: Sendable {
    /// What is left of an attempt: never a live body.
    public enum End: Sendable {
        case response(HTTPResponse.Head)
        case failure(any Error)

        public init(_ outcome: HTTPOutcome) {
            switch outcome {
            case .success(let response): self = .response(response.head)
            case .failure(let error): self = .failure(error)
            }
        }
    }

    /// As the layer that asks was given it.
    public var request: HTTPRequest
    /// How often the call has been sent again so far: 0 for the first attempt, and so the 0-based
    /// index of the retry that may follow.
    public var index: Int
    /// How often it may be sent again in all.
    public var maxRetries: Int
    public var end: End
    /// How the attempt before this one ended.
    public var previous: End?
    /// What ``HTTPRetryStrategy/after(_:delay:catcher:)`` or a task before this attempt failed with.
    public var workFailure: (any Error)?

    /// See ``refusal(of:)``.
    private var ask: (@Sendable (RetryPetition) -> HTTPRetryDecision.Refusal?)?

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

    /// The reason for which the engine would refuse `petition` now; `nil` where it would grant it,
    /// and for an attempt that no engine tells of.
    package func refusal(of petition: RetryPetition) -> HTTPRetryDecision.Refusal? {
        ask?(petition)
    }

    /// The same attempt, as an engine tells of it.
    func asking(
        _ ask: @escaping @Sendable (RetryPetition) -> HTTPRetryDecision.Refusal?
    ) -> RetryAttempt {
        var copy = self
        copy.ask = ask
        return copy
    }

    /// 1 for the first.
    public var number: Int { index < .max ? index + 1 : .max }
    /// `nil` when there was none, see ``error``.
    public var response: HTTPResponse.Head? {
        if case .response(let head) = end { head } else { nil }
    }
    public var error: (any Error)? { end.error }
}

extension RetryAttempt.End {
    package var error: (any Error)? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Of the response, or the one that an error has kept.
    package var head: HTTPResponse.Head? {
        switch self {
        case .response(let head): head
        case .failure(let error): (error as? HTTPError)?.response
        }
    }

    package var mayHaveReachedServer: Bool {
        switch self {
        case .response: true
        case .failure(let error): (error as? HTTPError)?.mayHaveReachedServer ?? true
        }
    }

    /// A status code or an error's code: free of secrets, for retryDecisions.
    package var cause: String {
        switch self {
        case .response(let head): "\(head.status.code)"
        case .failure(let error as HTTPError): error.code.rawValue
        case .failure(let error): "\(type(of: error))"
        }
    }
}
