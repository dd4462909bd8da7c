public import HTTPCore
public import HTTPRetry
public import HTTPValidation
public import PortableFoundation

// MARK: - Adapting

extension HTTPPipeline {
    /// Adapts the request for the operators above, before each attempt of the retries below. If
    /// `adapt` throws, the call fails with `adaptingFailed` and nothing is sent.
    public func adapt(
        _ adapt: @escaping @Sendable (HTTPRequest) async throws -> HTTPRequest
    ) -> Self {
        surrounded(by: Adapting(adapt: adapt))
    }

    /// Adapts the request with an interceptor. Only its part for requests is used. See
    /// ``adapt(_:)``.
    public func adapt(using interceptor: any HTTPRequestInterceptor) -> Self {
        adapt { request in
            var request = request
            try await interceptor.process(request: &request)
            return request
        }
    }
}

// MARK: - Validating

/// The verdict of a closure about a response.
public enum HTTPValidity: Hashable, Sendable {
    /// The response is accepted.
    case valid
    /// The reason becomes the error's message, so it must be free of secrets.
    case invalid(reason: String)
}

extension HTTPPipeline {
    /// Validates the response. Failures pass unchanged. If `judge` throws, the call fails with
    /// `validationFailed`, too.
    public func validate(
        _ judge: @escaping @Sendable (Data, HTTPResponse) async throws -> HTTPValidity
    ) -> Self {
        validate(
            using: ClosureValidator(bodyLimit: HTTPBody.defaultLimit) { response, _ in
                switch try await judge(try await response.data(), response) {
                case .valid: .next
                case .invalid(let reason): .invalid(reason)
                }
            })
    }

    /// Validates the response with an object. Of several operators, the first that objects decides.
    public func validate(using validator: any HTTPValidator) -> Self {
        surrounded(by: Validation([validator]))
    }

    /// Accepts one status code. The call fails with `unexpectedStatus` for any other.
    ///
    /// A status that is listed here is accepted although the validators of the session's client do
    /// not accept it.
    public func allowed(statusCode: Int) -> Self {
        allowed(.allowed(statusCode: statusCode))
    }

    private func allowed(_ validator: StatusValidator) -> Self {
        surrounded(by: AllowedStatuses(validator: validator))
    }

    /// Accepts any range of status codes: `200..<300`, `200...299`, `..<400`.
    public func allowed(statusCodes range: some RangeExpression<Int> & Sendable) -> Self {
        allowed(.allowed(statusCodes: range))
    }

    /// Accepts the listed status codes. An empty list accepts none.
    public func allowed(statusCodes: Int...) -> Self { allowed(statusCodes: statusCodes) }

    /// Accepts the listed status codes. An empty list accepts none.
    public func allowed(statusCodes: [Int]) -> Self {
        allowed(.allowed(statusCodes: statusCodes))
    }
}

// MARK: - Retrying

// Each operator has its own retries, counted per call: the retries of two operators add up, they do
// not multiply. No operator gets a retry that the call's ledger excludes: because of the deadline,
// a body that can be read once, the session's own final refusal, or 30 sends that no operator has
// counted, such as those of redirects. The error says so.
extension HTTPPipeline {
    /// Sends again after any failure of the operators above, in up to `count + 1` attempts. Throws
    /// the last failure.
    ///
    /// The number is no permission to repeat a request that may have reached the server and is not
    /// idempotent, such as a POST. See ``/HTTPCore/HTTPRequest/repeatable()``.
    public func retry(_ count: Int, delay: Duration = .zero) -> Self {
        surrounded(by: Retrying(maxRetries: count, delay: delay, isDecision: false) { _ in .retry })
    }

    /// Asks a closure for a decision after any failure of the operators above.
    ///
    /// If the failure is an answer of the server, the decision allows a request to be repeated
    /// whatever its method. Otherwise a POST that may have reached the server has to be
    /// ``/HTTPCore/HTTPRequest/repeatable()``, which `retryWithRequest` can say.
    ///
    /// - Parameters:
    ///   - maxRetries: The limit for a closure that always retries. Beyond it, the call fails with
    ///     the last failure.
    ///   - delay: The wait before each retry. A server's `Retry-After` replaces it if it is longer.
    ///   - decide: If it throws, the call fails with `retryFailed`.
    public func retryDecision(
        maxRetries: Int = 10, delay: Duration = .seconds(0.1),
        _ decide:
            @escaping @Sendable (_ failure: HTTPPipelineFailure, _ request: HTTPRequest)
            async throws -> RetryDecision
    ) -> Self {
        retryDecision(maxRetries: maxRetries, delay: delay) { attempt in
            guard let error = attempt.error else { return .drop }
            return try await decide(HTTPPipelineFailure(error), attempt.request)
        }
    }

    /// Asks a closure for a decision after any failure, with the attempt and its index.
    public func retryDecision(
        maxRetries: Int = 10, delay: Duration = .seconds(0.1),
        _ decide: @escaping @Sendable (RetryAttempt) async throws -> RetryDecision
    ) -> Self {
        surrounded(
            by: Retrying(maxRetries: maxRetries, delay: delay, isDecision: true, decide: decide))
    }

    /// Asks an object for a decision after any failure.
    public func retrier(
        using retrier: any RetryDeciding, maxRetries: Int = 10, delay: Duration = .seconds(0.1)
    ) -> Self {
        retryDecision(maxRetries: maxRetries, delay: delay) { attempt in
            try await retrier.decision(about: attempt)
        }
    }

    /// Adapts each request and decides about each failure with the same object.
    public func intercept(
        using interceptor: any HTTPRequestInterceptor & RetryDeciding, maxRetries: Int = 10,
        delay: Duration = .seconds(0.1)
    ) -> Self {
        adapt(using: interceptor).retrier(using: interceptor, maxRetries: maxRetries, delay: delay)
    }
}

extension RetryAttempt {
    /// The meaning of the failure that the retrier decides about.
    public var failure: HTTPPipelineFailure? { error.map { HTTPPipelineFailure($0) } }
}
