public import HTTPCore
public import HTTPRetry
public import HTTPValidation

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// MARK: - Adapting

extension HTTPPipeline {
    /// Changes the request on its way to what is above: before each attempt of the retries below. A throw
    /// is `adaptingFailed`; nothing is sent then.
    public func adapt(
        _ adapt: @escaping @Sendable (HTTPRequest) async throws -> HTTPRequest
    ) -> Self {
        surrounded(by: Adapting(adapt: adapt))
    }

    /// As ``adapt(_:)``, by what the request half of an interceptor does.
    public func adapt(using interceptor: any HTTPRequestInterceptor) -> Self {
        adapt { request in
            var request = request
            try await interceptor.process(request: &request)
            return request
        }
    }
}

// MARK: - Validating

/// What a closure says of an answer.
public enum HTTPValidity: Hashable, Sendable {
    case valid
    /// The reason is in the error's message, so free of secrets.
    case invalid(reason: String)
}

extension HTTPPipeline {
    /// Judges what was answered; failures pass. A throw is `validationFailed`, too.
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

    /// Judges with an object: of several operators, the first to object wins.
    public func validate(using validator: any HTTPValidator) -> Self {
        surrounded(by: Validation([validator]))
    }

    public func allowed(statusCode: Int) -> Self {
        validate(using: .allowed(statusCode: statusCode))
    }

    /// Any range: `200..<300`, `200...299`, `..<400`.
    public func allowed(statusCodes range: some RangeExpression<Int> & Sendable) -> Self {
        validate(using: .allowed(statusCodes: range))
    }

    public func allowed(statusCodes: Int...) -> Self { allowed(statusCodes: statusCodes) }

    /// An empty list accepts nothing.
    public func allowed(statusCodes: [Int]) -> Self {
        validate(using: .allowed(statusCodes: statusCodes))
    }
}

// MARK: - Retrying

// Each operator has retries of its own, counted per call: two operators add up, they do not multiply. What
// the call's ledger rules out (its deadline, a body that can be read once, the session's own final
// refusal, 30 sends in all), none of them gets.
extension HTTPPipeline {
    /// Sends again after any failure of what is above, whatever the method: up to `count` + 1 attempts.
    /// The last failure is thrown as it is.
    public func retry(_ count: Int, delay: Duration = .zero) -> Self {
        surrounded(by: Retrying(maxRetries: count, delay: delay, isDemand: false) { _ in .retry })
    }

    /// Asks after any failure of what is above what to make of it.
    ///
    /// - Parameters:
    ///   - maxRetries: what ends a closure that always retries: the call then fails with
    ///     `retriesExhausted`.
    ///   - delay: before each retry; what a server's `Retry-After` asks for is waited if it is longer.
    ///   - decide: a throw ends the call with `retryFailed`.
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

    /// As the other one, for who counts: an attempt has its index.
    public func retryDecision(
        maxRetries: Int = 10, delay: Duration = .seconds(0.1),
        _ decide: @escaping @Sendable (RetryAttempt) async throws -> RetryDecision
    ) -> Self {
        surrounded(
            by: Retrying(maxRetries: maxRetries, delay: delay, isDemand: true, decide: decide))
    }

    /// Asks an object.
    public func retrier(
        using retrier: any RetryDeciding, maxRetries: Int = 10, delay: Duration = .seconds(0.1)
    ) -> Self {
        retryDecision(maxRetries: maxRetries, delay: delay) { attempt in
            try await retrier.decision(about: attempt)
        }
    }

    /// Adapts each request and decides about each failure with one object.
    public func intercept(
        using interceptor: any HTTPRequestInterceptor & RetryDeciding, maxRetries: Int = 10,
        delay: Duration = .seconds(0.1)
    ) -> Self {
        adapt(using: interceptor).retrier(using: interceptor, maxRetries: maxRetries, delay: delay)
    }
}

extension RetryAttempt {
    /// What the failure means that a retrier is asked about.
    public var failure: HTTPPipelineFailure? { error.map { HTTPPipelineFailure($0) } }
}
